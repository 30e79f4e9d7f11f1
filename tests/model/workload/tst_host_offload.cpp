// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"
#include "model/workload/communication_report.h"
#include "model/workload/costs.h"
#include "model/workload/host_link.h"
#include "model/workload/memory.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

/// What a GPU's memory gives to its host, the stage of the prediction modules, attention in fp8.
class TestHostOffload : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void linksOfServers_data();
    void linksOfServers();
    void optimizerInTheHost();
    void activationsInTheHost();
    void narrowAttentionForwardOnly();
    void predictionModulesOnTheirOwnStage();

private:
    [[nodiscard]] ResolvedScenario llama(std::int64_t layers) const;
    [[nodiscard]] WorkloadCosts costs(const ResolvedScenario &s) const
    {
        return workloadCosts(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    }
    [[nodiscard]] MemoryParts memory(const ResolvedScenario &s) const
    {
        return stageMemory(s, m_catalogue.constants, makeSchedule(ScheduleKind::OneFOneB, 1, 1, 8)).front().peak;
    }
    Catalogue m_catalogue;
};

void TestHostOffload::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = loaded.value();
}

ResolvedScenario TestHostOffload::llama(std::int64_t layers) const
{
    ScenarioSpec spec;
    spec.model = llama2Of70b();
    spec.model.layers = layers;
    spec.accelerator = h100();
    spec.gpus = 1;
    return scenarioOf(spec, m_catalogue);
}

// One way, 0.85 of the link and 0.8 of the host's memory: PCIe 5.0 x16 63 GB/s and 614.4/8 GB/s of eight GPUs in a DGX
// H100, PCIe 4.0 31.5 and 409.6/8 in a DGX A100; a Grace's 450 and 512 GB/s for the two GPUs of GB200.
void TestHostOffload::linksOfServers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<double>("link");
    QTest::addColumn<double>("memory");
    QTest::newRow("H100") << QStringLiteral("H100-SXM5-80GB") << 53.55e9 << 61.44e9;
    QTest::newRow("A100") << QStringLiteral("A100-SXM4-40GB") << 26.775e9 << 40.96e9;
    QTest::newRow("GB200") << QStringLiteral("GB200-NVL72") << 191.25e9 << 204.8e9;
}

void TestHostOffload::linksOfServers()
{
    QFETCH(QString, name);
    QFETCH(double, link);
    QFETCH(double, memory);
    Accelerator gpu;
    gpu.name = name.toStdString();
    QVERIFY(near(hostLink(gpu).bytesPerS, link, 1e-12));
    QVERIFY(near(hostLink(gpu).memoryBytesPerS, memory, 1e-12));
}

// Four layers of 70B on one GPU: 4 x (2 x 8192² + 2 x 8192 x 1024 + 3 x 8192 x 28672 + 2 x 8192) weights, two
// vocabularies of 32,000 x 8192 and a last norm: 3,946,913,792. Gradients of 2 bytes go down at 53.55 GB/s; Adam moves
// 28 bytes a weight at 61.44 GB/s, longer than 2 bytes take back up; the norm reads 4 bytes at 2.8475 TB/s.
void TestHostOffload::optimizerInTheHost()
{
    ResolvedScenario s = llama(4);
    s.training.gradientBytes = 2;
    const double onDevice = toSeconds(costs(s).optimizer[0]);
    const MemoryParts before = memory(s);
    s.training.optimizerOffload = true;
    const double weights = 3946913792.0;
    const double inHost = weights * (2.0 / 53.55e9 + 28.0 / 61.44e9 + 4.0 / 2.8475e12);
    QVERIFY(near(toSeconds(costs(s).optimizer[0]), inHost, 1e-6));
    QVERIFY(near(onDevice, weights * 34.0 / 2.8475e12, 1e-6));
    const MemoryParts after = memory(s);
    QCOMPARE(before.optimizer, Bytes{12} * 3946913792);
    QCOMPARE(after.optimizer, Bytes{0});
    QCOMPARE(before.total() - after.total(), before.optimizer);
}

