// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QAccessible>
#include <QPoint>
#include <QRect>
#include <QString>

namespace clusterbeat {

/// Things that a widget paints itself and a screen reader should know. A widget inherits from it beside QWidget and
/// calls installPaintedAccessibility() once; items are numbered 0 … itemCount()-1 and asked for only when needed.
class PaintedItems {
public:
    virtual ~PaintedItems() = default;
    [[nodiscard]] virtual int itemCount() const = 0;
    [[nodiscard]] virtual QString itemName(int item) const = 0;
    /// In widget coordinates; may lie outside the widget.
    [[nodiscard]] virtual QRect itemRect(int item) const = 0;
    [[nodiscard]] virtual int itemAt(QPoint point) const = 0;          ///< -1 = none
    [[nodiscard]] virtual int currentItem() const = 0;                 ///< -1 = none
    virtual void activateItem(int item) = 0;
};

/// Lets accessibility clients see every PaintedItems widget as a list of its items. Idempotent; GUI thread.
void installPaintedAccessibility();
/// Call after the current item has changed: moves the reader's focus.
void announceCurrentItem(QWidget *widget, int item);

} // namespace clusterbeat
