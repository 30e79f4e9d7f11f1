// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/flops.h"

#include "model/workload/documents.h"
#include "model/workload/parameters.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {
namespace {

struct Totals {
    double all = 0.0, touched = 0.0, layersTouched = 0.0;
};

Totals countParameters(const ModelSection &model)
{
    Totals totals;
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        const LayerParameters p = layerParameters(model, layer);
        totals.all += p.total();
        totals.layersTouched += p.matmulActive();
    }
    const double vocabulary = vocabularyParameters(model);
    totals.all += model.tiedEmbeddings ? vocabulary : 2.0 * vocabulary;
    totals.all += static_cast<double>(model.hidden) * (isClassicBlock(model) ? 2.0 : 1.0); // final norm
    totals.touched = totals.layersTouched + vocabulary;
    // A multi-token prediction module is one more layer and one more pass through the output layer (DeepSeek-AI 2024).
    if (model.mtpLayers > 0) {
        const LayerParameters last = layerParameters(model, std::max<std::int64_t>(model.layers - 1, 0));
        const double modules = static_cast<double>(model.mtpLayers);
        totals.all += modules * last.total();
        totals.layersTouched += modules * last.matmulActive();
        totals.touched += modules * (last.matmulActive() + vocabulary);
    }
    return totals;
}

// Forward FLOPs a token of the recomputed modules; norms and activation functions are no matmuls.
double modulesForward(const ModelSection &model, const std::vector<std::string> &modules, double coreForward)
{
    const auto named = [&](std::string_view module) {
        return std::find(modules.begin(), modules.end(), module) != modules.end();
    };
    double flops = named("core_attn") ? coreForward : 0.0;
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        const LayerParameters p = layerParameters(model, layer);
        const bool experts = isMoeLayer(model, layer);
        if (named("mla_up_proj")) flops += 2.0 * latentUpParameters(model);
        if (!experts && named("mlp")) flops += 2.0 * p.mlp;
        if (experts && named("moe")) flops += 2.0 * (p.mlp + p.expertsActive);
        if (experts && named("shared_experts") && !named("moe")) flops += 2.0 * p.sharedExperts;
    }
    return flops;
}

// Forward FLOPs that the backward does again. Selective recompute repeats the attention core (Korthikanti et al.
// 2022, section 5), whatever kernel computes it.
double recomputed(const ModelSection &model, const Recompute &recompute, std::int64_t stages, double layersForward,
                  double coreForward)
{
    switch (recompute.mode) {
    case RecomputeMode::None: return 0.0;
    case RecomputeMode::Selective: return coreForward;
    case RecomputeMode::Full: return layersForward + coreForward;
    case RecomputeMode::Layers:
        return (layersForward + coreForward) *
               std::min(1.0, static_cast<double>(recompute.layers * stages) /
                                 static_cast<double>(std::max<std::int64_t>(model.layers, 1)));
    case RecomputeMode::Modules: return modulesForward(model, recompute.modules, coreForward);
    }
    return 0.0;
}

} // namespace

// Korthikanti et al. 2022, eq. 7-9; Chowdhery et al. 2022 (PaLM), appendix B.
ModelFlops modelFlops(const ModelSection &model, const TrainingSection &training, std::int64_t pipelineStages)
{
    const Totals totals = countParameters(model);
    const double s = static_cast<double>(training.sequenceLength);
    const double layers = static_cast<double>(model.layers + model.mtpLayers);
    // Forward: scores and weighted values, 2·2·s·(a·d) a token; the backward twice that.
    const double coreFull = 4.0 * layers * attentionWidths(model).mean() * s;
    const double causal = meanAttentionShare(model, s, true);
    const double noncausal = meanAttentionShare(model, s, false);
    // Hardware does not compute what a document's mask hides; the conventions of model FLOPs count whole sequences.
    const double length = attentionLength(training);
    const double executed = length / s * meanAttentionShare(model, length, training.causalAttention);

    ModelFlops flops;
    flops.parameters = totals.all;
    flops.activeParameters = totals.touched;
    flops.perTokenNoAttention = 6.0 * totals.touched;
    flops.perTokenCausal = flops.perTokenNoAttention + 3.0 * coreFull * causal;
    flops.perTokenNoncausal = flops.perTokenNoAttention + 3.0 * coreFull * noncausal;
    flops.perTokenHardware = flops.perTokenNoAttention + 3.0 * coreFull * executed +
                             recomputed(model, training.recompute.value_or(Recompute{}), pipelineStages,
                                        2.0 * totals.layersTouched, coreFull * executed);
    return flops;
}

} // namespace clusterbeat
