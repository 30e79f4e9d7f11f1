// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_canvas.h"

#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QEvent>
#include <QFontMetrics>
#include <QLocale>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

std::vector<GpuRun> rackRuns(const HeatLayout &layout)
{
    std::vector<GpuRun> runs;
    runs.reserve(layout.racks.size());
    for (const HeatCell &rack : layout.racks)
        runs.push_back({rack.firstGpu, rack.gpuCount, rack.parent});
    return runs;
}

} // namespace

ClusterCanvas::ClusterCanvas(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    installPaintedAccessibility();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Map of all GPUs"));
    m_palette = heatPaletteFor(state->theme());
    m_motion.setEasingCurve(QEasingCurve::OutCubic);
    connect(state, &ViewState::playheadChanged, this, [this] {
        m_statesDirty = m_mapDirty = true;
        update();
    });
    connect(state, &ViewState::themeChanged, this, [this] {
        m_palette = heatPaletteFor(m_state->theme());
        relayout();
    });
    connect(state, &ViewState::compactChanged, this, [this] { relayout(); });
    connect(state, &ViewState::hoveredGpuChanged, this, [this] { update(); });
    connect(state, &ViewState::selectedGpuChanged, this, [this] {
        updateThread();
        update();
        announceCurrentItem(this, currentItem());
    });
}

ClusterCanvas::~ClusterCanvas() = default;

void ClusterCanvas::setResult(std::shared_ptr<const IterationResult> result)
{
    const bool sameCluster = m_result && result && m_result->expansion == result->expansion && m_result->placement == result->placement;
    m_result = std::move(result);
    m_statesDirty = m_mapDirty = true;
    if (!sameCluster) {
        m_transform = {};
        m_beforeFit.reset();
        m_hover.reset();
        relayout();
    }
    updateThread();
    update();
}

// The gutter holds the widest band label.
HeatMargins ClusterCanvas::margins() const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    HeatMargins margins;
    const int most = m_result->placement ? std::max(m_result->placement->data, m_result->placement->pipeline) : 0;
    const QString widest = QStringLiteral("DP ") + QLocale().toString(most);
    margins.gutter = QFontMetrics(theme.font(Theme::Type::LabelStrong, compact)).horizontalAdvance(widest) + (compact ? 8 : 10);
    margins.tileGap = compact ? 6 : 10;
    margins.tileHead = qRound(14 * theme.scale());
    return margins;
}

// Bands depend on the racks, which depend only on the expansion; the arrangement of the racks depends on the bands.
void ClusterCanvas::layoutBelow(int tierHeight)
{
    m_tierHeight = tierHeight;
    m_layout = {};
    if (mapArea().isEmpty()) return;
    m_gutter = margins().gutter;
    m_layout = layoutHeatMap(*m_result->expansion, mapArea().size(), m_bands.typicalRacks, margins());
}

void ClusterCanvas::relayout()
{
    m_layout = {};
    m_bands = {};
    m_chromeDirty = m_mapDirty = true;
    const qreal scale = m_state->theme().scale();
    const int both = qRound((m_state->compact() ? 40 : 50) * scale), coreOnly = qRound((m_state->compact() ? 20 : 24) * scale);
    m_tierHeight = both;
    if (m_result && m_result->expansion && !mapArea().isEmpty()) {
        layoutBelow(both);
        if (m_result->placement) m_bands = bandsOf(*m_result->placement, rackRuns(m_layout));
        layoutBelow(both);
        // several rows of pods are named on the map, not by one row of spine bars
        if (m_layout.tileRows > 1) layoutBelow(coreOnly);
        if (m_layout.tileRows == 1 && m_tierHeight != both) layoutBelow(both);
    }
    updateThread();
    setTransform(clamped(m_transform, mapArea().size()), m_outZoom);
    update();
}

void ClusterCanvas::resizeEvent(QResizeEvent *) { relayout(); }

