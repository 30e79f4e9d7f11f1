// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_canvas.h"

#include "views/cluster/map_room.h"
#include "views/shared/painting.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

/// Neighbours in the scene: nothing but the gaps between racks lies between them.
bool touch(const QRect &a, const QRect &b, int gap) { return a.adjusted(-gap, -gap, gap, gap).intersects(b); }

QRegion grown(const std::vector<QRect> &rects, int by)
{
    QRegion region;
    for (const QRect &rect : rects)
        region += rect.adjusted(-by, -by, by, by);
    return region;
}

void fillRegion(QPainter &painter, const QRegion &region, const QColor &colour)
{
    for (const QRect &rect : region)
        painter.fillRect(rect, colour);
}

/// From a point to the border of a rectangle, with a head.
void drawArrow(QPainter &painter, QPointF from, const QRectF &to, const QColor &colour, const QColor &casing)
{
    const QPointF centre = to.center(), way = centre - from;
    if (to.contains(from)) return;
    const double sx = way.x() != 0.0 ? to.width() / 2.0 / std::abs(way.x()) : 1e9, sy = way.y() != 0.0 ? to.height() / 2.0 / std::abs(way.y()) : 1e9;
    const QPointF tip = centre - way * std::min({sx, sy, 1.0});
    const double length = std::max(1.0, std::hypot(way.x(), way.y()));
    const QPointF along = way / length, across(-along.y(), along.x());
    QPainterPath line(from);
    line.lineTo(tip - along * 6.0);
    drawCased(painter, line, colour, casing, 1.2);
    painter.setPen(QPen(casing, 1.0));
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{tip, tip - along * 7.0 + across * 4.0, tip - along * 7.0 - across * 4.0});
}

QString pathText(const IterationResult &result, GpuIndex gpu) { return memberPathText(QString::fromStdString(result.expansion->pathOf(gpu))); }

} // namespace

QString ClusterCanvas::coordinatesText(GpuIndex gpu) const
{
    const RankIndex rank = rankOf(gpu);
    if (rank == kNone) return tr("no rank: spare");
    const RankCoordinates &c = m_result->placement->coordinates[static_cast<std::size_t>(rank)];
    const QLocale locale;
    QString text = tr("rank %1").arg(locale.toString(rank));
    const auto add = [&](Dimension dimension, std::int32_t value, std::int32_t degree) {
        if (degree > 1) text += QStringLiteral(" · %1 %2").arg(dimensionAbbreviation(dimension), locale.toString(value));
    };
    add(Dimension::Tensor, c.tensor, m_result->placement->tensor);
    add(Dimension::Context, c.context, m_result->placement->context);
    add(Dimension::Pipeline, c.pipeline, m_result->placement->pipeline);
    add(Dimension::Data, c.data, m_result->placement->data);
    return text;
}

// The servers of one replica. Those of neighbouring racks share one outline; servers apart are ringed one by one and joined in the order of
// the stages, around the tiles through the gutters.
void ClusterCanvas::paintThread(QPainter &painter) const
{
    if (m_thread.empty() || m_level >= HeatLevel::Gpus) return;
    const Theme &theme = m_state->theme();
    QPainterPath lines;
    std::vector<QRect> rects;
    QRect before, rackBefore;
    const int gap = std::max(4, m_layout.serverSize.height() / 3 + 1);
    std::int32_t tileBefore = kNone;
    for (const auto &servers : m_thread) {
        if (servers.empty()) continue;
        for (const std::int32_t server : servers)
            rects.push_back(serverRect(server));
        const QRect here = serverRect(servers.front());
        const std::int32_t rack = m_layout.servers[static_cast<std::size_t>(servers.front())].parent;
        const std::int32_t tile = m_layout.racks[static_cast<std::size_t>(rack)].parent;
        const QRect rackArea = m_layout.racks[static_cast<std::size_t>(rack)].rect;
        // a segment whose other end is out of sight would join nothing
        const bool bothDrawn = !before.isNull() && mapArea().contains(before) && mapArea().contains(here);
        if (bothDrawn && !touch(rackBefore, rackArea, gap)) {
            const bool sameColumn = tile == tileBefore && std::abs(before.center().x() - here.center().x()) < here.width();
            if (sameColumn) {
                const bool down = here.top() > before.top();
                lines.moveTo(before.center().x() + 0.5, down ? before.bottom() + 2.5 : before.top() - 1.5);
                lines.lineTo(here.center().x() + 0.5, down ? here.top() - 1.5 : here.bottom() + 2.5);
            } else {
                const QRect area = onMap(m_layout.tiles[static_cast<std::size_t>(tile)].rect);
                const qreal gutter = m_gutter * m_transform.zoom;
                const qreal x = std::max(std::floor(area.x() - gutter) - 1.5, mapArea().x() + 1.5);
                const bool leftwards = x < before.left();
                lines.moveTo(leftwards ? before.left() - 1.5 : before.right() + 2.5, before.center().y() + 0.5);
                lines.lineTo(x, before.center().y() + 0.5);
                lines.lineTo(x, here.center().y() + 0.5);
                lines.lineTo(here.left() - 1.5, here.center().y() + 0.5);
            }
        }
        before = here;
        rackBefore = rackArea;
        tileBefore = tile;
    }
    if (!lines.isEmpty()) drawCased(painter, lines, theme.selection, theme.selectionCasing, 1.0);
    // whole pixels on purpose: one outline around neighbours, the gaps between their racks closed
    const int closed = static_cast<int>(std::ceil(m_transform.zoom / 2.0)), width = m_transform.zoom > 1.5 ? 2 : 1;
    const QRegion inner = grown(rects, closed), ring = grown(rects, closed + width), casing = grown(rects, closed + width + 1);
    fillRegion(painter, casing.subtracted(ring), theme.selectionCasing);
    fillRegion(painter, ring.subtracted(inner), theme.selection);
}

