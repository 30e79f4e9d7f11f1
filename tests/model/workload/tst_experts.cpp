// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"
#include "model/workload/costs.h"
#include "model/workload/experts.h"
#include "model/workload/matmul.h"
#include "model/workload/memory.h"
#include "model/workload/parameters.h"
#include "model/workload/sharding.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

// With the fitted constants of the calibration of 2026-11, by which the golden row and the figures below were made.
Catalogue catalogue()
{
    auto loaded = loadCatalogue();
    if (!loaded.ok()) qFatal("the catalogue does not load");
    CostConstants &k = loaded.value().constants;
    k.matmulSustainedBlackwell = 0.762, k.blackwellPowerExponent = 1.15, k.groupedMatmulEfficiencyFp8 = 0.729;
    k.allToAllEfficiency = 0.83, k.moeMemoryFactor = 0.682, k.castBytesMxfp8 = 4.87;
    k.hostMoeLayerS = 4.93e-3, k.hostPerExpertS = 0.245e-3, k.hostExpertOverlapFactor = 1.81;
    return loaded.value();
}

// Megatron-Bridge 26.04, Qwen3 235B-A22B on 256 GB200, MXFP8.
ScenarioSpec qwen()
{
    ScenarioSpec s;
    s.model = qwen3Of235b();
    s.accelerator = gb200();
    s.profile = "mbridge";
    s.gpus = 256, s.pipeline = 8, s.virtualPipeline = 3, s.expert = 32;
    s.sequence = 4096, s.globalBatch = 8192;
    s.precision = Precision::Fp8;
    return s;
}

// DeepSeek-V3's attention and experts on H100: 64 expert ranks over eight servers.
ScenarioSpec deepSeek()
{
    ScenarioSpec s;
    s.model = modelOf(61, 7168, 18432, 128, 128, 128, 129280, true);
    s.model.moe = MoeShape{256, 8, 1, 2048, 3, 1};
    s.model.mla = MlaShape{1536, 512, 128, 64, 128};
    s.accelerator = h100();
    s.profile = "mbridge";
    s.gpus = 1024, s.pipeline = 16, s.expert = 64;
    s.sequence = 4096, s.globalBatch = 8192;
    return s;
}

} // namespace

class TestExperts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void groupedMatmulByHand();
    void copiesByHand();
    void allToAllByHand();
    void goldenQwen();
    void hostByHand();
    void imbalanceAndTokenDrop();
    void heldByOneRank();
    void activationsByHand();
    void memoryShardsExperts();
    void latentAttentionByHand();
    void foldingKeepsTheWork();
    void exposedSegments();
    void predictionModuleAddsALayerAndAHead();
    void tiedEmbedding();

private:
    Catalogue m_catalogue = catalogue();

    [[nodiscard]] LayerCost costOf(const ResolvedScenario &scenario, std::int64_t layer = 0) const
    {
        return layerCost(scenario, m_catalogue.constants, networkOf(scenario, m_catalogue.constants), layer);
    }
    [[nodiscard]] ResolvedScenario scenario(const ScenarioSpec &spec) const { return scenarioOf(spec, m_catalogue); }
};

// Four experts of (8192, 3072, 4096) at 2,000 TFLOP/s on 148 multiprocessors: 64 x 12 tiles of 128 x 256 each, 3,072
// together, 21 waves = 3,108 slots: q = 3108/3072 = 1.01171875. 4 x 2 x 8192 x 3072 x 4096 = 824,633,720,832 FLOPs,
// x q x (1 + 646/4096) / 2e15 = 0.48294 ms. One expert alone: 768 tiles, 6 waves = 888 slots: q = 1.15625.
void TestExperts::groupedMatmulByHand()
{
    const MatmulRate rate{2e15, 646.0, 148.0, 6.8e12};
    QCOMPARE(matmulQuantisation(8192, 3072, 148, 4), 1.01171875);
    QCOMPARE(matmulQuantisation(8192, 3072, 148), 1.15625);
    QVERIFY(near(matmulSeconds(8192, 3072, 4096, rate, 4), 824633720832.0 * 1.01171875 * (1.0 + 646.0 / 4096.0) / 2e15,
                 1e-12));
    // Few rows: the weights of all experts are read, 2 x 4 x (16 x 4096 + 4096 x 3072 + 16 x 3072) bytes at 6.8 TB/s.
    QVERIFY(near(matmulSeconds(16, 3072, 4096, rate, 4), 8.0 * (65536.0 + 12582912.0 + 49152.0) / 6.8e12, 1e-12));
}

