// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/beat/pulse_layout.h"
#include "views/shared/view_state.h"

#include <QWidget>

namespace clusterbeat {

/// Legend of the pulse: mean seconds per category, sums to the iteration. Click or Space = only this category, again =
/// all; Shift hides it. Left/right move between entries.
class PulseLegend final : public QWidget {
    Q_OBJECT
public:
    explicit PulseLegend(ViewState *state, QWidget *parent = nullptr);
    void setBreakdown(const std::array<double, kCategoryCount> &breakdownS);
    [[nodiscard]] const CategoryMask &shown() const { return m_shown; }

Q_SIGNALS:
    void shownChanged();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    struct Item {
        LegendEntry entry;
        QString name, seconds;
        QRect rect;
    };
    void relayout();
    [[nodiscard]] bool place(std::size_t limit, bool withPower);
    void activate(const Item &item, bool hide);
    [[nodiscard]] int itemAt(QPoint position) const;

    ViewState *m_state;
    std::vector<LegendEntry> m_entries;
    std::vector<Item> m_items;
    CategoryMask m_shown;
    int m_current = 0;
    QString m_title, m_power;
    QRect m_powerRect;
};

} // namespace clusterbeat
