// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/layer_cost.h"

#include "model/base/math.h"
#include "model/workload/context_exchange.h"
#include "model/workload/experts.h"
#include "model/workload/layer_blocks.h"
#include "model/workload/matmul.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat
{
namespace
{

double real(std::int64_t value)
{
    return static_cast<double>(value);
}

// FSDP hides a layer's collectives behind the neighbouring layer's compute as far as they fit (Zhao et al. 2023).
void addSharding(LayerSegments &segments, const ShardCollectives &shard)
{
    if (!shard.active) return;
    const double backwardCommunication = shard.gather + shard.reduce;
    segments.contentionForward += shard.copyForward;
    segments.contentionBackward += shard.copyBackward;
    if (!shard.overlapped) {
        // Full recompute fetches the parameters once more.
        segments.shardForward = shard.gather;
        segments.shardBackward = backwardCommunication + (segments.repeats.all ? shard.gather : 0.0);
        return;
    }
    const double forward = segments.forwardRoom.hide(shard.gather, shard.gather, shard.wires);
    const double repeated = segments.repeatedRoom.hide(backwardCommunication, backwardCommunication, shard.wires);
    const double rest = backwardCommunication - repeated;
    const double backward = repeated + segments.backwardRoom.hide(rest, rest, shard.wires);
    segments.shardForward = shard.gather - forward;
    segments.shardBackward = backwardCommunication - backward;
    segments.contentionForward += shard.contention * forward;
    segments.contentionBackward += shard.contention * backward;
}

PassCompute computeOf(const BlockSeconds &attention, const BlockSeconds &mlp)
{
    return {attention.compute() + mlp.compute(), attention.compute(),
            attention.weightGradient() + mlp.weightGradient()};
}

// What the recompute communicates again of the forward.
PassCommunication repeatedDemand(PassCommunication forward, const RepeatedCollectives &repeats)
{
    if (repeats.all) return forward;
    forward.context = forward.contextBehind = forward.contextHidden = 0.0;
    forward.blocks = repeats.mlpTensor ? 1.0 : 0.0;
    if (!repeats.experts) forward.expert = {};
    return forward;
}

// Each pass's collectives run behind its own compute. Whatever deferred them, an all-reduce of the forward has nothing
// to hide behind.
void addCollectives(LayerSegments &segments, const ResolvedScenario &scenario, const CostConstants &k,
                    const NetworkModel &network)
{
    const TensorCollectives tensor = tensorCollectives(scenario, k, network);
    const ContextSeconds context = contextSeconds(scenario, k, network, segments.blocks);
    PassCommunication forward;
    forward.blocks = segments.tensorBlocks;
    forward.tensor = tensor.forward;
    forward.tensorWires = wiresOf(network.tensor);
    forward.expertWires = wiresOf(network.expert);
    forward.contextWires = wiresOf(network.context);
    if (segments.hasExperts) forward.expert = expertCollectives(scenario, k, network);
    PassCommunication backward = forward;
    backward.tensor = tensor.backward;
    forward.context = context.forward;
    backward.context = context.backward;
    (context.contends ? forward.contextHidden : forward.contextBehind) = context.hiddenForward;
    (context.contends ? backward.contextHidden : backward.contextBehind) = context.hiddenBackward;

    const LayerBlocks &blocks = segments.blocks;
    const PassCompute forwardCompute = computeOf(blocks.attentionForward, blocks.mlpForward);
    const PassCompute backwardCompute = computeOf(blocks.attentionBackward, blocks.mlpBackward);
    const double again = segments.recomputeAttention + segments.recomputeMlp;
    segments.forwardRoom = OverlapRoom(forwardCompute.total);
    segments.backwardRoom = OverlapRoom(backwardCompute.total);
    segments.repeatedRoom = OverlapRoom(again);
    segments.forward = settle(forward, forwardCompute, segments.forwardRoom);
    segments.backward = settle(backward, backwardCompute, segments.backwardRoom);
    segments.repeated = settle(repeatedDemand(forward, segments.repeats), {again, segments.recomputeAttention, 0.0},
                               segments.repeatedRoom);
    segments.contentionForward = k.overlapContention * segments.forward.contending();
    segments.contentionBackward = k.overlapContention * segments.backward.contending();
}

// Launching a layer's kernels takes the host a fixed time; the GPU waits when it is the faster of the two:
// t = (t_gpu^4 + t_host^4)^(1/4).
void addHost(LayerSegments &segments, const ResolvedScenario &scenario, const CostConstants &k)
{
    const bool narrow = scenario.training.precision == Precision::Fp8 || scenario.training.precision == Precision::Fp4;
    double host = narrow ? k.hostFp8LayerS : k.hostDenseLayerS;
    if (scenario.software.cudaGraphs == CudaGraphs::Full) host *= k.fullGraphHostFactor;
    if (segments.hasExperts) host = expertHostSeconds(scenario, k);
    if (scenario.software.fsdp == FsdpFlavour::Fsdp1 && scenario.degrees.zeroStage == 3) host *= k.hostFsdp1Factor;
    const double gpu = segments.forwardGpu() + segments.backwardGpu();
    if (!(gpu > 0.0)) return;
    const double ratio = host / gpu;
    const double extra = gpu * (std::sqrt(std::sqrt(1.0 + ratio * ratio * ratio * ratio)) - 1.0);
    segments.hostForward = extra * segments.forwardGpu() / gpu;
    segments.hostBackward = extra - segments.hostForward;
}

} // namespace

double LayerSegments::forwardGpu() const
{
    return blocks.attentionForward.compute() + blocks.mlpForward.compute() + forward.exposed() + shardForward +
           contentionForward;
}

double LayerSegments::backwardGpu() const
{
    return blocks.attentionBackward.compute() + blocks.mlpBackward.compute() + backward.exposed() + shardBackward +
           contentionBackward + recomputeAttention + recomputeMlp + repeated.exposed();
}

double tokensPerGroup(const ResolvedScenario &scenario)
{
    return real(scenario.training.sequenceLength) * real(scenario.training.microBatch) / real(scenario.degrees.context);
}

// Shoeybi et al. 2019; with sequence parallelism Korthikanti et al. 2022: an all-gather before and a reduce-scatter
// after each block, of 2·n·h bytes. In the backward the all-gather of the output's gradient waits; gathering the
// input again and scattering the input's gradient run behind the weight gradient where the stack defers them. Without
// sequence parallelism an all-reduce (two of them in time) ends each forward block, and the backward's hides behind the
// weight gradient or, in stacks that do not defer it, ends the block as well.
TensorCollectives tensorCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                    const NetworkModel &network)
{
    TensorCollectives c;
    const double t = real(scenario.degrees.tensor);
    if (t <= 1.0) return c;
    const double bytes = 2.0 * tokensPerGroup(scenario) * real(scenario.model.hidden);
    if (network.tensor.domains <= 1 && network.tensor.scaleupBytesPerS > 0.0) {
        c.single = bytes * (t - 1.0) / t / network.tensor.scaleupBytesPerS + constants.collectiveLatencyNvlinkS +
                   network.tensor.extraLatencyS;
        c.singleStartup = constants.collectiveLatencyNvlinkS + network.tensor.extraLatencyS;
    } else {
        const CollectiveTime single = collectiveTime(CollectiveKind::AllGather, bytes, network.tensor, constants);
        c.single = single.totalS();
        c.singleStartup = single.startupS;
    }

    c.allReduce = 2.0 * c.single;
    c.allReduceStartup = 2.0 * c.singleStartup;
    if (network.tensor.features.nvlsEfficiency > 0.0) {
        const CollectiveTime nvls = collectiveTimeWith(CollectiveAlgorithm::Nvls, CollectiveKind::AllReduce, bytes,
                                                       network.tensor, constants);
        const bool faster = nvls.algorithm == CollectiveAlgorithm::Nvls && nvls.totalS() < c.allReduce;
        if (faster) c.allReduce = nvls.totalS();
        if (faster) c.allReduceStartup = nvls.startupS;
        if (faster && !scenario.degrees.sequenceParallel) c.algorithm = nvls.algorithm;
    }

    // User buffers and asynchronous tensor parallelism write into the peers' memory: over NVLink only.
    const bool overlapped = scenario.software.tensorOverlap && insideScaleupDomain(network.tensor);
    const double behind = overlapped ? constants.tensorOverlapHidden : 0.0, shown = 1.0 - behind;
    const bool deferred = scenario.software.tensorDeferred;
    const bool sequence = scenario.degrees.sequenceParallel;
    c.perBlockForward = 2.0;
    c.perBlockBackward = sequence && deferred ? 3.0 : 2.0;
    c.forward = sequence ? BlockCollectives{shown * c.single, shown * c.single, behind * 2.0 * c.single, 0.0}
                         : BlockCollectives{0.0, shown * c.allReduce, behind * c.allReduce, 0.0};
    if (!deferred)
        c.backward = c.forward;
    else if (sequence)
        c.backward = {shown * c.single, 0.0, behind * c.single, 2.0 * c.single};
    else
        c.backward = {0.0, 0.0, 0.0, c.allReduce};
    return c;
}