void ClusterCanvas::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) {
        setAccessibleName(tr("Map of all GPUs"));
        m_chromeDirty = true;
        update();
    }
    QWidget::changeEvent(event);
}

QRect ClusterCanvas::mapArea() const { return rect().adjusted(0, tierHeight(), 0, 0); }

void ClusterCanvas::updateStates()
{
    if (!m_statesDirty) return;
    m_statesDirty = false;
    if (!m_result || !m_result->expansion) {
        m_states.clear();
        return;
    }
    m_states.resize(static_cast<std::size_t>(m_result->expansion->gpuCount));
    gpuStatesAt(*m_result, m_state->playhead(), m_states);
}

std::uint8_t ClusterCanvas::stateOf(GpuIndex gpu)
{
    updateStates();
    return gpu >= 0 && static_cast<std::size_t>(gpu) < m_states.size() ? m_states[static_cast<std::size_t>(gpu)] : kUnusedState;
}

std::int32_t ClusterCanvas::serverOf(GpuIndex gpu) const
{
    const bool known = gpu >= 0 && static_cast<std::size_t>(gpu) < m_layout.serverOfGpu.size();
    return known ? m_layout.serverOfGpu[static_cast<std::size_t>(gpu)] : kNone;
}

std::int32_t ClusterCanvas::rackOf(GpuIndex gpu) const
{
    const std::int32_t server = serverOf(gpu);
    return server == kNone ? kNone : m_layout.servers[static_cast<std::size_t>(server)].parent;
}

QRect ClusterCanvas::serverRect(std::int32_t server) const
{
    return onMap(m_layout.servers[static_cast<std::size_t>(server)].rect);
}

QRect ClusterCanvas::gpuCell(GpuIndex gpu) const
{
    const std::int32_t server = serverOf(gpu);
    if (server == kNone) return {};
    const HeatCell &cell = m_layout.servers[static_cast<std::size_t>(server)];
    const QRect rect = gpuRect(serverRect(server), cell.gpuCount, gpu - cell.firstGpu);
    return rect.width() < 2 ? serverRect(server) : rect;
}

GpuIndex ClusterCanvas::gpuUnder(QPoint point) const
{
    if (m_layout.empty() || !mapArea().contains(point) || m_level == HeatLevel::Pods) return kNone;
    return gpuAt(m_layout, m_transform, point - mapArea().topLeft());
}

RankIndex ClusterCanvas::rankOf(GpuIndex gpu) const
{
    if (!m_result || !m_result->placement || gpu < 0) return kNone;
    const auto &ranks = m_result->placement->rankOfGpu;
    return static_cast<std::size_t>(gpu) < ranks.size() ? ranks[static_cast<std::size_t>(gpu)] : kNone;
}

GpuIndex ClusterCanvas::culprit() const
{
    if (!m_result) return kNone;
    return m_result->slowest.reason == Slowest::Reason::SlowGpu ? m_result->slowest.gpu : gpuOfSlowLink(*m_result);
}

std::int32_t ClusterCanvas::threadReplica() const
{
    for (const GpuIndex gpu : {m_state->selectedGpu(), culprit()}) {
        const RankIndex rank = rankOf(gpu);
        if (rank != kNone) return m_result->placement->coordinates[static_cast<std::size_t>(rank)].data;
    }
    return kNone;
}

void ClusterCanvas::updateThread()
{
    m_thread.clear();
    const std::int32_t replica = threadReplica();
    if (replica == kNone || m_layout.empty()) return;
    const Placement &placement = *m_result->placement;
    m_thread.resize(static_cast<std::size_t>(placement.pipeline));
    for (std::int32_t stage = 0; stage < placement.pipeline; ++stage) {
        auto &servers = m_thread[static_cast<std::size_t>(stage)];
        for (std::int32_t member = 0; member < placement.groupSize(); ++member) {
            const RankIndex rank = placement.rankAt(stage, replica, member);
            if (rank == kNone) continue;
            const std::int32_t server = serverOf(placement.gpuOfRank[static_cast<std::size_t>(rank)]);
            if (server != kNone && std::find(servers.begin(), servers.end(), server) == servers.end()) servers.push_back(server);
        }
    }
}

