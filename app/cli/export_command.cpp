// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/document/scenario_file.h"
#include "model/formats/schedule_csv.h"
#include "model/iteration/simulate.h"

#include <ostream>

namespace clusterbeat {

ExitCode runExport(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("export"), english("Writes a scenario's pipeline schedule as a CSV file of PyTorch's."),
                         QStringLiteral("FILE"), english("Scenario file, preset:NAME, or - for standard input."));
    addScenarioOptions(parser);
    parser.add({{QStringLiteral("o"), QStringLiteral("output")}, english("The file to write, OUT.csv; - is standard output."), QStringLiteral("out")});
    if (const auto done = parser.parse(arguments, context, 0, 1)) return *done;
    if (parser.positional().isEmpty() != parser.isSet("megatron-args"))
        return parser.usage(context, english("Give either FILE or --megatron-args."));
    if (!parser.isSet("o")) return parser.usage(context, english("Missing option: -o OUT.csv"));
    const QString target = parser.value("o");
    const bool piped = target == QLatin1String("-");
    if (!piped && !target.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive))
        return parser.usage(context, english("OUT ends in .csv (the pipeline schedule)."));

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const auto scenario = scenarioFromOptions(parser, catalogue.value(), context);
    if (!scenario.ok()) return fail(context, scenario.error());
    // Searched orders depend on the times of the operations: only a run knows them.
    StageCache cache;
    const auto outcome = simulate(scenario.value(), catalogue.value(), cache, context.stop);
    if (outcome.cancelled) return cancelled(context);
    if (outcome.error) return fail(context, *outcome.error);
    const std::string text = writeScheduleCsv(outcome.result->run.plan.schedule);
    if (piped)
        context.out << text;
    else if (const auto error = writeFile(target, text))
        return fail(context, *error);
    return ExitCode::Done;
}

} // namespace clusterbeat
