// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The parts of every dimension's communication, for small scenarios of every kind: they add up, nothing is hidden behind
// compute that is not there, and exposed time is the breakdown's. A failure prints the scenario's seed.
#include "model/iteration/attribution.h"
#include "model/iteration/communication_account.h"
#include "model/iteration/simulate.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;

namespace {

constexpr std::uint64_t kSeeds = 160;
constexpr double kTolerance = 1e-9;

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

std::shared_ptr<const IterationResult> run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache).result;
}

double computeSeconds(const CategoryTimes &times)
{
    TimeNs ns = 0;
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        if (scalesWithSpeed(static_cast<Category>(c))) ns += times[c];
    return toSeconds(ns);
}

/// One stage, two replicas, by hand; everything in milliseconds.
std::shared_ptr<IterationResult> byHand()
{
    constexpr TimeNs ms = 1'000'000;
    auto result = std::make_shared<IterationResult>();
    auto scenario = std::make_shared<ResolvedScenario>();
    scenario->degrees.tensor = 2;
    scenario->degrees.data = 2;
    IterationPlan plan;
    plan.schedule = makeSchedule(ScheduleKind::OneFOneB, 1, 1, 1);
    plan.replicas = 2;
    plan.groupSize = 2;
    plan.forward = {{OperationShape{{{Category::ExposedTp, 2 * ms}, {Category::Forward, 8 * ms}}}}};
    plan.backward = {{OperationShape{{{Category::ExposedTp, 4 * ms}, {Category::Backward, 16 * ms}}}}};
    plan.sync = {{ChunkSync{6 * ms, 15 * ms, 0, 5 * ms}}};
    plan.optimizer = {3 * ms};
    result->run = runPlan(std::move(plan));
    result->scenario = scenario;
    PassSeconds passes;
    passes.forward[static_cast<std::size_t>(Dimension::Tensor)] = 0.005;
    passes.backward[static_cast<std::size_t>(Dimension::Tensor)] = 0.030;
    result->passes = {passes};
    return result;
}

} // namespace

#define HOLDS(condition) QVERIFY2(condition, qPrintable(QStringLiteral("seed %1").arg(seed)))

class TestCommunicationAccount : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void byHandAnswers();
    void everyRankAddsUp();
    void meanIsTheMeanOfRanks();
    void spansAddUpToTheirLength();
};

// The gather takes 0 to 6 ms: the forward waits for all of it. Forward 6 to 16, backward 16 to 36. The reduction may begin
// 5 ms before the backward's end: 31 to 46; 5 ms of it fall on the backward, 16/20 compute, so 4 ms are hidden and 1 ms is
// beside exposed TP; 36 to 46 is waited for. Optimizer 46 to 49.
// TP: the forward's 5 ms are 2 exposed and 3 hidden; of the backward's 30 ms 4 are exposed and only 16 fit behind compute.
void TestCommunicationAccount::byHandAnswers()
{
    const auto result = byHand();
    QCOMPARE(result->iteration(), TimeNs{49'000'000});
    const DimensionTimes times = CommunicationAccount(*result).ofRank(0, 0, 0);
    const CommunicationTimes &tensor = times[static_cast<std::size_t>(Dimension::Tensor)], &data = times[static_cast<std::size_t>(Dimension::Data)];
    const auto is = [](double value, double expected) { return std::abs(value - expected) < 1e-12; };
    QVERIFY(is(tensor.exposedS, 0.006));
    QVERIFY(is(tensor.hiddenS, 0.003 + 0.016));
    QVERIFY(is(tensor.idleS, 0.0));
    QVERIFY(is(data.busyS, 0.021));
    QVERIFY(is(data.exposedS, 0.016));
    QVERIFY(is(data.hiddenS, 0.004));
    QVERIFY(is(data.idleS, 0.001));
    const std::vector<CommunicationSpan> spans = communicationOfGroup(result->run, 0, 0);
    QCOMPARE(spans.size(), std::size_t{2});
    const CommunicationShare reduce = CommunicationAccount(*result).shareOf(0, 0, 0, spans[1]);
    QCOMPARE(reduce.hidden, TimeNs{4'000'000});
    QCOMPARE(reduce.exposed, TimeNs{10'000'000});
    QCOMPARE(reduce.idle, TimeNs{1'000'000});
}

