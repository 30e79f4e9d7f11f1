// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"

#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"

#include <algorithm>

namespace clusterbeat {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// Elements of one token on one tensor rank.
struct Elements {
    double hidden = 0, query = 0, keyValue = 0, ffn = 0, scores = 0, heads = 0;
    double sequenceShare = 1;
};

Elements elementsOf(const ResolvedScenario &scenario)
{
    const ModelSection &model = scenario.model;
    const double t = real(scenario.degrees.tensor);
    Elements e;
    e.hidden = real(model.hidden);
    e.heads = real(model.heads) / t;
    e.query = e.heads * real(model.headDim);
    e.keyValue = 2.0 * std::max(1.0, real(model.kvHeads) / t) * real(model.headDim);
    e.ffn = real(model.ffnHidden) / t;
    e.scores = e.heads * real(scenario.training.sequenceLength);
    e.sequenceShare = scenario.degrees.sequenceParallel ? t : 1.0;
    return e;
}

// Inputs of linear layers are kept as they enter the matmul: one byte an element in fp8, half in fp4 with a block
// scale.
double linearInputBytes(const ResolvedScenario &scenario)
{
    switch (scenario.training.precision) {
    case Precision::Bf16:
    case Precision::Fp16: return 2.0;
    case Precision::Fp8: return 1.0;
    case Precision::Fp4: return 0.5 + 1.0 / 16.0;
    }
    return 2.0;
}

// The attention core: unfused keeps the softmax and, with dropout, a mask and the dropped-out scores; a fused kernel
// keeps one fp32 sum a row and, for its backward, the output in 16 bits even when the projection's input is narrower.
double coreBytes(const ResolvedScenario &scenario, const Elements &e, bool recomputed)
{
    if (scenario.software.attentionKernel == AttentionKernel::Unfused) {
        if (recomputed) return 0.0;
        return (isClassicBlock(scenario.model) ? 5.0 : 2.0) * e.scores;
    }
    return 4.0 * e.heads + (linearInputBytes(scenario) < 2.0 ? 2.0 * e.query : 0.0);
}

double bytesPerToken(const ResolvedScenario &scenario, const Elements &e, bool coreRecomputed)
{
    const bool classic = isClassicBlock(scenario.model);
    const double input = linearInputBytes(scenario);
    const double norms = scenario.model.parallelBlock ? 1.0 : 2.0;
    double split = norms * 2.0 * e.hidden;        // inputs of the norms
    split += norms * input * e.hidden;            // inputs of the QKV and of the first MLP matmul
    if (classic) split += norms * 1.0 * e.hidden; // dropout masks
    double bytes = split / e.sequenceShare;
    bytes += 2.0 * (e.query + e.keyValue); // queries, keys, values
    bytes += coreBytes(scenario, e, coreRecomputed);
    bytes += input * e.query;                                     // input of the attention's projection
    bytes += 2.0 * (scenario.model.gatedFfn ? 2.0 : 1.0) * e.ffn; // inputs of the activation function
    bytes += input * e.ffn;                                       // input of the last MLP matmul
    return bytes;
}

} // namespace

double fullLayerActivationBytes(const ResolvedScenario &scenario, std::int64_t /*layer*/)
{
    return tokensPerGroup(scenario) * bytesPerToken(scenario, elementsOf(scenario), false);
}

double layerActivationBytes(const ResolvedScenario &scenario, std::int64_t layer, std::int64_t indexInStage)
{
    const Elements e = elementsOf(scenario);
    switch (recomputeOf(scenario, indexInStage)) {
    case LayerRecompute::None: return fullLayerActivationBytes(scenario, layer);
    case LayerRecompute::Selective: return tokensPerGroup(scenario) * bytesPerToken(scenario, e, true);
    case LayerRecompute::Full: return tokensPerGroup(scenario) * 2.0 * e.hidden / e.sequenceShare;
    }
    return 0.0;
}

double embeddingActivationBytes(const ResolvedScenario &scenario)
{
    const Elements e = elementsOf(scenario);
    return isClassicBlock(scenario.model) ? tokensPerGroup(scenario) * e.hidden / e.sequenceShare : 0.0;
}

double headActivationBytes(const ResolvedScenario &scenario)
{
    const Elements e = elementsOf(scenario);
    const double logits = 4.0 * real(scenario.model.vocab) / real(scenario.degrees.tensor);
    return tokensPerGroup(scenario) * (4.0 * e.hidden / e.sequenceShare + logits);
}

} // namespace clusterbeat
