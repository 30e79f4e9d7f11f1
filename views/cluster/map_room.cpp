// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/map_room.h"

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr qreal kPlateDistance = 6.0;

int areaOf(const QRect &rect) { return rect.width() * rect.height(); }

} // namespace

// Grown from every left upper corner that two edges make: first the least size, then as wide as nothing is in the way, then
// as tall.
QRect freeRoom(const std::vector<QRect> &occupied, const QRect &bounds, QSize least, QSize most)
{
    std::vector<int> lefts{bounds.left()}, tops{bounds.top()};
    for (const QRect &rect : occupied) {
        lefts.push_back(std::max(bounds.left(), rect.x() + rect.width()));
        tops.push_back(std::max(bounds.top(), rect.y() + rect.height()));
        // at the left of others' columns too: below a tile
        lefts.push_back(std::max(bounds.left(), rect.x()));
    }
    const int right = bounds.x() + bounds.width(), bottom = bounds.y() + bounds.height();
    QRect best;
    for (const int left : lefts)
        for (const int top : tops) {
            if (left + least.width() > right || top + least.height() > bottom) continue;
            const QRect core(left, top, least.width(), least.height());
            int x1 = std::min(right, left + most.width());
            bool free = true;
            for (const QRect &rect : occupied) {
                free = free && !rect.intersects(core);
                if (rect.x() >= left + least.width() && rect.y() < top + least.height() && rect.y() + rect.height() > top)
                    x1 = std::min(x1, rect.x());
            }
            if (!free) continue;
            int y1 = std::min(bottom, top + most.height());
            for (const QRect &rect : occupied)
                if (rect.y() >= top + least.height() && rect.x() < x1 && rect.x() + rect.width() > left) y1 = std::min(y1, rect.y());
            const QRect room(left, top, x1 - left, y1 - top);
            const bool better = areaOf(room) != areaOf(best) ? areaOf(room) > areaOf(best)
                                : room.y() != best.y()       ? room.y() > best.y()
                                                             : room.x() > best.x();
            if (best.isNull() || better) best = room;
        }
    return best;
}

QRectF plateAround(QSizeF size, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid, bool aboveFirst)
{
    const qreal above = cell.top() - kPlateDistance - size.height(), below = cell.bottom() + kPlateDistance;
    const qreal middle = cell.center().y() - size.height() / 2.0, centred = cell.center().x() - size.width() / 2.0;
    std::vector<QPointF> places;
    const qreal higher = above - size.height(), lower = below + size.height();
    for (const qreal y : aboveFirst ? std::vector<qreal>{above, higher, below, lower} : std::vector<qreal>{below, lower, above, higher}) {
        places.push_back({centred, y});
        places.push_back({cell.left(), y});
        places.push_back({cell.right() - size.width(), y});
        // beside a strip that the centred plate would cover
        for (const QRectF &strip : avoid) {
            for (const qreal x : {strip.right() + 2.0, strip.left() - 2.0 - size.width()})
                if (x <= cell.right() && x + size.width() >= cell.left()) places.push_back({x, y});
        }
    }
    places.push_back({cell.right() + kPlateDistance, middle});
    places.push_back({cell.left() - kPlateDistance - size.width(), middle});
    QRectF best;
    qreal least = -1.0;
    for (const QPointF &place : places) {
        if (place.y() < bounds.top() || place.y() + size.height() > bounds.bottom()) continue;
        const qreal x = std::clamp(place.x(), bounds.left(), std::max(bounds.left(), bounds.right() - size.width()));
        const QRectF plate(QPointF(x, place.y()), size);
        qreal covered = plate.intersects(cell) ? 1e6 : 0.0;
        for (const QRectF &rect : avoid) {
            const QRectF both = plate.intersected(rect);
            covered += both.width() * both.height();
        }
        if (least < 0.0 || covered < least) {
            least = covered;
            best = plate;
        }
        if (covered <= 0.0) break;
    }
    if (least >= 0.0) return best;
    return {QPointF(std::clamp(centred, bounds.left(), std::max(bounds.left(), bounds.right() - size.width())),
                    std::clamp(below, bounds.top(), std::max(bounds.top(), bounds.bottom() - size.height()))), size};
}

} // namespace clusterbeat
