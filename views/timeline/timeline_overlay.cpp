// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/timeline_view.h"

#include "views/shared/painting.h"
#include "views/text/communication_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {
constexpr int kChain = 6;                // operations shown up and down the data flow
}

QString TimelineView::spanTitle(std::int32_t stage, const Span &span) const
{
    if (span.operation == kNone) return categoryName(span.category);
    const PipelineSchedule &schedule = m_result->run.plan.schedule;
    const ScheduledOperation &operation = schedule.order[static_cast<std::size_t>(stage)][static_cast<std::size_t>(span.operation)];
    const QLocale locale;
    const QString number = locale.toString(shownMicroBatch(schedule, operation.chunk, operation.microBatch));
    if (schedule.chunks <= 1) return tr("%1, micro-batch %2").arg(operationName(operation.kind), number);
    return tr("%1, micro-batch %2, chunk %3").arg(operationName(operation.kind), number, locale.toString(operation.chunk));
}

// Visible range and focused replica on the map of all replicas.
void TimelineView::paintMapMarks(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const QRect map = m_layout.laneMap();
    if (map.isEmpty()) return;
    const TimeAxis whole{{0, m_result->iteration()}, static_cast<double>(map.x()), static_cast<double>(map.width())};
    painter.setRenderHint(QPainter::Antialiasing, false);
    const TimeRange visible = m_state->visible();
    if (visible.length() < m_result->iteration()) {
        const double x0 = std::floor(whole.xOf(visible.begin)), x1 = std::max(x0 + 3.0, std::ceil(whole.xOf(visible.end)));
        drawCasedRect(painter, QRectF(x0 + 0.5, map.y() + 0.5, x1 - x0 - 1.0, map.height() - 1.0), theme.selection, theme.selectionCasing, 1.0);
    }
    const int x = static_cast<int>(std::clamp(whole.xOf(m_state->playhead()), static_cast<double>(map.left()), static_cast<double>(map.right())));
    painter.fillRect(QRect(x - 1, map.y(), 3, map.height()), theme.selectionCasing);
    painter.fillRect(QRect(x, map.y(), 1, map.height()), theme.selection);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.selection);
    const double y = m_layout.mapY(m_layout.focus);
    painter.drawPolygon(QPolygonF{{map.x() - 7.0, y - 4.0}, {map.x() - 1.0, y}, {map.x() - 7.0, y + 4.0}});
    const double right = map.x() + map.width();
    painter.drawPolygon(QPolygonF{{right + 7.0, y - 4.0}, {right + 1.0, y}, {right + 7.0, y + 4.0}});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// The selected span ringed; for an operation the chain of operations that it waits for and that wait for it.
