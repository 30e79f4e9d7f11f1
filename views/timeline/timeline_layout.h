// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/gutters.h"
#include "views/timeline/time_axis.h"

#include <QRect>
#include <QSize>

#include <algorithm>
#include <cstdint>

namespace clusterbeat {

/// Heights of the timeline's rows, logical pixels.
struct TimelineMetrics {
    int ruler = 24, head = 18, lane = 20, replica = 18;
    int compute = 13, gap = 1, communication = 5;      ///< inside a lane; the rest is the space to the next one
};

/// Shares out a lane of `height` px that is not one of the usual ones: very low ones have no place for communication.
inline void divideLane(TimelineMetrics &metrics, int height, double scale)
{
    metrics.lane = height;
    if (height < 10) {
        metrics.gap = metrics.communication = 0;
        metrics.compute = std::max(1, height - 1);
        return;
    }
    metrics.gap = height >= 28 ? 2 : 1;
    metrics.communication = std::clamp(height / 5, 2, static_cast<int>(10 * scale + 0.5));
    metrics.compute = height - metrics.communication - metrics.gap - std::max(1, height / 14);
}

/// How many rows share the timeline's height.
struct TimelineRows {
    int stages = 0, otherReplicas = 0;
    bool allStages = false;                            ///< every stage in sight, as low as that makes the lanes
};

/// Lanes of 20 px, 16 in a compact window, 14 (12 on the projector) where only those show all stages. They grow, up to 56 px, into the room that
/// the rows of the other replicas leave, or into half of the view where those do not fit anyway; then those rows grow.
[[nodiscard]] inline TimelineMetrics timelineMetrics(bool compact, double scale, const TimelineRows &rows, int height)
{
    const auto px = [scale](int value) { return static_cast<int>(value * scale + 0.5); };
    constexpr int tallest = 56, tallestReplica = 30, lowest = 3;
    TimelineMetrics metrics{px(24), px(18), px(20), px(18), px(13), px(1), px(5)};
    if (compact) metrics = {px(20), px(16), px(16), px(16), px(11), px(1), px(3)};
    const int body = height - metrics.ruler - metrics.head;
    if (rows.stages <= 0 || body <= 0) return metrics;
    if (compact && rows.stages * metrics.lane > body) metrics.lane = px(14), metrics.compute = px(9);
    // the projector's may be as low as other themes' lanes
    if (compact && scale > 1.0 && rows.stages * metrics.lane > body) divideLane(metrics, std::clamp(body / rows.stages, 12, px(14)), scale);
    const int room = std::max(body - rows.otherReplicas * metrics.replica, body / 2);
    int lane = std::clamp(room / rows.stages, metrics.lane, px(tallest));
    if (rows.allStages) lane = std::clamp(body / rows.stages, lowest, px(tallest));
    if (lane != metrics.lane) divideLane(metrics, lane, scale);
    if (rows.otherReplicas > 0)
        metrics.replica = std::clamp((body - rows.stages * lane) / rows.otherReplicas, metrics.replica, px(tallestReplica));
    return metrics;
}

struct TimelineRow {
    enum class Kind : std::uint8_t { None, Ruler, Head, Stage, Replica };
    Kind kind = Kind::None;
    std::int32_t index = 0;                            ///< stage, or number of the replica
    friend bool operator==(const TimelineRow &, const TimelineRow &) = default;
};

/// Ruler on top; below it, scrolled together: the head of the focused replica, a lane per stage, a row per other
/// replica in order. The lane map stands at the right, outside the scrolled part.
struct TimelineLayout {
    QSize size;
    Gutters gutters;
    TimelineMetrics metrics;
    std::int32_t stages = 0, replicas = 0, focus = 0;
    int scroll = 0;

