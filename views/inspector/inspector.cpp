// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/inspector.h"

#include "model/base/index.h"
#include "views/inspector/panel_parts.h"
#include "views/inspector/breakdown_table.h"
#include "views/inspector/gpu_header.h"
#include "views/inspector/memory_chart.h"
#include "views/inspector/why_chain.h"
#include "views/shared/elided_label.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kMomentMs = 100;
constexpr int kSlowest = 30;
constexpr int kNarrowest = 248;
constexpr std::array<int, 4> kPresets{50, 70, 90, 100};

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

QLabel *label(QWidget *parent, const char *role)
{
    auto *text = new ElidedLabel(parent);
    text->setProperty("role", QLatin1String(role));
    return text;
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

void Inspector::build()
{
    auto *body = scrollingBody(this);
    m_layout = new QVBoxLayout(body);

    m_header = new GpuHeader(m_state, body);
    m_layout->addWidget(m_header);
    m_layout->addWidget(separator(body));
    m_whyTitle = label(body, "title");
    m_layout->addWidget(m_whyTitle);
    m_chain = new WhyChain(m_state, body);
    m_layout->addWidget(m_chain);

    m_whatIf = new QWidget(body);
    auto *whatIf = new QVBoxLayout(m_whatIf);
    whatIf->setContentsMargins(0, 0, 0, 0);
    whatIf->setSpacing(4);
    whatIf->addWidget(separator(m_whatIf));
    const auto row = [](QVBoxLayout *layout, QLabel *left, QLabel *right) {
        auto *line = new QHBoxLayout;
        line->addWidget(left, 1);
        line->addWidget(right);
        layout->addLayout(line);
    };
    m_whatIfTitle = label(m_whatIf, "title");
    m_whatIfTarget = label(m_whatIf, "secondary");
    row(whatIf, m_whatIfTitle, m_whatIfTarget);
    m_speedLabel = new ElidedLabel(m_whatIf);
    m_speedValue = new QLabel(m_whatIf);
    m_speedValue->setProperty("role", QStringLiteral("strong"));
    row(whatIf, m_speedLabel, m_speedValue);
    m_speed = new QSlider(Qt::Horizontal, m_whatIf);
    m_speed->setRange(kSlowest, 100);
    m_speed->setPageStep(5);
    m_speed->setValue(100);
    m_speedLabel->setBuddy(m_speed);
    whatIf->addWidget(m_speed);
    m_whatIfResult = new QLabel(m_whatIf);
    m_whatIfResult->setProperty("role", QStringLiteral("secondary"));
    m_whatIfResult->setWordWrap(true);
    whatIf->addWidget(m_whatIfResult);
    auto *presets = new QHBoxLayout;
    presets->setSpacing(4);
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        m_presets[i] = new QPushButton(m_whatIf);
        m_presets[i]->setProperty("compact", true);
        m_presets[i]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_presets[i]->setMinimumWidth(1);
        presets->addWidget(m_presets[i], kPresets[i] == 100 ? 27 : 20);
        connect(m_presets[i], &QPushButton::clicked, this, [this, i] { requestSpeed(kPresets[i], false); });
    }
    whatIf->addLayout(presets);
    m_layout->addWidget(m_whatIf);

    m_layout->addWidget(separator(body));
    m_breakdownTitle = label(body, "title");
    m_against = label(body, "secondary");
    row(m_layout, m_breakdownTitle, m_against);
    m_breakdown = new BreakdownTable(m_state, body);
    m_layout->addWidget(m_breakdown);
    m_layout->addWidget(separator(body));
    m_memoryTitle = label(body, "title");
    m_layout->addWidget(m_memoryTitle);
    m_memory = new MemoryBar(m_state, body);
    m_layout->addWidget(m_memory);
    m_memoryChart = new MemoryChart(m_state, body);
    m_layout->addWidget(m_memoryChart);
    m_layout->addStretch(1);

    connect(m_chain, &WhyChain::stepActivated, this, &Inspector::jumpTo);
    connect(m_speed, &QSlider::valueChanged, this, [this](int value) {
        m_speedValue->setText(percentText(value / 100.0, QLocale(), 0));
        requestSpeed(value, m_speed->isSliderDown());
    });
    connect(m_speed, &QSlider::sliderReleased, this, [this] { requestSpeed(m_speed->value(), false); });
}

