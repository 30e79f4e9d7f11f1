// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/communication_report.h"

#include "model/workload/context_exchange.h"
#include "model/workload/experts.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

double real(std::int64_t value)
{
    return static_cast<double>(value);
}

// Ring traffic of a collective: each rank sends (n−1)/n of the buffer for a gather or scatter, twice for both.
double ringShare(double members)
{
    return members > 1.0 ? (members - 1.0) / members : 0.0;
}

std::int64_t layersOfStage(const Degrees &degrees, std::int64_t stage)
{
    std::int64_t layers = 0;
    for (std::int64_t chunk = 0; chunk < degrees.virtualPipeline; ++chunk)
        layers += degrees.chunkLayers(stage, chunk);
    return layers;
}

// In a schedule of two directions each chunk sees half of the micro-batches.
double microBatchesOfChunk(const ResolvedScenario &scenario)
{
    const bool twoWays = scenario.degrees.flow() == PipelineFlow::Bidirectional;
    return real(scenario.microBatches) / (twoWays ? 2.0 : 1.0);
}

// Blocks of a layer whose tensor-parallel collectives the backward repeats.
double repeatedBlocks(const ResolvedScenario &scenario, std::int64_t layer, std::int64_t inStage)
{
    const RepeatedCollectives repeats = repeatedCollectives(scenario, layer, recomputeOf(scenario, inStage));
    return repeats.all ? tensorBlocksOf(scenario, layer) : repeats.mlpTensor ? 1.0 : 0.0;
}

// Tensor-parallel collectives of a stage's layers for one micro-batch; full recompute repeats the forward's.
double tensorCollectivesOfStage(const ResolvedScenario &scenario, const TensorCollectives &tensor, std::int64_t stage)
{
    double count = 0.0;
    std::int64_t inStage = 0;
    for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
        const std::int64_t first = firstLayerOfChunk(scenario.degrees, stage, chunk);
        for (std::int64_t i = 0; i < scenario.degrees.chunkLayers(stage, chunk); ++i, ++inStage) {
            const double again = repeatedBlocks(scenario, first + i, inStage) * tensor.perBlockForward;
            count += tensorBlocksOf(scenario, first + i) * (tensor.perBlockForward + tensor.perBlockBackward) + again;
        }
    }
    return count;
}

// Layers whose full recompute repeats the forward's collectives.
std::int64_t recomputedLayers(const ResolvedScenario &scenario, std::int64_t layers)
{
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < layers; ++i)
        count += recomputeOf(scenario, i) == LayerRecompute::Full ? 1 : 0;
    return count;
}

// The two parts sum to the whole to the last bit: the smaller one is a difference of neighbours, which is exact
// (Sterbenz 1974).
void setBusy(DimensionReport &report, double busy, double startup)
{
    report.busyS = busy;
    report.startupS = std::min(startup, busy);
    report.transferS = busy - report.startupS;
    if (report.startupS < report.transferS) report.startupS = busy - report.transferS;
}

DimensionReport tensorReport(const ResolvedScenario &scenario, const CostConstants &constants,
                             const NetworkModel &network)
{
    DimensionReport report;
    report.dimension = Dimension::Tensor;
    if (scenario.degrees.tensor <= 1) return report;
    const TensorCollectives tensor = tensorCollectives(scenario, constants, network);
    double count = 0.0;
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage)
        count = std::max(count, tensorCollectivesOfStage(scenario, tensor, stage));
    count *= microBatchesOfChunk(scenario);
    const double t = real(scenario.degrees.tensor);
    report.bytesPerGpu = count * 2.0 * tokensPerGroup(scenario) * real(scenario.model.hidden) * ringShare(t);
    const bool sequence = scenario.degrees.sequenceParallel;
    setBusy(report, count * (sequence ? tensor.single : tensor.allReduce / 2.0),
            count * (sequence ? tensor.singleStartup : tensor.allReduceStartup / 2.0));
    report.algorithm = tensor.algorithm;
    report.protocol = CollectiveProtocol::Simple;
    report.bottleneck = network.tensor.domains > 1 ? network.tensor.bottleneck : "nvlink";
    return report;
}

struct DataTraffic {
    double bytes = 0.0, seconds = 0.0, startup = 0.0;
};