// Of eight layers five go to the host; two of those are in the GPU at a time: three layers' activations less, with 2 %
// of the allocator. A copy takes a layer's bytes over 53.55 GB/s and shows as far as it outlasts the layer's own pass.
void TestHostOffload::activationsInTheHost()
{
    ResolvedScenario s = llama(8);
    const Bytes before = memory(s).activations;
    const OperationShape forward = costs(s).forward[0][0], backward = costs(s).backward[0][0];
    s.training.offloadLayers = 5;
    const double layer = layerActivationBytes(s, 0, 0);
    QVERIFY(near(static_cast<double>(before - memory(s).activations), 3.0 * 1.02 * layer, 1e-6));

    const LayerCost cost = layerCost(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    const double copy = layer / 53.55e9;
    const auto shown = [&](const OperationShape &with, const OperationShape &without) {
        return ofCategory(with, Category::Host) - ofCategory(without, Category::Host);
    };
    QVERIFY(copy > cost.forward.total());
    QVERIFY(near(shown(costs(s).forward[0][0], forward), 5.0 * (copy - cost.forward.total()), 1e-4));
    QVERIFY(near(shown(costs(s).backward[0][0], backward), 5.0 * std::max(0.0, copy - cost.backward.total()), 1e-4));
    QCOMPARE(ofCategory(costs(s).forward[0][0], Category::Forward), ofCategory(forward, Category::Forward));
}

// FlashAttention 3 on H100: 1,200 against 740 TFLOP/s in the forward; the backward has no fp8.
void TestHostOffload::narrowAttentionForwardOnly()
{
    ResolvedScenario s = llama(4);
    const LayerCost wide = layerCost(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    s.training.attentionPrecision = Precision::Fp8;
    const LayerCost narrow = layerCost(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    QVERIFY(near(narrow.forward.attention, wide.forward.attention * 740.0 / 1200.0, 1e-9));
    QCOMPARE(narrow.backward.attention, wide.backward.attention);
    QCOMPARE(narrow.forward.matmul, wide.forward.matmul);
}

// Four stages of 4, 4, 4 and 0 layers, one module on the third, the output layer alone on the fourth. The fourth
// passes through the output layer twice in each direction and holds 32,000 x 8192 weights and a norm; the boundary
// before it carries the module's output beside the model's.
void TestHostOffload::predictionModulesOnTheirOwnStage()
{
    ScenarioSpec spec;
    spec.model = llama2Of70b();
    spec.model.layers = 12, spec.model.mtpLayers = 1;
    spec.accelerator = h100();
    spec.gpus = 4, spec.pipeline = 4;
    ResolvedScenario s = scenarioOf(spec, m_catalogue);
    s.degrees.layersPerChunk = {4, 4, 4, 0};
    s.degrees.mtpChunk = 2;
    const double layer = 2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 3.0 * 8192 * 28672 + 2.0 * 8192;
    QVERIFY(near(chunkParameters(s, 2, 0).total(), 5.0 * layer, 1e-12));
    QVERIFY(near(chunkParameters(s, 3, 0).total(), 32000.0 * 8192.0 + 8192.0, 1e-12));

    const WorkloadCosts c = costs(s);
    const LayerCost one = layerCost(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    QVERIFY(near(toSeconds(c.forward[2][0].total()), 5.0 / 4.0 * toSeconds(c.forward[1][0].total()), 1e-6));
    QVERIFY(near(toSeconds(c.forward[3][0].total()), 2.0 * one.headForward, 1e-6));
    QVERIFY(near(toSeconds(c.backward[3][0].total()), 2.0 * one.headBackward, 1e-6));
    const double alpha = m_catalogue.constants.pointToPointLatencyS;
    QVERIFY(near(toSeconds(c.transfer[2]) - alpha, 2.0 * (toSeconds(c.transfer[1]) - alpha), 1e-4));
    QCOMPARE(boundaryLoad(s, 3), 1.0);

    const auto stages = stageMemory(s, m_catalogue.constants, makeSchedule(ScheduleKind::OneFOneB, 4, 1, 8));
    QVERIFY(near(static_cast<double>(stages[3].peak.activations), 1.02 * 2.0 * headActivationBytes(s), 1e-6));
    // 1F1B: two micro-batches live on the third stage, five layers each.
    QVERIFY(near(static_cast<double>(stages[2].peak.activations), 1.02 * 2.0 * 5.0 * layerActivationBytes(s, 0, 0), 1e-6));
}

QTEST_APPLESS_MAIN(TestHostOffload)
#include "tst_host_offload.moc"