double tensorBlocksOf(const ResolvedScenario &scenario, std::int64_t layer)
{
    if (scenario.model.parallelBlock) return 1.0;
    const bool routedOnly = isMoeLayer(scenario.model, layer) && scenario.model.moe->sharedExperts == 0;
    return routedOnly && scenario.degrees.sequenceParallel ? 1.0 : 2.0;
}

LayerSegments layerSegments(const ResolvedScenario &scenario, const CostConstants &constants,
                            const NetworkModel &network, std::int64_t layer, LayerRecompute recompute)
{
    LayerSegments segments;
    segments.parallelBlock = scenario.model.parallelBlock;
    segments.hasExperts = isMoeLayer(scenario.model, layer);
    segments.blocks = layerBlocks(scenario, constants, layer);
    // Unfused kernels compute the whole score matrix, whatever the mask says.
    if (scenario.software.attentionKernel != AttentionKernel::Unfused) {
        segments.documentForward = segments.blocks.attentionForward.attention;
        segments.documentBackward = segments.blocks.attentionBackward.attention;
    }
    segments.tensorBlocks = tensorBlocksOf(scenario, layer);
    segments.repeats = repeatedCollectives(scenario, layer, recompute);
    if (recompute == LayerRecompute::Full) {
        segments.recomputeAttention = segments.blocks.attentionForward.compute();
        segments.recomputeMlp = segments.blocks.mlpForward.compute();
    } else if (recompute == LayerRecompute::Selective) {
        addSelectiveRecompute(segments, scenario, constants);
    }
    addCollectives(segments, scenario, constants, network);
    const HeldParameters held = heldParameters(scenario, layerParameters(scenario.model, layer));
    addSharding(segments, shardCollectives(scenario, constants, network, held));
    addHost(segments, scenario, constants);
    return segments;
}

// Output layer always in 16 bits; cross entropy moves a number of bytes a logit that depends on its fusion: reading
// the logits and taking the maximum and sum in the forward, writing the gradient in the backward; half and half.
HeadSeconds headSeconds(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const GpuRates rates = gpuRates(scenario, constants);
    const double n = tokensPerGroup(scenario);
    const double vocabulary = real(scenario.model.vocab) / real(scenario.degrees.tensor);
    const LinearSeconds linear = linearSeconds(n, vocabulary, real(scenario.model.hidden), rates.matmul16);
    const double entropy = scenario.software.crossEntropyBytesPerLogit * n * vocabulary / rates.hbmBytesPerS;
    return {linear.forward + 0.5 * entropy, linear.inputGradient + 0.5 * entropy, linear.weightGradient};
}

// Gather the rows and write them; in the backward read, add and write fp32 rows.
HeadSeconds embeddingSeconds(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const GpuRates rates = gpuRates(scenario, constants);
    const double elements = tokensPerGroup(scenario) * real(scenario.model.hidden) / rates.hbmBytesPerS;
    return {4.0 * elements, 0.0, 8.0 * elements};
}

} // namespace clusterbeat
