// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/search_layouts.h"
#include "views/shared/view_state.h"

#include <QChartView>

#include <memory>

class QLineSeries;
class QScatterSeries;
class QValueAxis;

namespace clusterbeat {

/// Layouts by iteration time and memory: the front that none beats in both as a line, those that do not fit beyond the
/// line of the capacity, the chosen one ringed. A click chooses the nearest.
class ParetoChart final : public QChartView {
    Q_OBJECT
public:
    explicit ParetoChart(ViewState *state, QWidget *parent = nullptr);
    void setResult(std::shared_ptr<const SearchResult> result);
    void setCurrent(const FoundLayout *found);

Q_SIGNALS:
    void chosen(const clusterbeat::LayoutChoice &choice);

protected:
    void changeEvent(QEvent *event) override;

private:
    void fill();
    void restyle();
    void retranslate();
    void choose(const QPointF &point);

    ViewState *m_state;
    std::shared_ptr<const SearchResult> m_result;
    QValueAxis *m_x, *m_y;
    QLineSeries *m_front, *m_capacity;
    QScatterSeries *m_fitting, *m_tooLarge, *m_current;
};

} // namespace clusterbeat
