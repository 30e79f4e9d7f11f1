// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/iteration/attribution.h"
#include "model/iteration/pulse.h"
#include "model/iteration/trace.h"
#include "tests/model/iteration/random_plans.h"

#include <QtTest>

#include <numeric>

using namespace clusterbeat;

namespace {

TimeNs sum(const CategoryTimes &times) { return std::accumulate(times.begin(), times.end(), TimeNs{0}); }
TimeNs of(const CategoryTimes &times, Category category) { return times[categoryIndex(category)]; }

/// "F0 [0,1) bubble [1,4) …" for one rank.
QString text(const Run &run, int stage, int replica, int member)
{
    std::vector<Span> spans;
    spansOfRank(run, stage, replica, member, 0, run.trace.iteration, spans);
    QStringList words;
    for (const Span &span : spans) {
        QString name = QString::fromLatin1(kCategoryKeys[categoryIndex(span.category)].data());
        if (span.operation != kNone && (span.category == Category::Forward || span.category == Category::Backward)) {
            const ScheduledOperation &o = run.plan.schedule.order[static_cast<std::size_t>(stage)][static_cast<std::size_t>(span.operation)];
            name = QString::fromLatin1(o.kind == OperationKind::Forward ? "F%1" : "B%1").arg(o.microBatch);
        }
        words << QStringLiteral("%1[%2,%3)").arg(name).arg(span.begin).arg(span.end);
    }
    return words.join(QLatin1Char(' '));
}

} // namespace

class TestSimulator : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void closedFormBubbles_data();
    void closedFormBubbles();
    void goldenOneFOneB();
    void goldenSlowGpu();
    void transfersAndBlockingSends();
    void dataParallelOverlap();
    void everyNanosecondHasOneCategory();
    void sharingChangesNothing();
    void slowerNeverShortens();
    void oneSlowGpu();
    void jitterIsReproducible();
    void bucketsOverlapTheirOwnChunk();
    void withoutOptimizerBarrier();
};

void TestSimulator::closedFormBubbles_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("p");
    QTest::addColumn<int>("v");
    QTest::addColumn<int>("m");
    // Narayanan et al. 2021, section 2.2: idle (p-1)(tf+tb), divided by v when interleaved (m a multiple of p).
    QTest::newRow("GPipe") << int(ScheduleKind::GPipe) << 4 << 1 << 8;
    QTest::newRow("1F1B p=4 m=8") << int(ScheduleKind::OneFOneB) << 4 << 1 << 8;
    QTest::newRow("1F1B p=16 m=16") << int(ScheduleKind::OneFOneB) << 16 << 1 << 16;
    QTest::newRow("one stage") << int(ScheduleKind::OneFOneB) << 1 << 1 << 5;
    QTest::newRow("interleaved v=2") << int(ScheduleKind::Interleaved) << 4 << 2 << 8;
    QTest::newRow("interleaved v=8, m=p") << int(ScheduleKind::Interleaved) << 16 << 8 << 16;
}

void TestSimulator::closedFormBubbles()
{
    QFETCH(int, kind);
    QFETCH(int, p);
    QFETCH(int, v);
    QFETCH(int, m);
    // Per chunk: forward 200, backward 400; a stage has v chunks, so tf = 200 v, tb = 400 v.
    const Run run = runPlan(simplePlan(static_cast<ScheduleKind>(kind), p, v, m, 200, 400));
    const TimeNs work = TimeNs{m} * v * 600, bubble = TimeNs{p - 1} * 600;   // (p-1)(tf+tb)/v
    QCOMPARE(run.trace.iteration, work + bubble);
    for (int stage = 0; stage < p; ++stage)
        QCOMPARE(of(categoryTimes(run, stage, 0, 0), Category::Bubble), bubble);
    const double fraction = scheduleBubbleFraction(run.plan);
    QVERIFY(qAbs(fraction - static_cast<double>(bubble) / static_cast<double>(work + bubble)) < 1e-12);
    if (v == 1) QVERIFY(qAbs(fraction - static_cast<double>(p - 1) / (m + p - 1)) < 1e-12);
}

