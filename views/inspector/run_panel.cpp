// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/run_panel.h"

#include "views/inspector/active_list.h"
#include "views/inspector/panel_parts.h"
#include "views/inspector/run_edits.h"
#include "views/inspector/software_panel.h"
#include "views/shared/combo_accessible.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QFrame>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

namespace clusterbeat {
namespace {

constexpr int kFieldWidth = 100;
/// A value that the document leaves open; taking it removes the key.
const QLatin1String kAuto("auto");

bool isUndoOrRedo(const QKeyEvent &key) { return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo); }

} // namespace

RunPanel::RunPanel(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    installComboAccessibility();
    build();
    connect(state, &ViewState::themeChanged, this, &RunPanel::restyle);
    retranslate();
}

void RunPanel::build()
{
    auto *body = scrollingBody(this);
    m_layout = new QVBoxLayout(body);
    m_layout->setContentsMargins(12, 12, 12, 12);
    m_layout->setSpacing(6);
    m_active = new ActiveList(m_state, body);
    connect(m_active, &ActiveList::editRequested, this, &RunPanel::editRequested);
    m_layout->addWidget(m_active);
    m_layout->addWidget(separator(body));
    m_knobsTitle = roleLabel<QLabel>(body, "title");
    m_layout->addWidget(m_knobsTitle);
    for (const Knob knob : {Knob::Tensor, Knob::Pipeline, Knob::Virtual, Knob::Data, Knob::MicroBatch, Knob::GlobalBatch, Knob::Schedule,
                            Knob::Accelerator, Knob::Oversubscription, Knob::Profile})
        addField(knob);
    m_software = new SoftwarePanel(m_state, body);
    connect(m_software, &SoftwarePanel::editRequested, this, &RunPanel::editRequested);
    m_layout->addWidget(m_software);
    m_layout->addStretch(1);
}

// Names of accelerators and profiles are too long for the field's column: they stand under their label.
void RunPanel::addField(Knob knob)
{
    QWidget *body = m_knobsTitle->parentWidget();
    const bool wide = knob == Knob::Accelerator || knob == Knob::Profile || knob == Knob::Schedule;
    const bool editable = !(knob == Knob::Accelerator || knob == Knob::Profile || knob == Knob::Schedule);
    Field field{knob, new QLabel(body), new QComboBox(body), roleLabel<QLabel>(body, "error"), QString()};
    field.combo->setEditable(editable);
    field.combo->setInsertPolicy(QComboBox::NoInsert);
    field.combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    field.combo->setMinimumContentsLength(4);
    if (!wide) field.combo->setFixedWidth(static_cast<int>(kFieldWidth * m_state->theme().scale()));
    leaveWheelToPanel(field.combo);
    field.combo->installEventFilter(this);
    field.label->setBuddy(field.combo);
    field.error->setWordWrap(true);
    field.error->hide();
    if (editable) {
        field.combo->lineEdit()->installEventFilter(this);
        field.combo->setCompleter(nullptr);
        const auto withField = [this, knob](auto action) {
            for (Field &each : m_fields)
                if (each.knob == knob) action(each);
        };
        connect(field.combo->lineEdit(), &QLineEdit::editingFinished, this, [this, withField] { withField([this](Field &each) { apply(each); }); });
        connect(field.combo->lineEdit(), &QLineEdit::returnPressed, this, [this, withField] {
            withField([this](Field &each) {
                apply(each);
                leave(each);
            });
        });
        // A refusal is of the text that was there.
        connect(field.combo->lineEdit(), &QLineEdit::textEdited, this, [this, withField] {
            withField([this](Field &each) {
                each.sent.clear();
                if (each.knob == m_edited) showError(QString());
            });
        });
    }
    connect(field.combo, &QComboBox::activated, this, [this, knob] {
        for (Field &each : m_fields)
            if (each.knob == knob) apply(each);
    });
    if (wide) {
        m_layout->addWidget(field.label);
        m_layout->addWidget(field.combo);
    } else {
        auto *row = new QHBoxLayout;
        row->addWidget(field.label, 1);
        row->addWidget(field.combo);
        m_layout->addLayout(row);
    }
    m_layout->addWidget(field.error);
    m_fields.push_back(field);
}

