// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/expert_meetings.h"
#include "model/iteration/peer_wait.h"
#include "model/iteration/pulse.h"
#include "tests/model/iteration/plans.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// One stage, one GPU a replica; an all-to-all in the forward of 160, none in the backward of 200; replicas 0 and 1 share
/// their experts, 2 and 3 too. Replica 1 at half speed: its forward takes 200 + 10 + 100 = 310, its backward 400.
IterationPlan sharedExperts(int microBatches)
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, microBatches, 0, 200, 4);
    plan.forward[0][0] = {{{Category::Forward, 100}, {Category::ExposedEp, 10}, {Category::Forward, 50}}};
    plan.expertPeers = {0, 0, 2, 2};
    plan.slowness = {1.0, 2.0, 1.0, 1.0};
    return plan;
}

/// Two stages, an all-to-all before every forward of 90; stage 0 of replica 1 at half speed.
IterationPlan twoStages()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 1, 90, 100, 2);
    for (auto &stage : plan.forward)
        stage[0].segments.insert(stage[0].segments.begin(), {Category::ExposedEp, 10});
    plan.expertPeers = {0, 0};
    plan.slowness = allNominal(plan);
    plan.slowness[plan.position(0, 1, 0)] = 2.0;
    return plan;
}

TimeNs finishOf(const Trace &trace, std::int32_t stage, std::int32_t operation, std::size_t replica)
{
    return trace.finishOf(stage, operation, trace.classOfReplica[replica]);
}

/// Ranks of one stage, tensor innermost or outermost.
Placement ranks(std::int32_t tensor, std::int32_t data, bool tensorInnermost)
{
    Placement placement;
    placement.tensor = tensor;
    placement.data = data;
    for (std::int32_t i = 0; i < tensor * data; ++i) {
        RankCoordinates c;
        c.tensor = tensorInnermost ? i % tensor : i / data;
        c.data = tensorInnermost ? i / tensor : i % data;
        placement.coordinates.push_back(c);
    }
    return placement;
}

} // namespace

class TestExpertMeetings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void peersOfALayout_data();
    void peersOfALayout();
    void peersWaitBeforeTheAllToAll();
    void delaysAddUpOverOperations();
    void unperturbedDifferencesAreNoDelay();
    void whyPassesThrough();
};

void TestExpertMeetings::peersOfALayout_data()
{
    using Peers = std::vector<std::int32_t>;
    QTest::addColumn<int>("tensor");
    QTest::addColumn<bool>("tensorInnermost");
    QTest::addColumn<int>("expert");
    QTest::addColumn<int>("expertTensor");
    QTest::addColumn<Peers>("expected");
    QTest::newRow("no experts") << 2 << true << 1 << 1 << Peers{};
    QTest::newRow("inside the tensor group") << 2 << true << 2 << 1 << Peers{};
    QTest::newRow("two replicas") << 2 << true << 4 << 1 << Peers{0, 0, 2, 2};
    QTest::newRow("split experts") << 2 << true << 2 << 2 << Peers{0, 0, 2, 2};
    QTest::newRow("data innermost") << 2 << false << 2 << 1 << Peers{0, 0, 2, 2};
    QTest::newRow("everyone") << 2 << true << 8 << 1 << Peers{0, 0, 0, 0};
    // Runs of two replicas' worth that begin in the middle of one: 0 0 0 1 | 1 1 2 2 | 2 3 3 3 are joined to one set.
    QTest::newRow("across") << 3 << true << 4 << 1 << Peers{0, 0, 0, 0};
}

void TestExpertMeetings::peersOfALayout()
{
    QFETCH(const int, tensor);
    QFETCH(const bool, tensorInnermost);
    QFETCH(const int, expert);
    QFETCH(const int, expertTensor);
    Degrees degrees;
    degrees.expert = expert;
    degrees.expertTensor = expertTensor;
    QTEST(expertPeersOf(degrees, ranks(tensor, 4, tensorInnermost)), "expected");
}

