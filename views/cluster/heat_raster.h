// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/cluster/heat_layout.h"
#include "views/theme/theme.h"

#include <QImage>
#include <QRgb>

#include <array>
#include <span>

class QPainter;

namespace clusterbeat {

/// How a cell's state shows without colour.
enum class HeatCue : quint8 { None, MiddleLine, FourColumns, Outline };

/// Colours of the 256 possible states (Category or kUnusedState), blended once per theme.
struct HeatPalette {
    std::array<QRgb, 256> fill{}, mark{};
    std::array<HeatCue, 256> cue{};
    QRgb background = 0;
};
[[nodiscard]] HeatPalette heatPaletteFor(const Theme &theme);

/// Fills the cells of every visible GPU by scan lines into an RGB32 image. `transform` is in device pixels of the
/// image. At Racks a server is one cell, its GPUs are columns where their states differ and there is room; at Servers
/// and Gpus every GPU is a cell of its own. `states` by GpuIndex. O(pixels + GPUs).
void paintHeatCells(QImage &image, const HeatLayout &layout, const HeatTransform &transform, HeatLevel level,
                    std::span<const std::uint8_t> states, const HeatPalette &palette);

/// GPUs per state inside [first, first + count): index 0 … kCategoryCount-1 categories, kCategoryCount = unused.
using StateCounts = std::array<std::int32_t, kCategoryCount + 1>;
[[nodiscard]] StateCounts countStates(std::span<const std::uint8_t> states, GpuIndex first, std::int32_t count);
/// The most frequent state; the first in the enumeration's order on a tie.
[[nodiscard]] std::uint8_t dominantState(const StateCounts &counts);
/// Stacked shares of a container from the bottom, compute first, waiting on top, as in the pulse.
void paintShares(QPainter &painter, const QRectF &rect, const StateCounts &counts, const Theme &theme);
/// One GPU or server with its hatch (large cells).
void paintStateCell(QPainter &painter, const QRectF &rect, std::uint8_t state, const Theme &theme);

} // namespace clusterbeat
