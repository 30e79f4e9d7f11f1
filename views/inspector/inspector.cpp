// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/inspector.h"

#include "model/base/index.h"
#include "views/inspector/panel_parts.h"
#include "views/inspector/breakdown_table.h"
#include "views/inspector/communication_table.h"
#include "views/inspector/gpu_header.h"
#include "views/inspector/memory_chart.h"
#include "views/inspector/what_if_panel.h"
#include "views/inspector/why_chain.h"
#include "views/shared/elided_label.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr int kMomentMs = 100;
constexpr int kNarrowest = 248;

std::array<double, kCategoryCount> secondsOf(const CategoryTimes &times)
{
    std::array<double, kCategoryCount> seconds{};
    for (std::size_t i = 0; i < kCategoryCount; ++i) seconds[i] = toSeconds(times[i]);
    return seconds;
}

bool sameShape(const Run &a, const Run &b)
{
    return a.plan.stages() == b.plan.stages() && a.plan.replicas == b.plan.replicas && a.plan.groupSize == b.plan.groupSize;
}

std::shared_ptr<const Run> unperturbedRun(const Run &run)
{
    auto twin = std::make_shared<Run>();
    twin->plan = run.plan;
    IterationPlan &plan = twin->plan;
    plan.slowness.clear();
    plan.jitter.clear();
    plan.warmUp.clear();
    plan.pauses.clear();
    plan.attention.clear();
    plan.data.clear();
    plan.checkpoint.clear();
    plan.links.reset();
    twin->trace = run.unperturbed();
    return twin;
}

} // namespace

Inspector::Inspector(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    build();
    m_moment.setSingleShot(true);
    m_moment.setInterval(kMomentMs);
    // The first move shows at once, those that follow within the interval together at its end.
    connect(&m_moment, &QTimer::timeout, this, [this] {
        if (m_momentPending) refreshChain();
        m_momentPending = false;
    });
    // The state is the map's at the same instant, always; only the walk of causes is too long for every frame.
    connect(state, &ViewState::playheadChanged, this, [this] {
        refreshState();
        m_momentPending = m_moment.isActive();
        if (m_momentPending) return;
        refreshChain();
        m_moment.start();
    });
    connect(state, &ViewState::selectedGpuChanged, this, [this] {
        m_chain->restart();
        refresh();
    });
    connect(state, &ViewState::themeChanged, this, &Inspector::restyle);
    connect(state, &ViewState::compactChanged, this, &Inspector::restyle);
    retranslate();
    restyle();
}

Inspector::~Inspector() = default;

void Inspector::build()
{
    auto *body = scrollingBody(this);
    m_layout = new QVBoxLayout(body);

    m_header = new GpuHeader(m_state, body);
    m_layout->addWidget(m_header);
    m_layout->addWidget(separator(body));
    m_whyTitle = roleLabel<ElidedLabel>(body, "title");
    m_layout->addWidget(m_whyTitle);
    m_chain = new WhyChain(m_state, body);
    m_layout->addWidget(m_chain);

    m_whatIf = new WhatIfPanel(m_state, body);
    m_layout->addWidget(m_whatIf);

    m_layout->addWidget(separator(body));
    m_breakdownTitle = roleLabel<ElidedLabel>(body, "title");
    m_against = roleLabel<ElidedLabel>(body, "secondary");
    auto *heading = new QHBoxLayout;
    heading->addWidget(m_breakdownTitle, 1);
    heading->addWidget(m_against);
    m_layout->addLayout(heading);
    m_breakdown = new BreakdownTable(m_state, body);
    m_layout->addWidget(m_breakdown);
    m_layout->addWidget(separator(body));
    m_communicationTitle = roleLabel<ElidedLabel>(body, "title");
    m_layout->addWidget(m_communicationTitle);
    m_communication = new CommunicationTable(m_state, body);
    m_layout->addWidget(m_communication);
    m_layout->addWidget(separator(body));
    m_memoryTitle = roleLabel<ElidedLabel>(body, "title");
    m_layout->addWidget(m_memoryTitle);
    m_memory = new MemoryBar(m_state, body);
    m_layout->addWidget(m_memory);
    m_memoryChart = new MemoryChart(m_state, body);
    m_layout->addWidget(m_memoryChart);
    m_layout->addStretch(1);

    connect(m_chain, &WhyChain::stepActivated, this, &Inspector::jumpTo);
    connect(m_whatIf, &WhatIfPanel::slowGpuRequested, this, &Inspector::slowGpuRequested);
    connect(m_whatIf, &WhatIfPanel::gpuLinksRequested, this, &Inspector::gpuLinksRequested);
}

