// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/pulse_strip.h"

#include "views/beat/breakdown.h"
#include "views/beat/pulse_legend.h"
#include "views/beat/pulse_paint.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr float kVeil = 0.22F;
constexpr int kHandle = 5;

std::int32_t binAt(const ShareBins &bins, TimeNs t)
{
    if (bins.bins <= 0 || bins.duration <= 0) return 0;
    const double share = static_cast<double>(t) / static_cast<double>(bins.duration);
    return std::clamp(static_cast<std::int32_t>(share * bins.bins), 0, bins.bins - 1);
}

double computeShare(const ShareBins &bins, std::int32_t bin)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (isCompute(static_cast<Category>(i))) sum += static_cast<double>(bins.at(bin, static_cast<Category>(i)));
    return sum;
}

} // namespace

namespace {

constexpr std::int32_t kQuickClasses = 16;   // replicas that differ; with more the sums take longer than a frame
constexpr int kQuietMs = 250;

} // namespace

PulseStrip::PulseStrip(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state), m_legend(new PulseLegend(state, this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTabOrder(m_legend, this);
    connect(m_legend, &PulseLegend::shownChanged, this, &PulseStrip::invalidatePlot);
    m_communication.setSingleShot(true);
    connect(&m_communication, &QTimer::timeout, this, &PulseStrip::showCommunication);
    connect(state, &ViewState::playheadChanged, this, &PulseStrip::movePlayhead);
    connect(state, &ViewState::visibleChanged, this, [this] { update(); });
    connect(state, &ViewState::durationChanged, this, [this] { update(); });
    connect(state, &ViewState::themeChanged, this, &PulseStrip::relayout);
    connect(state, &ViewState::compactChanged, this, &PulseStrip::relayout);
    relayout();
    retranslate();
}

void PulseStrip::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = std::move(result);
    placeWaitNote();
    m_legend->setBreakdown(m_result ? m_result->metrics.breakdownS : std::array<double, kCategoryCount>{});
    const bool quick = !m_result || m_result->run.trace.classes <= kQuickClasses;
    if (!quick) m_legend->setCommunication({});
    if (quick) showCommunication();
    else m_communication.start(kQuietMs);
    invalidatePlot();
    describe();
}

void PulseStrip::showCommunication()
{
    m_communication.stop();
    m_legend->setCommunication(m_result ? CommunicationAccount(*m_result).summary().mean : DimensionTimes{});
}

void PulseStrip::retranslate()
{
    setAccessibleName(tr("Pulse: share of GPUs over the iteration"));
    describe();
    placeWaitNote();
    invalidatePlot();
}

void PulseStrip::describe() { setAccessibleDescription(m_result ? sharesAt(m_state->playhead()) : QString()); }

QSize PulseStrip::sizeHint() const { return {900, pulseHeight(m_state->compact(), m_state->theme().scale())}; }
QSize PulseStrip::minimumSizeHint() const { return {420, sizeHint().height()}; }

void PulseStrip::relayout()
{
    setFixedHeight(sizeHint().height());
    m_geometry = pulseGeometry(width(), m_state->compact(), m_state->theme().scale());
    m_legend->setGeometry(m_geometry.legend);
    invalidatePlot();
}

void PulseStrip::resizeEvent(QResizeEvent *) { relayout(); }

void PulseStrip::invalidatePlot()
{
    m_plot = QPixmap();
    update();
}

// Everything that changes only with the result, the size, the theme or the legend: drawn once.
void PulseStrip::renderPlot()
{
    const qreal ratio = devicePixelRatioF();
    m_plot = QPixmap((QSizeF(size()) * ratio).toSize());
    m_plot.setDevicePixelRatio(ratio);
    const Theme &theme = m_state->theme();
    m_plot.fill(theme.panel);
    QPainter painter(&m_plot);
    painter.fillRect(m_geometry.plot, theme.sunken);
    paintAxis(painter);
    if (!m_result) return;
    const ShareStack stack = stackShares(m_result->pulse, m_geometry.plot.width(), m_legend->shown());
    // The hatch starts at the plot's corner, whatever the strip's position.
    painter.setBrushOrigin(m_geometry.plot.topLeft());
    paintShares(painter, m_geometry.plot, stack, theme, ratio);
    paintPower(painter, m_geometry.plot, m_result->powerW, powerScale(m_result->powerW), theme);
    painter.setPen(theme.line);
    painter.drawLine(m_geometry.plot.left(), m_geometry.plot.bottom() + 1, m_geometry.plot.right(), m_geometry.plot.bottom() + 1);
}