// Eight experts of a token over 32 ranks: 8 x 31/32 = 7.75 copies, or 32 (1 - (31/32)^8) = 7.1771 to distinct ranks.
void TestExperts::copiesByHand()
{
    QCOMPARE(dispatchCopies(8, 32, false), 7.75);
    QVERIFY(near(dispatchCopies(8, 32, true), 32.0 * (1.0 - std::pow(31.0 / 32.0, 8)), 1e-12));
    QCOMPARE(dispatchCopies(1, 4, true), 0.75); // one expert has one copy, and a quarter stays at home
    QCOMPARE(dispatchCopies(8, 1, true), 0.0);
}

// Per direction inside one domain: 4096 tokens x 7.1771 copies x 8192 bytes over 0.83 x 900 GB/s, and three latencies
// of 12 us. Across 8 servers: DeepEP sends 8 (1 - (7/8)^8) 7/8 = 4.5947 copies of 14,336 bytes through 0.83 x 50 GB/s;
// all-to-all 7; one copy a token is spread inside the server, of which half shows.
void TestExperts::allToAllByHand()
{
    ResolvedScenario inside = scenario(qwen());
    inside.software.moeDispatcher = "hybridep";
    const AllToAllTime near72 = expertAllToAll(inside, m_catalogue.constants, networkOf(inside, m_catalogue.constants));
    const double copies = 32.0 * (1.0 - std::pow(31.0 / 32.0, 8));
    QVERIFY(near(near72.totalS(), 4096.0 * copies * 8192.0 / (0.83 * 900e9) + 36e-6, 1e-9));

    ResolvedScenario across = scenario(deepSeek());
    const double token = 4096.0 * 14336.0;
    const double spread = 0.5 * token / (0.83 * 450e9) + 36e-6;
    for (const bool deduplicated : {true, false}) {
        across.software.moeDispatcher = deduplicated ? "deepep" : "alltoall";
        const double sent = deduplicated ? 7.0 * (1.0 - std::pow(7.0 / 8.0, 8)) : 7.0;
        const AllToAllTime time =
            expertAllToAll(across, m_catalogue.constants, networkOf(across, m_catalogue.constants));
        QVERIFY(near(time.totalS(), token * sent / (0.83 * 50e9) + spread, 1e-9));
        QVERIFY(near(time.bytes, token * (sent + 1.0), 1e-9));
    }
}

// The calibration's printed parts of one layer and micro-batch, milliseconds: matmul 3.016, attention 0.855,
// memory-bound 0.937, cast 0.376, all-to-all 1.435; 5.91 of host time stretch 6.619 to 7.485; output layer 13.41.
void TestExperts::goldenQwen()
{
    ResolvedScenario s = scenario(qwen());
    s.software.fp8Recipe = "mxfp8";
    const LayerCost cost = costOf(s);
    const LayerSeconds &f = cost.forward;
    const LayerSeconds &b = cost.backward;
    // 2 % apart: a tile's fixed time replaces the calibration's 646 elements.
    QVERIFY(near(1e3 * (f.matmul + b.matmul), 3.016, 0.03));
    QVERIFY(near(1e3 * (f.attention + b.attention), 0.855, 0.005));
    QVERIFY(near(1e3 * (f.elementwise + b.elementwise), 0.937, 0.01));
    QVERIFY(near(1e3 * (f.cast + b.cast), 0.376, 0.01));
    QVERIFY(near(1e3 * (f.expertExposed + b.expertExposed), 1.435, 0.005));
    QVERIFY(near(1e3 * (f.total() + b.total()), 7.485, 0.01));
    QVERIFY(near(1e3 * (cost.headForward + cost.headBackward), 13.41, 0.005));
}

