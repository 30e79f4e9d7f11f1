// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_canvas.h"

#include "views/text/communication_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr double kUnknownLoad = -1.0;

const BlueprintNode *nodeOfKind(const IterationResult &result, NodeKind kind)
{
    if (!result.scenario) return nullptr;
    const auto &nodes = result.scenario->blueprint.nodes;
    const auto found = std::find_if(nodes.begin(), nodes.end(), [kind](const BlueprintNode &node) { return node.kind == kind; });
    return found == nodes.end() ? nullptr : &*found;
}

} // namespace

void ClusterCanvas::setLinks(std::shared_ptr<const LinkReport> links)
{
    m_links = std::move(links);
    m_chromeDirty = true;
    update();
}

const LinkReport::Kind *ClusterCanvas::linkKind(const char *kind) const
{
    if (!m_links) return nullptr;
    const auto found = std::find_if(m_links->kinds.begin(), m_links->kinds.end(), [kind](const LinkReport::Kind &each) { return each.kind == kind; });
    return found == m_links->kinds.end() ? nullptr : &*found;
}

/// Of the links between a pod's leaves and its spines.
double ClusterCanvas::podLoad(std::size_t pod) const
{
    const LinkReport::Kind *kind = linkKind("leaf-spine");
    return kind && pod < kind->meanOfPod.size() ? kind->meanOfPod[pod] : kUnknownLoad;
}

// A switch tier; at its foot a bar as long as its links are loaded over the iteration.
void ClusterCanvas::paintTierBox(QPainter &painter, const QRect &area, const QString &left, const QString &right, double load) const
{
    const Theme &theme = m_state->theme();
    painter.fillRect(area, theme.raised);
    if (load > 0.0) {
        const int bar = std::max(2, qRound(2 * theme.scale()));
        const int width = std::clamp(qRound(load * (area.width() - 2)), 1, std::max(1, area.width() - 2));
        painter.fillRect(QRect(area.x() + 1, area.bottom() - bar, width, bar), theme.overlapped);
    }
    painter.setPen(theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5));
    const QRect inner = area.adjusted(5, load > 0.0 ? -2 : 0, -5, load > 0.0 ? -2 : 0);     // letters clear of the bar
    painter.setPen(theme.text2);
    painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, left);
    const int used = painter.fontMetrics().horizontalAdvance(left) + 10 + painter.fontMetrics().horizontalAdvance(right);
    if (used > inner.width()) return;
    painter.setPen(load >= 0.0 ? theme.text2 : theme.text3);
    painter.drawText(inner, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, right);
}

void ClusterCanvas::paintCore(QPainter &painter, const QRect &area)
{
    const BlueprintNode *core = nodeOfKind(*m_result, NodeKind::Core);
    if (!core) return;
    m_coreBox = area;
    const QLocale locale;
    const bool fromTemplate = m_result->scenario->cluster.coreOversubscription > 1.0;
    const QString text = fromTemplate ? tr("Core, 1:%1 oversubscribed").arg(locale.toString(m_result->scenario->cluster.coreOversubscription, 'g', 3))
                                      : tr("Core");
    QString right = core->count == 1 ? tr("1 switch") : tr("%1 switches").arg(locale.toString(static_cast<qlonglong>(core->count)));
    const LinkReport::Kind *links = linkKind("spine-core");
    if (links)
        right += QStringLiteral(" · ") +
                 fillText(tr("links %1, peak %2", "mean load, fullest moment of one link"), {percentText(links->usage.mean, locale), percentText(links->usage.peak, locale)});
    paintTierBox(painter, area, text, right, links ? links->usage.mean : kUnknownLoad);
}