// Where the waiting is and who: the plate over the plot.
void PulseStrip::placeWaitNote()
{
    m_waitNote.clear();
    if (!m_result) return;
    const HeldUp held = heldUp(*m_result);
    double weight = 0.0, moment = 0.0;
    for (std::int32_t bin = 0; bin < m_result->pulse.bins; ++bin) {
        const double share = static_cast<double>(m_result->pulse.at(bin, Category::StragglerWait));
        if (share < 0.3) continue;
        weight += share;
        moment += share * (bin + 0.5);
    }
    if (held.replicas == 0 || weight < 0.04 * m_result->pulse.bins) return;
    m_waitNoteAt = moment / weight / m_result->pulse.bins;
    m_waitNote = fillText(held.replicas == 1 ? tr("1 replica waits") : tr("%1 replicas wait"), {integerText(held.replicas)});
}

void PulseStrip::paintWaitNote(QPainter &painter) const
{
    if (m_waitNote.isEmpty() || !m_legend->shown()[categoryIndex(Category::StragglerWait)]) return;
    const QPointF centre(m_geometry.plot.left() + m_waitNoteAt * m_geometry.plot.width(), m_geometry.plot.top() + m_geometry.plot.height() * 0.42);
    paintPlate(painter, centre, m_waitNote, m_state->theme().font(Theme::Type::LabelStrong), m_geometry.plot, m_state->theme());
}

void PulseStrip::paintAxis(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const QFont font = theme.font(Theme::Type::Axis, m_state->compact());
    const QFontMetrics metrics(font);
    painter.setFont(font);
    painter.setPen(theme.text3);
    const QRect gutter(0, m_geometry.plot.top(), m_geometry.plot.left() - 8, m_geometry.plot.height());
    painter.drawText(gutter, Qt::AlignRight | Qt::AlignTop, tr("GPU share"));
    painter.drawText(gutter.translated(0, metrics.height()), Qt::AlignRight | Qt::AlignTop, percentText(1.0));
    painter.drawText(gutter, Qt::AlignRight | Qt::AlignBottom, integerText(0));
    const TimeNs duration = m_result ? m_result->iteration() : m_state->duration();
    const bool seconds = duration >= kNsPerSecond;
    for (const TimeNs tick : axisTicks(duration, m_geometry.plot.width(), m_state->compact() ? 110 : 130)) {
        const int x = static_cast<int>(std::lround(m_geometry.xOf(tick, duration)));
        const QString text = seconds ? secondsText(toSeconds(tick), QLocale(), Sign::Natural, 1) : durationText(tick);
        const int width = metrics.horizontalAdvance(text);
        painter.setPen(theme.border);
        painter.drawLine(x, m_geometry.axis.top() + 1, x, m_geometry.axis.top() + 4);
        painter.setPen(theme.text3);
        const int left = std::min(tick == 0 ? x : x - width / 2, m_geometry.plot.right() - width);
        painter.drawText(QRect(left, m_geometry.axis.top() + 3, width + 2, m_geometry.axis.height() - 3), Qt::AlignLeft | Qt::AlignTop, text);
    }
}

void PulseStrip::paintEvent(QPaintEvent *event)
{
    if (m_plot.isNull() || !qFuzzyCompare(m_plot.devicePixelRatio(), devicePixelRatioF())) renderPlot();
    QPainter painter(this);
    const QRect dirty = event->rect();
    painter.drawPixmap(dirty.topLeft(), m_plot, QRectF(QPointF(dirty.topLeft()) * m_plot.devicePixelRatio(), QSizeF(dirty.size()) * m_plot.devicePixelRatio()));
    if (hasFocus()) {
        painter.setPen(QPen(m_state->theme().accent, 2));
        painter.drawRect(QRectF(m_geometry.plot).adjusted(-2, -2, 2, 2));
    }
    if (!m_result) return;
    paintRange(painter);
    paintWaitNote(painter);
    paintPlayhead(painter);
    if (dirty.intersects(m_geometry.now)) paintNow(painter);
}

void PulseStrip::paintRange(QPainter &painter) const
{
    const TimeRange visible = m_state->visible();
    const TimeNs duration = m_state->duration();
    if (duration <= 0 || (visible.begin <= 0 && visible.end >= duration)) return;
    const Theme &theme = m_state->theme();
    const QRectF plot(m_geometry.plot);
    const qreal begin = m_geometry.xOf(visible.begin, duration);
    const qreal end = std::max(begin + 2.0, m_geometry.xOf(visible.end, duration));
    QColor veil = theme.window;
    veil.setAlphaF(kVeil);
    painter.fillRect(QRectF(plot.left(), plot.top(), begin - plot.left(), plot.height()), veil);
    painter.fillRect(QRectF(end, plot.top(), plot.right() - end, plot.height()), veil);
    const QRectF bracket(begin, plot.top(), end - begin, plot.height());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.selectionCasing, 4));
    painter.drawRect(bracket.adjusted(0, 1, 0, -1));
    painter.setPen(QPen(theme.selection, 2));
    painter.drawRect(bracket.adjusted(0, 1, 0, -1));
    if (bracket.width() < 3 * kHandle) return;
    for (const qreal x : {begin, end}) {
        const QRectF grip(x - 2.5, plot.center().y() - 8, kHandle, 16);
        painter.fillRect(grip.adjusted(-1, -1, 1, 1), theme.selectionCasing);
        painter.fillRect(grip, theme.selection);
    }
}

