// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/costs.h"

#include "model/base/math.h"
#include "model/workload/communication_report.h"
#include "model/workload/host_link.h"
#include "model/workload/layer_cost.h"
#include "model/workload/operation_shapes.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat
{
namespace
{

// A full-iteration CUDA graph leaves this share of the iteration's fixed host time (calibration of 2026-11).
constexpr double kFullGraphIterationShare = 0.3;

// The slowest of G GPUs sets the pace; the expected maximum of G normal draws grows as sqrt(2 ln G). Normalised to
// the 8 GPUs of one server, where the constants were fitted; smaller jobs gain nothing.
double growthAtScale(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const double gpus = static_cast<double>(scenario.degrees.ranks());
    if (gpus <= 8.0) return 1.0;
    return 1.0 + constants.jitterGrowth * std::max(0.0, std::sqrt(2.0 * exactLog(gpus)) - 2.04);
}

// Reducing more than once shows what does not fit behind the compute of the backwards: after every micro-batch, or after
// a run of them (ZeRO-2 of an interleaved schedule), its share of one. The last one runs as the chunk's own.
double reduceExposedPerMicroBatch(const ResolvedScenario &scenario, double reduceSeconds, double room)
{
    if (scenario.degrees.zeroStage == 3) return 0.0; // FSDP reduces by layer
    const bool each = scenario.training.reduceEvery.value_or(ReduceEvery::ChunkEnd) == ReduceEvery::MicroBatch;
    const bool twoWays = scenario.degrees.flow() == PipelineFlow::Bidirectional;
    const double passes = static_cast<double>(scenario.microBatches) / (twoWays ? 2.0 : 1.0);
    const double early = (gradientReductions(scenario) - 1.0) / passes;
    const double seconds = (each ? 1.0 : early) * reduceSeconds;
    return scenario.degrees.overlapData || !each ? std::max(0.0, seconds - room) : seconds;
}

// A GPU sends one micro-batch's activations at a time: an operation lasts at least as long as its output is on the wire,
// unless it waits for that anyway.
void holdForTransfer(OperationShape &shape, TimeNs transfer)
{
    const TimeNs total = shape.total();
    if (total > 0 && total < transfer) shape.segments.push_back({Category::ExposedPp, transfer - total, 0});
}

/// The slowest transfers of a stage, to the next part of the model and back to the one before; 0 when it sends nothing.
struct StageTransfers {
    TimeNs forward = 0, backward = 0;
};
StageTransfers transfersOf(const ResolvedScenario &scenario, const std::vector<TimeNs> &transfer, std::int64_t stage,
                           std::int64_t chunk)
{
    const Degrees &degrees = scenario.degrees;
    if (degrees.pipeline == 1 || transfer.empty()) return {};
    const auto slowest = [&](std::int64_t link) {
        const auto first = transfer.begin() + static_cast<std::ptrdiff_t>(link * degrees.data);
        return *std::max_element(first, first + static_cast<std::ptrdiff_t>(degrees.data));
    };
    const std::int64_t last = degrees.pipeline - 1, before = stage == 0 ? last : stage - 1;
    if (degrees.flow() == PipelineFlow::Loop) {
        const bool begins = stage == 0 && chunk == 0, ends = stage == last && chunk + 1 == degrees.virtualPipeline;
        return {ends ? 0 : slowest(stage), begins ? 0 : slowest(before)};
    }
    const TimeNs either = std::max(stage < last ? slowest(stage) : 0, stage > 0 ? slowest(before) : 0);
    return {either, either};
}

// Buckets of one layer each: communication runs behind the chunk's own pass but for the first or last bucket, as far
// as the calibrated usable share of that window and the compute in it that hides nothing else go.
ChunkSync chunkSync(const SyncSeconds &seconds, double layers, double forward, double backward,
                    double forwardRoom, double backwardRoom, const CostConstants &constants)
{
    ChunkSync sync;
    sync.parameterGather = toNs(seconds.gather);
    sync.gradientReduce = toNs(seconds.reduce);
    if (layers < 2.0) return sync;
    const double others = (layers - 1.0) / layers;
    const double window = std::min(constants.dataOverlapWindow, others);
    sync.gatherLead = toNs(std::min({window * forward, others * seconds.gather, forwardRoom}));
    sync.reduceLead = toNs(std::min({window * backward, others * seconds.reduce, backwardRoom}));
    return sync;
}

// Adam reads and writes its states once (30 bytes a parameter of the own shard; FSDP1 in unfused kernels twice that)
// and every local gradient once for the norm.
double optimizerSeconds(const ResolvedScenario &scenario, const CostConstants &constants, const HeldParameters &held)
{
    const double shard = optimizerParameters(scenario, held);
    const double local = scenario.degrees.zeroStage == 3 ? shard : held.total();
    const double passes = scenario.software.fsdp == FsdpFlavour::Fsdp1 && scenario.degrees.zeroStage == 3 ? 2.0 : 1.0;
    const double hbm = scenario.accelerator.hbmTbytesPerS * 1e12 * constants.hbmEfficiency;
    if (scenario.training.optimizerOffload) return 4.0 * local / hbm + hostOptimizerSeconds(scenario, shard);
    return (constants.optimizerBytesPerParameter * passes * shard + 4.0 * local) / hbm;
}

void addStage(WorkloadCosts &costs, const ResolvedScenario &scenario, const CostConstants &constants,
              const NetworkModel &network, LayerCache &layers, const std::vector<TimeNs> &transfer, std::int64_t stage)
{
    const Wires wires = wiresOf(network.data);
    const double growth = growthAtScale(scenario, constants);
    const bool split = scenario.degrees.splitsBackward();
    std::vector<OperationShape> forward, backward, input, weight;
    std::vector<ChunkSync> sync;
    HeldParameters stageHeld;
    for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
        const ChunkShapes shapes(scenario, constants, network, layers, stage, chunk, growth);
        const HeldParameters held = chunkParameters(scenario, stage, chunk).held();
        stageHeld.dense += held.dense;
        stageHeld.experts += held.experts;
        const SyncSeconds seconds = chunkSyncSeconds(scenario, constants, network, held);
        const StageTransfers transfers = transfersOf(scenario, transfer, stage, chunk);
        const BackwardPart lastPart = split ? BackwardPart::WeightGradient : BackwardPart::Whole;
        const double backwardRoom = shapes.backwardRoom(wires, lastPart);
        forward.push_back(shapes.forward());
        OperationShape whole = shapes.backward(BackwardPart::Whole);
        const double pass = toSeconds(whole.total());
        const double exposed = reduceExposedPerMicroBatch(scenario, seconds.reduce, backwardRoom);
        backward.push_back(exposed > 0.0 ? shapes.backward(BackwardPart::Whole, exposed) : std::move(whole));
        if (split) {
            input.push_back(shapes.backward(BackwardPart::InputGradient));
            weight.push_back(shapes.backward(BackwardPart::WeightGradient, exposed));
        }
        const double last = split ? toSeconds(weight.back().total()) : pass;
        sync.push_back(chunkSync(seconds, static_cast<double>(shapes.layers()), toSeconds(forward.back().total()), last,
                                 shapes.forwardRoom(wires), backwardRoom, constants));
        holdForTransfer(forward.back(), transfers.forward);
        holdForTransfer(split ? input.back() : backward.back(), transfers.backward);
        // Both copies of a tied embedding are summed after their data-parallel reduction.
        if (isFirstChunk(scenario.degrees, stage, chunk) || isLastChunk(scenario.degrees, stage, chunk))
            sync.back().gradientReduce += toNs(tiedEmbeddingSeconds(scenario, constants, network));
    }
    costs.forward.push_back(std::move(forward));
    costs.backward.push_back(std::move(backward));
    if (split) {
        costs.inputGradient.push_back(std::move(input));
        costs.weightGradient.push_back(std::move(weight));
    }
    costs.sync.push_back(std::move(sync));
    costs.optimizer.push_back(toNs(optimizerSeconds(scenario, constants, stageHeld)));
    const bool graph = scenario.software.cudaGraphs == CudaGraphs::Full;
    costs.hostAtStart.push_back(toNs(constants.iterationHostS * (graph ? kFullGraphIterationShare : 1.0) + scenario.software.iterationHostS));
}

LayerSeconds secondsOf(const BlockSeconds &attention, const BlockSeconds &mlp)
{
    LayerSeconds s;
    s.matmul = attention.matmul + mlp.matmul;
    s.attention = attention.attention + mlp.attention;
    s.elementwise = attention.elementwise + mlp.elementwise + attention.accumulation + mlp.accumulation;
    s.cast = attention.cast + mlp.cast;
    return s;
}

} // namespace