// ZeRO-3 repeats per layer and micro-batch what ZeRO-1 and 2 do once per chunk and iteration.
DataTraffic dataTrafficOfStage(const ResolvedScenario &scenario, const CostConstants &constants,
                               const NetworkModel &network, std::int64_t stage)
{
    DataTraffic traffic;
    const bool sharded = scenario.degrees.zeroStage == 3;
    const double gradient = real(gradientBytes(scenario));
    const double gather = scenario.degrees.zeroStage == 0 ? 0.0 : real(parameterGatherBytes(scenario));
    const double passes = sharded ? microBatchesOfChunk(scenario) : 1.0;
    const double reduces = sharded ? passes : std::min(gradientReductions(scenario), microBatchesOfChunk(scenario));
    const double gathers = sharded ? 2.0 : 1.0;
    const double reductions = gradientCollective(scenario) == CollectiveKind::AllReduce ? 2.0 : 1.0;
    const double share = ringShare(sharded ? optimizerShards(scenario) : real(network.data.members));
    const double expertShare = ringShare(sharded ? expertShards(scenario) : real(network.expertData.members));
    for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
        const HeldParameters held = chunkParameters(scenario, stage, chunk).held();
        traffic.bytes += (held.dense * share + held.experts * expertShare) *
                         (reduces * reductions * gradient + passes * gathers * gather);
        const SyncSeconds sync = chunkSyncSeconds(scenario, constants, network, held);
        traffic.seconds += sync.gather + reduces * sync.reduce;
        traffic.startup += sync.gatherStartup + reduces * sync.reduceStartup;
        if (!sharded) continue;
        const std::int64_t first = firstLayerOfChunk(scenario.degrees, stage, chunk);
        for (std::int64_t i = 0; i < scenario.degrees.chunkLayers(stage, chunk); ++i) {
            const LayerParameters p = layerParameters(scenario.model, first + i);
            const ShardCollectives shard = shardCollectives(scenario, constants, network, heldParameters(scenario, p));
            traffic.seconds += passes * (gathers * shard.gather + shard.reduce);
            traffic.startup += passes * (gathers * shard.gatherStartup + shard.reduceStartup);
        }
    }
    return traffic;
}

DimensionReport dataReport(const ResolvedScenario &scenario, const CostConstants &constants,
                           const NetworkModel &network)
{
    DimensionReport report;
    report.dimension = Dimension::Data;
    if (network.data.members <= 1) return report;
    double largest = 0.0;
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage) {
        const DataTraffic traffic = dataTrafficOfStage(scenario, constants, network, stage);
        report.bytesPerGpu = std::max(report.bytesPerGpu, traffic.bytes);
        if (traffic.seconds > report.busyS) setBusy(report, traffic.seconds, traffic.startup);
        for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk)
            largest = std::max(largest, chunkParameters(scenario, stage, chunk).held().dense);
    }
    const CollectiveTime time =
        collectiveTime(gradientCollective(scenario), largest * real(gradientBytes(scenario)), network.data, constants);
    report.algorithm = time.algorithm;
    report.protocol = time.protocol;
    report.bottleneck = time.bottleneck;
    return report;
}

// Each chunk sends its output forward and its input's gradient back, but for the model's two ends.
DimensionReport pipelineReport(const ResolvedScenario &scenario, const CostConstants &constants,
                               const NetworkModel &network, const std::vector<TimeNs> &transfer)
{
    DimensionReport report;
    report.dimension = Dimension::Pipeline;
    const Degrees &degrees = scenario.degrees;
    if (degrees.pipeline <= 1) return report;
    const double sends = microBatchesOfChunk(scenario) * real(2 * degrees.virtualPipeline - (degrees.pipeline == 2 ? 1 : 0));
    double load = 1.0;
    for (std::int64_t stage = 0; stage < degrees.pipeline; ++stage)
        load = std::max(load, boundaryLoad(scenario, stage));
    report.bytesPerGpu = sends * boundaryBytes(scenario) * load;
    std::size_t slowest = 0;
    for (std::size_t i = 0; i < transfer.size(); ++i)
        if (transfer[i] > transfer[slowest]) slowest = i;
    report.algorithm = CollectiveAlgorithm::PointToPoint;
    double startup = 0.0;
    if (slowest < network.pipeline.size()) {
        report.bottleneck = network.pipeline[slowest].bottleneck;
        startup = network.pipeline[slowest].latencyS + transferGather(scenario, constants, network).startupS;
    }
    if (!transfer.empty()) setBusy(report, sends * toSeconds(transfer[slowest]), sends * startup);
    return report;
}

