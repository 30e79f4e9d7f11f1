// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"
#include "model/workload/memory.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace {

Catalogue catalogue()
{
    auto loaded = loadCatalogue();
    if (!loaded.ok()) qFatal("the catalogue does not load");
    return loaded.value();
}

ScenarioSpec gpt(const ModelSection &model, std::int64_t pipeline, std::int64_t chunks, std::int64_t microBatch,
                 std::int64_t batch)
{
    ScenarioSpec s;
    s.model = model;
    s.accelerator = a100();
    s.profile = "megatron22";
    s.gpus = 8 * pipeline, s.tensor = 8, s.pipeline = pipeline, s.virtualPipeline = chunks, s.zeroStage = 0;
    s.microBatch = microBatch, s.globalBatch = batch;
    s.precision = Precision::Fp16;
    s.recompute = RecomputeMode::Selective;
    return s;
}

ScenarioSpec llama()
{
    ScenarioSpec s;
    s.model = llama405b();
    s.accelerator = h100();
    s.profile = "llama3";
    s.gpus = 16384, s.tensor = 8, s.pipeline = 16, s.virtualPipeline = 8, s.zeroStage = 2;
    s.sequence = 8192, s.globalBatch = 2048;
    return s;
}

} // namespace

class TestMemory : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void korthikantiLayer();
    void llamaLayerByHand();
    void korthikantiFigure1();
    void zeroStages();
    void zeroPaper();
    void schedulesHoldWhatTheyMust();
    void llama405bFitsAnH100();

private:
    Catalogue m_catalogue = catalogue();

    [[nodiscard]] std::vector<StageMemory> memoryOf(const ResolvedScenario &scenario) const
    {
        const PipelineSchedule schedule =
            makeSchedule(scenario.degrees.schedule, static_cast<std::int32_t>(scenario.degrees.pipeline),
                         static_cast<std::int32_t>(scenario.degrees.virtualPipeline),
                         static_cast<std::int32_t>(scenario.microBatches));
        return stageMemory(scenario, m_catalogue.constants, schedule);
    }
};

// Korthikanti et al. 2022: s·b·h·(34 + 5as/h)/t with tensor and sequence parallelism (eq. 4); selective recompute
// leaves 34/t (eq. 6); without sequence parallelism s·b·h·(10 + 24/t + 5as/ht) (eq. 2); full recompute 2·s·b·h.
void TestMemory::korthikantiLayer()
{
    const double sbh = 2048.0 * 12288.0;
    ScenarioSpec spec = gpt(gpt175b(), 8, 3, 1, 64);
    QVERIFY(near(layerActivationBytes(scenarioOf(spec, m_catalogue), 0, 0), sbh * 34.0 / 8.0, 1e-12));
    spec.recompute = RecomputeMode::None;
    const double core = 5.0 * 96.0 * 2048.0 / 12288.0;
    QVERIFY(near(layerActivationBytes(scenarioOf(spec, m_catalogue), 0, 0), sbh * (34.0 + core) / 8.0, 1e-12));
    spec.sequenceParallel = false;
    QVERIFY(near(layerActivationBytes(scenarioOf(spec, m_catalogue), 0, 0), sbh * (10.0 + (24.0 + core) / 8.0), 1e-12));
    spec.recompute = RecomputeMode::Full;
    QVERIFY(near(layerActivationBytes(scenarioOf(spec, m_catalogue), 0, 0), 2.0 * sbh, 1e-12));
}

// One token of Llama 3 405B with TP 8: inputs of two norms 2·2·16384/8 = 8192 and of two matmuls 8192; Q 4096, K and
// V 512; one fp32 sum a head 4·16 = 64; attention's output 4096; gate and up 2·2·6656 = 26624; their product 13312:
// 65,088 bytes.
void TestMemory::llamaLayerByHand()
{
    QCOMPARE(layerActivationBytes(scenarioOf(llama(), m_catalogue), 0, 0), 8192.0 * 65088.0);
}

