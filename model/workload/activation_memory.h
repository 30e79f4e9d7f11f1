// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <cstdint>

namespace clusterbeat {

/// Bytes that the forward of one layer and micro-batch keeps for its backward on one GPU, counted operation by
/// operation (Korthikanti et al. 2022, section 4.1; for GPT with sequence parallelism and without the attention core
/// it is their s·b·h·34/t). With full recompute only the layer's input, 2·s·b·h.
[[nodiscard]] double layerActivationBytes(const ResolvedScenario &scenario, std::int64_t layer,
                                          std::int64_t indexInStage);
/// The same without recompute: what a recomputed layer needs while its backward runs.
[[nodiscard]] double fullLayerActivationBytes(const ResolvedScenario &scenario, std::int64_t layer);

/// Kept by the embedding (dropout mask of GPT blocks) and by final norm, output layer and loss (fp32 logits).
[[nodiscard]] double embeddingActivationBytes(const ResolvedScenario &scenario);
[[nodiscard]] double headActivationBytes(const ResolvedScenario &scenario);

} // namespace clusterbeat