void TimelineView::paintDependencies(QPainter &painter) const
{
    if (!m_selected) return;
    const Theme &theme = m_state->theme();
    const TimeAxis map = axis();
    const double left = m_layout.plotLeft(), right = left + m_layout.plotWidth();
    const auto boxOf = [&](std::int32_t stage, const Span &span) {
        const QRect lane = m_layout.computeRect(stage);
        const double x0 = std::clamp(map.xOf(span.begin), left - 4.0, right + 4.0), x1 = std::clamp(map.xOf(span.end), left - 4.0, right + 4.0);
        return QRectF(x0, lane.y(), std::max(2.0, x1 - x0), lane.height());
    };
    painter.setClipRect(m_layout.plot());
    painter.setRenderHint(QPainter::Antialiasing);
    const auto arrow = [&](const QRectF &from, const QRectF &to) {
        const bool down = to.y() > from.y();
        const QPointF start(from.right(), from.center().y()), end(to.left() + std::min(3.0, to.width() / 2.0), down ? to.top() : to.bottom());
        QPainterPath path(start);
        path.lineTo(end.x(), start.y());
        path.lineTo(end);
        drawCased(painter, path, theme.selection, theme.selectionCasing, 1.0);
        const double tip = down ? -5.0 : 5.0;
        QPainterPath head;
        head.addPolygon(QPolygonF{end, {end.x() - 3.5, end.y() + tip}, {end.x() + 3.5, end.y() + tip}, end});
        painter.setPen(QPen(theme.selectionCasing, 0.8));
        painter.setBrush(theme.selection);
        painter.drawPath(head);
    };
    const auto &dependencies = m_result->run.trace.dependencies;
    if (m_selected->span.operation != kNone && dependencies) {
        for (const bool upstream : {true, false}) {
            OperationRef here{m_selected->stage, m_selected->span.operation};
            for (int i = 0; i < kChain; ++i) {
                const auto &links = upstream ? dependencies->upstream : dependencies->downstream;
                const OperationRef next = links[static_cast<std::size_t>(here.stage)][static_cast<std::size_t>(here.operation)];
                if (!next.exists()) break;
                const QRectF a = boxOf(here.stage, spanOfOperation(here.stage, here.operation));
                const QRectF b = boxOf(next.stage, spanOfOperation(next.stage, next.operation));
                arrow(upstream ? b : a, upstream ? a : b);
                drawCasedRect(painter, b.adjusted(0.0, -0.5, 0.0, 0.5), theme.selection, theme.selectionCasing, 1.0);
                if (b.left() > right || b.right() < left) break;
                here = next;
            }
        }
    }
    QRectF box = boxOf(m_selected->stage, m_selected->span);
    if (m_selected->communication) {
        const QRect lane = m_layout.communicationRect(m_selected->stage);
        box = QRectF(box.x(), lane.y(), box.width(), lane.height());
    }
    drawCasedRect(painter, box.adjusted(0.0, -0.5, 0.0, 0.5), theme.selection, theme.selectionCasing, 2.0);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setClipRect(m_layout.body());
}

void TimelineView::paintArea(QPainter &painter) const
{
    if (!m_area || m_area->replica != m_layout.focus) return;
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const TimeAxis map = axis();
    const QRect first = m_layout.rowRect({TimelineRow::Kind::Stage, m_area->firstStage});
    const QRect last = m_layout.rowRect({TimelineRow::Kind::Stage, m_area->lastStage});
    const double x0 = std::max<double>(m_layout.plotLeft(), map.xOf(m_area->range.begin));
    const double x1 = std::min<double>(m_layout.plotLeft() + m_layout.plotWidth(), map.xOf(m_area->range.end));
    const QRectF box(x0, first.y() - 1, x1 - x0, last.bottom() - first.y() + 1);
    if (box.width() <= 0.0) return;
    QColor veil = theme.accent;
    veil.setAlphaF(0.16F);
    painter.fillRect(box, veil);
    drawCasedRect(painter, box, theme.accent, theme.selectionCasing, 1.0);
    const QLocale locale;
    TimeNs total = 0;
    for (const TimeNs ns : m_area->sums)
        total += ns;
    const int stages = m_area->lastStage - m_area->firstStage + 1;
    QStringList lines{stages == 1 ? tr("%1, 1 stage").arg(durationText(m_area->range.length(), locale))
                                  : tr("%1, %2 stages").arg(durationText(m_area->range.length(), locale), locale.toString(stages))};
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < m_area->sums.size(); ++i)
        if (m_area->sums[i] > 0) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return m_area->sums[a] > m_area->sums[b]; });
    if (total > 0)
        for (const std::size_t i : order)
            lines << tr("%1  %2  (%3)", "category, time, share")
                         .arg(categoryName(static_cast<Category>(i)), durationText(m_area->sums[i], locale),
                              percentText(static_cast<double>(m_area->sums[i]) / static_cast<double>(total), locale));
    if (m_area->hidden > 0) lines << tr("Communication behind compute: %1").arg(durationText(m_area->hidden, locale));
    const Plate plate = infoPlate(theme, lines, compact);
    const QSizeF size = plateSize(plate);
    QRectF area(QPointF(box.right() + 6.0, box.top()), size);
    const QRectF bounds = QRectF(m_layout.body()).adjusted(2, 2, -2, -2);
    if (area.right() > bounds.right()) area.moveRight(box.left() - 6.0);
    if (area.left() < m_layout.plotLeft()) area.moveLeft(std::max<double>(m_layout.plotLeft() + 4, box.right() - size.width() - 6.0));
    area.moveTop(std::clamp(area.top(), bounds.top(), std::max(bounds.top(), bounds.bottom() - size.height())));
    drawPlate(painter, area.toAlignedRect(), plate);
}

