// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/run_panel.h"

#include "views/inspector/active_list.h"
#include "views/inspector/knob_list.h"
#include "views/inspector/panel_parts.h"
#include "views/inspector/software_panel.h"
#include "views/shared/combo_accessible.h"

#include <QEvent>
#include <QFrame>
#include <QPainter>
#include <QVBoxLayout>

namespace clusterbeat {
namespace {

/// Room for the longest names of knobs beside their fields.
constexpr int kWidth = 248;

} // namespace

RunPanel::RunPanel(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    installComboAccessibility();
    build();
    connect(state, &ViewState::themeChanged, this, [this] {
        updateGeometry();
        update();
    });
    setAccessibleName(tr("Run"));
}

void RunPanel::build()
{
    auto *body = scrollingBody(this);
    auto *column = new QVBoxLayout(body);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(6);
    m_active = new ActiveList(m_state, body);
    connect(m_active, &ActiveList::editRequested, this, &RunPanel::editRequested);
    column->addWidget(m_active);
    column->addWidget(separator(body));
    m_knobs = new KnobList(m_state, body);
    column->addWidget(m_knobs);
    m_software = new SoftwarePanel(m_state, body);
    connect(m_software, &SoftwarePanel::editRequested, this, &RunPanel::editRequested);
    column->addWidget(m_software);
    column->addStretch(1);
}

void RunPanel::setScenario(std::shared_ptr<const Scenario> scenario) { m_active->setScenario(std::move(scenario)); }

QSize RunPanel::sizeHint() const { return {static_cast<int>(kWidth * m_state->theme().scale()), 600}; }
QSize RunPanel::minimumSizeHint() const { return {static_cast<int>(kWidth * m_state->theme().scale()), 200}; }

void RunPanel::paintEvent(QPaintEvent *) { QPainter(this).fillRect(rect(), m_state->theme().panel); }

void RunPanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) setAccessibleName(tr("Run"));
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