void Inspector::retranslate()
{
    setAccessibleName(tr("Inspector"));
    m_chain->setAccessibleName(tr("Chain of causes"));
    m_memoryTitle->setText(tr("Memory at the fullest moment"));
    m_whatIf->retranslate();
    m_breakdown->retranslate();
    m_communication->retranslate();
    m_memory->retranslate();
    m_memoryChart->retranslate();
    refresh();
}

void Inspector::restyle()
{
    const bool compact = m_state->compact();
    m_layout->setContentsMargins(12, compact ? 8 : 12, 12, 12);
    m_layout->setSpacing(compact ? 6 : 8);
    m_chain->restart();
    m_breakdown->updateGeometry();
    m_communication->restyle();
    m_memory->updateGeometry();
    m_memoryChart->updateGeometry();
    m_header->updateGeometry();
    updateGeometry();
    refresh();
    update();
}

QSize Inspector::sizeHint() const { return {static_cast<int>((m_state->compact() ? 262 : 324) * m_state->theme().scale()), 600}; }

// Two chips and the figures' columns still have room.
QSize Inspector::minimumSizeHint() const { return {static_cast<int>(kNarrowest * m_state->theme().scale()), 200}; }

void Inspector::setResult(std::shared_ptr<const IterationResult> result)
{
    m_summary.reset();
    m_account.reset();
    m_result = std::move(result);
    m_twin.reset();
    refresh();
}

void Inspector::setBaseline(std::shared_ptr<const IterationResult> baseline)
{
    m_baseline = std::move(baseline);
    refresh();
}

RankIndex Inspector::selectedRank() const
{
    const GpuIndex gpu = m_state->selectedGpu();
    if (!m_result || !m_result->placement || gpu < 0 || at(gpu) >= m_result->placement->rankOfGpu.size()) return kNone;
    return m_result->placement->rankOfGpu[at(gpu)];
}

void Inspector::refresh()
{
    if (!m_result) {
        m_header->setSubject(tr("Nothing simulated yet"), QString(), {});
        m_header->setState(-1);
        m_chain->setSteps({}, nullptr);
        m_whatIf->setSubject(nullptr, kNone);
        m_memoryChart->setRank(nullptr, 0, 0);
        m_communication->setTimes(nullptr, {});
        return;
    }
    const GpuIndex gpu = m_state->selectedGpu();
    const RankIndex rank = selectedRank();
    const bool known = gpu >= 0 && m_result->expansion && gpu < m_result->expansion->gpuCount;
    if (known) {
        QStringList chips;
        if (rank != kNone) {
            const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
            chips << fillText(tr("TP %1"), {QString::number(position.tensor)});
            if (m_result->placement->context > 1) chips << fillText(tr("CP %1"), {QString::number(position.context)});
            chips << fillText(tr("PP %1"), {QString::number(position.pipeline)}) << fillText(tr("DP %1"), {QString::number(position.data)});
        }
        m_header->setSubject(gpuTitle(gpu, *m_result->expansion), gpuPlace(gpu, *m_result->expansion), chips);
    } else {
        const IterationPlan &plan = m_result->run.plan;
        m_header->setSubject(tr("The whole run"), fillText(tr("%1 GPUs"), {integerText(m_result->metrics.gpus)}),
                             {fillText(tr("TP %1"), {integerText(plan.groupSize)}), fillText(tr("PP %1"), {integerText(plan.stages())}),
                              fillText(tr("DP %1"), {integerText(plan.replicas)})});
    }
    refreshMoment();
    m_whatIf->setSubject(m_result, targetOfWhatIf());
    refreshBreakdown();
    refreshCommunication();
}

void Inspector::refreshCommunication()
{
    if (!m_account) m_account = std::make_unique<const CommunicationAccount>(*m_result);
    const RankIndex rank = selectedRank();
    if (rank != kNone) {
        const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
        m_communicationTitle->setText(tr("Communication of this GPU, s"));
        m_communication->setTimes(m_result, m_account->ofRank(position.pipeline, position.data, position.member));
        return;
    }
    if (!m_summary) m_summary = std::make_unique<const CommunicationSummary>(m_account->summary());
    m_communicationTitle->setText(tr("Communication, mean of all ranks, s"));
    m_communication->setTimes(m_result, m_summary->mean);
}

void Inspector::refreshMoment()
{
    refreshState();
    refreshChain();
}

// The last instant of the iteration still belongs to it.
TimeNs Inspector::moment() const { return std::min(m_state->playhead(), std::max<TimeNs>(0, m_result->iteration() - 1)); }

Span Inspector::spanAt(const RankCoordinates &position, TimeNs t) const
{
    std::vector<Span> spans;
    spansOfRank(m_result->run, position.pipeline, position.data, position.member, t, t + 1, spans);
    for (const Span &span : spans)
        if (span.begin <= t && t < span.end) return span;
    return {};
}

