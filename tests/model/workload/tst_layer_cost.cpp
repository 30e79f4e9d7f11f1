// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/costs.h"
#include "model/workload/matmul.h"
#include "model/workload/rates.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

Catalogue catalogue()
{
    auto loaded = loadCatalogue();
    if (!loaded.ok()) qFatal("the catalogue does not load");
    return loaded.value();
}

struct Golden {
    const char *name;
    ScenarioSpec spec;
    double layerMs, matmulMs, attentionMs, elementwiseMs, castMs, tensorMs, headMs, recomputeMs;
};

ScenarioSpec korthikanti()
{
    ScenarioSpec s;
    s.model = gpt175b();
    s.accelerator = a100();
    s.profile = "megatron22";
    s.gpus = 64, s.tensor = 8, s.pipeline = 8, s.virtualPipeline = 3, s.zeroStage = 0;
    s.globalBatch = 64;
    s.precision = Precision::Fp16;
    s.recompute = RecomputeMode::Selective;
    return s;
}

ScenarioSpec zeroBubble()
{
    ScenarioSpec s;
    s.model = gpt175b();
    s.model.layers = 46, s.model.hidden = 5120, s.model.ffnHidden = 20480, s.model.heads = 40, s.model.kvHeads = 40;
    s.model.vocab = 50304;
    s.accelerator = a100();
    s.profile = "zero-bubble";
    s.gpus = 16, s.pipeline = 16, s.zeroStage = 0, s.sequence = 1024, s.globalBatch = 128;
    s.precision = Precision::Fp16;
    return s;
}

ScenarioSpec mlperf()
{
    ScenarioSpec s;
    s.model = gpt175b();
    s.accelerator = h100();
    s.profile = "mlperf";
    s.gpus = 512, s.tensor = 4, s.pipeline = 8, s.virtualPipeline = 4, s.globalBatch = 2048;
    s.precision = Precision::Fp8;
    return s;
}

ScenarioSpec dgxc405b()
{
    ScenarioSpec s;
    s.model = llama405b();
    s.accelerator = h100();
    s.profile = "nemo24";
    s.gpus = 1152, s.tensor = 8, s.pipeline = 9, s.virtualPipeline = 7, s.context = 2;
    s.sequence = 8192, s.globalBatch = 504;
    s.precision = Precision::Fp8;
    return s;
}

ScenarioSpec mosaic7b()
{
    ScenarioSpec s;
    s.model = gpt175b();
    s.model.layers = 32, s.model.hidden = 4096, s.model.ffnHidden = 16384, s.model.heads = 32, s.model.kvHeads = 32;
    s.model.vocab = 50368;
    s.accelerator = a100();
    s.profile = "mosaic";
    s.zeroStage = 3, s.sequence = 8192, s.microBatch = 8, s.globalBatch = 128;
    s.recompute = RecomputeMode::Full;
    return s;
}

ScenarioSpec maxtext70b()
{
    ScenarioSpec s;
    s.model = llama2Of70b();
    s.accelerator = h100();
    s.profile = "maxtext";
    s.gpus = 128, s.zeroStage = 3, s.sequence = 4096, s.microBatch = 2, s.globalBatch = 256;
    return s;
}

ScenarioSpec bridge405b()
{
    ScenarioSpec s;
    s.model = llama405b();
    s.accelerator = gb300();
    s.profile = "mbridge";
    s.gpus = 256, s.tensor = 4, s.pipeline = 8, s.virtualPipeline = 4, s.sequence = 8192, s.globalBatch = 1536;
    s.precision = Precision::Fp4;
    return s;
}

// The calibration of 2026-11 as it stood: its fitted constants, and 2022's Megatron with dropout's extra traffic, the
// zero-bubble runs with FlashAttention 2. Its equations differ from today's in a matmul's prologue only: 323 elements
// of the inner dimension on every GPU, where a tile now costs a fixed time, which on A100 is fewer.
CostConstants calibrationOf2026November(CostConstants k)
{
    k.matmulSustainedAmpere = 0.896, k.matmulSustainedHopper = 0.83, k.matmulSustainedBlackwell = 0.762;
    k.blackwellPowerExponent = 1.15, k.fp4MatmulFactor = 0.84;
    k.fa1Ampere = 0.487, k.fa1HopperRatio = 0.535, k.fa1BackwardRatio = k.fa2BackwardRatio = 0.569, k.ultraAttentionForward = k.ultraAttentionBackward = 1.0,
    k.blackwellServerFactor = 1.0, k.unfusedMatmulFraction = 0.6;
    return k;
}

