// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"

#include <QPointF>
#include <QRect>
#include <QRectF>
#include <QSize>

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// Semantic zoom of the heat map.
enum class HeatLevel : quint8 { Pods, Racks, Servers, Gpus };

/// A container on the map; GPUs [firstGpu, firstGpu + gpuCount). `rect` is in scene pixels: at zoom 1 the scene is the
/// viewport.
struct HeatCell {
    std::int32_t container = kNone;      ///< index into Expansion::containers
    std::int32_t parent = kNone;         ///< server: its rack; rack: its tile (indices of this layout)
    GpuIndex firstGpu = 0;
    std::int32_t gpuCount = 0;
    std::int32_t first = 0, count = 0;   ///< tile: its racks; rack: its servers
    QRect rect;
};

/// Lengths of the frame around the cells, scene pixels.
struct HeatMargins {
    int gutter = 26;                     ///< left of each tile: band labels
    int tileGap = 12;                    ///< right of each tile
    int tileHead = 0;                    ///< above each tile when there are several rows of tiles: its title
    int top = 2, bottom = 2;             ///< of the whole map
};

/// Where every GPU is. Tiles are pods (the site when there are none), racks and servers inside them in container
/// order, row by row. A cluster without racks or servers has one rack or server per parent.
struct HeatLayout {
    QSize viewport;
    std::vector<HeatCell> tiles, racks, servers;
    std::vector<std::int32_t> serverOfGpu;
    int tilesPerRow = 1, tileRows = 1;
    int rackColumns = 1;                 ///< per tile
    int tileHeight = 0;                  ///< of a full tile
    QSize serverSize;                    ///< of the first server (all are alike)

    [[nodiscard]] bool empty() const { return servers.empty(); }
};

/// Chooses tiles per row, racks per row and gaps so that cells are as large as the viewport allows, close to 24 x 5 per
/// server of 8 GPUs; a row of racks that holds whole bands of `bandRacks` racks (0 = no bands) is preferred.
/// Cells shrink and never leave the viewport. O(GPUs + tiles * racks per tile).
[[nodiscard]] HeatLayout layoutHeatMap(const Expansion &expansion, QSize viewport, int bandRacks, const HeatMargins &margins);

/// Zoom and pan: viewport = (scene - origin) * zoom.
struct HeatTransform {
    double zoom = 1.0;
    QPointF origin;

    [[nodiscard]] QRect toViewport(const QRect &scene) const;
    [[nodiscard]] QPointF toScene(QPointF viewport) const { return viewport / zoom + origin; }
};
/// Zooms to `zoom` with the scene point under `anchor` (viewport) kept there, as far as the scene still covers the viewport.
[[nodiscard]] HeatTransform zoomedAt(const HeatTransform &transform, double zoom, QPointF anchor, QSize viewport);
/// Keeps the scene over the viewport (the origin inside it).
[[nodiscard]] HeatTransform clamped(HeatTransform transform, QSize viewport);
inline constexpr double kLargestZoom = 24.0;
/// Below this zoom the map shows pods.
inline constexpr double kPodZoom = 0.8;

/// Level for servers of `server` viewport pixels; a level that is left keeps 15 % of hysteresis.
[[nodiscard]] HeatLevel heatLevelFor(QSize server, int gpusPerServer, double zoom, HeatLevel current);
/// Smallest zoom (>= 1) at which heatLevelFor reaches `level`.
[[nodiscard]] double zoomForLevel(const HeatLayout &layout, HeatLevel level);

/// Cell of one GPU inside the viewport rectangle of its server: its column, empty when the server is narrower
/// than its GPUs. Columns of a server are disjoint and fill it.
[[nodiscard]] QRect gpuRect(const QRect &server, int gpus, int number);
/// GPU at a viewport point, or kNone: the inverse of gpuRect and toViewport. O(log racks).
[[nodiscard]] GpuIndex gpuAt(const HeatLayout &layout, const HeatTransform &transform, QPoint point);
/// Tile at a viewport point (its cells' area), or kNone.
[[nodiscard]] std::int32_t tileAt(const HeatLayout &layout, const HeatTransform &transform, QPoint point);

} // namespace clusterbeat