void PulseStrip::paintPlayhead(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const qreal x = std::floor(m_geometry.xOf(m_state->playhead(), m_state->duration())) + 0.5;
    const qreal top = m_geometry.plot.top() - 2, bottom = m_geometry.plot.bottom() + 1;
    painter.setPen(QPen(theme.selectionCasing, 3 * theme.scale()));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    painter.setPen(QPen(theme.selection, theme.scale()));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(theme.selection);
    painter.setPen(QPen(theme.selectionCasing, 1));
    painter.drawPolygon(QPolygonF{{x - 5, top - 2}, {x + 5, top - 2}, {x, top + 5}});
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void PulseStrip::paintNow(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const std::int32_t bin = binAt(m_result->pulse, m_state->playhead());
    const QFont label = theme.font(Theme::Type::Label), strong = theme.font(Theme::Type::LabelStrong);
    const int row = QFontMetrics(label).height();
    int y = m_geometry.now.top();
    const auto line = [&](const QString &figure, const QString &what, const QColor &ink, bool bold) {
        const QRect rect(m_geometry.now.left(), y, m_geometry.now.width(), row);
        painter.setFont(bold ? strong : label);
        painter.setPen(ink);
        painter.drawText(rect, Qt::AlignLeft | Qt::AlignVCenter, figure);
        if (!what.isEmpty()) {
            painter.setFont(label);
            painter.setPen(theme.text2);
            const int shift = QFontMetrics(strong).horizontalAdvance(figure) + 5;
            painter.drawText(rect.adjusted(shift, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, QFontMetrics(label).elidedText(what, Qt::ElideRight, rect.width() - shift));
        }
        y += row;
    };
    if (!compact) line(tr("Now"), QString(), theme.text2, false);
    line(percentText(computeShare(m_result->pulse, bin), QLocale(), 0), compact ? tr("busy") : tr("compute"), theme.text, true);
    const double wait = static_cast<double>(m_result->pulse.at(bin, Category::StragglerWait));
    line(percentText(wait, QLocale(), 0), tr("wait"), wait >= 0.005 ? theme.worse : theme.text, true);
    const auto powerBins = static_cast<std::int32_t>(m_result->powerW.size());
    if (powerBins == 0) return;
    const auto powerBin = static_cast<std::size_t>(std::clamp(static_cast<std::int32_t>(static_cast<double>(m_state->playhead()) / static_cast<double>(std::max<TimeNs>(1, m_result->iteration())) * powerBins), 0, powerBins - 1));
    line(powerQuantity(static_cast<double>(m_result->powerW[powerBin])).text(), QString(), theme.text, true);
    if (compact) return;
    const auto [least, most] = std::minmax_element(m_result->powerW.begin(), m_result->powerW.end());
    const Quantity low = powerQuantity(static_cast<double>(*least)), high = powerQuantity(static_cast<double>(*most));
    line(fillText(tr("range %1 to %2"), {low.unit == high.unit ? low.value : low.text(), high.value}), QString(), theme.text3, false);
}

QRect PulseStrip::playheadRect(TimeNs t) const
{
    const int x = static_cast<int>(m_geometry.xOf(t, m_state->duration()));
    return {x - 8, m_geometry.plot.top() - 6, 17, m_geometry.plot.height() + 10};
}

void PulseStrip::movePlayhead(TimeNs t)
{
    update(playheadRect(m_drawnPlayhead));
    update(playheadRect(t));
    update(m_geometry.now);
    m_drawnPlayhead = t;
}

void PulseStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_result) return;
    const double x = event->position().x();
    const TimeNs duration = m_state->duration();
    m_grab = m_geometry.timeAt(x, duration);
    m_grabbed = m_state->visible();
    switch (bracketPartAt(m_geometry, m_grabbed, duration, x)) {
    case BracketPart::Begin: m_drag = Drag::Begin; return;
    case BracketPart::End: m_drag = Drag::End; return;
    case BracketPart::Inside: m_drag = Drag::Inside; break;
    case BracketPart::None: m_drag = Drag::Playhead; break;
    }
    // The playhead is a line in front of the bracket: on it, it is the playhead that moves.
    if (std::abs(x - m_geometry.xOf(m_state->playhead(), duration)) <= 4.0) m_drag = Drag::Playhead;
    if (m_drag == Drag::Playhead) m_state->setPlayhead(m_grab);
}

