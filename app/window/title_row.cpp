// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/title_row.h"

#include <QEvent>
#include <QLabel>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kHeight = 28, kCompactHeight = 26, kGap = 16;

} // namespace

TitleRow::TitleRow(ViewState *state, QWidget *parent)
    : QWidget(parent), m_state(state), m_menuBar(new MenuBar(this)), m_title(new QLabel(this)),
      m_pages(new PageSwitch(state, this))
{
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setTextFormat(Qt::PlainText);
    connect(state, &ViewState::themeChanged, this, &TitleRow::restyle);
    connect(state, &ViewState::compactChanged, this, &TitleRow::restyle);
    restyle();
}

void TitleRow::restyle()
{
    m_title->setFont(m_state->theme().font(Theme::Type::Control));
    setFixedHeight(qRound((m_state->compact() ? kCompactHeight : kHeight) * m_state->theme().scale()));
    place();
}

void TitleRow::setTitle(const QString &name, bool modified)
{
    m_name = name;
    m_modified = modified;
    place();
}

void TitleRow::place()
{
    m_menuBar->setGeometry(rect());
    const int menus = m_menuBar->actions().isEmpty()
                          ? 0
                          : m_menuBar->actionGeometry(m_menuBar->actions().constLast()).right() + kGap;
    const int pages = m_pages->sizeHint().width();
    m_pages->setGeometry(this->width() - pages, 0, pages, height() - 1);
    const QString full = m_modified ? tr("%1 · edited").arg(m_name) : m_name;
    const QFontMetrics metrics(m_title->font());
    const int width = std::min(metrics.horizontalAdvance(full) + 2, std::max(0, this->width() - menus - pages - kGap));
    const int left = std::max(menus, std::min((this->width() - width) / 2, this->width() - pages - kGap - width));
    m_title->setGeometry(left, 0, width, height() - 1);
    m_title->setText(metrics.elidedText(full, Qt::ElideMiddle, width));
    m_title->setToolTip(m_title->text() == full ? QString() : full);
    m_title->setAccessibleName(tr("Document: %1").arg(full));
    m_title->raise();
    m_pages->raise();
}

void TitleRow::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    place();
}

void TitleRow::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) place();
}

} // namespace clusterbeat
