// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/costs.h"
#include "model/workload/sharding.h"
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

ScenarioSpec llama()
{
    ScenarioSpec s;
    s.model = llama405b();
    s.model.layers = 128; // one a chunk; the two more are those that the real one leaves out at its ends
    s.accelerator = h100();
    s.profile = "llama3";
    s.gpus = 16384, s.tensor = 8, s.pipeline = 16, s.virtualPipeline = 8, s.zeroStage = 2;
    s.sequence = 8192, s.globalBatch = 2048;
    return s;
}

ScenarioSpec sharded()
{
    ScenarioSpec s;
    s.model = llama2Of70b();
    s.accelerator = h100();
    s.profile = "torchtitan";
    s.gpus = 64, s.zeroStage = 3, s.sequence = 4096, s.globalBatch = 64;
    return s;
}

TimeNs sumOf(const OperationShape &shape, Category category)
{
    TimeNs sum = 0;
    for (const Segment &segment : shape.segments) sum += segment.category == category ? segment.ns : 0;
    return sum;
}

} // namespace

class TestCommunication : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void llamaTraffic();
    void twoDirectionsShareTheMicroBatches();
    void startupAndTransferAreBusy();
    void zeroStages();
    void reductionsPerRun();
    void transfers();
    void fsdpShowsWhatDoesNotFit();
    void fsdpWithoutOverlap();
    void reduceAfterEveryMicroBatch();
    void bucketsLead();
    void optimizerByHand();

private:
    Catalogue m_catalogue = catalogue();

    [[nodiscard]] WorkloadCosts costsOf(const ResolvedScenario &scenario, const NetworkModel &network) const
    {
        return workloadCosts(scenario, m_catalogue.constants, network);
    }
    [[nodiscard]] WorkloadCosts costsOf(const ResolvedScenario &scenario) const
    {
        return costsOf(scenario, networkOf(scenario, m_catalogue.constants));
    }
    [[nodiscard]] static DimensionReport report(const WorkloadCosts &costs, Dimension dimension)
    {
        for (const DimensionReport &r : costs.communication)
            if (r.dimension == dimension) return r;
        return {};
    }
};

// Llama 3 405B, one GPU and iteration. Data: 8 layers of 3,187,671,040/8 weights (and 8 x 2 norms of 16384) x (4 + 2)
// bytes x 127/128 = 18.98e9: the "about 19 GB". Pipeline: 16 micro-batches x 8 chunks, forward and backward, of
// 2 x 8192 x 16384 / 8 bytes = 8.59e9. Tensor: 8 layers x 16 x (4 + 6) collectives of 2 x 8192 x 16384 x 7/8 bytes.
void TestCommunication::llamaTraffic()
{
    const WorkloadCosts costs = costsOf(scenarioOf(llama(), m_catalogue));
    // The first stage has the input embedding on top, the last the output layer: 128256 x 16384 / 8 weights.
    const double weights = 8.0 * (3187671040.0 / 8.0 + 2.0 * 16384.0) + 128256.0 * 16384.0 / 8.0 + 16384.0;
    QVERIFY(near(report(costs, Dimension::Data).bytesPerGpu, weights * 6.0 * 127.0 / 128.0, 1e-9));
    QVERIFY(near(8.0 * (3187671040.0 / 8.0 + 2.0 * 16384.0) * 6.0 * 127.0 / 128.0, 19.0e9, 0.002));
    QVERIFY(near(report(costs, Dimension::Pipeline).bytesPerGpu, 2.0 * 16 * 8 * 2.0 * 8192 * 16384 / 8, 1e-12));
    QVERIFY(near(report(costs, Dimension::Tensor).bytesPerGpu, 8.0 * 16 * 10 * 2.0 * 8192 * 16384 * 7 / 8, 1e-12));
    QCOMPARE(report(costs, Dimension::Tensor).bottleneck, std::string("nvlink"));
    QCOMPARE(report(costs, Dimension::Pipeline).algorithm, CollectiveAlgorithm::PointToPoint);
}

