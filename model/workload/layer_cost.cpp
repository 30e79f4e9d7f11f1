// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/layer_cost.h"

#include "model/base/math.h"
#include "model/workload/matmul.h"
#include "model/workload/parameters.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

// Backward over forward traffic of memory-bound operations, and bytes an element of the unfused attention core
// (scores, mask, softmax, dropout and their gradients): calibration of 2026-11.
constexpr double kElementwiseBackward = 1.8;
constexpr double kUnfusedForwardBytes = 13.0;
constexpr double kUnfusedBackwardBytes = 19.0;
// Matmuls that torchtitan's "selective op" recompute repeats.
constexpr double kSelectiveOpShare = 1.0 / 3.0;

double real(std::int64_t value) { return static_cast<double>(value); }

/// Widths on one tensor rank; the names are the paper symbols (t, h, a·d, k·d, f).
struct Widths {
    double n = 0, t = 0, h = 0, query = 0, keyValue = 0, ffn = 0, upOutputs = 0;
    double sequenceShare = 1; ///< t with sequence parallelism, else 1: how far norms and residuals are split
};

Widths widthsOf(const ResolvedScenario &scenario)
{
    const ModelSection &model = scenario.model;
    Widths w;
    w.n = tokensPerGroup(scenario);
    w.t = real(scenario.degrees.tensor);
    w.h = real(model.hidden);
    w.query = real(model.heads) * real(model.headDim) / w.t;
    w.keyValue = 2.0 * real(model.kvHeads) * real(model.headDim) / w.t;
    w.ffn = real(model.ffnHidden) / w.t;
    w.upOutputs = (model.gatedFfn ? 2.0 : 1.0) * w.ffn;
    w.sequenceShare = scenario.degrees.sequenceParallel ? w.t : 1.0;
    return w;
}

void addLinear(BlockSeconds &forward, BlockSeconds &backward, double rows, double outputs, double inputs,
               const MatmulRate &rate)
{
    const LinearSeconds seconds = linearSeconds(rows, outputs, inputs, rate);
    forward.matmul += seconds.forward;
    backward.matmul += seconds.backward();
    backward.weightMatmul += seconds.weightGradient;
}

// Scores and weighted values: 4·s FLOPs per token and width, times the share of the score matrix that is computed.
// Fused kernels: Dao 2022, 2023; Shah et al. 2024: the backward does 2.5 times the forward's FLOPs, for it computes
// the scores again. Unfused: 2 and 4 such matmul passes on the full matrix, which also travels through memory.
void addAttentionCore(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &k,
                      const GpuRates &rates, std::int64_t layer, double n)
{
    const ModelSection &model = scenario.model;
    const double s = real(scenario.training.sequenceLength);
    const double t = real(scenario.degrees.tensor);
    const double full = 4.0 * n * s * attentionWidths(model).mean() / t;
    const double executed = full * attentionShare(model, layer, s, scenario.training.causalAttention);
    if (scenario.software.attentionKernel != AttentionKernel::Unfused) {
        const double shortSequence = s / (s + k.attentionShortSequenceTokens);
        blocks.attentionForward.attention += executed / (rates.attention.forwardFlopsPerS * shortSequence);
        blocks.attentionBackward.attention += 2.5 * executed / (rates.attention.backwardFlopsPerS * shortSequence);
        return;
    }
    const double misaligned = model.headDim % 8 != 0 ? k.misalignedHeadSlowdown : 1.0;
    const double matmul = full * misaligned / (k.unfusedMatmulFraction * rates.matmul16.flopsPerS);
    const double elements = n * s * real(model.heads) / t / rates.hbmBytesPerS;
    blocks.attentionForward.attention += matmul + kUnfusedForwardBytes * elements;
    blocks.attentionBackward.attention += 2.0 * matmul + kUnfusedBackwardBytes * elements;
}

// Norms, residuals, dropout (20 bytes a hidden element, split by sequence parallelism), rotary positions and layout
// of queries, keys and values, activation function.
void addElementwise(LayerBlocks &blocks, const ResolvedScenario &scenario, const GpuRates &rates, const Widths &w)
{
    const double factor = scenario.software.elementwiseFactor;
    const double positions = isClassicBlock(scenario.model) ? 0.25 : 1.0;
    const double norms = 20.0 * w.h / w.sequenceShare;
    const double attention =
        factor * (0.5 * norms + 4.0 * positions * (w.query + w.keyValue)) * w.n / rates.hbmBytesPerS;
    const double activation = (scenario.model.gatedFfn ? 6.0 : 4.0) * w.ffn;
    const double mlp = factor * (0.5 * norms + activation) * w.n / rates.hbmBytesPerS;
    blocks.attentionForward.elementwise += attention;
    blocks.attentionBackward.elementwise += kElementwiseBackward * attention;
    blocks.mlpForward.elementwise += mlp;
    blocks.mlpBackward.elementwise += kElementwiseBackward * mlp;
}

