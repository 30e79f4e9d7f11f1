// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"
#include "model/workload/costs.h"
#include "model/workload/experts.h"
#include "model/workload/flops.h"
#include "model/workload/layer_blocks.h"
#include "model/workload/recompute.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

using Modules = std::vector<std::string>;

} // namespace

/// Megatron-Core's recompute modules on a layer with experts: 4,096 tokens, h 4,096, 128 experts of 1,536 in groups of
/// 8, one shared expert of 1,536, on H100 at 3.35e12 x 0.85 = 2.8475e12 B/s.
class TestRecomputeModules : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void bytesThatModulesFree_data();
    void bytesThatModulesFree();
    void timeOfNormsAndActivations();
    void moeRepeatsDispatchAndCombine();
    void mlpIsItsForwardWithoutNormAndResidual();
    void hardwareFlopsCountTheModules();

private:
    [[nodiscard]] ResolvedScenario with(const Modules &modules, std::int64_t tensor = 1) const;
    [[nodiscard]] LayerCost cost(const ResolvedScenario &s) const
    {
        return layerCost(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    }
    Catalogue m_catalogue;
};

void TestRecomputeModules::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = loaded.value();
}

ResolvedScenario TestRecomputeModules::with(const Modules &modules, std::int64_t tensor) const
{
    ScenarioSpec spec;
    spec.model = qwen3Of235b();
    spec.model.layers = 4;
    spec.model.moe->sharedExperts = 1;
    spec.accelerator = h100();
    spec.gpus = 16, spec.tensor = tensor, spec.expert = 16, spec.sequence = 4096, spec.globalBatch = 16;
    ResolvedScenario s = scenarioOf(spec, m_catalogue);
    s.training.recompute = Recompute{RecomputeMode::Modules, 0, modules};
    return s;
}

// 16-bit: norms' outputs 2 x 2 B x 4096 x 4096; the activation's output 2 B x 32,768 rows x 1,536; the shared expert's
// two halves and product 6 B x 4096 x 1,536; the whole MoE module those 6 B of 32,768 rows and of the shared expert,
// 2 B x 32,768 x 4096 of permuted rows and 4 B x 4096 x 128 of the router. It keeps its own input, the second norm's
// output, so that with it the norms' module frees one output only.
void TestRecomputeModules::bytesThatModulesFree_data()
{
    QTest::addColumn<QStringList>("modules");
    QTest::addColumn<double>("bytes");
    const double norm = 2.0 * 4096 * 4096, activation = 2.0 * 32768 * 1536, shared = 6.0 * 4096 * 1536;
    const double moe = 6.0 * 32768 * 1536 + shared + 2.0 * 32768 * 4096 + 4.0 * 4096 * 128;
    QTest::newRow("layernorm") << QStringList{QStringLiteral("layernorm")} << 2.0 * norm;
    QTest::newRow("moe_act") << QStringList{QStringLiteral("moe_act")} << activation;
    QTest::newRow("shared_experts") << QStringList{QStringLiteral("shared_experts")} << shared;
    QTest::newRow("both") << QStringList{QStringLiteral("moe_act"), QStringLiteral("shared_experts")}
                          << activation + shared;
    QTest::newRow("moe") << QStringList{QStringLiteral("moe")} << moe;
    QTest::newRow("moe and its parts") << QStringList{QStringLiteral("moe"), QStringLiteral("moe_act")} << moe;
    QTest::newRow("moe and norms") << QStringList{QStringLiteral("moe"), QStringLiteral("layernorm")} << moe + norm;
    QTest::newRow("mlp of no dense layer") << QStringList{QStringLiteral("mlp")} << 0.0;
}

void TestRecomputeModules::bytesThatModulesFree()
{
    QFETCH(QStringList, modules);
    QFETCH(double, bytes);
    Modules names;
    for (const QString &module : modules)
        names.push_back(module.toStdString());
    const ResolvedScenario s = with(names);
    QVERIFY(std::abs(fullLayerActivationBytes(s, 0) - layerActivationBytes(s, 0, 0) - bytes) < 1.0);
}

