// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/timeline_view.h"

#include <algorithm>

namespace clusterbeat {

std::optional<Span> TimelineView::spanAt(std::int32_t stage, TimeNs t) const
{
    if (!ready() || stage < 0 || stage >= m_layout.stages || t < 0 || t >= m_result->iteration()) return std::nullopt;
    std::vector<Span> spans;
    spansOfGroup(m_result->run, stage, m_layout.focus, t, t + 1, spans);
    for (const Span &span : spans)
        if (span.begin <= t && t < span.end) return span;
    return std::nullopt;
}

const CommunicationAccount &TimelineView::account() const
{
    if (!m_account) m_account = std::make_unique<const CommunicationAccount>(*m_result);
    return *m_account;
}

// Collectives fill the sub-lane, sends its lower half: below, the last that begins wins; above, a collective.
std::optional<CommunicationSpan> TimelineView::communicationAt(std::int32_t stage, QPoint point) const
{
    const QRect lane = m_layout.communicationRect(stage);
    if (lane.height() <= 0) return std::nullopt;
    if (point.y() < lane.top() - m_layout.metrics.gap) return std::nullopt;
    const bool lower = point.y() >= lane.top() + lane.height() / 2;
    const TimeNs from = axis().timeAt(point.x() - 1), to = axis().timeAt(point.x() + 1);
    std::optional<CommunicationSpan> found;
    for (const CommunicationSpan &span : m_lanes.communicationOf(stage)) {
        if (span.end <= from || span.begin > to) continue;
        const bool send = span.kind == CommunicationKind::SendForward || span.kind == CommunicationKind::SendBackward;
        if (!found || (send && lower) || (!send && !lower)) found = span;
    }
    return found;
}

Span TimelineView::spanOfOperation(std::int32_t stage, std::int32_t operation) const
{
    const Run &run = m_result->run;
    const std::int32_t cls = classOf(m_layout.focus);
    const OperationKind kind = run.plan.schedule.order[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation)].kind;
    Span span;
    span.begin = startOfOperation(run.plan, run.trace, stage, operation, cls);
    span.end = run.trace.finishOf(stage, operation, cls);
    span.category = kind == OperationKind::Forward ? Category::Forward : Category::Backward;
    span.operation = operation;
    return span;
}

AreaSelection TimelineView::areaOf(QPoint from, QPoint to) const
{
    AreaSelection area;
    const TimeAxis map = axis();
    const double left = m_layout.plotLeft(), right = left + m_layout.plotWidth();
    const auto timeAt = [&](int x) {
        return std::clamp<TimeNs>(map.timeAt(std::clamp<double>(x, left, right)), 0, m_result->iteration());
    };
    const auto stageAt = [&](int y) {
        const int below = y - m_layout.metrics.ruler + m_layout.scroll - m_layout.metrics.head;
        return std::clamp(below / std::max(1, m_layout.metrics.lane), 0, std::max(0, m_layout.stages - 1));
    };
    area.range = {timeAt(std::min(from.x(), to.x())), timeAt(std::max(from.x(), to.x()))};
    area.replica = m_layout.focus;
    area.firstStage = stageAt(std::min(from.y(), to.y()));
    area.lastStage = stageAt(std::max(from.y(), to.y()));
    sumArea(area);
    return area;
}

// Member 0 of each stage: with all members the area would count a wait inside a group several times.
void TimelineView::sumArea(AreaSelection &area) const
{
    area.sums.fill(0);
    double hidden = 0.0;
    for (std::int32_t stage = area.firstStage; stage <= area.lastStage; ++stage)
        hidden += account().hiddenBetween(stage, area.replica, 0, area.range.begin, area.range.end);
    area.hidden = static_cast<TimeNs>(hidden);
    std::vector<Span> spans;
    for (std::int32_t stage = area.firstStage; stage <= area.lastStage; ++stage) {
        spansOfRank(m_result->run, stage, area.replica, 0, area.range.begin, area.range.end, spans);
        for (const Span &span : spans)
            area.sums[categoryIndex(span.category)] +=
                std::max<TimeNs>(0, std::min(span.end, area.range.end) - std::max(span.begin, area.range.begin));
    }
}

