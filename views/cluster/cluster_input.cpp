// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_canvas.h"

#include "views/shared/move_keys.h"
#include "views/text/names.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {
constexpr int kMotionMs = 120;
constexpr int kDragDistance = 4;
constexpr double kWheelStep = 1.25;      // per notch of 120
constexpr double kOutmost = 0.6;
} // namespace

void ClusterCanvas::setTransform(const HeatTransform &transform, double outZoom)
{
    m_transform = clamped(transform, mapArea().size());
    m_outZoom = m_transform.zoom > 1.0 ? 1.0 : std::clamp(outZoom, kOutmost, 1.0);
    const HeatLevel before = m_level;
    if (!m_layout.empty()) {
        const HeatCell &server = m_layout.servers.front();
        m_level = heatLevelFor(m_transform.toViewport(server.rect).size(), server.gpuCount, m_transform.zoom * m_outZoom, m_level);
    }
    m_mapDirty = m_chromeDirty = true;
    update();
    if (m_level != before) Q_EMIT levelChanged(m_level);
}

void ClusterCanvas::animateTo(const HeatTransform &target, double outZoom)
{
    m_motion.stop();
    m_motion.disconnect(this);
    const HeatTransform from = m_transform, to = clamped(target, mapArea().size());
    if (m_state->reduceMotion() || !isVisible() || from.zoom == to.zoom) {
        setTransform(to, outZoom);
        return;
    }
    m_motion.setDuration(kMotionMs);
    m_motion.setStartValue(0.0);
    m_motion.setEndValue(1.0);
    connect(&m_motion, &QVariantAnimation::valueChanged, this, [this, from, to, outZoom](const QVariant &value) {
        const double share = value.toDouble();
        if (share >= 1.0) {
            setTransform(to, outZoom);
            return;
        }
        HeatTransform now;
        now.zoom = from.zoom * std::pow(to.zoom / from.zoom, share);
        now.origin = from.origin + (to.origin - from.origin) * share;
        setTransform(now);
    });
    m_motion.start();
}

void ClusterCanvas::zoomBy(double factor, QPointF anchor)
{
    if (m_layout.empty()) return;
    m_beforeFit.reset();
    const bool whole = m_transform.zoom <= 1.0;
    if (whole && (factor < 1.0 || m_outZoom < 1.0)) {
        setTransform({}, m_outZoom * factor);
        return;
    }
    setTransform(zoomedAt(m_transform, m_transform.zoom * factor, anchor, mapArea().size()));
}

void ClusterCanvas::setLevel(HeatLevel level)
{
    if (m_layout.empty()) return;
    m_beforeFit.reset();
    if (level <= HeatLevel::Racks) {
        animateTo({}, level == HeatLevel::Pods ? kOutmost : 1.0);
        return;
    }
    const double zoom = zoomForLevel(m_layout, level);
    GpuIndex centre = m_state->selectedGpu() != kNone ? m_state->selectedGpu() : culprit();
    if (serverOf(centre) == kNone) centre = 0;
    animateTo(around(centre, zoom));
}

HeatTransform ClusterCanvas::around(GpuIndex gpu, double zoom) const
{
    const QSize area = mapArea().size();
    const QRectF scene = m_layout.servers[static_cast<std::size_t>(serverOf(gpu))].rect;
    HeatTransform target;
    target.zoom = zoom;
    target.origin = scene.center() - QPointF(area.width(), area.height()) / (2.0 * zoom);
    return clamped(target, area);
}

// Already there: the whole map, as the timeline does.
void ClusterCanvas::fitSelection()
{
    const GpuIndex gpu = m_state->selectedGpu();
    if (serverOf(gpu) == kNone) {
        fit();
        return;
    }
    const HeatTransform target = around(gpu, zoomForLevel(m_layout, HeatLevel::Gpus));
    if (target.zoom == m_transform.zoom && target.origin == m_transform.origin) {
        animateTo({});
        return;
    }
    m_beforeFit.reset();
    animateTo(target);
}