// Replica 0 is at its all-to-all after 100 and waits until its forward ends with replica 1's at 310: 150. Then 10, 50 and
// its backward: 510 against 710. Replicas 2 and 3 take 160 and 360 and stand for each other.
void TestExpertMeetings::peersWaitBeforeTheAllToAll()
{
    const Run run = runPlan(sharedExperts(1));
    QCOMPARE(run.trace.classes, 3);
    QCOMPARE(finishOf(run.trace, 0, 0, 0), TimeNs{310});
    QCOMPARE(finishOf(run.trace, 0, 0, 1), TimeNs{310});
    QCOMPARE(finishOf(run.trace, 0, 0, 3), TimeNs{160});
    QCOMPARE(finishOf(run.trace, 0, 1, 0), TimeNs{510});
    QCOMPARE(finishOf(run.trace, 0, 1, 1), TimeNs{710});
    std::vector<Span> spans;
    spansOfRank(run, 0, 0, 0, 0, 310, spans);
    QCOMPARE(spans.size(), std::size_t{4});
    QCOMPARE(spans[1].category, Category::StragglerWait);
    QCOMPARE(spans[1].begin, TimeNs{100});
    QCOMPARE(spans[1].end, TimeNs{250});
    QCOMPARE(spans[1].endedBy, EventKind::GroupPeer);
    QCOMPARE(spans[2].category, Category::ExposedEp);
    // 150 in the forward, then until replica 1 is done.
    QCOMPARE(categoryTimes(run, 0, 0, 0)[categoryIndex(Category::StragglerWait)], TimeNs{150 + 200});
    QVERIFY(qAbs(peerWaits(run).expert * 1e9 * 4.0 - 150.0) < 1e-6);
    // One bin over the iteration: straggler waits of 350, 0 and twice 350 of four times 710.
    const ShareBins pulse = pulseBins(run, 1);
    QVERIFY(qAbs(pulse.share[categoryIndex(Category::StragglerWait)] - 1050.0F / 2840.0F) < 1e-5F);
}

// Replica 1: 310, 710, 1020, 1420. Replica 0: 310, 510; its second forward could begin at 510, 150 behind the unperturbed
// 360, but replica 1's begins at 710, 350 behind: it waits 200 for that and 150 for the slower pace, and ends at 1020 too.
void TestExpertMeetings::delaysAddUpOverOperations()
{
    const Run run = runPlan(sharedExperts(2));
    QCOMPARE(finishOf(run.trace, 0, 2, 0), TimeNs{1020});
    QCOMPARE(finishOf(run.trace, 0, 2, 1), TimeNs{1020});
    QCOMPARE(run.trace.peerWaitOf(0, 2, run.trace.classOfReplica[0]), TimeNs{350});
    QCOMPARE(run.trace.peerWaitOf(0, 1, run.trace.classOfReplica[0]), TimeNs{0});
    QCOMPARE(finishOf(run.trace, 0, 3, 0), TimeNs{1220});
    QCOMPARE(finishOf(run.trace, 0, 3, 1), TimeNs{1420});
    QCOMPARE(executePlan(sharedExperts(2), false).iteration, run.trace.iteration);
}

// Replica 1's transfer takes 40: unperturbed its second stage runs [140, 240), replica 0's [100, 200). Both first stages end
// 90 late, so both second stages begin 90 late, at 190 and 230: neither waits for the other.
void TestExpertMeetings::unperturbedDifferencesAreNoDelay()
{
    IterationPlan plan = twoStages();
    plan.transfer = {0, 40, 0, 40};
    const Run run = runPlan(plan);
    QCOMPARE(finishOf(run.trace, 0, 0, 0), TimeNs{190});
    QCOMPARE(finishOf(run.trace, 0, 0, 1), TimeNs{190});
    QCOMPARE(finishOf(run.trace, 1, 0, 0), TimeNs{290});
    QCOMPARE(finishOf(run.trace, 1, 0, 1), TimeNs{330});
    QCOMPARE(run.trace.peerWaitOf(1, 0, run.trace.classOfReplica[0]), TimeNs{0});
    plan.slowness = allNominal(plan);
    QCOMPARE(runPlan(plan).trace.finish, runPlan(plan).twin->finish);
}

// Replica 0's transfers of 200 make it the last one; its first forward waits 90 for replica 1's slow GPU.
void TestExpertMeetings::whyPassesThrough()
{
    IterationPlan plan = twoStages();
    plan.transfer = {200, 0, 200, 0};
    const Run run = runPlan(plan);
    for (const std::vector<WhyStep> &steps : {whyThisLong(run), whyWaiting(run, 0, 0, 0, 5), whyWaiting(run, 1, 0, 0, 450)}) {
        QVERIFY(steps.size() >= 2);
        const WhyStep &meeting = steps[steps.size() - 2], &root = steps.back();
        QCOMPARE(meeting.kind, WhyKind::ExpertPeer);
        QCOMPARE(meeting.replica, 1);
        QCOMPARE(meeting.ns, TimeNs{90});
        QCOMPARE(root.kind, WhyKind::SlowGpu);
        QCOMPARE(root.stage, 0);
        QCOMPARE(root.replica, 1);
        QCOMPARE(root.speed, 0.5);
        QCOMPARE(root.ns, TimeNs{90});
    }
}

QTEST_APPLESS_MAIN(TestExpertMeetings)
#include "tst_expert_meetings.moc"
