// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"

#include <array>
#include <stop_token>

namespace clusterbeat {

/// Mean seconds over all ranks per category; sums to the iteration up to double rounding. O(operations * classes).
[[nodiscard]] std::array<double, kCategoryCount> meanBreakdown(const Run &run, const std::stop_token &stop = {});

/// Mean over ranks of (T - work)/T where communication and perturbations take no time: the schedule's own bubble.
[[nodiscard]] double scheduleBubbleFraction(const IterationPlan &plan);

} // namespace clusterbeat