void TimelineView::selectStage(std::int32_t stage)
{
    const GpuIndex gpu = gpuOf(stage, m_layout.focus, slowStage() == stage ? memberShown(stage) : 0);
    if (selectedStage() != stage && gpu != kNone) m_state->setSelectedGpu(gpu);
    const QRect row = m_layout.rowRect({TimelineRow::Kind::Stage, stage});
    if (row.top() < m_layout.body().top()) setScroll(m_layout.scroll - (m_layout.body().top() - row.top()));
    if (row.bottom() > m_layout.body().bottom()) setScroll(m_layout.scroll + row.bottom() - m_layout.body().bottom());
}

void TimelineView::selectSpan(std::int32_t stage, const Span &span)
{
    selectStage(stage);
    m_selected = SelectedSpan{stage, span};
    update();
}

void TimelineView::click(QPoint point)
{
    if (!ready()) return;
    if (m_area) {
        m_area.reset();
        Q_EMIT areaCleared();
    }
    const TimelineRow row = m_layout.rowAt(point.y());
    if (row.kind == TimelineRow::Kind::Replica) {
        setFocusReplica(row.index);
        setScroll(0);
        return;
    }
    if (row.kind != TimelineRow::Kind::Stage) {
        m_selected.reset();
        update();
        return;
    }
    if (!m_layout.plot().contains(point)) {
        selectStage(row.index);
        return;
    }
    const auto communication = communicationAt(row.index, point);
    if (communication) {
        selectSpan(row.index, Span{communication->begin, communication->end, Category::Bubble, kNone, EventKind::None});
        m_selected->communication = communication;
        return;
    }
    if (const auto span = spanAt(row.index, axis().timeAt(point.x()))) selectSpan(row.index, *span);
}

void TimelineView::stepEvent(int direction, bool microBatch)
{
    if (!ready() || direction == 0) return;
    const std::int32_t stage = std::max(0, selectedStage());
    const auto &order = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)];
    const auto microBatchOf = [&](const Span &span) {
        return span.operation == kNone ? kNone : order[static_cast<std::size_t>(span.operation)].microBatch;
    };
    TimeNs t = m_state->playhead();
    auto span = spanAt(stage, std::min(t, m_result->iteration() - 1));
    if (!span) return;
    const std::int32_t from = microBatchOf(*span);
    do {
        if (direction > 0) {
            if (span->end >= m_result->iteration()) {
                t = m_result->iteration();
                break;
            }
            t = span->end;
        } else if (span->begin < t) {
            t = span->begin;
            if (!microBatch) break;
            continue;
        } else if (t == 0) {
            break;
        } else {
            span = spanAt(stage, t - 1);
            if (!span) return;
            t = span->begin;
        }
        span = spanAt(stage, t);
    } while (microBatch && span && (microBatchOf(*span) == kNone || microBatchOf(*span) == from) && t > 0);
    m_state->setPlayhead(t);
    const TimeRange visible = m_state->visible();
    if (t < visible.begin || t > visible.end) m_state->setVisible(pannedBy(visible, t - visible.begin - visible.length() / 2, m_state->duration()));
    if (const auto here = spanAt(stage, t)) selectSpan(stage, *here);
}

void TimelineView::fitSelection()
{
    if (!ready()) return;
    TimeRange target{0, m_state->duration()};
    if (m_area) {
        target = m_area->range;
    } else if (m_selected) {
        const TimeNs margin = (m_selected->span.end - m_selected->span.begin) / 2;
        target = {m_selected->span.begin - margin, m_selected->span.end + margin};
    }
    target = pannedBy({target.begin, std::max(target.end, target.begin + kShortestVisible)}, 0, m_state->duration());
    if (m_state->visible() == target) target = {0, m_state->duration()};
    m_state->chooseVisible(target);
}

void TimelineView::clearSelection()
{
    m_selected.reset();
    if (m_area) {
        m_area.reset();
        Q_EMIT areaCleared();
    }
    m_state->setSelectedGpu(kNone);
    update();
}

} // namespace clusterbeat
