// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/layout_choice.h"

namespace clusterbeat
{

/// What is tried beside the degrees.
struct CandidateSpace {
    /// Without zb-auto, whose order is itself a search for each layout's times: its limits of p and 2p activations lie
    /// between ZB-H1, ZB-H2 and ZB-V.
    std::vector<ScheduleKind> schedules{ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::ZbH1,
                                        ScheduleKind::ZbH2,     ScheduleKind::ZbV,         ScheduleKind::DualPipe,
                                        ScheduleKind::DualPipeV, ScheduleKind::GPipe};
    std::vector<RecomputeMode> recompute{RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full};
    std::vector<std::int64_t> recomputeQuarters{1, 2, 3}; ///< of a stage's layers, recomputed whole
    std::vector<std::int64_t> zeroStages{0, 1, 2, 3};
    bool expertTensor = true; ///< experts split over as many ranks as tensor, too
    bool shardGroups = true;  ///< ZeRO-3 inside a scale-up domain, too
    std::int64_t largestMicroBatch = 16;
    std::int64_t largestContext = 64;
};

/// Every layout that the rules allow, in a fixed order; the same global batch for all. Tried are:
/// - tensor: divisors of the heads;
/// - context: powers of two that divide the sequence; expert: divisors of the experts;
/// - pipeline: divisors of the layers, of the layers and embedding and head, and of the GPUs that tensor and context
/// leave;
/// - expert_tensor: 1 or tensor; recompute: none, selective, full, and a quarter to three of a stage's layers;
/// - micro_batch: divisors of the global batch;
/// - data: the largest number of replicas that the GPUs hold and the batch divides by; what is left over are spares;
/// - virtual_pipeline: chunks of the same number of layers (embedding and head counted or not), for interleaving;
/// - ZeRO: one stage only where there is nothing to shard over; stage 3 over all ranks, or over those of one domain;
/// - GPipe: with several stages.
/// resolve() has the last word on each. O(layouts).
[[nodiscard]] std::vector<LayoutChoice> validLayouts(const LayoutResolver &resolver, const CandidateSpace &space);

} // namespace clusterbeat
