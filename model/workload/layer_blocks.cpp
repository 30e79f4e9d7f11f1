// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/layer_blocks.h"

#include "model/workload/documents.h"
#include "model/workload/parameters.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

// Bytes an element of the unfused attention core (scores, mask, softmax, dropout and their gradients): calibration of
// 2026-11.
constexpr double kUnfusedForwardBytes = 13.0;
constexpr double kUnfusedBackwardBytes = 19.0;

double real(std::int64_t value)
{
    return static_cast<double>(value);
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
    // With masked documents a token's attention ends at its document's.
    const double length = attentionLength(scenario.training);
    const double executed =
        full * (length / s) * attentionShare(model, layer, length, scenario.training.causalAttention);
    if (scenario.software.attentionKernel != AttentionKernel::Unfused) {
        const double shortSequence = length / (length + k.attentionShortSequenceTokens);
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

// Multi-head latent attention (DeepSeek-AI 2024, section 2.1.1): queries and keys-values go down to a low rank, which
// every tensor rank computes on its share of the sequence, and up again to this rank's heads.
void addLatentProjections(LayerBlocks &blocks, const ResolvedScenario &scenario, const MlaShape &mla,
                          const GpuRates &rates, const Widths &w)
{
    const double rows = w.n / w.sequenceShare;
    const double heads = real(scenario.model.heads) / w.t;
    const auto add = [&](double matmulRows, double outputs, double inputs) {
        addLinear(blocks.attentionForward, blocks.attentionBackward,
                  linearSeconds(matmulRows, outputs, inputs, rates.matmul));
    };
    if (mla.qLoraRank > 0) {
        add(rows, real(mla.qLoraRank), w.h);
        add(w.n, w.query, real(mla.qLoraRank));
    } else {
        add(w.n, w.query, w.h);
    }
    add(rows, real(mla.kvLoraRank + mla.ropeHeadDim), w.h);
    add(w.n, heads * real(mla.nopeHeadDim + mla.vHeadDim), real(mla.kvLoraRank));
    add(w.n, w.h, w.value);
}

void addProjections(LayerBlocks &blocks, const ResolvedScenario &scenario, const GpuRates &rates, const Widths &w)
{
    if (scenario.model.mla) {
        addLatentProjections(blocks, scenario, *scenario.model.mla, rates, w);
        return;
    }
    addLinear(blocks.attentionForward, blocks.attentionBackward,
              linearSeconds(w.n, w.query + w.keyValue, w.h, rates.matmul));
    addLinear(blocks.attentionForward, blocks.attentionBackward, linearSeconds(w.n, w.h, w.value, rates.matmul));
}

// Elements that rotary positions and layout read and write: queries, keys and values; a quarter of them without rotary
// positions. MLA turns the rotary part of the queries and puts the keys together from both parts.
double positionedElements(const ModelSection &model, const Widths &w)
{
    if (model.mla) return w.query + real(model.heads) / w.t * real(model.mla->ropeHeadDim);
    return (isClassicBlock(model) ? 0.25 : 1.0) * (w.query + w.keyValue);
}

} // namespace

Widths widthsOf(const ResolvedScenario &scenario)
{
    const ModelSection &model = scenario.model;
    Widths w;
    w.n = tokensPerGroup(scenario);
    w.t = real(scenario.degrees.tensor);
    w.h = real(model.hidden);
    const AttentionWidths attention = attentionWidths(model);
    w.query = attention.queryKey / w.t;
    w.value = attention.value / w.t;
    w.keyValue = model.mla ? w.query + w.value : 2.0 * real(model.kvHeads) * real(model.headDim) / w.t;
    w.ffn = real(model.ffnHidden) / w.t;
    w.upOutputs = (model.gatedFfn ? 2.0 : 1.0) * w.ffn;
    w.sequenceShare = scenario.degrees.sequenceParallel ? w.t : 1.0;
    return w;
}

void addLinear(BlockSeconds &forward, BlockSeconds &backward, const LinearSeconds &seconds)
{
    forward.matmul += seconds.forward;
    backward.matmul += seconds.backward();
    backward.weightMatmul += seconds.weightGradient;
}

// Norm, residual, dropout (10 bytes a hidden element, split by sequence parallelism), rotary positions and layout of
// queries, keys and values. Inputs and output gradients of the linear layers are cast to the training precision, half
// in each direction.
void addAttentionHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &constants,
                      const GpuRates &rates, std::int64_t layer)
{
    const Widths w = widthsOf(scenario);
    addProjections(blocks, scenario, rates, w);
    addAttentionCore(blocks, scenario, constants, rates, layer, w.n);
    const double elementwise = scenario.software.elementwiseFactor *
                               (10.0 * w.h / w.sequenceShare + 4.0 * positionedElements(scenario.model, w)) * w.n /
                               rates.hbmBytesPerS;
    blocks.attentionForward.elementwise += elementwise;
    blocks.attentionBackward.elementwise += kElementwiseBackward * elementwise;
    const double cast =
        0.5 * rates.castBytesPerElement / rates.hbmBytesPerS * w.n * (2.0 * w.h + w.query + w.keyValue + w.value);
    blocks.attentionForward.cast += cast;
    blocks.attentionBackward.cast += cast;
}

void addDenseHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const GpuRates &rates)
{
    const Widths w = widthsOf(scenario);
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(w.n, w.upOutputs, w.h, rates.matmul));
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(w.n, w.h, w.ffn, rates.matmul));
    const double activation = (scenario.model.gatedFfn ? 6.0 : 4.0) * w.ffn;
    const double elementwise =
        scenario.software.elementwiseFactor * (10.0 * w.h / w.sequenceShare + activation) * w.n / rates.hbmBytesPerS;
    blocks.mlpForward.elementwise += elementwise;
    blocks.mlpBackward.elementwise += kElementwiseBackward * elementwise;
    const double cast = 0.5 * rates.castBytesPerElement / rates.hbmBytesPerS * w.n * (2.0 * w.h + w.upOutputs + w.ffn);
    blocks.mlpForward.cast += cast;
    blocks.mlpBackward.cast += cast;
}

double latentUpSeconds(const ResolvedScenario &scenario, const GpuRates &rates)
{
    if (!scenario.model.mla) return 0.0;
    const MlaShape &mla = *scenario.model.mla;
    const Widths w = widthsOf(scenario);
    const double keyValue = real(scenario.model.heads) / w.t * real(mla.nopeHeadDim + mla.vHeadDim);
    const double query = mla.qLoraRank > 0 ? matmulSeconds(w.n, w.query, real(mla.qLoraRank), rates.matmul) : 0.0;
    return query + matmulSeconds(w.n, keyValue, real(mla.kvLoraRank), rates.matmul);
}

double normSeconds(const ResolvedScenario &scenario, const GpuRates &rates)
{
    return 0.4 * normAndResidualSeconds(scenario, rates);
}

double normAndResidualSeconds(const ResolvedScenario &scenario, const GpuRates &rates)
{
    const Widths w = widthsOf(scenario);
    return scenario.software.elementwiseFactor * 10.0 * w.h / w.sequenceShare * w.n / rates.hbmBytesPerS;
}

LayerBlocks layerBlocks(const ResolvedScenario &scenario, const CostConstants &constants, std::int64_t layer)
{
    const GpuRates rates = gpuRates(scenario, constants);
    LayerBlocks blocks;
    addAttentionHalf(blocks, scenario, constants, rates, layer);
    if (isMoeLayer(scenario.model, layer))
        addExpertHalf(blocks, scenario, constants, rates);
    else
        addDenseHalf(blocks, scenario, rates);
    const HeldParameters held = heldParameters(scenario, layerParameters(scenario.model, layer));
    const double attention = layerParameters(scenario.model, layer).attention / real(scenario.degrees.tensor);
    // fp16 gradients accumulate in place; wider copies exist only beside bf16 and narrower ones.
    const bool copies = scenario.training.precision != Precision::Fp16;
    const double accumulation = copies ? scenario.software.accumulationBytesPerParameter / rates.hbmBytesPerS : 0.0;
    blocks.attentionBackward.accumulation = accumulation * attention;
    blocks.mlpBackward.accumulation =
        accumulation * (held.total() - attention - layerParameters(scenario.model, layer).norms);
    return blocks;
}

} // namespace clusterbeat