// Inputs and output gradients of the four linear layers, cast to the training precision; half in each direction.
void addCasts(LayerBlocks &blocks, const GpuRates &rates, const Widths &w)
{
    const double attention = w.n * (w.h + w.query + w.keyValue + w.query + w.h);
    const double mlp = w.n * (w.h + w.upOutputs + w.ffn + w.h);
    const double perElement = 0.5 * rates.castBytesPerElement / rates.hbmBytesPerS;
    blocks.attentionForward.cast += perElement * attention;
    blocks.attentionBackward.cast += perElement * attention;
    blocks.mlpForward.cast += perElement * mlp;
    blocks.mlpBackward.cast += perElement * mlp;
}

LayerBlocks denseBlocks(const ResolvedScenario &scenario, const CostConstants &k, std::int64_t layer)
{
    const GpuRates rates = gpuRates(scenario, k);
    const Widths w = widthsOf(scenario);
    LayerBlocks blocks;
    addLinear(blocks.attentionForward, blocks.attentionBackward, w.n, w.query + w.keyValue, w.h, rates.matmul);
    addLinear(blocks.attentionForward, blocks.attentionBackward, w.n, w.h, w.query, rates.matmul);
    addLinear(blocks.mlpForward, blocks.mlpBackward, w.n, w.upOutputs, w.h, rates.matmul);
    addLinear(blocks.mlpForward, blocks.mlpBackward, w.n, w.h, w.ffn, rates.matmul);
    addAttentionCore(blocks, scenario, k, rates, layer, w.n);
    addElementwise(blocks, scenario, rates, w);
    addCasts(blocks, rates, w);
    const LayerParameters parameters = layerParameters(scenario.model, layer);
    const double accumulation = scenario.software.accumulationBytesPerParameter / w.t / rates.hbmBytesPerS;
    blocks.attentionBackward.accumulation = accumulation * parameters.attention;
    blocks.mlpBackward.accumulation = accumulation * parameters.mlp;
    return blocks;
}

double recomputeCollectives(const LayerSegments &segments)
{
    if (!segments.recomputesCollectives) return 0.0;
    const double blocks = segments.parallelBlock ? 1.0 : 2.0;
    return blocks * (segments.tensor.forward.before + segments.tensor.forward.after);
}

// FSDP hides a layer's collectives behind the neighbouring layer's compute as far as they fit (Zhao et al. 2023).
void addSharding(LayerSegments &segments, const ShardCollectives &shard)
{
    if (!shard.active) return;
    const double forward = segments.forwardGpu();
    const double backward = segments.backwardGpu();
    const double backwardCommunication = shard.gather + shard.reduce;
    if (!shard.overlapped) {
        // Full recompute fetches the parameters once more.
        segments.shardForward = shard.gather;
        segments.shardBackward = backwardCommunication + (segments.recomputesCollectives ? shard.gather : 0.0);
        return;
    }
    segments.shardForward = std::max(0.0, shard.gather - forward);
    segments.shardBackward = std::max(0.0, backwardCommunication - backward);
    segments.contentionForward += shard.contention * std::min(shard.gather, forward);
    segments.contentionBackward += shard.contention * std::min(backwardCommunication, backward);
}

// Launching a layer's kernels takes the host a fixed time; the GPU waits when it is the faster of the two:
// t = (t_gpu^4 + t_host^4)^(1/4).
void addHost(LayerSegments &segments, const ResolvedScenario &scenario, const CostConstants &k)
{
    const bool narrow = scenario.training.precision == Precision::Fp8 || scenario.training.precision == Precision::Fp4;
    double host = narrow ? k.hostFp8LayerS : k.hostDenseLayerS;
    if (scenario.software.fsdp == FsdpFlavour::Fsdp1 && scenario.degrees.zeroStage == 3) host *= k.hostFsdp1Factor;
    if (scenario.software.cudaGraphs == CudaGraphs::Full) host *= k.fullGraphHostFactor;
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
    const double collectives = (parallelBlock ? 1.0 : 2.0) * (tensor.forward.before + tensor.forward.after);
    return blocks.attentionForward.compute() + blocks.mlpForward.compute() + collectives + shardForward +
           contentionForward;
}

double LayerSegments::backwardGpu() const
{
    const double collectives = (parallelBlock ? 1.0 : 2.0) * (tensor.backward.before + tensor.backward.after);
    return blocks.attentionBackward.compute() + blocks.mlpBackward.compute() + collectives + shardBackward +
           contentionBackward + recomputeAttention + recomputeMlp + recomputeCollectives(*this);
}

