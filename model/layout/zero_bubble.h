// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/layout/schedule.h"

namespace clusterbeat {

/// ZB-H1 (`depth` 1) and ZB-H2 (`depth` 2) of Qi et al. 2023, section 2: with depth d stage s runs d(p-1-s) forwards
/// before the first input gradient (one more with depth 2) and lets the weight gradients lag behind by d·s
/// micro-batches, so that every stage holds the same number of activations: p, or 2p-1.
[[nodiscard]] PipelineSchedule zeroBubbleHandcrafted(std::int32_t stages, std::int32_t microBatches, std::int32_t depth);

/// ZB-V (Qi et al. 2023, section 6): two chunks in a V; warm-up, then forward, input and weight gradient in turn for
/// both chunks; no bubble at equal times with the activation memory of 1F1B.
[[nodiscard]] PipelineSchedule zeroBubbleV(std::int32_t stages, std::int32_t microBatches);

/// An order found by list scheduling under an activation limit (in the manner of Qi et al. 2023, section 3): input
/// gradients first, then forwards as long as memory allows, weight gradients where nothing else can run. Several
/// priorities are tried beside the handcrafted orders; the shortest wins, ties go to the first. A limit below p gives
/// the shortest that keeps it. O(operations · stages).
[[nodiscard]] PipelineSchedule searchedSchedule(std::int32_t stages, std::int32_t microBatches, const ScheduleHints &hints);

} // namespace clusterbeat
