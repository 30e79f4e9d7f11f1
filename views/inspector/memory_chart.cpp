// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/memory_chart.h"

#include "views/inspector/breakdown_table.h"
#include "views/shared/painting.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr double kHeadroom = 1.06;

/// From the bottom: what stays for the whole iteration, then activations. The number is that of memoryShade().
struct Layer {
    std::size_t shade;
    Bytes MemoryParts::*bytes;
};
constexpr std::array<Layer, 5> kLayers{{{0, &MemoryParts::parameters},
                                        {1, &MemoryParts::gradients},
                                        {2, &MemoryParts::optimizer},
                                        {4, &MemoryParts::buffers},
                                        {3, &MemoryParts::activations}}};

double real(Bytes bytes) { return static_cast<double>(bytes); }

} // namespace

MemoryChart::MemoryChart(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::CrossCursor);
    connect(state, &ViewState::playheadChanged, this, [this] { update(); });
}

void MemoryChart::setRank(std::shared_ptr<const IterationResult> result, std::int32_t stage, std::int32_t replica)
{
    m_result = std::move(result);
    m_steps.clear();
    if (m_result) memoryOverTime(*m_result, stage, replica, m_steps);
    m_peak = 0;
    for (const MemoryStep &step : m_steps) {
        if (step.parts.total() <= m_peak) continue;
        m_peak = step.parts.total();
        m_peakAt = step.at;
    }
    setVisible(!m_steps.empty());
    describe();
    update();
}

void MemoryChart::retranslate()
{
    setAccessibleName(tr("Memory over the iteration"));
    describe();
}

void MemoryChart::describe()
{
    if (m_steps.empty()) return setAccessibleDescription(QString());
    setAccessibleDescription(fillText(tr("from %1 at the start to %2 at %3; capacity %4"),
                                      {bytesText(real(m_steps.front().parts.total())), bytesText(real(m_peak)), durationText(m_peakAt),
                                       bytesText(real(m_result->memory.capacity))}));
}

QSize MemoryChart::sizeHint() const { return {260, static_cast<int>((m_state->compact() ? 72 : 88) * m_state->theme().scale())}; }

QRectF MemoryChart::plot() const
{
    const double labels = QFontMetricsF(m_state->theme().font(Theme::Type::AxisSmall)).height() + 2.0;
    return {0.5, labels + 0.5, width() - 1.0, std::max(1.0, height() - 2 * labels - 1.0)};
}

double MemoryChart::highest() const { return kHeadroom * real(std::max({Bytes{1}, m_peak, m_result ? m_result->memory.capacity : 0})); }

TimeNs MemoryChart::timeAt(double x) const
{
    if (!m_result) return 0;
    const QRectF area = plot();
    const double share = std::clamp((x - area.left()) / area.width(), 0.0, 1.0);
    return static_cast<TimeNs>(std::llround(share * static_cast<double>(m_result->iteration())));
}

MemoryParts MemoryChart::at(TimeNs t) const
{
    const auto after = std::upper_bound(m_steps.begin(), m_steps.end(), t, [](TimeNs a, const MemoryStep &step) { return a < step.at; });
    return after == m_steps.begin() ? MemoryParts{} : (after - 1)->parts;
}

