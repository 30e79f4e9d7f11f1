// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/shape_parts.h"
#include "model/iteration/trace.h"

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

namespace clusterbeat {

/// What all members of a group together do inside its operations and the optimizer step; without the waits between them
/// and blocking sends. Groups whose pace varies from operation to operation are added up from their mean factors: within
/// half a nanosecond an operation and member of the sum of their own rounded times, and with the same total. `parts` is
/// needed for those only. O(operations).
[[nodiscard]] CategoryTimes timesInsideGroup(const Run &run, const ShapePartTable *parts, std::int32_t stage, std::int32_t replica);
/// The table for timesInsideGroup(), or nothing when no pace varies.
[[nodiscard]] std::optional<ShapePartTable> partsForVaryingPace(const IterationPlan &plan);
/// The host's fixed time, the waits for experts' peers in other replicas and the sends that block the compute stream: the
/// same for all members of a group.
[[nodiscard]] CategoryTimes fixedTimesOfGroup(const Run &run, std::int32_t stage, std::int32_t replica);
/// Mean seconds over all ranks from the sums over the ranks of each class's representative.
[[nodiscard]] std::array<double, kCategoryCount> meanOfClasses(const Run &run, const std::vector<CategoryTimes> &ofClass);

/// Mean seconds over all ranks per category; sums to the iteration up to double rounding. O(operations * classes).
[[nodiscard]] std::array<double, kCategoryCount> meanBreakdown(const Run &run, const std::stop_token &stop = {});

/// Mean over ranks of (T - work)/T where communication and perturbations take no time: the schedule's own bubble.
[[nodiscard]] double scheduleBubbleFraction(const IterationPlan &plan);

} // namespace clusterbeat