double tokensPerGroup(const ResolvedScenario &scenario)
{
    return real(scenario.training.sequenceLength) * real(scenario.training.microBatch) / real(scenario.degrees.context);
}

// Shoeybi et al. 2019; with sequence parallelism Korthikanti et al. 2022: an all-gather before and a reduce-scatter
// after each block, of 2·n·h bytes. In the backward the all-gather of the output's gradient waits; gathering the
// input again and scattering the input's gradient run behind the weight gradient. Without sequence parallelism an
// all-reduce (two of them in time) ends each forward block, and the backward's hides behind the weight gradient.
TensorCollectives tensorCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                    const NetworkModel &network)
{
    TensorCollectives c;
    const double t = real(scenario.degrees.tensor);
    if (t <= 1.0) return c;
    const double bytes = 2.0 * tokensPerGroup(scenario) * real(scenario.model.hidden);
    if (network.tensor.domains <= 1 && network.tensor.scaleupBytesPerS > 0.0)
        c.single = bytes * (t - 1.0) / t / network.tensor.scaleupBytesPerS + constants.collectiveLatencyNvlinkS;
    else
        c.single = collectiveTime(CollectiveKind::AllGather, bytes, network.tensor, constants).totalS();

    const double blocks = scenario.model.parallelBlock ? 1.0 : 2.0;
    const double shown = scenario.software.tensorOverlap ? 1.0 - constants.tensorOverlapHidden : 1.0;
    // PyTorch's tensor parallelism (FSDP2 stacks) does not move collectives behind the weight gradient.
    const bool deferred = scenario.software.fsdp != FsdpFlavour::Fsdp2;
    const bool sequence = scenario.degrees.sequenceParallel;
    c.perLayerForward = 2.0 * blocks;
    c.perLayerBackward = (sequence && deferred ? 3.0 : 2.0) * blocks;
    c.forward = sequence ? BlockCollectives{shown * c.single, shown * c.single, 0.0}
                         : BlockCollectives{0.0, 2.0 * shown * c.single, 0.0};
    if (!deferred)
        c.backward = {shown * c.single, shown * c.single, 0.0};
    else
        c.backward = {sequence ? shown * c.single : 0.0, 0.0, 2.0 * c.single};
    return c;
}

LayerRecompute recomputeOf(const ResolvedScenario &scenario, std::int64_t indexInStage)
{
    const Recompute recompute = scenario.training.recompute.value_or(Recompute{});
    switch (recompute.mode) {
    case RecomputeMode::None: return LayerRecompute::None;
    case RecomputeMode::Selective: return LayerRecompute::Selective;
    case RecomputeMode::Full: return LayerRecompute::Full;
    case RecomputeMode::Layers: return indexInStage < recompute.layers ? LayerRecompute::Full : LayerRecompute::None;
    case RecomputeMode::Modules: {
        const auto &modules = recompute.modules;
        const bool core = std::find(modules.begin(), modules.end(), "core_attn") != modules.end();
        return core ? LayerRecompute::Selective : LayerRecompute::None;
    }
    }
    return LayerRecompute::None;
}

LayerSegments layerSegments(const ResolvedScenario &scenario, const CostConstants &constants,
                            const NetworkModel &network, std::int64_t layer, LayerRecompute recompute)
{
    LayerSegments segments;
    segments.parallelBlock = scenario.model.parallelBlock;
    segments.blocks = denseBlocks(scenario, constants, layer);
    segments.tensor = tensorCollectives(scenario, constants, network);
    const double blocks = segments.parallelBlock ? 1.0 : 2.0;
    segments.contentionForward = constants.overlapContention * blocks * segments.tensor.forward.hidden;
    segments.contentionBackward = constants.overlapContention * blocks * segments.tensor.backward.hidden;
    if (recompute == LayerRecompute::Full) {
        segments.recomputeAttention = segments.blocks.attentionForward.compute();
        segments.recomputeMlp = segments.blocks.mlpForward.compute();
        segments.recomputesCollectives = true;
    } else if (recompute == LayerRecompute::Selective) {
        // Fused kernels recompute the scores anyway; their backward's FLOPs count it.
        if (scenario.software.attentionKernel == AttentionKernel::Unfused)
            segments.recomputeAttention = segments.blocks.attentionForward.attention;
        else if (scenario.software.fsdp == FsdpFlavour::Fsdp2) {
            segments.recomputeAttention = kSelectiveOpShare * segments.blocks.attentionForward.matmul;
            segments.recomputeMlp = kSelectiveOpShare * segments.blocks.mlpForward.matmul;
        }
    }
    const LayerParameters parameters = layerParameters(scenario.model, layer);
    const double held = parameters.matmul() / real(scenario.degrees.tensor) + parameters.norms;
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
