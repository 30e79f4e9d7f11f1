// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <cstdint>

namespace clusterbeat {

/// Parameters of one transformer layer by kind. Biases and position embeddings are left out (below 0.1 %).
struct LayerParameters {
    double attention = 0.0;     ///< projections (MLA: all its down and up projections)
    double mlp = 0.0;           ///< dense MLP, or router and shared experts of an MoE layer
    double sharedExperts = 0.0; ///< part of `mlp`
    double experts = 0.0;       ///< all routed experts
    double expertsActive = 0.0; ///< routed experts that one token touches
    double norms = 0.0;         ///< scales; replicated over tensor ranks
    [[nodiscard]] double matmul() const { return attention + mlp + experts; }
    [[nodiscard]] double matmulActive() const { return attention + mlp + expertsActive; }
    [[nodiscard]] double total() const { return matmul() + norms; }
};
/// Layer `index` counts from 0; leading dense layers of an MoE model are dense.
[[nodiscard]] LayerParameters layerParameters(const ModelSection &model, std::int64_t index);
/// MLA's projections from the latents up to heads; 0 without MLA.
[[nodiscard]] double latentUpParameters(const ModelSection &model);
/// V·h, of the input embedding as of the output layer.
[[nodiscard]] double vocabularyParameters(const ModelSection &model);

/// Query·key and probability·value widths over all heads: a·d_qk and a·d_v (equal without MLA).
struct AttentionWidths {
    double queryKey = 0.0, value = 0.0;
    [[nodiscard]] double mean() const { return 0.5 * (queryKey + value); }
};
[[nodiscard]] AttentionWidths attentionWidths(const ModelSection &model);

/// Whether a layer attends to its window only; O(log of the listed global layers).
[[nodiscard]] bool isWindowed(const ModelSection &model, std::int64_t index);
/// Share of the s·s score matrix that layer `index` computes: 1, or 1/2 when causal; a window of w keys behind the
/// query leaves w/s − (w/s)²/2.
[[nodiscard]] double attentionShare(const ModelSection &model, std::int64_t index, double sequence, bool causal);
/// Mean of the above over all layers.
[[nodiscard]] double meanAttentionShare(const ModelSection &model, double sequence, bool causal);

/// GPT-2's block, with biases, learned positions and dropout; everything gated or of another activation is the later
/// kind, with rotary positions and none of these.
[[nodiscard]] bool isClassicBlock(const ModelSection &model);

/// Does layer `index` route its tokens to experts?
[[nodiscard]] bool isMoeLayer(const ModelSection &model, std::int64_t index);
/// The model layer that a multi-token prediction module repeats: the last (DeepSeek-AI 2024, section 2.2).
[[nodiscard]] inline std::int64_t predictionLayer(const ModelSection &model)
{
    return model.layers > 0 ? model.layers - 1 : 0;
}

/// Weights that one rank holds: `dense` is split over tensor ranks and repeated over data and context ranks, `experts`
/// over expert and expert-tensor ranks and repeated over the rest of the stage (Megatron's parallel folding, Liu et
/// al. 2025).
struct HeldParameters {
    double dense = 0.0, experts = 0.0;
    [[nodiscard]] double total() const { return dense + experts; }
};
[[nodiscard]] HeldParameters heldParameters(const ResolvedScenario &scenario, const LayerParameters &layer);

/// Weights that one rank of a chunk holds; `layers` without routed experts, prediction modules in their chunk.
struct ChunkParameters {
    double layers = 0.0, experts = 0.0, embedding = 0.0, output = 0.0;
    [[nodiscard]] double total() const { return layers + experts + embedding + output; }
    [[nodiscard]] HeldParameters held() const { return {layers + embedding + output, experts}; }
};
[[nodiscard]] ChunkParameters chunkParameters(const ResolvedScenario &scenario, std::int64_t stage, std::int64_t chunk);
/// Number in the model of the first layer of a chunk.
[[nodiscard]] std::int64_t firstLayerOfChunk(const Degrees &degrees, std::int64_t stage, std::int64_t chunk);
[[nodiscard]] inline bool isFirstChunk(const Degrees &degrees, std::int64_t stage, std::int64_t chunk)
{
    return degrees.chunkIndex(stage, chunk) == 0;
}
[[nodiscard]] inline bool isLastChunk(const Degrees &degrees, std::int64_t stage, std::int64_t chunk)
{
    return degrees.chunkIndex(stage, chunk) == degrees.modelChunks() - 1;
}
/// The multi-token prediction modules' own chunk: the last, or as layout.mtp_stage says.
[[nodiscard]] inline bool isPredictionChunk(const Degrees &degrees, std::int64_t stage, std::int64_t chunk)
{
    const std::int64_t own = degrees.mtpChunk < 0 ? degrees.modelChunks() - 1 : degrees.mtpChunk;
    return degrees.chunkIndex(stage, chunk) == own;
}

} // namespace clusterbeat