void TestSimulator::goldenOneFOneB()
{
    // By hand, p = 2, m = 3, tf = 1, tb = 2: T = 3*3 + 1*3 = 12.
    const Run run = runPlan(simplePlan(ScheduleKind::OneFOneB, 2, 1, 3, 1, 2));
    QCOMPARE(text(run, 0, 0, 0), QStringLiteral("F0[0,1) F1[1,2) bubble[2,4) B0[4,6) F2[6,7) B1[7,9) bubble[9,10) B2[10,12)"));
    QCOMPARE(text(run, 1, 0, 0), QStringLiteral("bubble[0,1) F0[1,2) B0[2,4) F1[4,5) B1[5,7) F2[7,8) B2[8,10) bubble[10,12)"));
}

void TestSimulator::goldenSlowGpu()
{
    // Two replicas of one stage, two GPUs each, one micro-batch: F 10, B 20, reduce 5, optimizer 4. Replica 1's GPU 1
    // at half speed: its group takes F 20, B 40 and ends at 60; replica 0 ends at 30 and waits 30 for the reduction.
    // Barrier at 65; the slow optimizer takes 8: T = 73, the others wait 4 at the end. Unperturbed: 30 + 5 + 4 = 39.
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 10, 20, 2, 2);
    plan.sync = {{{0, 5}}};
    plan.optimizer = {4};
    plan.slowness = allNominal(plan);
    plan.slowness[plan.position(0, 1, 1)] = 2.0;
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{73});
    QCOMPARE(run.unperturbed().iteration, TimeNs{39});
    QCOMPARE(text(run, 0, 0, 0), QStringLiteral("F0[0,10) B0[10,30) exposed_dp[30,35) straggler_wait[35,65) optimizer[65,69) straggler_wait[69,73)"));
    QCOMPARE(text(run, 0, 1, 0), QStringLiteral("F0[0,10) straggler_wait[10,20) B0[20,40) straggler_wait[40,60) exposed_dp[60,65) optimizer[65,69) straggler_wait[69,73)"));
    QCOMPARE(text(run, 0, 1, 1), QStringLiteral("F0[0,20) B0[20,60) exposed_dp[60,65) optimizer[65,73)"));
}

void TestSimulator::transfersAndBlockingSends()
{
    // p = 2, m = 1, F 10, B 20, transfer 3. Overlapped: stage 1 starts at 13, ends its backward at 43; the gradient is
    // there at 46; T = 66. On stage 1: bubble 10, exposed 3, then after 43 a bubble of 23.
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 1, 10, 20);
    plan.transfer = {3, 3};
    Run run = runPlan(plan);
    QCOMPARE(text(run, 1, 0, 0), QStringLiteral("bubble[0,10) exposed_pp[10,13) F0[13,23) B0[23,43) bubble[43,66)"));
    QCOMPARE(text(run, 0, 0, 0), QStringLiteral("F0[0,10) bubble[10,43) exposed_pp[43,46) B0[46,66)"));
    // Blocking: the sender's stream is busy while it sends; same arrival times.
    plan.overlapPipeline = false;
    run = runPlan(plan);
    QCOMPARE(text(run, 0, 0, 0), QStringLiteral("F0[0,10) exposed_pp[10,13) bubble[13,46) B0[46,66)"));
    QCOMPARE(text(run, 1, 0, 0), QStringLiteral("bubble[0,13) F0[13,23) B0[23,43) exposed_pp[43,46) bubble[46,66)"));
}

void TestSimulator::dataParallelOverlap()
{
    // One stage, two chunks, one micro-batch, F 10 and B 20 a chunk; gathers 4 and 9, reductions 15 and 6.
    // Order F.0 F.1 B.1 B.0. Gathers end at 4 and 13: F.0 [4,14), F.1 [14,24), B.1 [24,44), B.0 [44,64).
    // Reductions: chunk 1 [44,50) hidden, chunk 0 [64,79) exposed. T = 79.
    IterationPlan plan = simplePlan(ScheduleKind::Interleaved, 1, 2, 1, 10, 20);
    plan.sync = {{{4, 15}, {9, 6}}};
    Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{79});
    QCOMPARE(of(categoryTimes(run, 0, 0, 0), Category::ExposedDp), TimeNs{4 + 15});
    // Without overlap: gathers 13 first, work 60, then 21 of reductions.
    plan.overlapData = false;
    run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{13 + 60 + 21});
    QCOMPARE(of(categoryTimes(run, 0, 0, 0), Category::ExposedDp), TimeNs{13 + 21});
}

