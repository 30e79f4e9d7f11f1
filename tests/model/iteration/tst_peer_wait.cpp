// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/peer_wait.h"
#include "tests/model/iteration/random_plans.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// Nanoseconds summed over all ranks.
double total(const IterationPlan &plan, double meanSeconds) { return meanSeconds * 1e9 * static_cast<double>(plan.ranks()); }

bool near(double actual, double expected, double tolerance)
{
    if (std::abs(actual - expected) <= tolerance) return true;
    qWarning("actual %.9g, expected %.9g", actual, expected);
    return false;
}

/// One operation as a group of tensor and context ranks runs it.
OperationShape mixedShape(Category compute)
{
    return {{{Category::ExposedCp, 7}, {compute, 100}, {Category::ExposedTp, 5}, {compute, 40}, {Category::ExposedTp, 5}, {compute, 60}}};
}

} // namespace

class TestPeerWait : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void membersMeetAtEveryCollective();
    void withoutCollectivesTheInnermostDimension();
    void pauseDelaysTheNextCollective();
    void reductionsWaitForTheLastReplica();
    void inputsWaitForTheirSender();
    void nothingWaitsUnperturbed();
    void waitsOfAllDimensionsAreTheStragglerWait();
};

// One GPU of two at half speed. Before each tensor collective the fast one waits 100 and 40, at the end of the operation
// 60: for the context collective that the next one begins with. Forward and backward of two micro-batches: four times.
void TestPeerWait::membersMeetAtEveryCollective()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 2, 0, 0, 1, 2);
    plan.forward[0][0] = mixedShape(Category::Forward);
    plan.backward[0][0] = mixedShape(Category::Backward);
    plan.slowness = {2.0, 1.0};
    const PeerWaits waits = peerWaits(runPlan(plan));
    QVERIFY(near(total(plan, waits.tensor), 4 * 140.0, 1e-6));
    QVERIFY(near(total(plan, waits.context), 4 * 60.0, 1e-6));
    QCOMPARE(waits.expert, 0.0);
    QCOMPARE(waits.data, 0.0);
    QCOMPARE(waits.pipeline, 0.0);
}

void TestPeerWait::withoutCollectivesTheInnermostDimension()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 100, 200, 1, 2);
    plan.slowness = {2.0, 1.0};
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).tensor), 300.0, 1e-6));
    QVERIFY(near(total(plan, peerWaits(runPlan(plan), Dimension::Context).context), 300.0, 1e-6));
}

// Of three GPUs one pauses 50 before the forward and one 20: the others wait 30 and 50. Documents of 1.5 times the
// attention work lengthen the forward's 80 of attention by 40 on all alike: nobody waits longer.
void TestPeerWait::pauseDelaysTheNextCollective()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 0, 0, 1, 3);
    plan.forward[0][0] = {{{Category::ExposedTp, 5}, {Category::Forward, 100, 80}}};
    plan.pauses = {{{0, 50}}, {{0, 20}}, {}};
    plan.attention = {{1.5}};
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).tensor), 80.0, 1e-6));
    // The first at half speed: 100 + 40 of work take 140 more, for two GPUs.
    plan.slowness = {2.0, 1.0, 1.0};
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).tensor), 80.0 + 2 * 140.0, 1e-6));
}

// Two chunks on one stage, forward 10, backward 20: gradients of the second chunk are ready at 40, of the first at 60; in
// the replica at half speed at 80 and 120. The second's reduction takes [80, 180): the first replica waits 40. Then the
// stream is busy until both have the other chunk's: nobody waits for anyone.
void TestPeerWait::reductionsWaitForTheLastReplica()
{
    IterationPlan plan = simplePlan(ScheduleKind::Interleaved, 1, 2, 1, 10, 20, 2, 3);
    plan.sync = {{{0, 100}, {0, 100}}};
    plan.slowness = allNominal(plan);
    for (int member = 0; member < 3; ++member)
        plan.slowness[plan.position(0, 1, member)] = 2.0;
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).data), 3 * 40.0, 1e-6));
    // Ready 15 before the backward's end: both replicas as much earlier, the wait is the same.
    plan.sync = {{{0, 100, 0, 15}, {0, 100, 0, 15}}};
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).data), 3 * 40.0, 1e-6));
    // Both after the last backward, at 60 and 120: one wait of 60.
    plan.overlapData = false;
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).data), 3 * 60.0, 1e-6));
}

// 1F1B on two stages, two micro-batches, forward 10, backward 20, transfer 3. Stage 1 could take its first input at 0, it
// is sent at 10; stage 0 its gradients at 20 and 66, they are sent at 43 and 73: 10 + 23 + 7. With the sender blocked for
// the transfer: sent at 10, 43 (after 13 + 30) and, as stage 1 goes on at 46 with its second forward, at 76; stage 0 has
// sent its second forward at 26 and is free again at 66: 10 + 17 + 10.
void TestPeerWait::inputsWaitForTheirSender()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 2, 10, 20);
    plan.transfer = {3, 3};
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).pipeline), 40.0, 1e-6));
    plan.overlapPipeline = false;
    QVERIFY(near(total(plan, peerWaits(runPlan(plan)).pipeline), 37.0, 1e-6));
}

void TestPeerWait::nothingWaitsUnperturbed()
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const PeerWaits waits = peerWaits(runPlan(randomPlan(seed)));
        QVERIFY2(waits.tensor == 0.0 && waits.context == 0.0 && waits.expert == 0.0, qPrintable(QString::number(seed)));
        QVERIFY2(waits.data >= 0.0 && waits.pipeline >= 0.0, qPrintable(QString::number(seed)));
    }
}

// One stage of one replica has nobody to wait for but its own members: tensor, context and expert waits together are the
// straggler wait, but for the optimizer's, which no collective of theirs ends.
void TestPeerWait::waitsOfAllDimensionsAreTheStragglerWait()
{
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        if (plan.stages() != 1 || plan.groupSize == 1) continue;
        plan.replicas = 1;
        plan.transfer.resize(1);
        plan.optimizer.clear();
        perturb(plan, seed);
        plan.checkpoint.clear();
        plan.data.clear();
        for (auto &list : plan.pauses)
            std::erase_if(list, [](const IterationPlan::Pause &pause) { return pause.operation == kOptimizerOperation; });
        const Run run = runPlan(plan);
        double straggler = 0.0;
        for (int member = 0; member < plan.groupSize; ++member)
            straggler += static_cast<double>(categoryTimes(run, 0, 0, member)[categoryIndex(Category::StragglerWait)]);
        const PeerWaits waits = peerWaits(run);
        // Half a nanosecond of rounding for each of up to four pieces.
        const double rounding = 2.0 * static_cast<double>(plan.schedule.order[0].size()) * plan.groupSize;
        QVERIFY2(near(total(plan, waits.tensor + waits.context + waits.expert), straggler, rounding), qPrintable(QString::number(seed)));
        ++tried;
    }
    QVERIFY(tried > 10);
}

QTEST_APPLESS_MAIN(TestPeerWait)
#include "tst_peer_wait.moc"