// Korthikanti et al. 2022, figure 1, present work, GiB: parameters with optimizer, and activations, as printed. Buffers
// and the allocator's share are not in the figure. Parameters: 18 bytes (fp16 with fp32 main gradients).
void TestMemory::korthikantiFigure1()
{
    struct Row {
        ScenarioSpec spec;
        double states, activations;
    };
    const Row rows[] = {{gpt(gpt22b(), 1, 1, 4, 4), 45.5625, 9.5625},
                        {gpt(gpt175b(), 8, 3, 1, 64), 45.5625, 12.3515625},
                        {gpt(gpt530b(), 35, 3, 1, 280), 31.640625, 23.076171875},
                        {gpt(gpt1t(), 64, 1, 1, 512), 32.958984375, 26.5625}};
    double sum = 0.0;
    for (const Row &row : rows) {
        const StageMemory first = memoryOf(scenarioOf(row.spec, m_catalogue)).front();
        const double states =
            static_cast<double>(first.peak.parameters + first.peak.gradients + first.peak.optimizer) / kBytesPerGib;
        const double activations =
            static_cast<double>(first.peak.activations) / kBytesPerGib / (1.0 + m_catalogue.constants.fragmentation);
        const double error = (states + activations) / (row.states + row.activations) - 1.0;
        sum += std::abs(error);
    }
    QVERIFY2(sum / 4.0 < 0.05, qPrintable(QString::number(sum / 4.0)));
}

// Rajbhandari et al. 2020: 16 bytes a parameter with 16-bit gradients and 18 with fp32 ones; ZeRO-1 divides the 12 of
// the optimizer, ZeRO-2 the gradients too, ZeRO-3 everything.
void TestMemory::zeroStages()
{
    ScenarioSpec spec = llama();
    spec.model.layers = 16;
    spec.gpus = 64, spec.tensor = 1, spec.pipeline = 1, spec.virtualPipeline = 1, spec.globalBatch = 64;
    spec.profile = "nemo24";
    const auto states = [&](std::int64_t stage, std::int64_t gradientBytes) {
        spec.zeroStage = stage;
        ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
        scenario.training.gradientBytes = gradientBytes;
        const MemoryParts parts = memoryOf(scenario).front().peak;
        return std::array<double, 3>{static_cast<double>(parts.parameters), static_cast<double>(parts.gradients),
                                     static_cast<double>(parts.optimizer)};
    };
    // 16 layers, both vocabulary matrices, 33 norms.
    const double n = 16.0 * 3187671040.0 + 2.0 * 2101346304.0 + 33.0 * 16384.0;
    QVERIFY(near(states(0, 2)[0] + states(0, 2)[1] + states(0, 2)[2], 16.0 * n, 1e-12));
    QVERIFY(near(states(0, 4)[0] + states(0, 4)[1] + states(0, 4)[2], 18.0 * n, 1e-12));
    QVERIFY(near(states(1, 4)[2], 12.0 * n / 64.0, 1e-9));
    QVERIFY(near(states(1, 4)[1], 4.0 * n, 1e-12));
    // ZeRO-2 of one chunk reduces as the backward goes: two layers' gradients beside the shard.
    const double layer = 3187671040.0 + 2.0 * 16384.0;
    QVERIFY(near(states(2, 4)[1], 4.0 * (n / 64.0 + 2.0 * layer), 1e-9));
    QVERIFY(near(states(3, 4)[0], 2.0 * n / 64.0, 1e-9));
    QVERIFY(near(states(3, 4)[2], 12.0 * n / 64.0, 1e-9));
}