void TestSimulator::everyNanosecondHasOneCategory()
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        if (seed % 2 == 0) perturb(plan, seed);
        // Jitter also makes operations shorter: with the windows of every mode.
        if (seed % 5 == 0) plan.jitter.push_back({0.3, seed, {}});
        const Run run = runPlan(plan);
        std::vector<Span> spans;
        std::vector<std::uint8_t> states(static_cast<std::size_t>(plan.ranks()));
        std::array<double, kCategoryCount> mean{};
        for (int stage = 0; stage < plan.stages(); ++stage) {
            for (int replica = 0; replica < plan.replicas; ++replica) {
                for (int member = 0; member < plan.groupSize; ++member) {
                    const CategoryTimes times = categoryTimes(run, stage, replica, member);
                    QCOMPARE(sum(times), run.trace.iteration);
                    spansOfRank(run, stage, replica, member, 0, run.trace.iteration, spans);
                    CategoryTimes fromSpans{};
                    TimeNs clock = 0;
                    for (const Span &span : spans) {
                        QCOMPARE(span.begin, clock);
                        QVERIFY(span.endedBy != EventKind::None);
                        clock = span.end;
                        fromSpans[categoryIndex(span.category)] += span.end - span.begin;
                    }
                    QCOMPARE(clock, run.trace.iteration);
                    QVERIFY(fromSpans == times);
                    for (std::size_t c = 0; c < kCategoryCount; ++c)
                        mean[c] += static_cast<double>(times[c]) / static_cast<double>(plan.ranks()) / 1e9;
                    const TimeNs t = run.trace.iteration / 3;
                    statesAt(run, t, states);
                    const auto current = std::find_if(spans.begin(), spans.end(), [&](const Span &span) { return span.begin <= t && t < span.end; });
                    QCOMPARE(int(states[plan.position(stage, replica, member)]), int(current->category));
                }
            }
        }
        const auto breakdown = meanBreakdown(run);
        const bool varies = partsForVaryingPace(plan).has_value();
        const BinnedRun binned = binRun(run, 64, 1);
        const ShareBins &bins = binned.pulse;
        QVERIFY(binned.breakdownS == breakdown);
        for (std::size_t c = 0; c < kCategoryCount; ++c) {
            // Where the pace varies the mean comes from mean factors: half a nanosecond an operation and member apart at
            // most, and another half for the documents' part.
            const double tolerance = varies ? 1e-9 * 3 * plan.schedule.chunks * plan.schedule.microBatches + 1e-13 : 1e-13;
            QVERIFY(qAbs(breakdown[c] - mean[c]) < tolerance);
            // The pulse is the same schedule: its area is the breakdown.
            double area = 0;
            for (int bin = 0; bin < bins.bins; ++bin)
                area += static_cast<double>(bins.at(bin, static_cast<Category>(c))) * toSeconds(bins.duration) / bins.bins;
            QVERIFY(qAbs(area - breakdown[c]) < 1e-6 * toSeconds(run.trace.iteration) + (varies ? 2 * tolerance : 0.0));
        }
    }
}

void TestSimulator::sharingChangesNothing()
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        if (seed % 2 == 0) perturb(plan, seed);
        const Trace shared = executePlan(plan, true), alone = executePlan(plan, false);
        QCOMPARE(alone.classes, plan.replicas);
        QCOMPARE(shared.iteration, alone.iteration);
        for (int stage = 0; stage < plan.stages(); ++stage)
            for (std::size_t k = 0; k < plan.schedule.order[static_cast<std::size_t>(stage)].size(); ++k)
                for (int replica = 0; replica < plan.replicas; ++replica)
                    QCOMPARE(shared.finishOf(stage, int(k), shared.classOfReplica[static_cast<std::size_t>(replica)]),
                             alone.finishOf(stage, int(k), alone.classOfReplica[static_cast<std::size_t>(replica)]));
    }
}

void TestSimulator::slowerNeverShortens()
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        TimeNs before = executePlan(plan).iteration;
        plan.slowness = allNominal(plan);
        QCOMPARE(executePlan(plan).iteration, before);
        for (std::uint64_t i = 0; i < 8; ++i) {
            plan.slowness[randomBits(seed, 100 + i) % plan.slowness.size()] += static_cast<double>(randomBits(seed, 200 + i) % 100) / 100.0;
            const TimeNs now = executePlan(plan).iteration;
            QVERIFY(now >= before);
            before = now;
        }
    }
}

