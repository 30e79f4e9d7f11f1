// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/speed.h"
#include "model/iteration/why.h"
#include "tests/model/iteration/random_plans.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// "kind s<stage> r<replica> m<member> <ns>" per step.
QStringList text(const std::vector<WhyStep> &steps)
{
    static const char *const names[] = {"end", "barrier", "reduce", "pipeline", "peer", "expert-peer", "computing", "gather", "slow", "jitter",
                                        "pause", "documents", "data", "checkpoint", "warm-up", "link", "most-work"};
    QStringList lines;
    for (const WhyStep &step : steps)
        lines << QStringLiteral("%1 s%2 r%3 m%4 %5").arg(QLatin1String(names[std::size_t(step.kind)])).arg(step.stage).arg(step.replica).arg(step.member).arg(step.ns);
    return lines;
}

/// Four stages, three replicas, two GPUs a stage, four micro-batches, F 10, B 20; GPU 1 of stage 2 of replica 1 at
/// half speed.
IterationPlan slowPlan()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 4, 1, 4, 10, 20, 3, 2);
    plan.sync.assign(4, {{0, 5}});
    plan.optimizer = {4, 4, 4, 4};
    plan.slowness = allNominal(plan);
    plan.slowness[plan.position(2, 1, 1)] = 2.0;
    return plan;
}

} // namespace

class TestWhy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void endsAtTheSlowGpu();
    void everyWaitingRankEndsAtTheSlowGpu();
    void nothingSlow();
    void waitForParameters();
    void gainsOutweighALoss();
    void insideTheOptimizerStep();
    void optimizerAndCheckpointOfEveryRank();
    void optimizerAfterASlowStage();
};

void TestWhy::endsAtTheSlowGpu()
{
    // By hand: unperturbed 4·30 + 3·30 = 210, reduce 5, optimizer 4: 219. On replica 1 stage 2 takes F 20 and B 40.
    // Its first forward starts at 20; from then on it is never idle but for the first wait on stage 3's gradient:
    // F0 [20,40) F1 [40,60), stage 3: F0 [40,50) B0 [50,70); B0 [70,110) F2 [110,130) B1 [130,170) F3 [170,190)
    // B2 [190,230) B3 [230,270); then stage 1 B3 [270,290), stage 0 B3 [290,310). Barrier 315; the slow optimizer
    // takes 8: T = 323, 104 more.
    const Run run = runPlan(slowPlan());
    QCOMPARE(run.trace.iteration, TimeNs{323});
    const auto steps = whyThisLong(run);
    // On the path stage 2 computes F0, F2, F3 and four B, each at twice its time (F1 runs while it waits for stage 3):
    // 3·10 + 4·20 more, and 4 more in the optimizer: 114, of which the bubble absorbs 10.
    QCOMPARE(text(steps), (QStringList{QStringLiteral("end s2 r1 m0 104"), QStringLiteral("barrier s0 r0 m0 100"), QStringLiteral("reduce s0 r1 m0 100"),
                                       QStringLiteral("pipeline s0 r1 m0 100"), QStringLiteral("peer s2 r1 m0 20"), QStringLiteral("slow s2 r1 m1 114")}));
    QCOMPARE(steps[3].stagesPassed, 2);
    QCOMPARE(steps.back().speed, 0.5);
}

void TestWhy::everyWaitingRankEndsAtTheSlowGpu()
{
    const Run run = runPlan(slowPlan());
    std::vector<Span> spans;
    for (int stage = 0; stage < 4; ++stage) {
        for (int replica = 0; replica < 3; ++replica) {
            spansOfRank(run, stage, replica, 0, 0, run.trace.iteration, spans);
            for (const Span &span : spans) {
                if (span.category != Category::StragglerWait) continue;
                const auto steps = whyWaiting(run, stage, replica, 0, span.begin + (span.end - span.begin) / 2);
                QVERIFY(!steps.empty());
                QCOMPARE(text({steps.back()}).front().section(QLatin1Char(' '), 0, 3), QStringLiteral("slow s2 r1 m1"));
            }
        }
    }
}

void TestWhy::nothingSlow()
{
    // Stage 1 has twice the work of the others: the root of an undisturbed iteration.
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 3, 1, 6, 10, 20, 2, 1);
    plan.forward[1][0].segments.front().ns = 20;
    plan.backward[1][0].segments.front().ns = 40;
    const auto steps = whyThisLong(runPlan(plan));
    QVERIFY(steps.back().kind == WhyKind::MostWork);
    QCOMPARE(steps.back().stage, 1);
}

void TestWhy::waitForParameters()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 10, 20);
    plan.sync = {{{7, 0}}};
    const auto steps = whyWaiting(runPlan(plan), 0, 0, 0, 3);
    QCOMPARE(text(steps), QStringList{QStringLiteral("gather s0 r0 m0 7")});
}

// Short documents take 30 off the first forward, long ones add 10 to the second: together nothing is slow.
void TestWhy::gainsOutweighALoss()
{
    IterationPlan plan = simplePlan(ScheduleKind::GPipe, 1, 1, 2, 0, 200);
    plan.forward[0][0] = {{{Category::Forward, 100, 100}}};
    plan.attention = {{0.7, 1.1}};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{600 - 20});
    QCOMPARE(whyThisLong(run).back().kind, WhyKind::MostWork);
}