QStringList TimelineView::spanLines(std::int32_t stage, const Span &span) const
{
    const QLocale locale;
    QStringList lines{spanTitle(stage, span), tr("Stage %1: %2 from %3").arg(locale.toString(stage), durationText(span.end - span.begin, locale),
                                                                              secondsText(toSeconds(span.begin), locale, Sign::Natural, 4))};
    if (span.operation == kNone && span.endedBy != EventKind::None) lines << tr("waits for %1").arg(waitedForText(span.endedBy));
    if (span.operation != kNone)
        if (const QString split = splitText(stage, span); !split.isEmpty()) lines << split;
    return lines;
}

// What the hatched part of an operation's box is: its pieces by category, and what runs behind its compute.
QString TimelineView::splitText(std::int32_t stage, const Span &span) const
{
    const QLocale locale;
    std::vector<Span> pieces;
    spansOfRank(m_result->run, stage, m_layout.focus, memberShown(stage), span.begin, span.end, pieces);
    CategoryTimes times{};
    TimeNs compute = 0;
    for (const Span &piece : pieces) {
        if (piece.operation != span.operation) continue;
        (scalesWithSpeed(piece.category) ? compute : times[categoryIndex(piece.category)]) += piece.end - piece.begin;
    }
    QStringList parts{tr("compute %1").arg(durationText(compute, locale))};
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        if (times[c] > 0) parts << QStringLiteral("%1 %2").arg(categoryName(static_cast<Category>(c)), durationText(times[c], locale));
    const ScheduledOperation &operation = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)][static_cast<std::size_t>(span.operation)];
    QStringList behind;
    for (std::size_t d = 0; d < kDimensionCount; ++d)
        if (const double ns = account().hiddenInside(stage, operation)[d]; ns >= 1.0)
            behind << QStringLiteral("%1 %2").arg(dimensionAbbreviation(static_cast<Dimension>(d)), durationText(static_cast<TimeNs>(ns), locale));
    if (parts.size() < 2 && behind.isEmpty()) return {};
    QString text = parts.join(QStringLiteral(" + "));
    if (!behind.isEmpty()) text += tr("; behind compute: %1").arg(behind.join(QStringLiteral(", ")));
    return text;
}

/// Rings what is pointed at and says what it is; nothing when there is nothing.
QStringList TimelineView::paintHoveredLane(QPainter &painter, std::int32_t stage) const
{
    const TimeAxis map = axis();
    const auto ring = [&](TimeNs begin, TimeNs end, const QRect &lane) {
        const double x0 = std::max<double>(m_layout.plotLeft(), map.xOf(begin)), x1 = std::min<double>(m_layout.plot().right() + 1, map.xOf(end));
        painter.setClipRect(m_layout.body());
        drawCasedRect(painter, QRectF(x0, lane.y(), std::max(1.0, x1 - x0), lane.height()), m_state->theme().selection, m_state->theme().selectionCasing, 1.0);
        painter.setClipping(false);
    };
    if (const auto communication = communicationAt(stage, *m_hover)) {
        ring(communication->begin, communication->end, m_layout.communicationRect(stage));
        return QStringList{communicationTitle(*communication, *m_result)} +
               communicationDetails(*communication, stage, m_layout.focus, memberShown(stage), account(), *m_result);
    }
    const auto span = spanAt(stage, map.timeAt(m_hover->x()));
    if (!span) return {};
    ring(span->begin, span->end, m_layout.computeRect(stage));
    return spanLines(stage, *span);
}