QString RunPanel::nameOf(Knob knob) const
{
    switch (knob) {
    case Knob::Tensor: return tr("Tensor");
    case Knob::Pipeline: return tr("Pipeline");
    case Knob::Virtual: return tr("Virtual stages");
    case Knob::Data: return tr("Data");
    case Knob::MicroBatch: return tr("Micro-batch");
    case Knob::GlobalBatch: return tr("Global batch");
    case Knob::Schedule: return tr("Schedule");
    case Knob::Accelerator: return tr("Accelerator");
    case Knob::Oversubscription: return tr("Oversubscription");
    case Knob::Profile: return tr("Software profile");
    }
    return QString();
}

// The document's value, or what the simulation took where the document says nothing.
QString RunPanel::valueOf(Knob knob) const
{
    if (!m_scenario) return QString();
    const LayoutSection &layout = *m_scenario->layout;
    const Degrees *degrees = m_resultIsCurrent && m_result && m_result->scenario ? &m_result->scenario->degrees : nullptr;
    switch (knob) {
    case Knob::Tensor: return QString::number(layout.tensor);
    case Knob::Pipeline: return QString::number(layout.pipeline);
    case Knob::Virtual: return QString::number(layout.virtualPipeline.value_or(1));
    case Knob::Data: return layout.data ? QString::number(*layout.data) : QString(kAuto);
    case Knob::MicroBatch: return QString::number(m_scenario->training->microBatch);
    case Knob::GlobalBatch: return QString::number(m_scenario->training->globalBatch);
    case Knob::Schedule: {
        const auto implied = layout.virtualPipeline.value_or(1) != 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
        return scheduleKey(layout.schedule ? *layout.schedule : degrees ? degrees->schedule : implied);
    }
    case Knob::Accelerator:
        return QString::fromStdString(m_scenario->cluster->accelerator ? m_scenario->cluster->accelerator->name : m_scenario->cluster->acceleratorName);
    case Knob::Oversubscription:
        if (m_scenario->cluster->coreOversubscription) return QString::number(*m_scenario->cluster->coreOversubscription);
        return m_result && m_result->scenario ? QString::number(m_result->scenario->cluster.coreOversubscription) : QString();
    case Knob::Profile: return QString::fromStdString(m_scenario->software->profile);
    }
    return QString();
}

QStringList RunPanel::choicesOf(Knob knob) const
{
    const auto powers = [](int most) {
        QStringList list;
        for (int value = 1; value <= most; value *= 2) list << QString::number(value);
        return list;
    };
    switch (knob) {
    case Knob::Tensor: return powers(8);
    case Knob::Pipeline: return powers(32);
    case Knob::Virtual: return powers(16);
    case Knob::Data: return QStringList{QString(kAuto)} + powers(1024);
    case Knob::MicroBatch: return powers(8);
    case Knob::GlobalBatch: return powers(8192).mid(5);
    case Knob::Schedule: return {scheduleKey(ScheduleKind::GPipe), scheduleKey(ScheduleKind::OneFOneB), scheduleKey(ScheduleKind::Interleaved)};
    case Knob::Accelerator: return m_accelerators;
    case Knob::Oversubscription: return {QStringLiteral("1"), QStringLiteral("2"), QStringLiteral("3"), QStringLiteral("4"), QStringLiteral("7")};
    case Knob::Profile: return m_profiles;
    }
    return {};
}

