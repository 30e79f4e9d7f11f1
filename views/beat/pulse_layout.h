// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/pulse.h"
#include "views/beat/breakdown.h"
#include "views/shared/view_state.h"

#include <QRect>
#include <QString>

#include <array>
#include <cstdint>
#include <vector>

/// Geometry and figures of the pulse strip without pixels of colour: pure and tested.
namespace clusterbeat {

struct PulseGeometry {
    QRect legend, plot, axis, now;

    [[nodiscard]] double xOf(TimeNs t, TimeNs duration) const
    {
        return plot.left() + (duration > 0 ? static_cast<double>(t) / static_cast<double>(duration) * plot.width() : 0.0);
    }
    /// Clamped to [0, duration].
    [[nodiscard]] TimeNs timeAt(double x, TimeNs duration) const;
};
/// The gutters are shared with the timeline (views/shared/gutters.h).
[[nodiscard]] PulseGeometry pulseGeometry(int width, bool compact, double scale);
[[nodiscard]] int pulseHeight(bool compact, double scale);

/// What of the bracket is under x: edges within 5 px win over the inside; a bracket over everything has no inside.
enum class BracketPart : std::uint8_t { None, Begin, Inside, End };
[[nodiscard]] BracketPart bracketPartAt(const PulseGeometry &geometry, TimeRange visible, TimeNs duration, double x);

/// Cumulative shares per pixel column in kStackOrder: edge[column * (kCategoryCount + 1) + k] is the lower edge of the
/// k-th category of the order, 0 at the bottom, 1 at the top. Hidden categories take no height. A column averages
/// the bins that it covers, by their length.
struct ShareStack {
    int columns = 0;
    std::vector<float> edge;
    [[nodiscard]] float at(int column, std::size_t k) const { return edge[static_cast<std::size_t>(column) * (kCategoryCount + 1) + k]; }
};
using CategoryMask = std::array<bool, kCategoryCount>;      ///< true = shown
[[nodiscard]] ShareStack stackShares(const ShareBins &bins, int columns, const CategoryMask &shown);

/// Instants for axis labels: a round step (1, 2, 5 · 10^k ns) that leaves at least `minPixels` between labels.
[[nodiscard]] std::vector<TimeNs> axisTicks(TimeNs duration, int pixels, int minPixels);

/// One entry per category that is at least half a hundredth of a second long, in kStackOrder; the rest is added to one
/// entry without category. Hundredths of a second; they sum to the iteration's.
struct LegendEntry {
    std::int32_t category = -1;        ///< index, -1 = all that is smaller
    std::int64_t hundredths = 0;
    friend bool operator==(const LegendEntry &, const LegendEntry &) = default;
};
[[nodiscard]] std::vector<LegendEntry> legendEntries(const std::array<double, kCategoryCount> &breakdownS);
/// Folds the smallest entries into the rest until at most `limit` entries remain.
[[nodiscard]] std::vector<LegendEntry> foldLegend(std::vector<LegendEntry> entries, std::size_t limit);

} // namespace clusterbeat
