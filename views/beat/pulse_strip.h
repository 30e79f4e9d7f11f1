// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/beat/pulse_layout.h"
#include "views/shared/view_state.h"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

#include <memory>

namespace clusterbeat {

class PulseLegend;

/// The heartbeat: share of GPUs per category over the whole iteration with cluster power, the playhead, the visible
/// range as a bracket, what happens now, and a legend that is the breakdown. It is also the horizontal minimap of the
/// timeline: drag the bracket or its ends, drag elsewhere to move the playhead, double-click to see everything.
/// Keys: left/right move the playhead (Shift = ten times), Home/End, Ctrl+left/right pan the bracket, + and - zoom it.
/// The plot is drawn once per result and size; a moving playhead repaints a few columns.
class PulseStrip final : public QWidget {
    Q_OBJECT
public:
    explicit PulseStrip(ViewState *state, QWidget *parent = nullptr);
    void setResult(std::shared_ptr<const IterationResult> result);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void wheelEvent(QWheelEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    bool event(QEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Drag : quint8 { None, Playhead, Begin, Inside, End };

    void retranslate();
    void relayout();
    void invalidatePlot();
    void renderPlot();
    void placeWaitNote();
    void paintWaitNote(QPainter &painter) const;
    void paintAxis(QPainter &painter) const;
    void paintRange(QPainter &painter) const;
    void paintPlayhead(QPainter &painter) const;
    void paintNow(QPainter &painter) const;
    void movePlayhead(TimeNs t);
    [[nodiscard]] QRect playheadRect(TimeNs t) const;
    void zoomAt(double x, double factor);
    [[nodiscard]] QString sharesAt(TimeNs t) const;
    void describe();

    ViewState *m_state;
    void showCommunication();

    PulseLegend *m_legend;
    QTimer m_communication;             ///< sums of many different replicas are made when results stop coming
    std::shared_ptr<const IterationResult> m_result;
    PulseGeometry m_geometry;
    QPixmap m_plot;
    QString m_waitNote;             ///< "127 replicas wait"
    double m_waitNoteAt = 0.0;      ///< its centre, share of the plot's width
    TimeNs m_drawnPlayhead = 0;
    Drag m_drag = Drag::None;
    TimeNs m_grab = 0;              ///< time under the cursor when the bracket was taken
    TimeRange m_grabbed;
};

} // namespace clusterbeat
