// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/charts/validation_model.h"
#include "views/shared/view_state.h"

#include <QChartView>

#include <array>

class QAreaSeries;
class QLineSeries;
class QLogValueAxis;
class QScatterSeries;

namespace clusterbeat {

/// Predicted against measured time on logarithmic axes, one mark for each row that the filter shows, with the diagonal
/// and the ±10 % band. The shape is the model's kind, the fill its tier. Click or arrow keys choose a row (Left and Right
/// by measured time), Enter opens it.
class ValidationChart final : public QChartView {
    Q_OBJECT
public:
    ValidationChart(ViewState *state, ValidationModel *model, ValidationFilter *filter, QWidget *parent = nullptr);
    /// By row of the model; -1 = none.
    void setSelectedRow(int row);
    [[nodiscard]] int selectedRow() const { return m_selected; }
    void retranslate();
    /// The row whose mark is nearest to a point of the widget and at most 10 px away; -1 = none.
    [[nodiscard]] int rowAt(QPointF point) const;
    [[nodiscard]] QPointF positionOf(int row) const;

Q_SIGNALS:
    void rowSelected(int row);
    void rowActivated(int row);

protected:
    void mousePressEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void leaveEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void drawForeground(QPainter *painter, const QRectF &rect) override;

private:
    static constexpr std::size_t kTiers = 3, kKinds = 2;
    void build();
    void restyle();
    void refreshLater();
    void refresh();
    void fitAxes();
    void drawLegend(QPainter &painter) const;
    void drawHover(QPainter &painter) const;
    [[nodiscard]] QString markName(std::size_t tier, std::size_t kind) const;
    void choose(int row);
    void move(int step);
    void say();

    ViewState *m_state;
    ValidationModel *m_model;
    ValidationFilter *m_filter;
    QLogValueAxis *m_x, *m_y;
    QLineSeries *m_diagonal, *m_upper, *m_lower;
    QAreaSeries *m_band;
    std::array<std::array<QScatterSeries *, kKinds>, kTiers> m_marks{};   ///< by tier A, B, other; dense, experts
    std::vector<int> m_shown;               ///< rows with a mark, by measured time
    int m_selected = -1, m_hovered = -1;
    bool m_refreshWanted = false;
};

} // namespace clusterbeat
