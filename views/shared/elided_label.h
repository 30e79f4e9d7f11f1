// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QLabel>
#include <QPainter>

namespace clusterbeat {

/// One line that gives way: it ends in "…" where there is no room, and then says the whole in its tool tip. Layouts may
/// make it as narrow as they need.
class ElidedLabel final : public QLabel {
public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override { return {fontMetrics().averageCharWidth() * 3, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        const QString shown = fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width());
        if (m_own || toolTip().isEmpty()) {
            const QString whole = shown == text() ? QString() : text();
            m_own = !whole.isEmpty();
            if (toolTip() != whole) setToolTip(whole);
        }
        painter.drawText(contentsRect(), static_cast<int>(alignment() | Qt::AlignVCenter), shown);
    }

private:
    bool m_own = false;     ///< the tool tip is the elided text, not one that somebody else has set
};

} // namespace clusterbeat
