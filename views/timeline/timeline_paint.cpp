// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/timeline_view.h"

#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QFontMetrics>
#include <QLocale>
#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cstdlib>

namespace clusterbeat {
namespace {

/// "2 / 84 / 1": where a GPU's server is, numbers only.
QString shortPath(const Expansion &expansion, GpuIndex gpu, const QLocale &locale)
{
    QStringList numbers;
    std::int32_t container = expansion.serverOfGpu[static_cast<std::size_t>(gpu)];
    while (container != kNone) {
        const Container &here = expansion.containers[static_cast<std::size_t>(container)];
        if (here.kind != NodeKind::Site) numbers.prepend(locale.toString(here.replica));
        container = here.parent;
    }
    return numbers.join(QStringLiteral(" / "));
}

void drawChevron(QPainter &painter, QPointF centre, bool open, const QColor &colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(colour, 1.3, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const QPolygonF down{{-3.5, -1.8}, {0.0, 1.8}, {3.5, -1.8}}, right{{-1.8, -3.5}, {1.8, 0.0}, {-1.8, 3.5}};
    painter.translate(centre);
    painter.drawPolyline(open ? down : right);
    painter.restore();
}

} // namespace

void TimelineView::paintEvent(QPaintEvent *)
{
    const qreal ratio = devicePixelRatioF();
    if (m_dirty || m_image.devicePixelRatio() != ratio) renderLanes(ratio);
    QPainter painter(this);
    painter.drawImage(0, 0, m_image);
    if (!ready()) return;
    paintMapMarks(painter);
    painter.save();
    painter.setClipRect(m_layout.body());
    paintDependencies(painter);
    paintArea(painter);
    painter.restore();
    paintTickLabels(painter);
    paintPlayhead(painter);
    paintHover(painter);
    if (m_keyboardFocus) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(m_state->theme().accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void TimelineView::renderLanes(qreal ratio)
{
    m_dirty = false;
    const Theme &theme = m_state->theme();
    const QSize pixels = (QSizeF(size()) * ratio).toSize();
    if (m_image.size() != pixels) m_image = QImage(pixels, QImage::Format_RGB32);
    m_image.setDevicePixelRatio(ratio);
    m_image.fill(theme.panel);
    {
        QPainter painter(&m_image);
        painter.fillRect(m_layout.rowRect({TimelineRow::Kind::Head, 0}).intersected(m_layout.body()), theme.sunken);
        painter.setPen(theme.line);
        const QRect plot = m_layout.plot();
        const Ticks ticks = niceTicks(axis(), (m_state->compact() ? 90 : 80) * theme.scale());
        for (const TimeNs t : ticks.at) {
            const int x = static_cast<int>(axis().xOf(t));
            if (x <= plot.right()) painter.drawLine(x, plot.top(), x, plot.bottom());
        }
    }
    if (ready()) m_lanes.paint(m_image, m_layout, m_state->visible(), theme, m_state->compact());
    QPainter painter(&m_image);
    if (ready()) {
        painter.setClipRect(m_layout.body());
        paintHead(painter);
        paintLabels(painter);
        paintReplicaLabels(painter);
        painter.setClipping(false);
        paintLaneMap(painter);
    }
    paintRuler(painter);
    painter.setPen(theme.line);
    painter.drawLine(m_layout.plotLeft() - 1, m_layout.metrics.ruler, m_layout.plotLeft() - 1, height());
}

void TimelineView::paintRuler(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QRect ruler = m_layout.ruler();
    painter.setFont(theme.font(Theme::Type::PanelTitle, compact));
    painter.setPen(theme.text);
    painter.drawText(QRect(12, 0, m_layout.plotLeft() - 16, ruler.height()), Qt::AlignLeft | Qt::AlignVCenter, tr("Timeline"));
    painter.setFont(theme.font(Theme::Type::Axis, compact));
    const TimeAxis map = axis();
    painter.setPen(theme.border);
    for (const TimeNs t : niceTicks(map, (compact ? 90 : 80) * theme.scale()).at) {
        const int x = static_cast<int>(map.xOf(t));
        painter.drawLine(x, ruler.bottom() - 4, x, ruler.bottom());
    }
    const QLocale locale;
    painter.setPen(theme.line);
    painter.drawLine(0, ruler.bottom(), ruler.right(), ruler.bottom());
    if (!ready()) return;
    painter.setPen(theme.text3);
    const QRect map2 = m_layout.laneMap();
    const QString caption = m_layout.replicas == 1 ? tr("1 replica") : tr("%1 replicas").arg(locale.toString(m_layout.replicas));
    painter.drawText(QRect(map2.x(), 0, map2.width(), ruler.height() - 2), Qt::AlignCenter | Qt::TextDontClip, caption);
}

// Live, not in the kept picture: a label that the playhead's plate touches is left out, since half of one reads as another
// number.
void TimelineView::paintTickLabels(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QRect ruler = m_layout.ruler(), plate = playheadPlate();
    const TimeAxis map = axis();
    const Ticks ticks = niceTicks(map, (compact ? 90 : 80) * theme.scale());
    const int decimals = std::max(1, secondsDecimals(ticks.step));
    const QLocale locale;
    painter.setFont(theme.font(Theme::Type::Axis, compact));
    painter.setPen(theme.text3);
    for (const TimeNs t : ticks.at) {
        const QString text = tr("%1 s", "seconds").arg(locale.toString(toSeconds(t), 'f', decimals));
        const QRect label = tickLabelRect(static_cast<int>(map.xOf(t)), painter.fontMetrics().horizontalAdvance(text), ruler);
        if (!touchesPlate(label, plate)) painter.drawText(label, Qt::AlignCenter | Qt::TextDontClip, text);
    }
}

QString TimelineView::headText() const
{
    const QLocale locale;
    const std::int32_t slow = slowStage();
    if (slow != kNone) {
        const QString gpu = memberText(QString::fromStdString(m_result->expansion->pathOf(m_result->slowest.gpu)));
        return tr("Stage %1 holds %2 at %3 speed; the other stages wait for it")
            .arg(locale.toString(slow), gpu, percentText(m_result->slowest.speed, locale, 0));
    }
    if (const std::int32_t stage = stageOfGpu(gpuOfSlowLink(*m_result)); stage != kNone)
        return tr("Stage %1: %2; the other stages wait for it").arg(locale.toString(stage), slowLinkText(m_result->why.back(), *m_result));
    const auto &classes = m_result->run.trace.classOfReplica;
    const auto alike = std::count(classes.begin(), classes.end(), classOf(m_layout.focus)) - 1;
    if (alike <= 0) return m_layout.replicas > 1 ? tr("behaves like no other replica") : QString();
    return alike == 1 ? tr("one other replica behaves alike") : tr("%1 other replicas behave alike").arg(locale.toString(static_cast<qlonglong>(alike)));
}

void TimelineView::paintHead(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QRect head = m_layout.rowRect({TimelineRow::Kind::Head, 0});
    drawChevron(painter, QPointF(14.0, head.center().y() + 0.5), true, theme.text2);
    painter.setFont(theme.font(Theme::Type::LabelStrong, compact));
    painter.setPen(theme.text);
    const QLocale locale;
    painter.drawText(QRect(24, head.y(), m_layout.plotLeft() - 28, head.height()), Qt::AlignLeft | Qt::AlignVCenter,
                     tr("Replica %1").arg(locale.toString(m_layout.focus)));
    painter.setFont(theme.font(Theme::Type::Axis, compact));
    painter.setPen(theme.text2);
    const QRect text = head.adjusted(m_layout.plotLeft() + 6, 0, -6, 0);
    painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter, painter.fontMetrics().elidedText(headText(), Qt::ElideRight, text.width()));
}

void TimelineView::paintLabels(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QLocale locale;
    const std::int32_t slow = slowStage(), selected = selectedStage();
    const QFont normal = theme.font(compact ? Theme::Type::Axis : Theme::Type::Label, compact);
    const QFont strong = [&] { QFont font = normal; font.setWeight(QFont::DemiBold); return font; }();
    const QFont small = theme.font(Theme::Type::AxisSmall, compact);
    // low lanes: as many names as do not touch
    std::int32_t step = 1;
    while (step * m_layout.metrics.lane < QFontMetrics(normal).ascent() + 1)
        step *= 2;
    for (std::int32_t stage = 0; stage < m_layout.stages; ++stage) {
        const QRect row = m_layout.rowRect({TimelineRow::Kind::Stage, stage});
        if (!row.intersects(m_layout.body())) continue;
        const QRect gutter(0, row.y(), m_layout.plotLeft() - 1, row.height());
        if (stage == slow) painter.fillRect(gutter, theme.worseSoft);
        else if (stage == selected) painter.fillRect(gutter, theme.accentSoft);
        const QRect text = gutter.adjusted(24, 0, -8, 0);
        const bool marked = stage == slow || stage == selected;
        const auto hides = [&](std::int32_t other) { return other != kNone && other != stage && std::abs(other - stage) < step; };
        if (!marked && (stage % step != 0 || hides(slow) || hides(selected))) continue;
        painter.setFont(marked ? strong : normal);
        painter.setPen(marked ? theme.text : theme.text2);
        const QString name = tr("Stage %1").arg(locale.toString(stage));
        painter.drawText(text, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, name);
        const int used = painter.fontMetrics().horizontalAdvance(name) + 6;
        if (stage == slow) {
            painter.setPen(theme.worse);
            painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, percentText(m_result->slowest.speed, locale, 0));
        } else if (!compact) {
            const GpuIndex gpu = gpuOf(stage, m_layout.focus, 0);
            if (gpu == kNone) continue;
            painter.setFont(small);
            const QString path = shortPath(*m_result->expansion, gpu, locale);
            if (used + painter.fontMetrics().horizontalAdvance(path) > text.width()) continue;
            painter.setPen(stage == selected ? theme.text2 : theme.text3);
            painter.drawText(text, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, path);
        }
    }
}

void TimelineView::paintReplicaLabels(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const QLocale locale;
    painter.setFont(theme.font(m_state->compact() ? Theme::Type::Axis : Theme::Type::Label, m_state->compact()));
    for (std::int32_t row = 0; row < m_layout.otherReplicas(); ++row) {
        const std::int32_t replica = m_layout.replicaOfRow(row);
        const QRect area = m_layout.rowRect({TimelineRow::Kind::Replica, replica});
        if (area.bottom() < m_layout.body().top()) continue;
        if (area.top() > m_layout.body().bottom()) return;
        drawChevron(painter, QPointF(14.0, area.center().y() + 0.5), false, theme.text3);
        painter.setPen(theme.text2);
        painter.drawText(QRect(24, area.y(), m_layout.plotLeft() - 28, area.height()), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip,
                         tr("Replica %1").arg(locale.toString(replica)));
    }
}

void TimelineView::paintLaneMap(QPainter &painter)
{
    const Theme &theme = m_state->theme();
    const QRect map = m_layout.laneMap();
    if (map.isEmpty()) return;
    const qreal ratio = m_image.devicePixelRatio();
    const QSize pixels = (QSizeF(map.size()) * ratio).toSize();
    if (m_mapDirty || m_map.size() != pixels) {
        m_mapDirty = false;
        m_map = replicaMap(*m_result, pixels, theme);
    }
    m_map.setDevicePixelRatio(ratio);
    painter.drawImage(map.topLeft(), m_map);
    painter.setFont(theme.font(Theme::Type::AxisSmall, m_state->compact()));
    painter.setPen(theme.text3);
    const QRect caption(map.x() - 6, map.bottom() + 1, map.width() + 12, height() - map.bottom() - 1);
    painter.drawText(caption, Qt::AlignCenter | Qt::TextDontClip, map.width() < 70 ? tr("iteration") : tr("whole iteration"));
}

} // namespace clusterbeat