// A norm reads and writes 16 bits: 4 x 4096 x 4096 B = 23.567 us, twice. The activation reads two halves and writes
// their product, 6 B a row and width with the calibrated factor of routed rows: 6 x 32768 x 1536 B = 106.05 us.
void TestRecomputeModules::timeOfNormsAndActivations()
{
    QVERIFY(near(cost(with({"layernorm"})).backward.recompute, 2.0 * 23.567e-6, 1e-4));
    QVERIFY(near(cost(with({"moe_act"})).backward.recompute, m_catalogue.constants.moeMemoryFactor * 106.05e-6, 1e-4));
}

// The module is the MLP half without its norm and residual (10 B x 4096 x 4096 = 58.92 us), with dispatch and combine.
void TestRecomputeModules::moeRepeatsDispatchAndCombine()
{
    const ResolvedScenario s = with({"moe"});
    const NetworkModel network = networkOf(s, m_catalogue.constants);
    const LayerBlocks blocks = layerBlocks(s, m_catalogue.constants, 0);
    const double twice = 2.0 * expertAllToAll(s, m_catalogue.constants, network).totalS();
    QVERIFY(near(cost(s).backward.recompute, blocks.mlpForward.compute() - 58.918e-6 + twice, 1e-6));

    // In the operation the exchange is no compute: it counts as exposed, in the backward three times two.
    const WorkloadCosts costs = workloadCosts(s, m_catalogue.constants, network);
    TimeNs exposed = 0;
    for (const Segment &segment : costs.backward[0][0].segments)
        exposed += segment.category == Category::ExposedEp ? segment.ns : 0;
    QVERIFY(near(toSeconds(exposed), 4.0 * 2.0 * twice, 1e-5));
    QVERIFY(near(costs.communication.back().busyS, 4.0 * 3.0 * twice * static_cast<double>(s.microBatches), 1e-9));
}

// A dense layer under TP 2: norm and residual of half the sequence, 5 B x 2048 x 8192; both collectives again.
void TestRecomputeModules::mlpIsItsForwardWithoutNormAndResidual()
{
    ScenarioSpec spec;
    spec.model = llama2Of70b();
    spec.accelerator = h100();
    spec.tensor = 2;
    ResolvedScenario s = scenarioOf(spec, m_catalogue);
    s.training.recompute = Recompute{RecomputeMode::Modules, 0, {"mlp"}};
    const LayerBlocks blocks = layerBlocks(s, m_catalogue.constants, 0);
    const TensorCollectives tensor = tensorCollectives(s, m_catalogue.constants, networkOf(s, m_catalogue.constants));
    const double edges = 5.0 * 2048 * 8192 / 2.8475e12;
    QVERIFY(near(cost(s).backward.recompute,
                 blocks.mlpForward.compute() - edges + tensor.forward.before + tensor.forward.after, 1e-9));
}

// Forward again, 2 FLOPs a weight that a token meets: router 4096 x 128, shared and 8 routed experts of 3 x 4096 x 1536.
void TestRecomputeModules::hardwareFlopsCountTheModules()
{
    const auto hardware = [&](const Modules &modules) {
        const ResolvedScenario s = with(modules);
        return modelFlops(s.model, s.training).perTokenHardware;
    };
    const double expert = 3.0 * 4096 * 1536, layers = 4.0;
    const double none = hardware({});
    QVERIFY(near(hardware({"shared_experts"}) - none, layers * 2.0 * expert, 1e-9));
    QVERIFY(near(hardware({"moe", "shared_experts"}) - none, layers * 2.0 * (4096.0 * 128.0 + 9.0 * expert), 1e-9));
    QCOMPARE(hardware({"layernorm", "moe_act", "mlp"}), none);
}

QTEST_APPLESS_MAIN(TestRecomputeModules)
#include "tst_recompute_modules.moc"
