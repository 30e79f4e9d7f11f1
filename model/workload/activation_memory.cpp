// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/activation_memory.h"

#include "model/workload/experts.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"

#include <algorithm>

namespace clusterbeat {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// Elements of one token on one tensor rank.
struct Elements {
    double hidden = 0, query = 0, keyValue = 0, value = 0, latent = 0, scores = 0, heads = 0;
    double sequenceShare = 1;
};

Elements elementsOf(const ResolvedScenario &scenario)
{
    const ModelSection &model = scenario.model;
    const double t = real(scenario.degrees.tensor);
    Elements e;
    e.hidden = real(model.hidden);
    e.heads = real(model.heads) / t;
    e.query = attentionWidths(model).queryKey / t;
    e.value = attentionWidths(model).value / t;
    e.keyValue = model.mla ? e.query + e.value : 2.0 * std::max(1.0, real(model.kvHeads) / t) * real(model.headDim);
    if (model.mla) e.latent = real(model.mla->qLoraRank + model.mla->kvLoraRank + model.mla->ropeHeadDim);
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
    return 4.0 * e.heads + (linearInputBytes(scenario) < 2.0 ? 2.0 * e.value : 0.0);
}

// Inputs of the activation function, and of the last matmul.
double hiddenLayerBytes(const ResolvedScenario &scenario, double width)
{
    return (2.0 * (scenario.model.gatedFfn ? 2.0 : 1.0) + linearInputBytes(scenario)) * width;
}

// Dense: of this tensor rank. With experts: shared ones as dense; every routed row keeps its permuted input, the
// activation's inputs and the last matmul's; the router its fp32 scores. The busiest GPU holds the most rows.
double mlpBytes(const ResolvedScenario &scenario, std::int64_t layer, double sequenceShare, bool recomputed)
{
    const ModelSection &model = scenario.model;
    const double t = real(scenario.degrees.tensor);
    if (!isMoeLayer(model, layer)) return hiddenLayerBytes(scenario, real(model.ffnHidden) / t);
    const bool withoutActivation = recomputed && recomputesModule(scenario, "moe_act");
    const bool withoutShared = recomputed && recomputesModule(scenario, "shared_experts");
    const ExpertLoad load = expertLoad(scenario);
    const double rowsPerToken = load.rows / tokensPerGroup(scenario);
    const double shared = real(model.moe->sharedExperts * model.moe->expertFfnHidden) / t;
    const double activation = withoutActivation ? linearInputBytes(scenario) * load.width : 0.0;
    return (withoutShared ? 0.0 : hiddenLayerBytes(scenario, shared)) +
           4.0 * real(model.moe->experts) / sequenceShare +
           rowsPerToken * (linearInputBytes(scenario) * real(model.hidden) + hiddenLayerBytes(scenario, load.width) -
                           activation);
}

double bytesPerToken(const ResolvedScenario &scenario, const Elements &e, std::int64_t layer, bool recomputed)
{
    const bool classic = isClassicBlock(scenario.model);
    const double input = linearInputBytes(scenario);
    const double norms = scenario.model.parallelBlock ? 1.0 : 2.0;
    double split = norms * 2.0 * e.hidden;        // inputs of the norms
    // Inputs of the QKV and of the first MLP matmul. A module that is recomputed whole keeps its input.
    const bool wholeMlp =
        recomputed && recomputesModule(scenario, isMoeLayer(scenario.model, layer) ? "moe" : "mlp");
    const bool withoutNorms = recomputed && recomputesModule(scenario, "layernorm");
    split += (withoutNorms ? (wholeMlp ? norms - 1.0 : 0.0) : norms) * input * e.hidden;
    if (classic) split += norms * 1.0 * e.hidden; // dropout masks
    // The latents: inputs of their norms and of the up projections.
    split += (2.0 + input) * e.latent;
    double bytes = split / e.sequenceShare;
    // Queries, keys, values; MLA may make them again from the latents.
    if (!(recomputed && recomputesModule(scenario, "mla_up_proj"))) bytes += 2.0 * (e.query + e.keyValue);
    bytes += coreBytes(scenario, e, recomputed && recomputesModule(scenario, "core_attn"));
    bytes += input * e.value; // input of the attention's projection
    return wholeMlp ? bytes : bytes + mlpBytes(scenario, layer, e.sequenceShare, recomputed);
}

} // namespace

double fullLayerActivationBytes(const ResolvedScenario &scenario, std::int64_t layer)
{
    return tokensPerGroup(scenario) * bytesPerToken(scenario, elementsOf(scenario), layer, false);
}

double layerActivationBytes(const ResolvedScenario &scenario, std::int64_t layer, std::int64_t indexInStage)
{
    const Elements e = elementsOf(scenario);
    switch (recomputeOf(scenario, indexInStage)) {
    case LayerRecompute::None: return fullLayerActivationBytes(scenario, layer);
    case LayerRecompute::Selective: return tokensPerGroup(scenario) * bytesPerToken(scenario, e, layer, true);
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
