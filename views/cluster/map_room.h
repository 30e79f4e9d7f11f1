// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QRectF>
#include <QSizeF>

#include <vector>

namespace clusterbeat {

/// A rectangle inside `bounds`, between `least` and `most` in size, that meets none of `occupied`: the largest, of equal
/// ones the lowest, then the rightmost; null when there is no room for `least`. O(n^3) for n rectangles.
[[nodiscard]] QRect freeRoom(const std::vector<QRect> &occupied, const QRect &bounds, QSize least, QSize most);

/// A place beside `cell` inside `bounds`, above or below it first (as `aboveFirst` says), centred or moved sideways, else
/// to its right or left: the first that meets none of `avoid`; when all do, the one that covers the least of them.
[[nodiscard]] QRectF plateAround(QSizeF size, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid, bool aboveFirst);

} // namespace clusterbeat
