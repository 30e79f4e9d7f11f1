// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/context_exchange.h"
#include "model/workload/communication_report.h"
#include "model/workload/costs.h"
#include "model/workload/memory.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

/// Keys and values among context ranks: gathered, or around a ring behind the attention.
class TestContextExchange : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase();
    void shortSequencesShowTheTransfer();
    void longSequencesHideIt();
    void ringInsideADomain();
    void bothMoveTheSameBytes();
    void ringHoldsTwoBlocks();

private:
    [[nodiscard]] ResolvedScenario scenario(std::int64_t sequence, ContextExchange exchange,
                                            std::int64_t tensor = 8) const;
    [[nodiscard]] NetworkModel network(const ResolvedScenario &s) const { return networkOf(s, m_catalogue.constants); }
    [[nodiscard]] LayerCost cost(const ResolvedScenario &s) const
    {
        return layerCost(s, m_catalogue.constants, network(s));
    }
    Catalogue m_catalogue;
};

void TestContextExchange::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = loaded.value();
}

ResolvedScenario TestContextExchange::scenario(std::int64_t sequence, ContextExchange exchange,
                                               std::int64_t tensor) const
{
    ScenarioSpec spec;
    spec.model = llama405b();
    spec.model.layers = 8;
    spec.accelerator = h100();
    spec.gpus = 32, spec.tensor = tensor, spec.context = 4, spec.sequence = sequence;
    ResolvedScenario s = scenarioOf(spec, m_catalogue);
    s.degrees.contextExchange = exchange;
    return s;
}

// 4,096 tokens over 4 ranks of TP 8: a rank holds 1,024 tokens and one KV head, 2 x 1,024 x 256 = 524,288 bytes of keys
// and values. Each rank is alone in its domain, so a step is 24 us + 524,288 / 45e9 = 35.651 us. A step's attention is a
// quarter of 4·1024·4096·2048/2 FLOPs at 989e12·0.65·4096/4246 = 6.2013e14 (27.7 us): 6.93 us, and in the backward 2.5
// times that at 0.8 of the rate, 21.65 us. Forward: three steps show 28.7 us. Backward: the first step's keys and
// values and the last one's gradients show 14.0 us each, the two steps between with both, 47.30 us, 25.65 us each.
void TestContextExchange::shortSequencesShowTheTransfer()
{
    const LayerCost c = cost(scenario(4096, ContextExchange::Ring));
    const double forwardStep = c.forward.attention / 4.0, backwardStep = c.backward.attention / 4.0;
    QVERIFY(near(forwardStep, 6.93e-6, 0.03));
    QVERIFY(near(backwardStep, 21.65e-6, 0.03));
    QVERIFY(near(c.forward.contextExposed, 3.0 * (35.651e-6 - forwardStep), 1e-4));
    QVERIFY(near(c.backward.contextExposed,
                 2.0 * (35.651e-6 - backwardStep) + 2.0 * (47.302e-6 - backwardStep), 1e-4));
}

// At 131,072 tokens blocks are 32 times as large and the attention 1,024 times: everything travels behind it, and costs
// it the contention of communication behind compute, 10 %, beside the tensor collectives' own share. Without a ring the
// calibrated 30 % of the all-gather shows.
void TestContextExchange::longSequencesHideIt()
{
    const LayerCost ring = cost(scenario(131072, ContextExchange::Ring));
    QCOMPARE(ring.forward.contextExposed, 0.0);
    QCOMPARE(ring.backward.contextExposed, 0.0);
    const ResolvedScenario gathered = scenario(131072, ContextExchange::AllGather);
    const LayerCost gather = cost(gathered);
    const double one = 24e-6 + 32.0 * 524288.0 / 45e9, both = 24e-6 + 64.0 * 524288.0 / 45e9;
    QVERIFY(near(ring.forward.contention - gather.forward.contention, 0.1 * 3.0 * one, 1e-9));
    QVERIFY(near(ring.backward.contention - gather.backward.contention, 0.1 * (2.0 * one + 2.0 * both), 1e-9));
    const double whole = collectiveTime(CollectiveKind::AllGather, 4.0 * 32.0 * 524288.0, network(gathered).context,
                                        m_catalogue.constants)
                             .totalS();
    QVERIFY(near(gather.forward.contextExposed, 0.3 * whole, 1e-12));
    QVERIFY(ring.forward.total() < gather.forward.total());
}

// TP 2 x CP 4 share one domain of 8: the step takes NVLink, 450 x 0.77 = 346.5 GB/s. Four KV heads a rank.
void TestContextExchange::ringInsideADomain()
{
    const ResolvedScenario s = scenario(4096, ContextExchange::Ring, 2);
    const CollectiveTime time = contextExchangeTime(s, m_catalogue.constants, network(s));
    QVERIFY(near(time.totalS(), 3.0 * (24e-6 + 4.0 * 524288.0 / 346.5e9), 1e-9));
    QCOMPARE(time.bottleneck, std::string("nvlink"));
}

// Forward 3 blocks; backward 3 of keys and values and 3 of their gradients: 9 x 524,288 bytes a layer and micro-batch,
// 8 layers, 8 micro-batches. Three steps forward and the first and last backward with one block, 35.651 us each; the two
// between them with two, 47.302 us.
void TestContextExchange::bothMoveTheSameBytes()
{
    const auto report = [&](ContextExchange exchange) {
        const ResolvedScenario s = scenario(4096, exchange);
        return communicationReports(s, m_catalogue.constants, network(s), {}).back();
    };
    const DimensionReport ring = report(ContextExchange::Ring), gather = report(ContextExchange::AllGather);
    QCOMPARE(ring.dimension, Dimension::Context);
    QVERIFY(ring.algorithm == CollectiveAlgorithm::PointToPoint);
    QVERIFY(near(ring.bytesPerGpu, 9.0 * 524288.0 * 8.0 * 8.0, 1e-12));
    QCOMPARE(gather.bytesPerGpu, ring.bytesPerGpu);
    QVERIFY(near(ring.busyS, (5.0 * 35.6508e-6 + 2.0 * 47.3017e-6) * 64.0, 1e-5));
}

// Gathered: four blocks and their gradients. Ring: the block at work and the next, each with its gradient.
void TestContextExchange::ringHoldsTwoBlocks()
{
    const auto buffers = [&](ContextExchange exchange) {
        const ResolvedScenario s = scenario(4096, exchange);
        return stageMemory(s, m_catalogue.constants, makeSchedule(ScheduleKind::OneFOneB, 1, 1, 8)).front().peak.buffers;
    };
    QCOMPARE(buffers(ContextExchange::AllGather) - buffers(ContextExchange::Ring), Bytes{4 * 524288});
}

QTEST_APPLESS_MAIN(TestContextExchange)
#include "tst_context_exchange.moc"