// 4.9 ms and 0.245 ms for each of four local experts; in bf16 half of the latter; 1.81 times with overlapped dispatch
// in fp8, in bf16 no more.
// A graph of the whole iteration leaves 15 %, of the layer alone when the experts are one fused kernel.
void TestExperts::hostByHand()
{
    CostConstants k = m_catalogue.constants;
    k.hostMoeLayerS = 4.9e-3, k.hostPerExpertS = 0.245e-3, k.hostExpertOverlapFactor = 1.81;
    ResolvedScenario s = scenario(qwen());
    s.software.expertOverlap = false;
    QVERIFY(near(expertHostSeconds(s, k), 5.88e-3, 1e-12));
    s.software.expertOverlap = true;
    QVERIFY(near(expertHostSeconds(s, k), 1.81 * 5.88e-3, 1e-12));
    s.software.cudaGraphs = CudaGraphs::Full;
    QVERIFY(near(expertHostSeconds(s, k), 0.15 * 5.88e-3, 1e-12));
    s.software.groupedMatmulFused = true;
    QVERIFY(near(expertHostSeconds(s, k), 0.15 * 4.9e-3, 1e-12));
    ResolvedScenario wide = scenario(qwen());
    wide.training.precision = Precision::Bf16;
    QVERIFY(near(expertHostSeconds(wide, k), 4.9e-3 + 0.49e-3, 1e-12));
    wide.software.expertOverlap = true;
    QVERIFY(near(expertHostSeconds(wide, k), 4.9e-3 + 0.49e-3, 1e-12));
}

// Twice the mean load doubles the rows and what goes over the wire; dropping what is above the mean takes it back.
void TestExperts::imbalanceAndTokenDrop()
{
    ResolvedScenario s = scenario(qwen());
    const NetworkModel network = networkOf(s, m_catalogue.constants);
    const AllToAllTime even = expertAllToAll(s, m_catalogue.constants, network);
    QCOMPARE(expertLoad(s).rows, 8.0 * 4096.0);
    s.training.routingImbalance = 2.0;
    QCOMPARE(expertLoad(s).rows, 16.0 * 4096.0);
    QVERIFY(near(expertAllToAll(s, m_catalogue.constants, network).scaleupS, 2.0 * even.scaleupS, 1e-12));
    s.software.tokenDrop = true;
    QCOMPARE(expertLoad(s).rows, 8.0 * 4096.0);
}

// A layer's experts: 128 x 3 x 4096 x 1536 = 2,415,919,104, on 32 ranks 75,497,472 each. Attention 2 x 4096 x 8192 +
// 2 x 4096 x 512, router 4096 x 128, norms 2 x 4096: 71,835,648. 32 data ranks a stage: one replica of each expert.
void TestExperts::heldByOneRank()
{
    const ResolvedScenario s = scenario(qwen());
    const HeldParameters held = heldParameters(s, layerParameters(s.model, 0));
    QCOMPARE(held.experts, 75497472.0);
    QCOMPARE(held.dense, 67108864.0 + 4194304.0 + 524288.0 + 8192.0);
    QCOMPARE(expertReplicas(s), 1.0);
    ScenarioSpec two = qwen();
    two.gpus = 512;
    const ResolvedScenario replicated = scenario(two);
    QCOMPARE(expertReplicas(replicated), 2.0);
    QCOMPARE(optimizerParameters(replicated, held), held.dense / 64.0 + held.experts / 2.0);
}

// Per token, bf16: norm and matmul inputs 8 x 4096; queries, keys, values 2 (8192 + 1024); the fused core 4 x 64;
// projection's input 2 x 8192; router scores 4 x 128; eight rows of 2 x 4096 + 6 x 1536.
void TestExperts::activationsByHand()
{
    ScenarioSpec spec = qwen();
    spec.precision = Precision::Bf16;
    const double token = 8.0 * 4096 + 2.0 * 9216 + 4.0 * 64 + 2.0 * 8192 + 4.0 * 128 + 8.0 * (2.0 * 4096 + 6.0 * 1536);
    QVERIFY(near(fullLayerActivationBytes(scenario(spec), 0), 4096.0 * token, 1e-12));
}

