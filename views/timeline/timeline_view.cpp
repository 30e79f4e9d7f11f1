// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/timeline_view.h"

#include "views/text/communication_text.h"
#include "views/text/names.h"

#include <QEvent>
#include <QLocale>
#include <QResizeEvent>

#include <algorithm>
#include <array>

namespace clusterbeat {

TimelineView::TimelineView(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    installPaintedAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumHeight(120);
    setAccessibleName(tr("Timeline"));
    connect(state, &ViewState::playheadChanged, this, &TimelineView::onPlayhead);
    connect(state, &ViewState::visibleChanged, this, &TimelineView::invalidate);
    connect(state, &ViewState::durationChanged, this, &TimelineView::invalidate);
    connect(state, &ViewState::themeChanged, this, &TimelineView::relayout);
    connect(state, &ViewState::compactChanged, this, &TimelineView::relayout);
    connect(state, &ViewState::hoveredGpuChanged, this, [this] { update(); });
    connect(state, &ViewState::selectedGpuChanged, this, &TimelineView::followSelection);
    connect(state, &ViewState::followingChanged, this, [this](bool following) {
        if (following) m_state->setVisible(pagedTo(m_state->visible(), m_state->playhead(), m_state->duration()));
    });
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const { return {1000, 320}; }

// What a person looks at stays: focus, scroll, area and selected operation survive a new result of the same shape.
void TimelineView::setResult(std::shared_ptr<const IterationResult> result)
{
    const auto shapeOf = [](const std::shared_ptr<const IterationResult> &r) {
        const IterationPlan &plan = r->run.plan;
        return std::array{plan.stages(), plan.replicas, plan.schedule.chunks, plan.schedule.microBatches};
    };
    const auto slowOf = [](const std::shared_ptr<const IterationResult> &r) {
        return r && r->slowest.reason == Slowest::Reason::SlowGpu ? r->slowest.gpu : kNone;
    };
    const bool sameShape = m_result && result && shapeOf(m_result) == shapeOf(result);
    const bool sameCulprit = slowOf(m_result) == slowOf(result);
    m_account.reset();
    m_result = std::move(result);
    if (!sameShape) m_layout.focus = m_layout.scroll = 0;
    m_lanes.setResult(m_result);
    relayout();
    if (sameShape && (sameCulprit || m_state->selectedGpu() != kNone)) setFocusReplica(m_layout.focus);
    else followSelection();
    keepMarks(sameShape);
    invalidate();
}

void TimelineView::keepMarks(bool sameShape)
{
    if (m_selected) {
        const bool keep = sameShape && m_selected->span.operation != kNone && !m_selected->communication;
        if (keep) m_selected->span = spanOfOperation(m_selected->stage, m_selected->span.operation);
        else m_selected.reset();
    }
    if (!m_area) return;
    if (sameShape && m_area->range.end <= m_result->iteration()) {
        sumArea(*m_area);
        Q_EMIT areaSelected(*m_area);
    } else {
        m_area.reset();
        Q_EMIT areaCleared();
    }
}

// The replica in focus: of the selected GPU, else of the slow GPU; a click elsewhere may show another one.
void TimelineView::followSelection()
{
    if (m_result && m_result->placement) {
        const Placement &placement = *m_result->placement;
        GpuIndex gpu = m_state->selectedGpu();
        if (gpu == kNone && m_result->slowest.reason == Slowest::Reason::SlowGpu) gpu = m_result->slowest.gpu;
        const bool known = gpu >= 0 && static_cast<std::size_t>(gpu) < placement.rankOfGpu.size();
        const RankIndex rank = known ? placement.rankOfGpu[static_cast<std::size_t>(gpu)] : kNone;
        if (rank != kNone) setFocusReplica(placement.coordinates[static_cast<std::size_t>(rank)].data);
    }
    m_dirty = true;
    update();
    announceCurrentItem(this, currentItem());
}

void TimelineView::setFocusReplica(int replica)
{
    if (!m_result) return;
    const std::int32_t clamped = std::clamp(replica, 0, std::max(0, m_result->run.plan.replicas - 1));
    if (clamped != m_layout.focus) {
        m_layout.focus = clamped;
        m_selected.reset();
    }
    m_lanes.setFocus(clamped);
    std::vector<std::int32_t> members;
    for (std::int32_t stage = 0; stage < m_layout.stages; ++stage)
        members.push_back(memberShown(stage));
    m_lanes.setMembers(std::move(members));
    invalidate();
}

void TimelineView::relayout()
{
    const Theme &theme = m_state->theme();
    m_layout.size = size();
    m_layout.gutters = gutters(m_state->compact(), theme.scale());
    m_layout.stages = m_result ? m_result->run.plan.stages() : 0;
    m_layout.replicas = m_result ? m_result->run.plan.replicas : 0;
    m_layout.metrics = timelineMetrics(m_state->compact(), theme.scale(), {m_layout.stages, m_layout.otherReplicas(), m_allStages}, height());
    m_layout.focus = std::clamp(m_layout.focus, 0, std::max(0, m_layout.replicas - 1));
    m_layout.scroll = m_layout.clampedScroll(m_layout.scroll);
    m_mapDirty = true;
    invalidate();
}

void TimelineView::setAllStages(bool all)
{
    if (all == m_allStages) return;
    m_allStages = all;
    relayout();
}

void TimelineView::invalidate()
{
    m_dirty = true;
    update();
}

void TimelineView::resizeEvent(QResizeEvent *) { relayout(); }

void TimelineView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Timeline"));
        relayout();
    }
    QWidget::changeEvent(event);
}

