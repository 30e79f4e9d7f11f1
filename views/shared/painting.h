// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/theme/theme.h"

#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <QStringList>

class QPainter;

namespace clusterbeat {

/// A line that stays visible on every fill: `width` px of `colour` over a casing one pixel wider on each side.
void drawCased(QPainter &painter, const QPainterPath &path, const QColor &colour, const QColor &casing, qreal width);
void drawCasedRect(QPainter &painter, const QRectF &rect, const QColor &colour, const QColor &casing, qreal width);

/// A small card of text on a fill of its own, for labels on data.
struct Plate {
    QStringList lines;                  ///< the first is semibold when there are more
    QColor fill, text, detail, edge;    ///< `detail`: lines after the first; an invalid edge is not drawn
    QFont font;
};
[[nodiscard]] Plate infoPlate(const Theme &theme, QStringList lines, bool compact);
[[nodiscard]] QSizeF plateSize(const Plate &plate);
void drawPlate(QPainter &painter, const QRectF &rect, const Plate &plate);
/// Beside a point, 12 px away and never under it, inside `bounds`.
[[nodiscard]] QRectF plateBesidePoint(QSizeF size, QPointF point, const QRectF &bounds);
/// Centred below a rectangle, above it when there is no room, inside `bounds`.
[[nodiscard]] QRectF plateBelowRect(QSizeF size, const QRectF &rect, const QRectF &bounds);

} // namespace clusterbeat