// One column of device pixels shows the fullest instant in it, so that a peak is never lost between two pixels.
void MemoryChart::paintParts(QPainter &painter, const QRectF &area) const
{
    const double ratio = devicePixelRatioF(), scale = area.height() / highest(), iteration = static_cast<double>(std::max<TimeNs>(1, m_result->iteration()));
    const int columns = std::max(1, static_cast<int>(std::floor(area.width() * ratio)));
    std::array<QColor, kLayers.size()> shades;
    for (std::size_t i = 0; i < kLayers.size(); ++i) shades[i] = memoryShade(m_state->theme(), kLayers[i].shade);
    std::size_t step = 0;
    for (int column = 0; column < columns; ++column) {
        const double end = (column + 1) * iteration / columns;
        std::size_t fullest = step;
        while (step + 1 < m_steps.size() && static_cast<double>(m_steps[step + 1].at) < end) {
            ++step;
            if (m_steps[step].parts.total() > m_steps[fullest].parts.total()) fullest = step;
        }
        double y = area.bottom();
        for (std::size_t i = 0; i < kLayers.size(); ++i) {
            const double h = real(m_steps[fullest].parts.*kLayers[i].bytes) * scale;
            painter.fillRect(QRectF(area.left() + column / ratio, y - h, 1.0 / ratio, h), shades[i]);
            y -= h;
        }
        const double limit = area.bottom() - real(m_result->memory.capacity) * scale;
        if (y < limit) painter.fillRect(QRectF(area.left() + column / ratio, y, 1.0 / ratio, limit - y), m_state->theme().worse);
    }
}

void MemoryChart::paintScale(QPainter &painter, const QRectF &area) const
{
    const Theme &theme = m_state->theme();
    const Bytes capacity = m_result->memory.capacity;
    const bool over = m_peak > capacity;
    const double line = area.bottom() - real(capacity) / highest() * area.height();
    painter.setPen(QPen(over ? theme.worse : theme.text2, 1.0, Qt::DashLine));
    painter.drawLine(QPointF(area.left(), line), QPointF(area.right(), line));
    painter.setFont(theme.font(Theme::Type::AxisSmall));
    const QFontMetricsF metrics(painter.font());
    const auto now = at(std::min(m_state->playhead(), std::max<TimeNs>(0, m_result->iteration() - 1))).total();
    const QRectF top(area.left(), 0.0, area.width(), area.top());
    const QString limit = fillText(tr("Capacity %1"), {bytesText(real(capacity))}), current = fillText(tr("now %1"), {bytesText(real(now))});
    painter.setPen(over ? theme.worse : theme.text2);
    painter.drawText(top, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(limit, Qt::ElideRight, top.width() - metrics.horizontalAdvance(current) - 8.0));
    painter.setPen(now > capacity ? theme.worse : theme.text);
    painter.drawText(top, Qt::AlignRight | Qt::AlignVCenter, current);
    const QRectF bottom(area.left(), area.bottom(), area.width(), height() - area.bottom());
    painter.setPen(theme.text2);
    painter.drawText(bottom, Qt::AlignLeft | Qt::AlignVCenter, durationText(0));
    painter.drawText(bottom, Qt::AlignRight | Qt::AlignVCenter, durationText(m_result->iteration()));
}

void MemoryChart::paintEvent(QPaintEvent *)
{
    if (!m_result || m_steps.empty()) return;
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const QRectF area = plot();
    painter.fillRect(area, theme.sunken);
    paintParts(painter, area);
    paintScale(painter, area);
    const double share = static_cast<double>(std::clamp<TimeNs>(m_state->playhead(), 0, m_result->iteration())) / static_cast<double>(std::max<TimeNs>(1, m_result->iteration()));
    const double x = area.left() + share * area.width();
    QPainterPath path(QPointF(x, area.top()));
    path.lineTo(x, area.bottom());
    drawCased(painter, path, theme.selection, theme.selectionCasing, 1.5);
}

void MemoryChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_result) return QWidget::mousePressEvent(event);
    m_state->setPlayhead(timeAt(event->position().x()));
}

void MemoryChart::mouseMoveEvent(QMouseEvent *event)
{
    if (!(event->buttons() & Qt::LeftButton) || !m_result) return QWidget::mouseMoveEvent(event);
    m_state->setPlayhead(timeAt(event->position().x()));
}

bool MemoryChart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip || !m_result || m_steps.empty()) return QWidget::event(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const TimeNs t = timeAt(help->pos().x());
    const MemoryParts parts = at(t);
    QToolTip::showText(help->globalPos(),
                       fillText(tr("%1: %2, of it activations %3"), {durationText(t), bytesText(real(parts.total())), bytesText(real(parts.activations))}), this);
    return true;
}

} // namespace clusterbeat