// Core over all pods, one spine bar per pod, joined by ticks. Only the tiers that the drawing has; a map of several rows
// of pods names each pod above its tile instead.
void ClusterCanvas::paintTiers(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QLocale locale;
    const qreal scale = theme.scale();
    const int bar = qRound((compact ? 12 : 14) * scale), top = qRound((compact ? 4 : 5) * scale);
    const int spineTop = tierHeight() - bar - qRound((compact ? 6 : 8) * scale);
    m_coreBox = {};
    m_podBoxes.assign(m_layout.tiles.size(), {});
    painter.setFont(theme.font(compact ? Theme::Type::AxisSmall : Theme::Type::Axis, compact));
    int left = onMap(m_layout.tiles.front().rect).x(), right = left;
    for (const HeatCell &tile : m_layout.tiles)
        right = std::max(right, onMap(tile.rect).x() + onMap(tile.rect).width());
    left = std::max(left, 4);
    right = std::min(right, width() - 4);
    const BlueprintNode *core = nodeOfKind(*m_result, NodeKind::Core), *spine = nodeOfKind(*m_result, NodeKind::Spine);
    paintCore(painter, {left, top, right - left, bar});
    if (m_layout.tileRows > 1) return;
    const QString name = m_result->expansion->containers[static_cast<std::size_t>(m_layout.tiles.front().container)].kind == NodeKind::Pod
                             ? tr("Pod %1") : QString();
    for (std::size_t t = 0; t < m_layout.tiles.size(); ++t) {
        const HeatCell &tile = m_layout.tiles[t];
        const QRect onScreen = onMap(tile.rect);
        const QRect area = QRect(onScreen.x(), spineTop, onScreen.width(), bar).intersected(rect().adjusted(4, 0, -4, 0));
        if (area.width() < 8) continue;
        painter.setPen(theme.border);
        if (core && spine)
            for (int i = 1; i <= 4; ++i)
                painter.drawLine(area.x() + area.width() * i / 5, top + bar, area.x() + area.width() * i / 5, spineTop - 1);
        QString label = name.isEmpty() ? tr("All GPUs") : name.arg(locale.toString(static_cast<int>(t)));
        if (spine && !name.isEmpty()) label = tr("Pod %1 spine").arg(locale.toString(static_cast<int>(t)));
        const double load = name.isEmpty() ? kUnknownLoad : podLoad(t);
        m_podBoxes[t] = area;
        paintTierBox(painter, area, label, load >= 0.0 ? percentText(load, locale) : tr("%1 GPUs").arg(locale.toString(tile.gpuCount)), load);
        painter.setPen(theme.border);
        if (m_transform.zoom > 1.0 || area.width() < onScreen.width()) continue;
        for (int c = 0; c < std::min(m_layout.rackColumns, tile.count); ++c) {
            const QRect rack = m_layout.racks[static_cast<std::size_t>(tile.first + c)].rect;
            painter.drawLine(rack.center().x(), spineTop + bar, rack.center().x(), tierHeight() - 2);
        }
    }
}

// What a tier under the pointer carries; empty elsewhere.
QStringList ClusterCanvas::tierLines(QPoint point) const
{
    const QLocale locale;
    QStringList lines;
    const auto loads = [&](const char *kind, double mean) {
        lines << fillText(tr("%1: links %2 full over the iteration", "kind of link"), {linkKindName(kind), percentText(mean, locale)});
    };
    if (m_coreBox.contains(point)) {
        lines << tr("Core");
        if (const LinkReport::Kind *links = linkKind("spine-core")) {
            loads("spine-core", links->usage.mean);
            lines << fillText(tr("fullest moment of one link: %1"), {percentText(links->usage.peak, locale)});
        }
        return lines;
    }
    for (std::size_t pod = 0; pod < m_podBoxes.size(); ++pod) {
        if (!m_podBoxes[pod].contains(point)) continue;
        const HeatCell &tile = m_layout.tiles[pod];
        lines << memberPathText(QString::fromStdString(m_result->expansion->pathOfContainer(tile.container)))
              << tr("%1 GPUs").arg(locale.toString(tile.gpuCount));
        for (const char *kind : {"nvlink", "nic", "leaf-spine", "spine-core"})
            if (const LinkReport::Kind *links = linkKind(kind); links && pod < links->meanOfPod.size()) loads(kind, links->meanOfPod[pod]);
    }
    return lines;
}

} // namespace clusterbeat
