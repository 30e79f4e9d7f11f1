// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "views/timeline/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace clusterbeat {

/// Pixel columns [x0, x1) of a lane whose spans are too narrow to be told apart: they show shares of time, not spans.
struct DenseRange {
    std::int32_t x0 = 0, x1 = 0;
    [[nodiscard]] std::int32_t width() const { return x1 - x0; }
    friend bool operator==(const DenseRange &, const DenseRange &) = default;
};

/// Logical pixels: a narrower span is not drawn on its own; wider ones stand alone only when this much lies free between
/// two narrow ones; shares are averaged over a window, so that stripes of a few pixels become areas.
inline constexpr double kNarrowSpan = 3.0, kDenseGap = 8.0, kShareWindow = 16.0;

/// The dense columns of a lane, in order and apart. `spans` sorted by begin, not overlapping; `axis` starts at x0 = 0, its
/// unit is a device pixel, of which a logical one has `ratio`. O(spans).
[[nodiscard]] inline std::vector<DenseRange> denseRanges(std::span<const Span> spans, const TimeAxis &axis, double ratio = 1.0)
{
    std::vector<DenseRange> ranges;
    const auto width = static_cast<std::int32_t>(axis.width);
    for (const Span &span : spans) {
        const double b = axis.xOf(span.begin), e = axis.xOf(span.end);
        if (e <= b || e - b >= kNarrowSpan * ratio || e <= 0.0 || b >= width) continue;
        const auto x0 = static_cast<std::int32_t>(std::floor(std::max(b, 0.0)));
        const auto x1 = std::min(width, static_cast<std::int32_t>(std::ceil(e)));
        if (!ranges.empty() && x0 - ranges.back().x1 <= kDenseGap * ratio) ranges.back().x1 = std::max(ranges.back().x1, x1);
        else ranges.push_back({x0, x1});
    }
    return ranges;
}

/// A share of a column by category; they add up to 1 where spans cover the time.
using ColumnShares = std::array<double, kCategoryCount>;

/// What covers each column of a dense range. `partsOf(index)` says how a span divides into categories (adds up to 1). In
/// a range wider than the window a column shows the mean of the window around it, cut at the range's ends; in a narrower one
/// its own. O(columns + spans in the range).
template <typename PartsOf>
[[nodiscard]] std::vector<ColumnShares> columnShares(std::span<const Span> spans, const TimeAxis &axis, const DenseRange &range,
                                                     PartsOf &&partsOf, double ratio = 1.0)
{
    const auto columns = static_cast<std::size_t>(std::max(0, range.width()));
    std::vector<ColumnShares> own(columns, ColumnShares{});
    const auto first = std::partition_point(spans.begin(), spans.end(), [&](const Span &span) { return axis.xOf(span.end) <= range.x0; });
    for (auto it = first; it != spans.end() && axis.xOf(it->begin) < range.x1; ++it) {
        const double b = std::max<double>(axis.xOf(it->begin), range.x0), e = std::min<double>(axis.xOf(it->end), range.x1);
        if (e <= b) continue;
        const ColumnShares parts = partsOf(static_cast<std::int32_t>(it - spans.begin()));
        for (auto x = static_cast<std::int32_t>(b); x < range.x1 && x < e; ++x) {
            const double covered = std::min<double>(e, x + 1) - std::max<double>(b, x);
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                own[static_cast<std::size_t>(x - range.x0)][c] += covered * parts[c];
        }
    }
    const auto half = static_cast<std::size_t>(kShareWindow * ratio / 2.0);
    if (columns <= 2 * half) return own;
    std::vector<ColumnShares> mean(columns, ColumnShares{});
    ColumnShares sum{};
    std::size_t from = 0, to = 0;
    for (std::size_t x = 0; x < columns; ++x) {
        for (; to < std::min(columns, x + half + 1); ++to)
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                sum[c] += own[to][c];
        for (; from + half < x; ++from)
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                sum[c] -= own[from][c];
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            mean[x][c] = std::max(0.0, sum[c]) / static_cast<double>(to - from);
    }
    return mean;
}

/// What of a run lies outside the dense ranges: its longest such part; empty (x1 <= x0) when there is none.
[[nodiscard]] inline std::pair<std::int32_t, std::int32_t> outsideDense(std::int32_t x0, std::int32_t x1, std::span<const DenseRange> dense)
{
    std::pair<std::int32_t, std::int32_t> best{x0, x0};
    const auto offer = [&best](std::int32_t from, std::int32_t to) {
        if (to - from > best.second - best.first) best = {from, to};
    };
    auto it = std::partition_point(dense.begin(), dense.end(), [x0](const DenseRange &range) { return range.x1 <= x0; });
    for (; it != dense.end() && it->x0 < x1; ++it) {
        offer(x0, it->x0);
        x0 = std::max(x0, it->x1);
    }
    offer(x0, x1);
    return best;
}

} // namespace clusterbeat
