// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

namespace clusterbeat {

/// FLOPs and parameters that depend on the model and training sections only.
struct ModelFlops {
    double parameters = 0.0; ///< all weights, embeddings included
    double activeParameters =
        0.0; ///< N: matmul parameters touched by one token: output layer yes, input embedding no, tied once, MoE active
    double perTokenNoAttention = 0.0; ///< 6N
    double perTokenCausal = 0.0;      ///< 6N + 6 L (a head_dim) s       (or the windowed equivalent)
    double perTokenNoncausal = 0.0;   ///< 6N + 12 L (a head_dim) s
    double perTokenHardware = 0.0;    ///< executed: causal + recompute
};
/// `pipelineStages` matters only to recompute mode Layers, which counts layers per stage. O(layers).
[[nodiscard]] ModelFlops modelFlops(const ModelSection &model, const TrainingSection &training,
                                    std::int64_t pipelineStages = 1);

} // namespace clusterbeat
