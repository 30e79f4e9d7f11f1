// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/heat_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace clusterbeat {
namespace {

constexpr double kHysteresis = 0.85;
constexpr double kServerColumn = 5.0, kServerHeight = 9.0;     // from here single GPUs are told apart
constexpr double kGpuColumn = 16.0, kGpuHeight = 22.0;         // from here a GPU carries its number
constexpr int kWidestColumn = 180, kTallestServer = 220;        // a single server does not blow up
constexpr double kLargeColumn = 40.0;
constexpr int kTallForWideGap = 24;                            // large cells stand further apart

struct Arrangement {
    int tilesPerRow = 1, tileRows = 1;
    int columns = 1, rows = 1;              // racks of a full tile
    int serverColumns = 1, serverRows = 1;  // servers of a full rack
    int gapX = 0, gapY = 0;
    int serverWidth = 1, serverHeight = 1;
    int tilePitchX = 0, tilePitchY = 0;
    [[nodiscard]] int rackWidth() const { return serverColumns * serverWidth; }
    [[nodiscard]] int rackHeight() const { return serverRows * serverHeight; }
};

int ceilDivide(int a, int b) { return (a + b - 1) / b; }

HeatCell cellOf(const Expansion &expansion, std::int32_t container, std::int32_t parent)
{
    const Container &source = expansion.containers[static_cast<std::size_t>(container)];
    HeatCell cell;
    cell.container = container;
    cell.parent = parent;
    cell.firstGpu = source.firstGpu;
    cell.gpuCount = source.gpuCount;
    return cell;
}

/// Containers of a kind inside each parent cell, or the parent itself where the kind is missing. Both lists are in
/// GPU order, so one walk joins them.
std::vector<HeatCell> childrenOf(const Expansion &expansion, std::vector<HeatCell> &parents, NodeKind kind)
{
    const std::vector<std::int32_t> containers = expansion.containersOfKind(kind);
    std::vector<HeatCell> cells;
    std::size_t next = 0;
    for (std::size_t p = 0; p < parents.size(); ++p) {
        HeatCell &parent = parents[p];
        parent.first = static_cast<std::int32_t>(cells.size());
        const GpuIndex end = parent.firstGpu + parent.gpuCount;
        const auto firstGpuOf = [&](std::size_t i) {
            return expansion.containers[static_cast<std::size_t>(containers[i])].firstGpu;
        };
        while (next < containers.size() && firstGpuOf(next) < parent.firstGpu)
            ++next;
        for (; next < containers.size() && firstGpuOf(next) < end; ++next)
            if (expansion.containers[static_cast<std::size_t>(containers[next])].gpuCount > 0)
                cells.push_back(cellOf(expansion, containers[next], static_cast<std::int32_t>(p)));
        if (static_cast<std::size_t>(parent.first) == cells.size() && parent.gpuCount > 0) {
            HeatCell self = parent;
            self.parent = static_cast<std::int32_t>(p);
            self.first = self.count = 0;
            cells.push_back(self);
        }
        parent.count = static_cast<std::int32_t>(cells.size()) - parent.first;
    }
    return cells;
}

int largestCount(const std::vector<HeatCell> &cells)
{
    int most = 1;
    for (const HeatCell &cell : cells)
        most = std::max(most, cell.count);
    return most;
}

struct Problem {
    QSize viewport;
    HeatMargins margins;
    int tiles = 1, racks = 1, servers = 1, gpus = 1;   // most per parent
    int bandRacks = 0;
};

/// Cells of one arrangement, or nothing when it does not fit.
std::optional<Arrangement> fitted(const Problem &problem, Arrangement a)
{
    const HeatMargins &m = problem.margins;
    a.tilePitchX = problem.viewport.width() / a.tilesPerRow;
    a.tilePitchY = (problem.viewport.height() - m.top - m.bottom) / a.tileRows;
    const int width = a.tilePitchX - m.gutter - m.tileGap;
    const int height = a.tilePitchY - (a.tileRows > 1 ? m.tileHead + m.tileGap / 2 : 0);
    a.serverWidth = ((width + a.gapX) / a.columns - a.gapX) / a.serverColumns;
    a.serverHeight = ((height + a.gapY) / a.rows - a.gapY) / a.serverRows;
    a.serverWidth = std::min(a.serverWidth, kWidestColumn * problem.gpus);
    a.serverHeight = std::min(a.serverHeight, kTallestServer);
    if (a.serverWidth < 1 || a.serverHeight < 1) return std::nullopt;
    if (a.gapY > 2 && a.serverHeight < kTallForWideGap) return std::nullopt;
    return a;
}

/// Size of the cells, the narrower side counts; whole bands per row, stacked servers and visible gaps are worth a little size.
double scoreOf(const Problem &problem, const Arrangement &a)
{
    const double column = static_cast<double>(a.serverWidth) / problem.gpus;
    double score = std::min(column * 1.6, static_cast<double>(a.serverHeight));
    score += 0.02 * std::max(column * 1.6, static_cast<double>(a.serverHeight));
    const int band = problem.bandRacks;
    if (band > 1 && a.columns == band) score *= 1.4;
    else if (band > 1 && (a.columns % band == 0 || band % a.columns == 0)) score *= 1.3;
    // large cells: a server is a row of its own rather than a few taller cells
    if (a.serverColumns == 1) score *= column >= kLargeColumn ? 1.25 : 1.05;
    if (a.gapX > 0) score *= 1.06;
    if (a.gapY > 0) score *= 1.12;
    if (a.gapY > 1) score *= 1.04;
    if (a.gapY > 2) score *= 1.1;
    return score - 1e-6 * a.columns;
}

Arrangement bestArrangement(const Problem &problem)
{
    constexpr std::array<std::array<int, 2>, 5> gaps{{{8, 6}, {1, 2}, {1, 1}, {0, 1}, {0, 0}}};
    std::optional<Arrangement> best;
    double bestScore = -1.0;
    for (int perRow = 1; perRow <= problem.tiles; ++perRow) {
        const int tileRows = ceilDivide(problem.tiles, perRow);
        if (perRow > 1 && ceilDivide(problem.tiles, perRow - 1) == tileRows) continue;   // wider tiles do as well
        for (int columns = 1; columns <= problem.racks; ++columns)
            for (int serverColumns = 1; serverColumns <= std::min(problem.servers, 8); ++serverColumns)
                for (const auto &gap : gaps) {
                    Arrangement a;
                    a.tilesPerRow = perRow;
                    a.tileRows = tileRows;
                    a.columns = columns;
                    a.rows = ceilDivide(problem.racks, columns);
                    a.serverColumns = serverColumns;
                    a.serverRows = ceilDivide(problem.servers, serverColumns);
                    a.gapX = gap[0];
                    a.gapY = gap[1];
                    const auto candidate = fitted(problem, a);
                    if (!candidate) continue;
                    const double score = scoreOf(problem, *candidate);
                    if (score > bestScore) {
                        bestScore = score;
                        best = candidate;
                    }
                }
    }
    return best.value_or(Arrangement{});
}

void placeCells(HeatLayout &layout, const Arrangement &a, const HeatMargins &margins)
{
    for (std::size_t t = 0; t < layout.tiles.size(); ++t) {
        HeatCell &tile = layout.tiles[t];
        const int index = static_cast<int>(t);
        const int left = index % a.tilesPerRow * a.tilePitchX + margins.gutter;
        const int top = margins.top + index / a.tilesPerRow * a.tilePitchY + (a.tileRows > 1 ? margins.tileHead : 0);
        const int rows = ceilDivide(tile.count, a.columns);
        const int columns = std::min(a.columns, tile.count);
        tile.rect = QRect(left, top, columns * (a.rackWidth() + a.gapX) - a.gapX, rows * (a.rackHeight() + a.gapY) - a.gapY);
        for (int r = 0; r < tile.count; ++r) {
            HeatCell &rack = layout.racks[static_cast<std::size_t>(tile.first + r)];
            rack.rect = QRect(left + r % a.columns * (a.rackWidth() + a.gapX), top + r / a.columns * (a.rackHeight() + a.gapY),
                              a.rackWidth(), a.rackHeight());
            for (int s = 0; s < rack.count; ++s) {
                HeatCell &server = layout.servers[static_cast<std::size_t>(rack.first + s)];
                server.rect = QRect(rack.rect.left() + s % a.serverColumns * a.serverWidth,
                                    rack.rect.top() + s / a.serverColumns * a.serverHeight, a.serverWidth, a.serverHeight);
            }
        }
    }
}

} // namespace

