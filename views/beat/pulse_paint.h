// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/beat/pulse_layout.h"
#include "views/theme/theme.h"

class QPainter;

namespace clusterbeat {

/// Paints stacked shares into `area`, full height = all GPUs. Also for SVG and PDF: plain QPainter calls.
void paintShares(QPainter &painter, const QRectF &area, const ShareStack &stack, const Theme &theme, qreal devicePixelRatio);
/// Paints power as a line with casing; `top` watts at the upper edge of the area.
void paintPower(QPainter &painter, const QRectF &area, const std::vector<float> &powerW, double topW, const Theme &theme);
/// Text on a panel-coloured plate, kept inside `bounds`.
void paintPlate(QPainter &painter, QPointF centre, const QString &text, const QFont &font, const QRectF &bounds, const Theme &theme);
/// Power at the upper edge of the plot for these bins: a little over the largest.
[[nodiscard]] double powerScale(const std::vector<float> &powerW);

} // namespace clusterbeat