// Two directions, two chunks a rank: each chunk sees half of the 16 micro-batches, so 8 x 2 outputs forward and as many
// gradients back leave a GPU, half of what two chunks in a loop send.
void TestCommunication::twoDirectionsShareTheMicroBatches()
{
    ScenarioSpec spec = llama();
    spec.virtualPipeline = 2;
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const double loop = report(costsOf(scenario), Dimension::Pipeline).bytesPerGpu;
    scenario.degrees.schedule = ScheduleKind::DualPipe;
    const double both = report(costsOf(scenario), Dimension::Pipeline).bytesPerGpu;
    QVERIFY(near(both, 2.0 * 8 * 2 * 2.0 * 8192 * 16384 / 8, 1e-12));
    QVERIFY(near(2.0 * both, loop, 1e-12));
}

// Busy is start-up and transfer to the last bit. Llama 3 on NVLink: 8 layers x 16 x 10 collectives of 12 us; transfers
// 2 x 16 x 8 of the path's latency of 24 us; halving every size halves the transfer and leaves the start-up.
void TestCommunication::startupAndTransferAreBusy()
{
    ScenarioSpec moe = sharded();
    moe.zeroStage = 1, moe.tensor = 2, moe.pipeline = 2, moe.context = 2, moe.sequenceParallel = false;
    for (const ScenarioSpec &spec : {llama(), sharded(), moe}) {
        const WorkloadCosts costs = costsOf(scenarioOf(spec, m_catalogue));
        for (const DimensionReport &r : costs.communication) {
            QVERIFY(r.startupS + r.transferS == r.busyS);
            QVERIFY(r.startupS >= 0.0 && r.transferS >= 0.0);
            QCOMPARE(r.startupS > 0.0, r.busyS > 0.0);
        }
    }
    const WorkloadCosts whole = costsOf(scenarioOf(llama(), m_catalogue));
    QVERIFY(near(report(whole, Dimension::Tensor).startupS, 8.0 * 16 * 10 * 12e-6, 1e-9));
    QVERIFY(near(report(whole, Dimension::Pipeline).startupS, 2.0 * 16 * 8 * 24e-6, 1e-9));
    ScenarioSpec spec = llama();
    spec.sequence /= 2;
    const WorkloadCosts half = costsOf(scenarioOf(spec, m_catalogue));
    for (const Dimension dimension : {Dimension::Tensor, Dimension::Pipeline}) {
        QVERIFY(near(report(half, dimension).startupS, report(whole, dimension).startupS, 1e-9));
        QVERIFY(near(report(half, dimension).transferS, report(whole, dimension).transferS / 2.0, 1e-5));
    }
}

// Rajbhandari et al. 2020: without ZeRO one all-reduce, with it a reduce-scatter and a gather of the parameters; both
// phases of the all-reduce move what these two move, so with equal widths the transfers take the same time.
void TestCommunication::zeroStages()
{
    ScenarioSpec spec = llama();
    const auto syncOf = [&](std::int64_t stage) {
        spec.zeroStage = stage;
        ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
        scenario.training.gradientBytes = 2;
        return chunkSyncSeconds(scenario, m_catalogue.constants, networkOf(scenario, m_catalogue.constants), {4e8, 0.0});
    };
    QCOMPARE(syncOf(0).gather, 0.0);
    QVERIFY(syncOf(0).reduce > 0.0);
    QVERIFY(syncOf(1).gather > 0.0);
    QCOMPARE(syncOf(1).reduce, syncOf(2).reduce);
    QVERIFY(syncOf(0).reduce <= syncOf(1).reduce + syncOf(1).gather);
    QCOMPARE(syncOf(3).reduce, 0.0); // by layer, inside the operations
    spec.gpus = 128;                 // one replica
    QCOMPARE(syncOf(1).reduce, 0.0);
}

