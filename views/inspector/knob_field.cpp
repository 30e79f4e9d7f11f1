// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/knob_field.h"

#include "views/inspector/choice_list.h"
#include "views/inspector/panel_parts.h"
#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/knob_text.h"

#include <QAbstractItemView>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStandardItemModel>
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kFieldWidth = 104;

/// Names too long for the field's column stand under their label.
bool isWide(KnobId id)
{
    return id == KnobId::Accelerator || id == KnobId::Profile || id == KnobId::Schedule || id == KnobId::Model || id == KnobId::Training ||
           id == KnobId::ZeroStage || id == KnobId::Recompute;
}

bool isUndoOrRedo(const QKeyEvent &key) { return key.matches(QKeySequence::Undo) || key.matches(QKeySequence::Redo); }

ChoiceTone toneOf(const FlagAlternative &alternative)
{
    constexpr TimeNs kShownNs = 500'000;
    if (!alternative.fits) return ChoiceTone::Worse;
    const bool better = alternative.tokens != 1.0 ? alternative.throughput > 1.0005 : alternative.change <= -kShownNs;
    return better ? ChoiceTone::Better : ChoiceTone::Plain;
}

} // namespace

KnobField::KnobField(const Knob &knob, ViewState *state, QWidget *parent)
    : QWidget(parent), m_knob(knob), m_state(state), m_label(new QLabel(this)), m_error(roleLabel<QLabel>(this, "error")),
      m_combo(new ChoiceCombo(state, this)), m_repair(new QPushButton(this))
{
    build();
    restyle();
    retranslate();
}

void KnobField::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    m_combo->setEditable(m_knob.kind != KnobKind::Choice);
    m_combo->setInsertPolicy(QComboBox::NoInsert);
    m_combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_combo->setMinimumContentsLength(4);
    leaveWheelToPanel(m_combo);
    m_combo->installEventFilter(this);
    m_label->setBuddy(m_combo);
    m_label->setWordWrap(true);
    if (isWide(m_knob.id)) {
        column->addWidget(m_label);
        column->addWidget(m_combo);
    } else {
        auto *row = new QHBoxLayout;
        row->setSpacing(6);
        row->addWidget(m_label, 1);
        row->addWidget(m_combo);
        column->addLayout(row);
    }
    m_error->setWordWrap(true);
    m_repair->setProperty("compact", true);
    column->addWidget(m_error);
    column->addWidget(m_repair, 0, Qt::AlignLeft);
    m_error->hide();
    m_repair->hide();
    // Queued: the row changes as an answer to its own button.
    connect(m_repair, &QPushButton::clicked, this, [this] { Q_EMIT repairRequested(m_knob.id); }, Qt::QueuedConnection);
    connect(m_combo, &QComboBox::activated, this, &KnobField::apply);
    connect(m_combo, &ChoiceCombo::aboutToShow, this, [this] { Q_EMIT choicesWanted(m_knob.id); });
    if (!m_combo->isEditable()) return;
    m_combo->setCompleter(nullptr);
    QLineEdit *line = m_combo->lineEdit();
    line->installEventFilter(this);
    connect(line, &QLineEdit::editingFinished, this, &KnobField::apply);
    // After Return the keys are the window's again; a refused text is there to be corrected.
    connect(line, &QLineEdit::returnPressed, this, [this, line] {
        apply();
        if (!m_refused) line->clearFocus();
    });
    // A refusal is of the text that was there.
    connect(line, &QLineEdit::textEdited, this, &KnobField::clearRefusal);
}

QString KnobField::shownValue() const { return knobValueText(m_knob.id, m_value.json, m_value.taken, m_catalogue); }

void KnobField::setValue(const Value &value, const Catalogue *catalogue)
{
    m_value = value;
    m_catalogue = catalogue;
    clearRefusal();
    m_label->setText(m_value.changed ? knobName(m_knob.id) + QStringLiteral(" •") : knobName(m_knob.id));
    const bool applies = value.need.isEmpty();
    m_combo->setEnabled(applies);
    m_label->setEnabled(applies);
    const QString tip = applies ? knobDescription(m_knob.id) : value.need + QLatin1Char('\n') + knobDescription(m_knob.id);
    for (QWidget *each : std::initializer_list<QWidget *>{m_label, m_combo}) each->setToolTip(tip);
    m_combo->setAccessibleDescription(tip);
    showValue();
}

// Only the value in force until somebody looks: lists of all knobs would be filled anew with every change.
void KnobField::showValue()
{
    const QSignalBlocker quiet(m_combo);
    m_combo->clear();
    m_combo->addItem(shownValue(), QString::fromStdString(m_value.json));
    m_combo->setCurrentIndex(0);
    if (m_combo->isEditable()) {
        m_combo->lineEdit()->setModified(false);
        m_combo->lineEdit()->setCursorPosition(0);
    }
}

