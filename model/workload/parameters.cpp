// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/parameters.h"

#include <algorithm>

namespace clusterbeat {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

double mlaParameters(const ModelSection &model, const MlaShape &mla)
{
    const double h = real(model.hidden);
    const double a = real(model.heads);
    const double queryKey = real(mla.nopeHeadDim + mla.ropeHeadDim);
    const double query =
        mla.qLoraRank > 0 ? h * real(mla.qLoraRank) + real(mla.qLoraRank) * a * queryKey : h * a * queryKey;
    const double keyValue =
        h * real(mla.kvLoraRank + mla.ropeHeadDim) + real(mla.kvLoraRank) * a * real(mla.nopeHeadDim + mla.vHeadDim);
    return query + keyValue + a * real(mla.vHeadDim) * h;
}

} // namespace

bool isMoeLayer(const ModelSection &model, std::int64_t index)
{
    if (!model.moe || index < model.moe->denseLayers) return false;
    return (index - model.moe->denseLayers) % std::max<std::int64_t>(model.moe->every, 1) == 0;
}

LayerParameters layerParameters(const ModelSection &model, std::int64_t index)
{
    LayerParameters p;
    const double h = real(model.hidden);
    const double d = real(model.headDim);
    const double matrices = model.gatedFfn ? 3.0 : 2.0;
    p.attention = model.mla ? mlaParameters(model, *model.mla)
                            : 2.0 * h * real(model.heads) * d + 2.0 * h * real(model.kvHeads) * d;
    if (isMoeLayer(model, index)) {
        const double expert = matrices * h * real(model.moe->expertFfnHidden);
        p.sharedExperts = real(model.moe->sharedExperts) * expert;
        p.mlp = h * real(model.moe->experts) + p.sharedExperts;
        p.experts = real(model.moe->experts) * expert;
        p.expertsActive = real(model.moe->topK) * expert;
    } else {
        p.mlp = matrices * h * real(model.ffnHidden);
    }
    const double normWidth = isClassicBlock(model) ? 2.0 : 1.0; // scale and shift, or scale
    p.norms = normWidth * h * (model.parallelBlock ? 1.0 : 2.0);
    return p;
}

double latentUpParameters(const ModelSection &model)
{
    if (!model.mla) return 0.0;
    const MlaShape &mla = *model.mla;
    return real(model.heads) * (real(mla.qLoraRank) * real(mla.nopeHeadDim + mla.ropeHeadDim) +
                                real(mla.kvLoraRank) * real(mla.nopeHeadDim + mla.vHeadDim));
}

double vocabularyParameters(const ModelSection &model) { return real(model.vocab) * real(model.hidden); }

AttentionWidths attentionWidths(const ModelSection &model)
{
    const double a = real(model.heads);
    if (model.mla) return {a * real(model.mla->nopeHeadDim + model.mla->ropeHeadDim), a * real(model.mla->vHeadDim)};
    return {a * real(model.headDim), a * real(model.headDim)};
}

bool isWindowed(const ModelSection &model, std::int64_t index)
{
    if (!model.attentionWindow || model.attentionWindow->size <= 0) return false;
    const AttentionWindow &window = *model.attentionWindow;
    if (window.globalEvery > 0) return index % window.globalEvery != window.globalEvery - 1;
    if (!window.globalLayers.empty())
        return !std::binary_search(window.globalLayers.begin(), window.globalLayers.end(), index);
    return index % std::max<std::int64_t>(window.every, 1) == 0;
}

double attentionShare(const ModelSection &model, std::int64_t index, double sequence, bool causal)
{
    const double full = causal ? 0.5 : 1.0;
    if (!isWindowed(model, index)) return full;
    const double w = std::min(real(model.attentionWindow->size) / sequence, 1.0);
    return std::min(full, w - 0.5 * w * w);
}

double meanAttentionShare(const ModelSection &model, double sequence, bool causal)
{
    if (model.layers <= 0) return 0.0;
    double sum = 0.0;
    for (std::int64_t layer = 0; layer < model.layers; ++layer) sum += attentionShare(model, layer, sequence, causal);
    return sum / real(model.layers);
}

bool isClassicBlock(const ModelSection &model) { return !model.gatedFfn && model.activation == "gelu"; }

std::int64_t firstLayerOfChunk(const Degrees &degrees, std::int64_t stage, std::int64_t chunk)
{
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < degrees.chunkIndex(stage, chunk); ++i)
        first += degrees.layersPerChunk[static_cast<std::size_t>(i)];
    return first;
}

HeldParameters heldParameters(const ResolvedScenario &scenario, const LayerParameters &layer)
{
    const Degrees &degrees = scenario.degrees;
    return {(layer.attention + layer.mlp) / real(degrees.tensor) + layer.norms,
            layer.experts / real(degrees.expert * degrees.expertTensor)};
}

ChunkParameters chunkParameters(const ResolvedScenario &scenario, std::int64_t stage, std::int64_t chunk)
{
    const Degrees &degrees = scenario.degrees;
    const double t = real(degrees.tensor);
    ChunkParameters p;
    const std::int64_t first = firstLayerOfChunk(degrees, stage, chunk);
    const auto add = [&](std::int64_t index) {
        const HeldParameters layer = heldParameters(scenario, layerParameters(scenario.model, index));
        p.layers += layer.dense;
        p.experts += layer.experts;
    };
    for (std::int64_t i = 0; i < degrees.chunkLayers(stage, chunk); ++i) add(first + i);
    const double vocabulary = vocabularyParameters(scenario.model) / t;
    if (isFirstChunk(degrees, stage, chunk)) p.embedding = vocabulary;
    if (isPredictionChunk(degrees, stage, chunk))
        for (std::int64_t i = 0; i < scenario.model.mtpLayers; ++i) add(predictionLayer(scenario.model));
    if (isLastChunk(degrees, stage, chunk)) {
        p.layers += real(scenario.model.hidden) * (isClassicBlock(scenario.model) ? 2.0 : 1.0); // final norm
        // A tied output layer on the embedding's own GPU needs no weights; on another stage it is a copy.
        if (!scenario.model.tiedEmbeddings || degrees.pipeline > 1) p.output = vocabulary;
    }
    return p;
}

} // namespace clusterbeat
