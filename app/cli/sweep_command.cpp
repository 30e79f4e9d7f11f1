// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/cli/sweep_report.h"
#include "model/iteration/simulate.h"
#include "model/search/parallel.h"

#include <algorithm>
#include <atomic>
#include <ostream>

namespace clusterbeat
{
namespace
{

constexpr int kMostShards = 1'000'000;
/// Points of one round per thread: what a cancelled run has not printed yet.
constexpr std::int64_t kPointsPerThread = 8;

struct Shard {
    int number = 1, of = 1;
};

/// "I/N", 1 <= I <= N.
std::optional<Shard> parseShard(const QString &text)
{
    const QStringList parts = text.split(QLatin1Char('/'));
    if (parts.size() != 2) return std::nullopt;
    bool first = false, second = false;
    const Shard shard{parts[0].toInt(&first), parts[1].toInt(&second)};
    if (!first || !second || shard.number < 1 || shard.number > shard.of || shard.of > kMostShards) return std::nullopt;
    return shard;
}

Result<Sweep> sweepFromOptions(const CommandParser &parser)
{
    std::vector<SweepAxis> axes;
    for (const QString &text : parser.values("vary")) {
        auto axis = parseSweepAxis(text.toStdString());
        if (!axis.ok()) return axis.error();
        axes.push_back(std::move(axis).value());
    }
    return Sweep::make(std::move(axes));
}

/// Reads and simulates points; one object per thread keeps what neighbouring points share.
class PointRunner
{
public:
    PointRunner(const std::string &base, const Catalogue &catalogue) : m_base(base), m_catalogue(catalogue) {}
    /// False when cancelled.
    bool run(SweepPoint &point, const std::stop_token &stop)
    {
        auto scenario = readScenario(m_base, m_catalogue, point.edits);
        if (!scenario.ok()) {
            point.error = scenario.error();
            return true;
        }
        shareSections(scenario.value(), m_previous);
        m_previous = scenario.value();
        auto outcome = simulate(scenario.value(), m_catalogue, m_cache, stop);
        point.result = std::move(outcome.result);
        point.error = std::move(outcome.error);
        return !outcome.cancelled;
    }

private:
    const std::string &m_base;
    const Catalogue &m_catalogue;
    Scenario m_previous;
    StageCache m_cache;
};

ExitCode printPoints(const Sweep &sweep, PointRange range, bool json, int threads, const std::string &base,
                     const Catalogue &catalogue, const CommandContext &context)
{
    std::vector<PointRunner> runners;
    for (int i = 0; i < threads; ++i)
        runners.emplace_back(base, catalogue);
    const std::int64_t round = kPointsPerThread * threads;
    std::atomic<bool> anySimulated = range.begin >= range.end;
    for (std::int64_t begin = range.begin; begin < range.end; begin += round) {
        std::vector<SweepPoint> points(static_cast<std::size_t>(std::min(round, range.end - begin)));
        for (std::size_t i = 0; i < points.size(); ++i) {
            points[i].number = begin + static_cast<std::int64_t>(i);
            points[i].edits = sweep.edits(points[i].number);
        }
        std::vector<std::string> rows(points.size());
        forEachIndex(points.size(), static_cast<unsigned>(threads), 1, context.stop,
                     [&](unsigned worker, std::size_t i) {
                         if (!runners[worker].run(points[i], context.stop)) return;
                         rows[i] = json ? sweepJsonRow(points[i]) : sweepCsvRow(points[i]);
                         if (points[i].result) anySimulated = true;
                         points[i].result.reset();
                     });
        for (const std::string &row : rows) {
            if (row.empty()) return cancelled(context);
            context.out << row;
        }
        context.out.flush();
        if (!context.out) return ExitCode::Done; // runCommand says that the output is gone
    }
    if (anySimulated) return ExitCode::Done;
    context.err << english("Every point was refused; each row says why.").toStdString() << '\n';
    return ExitCode::WrongInput;
}

} // namespace

ExitCode runSweep(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("sweep"),
                         english("Simulates every combination of values; one row each, the last --vary fastest."),
                         QStringLiteral("FILE"), english("Scenario file, preset:NAME, or - for standard input."));
    parser.add({QStringLiteral("vary"), english("Values of one key, JSON or bare words; may be given several times."),
                QStringLiteral("/pointer=A,B,C")});
    parser.add({QStringLiteral("shard"), english("Only part I of N; the parts' outputs in order are the whole."),
                QStringLiteral("I/N")});
    parser.add({QStringLiteral("csv"), english("Prints CSV with a header in part 1 (the default).")});
    parser.add({QStringLiteral("json"), english("Prints one JSON object a line.")});
    addScenarioOptions(parser);
    addThreadsOption(parser);
    if (const auto done = parser.parse(arguments, context, 0, 1)) return *done;
    if (parser.positional().isEmpty() != parser.isSet("megatron-args"))
        return parser.usage(context, english("Give either FILE or --megatron-args."));
    if (!parser.isSet("vary")) return parser.usage(context, english("Missing option: --vary /pointer=A,B,C"));
    if (parser.isSet("csv") && parser.isSet("json"))
        return parser.usage(context, english("Give either --csv or --json."));
    const auto threads = wholeNumber(parser, "threads", processorThreads(), 1, kMostThreads);
    if (!threads) return parser.usage(context, rangeText("threads", 1, kMostThreads));
    const auto shard = parser.isSet("shard") ? parseShard(parser.value("shard")) : Shard{};
    if (!shard) return parser.usage(context, english("--shard takes I/N with 1 <= I <= N, as 3/8."));

    const auto sweep = sweepFromOptions(parser);
    if (!sweep.ok()) return fail(context, sweep.error());
    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const auto scenario = scenarioFromOptions(parser, catalogue.value(), context);
    if (!scenario.ok()) return fail(context, scenario.error());
    if (context.stop.stop_requested()) return cancelled(context);
    const bool json = parser.isSet("json");
    if (!json && shard->number == 1) context.out << sweepCsvHeader(sweep.value().axes());
    return printPoints(sweep.value(), shardOf(sweep.value().points(), shard->number, shard->of), json, *threads,
                       writeScenario(scenario.value()), catalogue.value(), context);
}

} // namespace clusterbeat