void Inspector::retranslate()
{
    setAccessibleName(tr("Inspector"));
    m_whatIfTitle->setText(tr("What if?"));
    m_speedLabel->setText(tr("GPU speed"));
    m_speed->setAccessibleName(tr("Speed of the GPU in percent"));
    m_chain->setAccessibleName(tr("Chain of causes"));
    m_memoryTitle->setText(tr("Memory at the fullest moment"));
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        const QString percent = percentText(kPresets[i] / 100.0, QLocale(), 0);
        m_presets[i]->setText(kPresets[i] == 100 ? tr("Nominal") : percent);
        m_presets[i]->setAccessibleName(kPresets[i] == 100 ? tr("Nominal speed") : fillText(tr("Speed %1"), {percent}));
    }
    m_breakdown->retranslate();
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
        m_whatIf->hide();
        m_memoryChart->setRank(nullptr, 0, 0);
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
    refreshWhatIf();
    refreshBreakdown();
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

void Inspector::refreshWhatIf()
{
    const GpuIndex gpu = targetOfWhatIf();
    m_whatIf->setVisible(gpu != kNone);
    if (gpu == kNone) return;
    const RankIndex rank = m_result->placement->rankOfGpu[at(gpu)];
    const bool root = m_result->slowest.reason == Slowest::Reason::SlowGpu && gpu == m_result->slowest.gpu;
    double speed = 1.0;
    if (rank != kNone && !m_result->run.plan.slowness.empty()) {
        const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
        speed = 1.0 / m_result->run.plan.slowness[m_result->run.plan.position(position.pipeline, position.data, position.member)];
    }
    m_whatIfTarget->setText(fillText(root ? tr("root cause: %1") : tr("%1"), {gpuTitle(gpu, *m_result->expansion)}));
    m_whatIfTarget->setToolTip(memberPathText(QString::fromStdString(m_result->expansion->pathOf(gpu))));
    if (!m_speed->isSliderDown()) {
        const QSignalBlocker quiet(m_speed);
        m_speed->setValue(static_cast<int>(std::lround(speed * 100.0)));
        m_speedValue->setText(percentText(speed, QLocale(), 0));
    }
    const TimeNs extra = m_result->iteration() - m_result->unperturbedIteration;
    const QString now = durationText(m_result->iteration());
    if (!m_result->run.perturbed()) m_whatIfResult->setText(fillText(tr("Iteration %1, nothing is slow"), {now}));
    else if (extra < m_result->iteration() / 2000) m_whatIfResult->setText(fillText(tr("Iteration %1: hidden by waits that were there anyway"), {now}));
    else m_whatIfResult->setText(fillText(tr("Iteration %1, %2 against the run without faults"), {now, secondsText(toSeconds(extra), QLocale(), Sign::Always)}));
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
            auto twin = std::make_shared<Run>();
            twin->plan = m_result->run.plan;
            twin->plan.slowness.clear();
            twin->plan.jitter.clear();
            twin->plan.links.reset();
            twin->trace = m_result->run.unperturbed();
            m_twin = twin;
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

void Inspector::requestSpeed(int percent, bool dragging)
{
    const GpuIndex gpu = targetOfWhatIf();
    if (gpu == kNone) return;
    const QSignalBlocker quiet(m_speed);
    m_speed->setValue(percent);
    m_speedValue->setText(percentText(percent / 100.0, QLocale(), 0));
    Q_EMIT slowGpuRequested(QString::fromStdString(m_result->expansion->pathOf(gpu)), percent / 100.0, dragging);
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