// The root of the wait, where somebody is slow; a pipeline bubble has nobody to blame.
GpuIndex ClusterCanvas::waitedForGpu(GpuIndex gpu)
{
    const RankIndex rank = rankOf(gpu);
    const std::uint8_t state = stateOf(gpu);
    if (rank == kNone || state != static_cast<std::uint8_t>(Category::StragglerWait)) return kNone;
    const RankPosition at = positionOf(*m_result, rank);
    const std::vector<WhyStep> steps = whyWaiting(m_result->run, at.stage, at.replica, at.member, m_state->playhead());
    if (steps.empty()) return kNone;
    const GpuIndex peer = gpuOfStep(steps.back(), *m_result);
    return peer == gpu ? kNone : peer;
}

// ---- accessibility: the items are the cells of the current level ----

int ClusterCanvas::itemCount() const
{
    if (m_layout.empty()) return 0;
    switch (m_level) {
    case HeatLevel::Pods: return static_cast<int>(m_layout.tiles.size());
    case HeatLevel::Racks: return static_cast<int>(m_layout.servers.size());
    default: return static_cast<int>(m_layout.serverOfGpu.size());
    }
}

QString ClusterCanvas::itemName(int item) const
{
    if (item < 0 || item >= itemCount()) return {};
    std::vector<std::uint8_t> states(m_layout.serverOfGpu.size());
    gpuStatesAt(*m_result, m_state->playhead(), states);
    const Expansion &expansion = *m_result->expansion;
    const auto index = static_cast<std::size_t>(item);
    const bool gpus = m_level >= HeatLevel::Servers;
    const std::string path = gpus ? expansion.pathOf(item)
                                  : expansion.pathOfContainer((m_level == HeatLevel::Pods ? m_layout.tiles : m_layout.servers)[index].container);
    std::uint8_t state = kUnusedState;
    if (gpus) {
        state = states[index];
    } else {
        const HeatCell &cell = (m_level == HeatLevel::Pods ? m_layout.tiles : m_layout.servers)[index];
        state = dominantState(countStates(states, cell.firstGpu, cell.gpuCount));
    }
    return tr("%1: %2", "path of a GPU or container: what it does").arg(memberPathText(QString::fromStdString(path)), stateName(state));
}

QRect ClusterCanvas::itemRect(int item) const
{
    if (item < 0 || item >= itemCount()) return {};
    if (m_level == HeatLevel::Pods) return onMap(m_layout.tiles[static_cast<std::size_t>(item)].rect);
    return m_level == HeatLevel::Racks ? serverRect(item) : gpuCell(item);
}

int ClusterCanvas::itemAt(QPoint point) const
{
    if (m_level == HeatLevel::Pods) return tileAt(m_layout, m_transform, point - mapArea().topLeft());
    const GpuIndex gpu = gpuUnder(point);
    return m_level == HeatLevel::Racks ? serverOf(gpu) : gpu;
}

int ClusterCanvas::currentItem() const
{
    const GpuIndex gpu = m_state->selectedGpu();
    const std::int32_t server = serverOf(gpu);
    if (server == kNone) return -1;
    if (m_level == HeatLevel::Racks) return server;
    if (m_level != HeatLevel::Pods) return gpu;
    return m_layout.racks[static_cast<std::size_t>(m_layout.servers[static_cast<std::size_t>(server)].parent)].parent;
}

void ClusterCanvas::activateItem(int item)
{
    if (item < 0 || item >= itemCount()) return;
    const auto index = static_cast<std::size_t>(item);
    if (m_level == HeatLevel::Pods) selectGpu(m_layout.tiles[index].firstGpu);
    else selectGpu(m_level == HeatLevel::Racks ? m_layout.servers[index].firstGpu : item);
}

} // namespace clusterbeat
