// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// What must hold whatever is simulated, for small scenarios of every kind: dense and with experts, all schedules and ZeRO
// stages, context parallelism, recompute, every perturbation alone and mixed. A failure prints the scenario's seed.
#include "model/iteration/attribution.h"
#include "model/iteration/operation_pieces.h"
#include "model/iteration/peer_wait.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

#include <numeric>
#include <set>

using namespace clusterbeat;

namespace {

constexpr std::uint64_t kSeeds = 240;

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

/// Null when the scenario is not valid.
std::shared_ptr<const IterationResult> run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache).result;
}

TimeNs of(const CategoryTimes &times, Category category) { return times[categoryIndex(category)]; }
TimeNs sum(const CategoryTimes &times) { return std::accumulate(times.begin(), times.end(), TimeNs{0}); }

/// Calls each(stage, replica, member) for all ranks.
template <typename Each>
void forRanks(const IterationPlan &plan, Each &&each)
{
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage)
        for (std::int32_t replica = 0; replica < plan.replicas; ++replica)
            for (std::int32_t member = 0; member < plan.groupSize; ++member)
                each(stage, replica, member);
}

std::vector<std::vector<OperationShape>> &shapesOf(IterationPlan &plan, OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return plan.forward;
    case OperationKind::InputGradient: return plan.inputGradient;
    case OperationKind::WeightGradient: return plan.weightGradient;
    case OperationKind::Backward: break;
    }
    return plan.backward;
}

/// Of a kind of segment inside a rank's operations.
TimeNs insideOperations(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, Category category)
{
    TimeNs ns = 0;
    for (const ScheduledOperation &operation : plan.schedule.order[static_cast<std::size_t>(stage)])
        for (const Segment &segment : plan.shapeOf(stage, replica, operation).segments)
            ns += segment.category == category ? segment.ns : 0;
    return ns;
}

/// Exposed pipeline and data-parallel time of one rank of an unperturbed run, from the instants of the trace: in each gap
/// before an operation the parameters' gather if it came last, else the transfer's part of it; before the optimizer what
/// the stage's own reductions cover.
struct ExposedWaits {
    TimeNs pipeline = 0, data = 0;
};
ExposedWaits exposedWaits(const Run &run, std::int32_t stage, std::int32_t replica)
{
    const IterationPlan &plan = run.plan;
    const Trace &trace = run.trace;
    const auto s = static_cast<std::size_t>(stage);
    const std::int32_t cls = trace.classOfReplica[static_cast<std::size_t>(replica)];
    ExposedWaits waits;
    TimeNs free = trace.originOf(stage, cls) + (plan.hostAtStart.empty() ? 0 : plan.hostAtStart[s]);
    for (std::size_t k = 0; k < plan.schedule.order[s].size(); ++k) {
        const auto operation = static_cast<std::int32_t>(k);
        const ScheduledOperation &scheduled = plan.schedule.order[s][k];
        const TimeNs start = startOfOperation(plan, trace, stage, operation, cls), arrived = lastInput(plan, trace, stage, operation, cls).arrived;
        if (start > free && start > arrived) waits.data += start - free;
        else if (start > free) waits.pipeline += start - std::max(free, lastInput(plan, trace, stage, operation, cls).sent);
        free = trace.finishOf(stage, operation, cls);
        if (!plan.overlapPipeline && sendsOutput(plan.schedule, stage, scheduled)) waits.pipeline += sendDuration(plan, stage, replica, scheduled);
    }
    std::vector<std::pair<TimeNs, TimeNs>> busy;
    for (std::size_t chunk = 0; chunk < trace.reduceBegin[s].size(); ++chunk)
        busy.emplace_back(std::max(free, trace.reduceBegin[s][chunk]), trace.reduceEnd[s][chunk]);
    for (const auto &[begin, end] : busy)
        waits.data += std::max<TimeNs>(0, end - begin);
    return waits;
}

} // namespace

#define HOLDS(condition) QVERIFY2(condition, qPrintable(QStringLiteral("seed %1").arg(seed)))

class TestRandomScenarios : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindIsTried();
    void everyNanosecondOfEveryRank();
    void totalsAddUpIndependently();
    void exposedWaitsOfUnperturbedRuns();
    void sharingChangesNothing();
    void slowerNeverShortens();
    void lengtheningAnOperationNeverShortens();
    void longerPartsNeverShorten();
    void oneSlowGpu();
    void nominalChangesNoByte();
    void cachesAndThreadsChangeNoByte();
};

