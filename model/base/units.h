// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cmath>
#include <cstdint>

namespace clusterbeat {

/// Simulated time and durations: integer nanoseconds. The only alias, so that another resolution is a one-line change.
using TimeNs = std::int64_t;
using Bytes = std::int64_t;

inline constexpr TimeNs kNsPerSecond = 1'000'000'000;

/// Rounds a computed duration to the clock once. Negative and NaN become 0, anything over 10^6 s is clamped, so that
/// sums of millions of them stay in range.
[[nodiscard]] inline TimeNs toNs(double seconds)
{
    if (!(seconds > 0.0)) return 0;
    if (seconds > 1e6) seconds = 1e6;
    return static_cast<TimeNs>(std::floor(seconds * 1e9 + 0.5));
}
[[nodiscard]] inline double toSeconds(TimeNs ns) { return static_cast<double>(ns) / 1e9; }

/// The traps of the field, named: Gb/s is 10^9 bit/s, GB is 10^9 bytes, GiB is 2^30 bytes.
[[nodiscard]] constexpr double bytesPerSecondFromGbps(double gigabitsPerSecond) { return gigabitsPerSecond * 1e9 / 8.0; }
[[nodiscard]] constexpr double bytesPerSecondFromGBps(double gigabytesPerSecond) { return gigabytesPerSecond * 1e9; }
inline constexpr double kBytesPerGb = 1e9;
inline constexpr double kBytesPerGib = 1073741824.0;

} // namespace clusterbeat
