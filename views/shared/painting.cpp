// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/painting.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {
constexpr qreal kPadX = 6.0, kPadY = 3.0;

QFont strong(QFont font)
{
    font.setWeight(QFont::DemiBold);
    return font;
}

QRectF movedInside(QRectF rect, const QRectF &bounds)
{
    rect.moveLeft(std::max(bounds.left(), std::min(rect.left(), bounds.right() - rect.width())));
    rect.moveTop(std::max(bounds.top(), std::min(rect.top(), bounds.bottom() - rect.height())));
    return {std::round(rect.x()), std::round(rect.y()), rect.width(), rect.height()};
}
} // namespace

void drawCased(QPainter &painter, const QPainterPath &path, const QColor &colour, const QColor &casing, qreal width)
{
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(casing, width + 2.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPath(path);
    painter.setPen(QPen(colour, width, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawPath(path);
}

void drawCasedRect(QPainter &painter, const QRectF &rect, const QColor &colour, const QColor &casing, qreal width)
{
    QPainterPath path;
    path.addRect(rect);
    drawCased(painter, path, colour, casing, width);
}

Plate infoPlate(const Theme &theme, QStringList lines, bool compact)
{
    return {std::move(lines), theme.raised, theme.text, theme.text2, theme.border, theme.font(Theme::Type::Label, compact)};
}

QSizeF plateSize(const Plate &plate)
{
    const QFontMetricsF normal(plate.font), bold(strong(plate.font));
    qreal width = 0.0;
    for (qsizetype i = 0; i < plate.lines.size(); ++i)
        width = std::max(width, (i == 0 ? bold : normal).horizontalAdvance(plate.lines.at(i)));
    return {std::ceil(width) + 2.0 * kPadX, std::ceil(normal.height()) * static_cast<qreal>(plate.lines.size()) + 2.0 * kPadY};
}

void drawPlate(QPainter &painter, const QRectF &rect, const Plate &plate)
{
    painter.fillRect(rect, plate.fill);
    if (plate.edge.isValid()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(plate.edge);
        painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const qreal height = (rect.height() - 2.0 * kPadY) / static_cast<qreal>(std::max<qsizetype>(1, plate.lines.size()));
    for (qsizetype i = 0; i < plate.lines.size(); ++i) {
        painter.setFont(i == 0 ? strong(plate.font) : plate.font);
        painter.setPen(i == 0 ? plate.text : plate.detail);
        const QRectF line(rect.x() + kPadX, rect.y() + kPadY + height * static_cast<qreal>(i), rect.width() - 2.0 * kPadX, height);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, plate.lines.at(i));
    }
}

QRectF plateBesidePoint(QSizeF size, QPointF point, const QRectF &bounds)
{
    constexpr qreal distance = 12.0;
    QRectF rect(point + QPointF(distance, distance), size);
    if (rect.right() > bounds.right()) rect.moveRight(point.x() - distance);
    if (rect.bottom() > bounds.bottom()) rect.moveBottom(point.y() - distance);
    return movedInside(rect, bounds);
}

QRectF plateBelowRect(QSizeF size, const QRectF &rect, const QRectF &bounds)
{
    constexpr qreal distance = 5.0;
    QRectF plate(QPointF(rect.center().x() - size.width() / 2.0, rect.bottom() + distance), size);
    if (plate.bottom() > bounds.bottom()) plate.moveBottom(rect.top() - distance);
    return movedInside(plate, bounds);
}

} // namespace clusterbeat