void TimelineView::paintHover(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    // linked hover: the lane of a GPU that is hovered in another view
    const std::int32_t linked = stageOfGpu(m_state->hoveredGpu());
    if (linked != kNone && !m_hover) {
        painter.setClipRect(m_layout.body());
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.text2);
        painter.drawRect(QRectF(m_layout.rowRect({TimelineRow::Kind::Stage, linked})).adjusted(0.5, -0.5, -0.5, -1.5));
        painter.setClipping(false);
    }
    if (!m_hover || m_drag != Drag::None) return;
    const QLocale locale;
    QStringList lines;
    const TimelineRow row = m_layout.rowAt(m_hover->y());
    if (m_layout.laneMap().contains(*m_hover)) {
        lines << tr("Replica %1").arg(locale.toString(m_layout.replicaOnMap(m_hover->y()))) << tr("Click to show its stages");
    } else if (m_layout.plot().contains(*m_hover) && row.kind == TimelineRow::Kind::Stage) {
        lines = paintHoveredLane(painter, row.index);
        if (lines.isEmpty()) return;
    } else if (row.kind == TimelineRow::Kind::Replica && m_layout.body().contains(*m_hover)) {
        lines << tr("Replica %1").arg(locale.toString(row.index)) << tr("Click to show its stages");
    } else {
        return;
    }
    const Plate plate = infoPlate(theme, lines, m_state->compact());
    drawPlate(painter, plateBesidePoint(plateSize(plate), *m_hover, QRectF(rect()).adjusted(2, 2, -2, -2)), plate);
}

QString TimelineView::playheadText() const
{
    const TimeNs length = m_state->visible().length();
    const int decimals = length < 20'000'000 ? 3 : length < kNsPerSecond / 4 ? 1 : 0;
    return tr("%1 ms", "milliseconds").arg(QLocale().toString(static_cast<double>(m_state->playhead()) / 1e6, 'f', decimals));
}

QRect TimelineView::playheadPlate() const
{
    const TimeRange visible = m_state->visible();
    if (m_state->playhead() < visible.begin || m_state->playhead() > visible.end) return {};
    const QFontMetrics metrics(m_state->theme().font(Theme::Type::LabelStrong, m_state->compact()));
    const QRect ruler = m_layout.ruler();
    const int width = metrics.horizontalAdvance(playheadText()) + 10, height = std::min(ruler.height() - 4, metrics.height() + 2);
    QRect plate(static_cast<int>(axis().xOf(m_state->playhead())) - width / 2, ruler.bottom() - height - 1, width, height);
    plate.moveLeft(std::clamp(plate.left(), 4, m_layout.plotLeft() + m_layout.plotWidth() - width + 2));
    return plate;
}

void TimelineView::paintPlayhead(QPainter &painter) const
{
    const QRect plate = playheadPlate();
    if (plate.isEmpty()) return;
    const Theme &theme = m_state->theme();
    const QRect ruler = m_layout.ruler();
    const int x = static_cast<int>(axis().xOf(m_state->playhead()));
    painter.fillRect(QRect(x - 1, ruler.bottom(), 3, height() - ruler.bottom()), theme.selectionCasing);
    painter.fillRect(QRect(x, ruler.bottom() - 2, 1, height() - ruler.bottom() + 2), theme.selection);
    painter.setFont(theme.font(Theme::Type::LabelStrong, m_state->compact()));
    painter.fillRect(plate.adjusted(-1, -1, 1, 1), theme.selectionCasing);
    painter.fillRect(plate, theme.selection);
    painter.setPen(theme.selectionCasing);
    painter.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, playheadText());
}

} // namespace clusterbeat
