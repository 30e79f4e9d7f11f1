// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/cli/search_report.h"
#include "app/document/scenario_file.h"

#include <ostream>

namespace clusterbeat
{
namespace
{

constexpr int kMostListed = 1000;
constexpr int kListed = 10;

void addOptions(CommandParser &parser)
{
    addScenarioOptions(parser);
    parser.add({QStringLiteral("top"), english("Layouts to list (10)."), QStringLiteral("n")});
    parser.add({QStringLiteral("json"), english("Prints JSON; the keys are documented and stable.")});
    addThreadsOption(parser);
    parser.add({{QStringLiteral("o"), QStringLiteral("output")},
                english("Writes the scenario with the best layout that fits to a file."),
                QStringLiteral("scenario")});
}

/// The scenario with another layout; what the search leaves aside is back.
std::optional<Error> writeBest(const Scenario &scenario, const SearchResult &result, const QString &path)
{
    if (result.ranked.empty()) return std::nullopt;
    Scenario best = withLayout(scenario, result.ranked.front().choice);
    best.perturbations = scenario.perturbations;
    return writeFile(path, writeScenario(best));
}

} // namespace

ExitCode runSearch(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(
        QStringLiteral("search"),
        english("Finds the fastest layouts of the scenario's model on its cluster, with the same global "
                "batch and within the memory."),
        QStringLiteral("FILE"), english("Scenario file, preset:NAME, or - for standard input."));
    addOptions(parser);
    if (const auto done = parser.parse(arguments, context, 0, 1)) return *done;
    if (parser.positional().isEmpty() != parser.isSet("megatron-args"))
        return parser.usage(context, english("Give either FILE or --megatron-args."));
    const auto threads = wholeNumber(parser, "threads", processorThreads(), 1, kMostThreads);
    if (!threads) return parser.usage(context, rangeText("threads", 1, kMostThreads));
    const auto top = wholeNumber(parser, "top", kListed, 1, kMostListed);
    if (!top) return parser.usage(context, rangeText("top", 1, kMostListed));

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const auto scenario = scenarioFromOptions(parser, catalogue.value(), context);
    if (!scenario.ok()) return fail(context, scenario.error());
    if (!scenario.value().perturbations->empty())
        context.err << "clusterbeat: " << english("Layouts are compared without perturbations.").toStdString() << '\n';

    SearchOptions options;
    options.top = static_cast<std::size_t>(*top);
    options.threads = static_cast<unsigned>(*threads);
    const auto outcome = searchLayouts(scenario.value(), catalogue.value(), options, context.stop);
    if (outcome.cancelled) return cancelled(context);
    if (outcome.error) return fail(context, *outcome.error);
    context.out << (parser.isSet("json") ? searchJson(*outcome.result) : searchTable(*outcome.result));
    if (!parser.isSet("o")) return ExitCode::Done;
    if (const auto error = writeBest(scenario.value(), *outcome.result, parser.value("o")))
        return fail(context, *error);
    return ExitCode::Done;
}

} // namespace clusterbeat