// The other tests mean something only when enough scenarios are valid, and of every kind.
void TestRandomScenarios::everyKindIsTried()
{
    int valid = 0, coupled = 0, waited = 0, delayed = 0;
    std::set<PerturbationKind> kinds;
    std::set<ScheduleKind> schedules;
    std::set<std::int64_t> zero;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Scenario scenario = perturbedScenario(seed);
        const auto result = run(scenario);
        if (!result) continue;
        ++valid;
        for (const Perturbation &p : *scenario.perturbations)
            kinds.insert(p.kind);
        schedules.insert(result->scenario->degrees.schedule);
        zero.insert(result->scenario->degrees.zeroStage);
        coupled += result->run.plan.expertPeers.empty() ? 0 : 1;
        waited += peerWaitsOf(*result).expert > 0.0 ? 1 : 0;
        delayed += result->run.plan.links && !result->run.plan.links->empty() ? 1 : 0;
    }
    QVERIFY2(valid >= 100, qPrintable(QString::number(valid)));
    QCOMPARE(kinds.size(), std::size_t{11});
    QVERIFY2(schedules.size() >= 9, qPrintable(QString::number(schedules.size())));
    QCOMPARE(zero.size(), std::size_t{4});
    QVERIFY2(coupled >= 5 && waited >= 5 && delayed >= 5, qPrintable(QStringLiteral("%1 %2 %3").arg(coupled).arg(waited).arg(delayed)));
}

void TestRandomScenarios::everyNanosecondOfEveryRank()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(perturbedScenario(seed));
        if (!result) continue;
        const Run &run = result->run;
        std::vector<Span> spans;
        std::array<double, kCategoryCount> mean{};
        forRanks(run.plan, [&](std::int32_t stage, std::int32_t replica, std::int32_t member) {
            const CategoryTimes times = categoryTimes(run, stage, replica, member);
            HOLDS(sum(times) == result->iteration());
            spansOfRank(run, stage, replica, member, 0, result->iteration(), spans);
            CategoryTimes fromSpans{};
            TimeNs clock = 0;
            for (const Span &span : spans) {
                HOLDS(span.begin == clock && span.end > span.begin && span.endedBy != EventKind::None);
                clock = span.end;
                fromSpans[categoryIndex(span.category)] += span.end - span.begin;
            }
            HOLDS(clock == result->iteration());
            HOLDS(fromSpans == times);
            for (std::size_t c = 0; c < kCategoryCount; ++c) {
                HOLDS(times[c] >= 0);
                mean[c] += toSeconds(times[c]) / static_cast<double>(run.plan.ranks());
            }
        });
        for (std::uint64_t i = 0; i < 8; ++i) {
            const auto rank = static_cast<RankIndex>(randomBits(seed, 400 + i) % static_cast<std::uint64_t>(run.plan.ranks()));
            const RankPosition at = positionOf(*result, rank);
            const auto t = static_cast<TimeNs>(randomBits(seed, 500 + i) % static_cast<std::uint64_t>(result->iteration()));
            HOLDS(!whyWaiting(run, at.stage, at.replica, at.member, t).empty());
        }
        // Where the pace varies the mean is within half a nanosecond an operation, twice with documents.
        const double tolerance = 3e-9 * static_cast<double>(run.plan.schedule.order.front().size()) + 1e-12;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            HOLDS(std::abs(mean[c] - result->metrics.breakdownS[c]) < tolerance);
    }
}

// From the plan alone: what a rank's own host, optimizer, checkpoint and the collectives in its operations take.
void TestRandomScenarios::totalsAddUpIndependently()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(perturbedScenario(seed));
        if (!result) continue;
        const IterationPlan &plan = result->run.plan;
        forRanks(plan, [&](std::int32_t stage, std::int32_t replica, std::int32_t member) {
            const CategoryTimes times = categoryTimes(result->run, stage, replica, member);
            const std::size_t position = plan.position(stage, replica, member);
            TimeNs host = plan.hostAtStart[static_cast<std::size_t>(stage)] + insideOperations(plan, stage, replica, Category::Host);
            if (!plan.pauses.empty())
                for (const IterationPlan::Pause &pause : plan.pauses[position])
                    host += pause.ns;
            HOLDS(of(times, Category::Host) == host);
            for (const Category category : {Category::ExposedTp, Category::ExposedCp, Category::ExposedEp})
                HOLDS(of(times, category) == insideOperations(plan, stage, replica, category));
            HOLDS(of(times, Category::ExposedDp) >= insideOperations(plan, stage, replica, Category::ExposedDp));
            HOLDS(of(times, Category::CheckpointStall) == (plan.checkpoint.empty() ? 0 : plan.checkpoint[position]));
            HOLDS(of(times, Category::Optimizer) ==
                  scaled(plan.optimizer[static_cast<std::size_t>(stage)], memberFactor(plan, stage, replica, member, kOptimizerOperation)));
        });
    }
}

