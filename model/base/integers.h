// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>
#include <limits>

namespace clusterbeat {

/// a * b of two numbers that are not negative, or the largest integer where that does not fit: for figures read from
/// other people's files, which a later check refuses by name rather than by accident.
[[nodiscard]] constexpr std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    if (a <= 0 || b <= 0) return 0;
    return a > std::numeric_limits<std::int64_t>::max() / b ? std::numeric_limits<std::int64_t>::max() : a * b;
}

} // namespace clusterbeat
