// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/workload/layer_cost.h"
#include "model/workload/overlap.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

/// A pass of any proportion of compute and communication.
struct Case {
    PassCommunication demand;
    PassCompute compute;
};
Case caseOf(std::uint64_t seed)
{
    std::uint64_t counter = 0;
    const auto draw = [&] { return randomUniform(seed, counter++); };
    Case c;
    c.compute = {draw(), 0.0, 0.0};
    c.compute.attentionHalf = c.compute.total * draw();
    c.compute.deferring = c.compute.total * draw();
    c.demand.blocks = 2.0;
    c.demand.tensor = {draw(), draw(), draw(), draw()};
    c.demand.expert = {draw(), draw(), 0.0, draw()};
    c.demand.context = draw(), c.demand.contextBehind = draw(), c.demand.contextHidden = draw();
    for (Wires *wires : {&c.demand.tensorWires, &c.demand.expertWires, &c.demand.contextWires})
        *wires = {draw() < 0.5, draw() < 0.5};
    return c;
}

double hidden(const PassCommunication &pass)
{
    return pass.blocks * (pass.tensor.behind + pass.tensor.hidden) + pass.expert.hidden + pass.contextBehind +
           pass.contextHidden;
}
double hiddenOn(const PassCommunication &pass, bool Wires::*wire)
{
    return (pass.tensorWires.*wire ? pass.blocks * (pass.tensor.behind + pass.tensor.hidden) : 0.0) +
           (pass.expertWires.*wire ? pass.expert.hidden : 0.0) +
           (pass.contextWires.*wire ? pass.contextBehind + pass.contextHidden : 0.0);
}

} // namespace

/// What communication hides behind a pass's compute, and what shows.
class TestOverlap : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void byHand();
    void laws();
    void userBuffersNeedOneDomain();
};

// 10 s of compute, of which 4 s can be deferred to. Two blocks of tensor collectives on NVLink want to defer 3 s each:
// 4 of 6 s fit, 1 s of each shows at the block's end. 2 x 2 s overlapped on purpose fit into the 6 s left. Experts on
// NVLink and network want 5 s: 2 s are left on NVLink; 3 s show, by half before and after.
void TestOverlap::byHand()
{
    PassCommunication demand;
    demand.blocks = 2.0;
    demand.tensor = {0.5, 0.5, 2.0, 3.0};
    demand.expert = {1.0, 1.0, 0.0, 5.0};
    demand.tensorWires = {true, false};
    demand.expertWires = {true, true};
    OverlapRoom room(10.0);
    const PassCommunication pass = settle(demand, {10.0, 6.0, 4.0}, room);
    QCOMPARE(pass.tensor.hidden, 2.0);
    QCOMPARE(pass.tensor.behind, 2.0);
    QCOMPARE(pass.tensor.before, 0.5);
    QCOMPARE(pass.tensor.after, 1.5);
    QCOMPARE(pass.expert.hidden, 2.0);
    QCOMPARE(pass.expert.before, 2.5);
    QCOMPARE(pass.expert.after, 2.5);
    QCOMPARE(room.left({true, false}), 0.0);
    QCOMPARE(room.left({false, true}), 8.0);
}

void TestOverlap::laws()
{
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
        const Case c = caseOf(seed);
        OverlapRoom room(c.compute.total), larger(1.5 * c.compute.total);
        const PassCommunication pass = settle(c.demand, c.compute, room);
        const double busy = c.demand.exposed() + hidden(c.demand);
        QVERIFY(near(pass.exposed() + hidden(pass), busy, 1e-12));
        for (bool Wires::*wire : {&Wires::scaleup, &Wires::network})
            QVERIFY(hiddenOn(pass, wire) <= c.compute.total * (1.0 + 1e-12));
        QVERIFY(pass.blocks * (pass.tensor.behind + pass.tensor.hidden) <= 2.0 * c.compute.total);
        QVERIFY(pass.blocks * pass.tensor.hidden <= c.compute.deferring * (1.0 + 1e-12));
        QVERIFY(pass.contextHidden <= c.compute.attentionHalf && pass.contextBehind <= c.compute.attentionHalf);
        // More compute hides more.
        const PassCompute more{1.5 * c.compute.total, 1.5 * c.compute.attentionHalf, 1.5 * c.compute.deferring};
        QVERIFY(hidden(settle(c.demand, more, larger)) >= hidden(pass) * (1.0 - 1e-12));
    }
}

// Three quarters of TP 8's collectives inside a server of eight run behind matmuls; over two servers, or with an NVLink
// dead, user buffers have nobody to write to.
void TestOverlap::userBuffersNeedOneDomain()
{
    const Catalogue catalogue = loadCatalogue().value();
    ScenarioSpec spec;
    spec.model = llama405b();
    spec.accelerator = h100();
    spec.gpus = 32, spec.tensor = 8, spec.sequence = 8192;
    ResolvedScenario s = scenarioOf(spec, catalogue);
    s.software.tensorOverlap = true;
    NetworkModel network = networkOf(s, catalogue.constants);
    const TensorCollectives inside = tensorCollectives(s, catalogue.constants, network);
    QVERIFY(near(inside.forward.behind, 0.75 * 2.0 * inside.single, 1e-12));
    QVERIFY(near(inside.forward.before + inside.forward.after, 0.25 * 2.0 * inside.single, 1e-12));
    network.tensor.leavesDomain = true;
    QCOMPARE(tensorCollectives(s, catalogue.constants, network).forward.behind, 0.0);
    spec.tensor = 16;
    ResolvedScenario wide = scenarioOf(spec, catalogue);
    wide.software.tensorOverlap = true;
    const TensorCollectives across = tensorCollectives(wide, catalogue.constants, networkOf(wide, catalogue.constants));
    QCOMPARE(across.forward.behind, 0.0);
    QVERIFY(near(across.forward.before + across.forward.after, 2.0 * across.single, 1e-12));
}

QTEST_APPLESS_MAIN(TestOverlap)
#include "tst_overlap.moc"