// Ninety-four layers on one stage of 64 ranks: parameters 2 bytes, fp32 gradients, optimizer 12 bytes over 64 data
// ranks; experts on 32 ranks, whose states two replicas share.
void TestExperts::memoryShardsExperts()
{
    ScenarioSpec spec = qwen();
    spec.pipeline = 1, spec.virtualPipeline = 1, spec.gpus = 64, spec.globalBatch = 64;
    ResolvedScenario s = scenario(spec);
    s.training.gradientBytes = 4;
    const double experts = 94.0 * 75497472.0;
    const double dense = 94.0 * 71835648.0 + 2.0 * 151936.0 * 4096.0 + 4096.0;
    const PipelineSchedule schedule = makeSchedule(ScheduleKind::OneFOneB, 1, 1, 1);
    const MemoryParts parts = stageMemory(s, m_catalogue.constants, schedule).front().peak;
    QVERIFY(near(static_cast<double>(parts.parameters), 2.0 * (experts + dense), 1e-9));
    QVERIFY(near(static_cast<double>(parts.gradients), 4.0 * (experts + dense), 1e-9));
    QVERIFY(near(static_cast<double>(parts.optimizer), 12.0 * (experts / 2.0 + dense / 64.0), 1e-9));
}

// DeepSeek-V3's attention: query down 7168 x 1536, up 1536 x 128 x 192; keys-values down 7168 x 576, up 512 x 128 x
// 256; output 128 x 128 x 7168: 187,105,280 weights, and twice that many FLOPs a token in the forward. Its core works
// on 192 + 128 wide heads: 4 x 4096 x 128 x 160 FLOPs a token, half of it causal.
void TestExperts::latentAttentionByHand()
{
    ResolvedScenario s = scenario(deepSeek());
    QCOMPARE(layerParameters(s.model, 0).attention, 187105280.0);
    CostConstants k = m_catalogue.constants;
    k.attentionShortSequenceTokens = 0.0;
    s.accelerator.name = "unknown";    // partial tiles only
    s.accelerator.hbmTbytesPerS = 1e9; // a tile's time vanishes
    k.matmulTileLatencyS = 0.0;
    const double rate = s.accelerator.measuredMatmulBf16Tflops.value() * 1e12 * k.matmulSustainedOther;
    const LayerCost dense = layerCost(s, k, networkOf(s, k), 0);
    const double mlp = 3.0 * 7168.0 * 18432.0;
    // 4096 rows fill every tile but those of the 576 outputs' last column: 5 of 128 for 4.5.
    const double padded = 187105280.0 + 7168.0 * (640.0 - 576.0);
    QVERIFY(near(dense.forward.matmul, 4096.0 * 2.0 * (padded + mlp) / rate, 1e-6));
    const double core = 0.5 * 4.0 * 4096.0 * 4096.0 * 128.0 * 160.0;
    QVERIFY(near(dense.forward.attention, core / (989e12 * k.cudnnBlackwell), 1e-9));
}

// Splitting every expert over two ranks halves its width and doubles the rows: the same FLOPs on each GPU.
void TestExperts::foldingKeepsTheWork()
{
    ScenarioSpec spec = qwen();
    spec.expert = 16, spec.expertTensor = 2;
    const ExpertLoad whole = expertLoad(scenario(qwen())), split = expertLoad(scenario(spec));
    QCOMPARE(split.rows * split.width, whole.rows * whole.width);
    QCOMPARE(split.experts * split.width, whole.experts * whole.width);
    const ResolvedScenario s = scenario(spec);
    QVERIFY(heldParameters(s, layerParameters(s.model, 0)).experts == 75497472.0);
    // Gathering rows and scattering results over the two: (n - 1)/n of 2 x 65,536 x 4096 bytes, each way.
    const NetworkModel network = networkOf(s, m_catalogue.constants);
    const double one = expertAllToAll(s, m_catalogue.constants, network).totalS();
    const BlockCollectives c = expertCollectives(s, m_catalogue.constants, network);
    const CollectiveTime gather =
        collectiveTime(CollectiveKind::AllGather, 2.0 * 65536.0 * 4096.0, network.expertTensor, m_catalogue.constants);
    QVERIFY(near(c.before, one + gather.totalS(), 1e-12));
}