// Interleaved backward passes come in groups of p micro-batches of one chunk; ZeRO-2 reduces after each group.
void TestCommunication::reductionsPerRun()
{
    ScenarioSpec spec = llama();
    QCOMPARE(gradientReductions(scenarioOf(spec, m_catalogue)), 1.0); // 16 micro-batches, 16 stages
    spec.globalBatch = 4096;
    QCOMPARE(gradientReductions(scenarioOf(spec, m_catalogue)), 2.0);
    spec.zeroStage = 1;
    QCOMPARE(gradientReductions(scenarioOf(spec, m_catalogue)), 1.0);
}

// 2 x 8192 x 16384 / 8 bytes at 45 GB/s and 24 us = 769.65 us; without sequence parallelism the gather over NVLink at
// 346.5 GB/s, 2 x 8192 x 16384 x 7/8 bytes, and 12 us come on top: 689.89 us.
void TestCommunication::transfers()
{
    ScenarioSpec spec = llama();
    const WorkloadCosts with = costsOf(scenarioOf(spec, m_catalogue));
    QCOMPARE(with.transfer.size(), std::size_t{16 * 128});
    QVERIFY(near(static_cast<double>(with.transfer[5]), 769654.0, 1e-4));
    spec.sequenceParallel = false;
    const WorkloadCosts without = costsOf(scenarioOf(spec, m_catalogue));
    QVERIFY(near(static_cast<double>(without.transfer[5]), 769654.0 + 689890.0, 1e-4));
}

// FSDP (Zhao et al. 2023): what of a layer's gather outlasts its compute shows; the rest slows it by the contention.
void TestCommunication::fsdpShowsWhatDoesNotFit()
{
    const ResolvedScenario scenario = scenarioOf(sharded(), m_catalogue);
    NetworkModel network = networkOf(scenario, m_catalogue.constants);
    network.data.scaleupBytesPerS = 1e15;
    network.data.networkBytesPerS = 1e15;
    const LayerCost fast = layerCost(scenario, m_catalogue.constants, network);
    QCOMPARE(fast.forward.sharding, 0.0);
    network = networkOf(scenario, m_catalogue.constants);
    network.data.networkBytesPerS /= 64.0;
    const LayerCost slow = layerCost(scenario, m_catalogue.constants, network);
    const double parameters = 2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 3.0 * 8192 * 28672 + 2.0 * 8192;
    const double gather = shardCollectives(scenario, m_catalogue.constants, network, {parameters, 0.0}).gather;
    const double compute = slow.forward.matmul + slow.forward.attention + slow.forward.elementwise;
    QVERIFY(gather > compute);
    QVERIFY(near(slow.forward.sharding, gather - compute, 1e-9));
    // Contention goes with the traffic: in full from 150 GB/s on, below in proportion. The copies out of FSDP2's flat
    // buffer, 4 bytes a parameter, come on top where the stack is FSDP2.
    const double rate = 2.0 * parameters / gather;
    QVERIFY(rate < 150e9);
    const bool copies = scenario.software.fsdp == FsdpFlavour::Fsdp2;
    const double copied = copies ? 4.0 * parameters / (3.35e12 * m_catalogue.constants.hbmEfficiency) : 0.0;
    QVERIFY(near(slow.forward.contention - copied, m_catalogue.constants.overlapContention * rate / 150e9 * compute, 1e-9));
    const WorkloadCosts costs = costsOf(scenario, network);
    QVERIFY(sumOf(costs.forward[0][0], Category::ExposedDp) > 0);
    QCOMPARE(costs.sync[0][0].gradientReduce, TimeNs{0});
    QCOMPARE(costs.sync[0][0].parameterGather, TimeNs{0});
}