void KnobField::setChoices(const std::vector<std::string> &choices, const Catalogue &catalogue)
{
    const QSignalBlocker quiet(m_combo);
    // A text that is being typed or was refused stays.
    const QString text = m_combo->currentText();
    const bool own = m_combo->isEditable() && (m_combo->lineEdit()->isModified() || m_refused);
    m_combo->clear();
    std::vector<std::string> all = choices;
    if (std::find(all.begin(), all.end(), m_value.json) == all.end()) all.insert(all.begin(), m_value.json);
    std::string_view vendor;
    for (const std::string &json : all) {
        const std::string_view its = m_knob.id == KnobId::Accelerator && json.size() > 2 ? vendorOf(std::string_view(json).substr(1)) : std::string_view();
        if (m_combo->count() > 0 && its != vendor) m_combo->insertSeparator(m_combo->count());
        vendor = its;
        m_combo->addItem(knobValueText(m_knob.id, json, json.empty() ? m_value.taken : std::string(), &catalogue), QString::fromStdString(json));
        m_combo->setItemData(m_combo->count() - 1, knobValueDetail(m_knob.id, json, catalogue), kChoiceDetail);
    }
    m_combo->setCurrentIndex(m_combo->findData(QString::fromStdString(m_value.json)));
    if (!own) return;
    m_combo->setEditText(text);
    m_combo->lineEdit()->setModified(!m_refused);
}

void KnobField::setConsequences(const std::vector<FlagAlternative> &alternatives)
{
    auto *model = qobject_cast<QStandardItemModel *>(m_combo->model());
    for (const FlagAlternative &each : alternatives) {
        const int row = m_combo->findData(QString::fromStdString(each.json));
        if (row < 0 || !model) continue;
        QStandardItem *item = model->item(row);
        item->setEnabled(!each.error);
        const QString reason = each.error ? editErrorText(*each.error) : QString();
        item->setData(each.error ? errorParts(*each.error).what : consequenceText(m_knob.id, each), kChoiceConsequence);
        item->setData(static_cast<int>(each.error ? ChoiceTone::Plain : toneOf(each)), kChoiceTone);
        item->setToolTip(reason);
        const QString spoken = each.error ? reason : item->data(kChoiceConsequence).toString();
        item->setData(spoken, Qt::AccessibleDescriptionRole);
    }
    m_combo->fitPopup();
}

std::string KnobField::typed() const
{
    const QString text = m_combo->currentText();
    const int index = m_combo->findText(text);
    if (index >= 0) return m_combo->itemData(index, kChoiceJson).toString().toStdString();
    return knobJson(m_knob.id, text);
}

void KnobField::apply()
{
    const std::string json = typed();
    if (json == m_value.json) {
        if (m_refused || (m_combo->lineEdit() && m_combo->lineEdit()->isModified())) {
            clearRefusal();
            showValue();
        }
        return;
    }
    if (m_hasSent && json == m_sent) return;
    m_sent = json;
    m_hasSent = true;
    if (m_combo->lineEdit()) m_combo->lineEdit()->setModified(false);
    Q_EMIT turned(m_knob.id, QString::fromStdString(json));
}

void KnobField::showRefusal(const QString &sentence, const QString &repair)
{
    m_refused = !sentence.isEmpty();
    m_error->setText(sentence);
    m_error->setVisible(m_refused);
    m_repair->setText(repair);
    m_repair->setVisible(m_refused && !repair.isEmpty());
    m_combo->setAccessibleDescription(m_refused ? sentence : m_combo->toolTip());
    if (m_combo->property("invalid").toBool() == m_refused) return;
    m_combo->setProperty("invalid", m_refused);
    m_combo->style()->unpolish(m_combo);
    m_combo->style()->polish(m_combo);
}

void KnobField::clearRefusal()
{
    m_hasSent = false;
    showRefusal({}, {});
}

void KnobField::retranslate()
{
    m_combo->setAccessibleName(knobName(m_knob.id));
    if (m_combo->lineEdit()) m_combo->lineEdit()->setAccessibleName(knobName(m_knob.id));
    setValue(Value(m_value), m_catalogue);
}

void KnobField::restyle()
{
    if (!isWide(m_knob.id)) m_combo->setFixedWidth(static_cast<int>(kFieldWidth * m_state->theme().scale()));
}

bool KnobField::eventFilter(QObject *watched, QEvent *event)
{
    QLineEdit *line = m_combo->lineEdit();
    if (event->type() == QEvent::FocusIn && !m_combo->view()->isVisible()) {
        Q_EMIT choicesWanted(m_knob.id);
        // After the click that gave the focus, which would put the cursor. The list is the text's proxy for the focus.
        if (line) QTimer::singleShot(0, line, &QLineEdit::selectAll);
    }
    // A double click takes all of "auto (128)", not a word of it.
    if (watched == line && event->type() == QEvent::MouseButtonDblClick) {
        QTimer::singleShot(0, line, &QLineEdit::selectAll);
        return true;
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape &&
        (m_refused || (line && line->isModified()))) {
        clearRefusal();
        showValue();
        return true;
    }
    // A field without a text of its own has nothing to undo: the keys are the run's.
    if (event->type() == QEvent::ShortcutOverride && isUndoOrRedo(*static_cast<QKeyEvent *>(event)) && !(line && line->isModified())) {
        event->ignore();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace clusterbeat
