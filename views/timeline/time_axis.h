// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace clusterbeat {

/// Linear map between simulated time and pixels of a strip [x0, x0 + width). A zero width or an empty range maps
/// everything to x0 and every pixel to range.begin; nothing divides by zero.
struct TimeAxis {
    TimeRange range;
    double x0 = 0.0;
    double width = 0.0;

    [[nodiscard]] double nsPerPixel() const
    {
        return width > 0.0 ? static_cast<double>(range.length()) / width : 0.0;
    }
    [[nodiscard]] double xOf(TimeNs t) const
    {
        if (width <= 0.0 || range.length() <= 0) return x0;
        return x0 + static_cast<double>(t - range.begin) * width / static_cast<double>(range.length());
    }
    /// Inverse of xOf to the nearest nanosecond.
    [[nodiscard]] TimeNs timeAt(double x) const
    {
        if (width <= 0.0 || range.length() <= 0) return range.begin;
        return range.begin + static_cast<TimeNs>(std::llround((x - x0) * nsPerPixel()));
    }
};

/// Shortest range that zooming reaches.
inline constexpr TimeNs kShortestVisible = 20'000;

/// Zooms by `factor` (< 1 = closer) so that `anchor` keeps its place on the axis, unless the ends of
/// [0, duration] forbid it.
[[nodiscard]] inline TimeRange zoomedAround(TimeRange range, TimeNs anchor, double factor, TimeNs duration)
{
    if (duration <= 0 || range.length() <= 0 || !(factor > 0.0)) return range;
    const TimeNs shortest = std::min(kShortestVisible, duration);
    const double wanted = static_cast<double>(range.length()) * factor;
    const TimeNs length = std::clamp(static_cast<TimeNs>(std::llround(std::min(wanted, 9e18))), shortest, duration);
    const double share = static_cast<double>(anchor - range.begin) / static_cast<double>(range.length());
    const TimeNs begin = anchor - static_cast<TimeNs>(std::llround(share * static_cast<double>(length)));
    const TimeNs clamped = std::clamp<TimeNs>(begin, 0, duration - length);
    return {clamped, clamped + length};
}

/// Moves by `delta`, keeping the length, inside [0, duration].
[[nodiscard]] inline TimeRange pannedBy(TimeRange range, TimeNs delta, TimeNs duration)
{
    const TimeNs begin = std::clamp<TimeNs>(range.begin + delta, 0, std::max<TimeNs>(0, duration - range.length()));
    return {begin, begin + range.length()};
}

/// While playing the axis stays fixed; once the playhead passes 90 % of the range (or leaves it) the next page
/// starts with the playhead at 10 %.
[[nodiscard]] inline TimeRange pagedTo(TimeRange range, TimeNs playhead, TimeNs duration)
{
    const TimeNs length = range.length();
    if (length <= 0 || length >= duration) return range;
    const bool lastPage = range.end >= duration;
    const bool inside = playhead >= range.begin && (playhead < range.begin + length / 10 * 9 || (lastPage && playhead <= range.end));
    if (inside) return range;
    const TimeNs begin = std::clamp<TimeNs>(playhead - length / 10, 0, duration - length);
    return {begin, begin + length};
}

/// Labelled instants at multiples of 1, 2 or 5 times a power of ten nanoseconds.
struct Ticks {
    TimeNs step = 0;                ///< 0 = none
    std::vector<TimeNs> at;
};

/// At least `minimumPixels` apart. O(ticks).
[[nodiscard]] inline Ticks niceTicks(const TimeAxis &axis, double minimumPixels)
{
    Ticks ticks;
    if (axis.width <= 0.0 || axis.range.length() <= 0 || !(minimumPixels > 0.0)) return ticks;
    const double least = axis.nsPerPixel() * minimumPixels;
    TimeNs decade = 1;
    while (ticks.step == 0) {
        for (const TimeNs multiple : {TimeNs{1}, TimeNs{2}, TimeNs{5}})
            if (ticks.step == 0 && static_cast<double>(multiple * decade) >= least) ticks.step = multiple * decade;
        decade *= 10;
    }
    for (TimeNs t = (axis.range.begin + ticks.step - 1) / ticks.step * ticks.step; t <= axis.range.end; t += ticks.step)
        ticks.at.push_back(t);
    return ticks;
}

/// Digits after the decimal point that tell neighbouring ticks apart when shown in seconds.
[[nodiscard]] inline int secondsDecimals(TimeNs step)
{
    int decimals = 0;
    for (TimeNs unit = kNsPerSecond; unit > std::max<TimeNs>(step, 1) && decimals < 9; unit /= 10)
        ++decimals;
    return decimals;
}

} // namespace clusterbeat