// DeepSpeed of 2021 overlapped nothing: forward one gather, backward a gather and a reduction, and with full recompute
// one gather more; all of it waits.
void TestCommunication::fsdpWithoutOverlap()
{
    ScenarioSpec spec = sharded();
    spec.profile = "deepspeed-zero3";
    spec.recompute = RecomputeMode::Full;
    const ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const NetworkModel network = networkOf(scenario, m_catalogue.constants);
    const double parameters = 2.0 * 8192 * 8192 + 2.0 * 8192 * 1024 + 3.0 * 8192 * 28672 + 2.0 * 8192;
    const ShardCollectives shard = shardCollectives(scenario, m_catalogue.constants, network, {parameters, 0.0});
    const LayerCost cost = layerCost(scenario, m_catalogue.constants, network);
    QCOMPARE(cost.forward.sharding, shard.gather);
    QVERIFY(near(cost.backward.sharding, 2.0 * shard.gather + shard.reduce, 1e-12));
    QCOMPARE(cost.forward.contention, 0.0);
}

// Reducing after each micro-batch without overlap adds the whole reduction to every backward.
void TestCommunication::reduceAfterEveryMicroBatch()
{
    ScenarioSpec spec = llama();
    ResolvedScenario scenario = scenarioOf(spec, m_catalogue);
    const WorkloadCosts atEnd = costsOf(scenario);
    scenario.training.reduceEvery = ReduceEvery::MicroBatch;
    scenario.degrees.overlapData = false;
    const WorkloadCosts each = costsOf(scenario);
    QCOMPARE(each.backward[3][2].total() - atEnd.backward[3][2].total(), each.sync[3][2].gradientReduce);
    QVERIFY(each.sync[3][2].gradientReduce > 0);
}

// A chunk of one layer is one bucket and has no lead. With four layers the first forward may start, and the reduction
// begin, min(0.4 of the chunk's pass, 3/4 of the collective) early: what is left outside is at least the last bucket.
void TestCommunication::bucketsLead()
{
    const WorkloadCosts single = costsOf(scenarioOf(llama(), m_catalogue));
    QCOMPARE(single.sync[3][2].gatherLead, TimeNs{0});
    QCOMPARE(single.sync[3][2].reduceLead, TimeNs{0});
    ScenarioSpec spec = llama();
    spec.virtualPipeline = 2;
    const WorkloadCosts four = costsOf(scenarioOf(spec, m_catalogue));
    const ChunkSync &sync = four.sync[3][1];
    const double window = m_catalogue.constants.dataOverlapWindow;
    const double forward = static_cast<double>(four.forward[3][1].total());
    const double backward = static_cast<double>(four.backward[3][1].total());
    QVERIFY(near(static_cast<double>(sync.gatherLead),
                 std::min(window * forward, 0.75 * static_cast<double>(sync.parameterGather)), 1e-6));
    QVERIFY(near(static_cast<double>(sync.reduceLead),
                 std::min(window * backward, 0.75 * static_cast<double>(sync.gradientReduce)), 1e-6));
    QVERIFY(sync.gatherLead > 0 && sync.reduceLead > 0);
}

// One stage of a 24-layer GPT without ZeRO on one A100: 34 bytes a weight at 1.7 TB/s; with ZeRO-1 over 8 replicas
// 30/8 + 4.
void TestCommunication::optimizerByHand()
{
    ScenarioSpec spec;
    spec.model = modelOf(24, 1024, 4096, 16, 16, 64, 50304, false);
    spec.accelerator = a100();
    spec.profile = "megatron22";
    spec.zeroStage = 0;
    const double weights = 24.0 * (12.0 * 1024 * 1024 + 4.0 * 1024) + 50304.0 * 1024 + 2.0 * 1024;
    QVERIFY(near(toSeconds(costsOf(scenarioOf(spec, m_catalogue)).optimizer[0]), 34.0 * weights / 1.7e12, 1e-6));
    spec.zeroStage = 1;
    QVERIFY(near(toSeconds(costsOf(scenarioOf(spec, m_catalogue)).optimizer[0]), 7.75 * weights / 1.7e12, 1e-6));
}

QTEST_APPLESS_MAIN(TestCommunication)
#include "tst_communication.moc"
