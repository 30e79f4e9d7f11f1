// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/page_switch.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

namespace clusterbeat {

PageSwitch::PageSwitch(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state), m_buttons(new QButtonGroup(this))
{
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(0, 2, 8, 3);
    row->setSpacing(2);
    for (const Page page : {Page::Play, Page::Validation}) {
        auto *button = new QToolButton(this);
        button->setCheckable(true);
        button->setAutoRaise(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        m_buttons->addButton(button, static_cast<int>(page));
        row->addWidget(button);
    }
    m_buttons->setExclusive(true);
    // Toggled, not clicked: assistive technology toggles a button without clicking it.
    connect(m_buttons, &QButtonGroup::idToggled, this, [this](int id, bool on) {
        if (on && !m_showing) Q_EMIT pageChosen(static_cast<Page>(id));
    });
    connect(state, &ViewState::themeChanged, this, &PageSwitch::restyle);
    connect(state, &ViewState::compactChanged, this, &PageSwitch::restyle);
    setPage(Page::Play);
    restyle();
}

QString PageSwitch::pageName(Page page)
{
    switch (page) {
    case Page::Play: return tr("Play");
    case Page::Validation: return tr("Validation");
    }
    return {};
}

void PageSwitch::setPage(Page page)
{
    m_showing = true;
    m_buttons->button(static_cast<int>(page))->setChecked(true);
    m_showing = false;
}

void PageSwitch::restyle()
{
    setAccessibleName(tr("Pages"));
    const Theme &theme = m_state->theme();
    // The row is lower than a control of the style sheet.
    setStyleSheet(QStringLiteral("QToolButton { min-height: %1px; padding: 0 %2px; } QToolButton:focus { padding: 0 %3px; }")
                      .arg(qRound(18 * theme.scale()))
                      .arg(qRound(10 * theme.scale()))
                      .arg(qRound(10 * theme.scale()) - 1));
    for (QAbstractButton *button : m_buttons->buttons()) {
        const QString name = pageName(static_cast<Page>(m_buttons->id(button)));
        button->setText(name);
        button->setAccessibleName(name);
    }
}

void PageSwitch::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) restyle();
}

} // namespace clusterbeat