QString RunPanel::shownOf(Knob knob, const QString &choice) const
{
    const Degrees *degrees = m_resultIsCurrent && m_result && m_result->scenario ? &m_result->scenario->degrees : nullptr;
    const auto automatic = [&](qint64 taken) { return degrees ? fillText(tr("auto (%1)"), {integerText(taken)}) : tr("auto"); };
    if (knob == Knob::Data && choice == kAuto) return automatic(degrees ? degrees->data : 0);
    if (knob == Knob::Virtual && choice == QLatin1String("0")) return automatic(degrees ? degrees->virtualPipeline : 0);
    if (knob == Knob::Profile) return profileName(choice);
    if (knob == Knob::Oversubscription) return QStringLiteral("1 : ") + choice;
    if (knob == Knob::Schedule)
        for (int i = 0; i <= static_cast<int>(ScheduleKind::Custom); ++i)
            if (scheduleKey(static_cast<ScheduleKind>(i)) == choice) return scheduleName(static_cast<ScheduleKind>(i));
    return choice;
}

void RunPanel::fillField(Field &field)
{
    const QSignalBlocker quiet(field.combo);
    const QString value = valueOf(field.knob);
    field.sent.clear();
    field.combo->clear();
    QStringList choices = choicesOf(field.knob);
    if (!value.isEmpty() && !choices.contains(value)) choices.prepend(value);
    for (const QString &choice : choices) field.combo->addItem(shownOf(field.knob, choice), choice);
    field.combo->setCurrentIndex(field.combo->findData(value));
    if (value.isEmpty() && field.combo->isEditable()) field.combo->setEditText(QString());
    if (field.combo->isEditable()) field.combo->lineEdit()->setCursorPosition(0);
    field.combo->setToolTip(field.combo->currentText());
}

void RunPanel::fillFields()
{
    for (Field &field : m_fields) fillField(field);
}

void RunPanel::setScenario(std::shared_ptr<const Scenario> scenario, const QStringList &accelerators, const QStringList &profiles)
{
    m_scenario = std::move(scenario);
    m_accelerators = accelerators;
    m_profiles = profiles;
    // What the simulation took follows with its result.
    m_resultIsCurrent = false;
    m_active->setScenario(m_scenario);
    showError(QString());
    fillFields();
}

void RunPanel::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = std::move(result);
    m_resultIsCurrent = m_result != nullptr;
    // A field that somebody is typing in, an open list and a refused text stay as they are.
    for (Field &field : m_fields) {
        const bool typing = field.combo->lineEdit() && field.combo->lineEdit()->isModified();
        if (!typing && !field.combo->view()->isVisible() && !field.combo->property("invalid").toBool()) fillField(field);
    }
}

RunPanel::Field *RunPanel::fieldOf(const QObject *widget)
{
    for (Field &field : m_fields)
        if (field.combo == widget || field.combo->lineEdit() == widget) return &field;
    return nullptr;
}

void RunPanel::apply(Field &field)
{
    if (!m_scenario) return;
    QString text = field.combo->currentText().trimmed();
    const int index = field.combo->findText(text);
    if (index >= 0) text = field.combo->itemData(index).toString();
    if ((field.knob == Knob::Data || field.knob == Knob::Virtual) && (text == tr("auto") || text == kAuto)) text = field.knob == Knob::Data ? QString(kAuto) : QStringLiteral("0");
    if (field.knob == Knob::Oversubscription) text = text.section(QLatin1Char(':'), -1).trimmed();
    if (text == valueOf(field.knob)) {
        field.sent.clear();
        if (field.combo->lineEdit()) field.combo->lineEdit()->setModified(false);
        if (m_edited == field.knob) showError(QString());
        return;
    }
    if (text == field.sent) return;
    field.sent = text;
    m_edited = field.knob;
    if (field.combo->lineEdit()) field.combo->lineEdit()->setModified(false);
    m_sending = true;
    send(field, text);
    m_sending = false;
}

// After Return the keys are the window's again; a refused text is there to be corrected.
void RunPanel::leave(Field &field)
{
    if (!field.combo->property("invalid").toBool()) field.combo->lineEdit()->clearFocus();
}