// Activations at a stage boundary, 2·n·h bytes, leave a rank's GPUs 1/t each: split by sequence parallelism, or by
// scatter before and gather over NVLink after the transfer (Narayanan et al. 2021, section 4.1).
std::vector<TimeNs> transferTimes(const ResolvedScenario &scenario, const CostConstants &constants,
                                  const NetworkModel &network)
{
    const Degrees &degrees = scenario.degrees;
    std::vector<TimeNs> times(static_cast<std::size_t>(degrees.pipeline * degrees.data), 0);
    if (degrees.pipeline == 1) return times;
    times.resize(std::max(times.size(), network.pipeline.size()), 0);
    const double bytes = boundaryBytes(scenario);
    const double gather = transferGather(scenario, constants, network).seconds;
    // Without asynchronous transfers host and device meet at each.
    const double blocking = degrees.overlapPipeline ? 0.0 : constants.blockingTransferS;
    for (std::size_t i = 0; i < times.size() && i < network.pipeline.size(); ++i) {
        const TransferPath &path = network.pipeline[i];
        const double carried = bytes * boundaryLoad(scenario, static_cast<std::int64_t>(i) / degrees.data);
        times[i] = path.bytesPerS > 0.0 ? toNs(carried / path.bytesPerS + path.latencyS + gather + blocking) : 0;
    }
    return times;
}