HeatLayout layoutHeatMap(const Expansion &expansion, QSize viewport, int bandRacks, const HeatMargins &margins)
{
    HeatLayout layout;
    layout.viewport = viewport;
    if (expansion.containers.empty() || expansion.gpuCount <= 0 || viewport.width() < 1 || viewport.height() < 1) return layout;
    std::vector<HeatCell> site{cellOf(expansion, 0, kNone)};
    layout.tiles = childrenOf(expansion, site, NodeKind::Pod);
    layout.racks = childrenOf(expansion, layout.tiles, NodeKind::Rack);
    layout.servers = childrenOf(expansion, layout.racks, NodeKind::Server);
    layout.serverOfGpu.assign(static_cast<std::size_t>(expansion.gpuCount), kNone);
    int gpus = 1;
    for (std::size_t s = 0; s < layout.servers.size(); ++s) {
        gpus = std::max(gpus, layout.servers[s].gpuCount);
        for (std::int32_t g = 0; g < layout.servers[s].gpuCount; ++g)
            layout.serverOfGpu[static_cast<std::size_t>(layout.servers[s].firstGpu + g)] = static_cast<std::int32_t>(s);
    }
    const Problem problem{viewport, margins, static_cast<int>(layout.tiles.size()), largestCount(layout.tiles),
                          largestCount(layout.racks), gpus, bandRacks};
    const Arrangement a = bestArrangement(problem);
    layout.tilesPerRow = a.tilesPerRow;
    layout.tileRows = a.tileRows;
    layout.rackColumns = a.columns;
    layout.tileHeight = a.rows * (a.rackHeight() + a.gapY) - a.gapY;
    layout.serverSize = QSize(a.serverWidth, a.serverHeight);
    placeCells(layout, a, margins);
    return layout;
}

