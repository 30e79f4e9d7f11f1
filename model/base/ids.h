// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>

namespace clusterbeat {

/// Dense index of a GPU in one Expansion, in container order. Never saved to a file.
using GpuIndex = std::int32_t;
/// Dense rank of one layout, 0 … ranks-1, in the layout's order of dimensions. Never saved to a file.
using RankIndex = std::int32_t;
inline constexpr std::int32_t kNone = -1;

} // namespace clusterbeat
