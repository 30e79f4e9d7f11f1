// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/side_rail.h"

#include "app/window/icons.h"

#include <QEvent>
#include <QFrame>
#include <QKeyEvent>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kRailWidth = 40, kPanelWidth = 228;

} // namespace

SideRail::SideRail(ViewState *state, QWidget *panel, QWidget *overlayParent, QWidget *parent)
    : QWidget(parent), m_state(state), m_panel(panel), m_overlayParent(overlayParent),
      m_overlay(new QFrame(overlayParent)), m_button(new QToolButton(this))
{
    m_overlay->setObjectName(QStringLiteral("railOverlay"));
    m_overlay->setAutoFillBackground(true);
    m_overlay->hide();
    auto *inside = new QVBoxLayout(m_overlay);
    inside->setContentsMargins(0, 0, 1, 0);
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 1, 0);
    column->addWidget(m_button, 0, Qt::AlignHCenter | Qt::AlignTop);
    m_button->setCheckable(true);
    m_button->setAutoRaise(true);
    connect(m_button, &QToolButton::toggled, this, &SideRail::setPanelVisible);
    connect(state, &ViewState::themeChanged, this, &SideRail::restyle);
    connect(state, &ViewState::compactChanged, this, [this](bool compact) {
        m_open = !compact;
        place();
        Q_EMIT panelVisibleChanged(m_open);
    });
    overlayParent->installEventFilter(this);
    m_overlay->installEventFilter(this);
    m_open = !state->compact();
    restyle();
}

void SideRail::setPanelVisible(bool visible)
{
    if (visible == m_open) return;
    m_open = visible;
    place();
    if (visible) m_panel->setFocus(Qt::OtherFocusReason);
    Q_EMIT panelVisibleChanged(visible);
}

void SideRail::place()
{
    const bool compact = m_state->compact();
    const int wide = std::max(qRound(kPanelWidth * m_state->theme().scale()), m_panel->minimumSizeHint().width() + 1);
    auto *column = static_cast<QVBoxLayout *>(layout());
    auto *inside = static_cast<QVBoxLayout *>(m_overlay->layout());
    const QSignalBlocker quiet(m_button);
    m_button->setChecked(m_open);
    m_button->setVisible(compact || !m_open);
    column->setContentsMargins(0, m_button->isVisibleTo(this) ? 8 : 0, 1, 0);
    if (compact || !m_open) {
        setFixedWidth(kRailWidth);
        column->removeWidget(m_panel);
        inside->addWidget(m_panel);
    } else {
        setFixedWidth(wide);
        inside->removeWidget(m_panel);
        column->addWidget(m_panel, 1);
    }
    m_panel->setVisible(m_open);
    const bool overlay = compact && m_open;
    m_overlay->setGeometry(0, 0, wide, m_overlayParent->height());
    m_overlay->setVisible(overlay);
    if (overlay) m_overlay->raise();
}

void SideRail::restyle()
{
    const Theme &theme = m_state->theme();
    m_button->setIcon(themedIcon(QStringLiteral("sliders"), theme));
    m_button->setFixedSize(32, 32);
    m_button->setText(tr("Change the run"));
    m_button->setToolTip(tr("Change the run"));
    m_button->setAccessibleName(tr("Change the run"));
    m_overlay->setStyleSheet(QStringLiteral("#railOverlay { background: %1; border: none; border-right: 1px solid %2; }")
                                 .arg(theme.panel.name(), theme.border.name()));
    place();
    update();
}

void SideRail::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) restyle();
}

void SideRail::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state->theme().panel);
    painter.fillRect(QRect(width() - 1, 0, 1, height()), m_state->theme().line);
}

bool SideRail::eventFilter(QObject *watched, QEvent *event)
{
    if (watched == m_overlayParent && event->type() == QEvent::Resize)
        m_overlay->resize(m_overlay->width(), m_overlayParent->height());
    if (watched == m_overlay && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        setPanelVisible(false);
        m_button->setFocus(Qt::OtherFocusReason);
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace clusterbeat