ResolvedScenario calibrationScenario(const ScenarioSpec &spec, const Catalogue &catalogue)
{
    ResolvedScenario scenario = scenarioOf(spec, catalogue);
    if (spec.profile == "megatron22" || spec.profile == "zero-bubble") scenario.software.elementwiseFactor = 1.5;
    if (spec.profile == "zero-bubble") {
        scenario.software.attentionKernel = AttentionKernel::Fa2;
        scenario.software.crossEntropyBytesPerLogit = 40.0;
    }
    return scenario;
}

// Times of one layer and micro-batch that the calibration of 2026-11 printed for seven published runs: forward and
// both backward passes together, and by kind of work; the output layer with cross entropy beside it. Milliseconds.
// Column "layer" includes recompute and excludes FSDP and context parallelism, which the source lists apart.
const Golden kGolden[] = {
    {"Korthikanti 175B, A100 fp16", korthikanti(), 17.21, 13.57, 1.478, 0.303, 0, 1.216, 4.93, 0.562},
    {"Zero bubble 14.6B, A100 fp16", zeroBubble(), 10.50, 9.604, 0.387, 0.505, 0, 0, 8.93, 0},
    {"MLPerf v3.1 GPT-3, H100 fp8", mlperf(), 6.608, 5.674, 0.178, 0.241, 0.286, 0.181, 3.47, 0},
    {"DGX Cloud 405B, H100 fp8", dgxc405b(), 12.21, 9.646, 0.898, 0.363, 0.597, 0.526, 11.46, 0},
    {"Mosaic 7B, A100 bf16", mosaic7b(), 667.5, 340.4, 159.0, 17.24, 0, 0, 415.6, 150.9},
    {"MaxText 70B, H100 bf16", maxtext70b(), 73.60, 66.90, 3.657, 3.036, 0, 0, 21.71, 0},
    {"Megatron-Bridge 405B, GB300 fp4", bridge405b(), 10.09, 5.311, 1.679, 0.608, 1.912, 0.454, 16.65, 0},
};

} // namespace

class TestLayerCost : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void matmulByHand();
    void quantisationByHand();
    void tileTimeByHand();
    void backwardCollectivesOfOldStacks();
    void accumulationByHand();
    void unfusedAttentionByHand();
    void golden_data();
    void golden();
    void hostBoundLayer();
    void timeGrowsWithSize();
    void powerLimitSlows();
    void parallelBlockHalvesCollectives();
    void forwardSegmentsInOrder();
    void recomputeComesBeforeItsBackward();
    void splitBackward();
    void emptyChunk();
    void growthAtScale();

private:
    Catalogue m_catalogue = catalogue();

    [[nodiscard]] LayerCost costOf(const ScenarioSpec &spec) const
    {
        const ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
        return layerCost(scenario, m_catalogue.constants, networkOf(scenario, m_catalogue.constants));
    }
    [[nodiscard]] WorkloadCosts costsOf(const ResolvedScenario &scenario) const
    {
        return workloadCosts(scenario, m_catalogue.constants, networkOf(scenario, m_catalogue.constants));
    }
};

// QKV of GPT 175B on A100 with TP 8: M 2048, N 4608, K 12288. Sustained 271.2 x 0.896 = 242.9952 TFLOP/s.
// Tiles of 128 x 256: 16 x 18 = 288, three waves of 108 = 324 tiles' work on 288: q = 1.125, the least of the four
// (128 x 128: 576 tiles, 6 waves, 1.125 x 1.12; 64 x 128: 1152, 11 waves, 1.03125 x 1.35).
// 2MNK = 231,928,233,984; x 1.125 x (1 + 323/12288) / 242.9952e12 = 1.101981 ms.
void TestLayerCost::matmulByHand()
{
    const MatmulRate rate{242.9952e12, 323.0, 108.0, 1.7e12};
    QVERIFY(near(matmulSeconds(2048, 4608, 12288, rate), 1.101981e-3, 1e-5));
    // Memory-bound: one row of 4096 x 4096. 2 (4096 + 4096^2 + 4096) bytes at 1.7 TB/s = 19.747 us.
    QVERIFY(near(matmulSeconds(1, 4096, 4096, MatmulRate{1e18, 0.0, 0.0, 1.7e12}), 19.7475e-6, 1e-4));
    QCOMPARE(matmulSeconds(0, 4096, 4096, rate), 0.0);
}