// Pages only when the playhead leaves the visible range by moving on, and only until a person chooses a range: who looks
// elsewhere is left there.
void TimelineView::onPlayhead()
{
    const TimeRange visible = m_state->visible();
    const TimeNs now = m_state->playhead();
    const bool wasInside = m_lastPlayhead >= visible.begin && m_lastPlayhead <= visible.end;
    m_lastPlayhead = now;
    if (m_state->following() && m_drag == Drag::None && wasInside) m_state->setVisible(pagedTo(visible, now, m_state->duration()));
    update();
}

void TimelineView::setScroll(int scroll)
{
    scroll = m_layout.clampedScroll(scroll);
    if (scroll == m_layout.scroll) return;
    m_layout.scroll = scroll;
    invalidate();
}

TimeAxis TimelineView::axis() const
{
    return {m_state->visible(), static_cast<double>(m_layout.plotLeft()), static_cast<double>(m_layout.plotWidth())};
}

std::int32_t TimelineView::stageOfGpu(GpuIndex gpu) const
{
    if (!m_result || !m_result->placement || gpu < 0) return kNone;
    const Placement &placement = *m_result->placement;
    if (static_cast<std::size_t>(gpu) >= placement.rankOfGpu.size()) return kNone;
    const RankIndex rank = placement.rankOfGpu[static_cast<std::size_t>(gpu)];
    if (rank == kNone) return kNone;
    const RankCoordinates &c = placement.coordinates[static_cast<std::size_t>(rank)];
    return c.data == m_layout.focus ? c.pipeline : kNone;
}

std::int32_t TimelineView::selectedStage() const { return stageOfGpu(m_state->selectedGpu()); }

std::int32_t TimelineView::slowStage() const
{
    if (!m_result || m_result->slowest.reason != Slowest::Reason::SlowGpu) return kNone;
    return stageOfGpu(m_result->slowest.gpu);
}

// The selected GPU itself where it is of this stage, then the slow one, else the first of the group.
std::int32_t TimelineView::memberShown(std::int32_t stage) const
{
    if (!m_result || !m_result->placement) return 0;
    const auto memberOf = [&](GpuIndex gpu) {
        const RankIndex rank = m_result->placement->rankOfGpu[static_cast<std::size_t>(gpu)];
        return m_result->placement->coordinates[static_cast<std::size_t>(rank)].member;
    };
    if (selectedStage() == stage) return memberOf(m_state->selectedGpu());
    return slowStage() == stage ? memberOf(m_result->slowest.gpu) : 0;
}

GpuIndex TimelineView::gpuOf(std::int32_t stage, std::int32_t replica, std::int32_t member) const
{
    if (!m_result || !m_result->placement) return kNone;
    const RankIndex rank = m_result->placement->rankAt(stage, replica, member);
    return rank == kNone ? kNone : m_result->placement->gpuOfRank[static_cast<std::size_t>(rank)];
}

std::int32_t TimelineView::classOf(std::int32_t replica) const
{
    return m_result->run.trace.classOfReplica[static_cast<std::size_t>(replica)];
}

// ---- accessibility: the lanes of the focused replica, then the other replicas ----

int TimelineView::itemCount() const { return ready() ? m_layout.stages + m_layout.otherReplicas() : 0; }

QString TimelineView::itemName(int item) const
{
    if (item < 0 || item >= itemCount()) return {};
    const QLocale locale;
    if (item >= m_layout.stages) return tr("Replica %1").arg(locale.toString(m_layout.replicaOfRow(item - m_layout.stages)));
    const auto span = spanAt(item, m_state->playhead());
    const GpuIndex gpu = gpuOf(item, m_layout.focus, memberShown(item));
    const QString path = gpu == kNone ? QString() : memberPathText(QString::fromStdString(m_result->expansion->pathOf(gpu)));
    QString doing = span ? spanTitle(item, *span) : QString();
    for (const CommunicationSpan &communication : m_lanes.communicationOf(item))
        if (communication.begin <= m_state->playhead() && m_state->playhead() < communication.end)
            doing += QStringLiteral("; ") + communicationTitle(communication, *m_result, locale);
    return tr("Replica %1, stage %2, %3: %4").arg(locale.toString(m_layout.focus), locale.toString(item), path, doing);
}

QRect TimelineView::itemRect(int item) const
{
    if (item < 0 || item >= itemCount()) return {};
    if (item < m_layout.stages) return m_layout.rowRect({TimelineRow::Kind::Stage, item});
    return m_layout.rowRect({TimelineRow::Kind::Replica, m_layout.replicaOfRow(item - m_layout.stages)});
}

int TimelineView::itemAt(QPoint point) const
{
    const TimelineRow row = m_layout.rowAt(point.y());
    if (row.kind == TimelineRow::Kind::Stage) return row.index;
    if (row.kind != TimelineRow::Kind::Replica) return -1;
    return m_layout.stages + (row.index < m_layout.focus ? row.index : row.index - 1);
}

int TimelineView::currentItem() const { return ready() ? selectedStage() : -1; }

void TimelineView::activateItem(int item)
{
    if (item < 0 || item >= itemCount()) return;
    if (item < m_layout.stages) selectStage(item);
    else setFocusReplica(m_layout.replicaOfRow(item - m_layout.stages));
}

} // namespace clusterbeat
