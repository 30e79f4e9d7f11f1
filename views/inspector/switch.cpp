// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/switch.h"

#include <QPainter>

namespace clusterbeat {

// A long text is elided rather than widening its panel.
Switch::Switch(ViewState *state, QWidget *parent) : QCheckBox(parent), m_state(state)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

QSizeF Switch::track() const { return QSizeF(24, 13) * m_state->theme().scale(); }

int Switch::textLeft() const { return static_cast<int>(track().width()) + 8; }

QSize Switch::sizeHint() const
{
    const QFontMetrics metrics(m_state->theme().font(Theme::Type::Control));
    return {textLeft() + metrics.horizontalAdvance(text()) + 2, std::max(metrics.height(), static_cast<int>(track().height())) + 2};
}

void Switch::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area(QPointF(0.5, (height() - track().height()) / 2.0 + 0.5), track() - QSizeF(1, 1));
    const qreal radius = area.height() / 2.0;
    painter.setPen(hasFocus() ? QPen(theme.text, 2) : QPen(isChecked() ? theme.accent : theme.border, 1));
    painter.setBrush(isChecked() ? theme.accent : theme.sunken);
    painter.drawRoundedRect(area, radius, radius);
    const QPointF knob(isChecked() ? area.right() - radius : area.left() + radius, area.center().y());
    painter.setPen(Qt::NoPen);
    painter.setBrush(isChecked() ? Theme::textOn(theme.accent) : theme.text2);
    painter.drawEllipse(knob, radius - 2.5, radius - 2.5);
    painter.setFont(theme.font(Theme::Type::Control));
    painter.setPen(isChecked() ? theme.text : theme.text2);
    const QRect room = rect().adjusted(textLeft(), 0, 0, 0);
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

} // namespace clusterbeat