bool ClusterCanvas::navigate(const QKeyEvent &event)
{
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    const QSize area = mapArea().size();
    const QPointF centre = QPointF(area.width(), area.height()) / 2.0;
    const auto pan = [&](double direction) {
        HeatTransform moved = m_transform;
        moved.origin.rx() += direction * area.width() / (8.0 * m_transform.zoom);
        m_motion.stop();
        setTransform(moved, m_outZoom);
    };
    switch (moveOf(event)) {
    case Move::In: zoomBy(kWheelStep, centre); return true;
    case Move::Out: zoomBy(1.0 / kWheelStep, centre); return true;
    case Move::Earlier: pan(-1.0); return true;
    case Move::Later: pan(1.0); return true;
    case Move::None: return false;
    }
    return false;
}

void ClusterCanvas::fit()
{
    const bool whole = m_transform.zoom <= 1.0 && m_outZoom >= 1.0;
    if (whole && m_beforeFit) {
        const HeatTransform back = *m_beforeFit;
        m_beforeFit.reset();
        animateTo(back);
        return;
    }
    if (!whole) m_beforeFit = m_transform;
    animateTo({});
}

void ClusterCanvas::revealGpu(GpuIndex gpu) { keepVisible(gpu); }

void ClusterCanvas::keepVisible(GpuIndex gpu)
{
    const std::int32_t server = serverOf(gpu);
    if (server == kNone || mapArea().contains(serverRect(server))) return;
    const QSize area = mapArea().size();
    HeatTransform target = m_transform;
    target.origin = QRectF(m_layout.servers[static_cast<std::size_t>(server)].rect).center() -
                    QPointF(area.width(), area.height()) / (2.0 * m_transform.zoom);
    setTransform(target);
}

void ClusterCanvas::selectGpu(GpuIndex gpu)
{
    m_state->setSelectedGpu(gpu);
    keepVisible(gpu);
}

/// The nearest server in a direction whose extent across it overlaps most: along rows and columns of the map.
std::int32_t ClusterCanvas::serverTowards(std::int32_t from, int dx, int dy) const
{
    const QPointF start = QRectF(m_layout.servers[static_cast<std::size_t>(from)].rect).center();
    std::int32_t best = kNone;
    double bestDistance = 0.0;
    for (std::size_t s = 0; s < m_layout.servers.size(); ++s) {
        const QPointF offset = QRectF(m_layout.servers[s].rect).center() - start;
        const double along = offset.x() * dx + offset.y() * dy;
        const double across = std::abs(offset.x() * dy) + std::abs(offset.y() * dx);
        if (along < 0.5 || static_cast<std::int32_t>(s) == from) continue;
        const double distance = along + 6.0 * across;
        if (best == kNone || distance < bestDistance) {
            bestDistance = distance;
            best = static_cast<std::int32_t>(s);
        }
    }
    return best;
}

void ClusterCanvas::moveCurrent(int dx, int dy)
{
    if (m_layout.empty()) return;
    const GpuIndex gpu = m_state->selectedGpu();
    const std::int32_t server = serverOf(gpu);
    if (server == kNone) {
        selectGpu(culprit() != kNone ? culprit() : 0);
        return;
    }
    const HeatCell &cell = m_layout.servers[static_cast<std::size_t>(server)];
    const std::int32_t number = gpu - cell.firstGpu;
    if (m_level == HeatLevel::Pods) {
        const std::int32_t tile = m_layout.racks[static_cast<std::size_t>(cell.parent)].parent;
        const std::int32_t next = tile + dx + dy * m_layout.tilesPerRow;
        if (next >= 0 && next < static_cast<std::int32_t>(m_layout.tiles.size()))
            selectGpu(m_layout.tiles[static_cast<std::size_t>(next)].firstGpu);
        return;
    }
    if (m_level >= HeatLevel::Servers && dx != 0 && number + dx >= 0 && number + dx < cell.gpuCount) {
        selectGpu(gpu + dx);
        return;
    }
    const std::int32_t next = serverTowards(server, dx, dy);
    if (next == kNone) return;
    const HeatCell &target = m_layout.servers[static_cast<std::size_t>(next)];
    std::int32_t column = std::min(number, target.gpuCount - 1);
    if (m_level >= HeatLevel::Servers && dx != 0) column = dx > 0 ? 0 : target.gpuCount - 1;
    selectGpu(target.firstGpu + column);
}