void TestCommunicationAccount::everyRankAddsUp()
{
    int hidden = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(seed % 2 == 0 ? randomScenario(seed) : perturbedScenario(seed));
        if (!result) continue;
        const CommunicationAccount account(*result);
        const IterationPlan &plan = result->run.plan;
        for (std::int32_t stage = 0; stage < plan.stages(); ++stage)
            for (std::int32_t replica = 0; replica < plan.replicas; ++replica) {
                const std::int32_t member = static_cast<std::int32_t>(seed) % plan.groupSize;
                const CategoryTimes categories = categoryTimes(result->run, stage, replica, member);
                const double compute = computeSeconds(categories), iteration = toSeconds(result->iteration());
                const DimensionTimes times = account.ofRank(stage, replica, member);
                for (std::size_t d = 0; d < kDimensionCount; ++d) {
                    const CommunicationTimes &each = times[d];
                    const double tolerance = kTolerance + 1e-9 * static_cast<double>(plan.schedule.order[static_cast<std::size_t>(stage)].size());
                    HOLDS(std::abs(each.hiddenS + each.exposedS + each.idleS - each.busyS) < kTolerance);
                    HOLDS(std::abs(each.startupS + each.transferS - each.busyS) < kTolerance);
                    HOLDS(each.hiddenS >= 0.0 && each.exposedS >= 0.0 && each.idleS >= 0.0 && each.startupS >= 0.0);
                    HOLDS(each.hiddenS <= compute + tolerance);
                    HOLDS(std::abs(each.exposedS - toSeconds(categories[categoryIndex(exposedCategory(static_cast<Dimension>(d)))])) < tolerance);
                    // Several transfers may come in at once, each over its own wire.
                    if (static_cast<Dimension>(d) != Dimension::Pipeline && plan.optimizerSync) HOLDS(each.busyS <= iteration + tolerance);
                    hidden += each.hiddenS > 0.0 ? 1 : 0;
                }
            }
    }
    QVERIFY(hidden > 100);
}

void TestCommunicationAccount::meanIsTheMeanOfRanks()
{
    for (std::uint64_t seed = 0; seed < kSeeds; seed += 3) {
        const auto result = run(seed % 2 == 0 ? randomScenario(seed) : perturbedScenario(seed));
        if (!result) continue;
        const CommunicationAccount account(*result);
        const CommunicationSummary summary = account.summary();
        const IterationPlan &plan = result->run.plan;
        DimensionTimes sum{};
        for (std::int32_t stage = 0; stage < plan.stages(); ++stage)
            for (std::int32_t replica = 0; replica < plan.replicas; ++replica)
                for (std::int32_t member = 0; member < plan.groupSize; ++member) {
                    const DimensionTimes times = account.ofRank(stage, replica, member);
                    for (std::size_t d = 0; d < kDimensionCount; ++d) {
                        sum[d].busyS += times[d].busyS / static_cast<double>(plan.ranks());
                        sum[d].hiddenS += times[d].hiddenS / static_cast<double>(plan.ranks());
                        sum[d].peerWaitS += times[d].peerWaitS / static_cast<double>(plan.ranks());
                        HOLDS(times[d].busyS <= summary.fullest[d].busyS + kTolerance);
                    }
                }
        const double tolerance = kTolerance * 100.0;
        for (std::size_t d = 0; d < kDimensionCount; ++d) {
            HOLDS(std::abs(sum[d].busyS - summary.mean[d].busyS) < tolerance);
            HOLDS(std::abs(sum[d].hiddenS - summary.mean[d].hiddenS) < tolerance + 0.02 * sum[d].hiddenS * (result->run.perturbed() ? 1.0 : 0.0));
            HOLDS(std::abs(sum[d].peerWaitS - summary.mean[d].peerWaitS) < tolerance);
            const double exposed = result->metrics.breakdownS[categoryIndex(exposedCategory(static_cast<Dimension>(d)))];
            HOLDS(std::abs(summary.mean[d].exposedS - exposed) < tolerance);
        }
    }
}

void TestCommunicationAccount::spansAddUpToTheirLength()
{
    for (std::uint64_t seed = 0; seed < kSeeds; seed += 2) {
        const auto result = run(randomScenario(seed));
        if (!result) continue;
        const CommunicationAccount account(*result);
        for (std::int32_t stage = 0; stage < result->run.plan.stages(); ++stage)
            for (const CommunicationSpan &span : communicationOfGroup(result->run, stage, 0)) {
                const CommunicationShare share = account.shareOf(stage, 0, 0, span);
                HOLDS(share.hidden >= 0 && share.exposed >= 0 && share.idle >= 0);
                HOLDS(share.hidden + share.exposed + share.idle == span.end - span.begin);
            }
    }
}

QTEST_APPLESS_MAIN(TestCommunicationAccount)
#include "tst_communication_account.moc"
