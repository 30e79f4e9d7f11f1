// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/note_bar.h"

#include "app/window/icons.h"
#include "views/shared/icons.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace clusterbeat {

NoteBar::NoteBar(ViewState *state, QWidget *parent)
    : QWidget(parent), m_state(state), m_icon(new QLabel(this)), m_text(new QLabel(this)), m_close(new QToolButton(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(12, 3, 8, 3);
    row->setSpacing(8);
    row->addWidget(m_icon);
    row->addWidget(m_text, 1);
    row->addWidget(m_close);
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_close->setAutoRaise(true);
    connect(m_close, &QToolButton::clicked, this, &NoteBar::clear);
    connect(state, &ViewState::themeChanged, this, &NoteBar::restyle);
    restyle();
    hide();
}

void NoteBar::say(Tone tone, const QString &sentence)
{
    m_tone = tone;
    m_text->setText(sentence);
    m_text->setAccessibleName(sentence);
    restyle();
    show();
}

void NoteBar::clear()
{
    m_text->clear();
    hide();
}

QString NoteBar::sentence() const { return m_text->text(); }

void NoteBar::restyle()
{
    const Theme &theme = m_state->theme();
    m_icon->setPixmap(m_tone == Tone::Problem ? glyphPixmap(Glyph::Warning, theme.worse, 16, devicePixelRatioF())
                                              : glyphPixmap(Glyph::Info, theme.text2, 16, devicePixelRatioF()));
    m_close->setIcon(themedIcon(QStringLiteral("close"), theme));
    m_close->setAccessibleName(tr("Close this note"));
    m_close->setToolTip(tr("Close this note"));
    update();
}

void NoteBar::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) restyle();
}

void NoteBar::paintEvent(QPaintEvent *)
{
    const Theme &theme = m_state->theme();
    QPainter painter(this);
    painter.fillRect(rect(), m_tone == Tone::Problem ? theme.worseSoft : theme.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.line);
}

} // namespace clusterbeat