// Both edges are rounded alike, so cells that touch in the scene touch in the viewport and none overlap.
QRect HeatTransform::toViewport(const QRect &scene) const
{
    const auto edge = [this](int value, double start) { return static_cast<int>(std::floor((value - start) * zoom + 0.5)); };
    const int x0 = edge(scene.x(), origin.x()), x1 = edge(scene.x() + scene.width(), origin.x());
    const int y0 = edge(scene.y(), origin.y()), y1 = edge(scene.y() + scene.height(), origin.y());
    return {x0, y0, x1 - x0, y1 - y0};
}

HeatTransform clamped(HeatTransform transform, QSize viewport)
{
    transform.zoom = std::clamp(transform.zoom, 1.0, kLargestZoom);
    const double freeX = viewport.width() * (1.0 - 1.0 / transform.zoom);
    const double freeY = viewport.height() * (1.0 - 1.0 / transform.zoom);
    transform.origin = QPointF(std::clamp(transform.origin.x(), 0.0, freeX), std::clamp(transform.origin.y(), 0.0, freeY));
    return transform;
}

HeatTransform zoomedAt(const HeatTransform &transform, double zoom, QPointF anchor, QSize viewport)
{
    const QPointF scene = transform.toScene(anchor);
    HeatTransform result;
    result.zoom = std::clamp(zoom, 1.0, kLargestZoom);
    result.origin = scene - anchor / result.zoom;
    return clamped(result, viewport);
}