// A stage of the pipeline shows dispatch and combine of each of its layers, twice in each pass; with context
// parallelism the exchange of keys and values: 30 % in the forward, twice that in the backward.
void TestExperts::exposedSegments()
{
    ScenarioSpec spec = qwen();
    spec.context = 2;
    const ResolvedScenario s = scenario(spec);
    const NetworkModel network = networkOf(s, m_catalogue.constants);
    const WorkloadCosts costs = workloadCosts(s, m_catalogue.constants, network);
    const double one = expertAllToAll(s, m_catalogue.constants, network).totalS();
    const auto layers = static_cast<double>(s.degrees.chunkLayers(0, 0));
    QVERIFY(near(ofCategory(costs.forward[0][0], Category::ExposedEp), layers * 2.0 * one, 1e-4));
    QVERIFY(near(ofCategory(costs.backward[0][0], Category::ExposedEp), layers * 2.0 * one, 1e-4));
    // Each of two ranks holds 2048 tokens; keys and values of all 4096: 2 x 4096 x 1024 bytes.
    const double exchange =
        collectiveTime(CollectiveKind::AllGather, 8388608.0, network.context, m_catalogue.constants).totalS();
    QVERIFY(near(ofCategory(costs.forward[0][0], Category::ExposedCp), layers * 0.3 * exchange, 1e-3));
    QVERIFY(near(ofCategory(costs.backward[0][0], Category::ExposedCp), layers * 0.6 * exchange, 1e-3));
    QCOMPARE(costs.communication.size(), std::size_t{5});
    QCOMPARE(costs.communication[3].dimension, Dimension::Context);
    QCOMPARE(costs.communication[4].dimension, Dimension::Expert);
    QVERIFY(costs.communication[4].algorithm == CollectiveAlgorithm::AllToAll);
    // 94 layers in 24 chunks: a stage has at most 12. Four directions each, 256 micro-batches of 2 x 32 ranks' data.
    QVERIFY(near(costs.communication[4].busyS, 12.0 * 4.0 * static_cast<double>(s.microBatches) * one, 1e-9));
}

void TestExperts::predictionModuleAddsALayerAndAHead()
{
    ScenarioSpec spec = deepSeek();
    const ResolvedScenario without = scenario(spec);
    spec.model.mtpLayers = 1;
    const ResolvedScenario with = scenario(spec);
    const auto last = [&](const ResolvedScenario &s) {
        return toSeconds(
            workloadCosts(s, m_catalogue.constants, networkOf(s, m_catalogue.constants)).forward.back().back().total());
    };
    const LayerCost layer = costOf(without, 60);
    const double growth = 1.0 + m_catalogue.constants.jitterGrowth * (std::sqrt(2.0 * std::log(1024.0)) - 2.04);
    const double compute = layer.forward.total() - layer.forward.expertExposed - layer.forward.host;
    const double added = growth * (compute + layer.headForward) + layer.forward.expertExposed + layer.forward.host;
    QVERIFY(near(last(with) - last(without), added, 1e-4));
    const ChunkParameters more = chunkParameters(with, 15, 0), less = chunkParameters(without, 15, 0);
    QCOMPARE(more.experts - less.experts, 4.0 * 3.0 * 7168.0 * 2048.0);
}

// 51,200 x 12,288 fp16 gradients over 8 tensor ranks cross one NIC of 0.9 x 25 GB/s, once.
void TestExperts::tiedEmbedding()
{
    ScenarioSpec spec;
    spec.model = gpt175b();
    spec.accelerator = a100();
    spec.profile = "megatron22";
    spec.gpus = 64, spec.tensor = 8, spec.pipeline = 8, spec.zeroStage = 0;
    ResolvedScenario s = scenario(spec);
    const NetworkModel network = networkOf(s, m_catalogue.constants);
    const double expected = 51200.0 * 12288.0 / 8.0 * 2.0 / 22.5e9 + 8.4e-6 + 24e-6;
    QVERIFY(near(tiedEmbeddingSeconds(s, m_catalogue.constants, network), expected, 1e-9));
    s.model.tiedEmbeddings = false;
    QCOMPARE(tiedEmbeddingSeconds(s, m_catalogue.constants, network), 0.0);
}

QTEST_APPLESS_MAIN(TestExperts)
#include "tst_experts.moc"
