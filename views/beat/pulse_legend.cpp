// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/pulse_legend.h"

#include "views/shared/gutters.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace clusterbeat {
namespace {
int swatchSize(const Theme &theme) { return static_cast<int>(10 * theme.scale()); }
constexpr int kInner = 5;
} // namespace

PulseLegend::PulseLegend(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    m_shown.fill(true);
    setFocusPolicy(Qt::StrongFocus);
    connect(state, &ViewState::themeChanged, this, [this] { relayout(); });
    connect(state, &ViewState::compactChanged, this, [this] { relayout(); });
    relayout();
}

void PulseLegend::setBreakdown(const std::array<double, kCategoryCount> &breakdownS)
{
    m_entries = legendEntries(breakdownS);
    relayout();
}

void PulseLegend::setCommunication(const DimensionTimes &mean)
{
    m_busyS = m_hiddenS = m_exposedS = 0.0;
    for (const CommunicationTimes &each : mean) {
        m_busyS += each.busyS;
        m_hiddenS += each.hiddenS;
        m_exposedS += each.exposedS;
    }
    relayout();
}

void PulseLegend::relayout()
{
    const bool compact = m_state->compact();
    m_behind = compact ? tr("Behind compute") : tr("Communication behind compute");
    m_behindFigure = m_busyS > 0.0 ? secondsText(m_hiddenS) + QStringLiteral(" · ") + percentText(m_hiddenS / m_busyS, QLocale(), 0) : QString();
    m_title = tr("One iteration");
    m_power = m_state->compact() ? tr("Power") : tr("Cluster power");
    setAccessibleName(tr("Breakdown of the iteration"));
    std::size_t limit = std::max<std::size_t>(m_entries.size(), 1);
    while (!place(limit, true) && limit > 2) --limit;
    if (limit < m_entries.size()) {
        // The line's key gives way to a category: the largest come first, only the smallest are "other".
        std::size_t more = m_entries.size();
        while (!place(more, false) && more > limit) --more;
        if (more == limit) static_cast<void>(place(limit, true));
    }
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_items.size()) - 1));
    QStringList spoken;
    for (const Item &item : m_items) spoken << item.name + QLatin1Char(' ') + item.seconds;
    if (!m_behindFigure.isEmpty()) spoken << m_behind + QLatin1Char(' ') + m_behindFigure;
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

bool PulseLegend::place(std::size_t limit, bool withPower)
{
    const bool compact = m_state->compact();
    const Theme &theme = m_state->theme();
    const QFontMetrics names(theme.font(Theme::Type::Label)), seconds(theme.font(Theme::Type::LabelStrong));
    const int gap = compact ? 10 : 14;
    const int swatchWidth = swatchSize(theme);
    m_items.clear();
    int x = gutters(compact, theme.scale()).left - this->x();
    for (const LegendEntry &entry : foldLegend(m_entries, limit)) {
        Item item;
        item.entry = entry;
        item.name = entry.category < 0 ? tr("Other") : categoryName(static_cast<Category>(entry.category));
        item.seconds = secondsText(static_cast<double>(entry.hundredths) / 100.0);
        const int width = swatchWidth + kInner + names.horizontalAdvance(item.name) + kInner + seconds.horizontalAdvance(item.seconds);
        item.rect = QRect(x, 0, width, height());
        x += width + gap;
        m_items.push_back(item);
    }
    m_behindRect = QRect();
    if (!m_behindFigure.isEmpty()) {
        m_behindRect = QRect(x, 0, swatchWidth + kInner + names.horizontalAdvance(m_behind) + kInner + seconds.horizontalAdvance(m_behindFigure), height());
        x += m_behindRect.width() + gap;
    }
    m_powerRect = QRect(x, 0, 18 + kInner + names.horizontalAdvance(m_power), height());
    return (withPower ? m_powerRect.right() : x - gap) <= width();
}

void PulseLegend::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    painter.setFont(theme.font(Theme::Type::PanelTitle, m_state->compact()));
    painter.setPen(theme.text);
    painter.drawText(QRect(0, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, m_title);
    const QFont nameFont = theme.font(Theme::Type::Label), strongFont = theme.font(Theme::Type::LabelStrong);
    const int size = swatchSize(theme);
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const Item &item = m_items[i];
        const bool on = item.entry.category < 0 || m_shown[static_cast<std::size_t>(item.entry.category)];
        const QRect swatch(item.rect.left(), (height() - size) / 2, size, size);
        if (item.entry.category >= 0) {
            const auto category = static_cast<Category>(item.entry.category);
            if (on) painter.fillRect(swatch, theme.brush(category, false, devicePixelRatioF()));
            if (!on || theme.needsEdge(category)) {
                painter.setPen(theme.border);
                painter.drawRect(QRectF(swatch).adjusted(0.5, 0.5, -0.5, -0.5));
            }
        } else {
            painter.setPen(theme.border);
            painter.drawRect(QRectF(swatch).adjusted(0.5, 0.5, -0.5, -0.5));
        }
        QRect text = item.rect.adjusted(size + kInner, 0, 0, 0);
        painter.setFont(nameFont);
        painter.setPen(on ? theme.text2 : theme.text3);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, item.name);
        text.setLeft(text.left() + QFontMetrics(nameFont).horizontalAdvance(item.name) + kInner);
        painter.setFont(strongFont);
        painter.setPen(on ? theme.text : theme.text3);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, item.seconds);
        if (hasFocus() && static_cast<int>(i) == m_current) {
            painter.setPen(QPen(theme.accent, 2));
            painter.drawRect(QRectF(item.rect).adjusted(-3, 3, 3, -3));
        }
    }
    paintKeys(painter);
}