WorkloadCosts workloadCosts(const ResolvedScenario &scenario, const CostConstants &constants,
                            const NetworkModel &network)
{
    WorkloadCosts costs;
    LayerCache layers(scenario, constants, network);
    costs.transfer = transferTimes(scenario, constants, network);
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage)
        addStage(costs, scenario, constants, network, layers, costs.transfer, stage);
    costs.communication = communicationReports(scenario, constants, network, costs.transfer);
    costs.passes = passSeconds(scenario, constants, network, costs.communication);
    return costs;
}

WorkloadCosts stageCosts(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                         std::int64_t stage)
{
    WorkloadCosts costs;
    LayerCache layers(scenario, constants, network);
    addStage(costs, scenario, constants, network, layers, transferTimes(scenario, constants, network), stage);
    return costs;
}

LayerCost layerCost(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                    std::int64_t layer)
{
    const LayerSegments segments = layerSegments(scenario, constants, network, layer, recomputeOf(scenario, 0));
    const auto exposed = [&](LayerSeconds &seconds, const PassCommunication &pass) {
        seconds.tensorExposed = pass.blocks * (pass.tensor.before + pass.tensor.after);
        seconds.contextExposed = pass.context;
        seconds.expertExposed = pass.expert.before + pass.expert.after;
    };
    LayerCost cost;
    cost.forward = secondsOf(segments.blocks.attentionForward, segments.blocks.mlpForward);
    exposed(cost.forward, segments.forward);
    cost.forward.host = segments.hostForward;
    cost.forward.contention = segments.contentionForward;
    cost.forward.sharding = segments.shardForward;
    cost.backward = secondsOf(segments.blocks.attentionBackward, segments.blocks.mlpBackward);
    exposed(cost.backward, segments.backward);
    cost.backward.host = segments.hostBackward;
    cost.backward.contention = segments.contentionBackward;
    cost.backward.sharding = segments.shardBackward;
    cost.backward.recompute = segments.recomputeAttention + segments.recomputeMlp +
                              segments.repeated.exposed();
    const HeadSeconds head = headSeconds(scenario, constants);
    cost.headForward = head.forward;
    cost.headBackward = head.backward();
    return cost;
}

} // namespace clusterbeat
