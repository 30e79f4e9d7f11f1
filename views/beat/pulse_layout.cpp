// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/pulse_layout.h"

#include "views/shared/gutters.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr double kGrip = 5.0;

struct Heights {
    int legend, plot, axis, rest;
};
Heights heightsOf(bool compact, double scale)
{
    const Heights base = compact ? Heights{24, 50, 16, 2} : Heights{26, 74, 20, 6};
    const auto scaled = [scale](int px) { return static_cast<int>(px * scale + 0.5); };
    return {scaled(base.legend), scaled(base.plot), scaled(base.axis), scaled(base.rest)};
}

} // namespace

TimeNs PulseGeometry::timeAt(double x, TimeNs duration) const
{
    const double share = std::clamp((x - plot.left()) / std::max(1, plot.width()), 0.0, 1.0);
    return static_cast<TimeNs>(share * static_cast<double>(duration) + 0.5);
}

int pulseHeight(bool compact, double scale)
{
    const Heights h = heightsOf(compact, scale);
    return h.legend + h.plot + h.axis + h.rest;
}

PulseGeometry pulseGeometry(int width, bool compact, double scale)
{
    const Gutters g = gutters(compact, scale);
    const Heights h = heightsOf(compact, scale);
    PulseGeometry geometry;
    const int margin = 12;
    geometry.legend = QRect(margin, 0, std::max(0, width - 2 * margin), h.legend);
    geometry.plot = QRect(g.left, h.legend, g.plotWidth(width), h.plot);
    geometry.axis = QRect(g.left, h.legend + h.plot, g.plotWidth(width), h.axis);
    geometry.now = QRect(g.plotRight(width) + g.gap, h.legend, g.right, h.plot + h.axis);
    return geometry;
}

BracketPart bracketPartAt(const PulseGeometry &geometry, TimeRange visible, TimeNs duration, double x)
{
    if (duration <= 0 || (visible.begin <= 0 && visible.end >= duration)) return BracketPart::None;
    const double begin = geometry.xOf(visible.begin, duration), end = geometry.xOf(visible.end, duration);
    const double toBegin = std::abs(x - begin), toEnd = std::abs(x - end);
    if (std::min(toBegin, toEnd) <= kGrip) {
        // A bracket narrower than its grips: outside its middle counts.
        if (end - begin < 3.0 * kGrip) {
            if (x < begin) return BracketPart::Begin;
            if (x > end) return BracketPart::End;
            return BracketPart::Inside;
        }
        return toBegin <= toEnd ? BracketPart::Begin : BracketPart::End;
    }
    return x > begin && x < end ? BracketPart::Inside : BracketPart::None;
}

ShareStack stackShares(const ShareBins &bins, int columns, const CategoryMask &shown)
{
    ShareStack stack;
    if (columns <= 0 || bins.bins <= 0) return stack;
    stack.columns = columns;
    stack.edge.assign(static_cast<std::size_t>(columns) * (kCategoryCount + 1), 0.0F);
    const double binsPerColumn = static_cast<double>(bins.bins) / columns;
    for (int column = 0; column < columns; ++column) {
        const double from = column * binsPerColumn, to = from + binsPerColumn;
        std::array<double, kCategoryCount> sums{};
        double weight = 0.0;
        for (auto bin = static_cast<std::int32_t>(from); bin < bins.bins && bin < to; ++bin) {
            const double covered = std::min(to, bin + 1.0) - std::max(from, static_cast<double>(bin));
            if (covered <= 1e-9) continue;
            weight += covered;
            for (std::size_t i = 0; i < kCategoryCount; ++i) sums[i] += covered * static_cast<double>(bins.at(bin, static_cast<Category>(i)));
        }
        double edge = 0.0;
        for (std::size_t k = 0; k < kCategoryCount; ++k) {
            const std::size_t category = categoryIndex(kStackOrder[k]);
            if (shown[category] && weight > 0.0) edge += sums[category] / weight;
            stack.edge[static_cast<std::size_t>(column) * (kCategoryCount + 1) + k + 1] = static_cast<float>(edge);
        }
    }
    return stack;
}

std::vector<TimeNs> axisTicks(TimeNs duration, int pixels, int minPixels)
{
    std::vector<TimeNs> ticks;
    if (duration <= 0 || pixels <= 0 || minPixels <= 0) return ticks;
    const double least = static_cast<double>(duration) * minPixels / pixels;
    TimeNs step = 1;
    for (int k = 0; static_cast<double>(step) < least; ++k) step = k % 3 == 1 ? step / 2 * 5 : step * 2;
    for (TimeNs t = 0; t <= duration; t += step) ticks.push_back(t);
    return ticks;
}

std::vector<LegendEntry> legendEntries(const std::array<double, kCategoryCount> &breakdownS)
{
    const std::vector<std::int64_t> units = largestRemainder(breakdownS, 0.01);
    std::vector<LegendEntry> entries;
    for (const Category category : kStackOrder) {
        const std::size_t i = categoryIndex(category);
        if (units[i] > 0) entries.push_back({static_cast<std::int32_t>(i), units[i]});
    }
    return entries;
}

std::vector<LegendEntry> foldLegend(std::vector<LegendEntry> entries, std::size_t limit)
{
    if (entries.size() <= limit || limit == 0) return entries;
    LegendEntry rest;
    while (entries.size() + 1 > limit && !entries.empty()) {
        const auto smallest = std::min_element(entries.begin(), entries.end(), [](const LegendEntry &a, const LegendEntry &b) { return a.hundredths < b.hundredths; });
        rest.hundredths += smallest->hundredths;
        entries.erase(smallest);
    }
    entries.push_back(rest);
    return entries;
}

} // namespace clusterbeat
