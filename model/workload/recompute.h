// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"
#include "model/workload/layer_cost.h"

#include <string_view>

namespace clusterbeat
{

/// Does the training section recompute this module (a name of kRecomputeModules) of layers that are not recomputed
/// whole? Selective recompute is core_attn (Korthikanti et al. 2022).
[[nodiscard]] bool recomputesModule(const ResolvedScenario &scenario, std::string_view module);

/// Recompute of layer `indexInStage` (counted over the stage's chunks) by the training section.
[[nodiscard]] LayerRecompute recomputeOf(const ResolvedScenario &scenario, std::int64_t indexInStage);

/// Which of its forward's collectives a layer's backward repeats.
[[nodiscard]] RepeatedCollectives repeatedCollectives(const ResolvedScenario &scenario, std::int64_t layer,
                                                      LayerRecompute recompute);

/// Adds what the backward computes again, module by module; `segments.blocks` must be filled.
void addSelectiveRecompute(LayerSegments &segments, const ResolvedScenario &scenario, const CostConstants &constants);

} // namespace clusterbeat
