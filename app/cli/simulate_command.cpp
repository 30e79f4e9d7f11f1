// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/cli/result_table.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"

#include <QElapsedTimer>

#include <cstdio>
#include <ostream>

namespace clusterbeat {
namespace {

/// Wall times of the parts of one command, as one JSON line.
class Timing final {
public:
    explicit Timing(bool on) : m_on(on) { m_timer.start(); }
    void lap(const char *name)
    {
        char text[64];
        std::snprintf(text, sizeof text, "%s\"%s_s\": %.6f", m_line.empty() ? "" : ", ", name,
                      static_cast<double>(m_timer.nsecsElapsed()) / 1e9);
        m_line += text;
        m_timer.restart();
    }
    void print(std::ostream &err) const
    {
        if (m_on) err << '{' << m_line << "}\n";
    }

private:
    bool m_on;
    QElapsedTimer m_timer;
    std::string m_line;
};

} // namespace

ExitCode runSimulate(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("simulate"), english("Simulates one training iteration and prints the result."),
                         QStringLiteral("FILE"), english("Scenario file, preset:NAME, or - for standard input."));
    addScenarioOptions(parser);
    parser.add({QStringLiteral("json"), english("Prints JSON; the keys are documented and stable.")});
    parser.add({QStringLiteral("schedule-csv"), english("Runs the pipeline schedule of a CSV file of PyTorch's (- is standard input)."),
                QStringLiteral("file")});
    addThreadsOption(parser);
    parser.add({QStringLiteral("timing"), english("Prints wall times to standard error as one JSON line.")});
    if (const auto done = parser.parse(arguments, context, 0, 1)) return *done;
    if (parser.positional().isEmpty() != parser.isSet("megatron-args"))
        return parser.usage(context, english("Give either FILE or --megatron-args."));
    const auto threads = wholeNumber(parser, "threads", processorThreads(), 1, kMostThreads);
    if (!threads)
        return parser.usage(context, rangeText("threads", 1, kMostThreads));

    Timing timing(parser.isSet("timing"));
    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    auto scenario = scenarioFromOptions(parser, catalogue.value(), context);
    if (scenario.ok() && parser.isSet("schedule-csv"))
        scenario = withScheduleFile(scenario.value(), parser.value("schedule-csv"), context);
    if (!scenario.ok()) return fail(context, scenario.error());
    timing.lap("read");

    StageCache cache;
    cache.limitThreads(static_cast<std::size_t>(*threads));
    const auto outcome = simulate(scenario.value(), catalogue.value(), cache, context.stop);
    if (outcome.cancelled) return cancelled(context);
    if (outcome.error) return fail(context, *outcome.error);
    timing.lap("simulate");
    for (const Notice &notice : outcome.result->scenario->notices) say(context, notice);
    const auto references = loadReferences();
    if (!references.ok()) return fail(context, references.error());
    context.out << (parser.isSet("json") ? resultJson(*outcome.result, &references.value(), &catalogue.value().constants)
                                         : resultTable(*outcome.result, &references.value()).toStdString());
    timing.lap("print");
    timing.print(context.err);
    return ExitCode::Done;
}

} // namespace clusterbeat