void TestRandomScenarios::exposedWaitsOfUnperturbedRuns()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(randomScenario(seed));
        if (!result) continue;
        forRanks(result->run.plan, [&](std::int32_t stage, std::int32_t replica, std::int32_t member) {
            const CategoryTimes times = categoryTimes(result->run, stage, replica, member);
            const ExposedWaits waits = exposedWaits(result->run, stage, replica);
            HOLDS(of(times, Category::ExposedPp) == waits.pipeline + insideOperations(result->run.plan, stage, replica, Category::ExposedPp));
            HOLDS(of(times, Category::ExposedDp) == waits.data + insideOperations(result->run.plan, stage, replica, Category::ExposedDp));
            HOLDS(of(times, Category::StragglerWait) == 0 && of(times, Category::DataWait) == 0);
        });
    }
}

void TestRandomScenarios::sharingChangesNothing()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(perturbedScenario(seed));
        if (!result) continue;
        const Trace &shared = result->run.trace, alone = executePlan(result->run.plan, false);
        HOLDS(alone.iteration == shared.iteration && alone.classes == result->run.plan.replicas);
        HOLDS(alone.optimizerBegin == shared.optimizerBegin && alone.reduceEnd == shared.reduceEnd && alone.gatherEnd == shared.gatherEnd);
        for (std::int32_t stage = 0; stage < alone.stages; ++stage)
            for (std::int32_t replica = 0; replica < alone.classes; ++replica) {
                const std::int32_t cls = shared.classOfReplica[static_cast<std::size_t>(replica)];
                for (std::size_t k = 0; k < result->run.plan.schedule.order[static_cast<std::size_t>(stage)].size(); ++k)
                    HOLDS(shared.finishOf(stage, static_cast<std::int32_t>(k), cls) == alone.finishOf(stage, static_cast<std::int32_t>(k), replica));
                HOLDS(shared.originOf(stage, cls) == alone.originOf(stage, replica));
            }
    }
}

void TestRandomScenarios::slowerNeverShortens()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Scenario scenario = perturbedScenario(seed);
        const auto result = run(scenario);
        if (!result) continue;
        Perturbation slow;
        slow.target = "rank:" + std::to_string(randomBits(seed, 5) % static_cast<std::uint64_t>(ranksOf(scenario)));
        slow.speed = 0.4 + 0.6 * randomUniform(seed, 6);
        const auto slower = run(with(scenario, {slow}));
        HOLDS(slower && slower->iteration() >= result->iteration());
    }
}

// Any operation of any rank, by a pause before it: the plan and its unperturbed run stay what they are.
void TestRandomScenarios::lengtheningAnOperationNeverShortens()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(perturbedScenario(seed));
        if (!result) continue;
        for (std::uint64_t i = 0; i < 6; ++i) {
            IterationPlan plan = result->run.plan;
            const auto ranks = static_cast<std::size_t>(plan.ranks());
            const std::size_t position = randomBits(seed, 100 + i) % ranks;
            const auto &order = plan.schedule.order[position / static_cast<std::size_t>(plan.groupSize * plan.replicas)];
            const auto operation = static_cast<std::int32_t>(randomBits(seed, 200 + i) % order.size());
            const auto ns = static_cast<TimeNs>(1 + randomBits(seed, 300 + i) % 2'000'000);
            plan.pauses.resize(ranks);
            auto &list = plan.pauses[position];
            const auto place = std::find_if(list.begin(), list.end(), [&](const auto &pause) { return pause.operation < 0 || pause.operation >= operation; });
            if (place != list.end() && place->operation == operation) place->ns += ns;
            else list.insert(place, {operation, ns});
            HOLDS(executePlan(plan).iteration >= result->iteration());
        }
    }
}

