// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// What is alive while a schedule runs, counted here from the schedule's order alone.
#include "model/workload/activation_memory.h"
#include "model/workload/memory.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace {

Catalogue catalogue()
{
    auto loaded = loadCatalogue();
    if (!loaded.ok()) qFatal("the catalogue does not load");
    return loaded.value();
}

/// 4 stages of 8 layers without recompute, so that a micro-batch holds the same bytes from forward to last backward.
ScenarioSpec fourStages()
{
    ScenarioSpec spec;
    spec.model = modelOf(32, 1024, 4096, 16, 16, 64, 32000, true);
    spec.accelerator = h100();
    spec.gpus = 4, spec.pipeline = 4, spec.globalBatch = 12;
    return spec;
}

} // namespace

class TestSplitBackwardMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void activationsLiveUntilTheWeightGradient_data();
    void activationsLiveUntilTheWeightGradient();
    void zeroBubbleHoldsMore();
    void headKeepsItsInputsAndLogits();
    void twoGradientsWhileOneIsReduced();

private:
    Catalogue m_catalogue = catalogue();

    [[nodiscard]] PipelineSchedule scheduleOf(const ResolvedScenario &scenario) const
    {
        const Degrees &d = scenario.degrees;
        return makeSchedule(d.schedule, static_cast<std::int32_t>(d.pipeline), static_cast<std::int32_t>(d.virtualPipeline),
                            static_cast<std::int32_t>(scenario.microBatches));
    }
};

void TestSplitBackwardMemory::activationsLiveUntilTheWeightGradient_data()
{
    QTest::addColumn<ScheduleKind>("kind");
    QTest::addColumn<int>("chunks");
    QTest::newRow("gpipe") << ScheduleKind::GPipe << 1;
    QTest::newRow("1f1b") << ScheduleKind::OneFOneB << 1;
    QTest::newRow("interleaved") << ScheduleKind::Interleaved << 2;
    QTest::newRow("zb-h1") << ScheduleKind::ZbH1 << 1;
    QTest::newRow("zb-h2") << ScheduleKind::ZbH2 << 1;
    QTest::newRow("zb-v") << ScheduleKind::ZbV << 2;
}

// The input gradient leaves the activations where they are, for the weight gradient multiplies by them (Qi et al. 2023,
// section 2): a micro-batch's bytes are there from its forward to its weight gradient, or to its whole backward.
void TestSplitBackwardMemory::activationsLiveUntilTheWeightGradient()
{
    QFETCH(ScheduleKind, kind);
    QFETCH(int, chunks);
    ScenarioSpec spec = fourStages();
    spec.virtualPipeline = chunks;
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    scenario.degrees.schedule = kind;
    const PipelineSchedule schedule = scheduleOf(scenario);
    const std::vector<StageMemory> memory = stageMemory(scenario, m_catalogue.constants, schedule, true);
    const double layer = fullLayerActivationBytes(scenario, 0) * (1.0 + m_catalogue.constants.fragmentation);
    // A middle stage, without embedding and head.
    const auto &order = schedule.order[1];
    const auto layers = static_cast<double>(32 / (4 * chunks));
    int alive = 0, most = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const bool last = order[i].kind == OperationKind::Backward || order[i].kind == OperationKind::WeightGradient;
        if (order[i].kind == OperationKind::Forward) ++alive;
        most = std::max(most, alive);
        QVERIFY(near(static_cast<double>(memory[1].operations[i].during.activations), alive * layers * layer, 1e-9));
        if (last) --alive;
        QVERIFY(alive >= 0);
        QVERIFY(std::abs(static_cast<double>(memory[1].operations[i].after.activations) - alive * layers * layer) < 16.0);
    }
    QCOMPARE(alive, 0);
    QVERIFY(near(static_cast<double>(memory[1].peak.activations), most * layers * layer, 1e-9));
}

// Qi et al. 2023: ZB-H1 needs 1F1B's memory at its largest stage, p micro-batches; ZB-H2 2p - 1, on every stage.
void TestSplitBackwardMemory::zeroBubbleHoldsMore()
{
    ResolvedScenario scenario = scenarioOf(fourStages(), m_catalogue);
    const double micro = 8.0 * fullLayerActivationBytes(scenario, 0) * (1.0 + m_catalogue.constants.fragmentation);
    const auto largest = [&](ScheduleKind kind) {
        scenario.degrees.schedule = kind;
        double most = 0.0;
        // The last stage holds its head's logits too.
        const auto memory = stageMemory(scenario, m_catalogue.constants, scheduleOf(scenario));
        for (std::size_t stage = 0; stage < 3; ++stage)
            most = std::max(most, static_cast<double>(memory[stage].peak.activations));
        return most / micro;
    };
    QVERIFY(near(largest(ScheduleKind::OneFOneB), 4.0, 1e-9));
    QVERIFY(near(largest(ScheduleKind::ZbH1), 4.0, 1e-9));
    QVERIFY(near(largest(ScheduleKind::ZbH2), 7.0, 1e-9));
}

// Of every token: the final norm's input and the head's in 16 bits, 2 · 2 · 1,024 bytes, and the logits in fp32, as the
// cross entropy keeps them: 4 · 32,000. One micro-batch of 2,048 tokens.
void TestSplitBackwardMemory::headKeepsItsInputsAndLogits()
{
    const ResolvedScenario scenario = scenarioOf(fourStages(), m_catalogue);
    QCOMPARE(headActivationBytes(scenario), 2048.0 * (4.0 * 1024.0 + 4.0 * 32000.0));
    const auto memory = stageMemory(scenario, m_catalogue.constants, scheduleOf(scenario));
    const double share = 1.0 + m_catalogue.constants.fragmentation;
    const double layers = 8.0 * fullLayerActivationBytes(scenario, 0);
    // 1F1B keeps one micro-batch on the last stage.
    QVERIFY(near(static_cast<double>(memory[3].peak.activations), share * (layers + headActivationBytes(scenario)), 1e-9));
}

// With its reduction behind the backward, ZeRO-2 and 3 keep a chunk's gradient while the next chunk accumulates its own;
// without, one at a time.
void TestSplitBackwardMemory::twoGradientsWhileOneIsReduced()
{
    ScenarioSpec spec = fourStages();
    spec.gpus = 16, spec.virtualPipeline = 2, spec.zeroStage = 2, spec.globalBatch = 48;
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const auto most = [&](bool overlap) {
        scenario.degrees.overlapData = overlap;
        Bytes highest = 0;
        const auto memory = stageMemory(scenario, m_catalogue.constants, scheduleOf(scenario), true);
        for (const auto &operation : memory[1].operations) highest = std::max(highest, operation.during.gradients);
        return static_cast<double>(highest);
    };
    QVERIFY(most(true) > most(false));
}

QTEST_APPLESS_MAIN(TestSplitBackwardMemory)
#include "tst_split_backward_memory.moc"