void TestSimulator::oneSlowGpu()
{
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        // Experts' peers whose transfers differ can catch up with the slow GPU's replica, and overtake its delay.
        for (std::size_t i = 0; i < plan.transfer.size() && !plan.expertPeers.empty(); ++i)
            plan.transfer[i] = plan.transfer[i - i % static_cast<std::size_t>(plan.replicas)];
        const Run nominal = runPlan(plan);
        const std::size_t slow = randomBits(seed, 7) % static_cast<std::size_t>(plan.ranks());
        plan.slowness = allNominal(plan);
        plan.slowness[slow] = 1.0 / 0.7;
        const Run run = runPlan(plan);
        const TimeNs change = run.trace.iteration - nominal.trace.iteration;
        for (int stage = 0; stage < plan.stages(); ++stage) {
            for (int replica = 0; replica < plan.replicas; ++replica) {
                for (int member = 0; member < plan.groupSize; ++member) {
                    const CategoryTimes now = categoryTimes(run, stage, replica, member), then = categoryTimes(nominal, stage, replica, member);
                    QVERIFY(of(now, Category::StragglerWait) >= 0);
                    QCOMPARE(of(then, Category::StragglerWait), TimeNs{0});
                    QCOMPARE(sum(now) - sum(then), change);
                    if (plan.position(stage, replica, member) != slow) continue;
                    // On its own operations the slow GPU waits for nobody.
                    std::vector<Span> spans;
                    spansOfRank(run, stage, replica, member, 0, run.trace.iteration, spans);
                    for (const Span &span : spans)
                        QVERIFY(!(span.category == Category::StragglerWait && span.operation != kNone));
                }
            }
        }
    }
}

void TestSimulator::jitterIsReproducible()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 4, 1, 8, 1000, 2000, 3, 2);
    plan.jitter.push_back({0.05, 7, {}});
    const Trace a = executePlan(plan), b = executePlan(plan);
    QVERIFY(a.finish == b.finish);
    // A slow GPU beside it does not reshuffle the draws: another replica's operations keep their durations.
    IterationPlan slowed = plan;
    slowed.slowness = allNominal(plan);
    slowed.slowness[slowed.position(0, 2, 0)] = 1.5;
    QCOMPARE(executePlan(slowed).finishOf(3, 15, 0), a.finishOf(3, 15, 0));
    plan.jitter.front().seed = 8;
    QVERIFY(executePlan(plan).finish != a.finish);
}

void TestSimulator::bucketsOverlapTheirOwnChunk()
{
    // One chunk, one micro-batch, F 10, B 20. Gather 8, of which 6 may follow the start of the forward: it starts at 2.
    // Reduce 15, of which 12 may run before the backward ends: B [12,32), reduce [20,35). T = 35, exposed 2 + 3.
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 10, 20);
    plan.sync = {{ChunkSync{8, 15, 6, 12}}};
    QCOMPARE(plan.sync[0][0].gatherLead, TimeNs{6});
    QCOMPARE(plan.sync[0][0].reduceLead, TimeNs{12});
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{35});
    QCOMPARE(of(categoryTimes(run, 0, 0, 0), Category::ExposedDp), TimeNs{5});
}

void TestSimulator::withoutOptimizerBarrier()
{
    // p = 2, m = 2, 1F1B, F 10, B 20, optimizer 4, no barrier. Stage 0: F0 [0,10) F1 [10,20) B0 [40,60) B1 [70,90),
    // optimizer to 94. Stage 1: F0 [10,20) B0 [20,40) F1 [40,50) B1 [50,70), optimizer to 74, own window from 10.
    // T = 94; stage 1 waits 30 at its end, [74,104), of which [94,104) appears at the beginning.
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 2, 10, 20);
    plan.optimizer = {4, 4};
    plan.optimizerSync = false;
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{94});
    QCOMPARE(text(run, 1, 0, 0), QStringLiteral("bubble[0,10) F0[10,20) B0[20,40) F1[40,50) B1[50,70) optimizer[70,74) bubble[74,94)"));
    QCOMPARE(text(run, 0, 0, 0), QStringLiteral("F0[0,10) F1[10,20) bubble[20,40) B0[40,60) bubble[60,70) B1[70,90) optimizer[90,94)"));
}

QTEST_APPLESS_MAIN(TestSimulator)
#include "tst_simulator.moc"
