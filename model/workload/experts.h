// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"
#include "model/scenario/resolve.h"
#include "model/workload/layer_cost.h"

namespace clusterbeat {

/// What one GPU's experts do for one micro-batch, of the busiest GPU: training.routing_imbalance over the mean, unless
/// the software drops tokens beyond an even load.
struct ExpertLoad {
    double tokens = 0.0;  ///< that this GPU routes: its share of the group's sequence
    double rows = 0.0;    ///< rows that its experts process: tokens · top_k · expert_tensor, times imbalance
    double experts = 0.0; ///< local
    double width = 0.0;   ///< of one local expert's share: expert_ffn_hidden / expert_tensor
    double imbalance = 1.0;
};
[[nodiscard]] ExpertLoad expertLoad(const ResolvedScenario &scenario);

/// Copies of a token that leave a rank for the `ranks` of an all-to-all. `deduplicated` (DeepEP, HybridEP) sends one
/// per destination rank that the token's experts live on; else one per expert.
[[nodiscard]] double dispatchCopies(double topK, double ranks, bool deduplicated);

/// Seconds of one direction (dispatch or combine) of one layer and micro-batch.
struct AllToAllTime {
    double startupS = 0.0, networkS = 0.0, scaleupS = 0.0;
    double bytes = 0.0; ///< that the GPU sends to others
    double acrossBytes = 0.0; ///< of them, to other domains
    [[nodiscard]] double totalS() const { return startupS + networkS + scaleupS; }
};
[[nodiscard]] AllToAllTime expertAllToAll(const ResolvedScenario &scenario, const CostConstants &constants,
                                          const NetworkModel &network);

/// What a layer's compute waits for before and after its experts, in each pass.
[[nodiscard]] BlockCollectives expertCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                                 const NetworkModel &network);

/// Forward of the shared experts, and of the routed experts' activation function with its casts, of one layer and
/// micro-batch on one GPU: what recomputing them repeats.
[[nodiscard]] double sharedExpertSeconds(const ResolvedScenario &scenario, const GpuRates &rates);
[[nodiscard]] double expertActivationSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                             const GpuRates &rates);

/// Host time of a layer with experts and one micro-batch, forward and backward: routing, permutation, a launch for
/// each local expert; seconds.
[[nodiscard]] double expertHostSeconds(const ResolvedScenario &scenario, const CostConstants &constants);

} // namespace clusterbeat
