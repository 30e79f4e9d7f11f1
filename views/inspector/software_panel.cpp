// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/software_panel.h"

#include "views/inspector/panel_parts.h"
#include "views/text/error_text.h"
#include "views/text/flag_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace clusterbeat {
namespace {

/// Below, a change of the iteration is noise to whoever reads seconds.
constexpr TimeNs kShownNs = 500'000;

QString changeText(TimeNs change)
{
    if (std::abs(change) < kShownNs) return QStringLiteral("±0");
    return durationText(change, QLocale(), Sign::Always);
}

TimeNs largestSaving(const FlagCost &flag)
{
    TimeNs saving = 0;
    for (const FlagAlternative &other : flag.alternatives)
        if (!other.error && other.fits) saving = std::max(saving, -other.change);
    return saving;
}

} // namespace

SoftwarePanel::SoftwarePanel(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    build();
    retranslate();
    setProgress(-1);
}

void SoftwarePanel::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    m_head = new QToolButton(this);
    m_head->setCheckable(true);
    m_head->setAutoRaise(true);
    m_head->setProperty("fold", true);
    m_head->setArrowType(Qt::RightArrow);
    m_head->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_head->setFocusPolicy(Qt::StrongFocus);
    column->addWidget(m_head);
    m_body = new QWidget(this);
    column->addWidget(m_body);
    auto *body = new QVBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(6);
    m_note = roleLabel<QLabel>(m_body, "secondary");
    m_note->setWordWrap(true);
    body->addWidget(m_note);
    m_work = new QWidget(m_body);
    auto *work = new QHBoxLayout(m_work);
    work->setContentsMargins(0, 0, 0, 0);
    m_progress = new QProgressBar(m_work);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_cancel = new QPushButton(m_work);
    work->addWidget(m_progress, 1);
    work->addWidget(m_cancel);
    body->addWidget(m_work);
    m_list = new QVBoxLayout;
    m_list->setSpacing(6);
    body->addLayout(m_list);
    m_body->hide();
    connect(m_cancel, &QPushButton::clicked, this, &SoftwarePanel::cancelRequested);
    connect(m_head, &QToolButton::toggled, this, [this](bool open) {
        m_head->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        m_body->setVisible(open);
        Q_EMIT unfolded(open);
    });
}

bool SoftwarePanel::isUnfolded() const { return m_head->isChecked(); }
void SoftwarePanel::setUnfolded(bool unfolded) { m_head->setChecked(unfolded); }

void SoftwarePanel::setProgress(int permille)
{
    m_work->setVisible(permille >= 0);
    m_progress->setValue(std::max(0, permille));
}

void SoftwarePanel::setCosts(std::shared_ptr<const FlagCosts> costs)
{
    m_stale = costs == nullptr;
    if (costs) m_costs = std::move(costs);
    fill();
}

void SoftwarePanel::fill()
{
    const std::size_t flags = m_costs ? m_costs->flags.size() : 0;
    const bool same = flags == m_rows.size() && std::equal(m_rows.begin(), m_rows.end(), m_costs ? m_costs->flags.begin() : std::vector<FlagCost>::const_iterator(),
                                                           [](const Row &row, const FlagCost &flag) { return row.pointer == flag.pointer; });
    if (!same) {
        m_rows.clear();
        m_widgets.clear();
        for (std::size_t i = 0; i < flags; ++i) addRow(m_costs->flags[i]);
    }
    for (std::size_t i = 0; i < flags; ++i) fillRow(m_rows[i], m_costs->flags[i]);
}

void SoftwarePanel::addRow(const FlagCost &flag)
{
    auto cell = std::make_unique<QWidget>(m_body);
    auto *column = new QVBoxLayout(cell.get());
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    // A long name and what could be saved wrap, each on lines of its own: neither is cut, nor makes the panel wider.
    Row row{flag.pointer, new QLabel(cell.get()), roleLabel<QLabel>(cell.get(), "secondary"), new QComboBox(cell.get())};
    row.label->setWordWrap(true);
    row.saving->setWordWrap(true);
    column->addWidget(row.label);
    column->addWidget(row.saving);
    column->addWidget(row.combo);
    row.label->setBuddy(row.combo);
    row.combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    row.combo->setMinimumContentsLength(4);
    leaveWheelToPanel(row.combo);
    const std::size_t index = m_rows.size();
    connect(row.combo, &QComboBox::activated, this, [this, index](int chosen) { choose(m_rows[index], chosen); });
    m_list->addWidget(cell.get());
    m_widgets.push_back(std::move(cell));
    m_rows.push_back(row);
}

QString SoftwarePanel::itemText(const FlagCost &flag, const FlagAlternative &other) const
{
    const QString name = flagValueName(flag.pointer, other.json);
    if (m_stale) return name;
    if (other.error) return fillText(tr("%1   not possible"), {name});
    if (!other.fits) return fillText(tr("%1   %2, does not fit"), {name, changeText(other.change)});
    return fillText(tr("%1   %2"), {name, changeText(other.change)});
}

void SoftwarePanel::fillRow(Row &row, const FlagCost &flag)
{
    const QSignalBlocker quiet(row.combo);
    const QString name = flagName(flag.pointer);
    row.label->setText(name);
    row.label->setToolTip(flagDescription(flag.pointer));
    const TimeNs saving = m_stale ? 0 : largestSaving(flag);
    row.saving->setText(saving < kShownNs ? QString() : fillText(tr("could save %1"), {durationText(saving)}));
    row.saving->setHidden(row.saving->text().isEmpty());
    row.combo->clear();
    row.combo->addItem(flagValueName(flag.pointer, flag.json), QString::fromStdString(flag.json));
    for (const FlagAlternative &other : flag.alternatives) {
        row.combo->addItem(itemText(flag, other), QString::fromStdString(other.json));
        const int last = row.combo->count() - 1;
        if (other.error) row.combo->setItemData(last, errorText(*other.error), Qt::ToolTipRole);
    }
    row.combo->setCurrentIndex(0);
    row.combo->setToolTip(flagDescription(flag.pointer));
    row.combo->setAccessibleName(row.saving->text().isEmpty() ? name : name + QStringLiteral(", ") + row.saving->text());
}

void SoftwarePanel::choose(const Row &row, int index)
{
    const QString json = row.combo->itemData(index).toString();
    if (index == 0 || !m_costs) return;
    const QString value = flagValueName(row.pointer, json.toStdString());
    Q_EMIT editRequested({{QString::fromStdString(row.pointer), json, fillText(tr("%1: %2"), {flagName(row.pointer), value})}});
    // The document answers with new costs; until then, and when it refuses, the value in force stands.
    const QSignalBlocker quiet(row.combo);
    row.combo->setCurrentIndex(0);
}

void SoftwarePanel::retranslate()
{
    m_head->setText(tr("Software, flag by flag"));
    m_head->setToolTip(tr("What every flag of the training software costs or saves here: one simulation each"));
    m_note->setText(tr("Seconds are the change of this iteration with just that value; estimates of the calibrated cost model."));
    m_progress->setAccessibleName(tr("Flags simulated"));
    m_cancel->setText(tr("Cancel"));
    fill();
}

void SoftwarePanel::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
