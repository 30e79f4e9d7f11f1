// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/communication_account.h"
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
    /// Mean over all ranks; what is behind compute has a key of its own, outside the sum.
    void setCommunication(const DimensionTimes &mean);
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
    void paintKeys(QPainter &painter) const;

    QString m_title, m_power, m_behind, m_behindFigure;
    QRect m_powerRect, m_behindRect;
    double m_busyS = 0.0, m_hiddenS = 0.0, m_exposedS = 0.0;     ///< of all communication
};

} // namespace clusterbeat