void Inspector::refreshState()
{
    if (!m_result) return;
    const RankIndex rank = selectedRank();
    const bool known = m_state->selectedGpu() >= 0 && m_result->expansion && m_state->selectedGpu() < m_result->expansion->gpuCount;
    if (rank == kNone) {
        m_header->setState(known ? kUnusedState : -1);
        m_whyTitle->setText(known ? tr("It holds no rank: a spare") : tr("Why does it take so long?"));
        return;
    }
    const Span span = spanAt(m_result->placement->coordinates[at(rank)], moment());
    m_header->setState(static_cast<int>(span.category));
    const bool busy = scalesWithSpeed(span.category) || span.category == Category::Host;
    if (isCollectiveInside(span)) m_whyTitle->setText(collectiveTitle(span.category));
    else m_whyTitle->setText(busy ? tr("What decides its pace?") : tr("Why is it waiting?"));
}

void Inspector::refreshChain()
{
    if (!m_result) return;
    const RankIndex rank = selectedRank();
    if (rank == kNone) {
        const bool known = m_state->selectedGpu() >= 0 && m_result->expansion && m_state->selectedGpu() < m_result->expansion->gpuCount;
        m_chain->setSteps(known ? std::vector<WhyStep>{} : m_result->why, m_result);
        return;
    }
    const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
    const TimeNs t = moment();
    const Span span = spanAt(position, t);
    m_chain->setSteps(whyWaiting(m_result->run, position.pipeline, position.data, position.member, t), m_result,
                      isCollectiveInside(span) ? std::optional(span.category) : std::nullopt);
}

// The root cause when a GPU is slow, else the selected GPU.
GpuIndex Inspector::targetOfWhatIf() const
{
    if (!m_result || !m_result->placement) return kNone;
    const GpuIndex selected = selectedRank() == kNone ? kNone : m_state->selectedGpu();
    if (m_result->slowest.reason != Slowest::Reason::SlowGpu) return selected;
    return m_result->slowest.gpu;
}

void Inspector::refreshBreakdown()
{
    const RankIndex rank = selectedRank();
    const bool comparable = m_baseline && sameShape(m_baseline->run, m_result->run);
    m_against->setText(comparable || (rank == kNone && m_baseline) ? tr("against baseline") : tr("against no faults"));
    if (rank == kNone) {
        m_breakdownTitle->setText(tr("Mean of all ranks"));
        m_breakdown->setBreakdown(m_result->metrics.breakdownS, m_baseline ? m_baseline->metrics.breakdownS : m_result->unperturbedBreakdownS);
        m_memoryTitle->setText(tr("Memory, fullest rank"));
        m_memory->setMemory(m_result->memory.peak, m_result->memory.capacity);
        const RankIndex fullest = m_result->memory.rank;
        const bool placed = m_result->placement && at(fullest) < m_result->placement->coordinates.size();
        const RankCoordinates position = placed ? m_result->placement->coordinates[at(fullest)] : RankCoordinates{};
        m_memoryChart->setRank(m_result, position.pipeline, position.data);
        return;
    }
    const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
    const auto times = [&position](const Run &run) { return secondsOf(categoryTimes(run, position.pipeline, position.data, position.member)); };
    std::array<double, kCategoryCount> before{};
    if (comparable) {
        before = times(m_baseline->run);
    } else {
        if (!m_twin) {
            m_twin = unperturbedRun(m_result->run);
        }
        before = times(*m_twin);
    }
    m_breakdownTitle->setText(tr("This GPU, one iteration"));
    m_breakdown->setBreakdown(times(m_result->run), before);
    m_memoryTitle->setText(tr("Memory at the fullest moment"));
    const auto &stages = m_result->memory.byStage;
    const bool known = stages && at(position.pipeline) < stages->size();
    m_memory->setMemory(known ? (*stages)[at(position.pipeline)].peak : m_result->memory.peak, m_result->memory.capacity);
    m_memoryChart->setRank(m_result, position.pipeline, position.data);
}

void Inspector::jumpTo(const WhyStep &step)
{
    if (!m_result) return;
    const GpuIndex gpu = gpuOfStep(step, *m_result);
    const TimeNs t = std::clamp<TimeNs>(step.at, 0, std::max<TimeNs>(0, m_result->iteration() - 1));
    const TimeRange visible = m_state->visible();
    if (t < visible.begin || t >= visible.end) m_state->setVisible({t - visible.length() / 2, t - visible.length() / 2 + visible.length()});
    m_state->setPlayhead(t);
    if (gpu != kNone) m_state->setSelectedGpu(gpu);
}

void Inspector::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), m_state->theme().panel);
}

void Inspector::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
