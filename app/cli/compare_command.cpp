// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/compare_report.h"
#include "app/cli/options.h"
#include "app/document/scenario_file.h"

#include <ostream>

namespace clusterbeat
{

ExitCode runCompare(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("compare"),
                         english("Explains the difference of two scenarios' iterations as causes that add up."),
                         QStringLiteral("A B"),
                         english("Scenario files, preset:NAME, or - for standard input (one of them)."));
    parser.add({QStringLiteral("set"), english("Changes one value of B: a JSON pointer and a JSON value."),
                QStringLiteral("/pointer=value")});
    parser.add({QStringLiteral("json"), english("Prints JSON; the keys are documented and stable.")});
    if (const auto done = parser.parse(arguments, context, 2, 2)) return *done;
    const QString nameA = parser.positional().at(0), nameB = parser.positional().at(1);
    if (nameA == QLatin1String("-") && nameB == QLatin1String("-"))
        return parser.usage(context, english("Only one of A and B can be standard input."));

    std::vector<PointerEdit> edits;
    for (const QString &text : parser.values("set")) {
        auto edit = parsePointerEdit(text.toStdString());
        if (!edit.ok()) return fail(context, edit.error());
        edits.push_back(std::move(edit).value());
    }
    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const auto a = loadScenario(nameA, catalogue.value(), {}, context.in);
    if (!a.ok()) return fail(context, a.error());
    const auto b = loadScenario(nameB, catalogue.value(), edits, context.in);
    if (!b.ok()) return fail(context, b.error());

    const auto outcome = compareScenarios(a.value(), b.value(), catalogue.value(), context.stop);
    if (outcome.cancelled) return cancelled(context);
    if (outcome.error) {
        Error error = *outcome.error;
        if (error.place.file.empty()) error.place.file = (outcome.errorInB ? nameB : nameA).toStdString();
        return fail(context, error);
    }
    context.out << (parser.isSet("json") ? comparisonJson(*outcome.comparison) : comparisonTable(*outcome.comparison));
    return ExitCode::Done;
}

} // namespace clusterbeat
