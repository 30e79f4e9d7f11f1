// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/pulse_paint.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace clusterbeat {

void paintShares(QPainter &painter, const QRectF &area, const ShareStack &stack, const Theme &theme, qreal devicePixelRatio)
{
    if (stack.columns <= 0) return;
    painter.save();
    painter.setClipRect(area);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const qreal step = area.width() / stack.columns;
    // From the top of the stack down, each area to the bottom: no seams between neighbours.
    for (std::size_t k = kCategoryCount; k-- > 0;) {
        QPolygonF polygon;
        polygon.reserve(stack.columns + 4);
        polygon << area.bottomLeft();
        bool any = false;
        for (int column = 0; column < stack.columns; ++column) {
            any = any || stack.at(column, k + 1) > stack.at(column, k);
            const qreal y = area.bottom() - static_cast<qreal>(stack.at(column, k + 1)) * area.height();
            if (column == 0) polygon << QPointF(area.left(), y);
            polygon << QPointF(area.left() + (column + 0.5) * step, y);
            if (column == stack.columns - 1) polygon << QPointF(area.right(), y);
        }
        if (!any) continue;
        polygon << area.bottomRight();
        painter.setBrush(theme.brush(kStackOrder[k], false, devicePixelRatio));
        painter.drawPolygon(polygon);
    }
    painter.restore();
}

double powerScale(const std::vector<float> &powerW)
{
    const auto most = std::max_element(powerW.begin(), powerW.end());
    return most == powerW.end() || !(*most > 0.0F) ? 1.0 : static_cast<double>(*most) * 1.12;
}

void paintPower(QPainter &painter, const QRectF &area, const std::vector<float> &powerW, double topW, const Theme &theme)
{
    if (powerW.size() < 2) return;
    QPolygonF line;
    // No more points than pixels: each is the mean of its bins.
    const auto points = static_cast<std::size_t>(std::min<double>(static_cast<double>(powerW.size()), std::max(2.0, area.width())));
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t from = i * powerW.size() / points, to = std::max(from + 1, (i + 1) * powerW.size() / points);
        double sum = 0.0;
        for (std::size_t bin = from; bin < to; ++bin) sum += static_cast<double>(powerW[bin]);
        const double share = std::clamp(sum / static_cast<double>(to - from) / topW, 0.0, 1.0);
        line << QPointF(area.left() + (static_cast<double>(i) + 0.5) / static_cast<double>(points) * area.width(), area.bottom() - share * area.height());
    }
    painter.save();
    painter.setClipRect(area);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.selectionCasing, 3.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.setPen(QPen(theme.text, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
    painter.restore();
}

void paintPlate(QPainter &painter, QPointF centre, const QString &text, const QFont &font, const QRectF &bounds, const Theme &theme)
{
    const QFontMetricsF metrics(font);
    QRectF plate(0, 0, metrics.horizontalAdvance(text) + 12, metrics.height() + 4);
    if (plate.width() > bounds.width()) return;
    plate.moveCenter(centre);
    plate.moveLeft(std::clamp(plate.left(), bounds.left(), bounds.right() - plate.width()));
    plate.moveTop(std::clamp(plate.top(), bounds.top(), std::max(bounds.top(), bounds.bottom() - plate.height())));
    painter.fillRect(plate, theme.panel);
    painter.setFont(font);
    painter.setPen(theme.text);
    painter.drawText(plate, Qt::AlignCenter, text);
}

} // namespace clusterbeat