// Rajbhandari et al. 2020, figure 1: 7.5 B parameters on 64 GPUs take 120, 31.4, 16.6 and 1.9 GB with ZeRO 0 to 3. Their
// figure has no transient buffers: of ZeRO-2 two layers' 16-bit gradients are more, of ZeRO-3 the same.
void TestMemory::zeroPaper()
{
    ScenarioSpec spec;
    // 72 layers of 12 h² and 13 h: 7.5 B with h = 2,944.
    spec.model = modelOf(72, 2944, 4 * 2944, 32, 32, 92, 512, false);
    spec.accelerator = h100();
    spec.gpus = 64, spec.globalBatch = 64, spec.sequence = 128;
    const auto states = [&](std::int64_t stage) {
        spec.zeroStage = stage;
        ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
        scenario.training.gradientBytes = 2;
        const MemoryParts parts = memoryOf(scenario).front().peak;
        return static_cast<double>(parts.parameters + parts.gradients + parts.optimizer) / 1e9;
    };
    const double twoLayers = 2.0 * 2.0 * 12.0 * 2944.0 * 2944.0 / 1e9;
    QVERIFY(near(states(0), 120.0, 0.01));
    QVERIFY(near(states(1), 31.4, 0.01));
    QVERIFY(near(states(2) - twoLayers, 16.6, 0.01));
    QVERIFY(near(states(3) - twoLayers, 1.9, 0.02));
}

// 1F1B keeps min(m, p − i) micro-batches on stage i, GPipe all m (Narayanan et al. 2021).
void TestMemory::schedulesHoldWhatTheyMust()
{
    ScenarioSpec spec = gpt(gpt175b(), 8, 1, 1, 32);
    const double layer = 2048.0 * 12288.0 * 34.0 / 8.0 * 12.0 * (1.0 + m_catalogue.constants.fragmentation);
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const std::vector<StageMemory> oneFOneB = memoryOf(scenario);
    for (std::size_t stage = 1; stage + 1 < oneFOneB.size(); ++stage) {
        const double live = static_cast<double>(oneFOneB[stage].peak.activations) / layer;
        // A backward adds the attention core that selective recompute brings back for one layer.
        QVERIFY2(std::floor(live) == static_cast<double>(8 - stage), qPrintable(QString::number(live)));
    }
    scenario.degrees.schedule = ScheduleKind::GPipe;
    QVERIFY(near(static_cast<double>(memoryOf(scenario)[1].peak.activations) / layer, 32.0, 0.02));
}

// 80 GB as sold are 80 GiB = 85.9e9 bytes less the context. Llama 3 trained so without recompute (Llama Team 2024,
// section 3.3.2), so it must fit; 16 micro-batches of 8 one-layer chunks are all alive after the warm-up:
// 128 x 65,088 x 8192 = 68.25e9 bytes. Parameters 2 bytes of 8 layers, a 1/8 each: 6.38e9.
void TestMemory::llama405bFitsAnH100()
{
    ResolvedScenario scenario = scenarioOf(llama(), m_catalogue);
    std::vector<std::int64_t> layers(128, 1);
    layers.front() = 0;
    layers.back() = 0;
    scenario.degrees.layersPerChunk = layers;
    const std::vector<StageMemory> memory = memoryOf(scenario);
    const MemoryParts &middle = memory[5].peak;
    QVERIFY(near(static_cast<double>(middle.parameters), 8.0 * (2.0 * 3187671040.0 / 8.0 + 2.0 * 2.0 * 16384.0), 1e-9));
    QVERIFY(
        near(static_cast<double>(middle.activations), 68.25e9 * (1.0 + m_catalogue.constants.fragmentation), 0.001));
    for (const StageMemory &stage : memory)
        QVERIFY2(stage.peak.total() < usableMemory(scenario.accelerator, m_catalogue.constants),
                 qPrintable(QString::number(stage.peak.total())));
    QVERIFY(usableMemory(scenario.accelerator, m_catalogue.constants) < Bytes{80} * 1024 * 1024 * 1024);
}

QTEST_APPLESS_MAIN(TestMemory)
#include "tst_memory.moc"
