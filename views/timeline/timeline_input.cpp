// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/timeline_view.h"

#include "views/shared/move_keys.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kDragDistance = 4;
constexpr double kZoomStep = 1.25;

} // namespace

void TimelineView::showRange(TimeRange range) { m_state->chooseVisible(range); }

void TimelineView::zoomBy(double factor)
{
    if (!ready()) return;
    const TimeRange visible = m_state->visible();
    TimeNs anchor = visible.begin + visible.length() / 2;
    if (m_hover && m_layout.plot().contains(*m_hover)) anchor = axis().timeAt(m_hover->x());
    else if (m_state->playhead() >= visible.begin && m_state->playhead() <= visible.end) anchor = m_state->playhead();
    showRange(zoomedAround(visible, anchor, 1.0 / factor, m_state->duration()));
}

void TimelineView::mousePressEvent(QMouseEvent *event)
{
    if (!ready()) return;
    m_pressed = m_last = event->pos();
    m_moved = false;
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    const bool left = event->button() == Qt::LeftButton;
    if (event->button() == Qt::MiddleButton || (left && (shift || m_spaceDown))) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (left && m_layout.laneMap().contains(event->pos())) {
        m_drag = Drag::LaneMap;
        setFocusReplica(m_layout.replicaOnMap(event->pos().y()));
    } else if (left && m_layout.ruler().contains(event->pos())) {
        m_drag = Drag::Playhead;
        m_state->setPlayhead(axis().timeAt(event->pos().x()));
    } else if (left) {
        m_drag = Drag::Area;
    }
}

void TimelineView::mouseMoveEvent(QMouseEvent *event)
{
    const QPoint at = event->pos();
    if (m_drag == Drag::None) {
        setHover(at);
        return;
    }
    m_moved = m_moved || (at - m_pressed).manhattanLength() >= kDragDistance;
    switch (m_drag) {
    case Drag::Playhead: {
        const QRect ruler = m_layout.ruler();
        m_state->setPlayhead(axis().timeAt(std::clamp(at.x(), ruler.left(), ruler.right() + 1)));
        break;
    }
    case Drag::LaneMap: setFocusReplica(m_layout.replicaOnMap(at.y())); break;
    case Drag::Pan: {
        const TimeAxis map = axis();
        showRange(pannedBy(m_state->visible(), map.timeAt(m_last.x()) - map.timeAt(at.x()), m_state->duration()));
        setScroll(m_layout.scroll + m_last.y() - at.y());
        break;
    }
    case Drag::Area:
        if (m_moved && m_pressed.x() >= m_layout.plotLeft()) {
            m_area = areaOf(m_pressed, at);
            update();
        }
        break;
    case Drag::None: break;
    }
    m_last = at;
}

void TimelineView::mouseReleaseEvent(QMouseEvent *event)
{
    const Drag drag = m_drag;
    m_drag = Drag::None;
    unsetCursor();
    if (drag == Drag::Area) {
        if (!m_moved) click(event->pos());
        else if (m_area) Q_EMIT areaSelected(*m_area);
    }
    m_lastPlayhead = m_state->playhead();
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton && m_selected && m_layout.plot().contains(event->pos())) fitSelection();
}

void TimelineView::wheelEvent(QWheelEvent *event)
{
    if (!ready()) return;
    const QPoint delta = event->angleDelta();
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const QRect plot = m_layout.plot();
        const double x = std::clamp<double>(event->position().x(), plot.left(), plot.right());
        showRange(zoomedAround(m_state->visible(), axis().timeAt(x), std::pow(kZoomStep, -delta.y() / 120.0), m_state->duration()));
    } else if (delta.x() != 0 || shift) {
        const int amount = delta.x() != 0 ? delta.x() : delta.y();
        showRange(pannedBy(m_state->visible(), -m_state->visible().length() * amount / 1200, m_state->duration()));
    } else {
        setScroll(m_layout.scroll - delta.y() * 3 * m_layout.metrics.lane / 120);
    }
    setHover(event->position().toPoint());
    event->accept();
}

