// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/layout_choice.h"

namespace clusterbeat
{

/// What is tried beside the degrees.
struct CandidateSpace {
    std::vector<ScheduleKind> schedules{ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::ZbH1,
                                        ScheduleKind::ZbH2,     ScheduleKind::ZbV,         ScheduleKind::DualPipe,
                                        ScheduleKind::DualPipeV};
    std::vector<RecomputeMode> recompute{RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full};
    std::vector<std::int64_t> zeroStages{0, 1, 2, 3};
    std::int64_t largestMicroBatch = 16;
    std::int64_t largestContext = 64;
};

/// Every layout that the rules allow, in a fixed order; the same global batch for all. Tried are:
/// - tensor: divisors of the heads;
/// - context: powers of two that divide the sequence; expert: divisors of the experts;
/// - pipeline: divisors of the layers, of the layers and embedding and head, and of the GPUs that tensor and context
/// leave;
/// - micro_batch: divisors of the global batch;
/// - data: the largest number of replicas that the GPUs hold and the batch divides by; what is left over are spares;
/// - virtual_pipeline: chunks of the same number of layers (embedding and head counted or not), for interleaving;
/// - ZeRO: one stage only where there is nothing to shard over.
/// resolve() has the last word on each. O(layouts).
[[nodiscard]] std::vector<LayoutChoice> validLayouts(const LayoutResolver &resolver, const CandidateSpace &space);

} // namespace clusterbeat
