// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/memory_timeline.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <memory>
#include <vector>

namespace clusterbeat {

/// Memory of one stage of one replica over the iteration: parts stacked in the shades of MemoryBar, what stays below and
/// activations on top, the capacity as a line, what is too much in the warning colour, the playhead. Click or drag moves the playhead.
class MemoryChart final : public QWidget {
    Q_OBJECT
public:
    explicit MemoryChart(ViewState *state, QWidget *parent = nullptr);
    /// Empty without a result, or when it knows nothing of the stage.
    void setRank(std::shared_ptr<const IterationResult> result, std::int32_t stage, std::int32_t replica);
    void retranslate();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }
    /// What holds at an instant.
    [[nodiscard]] MemoryParts at(TimeNs t) const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;

private:
    [[nodiscard]] QRectF plot() const;
    [[nodiscard]] double highest() const;
    [[nodiscard]] TimeNs timeAt(double x) const;
    void paintParts(QPainter &painter, const QRectF &area) const;
    void paintScale(QPainter &painter, const QRectF &area) const;
    void describe();

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result;
    std::vector<MemoryStep> m_steps;
    Bytes m_peak = 0;
    TimeNs m_peakAt = 0;
};

} // namespace clusterbeat