void ClusterCanvas::setHover(QPoint point)
{
    m_hover = point;
    m_state->setHoveredGpu(gpuUnder(point));
    update();
}

void ClusterCanvas::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->pos();
    m_dragged = false;
    const bool pans = event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && m_spaceDown);
    if (pans || event->button() == Qt::LeftButton) m_pan = event->pos();
    if (pans) setCursor(Qt::ClosedHandCursor);
}

// A plain left drag pans too once it is longer than a click: a map has no area to select.
void ClusterCanvas::mouseMoveEvent(QMouseEvent *event)
{
    if (m_pan) {
        if (!m_dragged && (event->pos() - m_pressed).manhattanLength() < kDragDistance) return;
        m_dragged = true;
        HeatTransform moved = m_transform;
        moved.origin -= QPointF(event->pos() - *m_pan) / m_transform.zoom;
        m_pan = event->pos();
        setTransform(moved, m_outZoom);
        return;
    }
    setHover(event->pos());
}

void ClusterCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    const bool clicked = m_pan && !m_dragged && event->button() == Qt::LeftButton && !m_spaceDown;
    m_pan.reset();
    unsetCursor();
    if (!clicked) return;
    if (m_level == HeatLevel::Pods) {
        const std::int32_t tile = tileAt(m_layout, m_transform, event->pos() - mapArea().topLeft());
        if (tile != kNone) m_state->setSelectedGpu(m_layout.tiles[static_cast<std::size_t>(tile)].firstGpu);
        return;
    }
    const GpuIndex gpu = gpuUnder(event->pos());
    if (gpu != kNone) m_state->setSelectedGpu(gpu);
}

void ClusterCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_layout.empty()) return;
    const HeatLevel next = m_level == HeatLevel::Gpus ? HeatLevel::Gpus : static_cast<HeatLevel>(static_cast<int>(m_level) + 1);
    if (next <= HeatLevel::Racks) {
        animateTo({});
        return;
    }
    const QPointF anchor = event->position() - QPointF(mapArea().topLeft());
    const double zoom = std::max(zoomForLevel(m_layout, next), m_transform.zoom * 1.5);
    animateTo(zoomedAt(m_transform, zoom, anchor, mapArea().size()));
}

void ClusterCanvas::wheelEvent(QWheelEvent *event)
{
    const int delta = event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x();
    if (delta == 0) return;
    m_motion.stop();
    zoomBy(std::pow(kWheelStep, delta / 120.0), event->position() - QPointF(mapArea().topLeft()));
    setHover(event->position().toPoint());
    event->accept();
}

void ClusterCanvas::leaveEvent(QEvent *)
{
    m_hover.reset();
    m_state->setHoveredGpu(kNone);
    update();
}

