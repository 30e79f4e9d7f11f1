// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"

#include <algorithm>

namespace clusterbeat {

/// No sum of durations goes beyond: far above the longest iteration that is run, half of what the integer holds.
inline constexpr TimeNs kMostTimeNs = 4'000'000'000'000'000'000;

/// a + b of durations from 0 to kMostTimeNs, at most kMostTimeNs.
[[nodiscard]] constexpr TimeNs saturatedSum(TimeNs a, TimeNs b) { return std::min(a, kMostTimeNs - b) + b; }

} // namespace clusterbeat
