// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/active_list.h"

#include "views/inspector/panel_parts.h"
#include "views/inspector/run_edits.h"
#include "views/inspector/switch.h"
#include "views/shared/icons.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/perturbation_text.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace clusterbeat {
namespace {

/// Room for a place, pixels at scale 1; a longer one is elided from the left, where the pods are.
constexpr int kPlaceWidth = 124;

QString placeText(const Perturbation &perturbation)
{
    const QString place = memberPathText(QString::fromStdString(perturbation.target));
    const bool drawn = perturbation.seed > 0 || perturbation.kind == PerturbationKind::Jitter;
    return drawn ? fillText(ActiveList::tr("%1, seed %2"), {place, integerText(perturbation.seed)}) : place;
}

} // namespace

ActiveList::ActiveList(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    m_layout = new QVBoxLayout(this);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    auto *head = new QHBoxLayout;
    m_title = roleLabel<QLabel>(this, "title");
    m_count = roleLabel<QLabel>(this, "secondary");
    head->addWidget(m_title);
    head->addStretch(1);
    head->addWidget(m_count);
    m_layout->addLayout(head);
    m_list = new QVBoxLayout;
    m_list->setSpacing(4);
    m_layout->addLayout(m_list);
    m_nothing = roleLabel<QLabel>(this, "secondary");
    m_nothing->setWordWrap(true);
    m_layout->addWidget(m_nothing);
    connect(state, &ViewState::themeChanged, this, &ActiveList::fill);
    retranslate();
}

void ActiveList::setScenario(std::shared_ptr<const Scenario> scenario)
{
    m_scenario = std::move(scenario);
    fill();
}

void ActiveList::fill()
{
    const PerturbationList list = m_scenario ? *m_scenario->perturbations : PerturbationList{};
    while (m_rows.size() < list.size()) addRow();
    while (m_rows.size() > list.size()) dropLastRow();
    qsizetype active = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
        active += list[i].enabled ? 1 : 0;
        fillRow(m_rows[i], list[i]);
    }
    m_count->setText(list.empty() ? QString() : integerText(active));
    m_nothing->setVisible(list.empty());
}

void ActiveList::fillRow(const Row &row, const Perturbation &perturbation)
{
    const QString name = perturbationTitle(perturbation, QLocale(), m_scenario->campaign.get());
    const QString place = placeText(perturbation);
    const QSignalBlocker silent(row.box);
    row.box->setText(name);
    row.box->setToolTip(name);
    row.box->setChecked(perturbation.enabled);
    row.box->setAccessibleName(name + QStringLiteral(", ") + place);
    const QFontMetrics metrics(m_state->theme().font(Theme::Type::Label));
    row.where->setText(metrics.elidedText(place, Qt::ElideLeft, static_cast<int>(kPlaceWidth * m_state->theme().scale())));
    row.where->setToolTip(place);
    row.where->setContentsMargins(row.box->textLeft(), 0, 0, 0);
    row.remove->setIcon(glyphIcon(Glyph::Trash, m_state->theme().text3, m_state->theme().text));
    row.remove->setAccessibleName(fillText(tr("Remove %1"), {name}));
    row.remove->setToolTip(row.remove->accessibleName());
}

void ActiveList::addRow()
{
    const std::size_t index = m_rows.size();
    auto *widget = new QWidget(this);
    const Row row{widget, new Switch(m_state, widget), roleLabel<QLabel>(widget, "secondary"), new QToolButton(widget)};
    row.remove->setAutoRaise(true);
    auto *grid = new QGridLayout(widget);
    grid->setContentsMargins(0, 2, 0, 2);
    grid->setHorizontalSpacing(4);
    grid->setVerticalSpacing(0);
    grid->addWidget(row.box, 0, 0);
    grid->addWidget(row.remove, 0, 1, 2, 1, Qt::AlignVCenter);
    grid->addWidget(row.where, 1, 0);
    grid->setColumnStretch(0, 1);
    connect(row.box, &QAbstractButton::toggled, this, [this, index](bool on) { requestEnabled(index, on); });
    connect(row.remove, &QToolButton::clicked, this, [this, index] { requestRemoval(index); });
    m_list->addWidget(widget);
    m_rows.push_back(row);
}

// Later: the row may be the one whose button was just clicked.
void ActiveList::dropLastRow()
{
    const Row row = m_rows.back();
    m_rows.pop_back();
    const QWidget *focus = QApplication::focusWidget();
    const bool hadFocus = focus && row.widget->isAncestorOf(focus);
    m_list->removeWidget(row.widget);
    row.widget->hide();
    row.widget->deleteLater();
    if (hadFocus && !m_rows.empty()) (focus == row.remove ? static_cast<QWidget *>(m_rows.back().remove) : m_rows.back().box)->setFocus();
}

// A refused edit leaves the scenario as it was; the switch goes back to it.
void ActiveList::requestEnabled(std::size_t index, bool on)
{
    if (!m_scenario || index >= m_scenario->perturbations->size()) return;
    const QString name = m_rows[index].box->text();
    const QString label = fillText(on ? tr("Switch on %1") : tr("Switch off %1"), {name});
    Q_EMIT editRequested(run_edits::enabled(static_cast<qsizetype>(index), on, label));
    fill();
}

void ActiveList::requestRemoval(std::size_t index)
{
    if (!m_scenario || index >= m_scenario->perturbations->size()) return;
    const QString label = fillText(tr("Remove %1"), {m_rows[index].box->text()});
    Q_EMIT editRequested(run_edits::removed(static_cast<qsizetype>(index), label));
}

void ActiveList::retranslate()
{
    m_title->setText(tr("Active on this run"));
    m_nothing->setText(tr("Nothing is slow. Try a GPU or its links in the inspector, or the What-if menu."));
    fill();
}

void ActiveList::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
