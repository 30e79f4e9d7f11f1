// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_canvas.h"

#include "views/shared/painting.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QLocale>
#include <QPaintEvent>
#include <QPainter>
#include <QStringList>

#include <algorithm>

namespace clusterbeat {
namespace {

/// Smallest of 1, 2, 4, 8, 16, … whose multiple of `pitch` leaves room for a label.
int labelStep(double pitch, double room)
{
    int step = 1;
    while (pitch * step < room && step < 1 << 20)
        step *= 2;
    return step;
}

} // namespace

void ClusterCanvas::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const qreal ratio = devicePixelRatioF();
    updateStates();
    if (m_chromeDirty || m_chrome.devicePixelRatio() != ratio) renderChrome(ratio);
    painter.drawImage(0, 0, m_chrome);
    if (m_layout.empty()) return;
    painter.setClipRect(mapArea());
    if (m_level == HeatLevel::Pods) {
        paintPods(painter);
    } else {
        if (m_mapDirty || m_map.devicePixelRatio() != ratio) renderMap(ratio);
        // only the tiles: the gutters between them belong to the chrome
        for (const HeatCell &tile : m_layout.tiles) {
            const QRect area = onMap(tile.rect).intersected(mapArea());
            if (area.isEmpty()) continue;
            const QRect local = area.translated(-mapArea().topLeft());
            painter.drawImage(area, m_map, QRectF(QPointF(local.topLeft()) * ratio, QSizeF(local.size()) * ratio).toRect());
        }
        paintThread(painter);
    }
    paintMarks(painter);
    paintLoupe(painter);
    painter.setClipping(false);
    paintHoverPlate(painter);
    if (m_keyboardFocus) {
        painter.setPen(QPen(m_state->theme().accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void ClusterCanvas::renderMap(qreal ratio)
{
    m_mapDirty = false;
    const QSize size = (QSizeF(mapArea().size()) * ratio).toSize();
    if (m_map.size() != size) m_map = QImage(size, QImage::Format_RGB32);
    m_map.setDevicePixelRatio(ratio);
    m_map.fill(m_palette.background);
    HeatTransform device = m_transform;
    device.zoom *= ratio;
    paintHeatCells(m_map, m_layout, device, m_level, m_states, m_palette);
    if (m_level != HeatLevel::Gpus) return;
    QPainter painter(&m_map);
    painter.translate(-mapArea().topLeft());
    paintGpuLabels(painter);
}

// Lines of a GPU's cell that is large enough for more than its number: which stage and replica it is, and what it does.
QStringList ClusterCanvas::cellLines(GpuIndex gpu, QSize cell, const QFontMetrics &metrics) const
{
    QStringList lines;
    const RankIndex rank = rankOf(gpu);
    const auto add = [&](const QString &text) {
        const bool fits = (lines.size() + 2) * metrics.height() + 8 <= cell.height() && metrics.horizontalAdvance(text) + 8 <= cell.width();
        if (fits && !text.isEmpty()) lines << text;
    };
    if (rank != kNone) {
        const RankCoordinates &c = m_result->placement->coordinates[static_cast<std::size_t>(rank)];
        const QLocale locale;
        const QString stage = m_result->placement->pipeline > 1 ? tr("S%1", "pipeline stage, short").arg(locale.toString(c.pipeline)) : QString();
        const QString replica = m_result->placement->data > 1 ? tr("DP %1", "replica, short").arg(locale.toString(c.data)) : QString();
        QStringList place{stage, replica};
        place.removeAll(QString());
        const QString both = place.join(QStringLiteral(" · "));
        add(metrics.horizontalAdvance(both) + 8 <= cell.width() ? both : place.value(0));
    }
    add(stateName(m_states[static_cast<std::size_t>(gpu)]));
    return lines;
}

// Hatch, number and, in large cells, place and work of every GPU in sight.
void ClusterCanvas::paintGpuLabels(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    for (const HeatCell &rack : m_layout.racks) {
        if (!onMap(rack.rect).intersects(mapArea())) continue;
        for (std::int32_t s = rack.first; s < rack.first + rack.count; ++s) {
            const HeatCell &server = m_layout.servers[static_cast<std::size_t>(s)];
            const QRect area = serverRect(s).adjusted(1, 1, -1, -2);
            if (!area.intersects(mapArea())) continue;
            for (int g = 0; g < server.gpuCount; ++g)
                paintGpuCell(painter, gpuRect(area, server.gpuCount, g).adjusted(0, 0, -1, 0), server.firstGpu + g, g, theme);
        }
    }
}

void ClusterCanvas::paintGpuCell(QPainter &painter, const QRect &cell, GpuIndex gpu, int number, const Theme &theme) const
{
    const bool compact = m_state->compact();
    const std::uint8_t state = m_states[static_cast<std::size_t>(gpu)];
    paintStateCell(painter, cell, state, theme);
    const QFont detail = theme.font(Theme::Type::Axis, compact);
    const QFontMetrics metrics(detail);
    const QStringList lines = cellLines(gpu, cell.size(), metrics);
    const QFont strong = theme.font(Theme::Type::ObjectTitle, compact);
    painter.setFont(lines.isEmpty() ? detail : strong);
    const QString digits = QLocale().toString(number);
    const int first = painter.fontMetrics().height();
    int width = painter.fontMetrics().horizontalAdvance(digits);
    for (const QString &line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    const int height = first + static_cast<int>(lines.size()) * metrics.height();
    const QRect plate(cell.center().x() - width / 2 - 3, cell.center().y() - height / 2, width + 6, height);
    const bool category = state < kCategoryCount;
    const QColor fill = category ? theme.category(static_cast<Category>(state)) : theme.panel;
    // letters on a hatch need a plain ground
    if (category && Theme::texture(static_cast<Category>(state)) != Texture::Solid) painter.fillRect(plate, fill);
    painter.setPen(Theme::textOn(fill));
    painter.drawText(QRect(plate.x(), plate.y(), plate.width(), first), Qt::AlignCenter | Qt::TextDontClip, digits);
    painter.setFont(detail);
    for (int i = 0; i < lines.size(); ++i)
        painter.drawText(QRect(plate.x(), plate.y() + first + i * metrics.height(), plate.width(), metrics.height()),
                         Qt::AlignCenter | Qt::TextDontClip, lines[i]);
}

void ClusterCanvas::paintPods(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    m_podPlates.clear();
    painter.setFont(theme.font(Theme::Type::LabelStrong, m_state->compact()));
    for (const HeatCell &tile : m_layout.tiles) {
        const QRect area = onMap(tile.rect);
        const StateCounts counts = countStates(m_states, tile.firstGpu, tile.gpuCount);
        paintShares(painter, area, counts, theme);
        const std::uint8_t most = dominantState(counts);
        const std::int32_t mostCount = counts[std::min<std::size_t>(most, kCategoryCount)];
        const Plate plate = infoPlate(theme, {QStringLiteral("%1 %2").arg(percentText(static_cast<double>(mostCount) / std::max(1, tile.gpuCount), QLocale()), stateName(most))},
                                      m_state->compact());
        const QSizeF size = plateSize(plate);
        if (size.width() + 8 < area.width() && size.height() + 8 < area.height()) {
            m_podPlates.push_back(QRectF(QPointF(area.center()) - QPointF(size.width(), size.height()) / 2.0, size).toAlignedRect());
            drawPlate(painter, m_podPlates.back().toRect(), plate);
        }
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme.border);
        painter.drawRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5));
    }
}

void ClusterCanvas::renderChrome(qreal ratio)
{
    m_chromeDirty = false;
    m_bandLabels.clear();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_chrome.size() != pixels) m_chrome = QImage(pixels, QImage::Format_RGB32);
    m_chrome.setDevicePixelRatio(ratio);
    m_chrome.fill(m_state->theme().panel);
    if (m_layout.empty()) return;
    QPainter painter(&m_chrome);
    paintTiers(painter);
    painter.setClipRect(mapArea());
    paintBands(painter);
}

void ClusterCanvas::paintBands(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    painter.setFont(theme.font(compact ? Theme::Type::AxisSmall : Theme::Type::Axis, compact));
    const int height = painter.fontMetrics().height() - 2;
    const QLocale locale;
    if (m_layout.tileRows > 1) {
        painter.setPen(theme.text2);
        for (std::size_t t = 0; t < m_layout.tiles.size(); ++t)
            painter.drawText(onMap(m_layout.tiles[t].rect).topLeft() - QPoint(0, 3), podTitle(t));
    }
    const std::int32_t marked = m_bands.kind == BandKind::Replica ? threadReplica() : kNone;
    const QRect markedLabel = markedBandLabel(marked, height);
    int lastBottom = 0;
    std::int32_t lastTile = kNone;
    for (const BandRun &run : m_bands.runs) {
        const HeatCell &first = m_layout.racks[static_cast<std::size_t>(run.firstRack)];
        const HeatCell &last = m_layout.racks[static_cast<std::size_t>(run.firstRack + run.rackCount - 1)];
        const QRect area = onMap(first.rect.united(last.rect));
        const int x = onMap(m_layout.tiles[static_cast<std::size_t>(first.parent)].rect).x() - 5;
        if (area.bottom() < mapArea().top() || area.top() > mapArea().bottom()) continue;
        if (area.height() >= 5) {
            painter.setPen(theme.border);
            painter.drawLine(x, area.top(), x, area.top() + area.height() - 1);
            painter.drawLine(x, area.top(), x + 2, area.top());
            painter.drawLine(x, area.top() + area.height() - 1, x + 2, area.top() + area.height() - 1);
        }
        if (first.parent != lastTile) lastBottom = 0;
        lastTile = first.parent;
        const int step = labelStep(area.height(), height * 2.6);
        const int centre = std::clamp(area.center().y(), mapArea().top() + height / 2, mapArea().bottom() - height / 2);
        const QRect label(x - m_gutter, centre - height / 2, m_gutter - 3, height);
        if (run.value % step != 0 || label.top() < lastBottom || label.intersects(markedLabel)) continue;
        lastBottom = label.bottom();
        m_bandLabels.emplace_back(label);
        painter.setPen(theme.text3);
        const QString text = m_bands.kind == BandKind::Stage ? tr("S%1", "pipeline stage, short") : tr("DP %1", "replica, short");
        painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, text.arg(locale.toString(run.value)));
    }
    if (markedLabel.isEmpty()) return;
    painter.setFont(theme.font(Theme::Type::LabelStrong, compact));
    painter.setPen(theme.text);
    m_bandLabels.emplace_back(markedLabel);
    painter.drawText(markedLabel, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, tr("DP %1", "replica, short").arg(locale.toString(marked)));
}