void TimelineView::setHover(QPoint point)
{
    m_hover = point;
    GpuIndex gpu = kNone;
    const TimelineRow row = m_layout.rowAt(point.y());
    if (ready() && m_layout.body().contains(point) && row.kind == TimelineRow::Kind::Stage)
        gpu = gpuOf(row.index, m_layout.focus, memberShown(row.index));
    m_state->setHoveredGpu(gpu);
    const bool ruler = m_layout.ruler().contains(point);
    if (m_drag == Drag::None && !m_spaceDown) setCursor(ruler ? Qt::SplitHCursor : Qt::ArrowCursor);
    update();
}

void TimelineView::leaveEvent(QEvent *)
{
    m_hover.reset();
    m_state->setHoveredGpu(kNone);
    update();
}

bool TimelineView::navigate(QKeyEvent *event)
{
    const TimeRange visible = m_state->visible();
    switch (moveOf(*event)) {
    case Move::In: zoomBy(kZoomStep); return true;
    case Move::Out: zoomBy(1.0 / kZoomStep); return true;
    case Move::Earlier: showRange(pannedBy(visible, -visible.length() / 8, m_state->duration())); return true;
    case Move::Later: showRange(pannedBy(visible, visible.length() / 8, m_state->duration())); return true;
    case Move::None: return false;
    }
    return false;
}

void TimelineView::keyPressEvent(QKeyEvent *event)
{
    const bool plain = (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) == Qt::NoModifier;
    if (!ready() || !plain) {
        QWidget::keyPressEvent(event);
        return;
    }
    const bool shift = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Comma:
    case Qt::Key_Left: stepEvent(-1, shift); return;
    case Qt::Key_Less: stepEvent(-1, true); return;
    case Qt::Key_Period:
    case Qt::Key_Right: stepEvent(1, shift); return;
    case Qt::Key_Greater: stepEvent(1, true); return;
    case Qt::Key_Up: selectStage(std::max(0, selectedStage() - 1)); return;
    case Qt::Key_Down: selectStage(std::min(m_layout.stages - 1, selectedStage() + 1)); return;
    case Qt::Key_PageUp: setFocusReplica(m_layout.focus - 1); return;
    case Qt::Key_PageDown: setFocusReplica(m_layout.focus + 1); return;
    case Qt::Key_Home: 
        m_state->setPlayhead(0);
        m_state->setVisible(pannedBy(m_state->visible(), -m_state->duration(), m_state->duration()));
        return;
    case Qt::Key_End:
        m_state->setPlayhead(m_state->duration());
        m_state->setVisible(pannedBy(m_state->visible(), m_state->duration(), m_state->duration()));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto span = spanAt(std::max(0, selectedStage()), m_state->playhead())) selectSpan(std::max(0, selectedStage()), *span);
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kZoomStep); return;
    case Qt::Key_Minus: zoomBy(1.0 / kZoomStep); return;
    case Qt::Key_F: fitSelection(); return;
    case Qt::Key_Escape: clearSelection(); return;
    case Qt::Key_Space:
        // with the pointer over the lanes Space turns the drag into panning; elsewhere it plays
        if (!event->isAutoRepeat() && underMouse() && m_hover && m_layout.plot().contains(*m_hover)) {
            m_spaceDown = true;
            setCursor(Qt::OpenHandCursor);
        }
        break;
    default: break;
    }
    if (!navigate(event)) QWidget::keyPressEvent(event);
}

void TimelineView::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && m_spaceDown && !event->isAutoRepeat()) {
        m_spaceDown = false;
        unsetCursor();
    }
    QWidget::keyReleaseEvent(event);
}

void TimelineView::focusInEvent(QFocusEvent *event)
{
    const Qt::FocusReason reason = event->reason();
    m_keyboardFocus = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void TimelineView::focusOutEvent(QFocusEvent *event)
{
    m_spaceDown = m_keyboardFocus = false;
    QWidget::focusOutEvent(event);
    update();
}

} // namespace clusterbeat
