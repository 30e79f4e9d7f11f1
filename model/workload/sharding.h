// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"
#include "model/scenario/resolve.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"

namespace clusterbeat
{

/// Ranks that hold shards of the same optimizer state: 1 without ZeRO, data·context with ZeRO 1-2, the shard group
/// with ZeRO-3 (Rajbhandari et al. 2020).
[[nodiscard]] double optimizerShards(const ResolvedScenario &scenario);
/// Ranks of a stage that hold the same routed experts: tensor·context·data / (expert·expert_tensor).
[[nodiscard]] double expertReplicas(const ResolvedScenario &scenario);
/// The same as optimizerShards for routed experts, over their replicas.
[[nodiscard]] double expertShards(const ResolvedScenario &scenario);
/// Weights whose optimizer state one rank holds.
[[nodiscard]] double optimizerParameters(const ResolvedScenario &scenario, const HeldParameters &held);
[[nodiscard]] std::int64_t gradientBytes(const ResolvedScenario &scenario);
[[nodiscard]] std::int64_t parameterGatherBytes(const ResolvedScenario &scenario);

/// Are gradients reduced layer by layer in every backward, so that no more than two layers' are ever whole? ZeRO-3, ZeRO-2
/// with one chunk a rank (Rajbhandari et al. 2020, section 5.2), and `reduce_every: micro_batch`.
[[nodiscard]] bool reducesEveryBackward(const ResolvedScenario &scenario);
/// Gradient reductions of a chunk in one iteration. ZeRO-2 of several chunks must free the buffer and so reduces after each
/// run of micro-batches that its schedule keeps together: p of them when interleaved.
/// Only the last is timed as ChunkSync; the others run behind the backward passes that follow.
[[nodiscard]] double gradientReductions(const ResolvedScenario &scenario);

/// What sums the gradients: a reduce-scatter, or an all-reduce where each rank keeps all of them.
[[nodiscard]] CollectiveKind gradientCollective(const ResolvedScenario &scenario);

/// FSDP's collectives for the weights of one rank, experts over their own replicas; inactive below ZeRO-3.
[[nodiscard]] ShardCollectives shardCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                                const NetworkModel &network, const HeldParameters &held);

/// Data-parallel collectives of one chunk's weights, experts over their own replicas, ZeRO 0-2; 0 with ZeRO-3.
struct SyncSeconds {
    double gather = 0.0, reduce = 0.0;
    double gatherStartup = 0.0, reduceStartup = 0.0; ///< of these: the start-up cost
};
[[nodiscard]] SyncSeconds chunkSyncSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                           const NetworkModel &network, const HeldParameters &held);

/// Sum of the tied embedding's gradient over the first and the last stage, which each hold a copy (Shoeybi et al.
/// 2019); 0 when not tied, or on one stage.
[[nodiscard]] double tiedEmbeddingSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                          const NetworkModel &network);

} // namespace clusterbeat