HeatLevel heatLevelFor(QSize server, int gpusPerServer, double zoom, HeatLevel current)
{
    const double podLimit = current == HeatLevel::Pods ? kPodZoom / kHysteresis : kPodZoom;
    if (zoom < podLimit) return HeatLevel::Pods;
    const double column = static_cast<double>(server.width()) / std::max(1, gpusPerServer);
    const auto reaches = [&](double width, double height, HeatLevel level) {
        const double factor = current >= level && current != HeatLevel::Pods ? kHysteresis : 1.0;
        return column >= width * factor && server.height() >= height * factor;
    };
    if (reaches(kGpuColumn, kGpuHeight, HeatLevel::Gpus)) return HeatLevel::Gpus;
    if (reaches(kServerColumn, kServerHeight, HeatLevel::Servers)) return HeatLevel::Servers;
    return HeatLevel::Racks;
}

double zoomForLevel(const HeatLayout &layout, HeatLevel level)
{
    if (layout.empty() || level <= HeatLevel::Racks) return 1.0;
    const double column = static_cast<double>(layout.serverSize.width()) / std::max(1, layout.servers.front().gpuCount);
    const bool gpus = level == HeatLevel::Gpus;
    const double zoom = std::max((gpus ? kGpuColumn : kServerColumn) / column,
                                 (gpus ? kGpuHeight : kServerHeight) / layout.serverSize.height());
    return std::clamp(zoom * 1.05, 1.0, kLargestZoom);
}

QRect gpuRect(const QRect &server, int gpus, int number)
{
    if (gpus < 1 || number < 0 || number >= gpus) return {};
    const int x0 = server.width() * number / gpus, x1 = server.width() * (number + 1) / gpus;
    return {server.x() + x0, server.y(), x1 - x0, server.height()};
}

namespace {

/// Index of the cell among [first, first + count) whose viewport rectangle holds the point. Cells are in rows, so
/// rows are found by bisection on the lower edge and columns inside the row likewise.
std::int32_t cellAt(const std::vector<HeatCell> &cells, std::int32_t first, std::int32_t count, const HeatTransform &transform,
                    QPoint point)
{
    const auto begin = cells.begin() + first, end = begin + count;
    const auto row = std::partition_point(begin, end, [&](const HeatCell &cell) {
        const QRect rect = transform.toViewport(cell.rect);
        return rect.y() + rect.height() <= point.y();
    });
    if (row == end) return kNone;
    const auto rowEnd = std::partition_point(row, end, [&](const HeatCell &cell) { return cell.rect.y() == row->rect.y(); });
    const auto hit = std::partition_point(row, rowEnd, [&](const HeatCell &cell) {
        const QRect rect = transform.toViewport(cell.rect);
        return rect.x() + rect.width() <= point.x();
    });
    if (hit == rowEnd || !transform.toViewport(hit->rect).contains(point)) return kNone;
    return static_cast<std::int32_t>(hit - cells.begin());
}

} // namespace

std::int32_t tileAt(const HeatLayout &layout, const HeatTransform &transform, QPoint point)
{
    if (!QRect(QPoint(0, 0), layout.viewport).contains(point)) return kNone;
    for (std::size_t t = 0; t < layout.tiles.size(); ++t)
        if (transform.toViewport(layout.tiles[t].rect).contains(point)) return static_cast<std::int32_t>(t);
    return kNone;
}

GpuIndex gpuAt(const HeatLayout &layout, const HeatTransform &transform, QPoint point)
{
    const std::int32_t t = tileAt(layout, transform, point);
    if (t == kNone) return kNone;
    const HeatCell &tile = layout.tiles[static_cast<std::size_t>(t)];
    const std::int32_t r = cellAt(layout.racks, tile.first, tile.count, transform, point);
    if (r == kNone) return kNone;
    const HeatCell &rack = layout.racks[static_cast<std::size_t>(r)];
    const std::int32_t s = cellAt(layout.servers, rack.first, rack.count, transform, point);
    if (s == kNone) return kNone;
    const HeatCell &server = layout.servers[static_cast<std::size_t>(s)];
    const QRect rect = transform.toViewport(server.rect);
    for (int g = 0; g < server.gpuCount; ++g)
        if (gpuRect(rect, server.gpuCount, g).contains(point)) return server.firstGpu + g;
    return server.firstGpu;
}

} // namespace clusterbeat
