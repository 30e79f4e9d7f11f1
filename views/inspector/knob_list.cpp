// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/knob_list.h"

#include "views/inspector/choice_list.h"
#include "views/inspector/knob_field.h"
#include "views/inspector/panel_parts.h"
#include "views/shared/icons.h"
#include "views/text/format.h"
#include "views/text/knob_text.h"
#include "views/text/names.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace clusterbeat {
namespace {

/// What is turned most comes first.
constexpr std::array kOrder{KnobSection::Layout, KnobSection::Training, KnobSection::Model, KnobSection::Cluster, KnobSection::Software, KnobSection::Prices};

} // namespace

KnobList::KnobList(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    build();
    connect(state, &ViewState::themeChanged, this, &KnobList::restyle);
    restyle();
    retranslate();
}

void KnobList::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    auto *head = new QHBoxLayout;
    m_title = roleLabel<QLabel>(this, "title");
    m_changedOnly = new QPushButton(this);
    m_changedOnly->setCheckable(true);
    m_changedOnly->setProperty("compact", true);
    head->addWidget(m_title, 1);
    head->addWidget(m_changedOnly);
    column->addLayout(head);
    m_search = new QLineEdit(this);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    column->addWidget(m_search);
    m_nothing = roleLabel<QLabel>(this, "secondary");
    m_nothing->setWordWrap(true);
    m_nothing->hide();
    column->addWidget(m_nothing);
    for (const KnobSection section : kOrder) addGroup(section);
    connect(m_search, &QLineEdit::textChanged, this, &KnobList::filter);
    connect(m_changedOnly, &QPushButton::toggled, this, &KnobList::filter);
}

void KnobList::addGroup(KnobSection section)
{
    Group &group = m_groups[static_cast<std::size_t>(section)];
    group.section = section;
    group.head = new QToolButton(this);
    group.head->setCheckable(true);
    group.head->setChecked(group.open);
    group.head->setAutoRaise(true);
    group.head->setProperty("fold", true);
    group.head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    group.head->setFocusPolicy(Qt::StrongFocus);
    group.head->setArrowType(group.open ? Qt::DownArrow : Qt::RightArrow);
    group.body = new QWidget(this);
    auto *rows = new QVBoxLayout(group.body);
    rows->setContentsMargins(0, 0, 0, 6);
    rows->setSpacing(6);
    for (const Knob &each : knobs()) {
        if (each.section != section) continue;
        auto *field = new KnobField(each, m_state, group.body);
        m_fields[static_cast<std::size_t>(each.id)] = field;
        rows->addWidget(field);
        connect(field, &KnobField::turned, this, &KnobList::turned);
        connect(field, &KnobField::repairRequested, this, &KnobList::repairRequested);
        connect(field, &KnobField::choicesWanted, this, [this](KnobId id) {
            fillChoices(id);
            Q_EMIT choicesWanted(id);
        });
    }
    layout()->addWidget(group.head);
    layout()->addWidget(group.body);
    group.body->setVisible(group.open);
    connect(group.head, &QToolButton::clicked, this, [this, index = static_cast<std::size_t>(section)](bool open) {
        m_groups[index].open = open;
        filter();
    });
}

void KnobList::setCatalogue(std::shared_ptr<const Catalogue> catalogue)
{
    m_catalogue = std::move(catalogue);
    m_presets.emplace(*m_catalogue);
}

void KnobList::setScenario(std::shared_ptr<const Scenario> scenario, std::shared_ptr<const Scenario> opened)
{
    m_scenario = std::move(scenario);
    m_opened = std::move(opened);
    fill();
}