    [[nodiscard]] int plotLeft() const { return gutters.left; }
    [[nodiscard]] int plotWidth() const { return gutters.plotWidth(size.width()); }
    [[nodiscard]] QRect ruler() const { return {plotLeft(), 0, plotWidth(), metrics.ruler}; }
    /// The scrolled part, label gutter included.
    [[nodiscard]] QRect body() const
    {
        return {0, metrics.ruler, gutters.left + plotWidth(), std::max(0, size.height() - metrics.ruler)};
    }
    [[nodiscard]] QRect plot() const { return {plotLeft(), metrics.ruler, plotWidth(), body().height()}; }
    [[nodiscard]] QRect laneMap() const
    {
        const int caption = metrics.replica - 2;
        return {plotLeft() + plotWidth() + gutters.gap, metrics.ruler, std::max(0, gutters.right - gutters.gap + 4),
                std::max(0, body().height() - caption)};
    }
    [[nodiscard]] std::int32_t otherReplicas() const { return std::max(0, replicas - 1); }
    [[nodiscard]] int contentHeight() const
    {
        return metrics.head + stages * metrics.lane + otherReplicas() * metrics.replica;
    }
    [[nodiscard]] int clampedScroll(int value) const
    {
        return std::clamp(value, 0, std::max(0, contentHeight() - body().height()));
    }
    /// Replica shown by the i-th row below the lanes.
    [[nodiscard]] std::int32_t replicaOfRow(std::int32_t row) const { return row < focus ? row : row + 1; }

    /// Full rectangle of a row, gutter and plot; may lie outside the body when scrolled.
    [[nodiscard]] QRect rowRect(const TimelineRow &row) const
    {
        const int width = gutters.left + plotWidth(), top = metrics.ruler - scroll;
        switch (row.kind) {
        case TimelineRow::Kind::Ruler: return {0, 0, width, metrics.ruler};
        case TimelineRow::Kind::Head: return {0, top, width, metrics.head};
        case TimelineRow::Kind::Stage: return {0, top + metrics.head + row.index * metrics.lane, width, metrics.lane};
        case TimelineRow::Kind::Replica: {
            if (row.index == focus) return {0, top, width, metrics.head};
            const int number = row.index < focus ? row.index : row.index - 1;
            return {0, top + metrics.head + stages * metrics.lane + number * metrics.replica, width, metrics.replica};
        }
        default: return {};
        }
    }
    /// The inverse of rowRect for points of the ruler and the body.
    [[nodiscard]] TimelineRow rowAt(int y) const
    {
        if (y < 0 || y >= size.height()) return {};
        if (y < metrics.ruler) return {TimelineRow::Kind::Ruler, 0};
        int below = y - metrics.ruler + scroll;
        if (below < metrics.head) return {TimelineRow::Kind::Head, 0};
        below -= metrics.head;
        if (below < stages * metrics.lane) return {TimelineRow::Kind::Stage, below / metrics.lane};
        below -= stages * metrics.lane;
        const int row = below / metrics.replica;
        if (row < otherReplicas()) return {TimelineRow::Kind::Replica, replicaOfRow(row)};
        return {};
    }
    /// Compute and communication parts of a stage's lane, plot columns only.
    [[nodiscard]] QRect computeRect(std::int32_t stage) const
    {
        const QRect row = rowRect({TimelineRow::Kind::Stage, stage});
        return {plotLeft(), row.y(), plotWidth(), metrics.compute};
    }
    [[nodiscard]] QRect communicationRect(std::int32_t stage) const
    {
        return {plotLeft(), computeRect(stage).y() + metrics.compute + metrics.gap, plotWidth(), metrics.communication};
    }
    /// Replica at a height of the lane map; its rows fill the map evenly.
    [[nodiscard]] std::int32_t replicaOnMap(int y) const
    {
        const QRect map = laneMap();
        if (map.height() <= 0 || replicas <= 0) return 0;
        const auto row = static_cast<std::int64_t>(y - map.y()) * replicas / map.height();
        return static_cast<std::int32_t>(std::clamp<std::int64_t>(row, 0, replicas - 1));
    }
    /// Centre of a replica's row on the lane map.
    [[nodiscard]] int mapY(std::int32_t replica) const
    {
        const QRect map = laneMap();
        return map.y() + static_cast<int>((2 * static_cast<std::int64_t>(replica) + 1) * map.height() / (2 * std::max(1, replicas)));
    }
};

/// Where a tick's label of `width` px stands in the ruler: centred on the tick, moved inside at the ends.
[[nodiscard]] inline QRect tickLabelRect(int x, int width, const QRect &ruler)
{
    return {std::max(ruler.left(), std::min(x - width / 2, ruler.right() - width)), 0, width, ruler.height() - 4};
}
/// True when a label would be covered by the playhead's plate or stand closer to it than a character's gap; the heights do
/// not matter. An empty plate touches nothing.
[[nodiscard]] inline bool touchesPlate(const QRect &label, const QRect &plate)
{
    constexpr int gap = 4;
    return !plate.isEmpty() && label.left() - gap <= plate.right() && label.right() + gap >= plate.left();
}

} // namespace clusterbeat