void ClusterCanvas::paintMarks(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    const QRectF bounds = QRectF(mapArea()).adjusted(2, 2, -2, -2);
    const auto cellOf = [&](GpuIndex gpu) -> QRectF {
        if (m_level != HeatLevel::Pods) return gpuCell(gpu);
        // among the shares of its pod: where it stands, large enough to be seen
        const QRectF server = serverRect(serverOf(gpu));
        return QRectF(server.center() - QPointF(4.0, 4.0), QSizeF(8.0, 8.0)).united(server);
    };
    painter.setRenderHint(QPainter::Antialiasing);
    const GpuIndex hovered = m_state->hoveredGpu(), slow = culprit(), selected = m_state->selectedGpu();
    const auto unitOf = [&](GpuIndex gpu) { return m_level == HeatLevel::Racks ? QRectF(serverRect(serverOf(gpu))) : cellOf(gpu); };
    if (serverOf(hovered) != kNone)
        drawCasedRect(painter, unitOf(hovered).adjusted(-0.5, -0.5, 0.5, 0.5), theme.selection, theme.selectionCasing, 1.0);
    std::vector<QRectF> avoid = m_bandLabels;
    if (m_level == HeatLevel::Pods) avoid.insert(avoid.end(), m_podPlates.begin(), m_podPlates.end());
    for (const GpuIndex gpu : {slow, selected})
        if (serverOf(gpu) != kNone) avoid.push_back(unitOf(gpu).adjusted(-5, -5, 5, 5));
    if (serverOf(slow) != kNone) avoid.push_back(paintCulprit(painter, unitOf(slow), bounds, avoid));
    if (serverOf(selected) != kNone) {
        const GpuIndex peer = m_level == HeatLevel::Pods ? kNone : waitedForGpu(selected);
        if (serverOf(peer) != kNone) {
            const QRectF from = cellOf(selected), to = unitOf(peer).adjusted(-5, -5, 5, 5);
            drawArrow(painter, from.center(), to, theme.selection, theme.selectionCasing);
        }
        paintSelected(painter, cellOf(selected), bounds, avoid);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Returns the plate's place, for others to avoid.
QRectF ClusterCanvas::paintCulprit(QPainter &painter, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid) const
{
    const Theme &theme = m_state->theme();
    const QColor wait = theme.category(Category::StragglerWait);
    // a broad casing: around it everything may wait in the same colour
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.selectionCasing, 7.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(cell.adjusted(-3.0, -3.0, 3.0, 3.0));
    painter.setPen(QPen(wait, 2.5, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(cell.adjusted(-3.0, -3.0, 3.0, 3.0));
    if (!cell.intersects(bounds)) return {};
    const QString gpu = memberText(QString::fromStdString(m_result->expansion->pathOf(culprit())));
    const bool link = m_result->slowest.reason == Slowest::Reason::SlowLink;
    const QString text = link ? slowLinkText(m_result->why.back(), *m_result)
                              : tr("%1 at %2", "GPU 5 at 70 %").arg(gpu, percentText(m_result->slowest.speed, QLocale(), 0));
    const Plate plate{{text}, wait, Theme::textOn(wait), Theme::textOn(wait), theme.selectionCasing, theme.font(Theme::Type::Label, m_state->compact())};
    const QRectF area = plateAround(plateSize(plate), cell.adjusted(-5, -5, 5, 5), bounds, avoid, false);
    painter.fillRect(area.adjusted(-2, -2, 2, 2), theme.selectionCasing);
    drawPlate(painter, area, plate);
    return area.adjusted(-3, -3, 3, 3);
}

/// Single cells are so large that a plate with the state would only repeat them.
bool ClusterCanvas::cellsSayWhatTheyDo() const
{
    if (m_level != HeatLevel::Gpus || m_layout.empty()) return false;
    const HeatCell &server = m_layout.servers.front();
    const QSize cell = gpuRect(onMap(server.rect), server.gpuCount, 0).size();
    const QFontMetrics metrics(m_state->theme().font(Theme::Type::Axis, m_state->compact()));
    return cell.height() >= 4 * metrics.height() + 8 && cell.width() >= metrics.averageCharWidth() * 10;
}

// The plate stands above the cell where it can: the culprit's is below its own.
void ClusterCanvas::paintSelected(QPainter &painter, const QRectF &cell, const QRectF &bounds, const std::vector<QRectF> &avoid)
{
    const Theme &theme = m_state->theme();
    const GpuIndex selected = m_state->selectedGpu();
    drawCasedRect(painter, cell.adjusted(-1.5, -1.5, 1.5, 1.5), theme.selection, theme.selectionCasing, 2.0);
    if (selected == culprit() || !cell.intersects(bounds) || m_level == HeatLevel::Pods || cellsSayWhatTheyDo()) return;
    const Plate plate{{tr("Selected: %1").arg(stateName(stateOf(selected)))}, theme.selection, theme.selectionCasing, theme.selectionCasing, {},
                      theme.font(Theme::Type::Label, m_state->compact())};
    const QRectF area = plateAround(plateSize(plate), cell.adjusted(-3, -3, 3, 3), bounds, avoid, true);
    drawPlate(painter, area.toAlignedRect(), plate);
}

// Only where no cell, label or pod title is; the map has priority.
QRect ClusterCanvas::loupeArea() const
{
    const bool compact = m_state->compact();
    const qreal scale = m_state->theme().scale();
    std::vector<QRect> occupied;
    for (const HeatCell &tile : m_layout.tiles)
        occupied.push_back(onMap(tile.rect).adjusted(m_bands.runs.empty() ? -2 : -m_gutter, m_layout.tileRows > 1 ? -margins().tileHead : 0, 6, 6));
    const QSize least = (QSizeF(compact ? 112 : 130, compact ? 64 : 78) * scale).toSize();
    const QSize most = (QSizeF(compact ? 190 : 220, compact ? 104 : 150) * scale).toSize();
    return freeRoom(occupied, mapArea().adjusted(4, 2, -4, -4), least, most);
}

void ClusterCanvas::paintLoupe(QPainter &painter)
{
    if (m_level >= HeatLevel::Servers || m_level == HeatLevel::Pods) return;
    GpuIndex focus = kNone;
    for (const GpuIndex gpu : {m_state->hoveredGpu(), culprit(), m_state->selectedGpu()})
        if (focus == kNone && serverOf(gpu) != kNone) focus = gpu;
    if (focus == kNone) return;
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QRect card = loupeArea();
    if (card.isNull()) return;
    painter.fillRect(card, theme.raised);
    painter.setPen(theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(QRectF(card).adjusted(0.5, 0.5, -0.5, -0.5));
    const QRect inner = card.adjusted(7, 4, -7, -4);
    painter.setFont(theme.font(Theme::Type::LabelStrong, compact));
    painter.setPen(theme.text);
    const int title = painter.fontMetrics().height();
    const HeatCell &rack = m_layout.racks[static_cast<std::size_t>(rackOf(focus))];
    const QString path = memberPathText(QString::fromStdString(m_result->expansion->pathOfContainer(rack.container)));
    const QString zoom = tr("Zoom: %1").arg(path);
    const auto fits = [&](const QString &text) { return painter.fontMetrics().horizontalAdvance(text) <= inner.width(); };
    if (!fits(zoom)) painter.setFont(theme.font(Theme::Type::Label, compact));
    if (!fits(zoom) && !fits(path)) painter.setFont(theme.font(Theme::Type::Axis, compact));
    painter.drawText(QRect(inner.x(), inner.y(), inner.width(), title), Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(fits(zoom) ? zoom : path, Qt::ElideMiddle, inner.width()));
    const int room = inner.height() - title - 2;
    const int rows = std::clamp(room / qRound(34 * theme.scale()), 1, rack.count);
    const int first = std::clamp(serverOf(focus) - rows / 2, rack.first, rack.first + rack.count - rows);
    const int pitch = std::min(room / rows, qRound(52 * theme.scale()));
    for (int r = 0; r < rows; ++r)
        paintLoupeServer(painter, QRect(inner.x(), inner.y() + title + 2 + r * pitch, inner.width(), pitch), first + r);
}

void ClusterCanvas::paintLoupeServer(QPainter &painter, const QRect &row, std::int32_t server)
{
    const Theme &theme = m_state->theme();
    const HeatCell &cell = m_layout.servers[static_cast<std::size_t>(server)];
    const QLocale locale;
    painter.setFont(theme.font(m_state->compact() ? Theme::Type::AxisSmall : Theme::Type::Axis, m_state->compact()));
    const int label = painter.fontMetrics().height();
    const std::int32_t number = m_result->expansion->containers[static_cast<std::size_t>(cell.container)].replica;
    QString text = tr("Server %1").arg(locale.toString(number));
    const RankIndex rank = rankOf(cell.firstGpu);
    if (rank != kNone) {
        const RankCoordinates &c = m_result->placement->coordinates[static_cast<std::size_t>(rank)];
        text += QStringLiteral(" · %1 %2 · %3 %4").arg(dimensionAbbreviation(Dimension::Data), locale.toString(c.data),
                                                       dimensionAbbreviation(Dimension::Pipeline), locale.toString(c.pipeline));
    }
    painter.setPen(theme.text2);
    painter.drawText(QRect(row.x(), row.y(), row.width(), label), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, text);
    const QRect cells(row.x(), row.y() + label + 1, row.width(), std::min(row.height() - label - 5, qRound(30 * theme.scale())));
    for (int g = 0; g < cell.gpuCount; ++g) {
        const QRect area = gpuRect(cells, cell.gpuCount, g).adjusted(0, 0, -2, 0);
        const GpuIndex gpu = cell.firstGpu + g;
        const std::uint8_t state = stateOf(gpu);
        paintStateCell(painter, area, state, theme);
        const bool category = state < kCategoryCount;
        const QColor fill = category ? theme.category(static_cast<Category>(state)) : theme.raised;
        const QString digits = locale.toString(g);
        const int width = painter.fontMetrics().horizontalAdvance(digits) + 4;
        if (area.width() >= width) {
            const QRect plate(area.center().x() - width / 2 + 1, area.center().y() - label / 2 + 2, width, label - 3);
            if (category && Theme::texture(static_cast<Category>(state)) != Texture::Solid) painter.fillRect(plate, fill);
            painter.setPen(Theme::textOn(fill));
            painter.drawText(area, Qt::AlignCenter | Qt::TextDontClip, digits);
        }
        const QRectF ring = QRectF(area).adjusted(-1, -1, 1, 1);
        if (gpu == culprit()) drawCasedRect(painter, ring, theme.category(Category::StragglerWait), theme.selectionCasing, 2.0);
        else if (gpu == m_state->selectedGpu()) drawCasedRect(painter, ring, theme.selection, theme.selectionCasing, 1.5);
    }
}

void ClusterCanvas::paintHoverPlate(QPainter &painter)
{
    if (!m_hover || m_pan) return;
    const Theme &theme = m_state->theme();
    QStringList lines;
    if (!mapArea().contains(*m_hover)) {
        lines = tierLines(*m_hover);
        if (lines.isEmpty()) return;
    } else if (m_level == HeatLevel::Pods) {
        const std::int32_t t = tileAt(m_layout, m_transform, *m_hover - mapArea().topLeft());
        if (t == kNone) return;
        const HeatCell &tile = m_layout.tiles[static_cast<std::size_t>(t)];
        lines << memberPathText(QString::fromStdString(m_result->expansion->pathOfContainer(tile.container)));
        const StateCounts counts = countStates(m_states, tile.firstGpu, tile.gpuCount);
        for (std::size_t i = 0; i < counts.size(); ++i)
            if (counts[i] > 0)
                lines << QStringLiteral("%1  %2").arg(percentText(static_cast<double>(counts[i]) / tile.gpuCount, QLocale()),
                                                      stateName(i < kCategoryCount ? static_cast<std::uint8_t>(i) : kUnusedState));
    } else {
        const GpuIndex gpu = gpuUnder(*m_hover);
        if (gpu == kNone) return;
        lines << pathText(*m_result, gpu) << coordinatesText(gpu) << stateName(stateOf(gpu));
    }
    const Plate plate = infoPlate(theme, lines, m_state->compact());
    drawPlate(painter, plateBesidePoint(plateSize(plate), *m_hover, QRectF(rect()).adjusted(2, 2, -2, -2)), plate);
}

} // namespace clusterbeat