// A tile of 128 x 256 writes 65,536 bytes at the multiprocessor's share of the memory, 1.7e12/108 B/s, in 4.16 us,
// after 1 us of latency: at 242.9952e12/108 FLOP/s as long as 5.163 us x 2.25e12 / 65,536 = 177.3 elements of the inner
// dimension. H100 in fp8: 4.035 us at 8.825e12 FLOP/s, 543 elements; the calibration's two fitted figures are 323, 646.
void TestLayerCost::tileTimeByHand()
{
    CostConstants k = calibrationOf2026November(m_catalogue.constants);
    k.matmulTileLatencyS = 1e-6;
    const double a100Depth = gpuRates(scenarioOf(korthikanti(), m_catalogue), k).matmul.depthElements;
    QVERIFY(near(a100Depth, (1e-6 + 65536.0 * 108.0 / 1.7e12) * 242.9952e12 / 108.0 / 65536.0, 1e-9));
    QVERIFY(near(a100Depth, 177.3, 1e-3));
    QVERIFY(near(gpuRates(scenarioOf(mlperf(), m_catalogue), k).matmul.depthElements, 543.0, 2e-3));
}

// Until late 2021 Megatron ended each backward block with an all-reduce that nothing hides.
void TestLayerCost::backwardCollectivesOfOldStacks()
{
    ScenarioSpec spec = korthikanti();
    spec.sequenceParallel = false;
    QCOMPARE(costOf(spec).backward.tensorExposed, 0.0);
    spec.profile = "megatron21";
    const LayerCost old = costOf(spec);
    QCOMPARE(old.backward.tensorExposed, old.forward.tensorExposed);
    QVERIFY(old.forward.tensorExposed > 0.0);
}

// DeepSpeed's bf16 optimizer: 26 bytes a weight and micro-batch; 1.8 billion/8 weights a layer at 1.7 TB/s. fp16 none.
void TestLayerCost::accumulationByHand()
{
    ScenarioSpec spec = korthikanti();
    spec.profile = "megatron-ds";
    const double narrow = costOf(spec).backward.elementwise;
    spec.precision = Precision::Bf16;
    QVERIFY(near(costOf(spec).backward.elementwise - narrow, 26.0 * 12.0 * 12288.0 * 12288.0 / 8.0 / 1.7e12, 1e-9));
}

void TestLayerCost::quantisationByHand()
{
    QCOMPARE(matmulQuantisation(2048, 4608, 108), 1.125);
    QCOMPARE(matmulQuantisation(256, 256, 0), 1.0); // whole tiles, waves unknown
    QCOMPARE(matmulQuantisation(64, 128, 0), 1.35); // one small tile at its price
}

// Korthikanti's 175B: causal attention FLOPs Fc = 0.5 x 4 x 2048 x 2048 x (96/8) x 128 = 1.28849e10; forward
// 2 Fc/(0.6 x 242.9952e12) = 0.176751 ms plus 13 x 2048 x 2048 x 12 bytes / 1.7 TB/s = 0.384893 ms = 0.561644 ms.
void TestLayerCost::unfusedAttentionByHand()
{
    const CostConstants k = calibrationOf2026November(m_catalogue.constants);
    const ResolvedScenario scenario = calibrationScenario(korthikanti(), m_catalogue);
    const LayerCost cost = layerCost(scenario, k, networkOf(scenario, k));
    QVERIFY(near(cost.forward.attention, 0.561644e-3, 1e-5));
    QVERIFY(near(cost.backward.recompute, 0.561644e-3, 1e-5)); // selective recompute is the core again
}