void ClusterCanvas::keyPressEvent(QKeyEvent *event)
{
    const QPointF centre = QPointF(mapArea().width(), mapArea().height()) / 2.0;
    switch (event->key()) {
    case Qt::Key_Left: moveCurrent(-1, 0); return;
    case Qt::Key_Right: moveCurrent(1, 0); return;
    case Qt::Key_Up: moveCurrent(0, -1); return;
    case Qt::Key_Down: moveCurrent(0, 1); return;
    // Home and End alone are the playhead's, in every view.
    case Qt::Key_Home:
        if (!event->modifiers().testFlag(Qt::ControlModifier)) break;
        if (!m_layout.empty()) selectGpu(0);
        return;
    case Qt::Key_End:
        if (!event->modifiers().testFlag(Qt::ControlModifier)) break;
        if (!m_layout.empty()) selectGpu(static_cast<GpuIndex>(m_layout.serverOfGpu.size()) - 1);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_level != HeatLevel::Gpus) setLevel(static_cast<HeatLevel>(static_cast<int>(m_level) + 1));
        return;
    case Qt::Key_Backspace:
        if (m_level != HeatLevel::Pods) setLevel(static_cast<HeatLevel>(static_cast<int>(m_level) - 1));
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kWheelStep, centre); return;
    case Qt::Key_Minus: zoomBy(1.0 / kWheelStep, centre); return;
    case Qt::Key_F: fitSelection(); return;
    case Qt::Key_Space:
        if (!event->isAutoRepeat() && underMouse()) {
            m_spaceDown = true;
            setCursor(Qt::OpenHandCursor);
            return;
        }
        break;
    case Qt::Key_Escape: m_state->setSelectedGpu(kNone); return;
    default: break;
    }
    if (!navigate(*event)) QWidget::keyPressEvent(event);
}

void ClusterCanvas::keyReleaseEvent(QKeyEvent *event)
{
    if (event->key() == Qt::Key_Space && m_spaceDown && !event->isAutoRepeat()) {
        m_spaceDown = false;
        unsetCursor();
        return;
    }
    QWidget::keyReleaseEvent(event);
}

// The ring shows where the keyboard is, so only focus that came by the keyboard draws it.
void ClusterCanvas::focusInEvent(QFocusEvent *event)
{
    const Qt::FocusReason reason = event->reason();
    m_keyboardFocus = reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
    QWidget::focusInEvent(event);
    update();
}

void ClusterCanvas::focusOutEvent(QFocusEvent *event)
{
    m_spaceDown = m_keyboardFocus = false;
    QWidget::focusOutEvent(event);
    update();
}

void ClusterCanvas::addSlowActions(QMenu &menu, GpuIndex gpu)
{
    const QString path = QString::fromStdString(m_result->expansion->pathOf(gpu));
    const QLocale locale;
    for (const double speed : std::array{0.95, 0.9, 0.7, 0.5}) {
        QAction *action = menu.addAction(tr("Slow this GPU to %1 %").arg(locale.toString(qRound(speed * 100.0))));
        connect(action, &QAction::triggered, this, [this, path, speed] { Q_EMIT slowGpuRequested(path, speed); });
    }
    QAction *restore = menu.addAction(tr("Restore full speed"));
    connect(restore, &QAction::triggered, this, [this, path] { Q_EMIT slowGpuRequested(path, 1.0); });
}

void ClusterCanvas::contextMenuEvent(QContextMenuEvent *event)
{
    if (m_layout.empty()) return;
    const bool byMouse = event->reason() == QContextMenuEvent::Mouse;
    const GpuIndex gpu = byMouse ? gpuUnder(event->pos()) : m_state->selectedGpu();
    QMenu menu(this);
    if (serverOf(gpu) != kNone) {
        m_state->setSelectedGpu(gpu);
        menu.addSection(memberPathText(QString::fromStdString(m_result->expansion->pathOf(gpu))));
        addSlowActions(menu, gpu);
        menu.addSeparator();
    }
    connect(menu.addAction(tr("Show the whole cluster")), &QAction::triggered, this, &ClusterCanvas::fit);
    connect(menu.addAction(tr("Zoom to single GPUs")), &QAction::triggered, this, [this] { setLevel(HeatLevel::Gpus); });
    const QPoint at = byMouse ? event->globalPos() : mapToGlobal(gpuCell(gpu).center());
    menu.exec(at);
}

} // namespace clusterbeat
