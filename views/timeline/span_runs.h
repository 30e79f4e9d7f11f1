// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "views/timeline/time_axis.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace clusterbeat {

/// A run of device pixels [x0, x1) of one lane. `span` = index of the span that it shows (the first of them when it is
/// merged).
struct PixelRun {
    std::int32_t x0 = 0, x1 = 0;
    Category category = Category::Bubble;
    std::int32_t span = 0;
    bool merged = false;            ///< only of columns that several spans share: it stands for no single one, no label
    [[nodiscard]] std::int32_t width() const { return x1 - x0; }
    friend bool operator==(const PixelRun &, const PixelRun &) = default;
};

namespace detail {

/// What the spans that end or begin inside one pixel column cover of it.
class ColumnTally final {
public:
    void add(Category category, std::int32_t span, double covered)
    {
        auto &entry = m_entries[categoryIndex(category)];
        if (covered > entry.widest + 1e-9) {         // the first of equal ones, whatever was rounded
            entry.widest = covered;
            entry.span = span;
        }
        entry.covered += covered;
        ++m_spans;
    }
    [[nodiscard]] bool any() const { return m_spans > 0; }
    /// The category that covers most (the first one in the enumeration's order when two cover the same) and its span
    /// that covers most.
    [[nodiscard]] PixelRun winner(std::int32_t column) const
    {
        std::size_t best = 0;
        for (std::size_t i = 1; i < kCategoryCount; ++i)
            if (m_entries[i].covered > m_entries[best].covered) best = i;
        return {column, column + 1, static_cast<Category>(best), m_entries[best].span, m_spans > 1};
    }
    void clear()
    {
        m_entries = {};
        m_spans = 0;
    }

private:
    struct Entry {
        double covered = 0.0, widest = 0.0;
        std::int32_t span = 0;
    };
    std::array<Entry, kCategoryCount> m_entries{};
    int m_spans = 0;
};

/// Appends; joins what continues the same span, or two merged runs of one category. A span's own columns and a merged
/// run of others stay apart, so a run that is not merged shows one span only.
inline void appendRun(std::vector<PixelRun> &runs, const PixelRun &run)
{
    if (!runs.empty()) {
        PixelRun &last = runs.back();
        const bool one = last.span == run.span && !(last.merged && last.width() > 1), both = last.merged && run.merged;
        if (last.x1 == run.x0 && last.category == run.category && (one || both)) {
            last.x1 = run.x1;
            last.merged = both;
            return;
        }
    }
    runs.push_back(run);
}

} // namespace detail

/// Turns spans (sorted by begin, not overlapping) into runs of whole pixels of an axis whose x0 is 0: every column
/// belongs to at most one run, runs are disjoint, in order and inside [0, width). Inside a column that several spans
/// share, the parts of one category add up and the widest category wins; a column that is not touched has no run.
/// Exact for spans that begin and end on pixel borders. O(spans + runs); `runs` is cleared first.
inline void pixelRuns(std::span<const Span> spans, const TimeAxis &axis, std::vector<PixelRun> &runs)
{
    runs.clear();
    const auto width = static_cast<std::int32_t>(axis.width);
    if (width <= 0 || axis.range.length() <= 0) return;
    detail::ColumnTally tally;
    std::int32_t column = -1;
    const auto flush = [&] {
        if (tally.any()) detail::appendRun(runs, tally.winner(column));
        tally.clear();
    };
    const auto touch = [&](std::int32_t at, const Span &span, std::int32_t index, double covered) {
        if (at < 0 || at >= width || covered <= 0.0) return;
        if (at != column) flush();
        column = at;
        tally.add(span.category, index, covered);
    };
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const Span &span = spans[i];
        const auto index = static_cast<std::int32_t>(i);
        const double b = std::clamp(axis.xOf(span.begin) - axis.x0, 0.0, static_cast<double>(width));
        const double e = std::clamp(axis.xOf(span.end) - axis.x0, 0.0, static_cast<double>(width));
        if (e <= b) continue;
        const auto first = static_cast<std::int32_t>(b), last = static_cast<std::int32_t>(e);
        if (first == last) {
            touch(first, span, index, e - b);
            continue;
        }
        std::int32_t whole = first;
        if (b > static_cast<double>(first)) {
            touch(first, span, index, static_cast<double>(first + 1) - b);
            whole = first + 1;
        }
        if (whole < last) {
            flush();
            detail::appendRun(runs, {whole, last, span.category, index});
        }
        touch(last, span, index, e - static_cast<double>(last));
    }
    flush();
}

} // namespace clusterbeat