void TestLayerCost::golden_data()
{
    QTest::addColumn<int>("row");
    for (int i = 0; i < static_cast<int>(std::size(kGolden)); ++i)
        QTest::newRow(kGolden[i].name) << i;
}

void TestLayerCost::golden()
{
    QFETCH(int, row);
    const Golden &g = kGolden[row];
    const CostConstants k = calibrationOf2026November(m_catalogue.constants);
    const ResolvedScenario scenario = calibrationScenario(g.spec, m_catalogue);
    const LayerCost cost = layerCost(scenario, k, networkOf(scenario, k));
    const LayerSeconds &f = cost.forward;
    const LayerSeconds &b = cost.backward;
    const double ms = 1e3;
    const bool sharded = g.spec.zeroStage == 3;
    const double fsdp = sharded ? f.sharding + b.sharding + f.contention + b.contention : 0.0;
    // The prologue's difference, and what recompute repeats of it.
    const bool ampere = g.spec.accelerator.name == a100().name;
    const double matmul = ms * (f.matmul + b.matmul);
    QVERIFY(near(matmul, g.matmulMs, ampere || g.spec.precision == Precision::Fp4 ? 0.065 : 0.03));
    QVERIFY(!ampere || matmul < g.matmulMs);
    const double others = ms * (f.total() + b.total() - fsdp - b.recompute) - matmul;
    QVERIFY(near(others, g.layerMs - g.matmulMs - g.recomputeMs, 0.02));
    QVERIFY(near(ms * (f.attention + b.attention), g.attentionMs, 0.005));
    QVERIFY(near(ms * (f.elementwise + b.elementwise), g.elementwiseMs, 0.005));
    QVERIFY(near(ms * (f.cast + b.cast), g.castMs, 0.01));
    QVERIFY(near(ms * (f.tensorExposed + b.tensorExposed), g.tensorMs, 0.005));
    QVERIFY(near(ms * b.recompute, g.recomputeMs, g.spec.recompute == RecomputeMode::Full ? 0.04 : 0.005));
    QVERIFY(near(ms * (cost.headForward + cost.headBackward), g.headMs, ampere ? 0.05 : 0.03));
}

// A tiny layer waits for the host: t = (t_gpu^4 + 0.5 ms^4)^(1/4), which is 0.5 ms when t_gpu is far below; a full
// CUDA graph leaves 15 % of the host time: 0.075 ms.
void TestLayerCost::hostBoundLayer()
{
    ScenarioSpec spec = zeroBubble();
    spec.model = modelOf(4, 256, 1024, 4, 4, 64, 1024, false);
    spec.sequence = 128;
    const LayerCost plain = costOf(spec);
    QVERIFY(plain.forward.total() - plain.forward.host < 0.1e-3);
    QVERIFY(near(plain.forward.total() + plain.backward.total(), 0.5e-3, 0.01));
    ResolvedScenario graphed = scenarioOf(spec, m_catalogue);
    graphed.software.cudaGraphs = CudaGraphs::Full;
    const LayerCost fast = layerCost(graphed, m_catalogue.constants, networkOf(graphed, m_catalogue.constants));
    const double gpu = fast.forward.total() + fast.backward.total() - fast.forward.host - fast.backward.host;
    const double expected = std::sqrt(std::sqrt(std::pow(gpu, 4) + std::pow(0.075e-3, 4)));
    QVERIFY(near(fast.forward.total() + fast.backward.total(), expected, 1e-9));
}

// More sequence, width or micro-batch never takes less time.
void TestLayerCost::timeGrowsWithSize()
{
    const auto total = [this](const ScenarioSpec &spec) {
        const LayerCost cost = costOf(spec);
        return cost.forward.total() + cost.backward.total() + cost.headForward + cost.headBackward;
    };
    for (const ScenarioSpec &base : {korthikanti(), dgxc405b(), bridge405b()}) {
        double before = 0.0;
        for (std::int64_t microBatch : {1, 2, 3, 4, 8}) {
            ScenarioSpec spec = base;
            spec.microBatch = microBatch;
            QVERIFY(total(spec) > before);
            before = total(spec);
        }
        before = 0.0;
        for (std::int64_t sequence = 1024; sequence <= 65536; sequence *= 2) {
            ScenarioSpec spec = base;
            spec.sequence = sequence;
            QVERIFY(total(spec) > before);
            before = total(spec);
        }
        before = 0.0;
        for (std::int64_t ffn = 8192; ffn <= 131072; ffn *= 2) {
            ScenarioSpec spec = base;
            spec.model.ffnHidden = ffn;
            QVERIFY(total(spec) > before);
            before = total(spec);
        }
    }
}

