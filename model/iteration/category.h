// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace clusterbeat {

/// What a GPU's compute stream is given to at an instant. A closed list: every nanosecond of every rank belongs to
/// exactly one, and the sums equal the iteration.
enum class Category : std::uint8_t {
    Forward, Backward, WeightGradient, Recompute, Optimizer, Host,
    ExposedTp, ExposedCp, ExposedEp, ExposedPp, ExposedDp,
    Bubble, StragglerWait, DataWait, CheckpointStall,
};
inline constexpr std::size_t kCategoryCount = 15;
/// State of a GPU that holds no rank; never part of a sum.
inline constexpr std::uint8_t kUnusedState = 255;

/// Keys of `breakdown_s`, in the enumeration's order.
inline constexpr std::array<std::string_view, kCategoryCount> kCategoryKeys{
    "forward", "backward", "weight_gradient", "recompute", "optimizer", "host",
    "exposed_tp", "exposed_cp", "exposed_ep", "exposed_pp", "exposed_dp",
    "bubble", "straggler_wait", "data_wait", "checkpoint_stall"};

[[nodiscard]] constexpr std::size_t categoryIndex(Category category) { return static_cast<std::size_t>(category); }
/// Compute that a slow GPU lengthens (its duration is divided by the GPU's speed).
[[nodiscard]] constexpr bool scalesWithSpeed(Category category)
{
    return category == Category::Forward || category == Category::Backward || category == Category::WeightGradient ||
           category == Category::Recompute || category == Category::Optimizer;
}

} // namespace clusterbeat
