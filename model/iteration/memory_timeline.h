// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <vector>

namespace clusterbeat {

/// From `at` until the next step, or the end of the iteration.
struct MemoryStep {
    TimeNs at = 0;
    MemoryParts parts;
};

/// Memory of the GPUs of one stage of one replica over the iteration: a forward's activations are there from its end, what
/// a backward needs besides (recomputed layers) from its start to its end; gradients that are reduced into shards go at
/// the optimizer step. The first step is at 0, times never fall, equal neighbours are one step; the largest total is
/// the stage's peak. Without optimizer_sync what lies beyond the iteration is at its beginning, as for spans.
/// `out` is replaced. O(operations of the stage).
void memoryOverTime(const IterationResult &result, std::int32_t stage, std::int32_t replica, std::vector<MemoryStep> &out);

/// The rank with the largest peak and the instant of that peak; which rank exceeds the capacity first, if any does (of
/// those at the same instant the lowest stage and replica). `byStage` with every operation. O(operations + classes * stages).
[[nodiscard]] MemoryReport memoryReport(std::shared_ptr<const std::vector<StageMemory>> byStage, Bytes capacity, const Run &run,
                                        const Placement &placement);

} // namespace clusterbeat
