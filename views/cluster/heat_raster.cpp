// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/heat_raster.h"

#include "views/shared/scan_fill.h"
#include "views/beat/breakdown.h"

#include <QPainter>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kLineHeight = 3;       // lowest cell with a line through its middle: one row of fill on each side
constexpr int kCutWidth = 12;        // narrowest cell that is cut in four columns

QRgb blend(const QColor &under, const QColor &over, float share)
{
    const auto mix = [share](float a, float b) { return a + (b - a) * share; };
    return QColor::fromRgbF(mix(under.redF(), over.redF()), mix(under.greenF(), over.greenF()), mix(under.blueF(), over.blueF()))
        .rgb();
}

HeatCue cueOf(Category category)
{
    switch (category) {
    case Category::ExposedTp:
    case Category::ExposedCp:
    case Category::ExposedEp:
    case Category::ExposedPp:
    case Category::ExposedDp: return HeatCue::FourColumns;
    case Category::StragglerWait:
    case Category::DataWait:
    case Category::CheckpointStall: return HeatCue::MiddleLine;
    default: return HeatCue::None;
    }
}

class Raster final {
public:
    explicit Raster(QImage &image) : m_fill(image) {}
    void cell(const QRect &rect, std::uint8_t state, const HeatPalette &palette) const
    {
        const int x0 = rect.x(), y0 = rect.y(), x1 = x0 + rect.width(), y1 = y0 + rect.height();
        fill(x0, y0, x1, y1, palette.fill[state]);
        const QRgb mark = palette.mark[state];
        switch (palette.cue[state]) {
        case HeatCue::None: break;
        case HeatCue::MiddleLine:
            if (rect.height() >= kLineHeight) {
                const int thick = std::max(1, rect.height() / 9), middle = y0 + (rect.height() - thick) / 2;
                fill(x0, middle, x1, middle + thick, mark);
            }
            break;
        case HeatCue::FourColumns:
            if (rect.width() >= kCutWidth)
                for (int i = 1; i < 4; ++i)
                    fill(x0 + rect.width() * i / 4, y0, x0 + rect.width() * i / 4 + 1, y1, mark);
            break;
        case HeatCue::Outline:
            if (rect.width() < 3 || rect.height() < 3) break;
            fill(x0, y0, x1, y0 + 1, mark);
            fill(x0, y1 - 1, x1, y1, mark);
            fill(x0, y0, x0 + 1, y1, mark);
            fill(x1 - 1, y0, x1, y1, mark);
            break;
        }
    }
    [[nodiscard]] bool misses(const QRect &rect) const { return m_fill.misses(rect); }

private:
    void fill(int x0, int y0, int x1, int y1, QRgb colour) const { m_fill.fill(x0, y0, x1, y1, colour); }
    ScanFill m_fill;
};

bool allAlike(std::span<const std::uint8_t> states)
{
    return std::all_of(states.begin(), states.end(), [&](std::uint8_t s) { return s == states.front(); });
}

} // namespace

HeatPalette heatPaletteFor(const Theme &theme)
{
    HeatPalette palette;
    palette.background = theme.panel.rgb();
    palette.fill.fill(theme.panel.rgb());
    palette.mark.fill(theme.border.rgb());
    palette.cue.fill(HeatCue::Outline);
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        const QColor fill = theme.category(category);
        palette.fill[i] = fill.rgb();
        palette.cue[i] = cueOf(category);
        const bool casing = category == Category::StragglerWait || palette.cue[i] == HeatCue::None;
        palette.mark[i] = blend(fill, casing ? theme.selectionCasing : Theme::textOn(fill), theme.dark() ? 0.5F : 0.55F);
    }
    return palette;
}

void paintHeatCells(QImage &image, const HeatLayout &layout, const HeatTransform &transform, HeatLevel level,
                    std::span<const std::uint8_t> states, const HeatPalette &palette)
{
    const Raster raster(image);
    for (const HeatCell &rack : layout.racks) {
        if (raster.misses(transform.toViewport(rack.rect))) continue;
        for (std::int32_t s = rack.first; s < rack.first + rack.count; ++s) {
            const HeatCell &server = layout.servers[static_cast<std::size_t>(s)];
            QRect rect = transform.toViewport(server.rect);
            const auto own = states.subspan(static_cast<std::size_t>(server.firstGpu), static_cast<std::size_t>(server.gpuCount));
            if (own.empty() || raster.misses(rect)) continue;
            if (level >= HeatLevel::Servers) {
                rect.adjust(1, 1, -1, level == HeatLevel::Gpus ? -2 : -1);
                for (int g = 0; g < server.gpuCount; ++g)
                    raster.cell(gpuRect(rect, server.gpuCount, g).adjusted(0, 0, -1, 0), own[static_cast<std::size_t>(g)], palette);
            } else if (allAlike(own)) {
                raster.cell(rect, own.front(), palette);
            } else if (rect.width() >= server.gpuCount) {
                for (int g = 0; g < server.gpuCount; ++g)
                    raster.cell(gpuRect(rect, server.gpuCount, g), own[static_cast<std::size_t>(g)], palette);
            } else {
                raster.cell(rect, dominantState(countStates(own, 0, server.gpuCount)), palette);
            }
        }
    }
}

StateCounts countStates(std::span<const std::uint8_t> states, GpuIndex first, std::int32_t count)
{
    StateCounts counts{};
    for (const std::uint8_t state : states.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)))
        ++counts[std::min<std::size_t>(state, kCategoryCount)];
    return counts;
}

std::uint8_t dominantState(const StateCounts &counts)
{
    const auto most = std::max_element(counts.begin(), counts.end()) - counts.begin();
    return static_cast<std::size_t>(most) == kCategoryCount ? kUnusedState : static_cast<std::uint8_t>(most);
}

void paintShares(QPainter &painter, const QRectF &rect, const StateCounts &counts, const Theme &theme)
{
    std::int32_t total = 0;
    for (const std::int32_t count : counts)
        total += count;
    if (total == 0) return;
    double done = 0.0;
    for (const Category category : kStackOrder) {
        const std::int32_t count = counts[categoryIndex(category)];
        if (count == 0) continue;
        const double y1 = std::round(rect.bottom() - rect.height() * done / total);
        done += count;
        const double y0 = std::round(rect.bottom() - rect.height() * done / total);
        painter.fillRect(QRectF(rect.x(), y0, rect.width(), y1 - y0), theme.brush(category, y1 - y0 < 6.0));
    }
}

void paintStateCell(QPainter &painter, const QRectF &rect, std::uint8_t state, const Theme &theme)
{
    if (state >= kCategoryCount) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.border);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
        return;
    }
    const auto category = static_cast<Category>(state);
    painter.fillRect(rect, theme.brush(category, rect.height() < 6.0 || rect.width() < 3.0));
    if (theme.needsEdge(category)) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.border);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

} // namespace clusterbeat
