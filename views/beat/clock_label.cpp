// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/clock_label.h"

#include "views/text/format.h"

#include <QPainter>

namespace clusterbeat {
namespace {

constexpr TimeNs kMicrosBelow = 10'000'000;
constexpr int kGap = 6;

double unitOf(TimeNs duration) { return duration < kMicrosBelow ? 1e3 : 1e6; }

} // namespace

ClockLabel::ClockLabel(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Expanding);
    connect(state, &ViewState::playheadChanged, this, [this] { update(); });
    connect(state, &ViewState::durationChanged, this, [this] {
        updateGeometry();
        update();
    });
    connect(state, &ViewState::themeChanged, this, [this] { updateGeometry(); });
}

QString ClockLabel::clockText(TimeNs t, TimeNs duration) { return fixedText(static_cast<double>(t) / unitOf(duration), 1); }

QString ClockLabel::durationPart(TimeNs duration)
{
    return QStringLiteral("/ ") + fixedText(static_cast<double>(duration) / unitOf(duration), 0) + QChar(0x00a0) +
           (duration < kMicrosBelow ? QStringLiteral("µs") : QStringLiteral("ms"));
}

QSize ClockLabel::sizeHint() const
{
    const Theme &theme = m_state->theme();
    const QFontMetrics clock(theme.font(Theme::Type::Clock)), label(theme.font(Theme::Type::Label));
    const int width = clock.horizontalAdvance(clockText(m_state->duration(), m_state->duration())) + kGap +
                      label.horizontalAdvance(durationPart(m_state->duration()));
    return {width + 4, clock.height()};
}

void ClockLabel::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const QFont clock = theme.font(Theme::Type::Clock), label = theme.font(Theme::Type::Label);
    const TimeNs duration = m_state->duration();
    const int figures = QFontMetrics(clock).horizontalAdvance(clockText(duration, duration));
    painter.setFont(clock);
    painter.setPen(theme.text);
    painter.drawText(QRect(0, 0, figures + 1, height()), Qt::AlignRight | Qt::AlignVCenter, clockText(m_state->playhead(), duration));
    painter.setFont(label);
    painter.setPen(theme.text2);
    painter.drawText(QRect(figures + kGap, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, durationPart(duration));
}

} // namespace clusterbeat