// (500/700)^0.6 = 0.8172: an H100 held at 500 W takes 1/0.8172 = 1.2237 times as long for arithmetic-bound matmuls.
void TestLayerCost::powerLimitSlows()
{
    ScenarioSpec spec = mlperf();
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const NetworkModel network = networkOf(scenario, m_catalogue.constants);
    const LayerCost free = layerCost(scenario, m_catalogue.constants, network);
    scenario.software.powerLimitW = 500.0;
    const LayerCost capped = layerCost(scenario, m_catalogue.constants, network);
    // Loads and stores of a tile go on at the memory's pace.
    const double slower = capped.forward.matmul / free.forward.matmul;
    QVERIFY(slower > 1.18 && slower < 1.2237);
    QVERIFY(near(capped.forward.attention / free.forward.attention, 1.2237, 1e-3));
    QCOMPARE(capped.forward.elementwise, free.forward.elementwise);
}

void TestLayerCost::parallelBlockHalvesCollectives()
{
    ScenarioSpec spec = korthikanti();
    const double serial = costOf(spec).forward.tensorExposed;
    spec.model.parallelBlock = true;
    QVERIFY(near(costOf(spec).forward.tensorExposed, 0.5 * serial, 1e-12));
}

// Sequence parallelism, forward: all-gather, attention, reduce-scatter, all-gather, MLP, reduce-scatter. One
// collective: 2 x 2048 x 12288 x 7/8 bytes at 231 GB/s + 12 us = 202.645 us.
void TestLayerCost::forwardSegmentsInOrder()
{
    ScenarioSpec spec = korthikanti();
    const WorkloadCosts costs = costsOf(scenarioOf(spec, m_catalogue));
    const OperationShape &middle = costs.forward[3][1]; // 4 layers
    const std::vector<Category> expected{Category::ExposedTp, Category::Forward, Category::ExposedTp,
                                         Category::ExposedTp, Category::Forward, Category::ExposedTp,
                                         Category::Host};
    std::vector<Category> first;
    for (std::size_t i = 0; i < 6; ++i)
        first.push_back(middle.segments[i].category);
    QVERIFY(std::equal(first.begin(), first.end(), expected.begin()));
    QVERIFY(near(static_cast<double>(middle.segments[0].ns), 202645.0, 1e-4));
    QVERIFY(middle.segments.size() >= 24 && middle.segments.size() <= 28);
    // Every chunk has four layers; the ends have embedding and output layer on top.
    QVERIFY(costs.forward[0][0].total() > middle.total());
    QVERIFY(costs.forward[7][2].total() > costs.forward[0][0].total());
    QCOMPARE(costs.forward[2][2].total(), middle.total());
}

void TestLayerCost::recomputeComesBeforeItsBackward()
{
    ScenarioSpec spec = korthikanti();
    spec.recompute = RecomputeMode::Full;
    spec.model.layers = 8;
    spec.virtualPipeline = 1;
    const WorkloadCosts costs = costsOf(scenarioOf(spec, m_catalogue));
    const OperationShape &backward = costs.backward[3][0]; // one layer, no ends
    TimeNs recompute = 0;
    TimeNs repeated = 0;
    std::size_t last = 0;
    std::size_t firstBackward = backward.segments.size();
    for (std::size_t i = 0; i < backward.segments.size(); ++i) {
        if (backward.segments[i].category == Category::Recompute) {
            recompute += backward.segments[i].ns;
            last = i;
        }
        if (backward.segments[i].category == Category::Backward) firstBackward = std::min(firstBackward, i);
        if (i < firstBackward && backward.segments[i].category == Category::ExposedTp)
            repeated += backward.segments[i].ns;
    }
    QVERIFY(last < firstBackward);
    // It is the forward again, collectives included (plus the backward's own first all-gather).
    TimeNs forward = 0;
    TimeNs forwardTensor = 0;
    for (const Segment &segment : costs.forward[3][0].segments) {
        forward += segment.category == Category::Forward ? segment.ns : 0;
        forwardTensor += segment.category == Category::ExposedTp ? segment.ns : 0;
    }
    QVERIFY(std::abs(recompute - forward) <= 2);
    QVERIFY(std::abs(repeated - forwardTensor * 5 / 4) <= 4);
}

