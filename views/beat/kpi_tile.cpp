// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/kpi_tile.h"

#include "views/shared/icons.h"

#include <QPainter>
#include <QPushButton>
#include <QTextBoundaryFinder>
#include <QToolTip>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kPadding = 12;
constexpr int kGap = 6;
int arrowSize(const Theme &theme) { return static_cast<int>(9 * theme.scale()); }
constexpr qreal kStaleOpacity = 0.5;

// As many words as fit on the first line, the rest on the second.
QStringList twoLines(const QString &text, const QFontMetrics &metrics, int room)
{
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, text);
    qsizetype split = 0;
    for (qsizetype next = finder.toNextBoundary(); next > 0; next = finder.toNextBoundary()) {
        if (metrics.horizontalAdvance(text.left(next).trimmed()) > room) break;
        split = next;
    }
    if (split == 0) return {metrics.elidedText(text, Qt::ElideRight, room)};
    return {text.left(split).trimmed(), metrics.elidedText(text.mid(split), Qt::ElideRight, room)};
}

} // namespace

KpiTile::KpiTile(ViewState *state, QWidget *parent) : QAbstractButton(parent), m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    connect(this, &QAbstractButton::clicked, this, [this] { QToolTip::showText(mapToGlobal(QPoint(kPadding, height())), m_figure.formula, this); });
}

void KpiTile::setFigure(const KpiFigure &figure)
{
    m_figure = figure;
    setAccessibleName(figure.label);
    setAccessibleDescription(figure.value.text() + QLatin1Char(' ') + figure.suffix + QLatin1Char(' ') + figure.delta);
    setToolTip(figure.formula);
    setWhatsThis(figure.formula);           // a screen reader's help text
    update();
}

void KpiTile::setStale(bool stale)
{
    m_stale = stale;
    update();
}

void KpiTile::setZeroDeltaShown(bool shown)
{
    m_zeroDelta = shown;
    update();
}

QString KpiTile::deltaText(bool withZero) const
{
    if (m_figure.tone == KpiFigure::Tone::None || (m_figure.tone == KpiFigure::Tone::Neutral && !withZero)) return QString();
    return m_figure.delta;
}

int KpiTile::contentWidth(bool withoutZeroDelta) const
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    const QFontMetrics label(theme.font(Theme::Type::Label)), value(theme.font(Theme::Type::Kpi, compact));
    const QFontMetrics unit(theme.font(compact ? Theme::Type::Label : Theme::Type::Control)), delta(theme.font(Theme::Type::LabelStrong));
    int width = value.horizontalAdvance(m_figure.value.value);
    if (!m_figure.value.unit.isEmpty()) width += 4 + unit.horizontalAdvance(m_figure.value.unit);
    if (!m_figure.suffix.isEmpty()) width += 4 + unit.horizontalAdvance(m_figure.suffix);
    const QString change = deltaText(!withoutZeroDelta);
    if (!change.isEmpty()) width += kGap + (m_figure.direction != 0 ? arrowSize(theme) + 3 : 0) + delta.horizontalAdvance(change);
    return std::max(width, label.horizontalAdvance(compact ? m_figure.shortLabel : m_figure.label)) + 2 * (compact ? 10 : kPadding);
}

void KpiTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    painter.fillRect(rect(), underMouse() ? theme.raised : theme.panel);
    painter.setPen(theme.line);
    painter.drawLine(width() - 1, 0, width() - 1, height());
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
    if (m_stale) painter.setOpacity(kStaleOpacity);
    const int left = compact ? 10 : kPadding;
    const QFont labelFont = theme.font(Theme::Type::Label), valueFont = theme.font(Theme::Type::Kpi, compact);
    const QFont unitFont = theme.font(compact ? Theme::Type::Label : Theme::Type::Control), deltaFont = theme.font(Theme::Type::LabelStrong);
    const QFontMetrics label(labelFont), value(valueFont), unit(unitFont), delta(deltaFont);
    const int block = label.height() + value.height() - 2;
    const int top = (height() - block) / 2;
    painter.setFont(labelFont);
    painter.setPen(theme.text2);
    painter.drawText(left, top + label.ascent(), compact ? m_figure.shortLabel : m_figure.label);
    const int baseline = top + label.height() - 2 + value.ascent();
    int x = left;
    const auto write = [&](const QString &text, const QFont &font, const QFontMetrics &metrics, const QColor &ink) {
        painter.setFont(font);
        painter.setPen(ink);
        painter.drawText(x, baseline, text);
        x += metrics.horizontalAdvance(text);
    };
    write(m_figure.value.value, valueFont, value, theme.text);
    for (const QString &part : {m_figure.value.unit, m_figure.suffix}) {
        if (part.isEmpty()) continue;
        x += 4;
        write(part, unitFont, unit, theme.text2);
    }
    const QString change = deltaText(m_zeroDelta);
    if (change.isEmpty()) return;
    x += kGap;
    const QColor ink = m_figure.tone == KpiFigure::Tone::Worse ? theme.worse : m_figure.tone == KpiFigure::Tone::Better ? theme.accent : theme.text3;
    if (m_figure.direction != 0) {
        const int arrow = arrowSize(theme);
        const qreal h = arrow * 0.78, y = baseline - delta.capHeight() / 2.0;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        const qreal up = m_figure.direction > 0 ? -1.0 : 1.0;
        painter.drawPolygon(QPolygonF{{x + arrow / 2.0, y + up * h / 2}, {static_cast<qreal>(x + arrow), y - up * h / 2}, {static_cast<qreal>(x), y - up * h / 2}});
        x += arrow + 3;
    }
    write(change, m_figure.tone == KpiFigure::Tone::Neutral ? labelFont : deltaFont, delta, ink);
}

VerdictTile::VerdictTile(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state), m_button(new QPushButton(this))
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_verdict.findsLayout) Q_EMIT findLayoutRequested();
        else Q_EMIT activated(m_verdict.gpu);
    });
}

void VerdictTile::setVerdict(const Verdict &verdict)
{
    m_verdict = verdict;
    setAccessibleName(verdict.cause);
    setAccessibleDescription(verdict.effect);
    setToolTip(verdict.tone == Verdict::Tone::None ? QString() : verdict.cause + QLatin1Char('\n') + verdict.effect);
    m_button->setText(verdict.button);
    m_button->setVisible(!verdict.button.isEmpty() && (verdict.findsLayout || verdict.gpu != kNone));
    relayout();
    update();
}

void VerdictTile::setStale(bool stale)
{
    m_stale = stale;
    update();
}

void VerdictTile::relayout()
{
    const QSize hint = m_button->sizeHint();
    m_button->setGeometry(width() - hint.width() - 12, (height() - hint.height()) / 2, hint.width(), hint.height());
}

void VerdictTile::resizeEvent(QResizeEvent *) { relayout(); }

void VerdictTile::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const bool worse = m_verdict.tone == Verdict::Tone::Worse;
    if (m_verdict.tone == Verdict::Tone::None) {
        painter.fillRect(rect(), theme.panel);
        return;
    }
    painter.fillRect(rect(), worse ? theme.worseSoft : theme.accentSoft);
    if (m_stale) painter.setOpacity(kStaleOpacity);
    const int size = static_cast<int>((m_state->compact() ? 18 : 22) * theme.scale()), left = 14;
    painter.drawPixmap(left, (height() - size) / 2, glyphPixmap(worse ? Glyph::Warning : Glyph::Spark, worse ? theme.worse : theme.accent, size, devicePixelRatioF()));
    const QFont causeFont = theme.font(Theme::Type::PanelTitle), effectFont = theme.font(Theme::Type::Label);
    const QFontMetrics cause(causeFont), effect(effectFont);
    const int x = left + size + 12;
    const int room = (m_button->isVisible() ? m_button->x() : width()) - x - 12;
    painter.setFont(causeFont);
    painter.setPen(theme.text);
    // The cause before the effect: where it needs two lines, the effect is left to the tool tip.
    if (cause.horizontalAdvance(m_verdict.cause) > room) {
        const QStringList lines = twoLines(m_verdict.cause, cause, room);
        const int above = (height() - static_cast<int>(lines.size()) * cause.height()) / 2;
        for (int i = 0; i < lines.size(); ++i) painter.drawText(x, above + i * cause.height() + cause.ascent(), lines[i]);
        return;
    }
    const int top = (height() - cause.height() - effect.height()) / 2;
    painter.drawText(x, top + cause.ascent(), m_verdict.cause);
    const QString second = effect.horizontalAdvance(m_verdict.effect) <= room ? m_verdict.effect : m_verdict.shortEffect;
    painter.setFont(effectFont);
    painter.setPen(theme.text2);
    painter.drawText(x, top + cause.height() + effect.ascent(), effect.elidedText(second, Qt::ElideRight, room));
}

} // namespace clusterbeat