// "Pod 3 · 5 %": with the load of the links to its spines.
QString ClusterCanvas::podTitle(std::size_t pod) const
{
    const QString name = tr("Pod %1").arg(QLocale().toString(static_cast<int>(pod)));
    const double load = podLoad(pod);
    return load < 0.0 ? name : name + QStringLiteral(" · ") + fillText(tr("links to the spines %1"), {percentText(load)});
}

// Of the replica of the thread: whole, even where its row is lower than its letters; empty when it is out of sight.
QRect ClusterCanvas::markedBandLabel(std::int32_t replica, int height) const
{
    if (replica == kNone) return {};
    for (const BandRun &run : m_bands.runs) {
        if (run.value != replica) continue;
        const HeatCell &first = m_layout.racks[static_cast<std::size_t>(run.firstRack)];
        const int x = onMap(m_layout.tiles[static_cast<std::size_t>(first.parent)].rect).x() - 5;
        const QRect row = onMap(first.rect);
        if (row.bottom() < mapArea().top() || row.top() > mapArea().bottom()) return {};
        const int y = std::clamp(row.center().y(), mapArea().top() + height / 2, mapArea().bottom() - height / 2);
        return {x - m_gutter, y - height / 2, m_gutter - 3, height};
    }
    return {};
}

} // namespace clusterbeat