// Input and weight gradient of a split backward are the whole backward (to the rounding of their segments); matmuls
// divide about evenly, attention has no weight gradient. Other schedules have no split.
void TestLayerCost::splitBackward()
{
    ScenarioSpec spec = korthikanti();
    spec.virtualPipeline = 1;
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    QVERIFY(costsOf(scenario).weightGradient.empty());
    scenario.degrees.schedule = ScheduleKind::ZbH1;
    const WorkloadCosts costs = costsOf(scenario);
    const LayerCost layer = costOf(spec);
    for (const std::size_t stage : {std::size_t{0}, std::size_t{3}, std::size_t{7}}) {
        const OperationShape &input = costs.inputGradient[stage][0];
        const OperationShape &weight = costs.weightGradient[stage][0];
        const TimeNs difference = input.total() + weight.total() - costs.backward[stage][0].total();
        QVERIFY(std::abs(difference) <= static_cast<TimeNs>(input.segments.size() + weight.segments.size()));
        for (const Segment &segment : weight.segments)
            QVERIFY(segment.category == Category::WeightGradient || segment.category == Category::Host);
    }
    TimeNs weight = 0;
    for (const Segment &segment : costs.weightGradient[3][0].segments)
        weight += segment.ns;
    const double matmuls = 12.0 * layer.backward.matmul; // layers of a stage
    QVERIFY(toSeconds(weight) > 0.45 * matmuls && toSeconds(weight) < 0.6 * matmuls);
}

// A chunk without layers, embedding or output layer takes no time; one of the embedding alone as long as its transfer.
void TestLayerCost::emptyChunk()
{
    ScenarioSpec spec = korthikanti();
    spec.virtualPipeline = 1;
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    scenario.degrees.layersPerChunk = {0, 14, 14, 0, 14, 14, 20, 20};
    const WorkloadCosts costs = costsOf(scenario);
    QVERIFY(costs.forward[3][0].segments.empty());
    QVERIFY(costs.backward[3][0].segments.empty());
    // The embedding alone is shorter than its output is on the wire, which the GPU sends one after the other.
    QCOMPARE(costs.forward[0][0].segments.size(), std::size_t{2});
    QCOMPARE(costs.forward[0][0].segments[0].category, Category::Forward);
    QCOMPARE(costs.forward[0][0].segments[1].category, Category::ExposedPp);
    QCOMPARE(costs.forward[0][0].total(), costs.transfer[0]);
}

// 1 + 0.02 (sqrt(2 ln 16384) - 2.04) = 1.04730: ln 16384 = 9.704061, sqrt(19.408121) = 4.405465. Communication does
// not grow.
void TestLayerCost::growthAtScale()
{
    ScenarioSpec spec = korthikanti();
    spec.model.layers = 24;
    spec.virtualPipeline = 3;
    spec.gpus = 16384;
    spec.globalBatch = 16384;
    const LayerCost layer = costOf(spec);
    const WorkloadCosts costs = costsOf(scenarioOf(spec, m_catalogue));
    TimeNs forward = 0;
    TimeNs tensor = 0;
    for (const Segment &segment : costs.forward[3][1].segments) {
        forward += segment.category == Category::Forward ? segment.ns : 0;
        tensor += segment.category == Category::ExposedTp ? segment.ns : 0;
    }
    const double compute = layer.forward.matmul + layer.forward.attention + layer.forward.elementwise;
    QVERIFY(near(static_cast<double>(forward), compute * 1.0473093e9, 1e-6));
    QVERIFY(near(static_cast<double>(tensor), layer.forward.tensorExposed * 1e9, 1e-6));
}

QTEST_APPLESS_MAIN(TestLayerCost)
#include "tst_layer_cost.moc"