void KnobList::fill()
{
    if (!m_scenario || !m_catalogue) return;
    auto resolved = resolve(*m_scenario, *m_catalogue);
    m_resolved.reset();
    if (resolved.ok()) m_resolved = std::move(resolved).value();
    const ResolvedScenario *taken = m_resolved ? &*m_resolved : nullptr;
    for (KnobField *field : m_fields) {
        KnobField::Value value;
        value.json = knobValue(field->id(), *m_scenario, taken, *m_presets);
        if (taken) value.taken = knobTaken(field->id(), *taken);
        const auto need = taken ? missingNeed(field->id(), *m_scenario, *taken) : std::nullopt;
        if (need) value.need = knobNeedText(*need);
        value.changed = m_opened && knobValue(field->id(), *m_opened, nullptr, *m_presets) != knobValue(field->id(), *m_scenario, nullptr, *m_presets);
        field->setValue(value, m_catalogue.get());
        field->setProperty("changed", value.changed);
        // The lists hold the value in force alone until they are looked at, and this one is.
        if (focused() == field->id()) fillChoices(field->id());
    }
    filter();
}

void KnobList::fillChoices(KnobId id)
{
    if (!m_resolved || !m_catalogue) return;
    field(id)->setChoices(knobChoices(id, *m_scenario, *m_resolved, *m_catalogue, *m_presets), *m_catalogue);
}

void KnobList::showRefusal(KnobId id, const QString &sentence, const QString &repair) { field(id)->showRefusal(sentence, repair); }

void KnobList::setConsequences(KnobId id, const std::vector<FlagAlternative> &alternatives) { field(id)->setConsequences(alternatives); }

std::optional<KnobId> KnobList::focused() const
{
    for (const KnobField *field : m_fields)
        if (field->combo()->hasFocus() || (field->combo()->lineEdit() && field->combo()->lineEdit()->hasFocus())) return field->id();
    return std::nullopt;
}

void KnobList::focusSearch()
{
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

// A refused value is never filtered away: it has to be resolved.
void KnobList::filter()
{
    const QString wanted = m_search->text().trimmed();
    const bool changedOnly = m_changedOnly->isChecked();
    bool any = false;
    for (Group &group : m_groups) {
        bool some = false;
        for (KnobField *field : m_fields) {
            if (knob(field->id()).section != group.section) continue;
            const bool found = wanted.isEmpty() || knobName(field->id()).contains(wanted, Qt::CaseInsensitive) ||
                               QLatin1String(knob(field->id()).pointer).contains(wanted, Qt::CaseInsensitive) ||
                               knobSectionName(group.section).startsWith(wanted, Qt::CaseInsensitive);
            const bool shown = field->isRefused() || (found && (!changedOnly || field->property("changed").toBool()));
            field->setVisible(shown);
            some = some || shown;
        }
        const bool open = group.open || !wanted.isEmpty() || changedOnly;
        group.head->setVisible(some);
        group.head->setChecked(open);
        group.head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        group.body->setVisible(some && open);
        any = any || some;
    }
    m_nothing->setVisible(!any);
    m_nothing->setText(changedOnly && wanted.isEmpty() ? tr("Nothing is changed since the run was opened.")
                                                       : fillText(tr("No knob is called “%1”."), {wanted}));
}

// Down or Return goes from the search to what it found; Esc takes the search back.
bool KnobList::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_search || event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Escape && !m_search->text().isEmpty()) {
        m_search->clear();
        return true;
    }
    if (key != Qt::Key_Down && key != Qt::Key_Return && key != Qt::Key_Enter) return false;
    for (const KnobSection section : kOrder)
        for (KnobField *field : m_fields) {
            if (knob(field->id()).section != section || !field->isVisible() || !field->combo()->isEnabled()) continue;
            field->combo()->setFocus(Qt::ShortcutFocusReason);
            return true;
        }
    return true;
}

void KnobList::retranslate()
{
    m_title->setText(tr("Change the run"));
    m_changedOnly->setText(tr("Changed"));
    m_changedOnly->setToolTip(tr("Only what differs from the run as it was opened"));
    m_search->setPlaceholderText(tr("Find a knob"));
    m_search->setAccessibleName(tr("Find a knob"));
    m_search->setToolTip(tr("Part of a name: tensor, batch, NIC (Ctrl+K)"));
    for (const Group &group : m_groups) group.head->setText(knobSectionName(group.section));
    for (KnobField *field : m_fields) field->retranslate();
    fill();
}

void KnobList::restyle()
{
    for (KnobField *field : m_fields) field->restyle();
}

void KnobList::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