void RunPanel::send(Field &field, const QString &text)
{
    const QString label = fillText(tr("%1: %2"), {nameOf(field.knob), field.combo->currentText()});
    // Digits with the locale's separators are digits; anything else goes out as text and comes back as a clear refusal.
    bool isNumber = false;
    const double number = QLocale().toDouble(text, &isNumber);
    const bool isInteger = isNumber && number == static_cast<double>(static_cast<qint64>(number));
    const QString json = isInteger ? QString::number(static_cast<qint64>(number)) : isNumber ? QString::number(number, 'g', 12) : run_edits::jsonString(text);
    const auto degree = [&](const char *pointer) {
        const QString at = QLatin1String(pointer);
        Q_EMIT editRequested(isInteger ? run_edits::degree(*m_scenario, at, static_cast<qint64>(number), label) : QList<ScenarioEdit>{{at, json, label}});
    };
    const auto plain = [&](const char *pointer, const QString &value) { Q_EMIT editRequested(QList<ScenarioEdit>{{QLatin1String(pointer), value, label}}); };
    switch (field.knob) {
    case Knob::Tensor: degree("/layout/tensor"); break;
    case Knob::Pipeline: degree("/layout/pipeline"); break;
    case Knob::Virtual: degree("/layout/virtual_pipeline"); break;
    case Knob::Data:
        if (text == kAuto) plain("/layout/data", QString());
        else degree("/layout/data");
        break;
    case Knob::MicroBatch: plain("/training/micro_batch", json); break;
    case Knob::GlobalBatch: plain("/training/global_batch", json); break;
    case Knob::Schedule: Q_EMIT editRequested(run_edits::schedule(*m_scenario, text, label)); break;
    case Knob::Accelerator: plain("/cluster/accelerator", run_edits::jsonString(text)); break;
    case Knob::Oversubscription: plain("/cluster/core_oversubscription", json); break;
    case Knob::Profile: plain("/software/profile", run_edits::jsonString(text)); break;
    }
}

bool RunPanel::showError(const QString &text)
{
    if (!text.isEmpty() && !m_sending) return false;
    for (Field &field : m_fields) {
        const bool here = !text.isEmpty() && field.knob == m_edited;
        field.error->setText(here ? fillText(tr("%1: %2"), {nameOf(field.knob), text}) : QString());
        field.error->setVisible(here);
        QWidget *marked = field.combo;
        if (marked->property("invalid").toBool() == here) continue;
        marked->setProperty("invalid", here);
        marked->style()->unpolish(marked);
        marked->style()->polish(marked);
    }
    return !text.isEmpty();
}

void RunPanel::retranslate()
{
    setAccessibleName(tr("Run"));
    m_knobsTitle->setText(tr("Change the run"));
    for (Field &field : m_fields) {
        field.label->setText(nameOf(field.knob));
        field.combo->setAccessibleName(nameOf(field.knob));
        if (field.combo->lineEdit()) field.combo->lineEdit()->setAccessibleName(nameOf(field.knob));
    }
    fillFields();
}

void RunPanel::restyle()
{
    for (const Field &field : m_fields)
        if (field.combo->isEditable()) field.combo->setFixedWidth(static_cast<int>(kFieldWidth * m_state->theme().scale()));
    update();
}

QSize RunPanel::sizeHint() const { return {static_cast<int>(228 * m_state->theme().scale()), 600}; }

bool RunPanel::eventFilter(QObject *watched, QEvent *event)
{
    Field *field = fieldOf(watched);
    if (field && event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        showError(QString());
        fillFields();
        return true;
    }
    // A field without a text of its own has nothing to undo: the keys are the run's.
    if (field && event->type() == QEvent::ShortcutOverride && isUndoOrRedo(*static_cast<QKeyEvent *>(event)) &&
        !(field->combo->lineEdit() && field->combo->lineEdit()->isModified())) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void RunPanel::paintEvent(QPaintEvent *) { QPainter(this).fillRect(rect(), m_state->theme().panel); }

void RunPanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