// The plan's own durations, one at a time: a segment of one chunk's operations on a stage, a transfer, a reduction or
// gather, the optimizer or the host's fixed time. Without the optimizer's barrier what delays a stage's first input moves
// its window as well, so there only the last instant is no earlier.
void TestRandomScenarios::longerPartsNeverShorten()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(randomScenario(seed));
        if (!result) continue;
        for (std::uint64_t i = 0; i < 10; ++i) {
            IterationPlan plan = result->run.plan;
            const auto pick = [&](std::uint64_t number, std::size_t count) { return static_cast<std::size_t>(randomBits(seed, 1000 * i + number) % count); };
            const auto ns = static_cast<TimeNs>(1 + pick(0, 2'000'000));
            const std::size_t stage = pick(1, static_cast<std::size_t>(plan.stages())), chunk = pick(2, plan.sync[stage].size());
            switch (i % 5) {
            case 0: plan.transfer[pick(3, plan.transfer.size())] += ns; break;
            case 1: (pick(3, 2) == 0 ? plan.sync[stage][chunk].gradientReduce : plan.sync[stage][chunk].parameterGather) += ns; break;
            case 2: (pick(3, 2) == 0 ? plan.optimizer[stage] : plan.hostAtStart[stage]) += ns; break;
            default: {
                const auto &order = plan.schedule.order[stage];
                const ScheduledOperation &operation = order[pick(3, order.size())];
                auto &segments = shapesOf(plan, operation.kind)[stage][static_cast<std::size_t>(operation.chunk)].segments;
                if (!segments.empty()) segments[pick(4, segments.size())].ns += ns;
            }
            }
            const Trace longer = executePlan(plan);
            const auto last = [](const Trace &trace) {
                TimeNs end = 0;
                for (const auto &ends : trace.optimizerEnd)
                    end = std::max(end, *std::max_element(ends.begin(), ends.end()));
                return end;
            };
            HOLDS(last(longer) >= last(result->run.trace));
            HOLDS(!plan.optimizerSync || longer.iteration >= result->iteration());
        }
    }
}

void TestRandomScenarios::oneSlowGpu()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Scenario scenario = randomScenario(seed);
        const auto nominal = run(scenario);
        if (!nominal) continue;
        const auto slowRank = static_cast<RankIndex>(randomBits(seed, 9) % static_cast<std::uint64_t>(ranksOf(scenario)));
        Perturbation perturbation;
        perturbation.target = "rank:" + std::to_string(slowRank);
        perturbation.speed = 0.3 + 0.6 * randomUniform(seed, 10);
        const auto slow = run(with(scenario, {perturbation}));
        HOLDS(slow != nullptr);
        const TimeNs change = slow->iteration() - nominal->iteration();
        HOLDS(change >= 0);
        // The cause of a longer iteration is found, through stages, replicas and experts' all-to-alls.
        if (change > 0) HOLDS(slow->slowest.reason == Slowest::Reason::SlowGpu && slow->slowest.rank == slowRank);
        for (RankIndex rank = 0; rank < static_cast<RankIndex>(ranksOf(scenario)); ++rank) {
            const CategoryTimes now = categoryTimesOfRank(*slow, rank), then = categoryTimesOfRank(*nominal, rank);
            HOLDS(of(now, Category::StragglerWait) >= 0);
            HOLDS(sum(now) - sum(then) == change);
            if (rank != slowRank) continue;
            const RankPosition at = positionOf(*slow, rank);
            std::vector<Span> spans;
            spansOfRank(slow->run, at.stage, at.replica, at.member, 0, slow->iteration(), spans);
            // On its own operations it waits for nobody, but for the peers of its experts whose transfers are faster or slower
            // than its own: those may lose more than it does.
            for (std::size_t i = 0; i < spans.size() && slow->run.plan.expertPeers.empty(); ++i)
                HOLDS(!(spans[i].category == Category::StragglerWait && spans[i].operation != kNone));
        }
    }
}

void TestRandomScenarios::nominalChangesNoByte()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        for (const Scenario &scenario : {randomScenario(seed), perturbedScenario(seed)}) {
            const auto result = run(scenario);
            if (!result) continue;
            const auto nominal = run(with(scenario, nominalPerturbations()));
            HOLDS(nominal && resultJson(*nominal) == resultJson(*result));
        }
    }
}

void TestRandomScenarios::cachesAndThreadsChangeNoByte()
{
    Perturbation halfSpeed;
    halfSpeed.target = "rank:0";
    halfSpeed.speed = 0.5;
    StageCache kept;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const Scenario scenario = perturbedScenario(seed);
        const auto cold = run(scenario);
        kept.limitThreads(1 + seed % 3);
        const auto warm = simulate(scenario, catalogue(), kept).result;
        HOLDS(!cold == !warm);
        if (!cold) continue;
        HOLDS(resultJson(*warm) == resultJson(*cold));
        // The same structure with other perturbations in between.
        static_cast<void>(simulate(with(scenario, {halfSpeed}), catalogue(), kept));
        HOLDS(resultJson(*simulate(scenario, catalogue(), kept).result) == resultJson(*cold));
    }
}

QTEST_APPLESS_MAIN(TestRandomScenarios)
#include "tst_random_scenarios.moc"