// Of what is drawn but no part of the sum: the timeline's narrow lanes, and the power line.
void PulseLegend::paintKeys(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const QFont nameFont = theme.font(Theme::Type::Label);
    if (!m_behindRect.isEmpty() && m_behindRect.right() <= width()) {
        const int size = swatchSize(theme), bar = std::max(3, size * 2 / 5);
        painter.fillRect(QRect(m_behindRect.left(), (height() - bar) / 2, size, bar), theme.overlapped);
        QRect text = m_behindRect.adjusted(size + kInner, 0, 0, 0);
        painter.setFont(nameFont);
        painter.setPen(theme.text2);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, m_behind);
        text.setLeft(text.left() + QFontMetrics(nameFont).horizontalAdvance(m_behind) + kInner);
        painter.setFont(theme.font(Theme::Type::LabelStrong));
        painter.setPen(theme.text);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft, m_behindFigure);
    }
    if (m_powerRect.right() > width()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal y = height() / 2.0, x = m_powerRect.left();
    painter.setPen(QPen(theme.text, 1.6));
    painter.drawPolyline(QPolygonF{{x, y + 2}, {x + 4, y - 3}, {x + 9, y + 3}, {x + 14, y - 2}});
    painter.setFont(nameFont);
    painter.setPen(theme.text2);
    painter.drawText(m_powerRect.adjusted(18, 0, 2, 0), Qt::AlignVCenter | Qt::AlignLeft, m_power);
}

void PulseLegend::activate(const Item &item, bool hide)
{
    if (item.entry.category < 0) return;
    const auto i = static_cast<std::size_t>(item.entry.category);
    if (hide) {
        m_shown[i] = !m_shown[i];
    } else {
        const bool alone = m_shown[i] && std::count(m_shown.begin(), m_shown.end(), true) == 1;
        m_shown.fill(alone);
        m_shown[i] = true;
    }
    update();
    Q_EMIT shownChanged();
}

int PulseLegend::itemAt(QPoint position) const
{
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (m_items[i].rect.adjusted(-4, 0, 4, 0).contains(position)) return static_cast<int>(i);
    return -1;
}

void PulseLegend::mousePressEvent(QMouseEvent *event)
{
    const int i = itemAt(event->pos());
    if (event->button() != Qt::LeftButton || i < 0) return;
    m_current = i;
    activate(m_items[static_cast<std::size_t>(i)], event->modifiers().testFlag(Qt::ShiftModifier));
}

void PulseLegend::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_items.size()) - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: m_current = std::max(0, m_current - 1); break;
    case Qt::Key_Right: m_current = std::min(last, m_current + 1); break;
    case Qt::Key_Space:
    case Qt::Key_Return: activate(m_items[static_cast<std::size_t>(m_current)], event->modifiers().testFlag(Qt::ShiftModifier)); break;
    default: QWidget::keyPressEvent(event); return;
    }
    update();
}

bool PulseLegend::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int i = itemAt(help->pos());
        if (i >= 0 && m_items[static_cast<std::size_t>(i)].entry.category >= 0) {
            const auto category = static_cast<Category>(m_items[static_cast<std::size_t>(i)].entry.category);
            QToolTip::showText(help->globalPos(), categoryDescription(category) + QLatin1Char('\n') + tr("Mean over all ranks. Click: only this; Shift+click: hide."), this);
        } else if (m_behindRect.contains(help->pos())) {
            const auto share = [this](double seconds) { return percentText(seconds / m_busyS, QLocale(), 0); };
            QToolTip::showText(help->globalPos(),
                               tr("Communication that runs while the GPU computes: it costs no time. Mean over all ranks, not part of the sum.") + QLatin1Char('\n') +
                                   fillText(tr("Of all communication %1 is hidden, %2 exposed, %3 runs beside other waits."),
                                            {share(m_hiddenS), share(m_exposedS), share(std::max(0.0, m_busyS - m_hiddenS - m_exposedS))}) +
                                   QLatin1Char('\n') + tr("In the timeline: the narrow lane under each stage holds gathers and reductions, its lower half transfers between stages."),
                               this);
        } else {
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    return QWidget::event(event);
}

void PulseLegend::resizeEvent(QResizeEvent *) { relayout(); }

void PulseLegend::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) relayout();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
