// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

enum class OperationKind : std::uint8_t { Forward, Backward };

struct ScheduledOperation {
    OperationKind kind = OperationKind::Forward;
    std::int32_t chunk = 0;
    std::int32_t microBatch = 0;
    friend bool operator==(const ScheduledOperation &, const ScheduledOperation &) = default;
};

/// The static order of one iteration's operations on every stage: order[stage][k].
struct PipelineSchedule {
    std::int32_t stages = 1, chunks = 1, microBatches = 1;
    std::vector<std::vector<ScheduledOperation>> order;
};

/// GPipe, 1F1B (Narayanan et al. 2019), interleaved 1F1B (Narayanan et al. 2021; Megatron's groups of p micro-batches,
/// the last group may be smaller). Other kinds: the caller checks scheduleSupported first.
[[nodiscard]] PipelineSchedule makeSchedule(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches);
[[nodiscard]] bool scheduleSupported(ScheduleKind kind);

/// Most chunk activations alive at once on each stage (forward done, its backward not yet), counted along the order.
[[nodiscard]] std::vector<std::int32_t> peakLiveActivations(const PipelineSchedule &schedule);

} // namespace clusterbeat