// Forward and both halves of the backward (keys and values again, and their gradients), recompute as the forward.
DimensionReport contextReport(const ResolvedScenario &scenario, const CostConstants &constants,
                              const NetworkModel &network)
{
    DimensionReport report;
    report.dimension = Dimension::Context;
    if (scenario.degrees.context <= 1) return report;
    const ContextBusy busy = contextBusy(scenario, constants, network);
    double count = 0.0, seconds = 0.0, startup = 0.0;
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage) {
        const std::int64_t layers = layersOfStage(scenario.degrees, stage);
        const double backwards = real(layers), forwards = real(layers + recomputedLayers(scenario, layers));
        count = std::max(count, forwards + 2.0 * backwards);
        seconds = std::max(seconds, forwards * busy.forward + backwards * busy.backward);
        startup = std::max(startup, forwards * busy.forwardStartup + backwards * busy.backwardStartup);
    }
    const double microBatches = microBatchesOfChunk(scenario);
    const CollectiveTime time = contextExchangeTime(scenario, constants, network);
    report.bytesPerGpu = microBatches * count * contextExchangeBytes(scenario) * ringShare(real(scenario.degrees.context));
    setBusy(report, microBatches * seconds, microBatches * startup);
    report.algorithm = time.algorithm;
    report.protocol = time.protocol;
    report.bottleneck = time.bottleneck;
    return report;
}

// Dispatch and combine, in the forward and in the backward, of every layer with experts.
DimensionReport expertReport(const ResolvedScenario &scenario, const CostConstants &constants,
                             const NetworkModel &network)
{
    DimensionReport report;
    report.dimension = Dimension::Expert;
    const AllToAllTime time = expertAllToAll(scenario, constants, network);
    if (!(time.totalS() > 0.0)) return report;
    double count = 0.0;
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage) {
        double ofStage = 0.0;
        std::int64_t inStage = 0;
        for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
            const std::int64_t first = firstLayerOfChunk(scenario.degrees, stage, chunk);
            for (std::int64_t i = 0; i < scenario.degrees.chunkLayers(stage, chunk); ++i, ++inStage)
                if (isMoeLayer(scenario.model, first + i)) {
                    const auto repeats =
                        repeatedCollectives(scenario, first + i, recomputeOf(scenario, inStage));
                    ofStage += repeats.all || repeats.experts ? 6.0 : 4.0;
                }
        }
        count = std::max(count, ofStage);
    }
    count *= microBatchesOfChunk(scenario);
    report.bytesPerGpu = count * time.bytes;
    setBusy(report, count * time.totalS(), count * time.startupS);
    report.algorithm = CollectiveAlgorithm::AllToAll;
    report.bottleneck = time.networkS > time.scaleupS ? network.expert.bottleneck : "nvlink";
    return report;
}

} // namespace

double boundaryBytes(const ResolvedScenario &scenario)
{
    return 2.0 * tokensPerGroup(scenario) * real(scenario.model.hidden) / real(scenario.degrees.tensor);
}

TransferGather transferGather(const ResolvedScenario &scenario, const CostConstants &constants,
                              const NetworkModel &network)
{
    if (scenario.degrees.sequenceParallel || scenario.degrees.tensor == 1) return {};
    const TensorCollectives tensor = tensorCollectives(scenario, constants, network);
    return {tensor.single, tensor.singleStartup};
}

double boundaryLoad(const ResolvedScenario &scenario, std::int64_t stage)
{
    const Degrees &degrees = scenario.degrees;
    if (degrees.mtpChunk < 0 || scenario.model.mtpLayers == 0) return 1.0;
    // The last chunks of the stages run down, or in a V back up over the same boundaries.
    const bool upward = degrees.flow() == PipelineFlow::V;
    const std::int64_t lower = upward ? stage + 1 : stage;
    const std::int64_t last = degrees.virtualPipeline - 1;
    const bool between = stage + 1 < degrees.pipeline && degrees.chunkIndex(lower, last) >= degrees.mtpChunk;
    return between ? 1.0 + real(scenario.model.mtpLayers) / real(degrees.virtualPipeline) : 1.0;
}

std::vector<DimensionReport> communicationReports(const ResolvedScenario &scenario, const CostConstants &constants,
                                                  const NetworkModel &network, const std::vector<TimeNs> &transfer)
{
    std::vector<DimensionReport> reports{tensorReport(scenario, constants, network),
                                         dataReport(scenario, constants, network),
                                         pipelineReport(scenario, constants, network, transfer)};
    // Dimensions of every layout first; these only where they are used.
    if (scenario.degrees.context > 1) reports.push_back(contextReport(scenario, constants, network));
    if (scenario.degrees.expert > 1) reports.push_back(expertReport(scenario, constants, network));
    return reports;
}

} // namespace clusterbeat