// One stage, one micro-batch, three members, the last at half speed: F [0,20), B [20,60). Member 1's host pauses [60,63);
// the optimizer step of 4 takes member 2 [63,71), the others [63,67); then member 1 writes a checkpoint [71,80), member 0
// [71,76).
void TestWhy::insideTheOptimizerStep()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 10, 20, 1, 3);
    plan.optimizer = {4};
    plan.slowness = {1.0, 1.0, 2.0};
    plan.pauses = {{}, {{kOptimizerOperation, 3}}, {}};
    plan.checkpoint = {5, 9, 0};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{80});
    const auto at = [&](int member, TimeNs t) { return text(whyWaiting(run, 0, 0, member, t)).join(QStringLiteral(", ")); };
    QCOMPARE(at(1, 61), QStringLiteral("pause s0 r0 m1 3"));
    QCOMPARE(at(0, 61), QStringLiteral("peer s0 r0 m0 3, pause s0 r0 m1 3"));
    QCOMPARE(at(2, 65), QStringLiteral("computing s0 r0 m2 8, slow s0 r0 m2 4"));
    QCOMPARE(at(0, 69), QStringLiteral("peer s0 r0 m0 4, slow s0 r0 m2 4"));
    QCOMPARE(at(0, 71), QStringLiteral("checkpoint s0 r0 m0 5"));
    QCOMPARE(at(1, 79), QStringLiteral("checkpoint s0 r0 m1 9"));
    QCOMPARE(at(0, 78), QStringLiteral("peer s0 r0 m0 4, checkpoint s0 r0 m1 9"));
    QCOMPARE(at(2, 72), QStringLiteral("peer s0 r0 m0 9, checkpoint s0 r0 m1 9"));
}

// Whatever the plan: inside its stall a rank itself is the root, for as long as it writes; inside its optimizer step the
// answer begins with that step, as long as the rank's own pace makes it, and never ends at a stage's work.
void TestWhy::optimizerAndCheckpointOfEveryRank()
{
    int stalls = 0, optimizers = 0;
    for (std::uint64_t seed = 1; seed <= 150; ++seed) {
        IterationPlan plan = randomPlan(seed);
        perturb(plan, seed);
        const Run run = runPlan(plan);
        std::vector<Span> spans;
        for (std::int32_t index = 0; index < plan.ranks(); ++index) {
            const std::int32_t member = index % plan.groupSize, replica = index / plan.groupSize % plan.replicas, stage = index / plan.groupSize / plan.replicas;
            spansOfRank(run, stage, replica, member, 0, run.trace.iteration, spans);
            for (const Span &span : spans) {
                for (const TimeNs t : {std::max<TimeNs>(0, span.begin), std::min(run.trace.iteration, span.end) - 1}) {
                    if (span.category != Category::CheckpointStall && span.category != Category::Optimizer) continue;
                    const std::vector<WhyStep> steps = whyWaiting(run, stage, replica, member, t);
                    QVERIFY(!steps.empty() && steps.back().kind != WhyKind::MostWork && steps.front().operation == kNone);
                    QCOMPARE(steps.front().member, member);
                    if (span.category == Category::Optimizer) {
                        ++optimizers;
                        QCOMPARE(steps.front().kind, WhyKind::Computing);
                        QCOMPARE(steps.front().ns, scaled(plan.optimizer[static_cast<std::size_t>(stage)], memberFactor(plan, stage, replica, member, kOptimizerOperation)));
                    } else {
                        ++stalls;
                        QCOMPARE(steps.size(), std::size_t{1});
                        QCOMPARE(steps.front().kind, WhyKind::Checkpoint);
                        QCOMPARE(steps.front().ns, memberCheckpoint(plan, plan.position(stage, replica, member)));
                    }
                }
            }
        }
    }
    QVERIFY(stalls > 100 && optimizers > 1000);
}

// The step itself is nominal, 4: where nothing is slow it is its own root, with no word of a stage's work, and so it is
// before a checkpoint; behind a slow GPU it begins late, and the walk ends there.
void TestWhy::optimizerAfterASlowStage()
{
    IterationPlan plan = slowPlan();
    plan.slowness.clear();
    const QStringList own{QStringLiteral("computing s0 r0 m1 4")};
    // 210 and the reduction of 5: optimizer [215,219).
    const auto nominal = whyWaiting(runPlan(plan), 0, 0, 1, 217);
    QCOMPARE(text(nominal), own);
    QCOMPARE(nominal.front().operation, kNone);
    plan.checkpoint.assign(static_cast<std::size_t>(plan.ranks()), 50);
    QCOMPARE(text(whyWaiting(runPlan(plan), 0, 0, 1, 217)), own);
    QCOMPARE(text(whyWaiting(runPlan(plan), 0, 0, 1, 219)), QStringList{QStringLiteral("checkpoint s0 r0 m1 50")});
    // The barrier of the slow plan ends at 315.
    const auto late = text(whyWaiting(runPlan(slowPlan()), 0, 0, 1, 317));
    QCOMPARE(late.front(), own.front());
    QVERIFY2(late.back().startsWith(QStringLiteral("slow s2 r1 m1")), qPrintable(late.back()));
}

QTEST_APPLESS_MAIN(TestWhy)
#include "tst_why.moc"