void PulseStrip::mouseMoveEvent(QMouseEvent *event)
{
    const double x = event->position().x();
    const TimeNs duration = m_state->duration(), t = m_geometry.timeAt(x, duration);
    if (m_drag == Drag::None) {
        const BracketPart part = m_result ? bracketPartAt(m_geometry, m_state->visible(), duration, x) : BracketPart::None;
        setCursor(part == BracketPart::Begin || part == BracketPart::End ? Qt::SizeHorCursor : part == BracketPart::Inside ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return;
    }
    const TimeNs least = std::max<TimeNs>(1000, duration / std::max(1, m_geometry.plot.width()) * 2);
    switch (m_drag) {
    case Drag::Playhead: m_state->setPlayhead(t); break;
    case Drag::Begin: m_state->chooseVisible({std::min(t, m_grabbed.end - least), m_grabbed.end}); break;
    case Drag::End: m_state->chooseVisible({m_grabbed.begin, std::max(t, m_grabbed.begin + least)}); break;
    case Drag::Inside: m_state->chooseVisible({m_grabbed.begin + t - m_grab, m_grabbed.end + t - m_grab}); break;
    case Drag::None: break;
    }
}

void PulseStrip::mouseReleaseEvent(QMouseEvent *event)
{
    // A click inside the bracket that moved nothing was meant for the playhead.
    if (m_drag == Drag::Inside && m_state->visible() == m_grabbed) m_state->setPlayhead(m_geometry.timeAt(event->position().x(), m_state->duration()));
    m_drag = Drag::None;
    describe();
}

void PulseStrip::mouseDoubleClickEvent(QMouseEvent *) { m_state->chooseVisible({0, m_state->duration()}); }

void PulseStrip::zoomAt(double x, double factor)
{
    const TimeNs at = m_geometry.timeAt(x, m_state->duration());
    const TimeRange visible = m_state->visible();
    const auto left = static_cast<TimeNs>(static_cast<double>(at - visible.begin) * factor);
    const auto length = static_cast<TimeNs>(static_cast<double>(visible.length()) * factor);
    m_state->chooseVisible({at - left, at - left + length});
}

void PulseStrip::wheelEvent(QWheelEvent *event)
{
    if (!event->modifiers().testFlag(Qt::ControlModifier) || !m_result) return event->ignore();
    zoomAt(event->position().x(), std::pow(0.85, event->angleDelta().y() / 120.0));
    event->accept();
}

void PulseStrip::keyPressEvent(QKeyEvent *event)
{
    const TimeNs duration = m_state->duration();
    const TimeRange visible = m_state->visible();
    const TimeNs step = std::max<TimeNs>(1, duration / 1000) * (event->modifiers().testFlag(Qt::ShiftModifier) ? 10 : 1);
    const bool pan = event->modifiers().testFlag(Qt::ControlModifier);
    const double playheadX = m_geometry.xOf(m_state->playhead(), duration);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const TimeNs sign = event->key() == Qt::Key_Left ? -1 : 1;
        if (pan) m_state->chooseVisible({visible.begin + sign * visible.length() / 10, visible.end + sign * visible.length() / 10});
        else m_state->setPlayhead(m_state->playhead() + sign * step);
        break;
    }
    case Qt::Key_Home: m_state->setPlayhead(0); break;
    case Qt::Key_End: m_state->setPlayhead(duration); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomAt(playheadX, 0.8); break;
    case Qt::Key_Minus: zoomAt(playheadX, 1.25); break;
    default: QWidget::keyPressEvent(event); return;
    }
    describe();
}

void PulseStrip::focusInEvent(QFocusEvent *) { update(); }
void PulseStrip::focusOutEvent(QFocusEvent *) { update(); }

QString PulseStrip::sharesAt(TimeNs t) const
{
    const std::int32_t bin = binAt(m_result->pulse, t);
    std::array<double, kCategoryCount> shares{};
    for (std::size_t i = 0; i < kCategoryCount; ++i) shares[i] = static_cast<double>(m_result->pulse.at(bin, static_cast<Category>(i)));
    const std::vector<std::int64_t> percent = largestRemainder(shares, 0.01);
    QStringList lines{durationText(t)};
    for (std::size_t k = kCategoryCount; k-- > 0;) {
        const std::size_t i = categoryIndex(kStackOrder[k]);
        if (percent[i] > 0) lines << categoryName(kStackOrder[k]) + QLatin1Char(' ') + percentText(static_cast<double>(percent[i]) / 100.0, QLocale(), 0);
    }
    return lines.join(QLatin1Char('\n'));
}

bool PulseStrip::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip && m_result) {
        auto *help = static_cast<QHelpEvent *>(event);
        if (m_geometry.plot.contains(help->pos()))
            QToolTip::showText(help->globalPos() + QPoint(12, 12), sharesAt(m_geometry.timeAt(help->pos().x(), m_state->duration())), this);
        else
            QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void PulseStrip::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
