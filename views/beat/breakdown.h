// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

/// Arithmetic of what the beat's views show: shares that add up, money over the run. Pure functions.
namespace clusterbeat {

/// Rounds to whole multiples of `quantum` so that the rounded parts sum to the rounded total: each part is rounded down,
/// then those with the largest remainders get one more (first index on a tie). Parts that are not finite or negative
/// count as 0. Returns multiples. O(n log n).
[[nodiscard]] std::vector<std::int64_t> largestRemainder(std::span<const double> parts, double quantum);

/// Iterations of the whole run: its tokens over the tokens of one batch; 0 without a scenario.
[[nodiscard]] double iterationsOfRun(const IterationResult &result);
/// What `seconds` more per iteration cost over the run: seconds · iterations · GPUs of the cluster · $/GPU-hour / 3600.
[[nodiscard]] double usdOverRun(const IterationResult &result, double seconds);

/// Replicas that wait for somebody: those whose mean straggler wait is over 0.5 % of the iteration, the culprit's own
/// replica left out. O(classes * bins).
struct HeldUp {
    std::int32_t replicas = 0;
    std::int64_t gpus = 0;
    double meanWaitS = 0.0;              ///< over those replicas' ranks
};
[[nodiscard]] HeldUp heldUp(const IterationResult &result);

/// Order of the stacked shares from the bottom: compute, exposed communication, bubble, waiting on top.
inline constexpr std::array<Category, kCategoryCount> kStackOrder{
    Category::Forward, Category::Recompute, Category::Backward, Category::WeightGradient, Category::Optimizer, Category::Host,
    Category::ExposedDp, Category::ExposedPp, Category::ExposedCp, Category::ExposedEp, Category::ExposedTp,
    Category::DataWait, Category::CheckpointStall, Category::Bubble, Category::StragglerWait};

/// True for categories in which the GPU calculates.
[[nodiscard]] constexpr bool isCompute(Category category)
{
    return scalesWithSpeed(category);
}

} // namespace clusterbeat
