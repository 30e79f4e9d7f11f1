// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/search_dialog.h"

#include "views/charts/pareto_chart.h"
#include "views/charts/search_model.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCheckBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace clusterbeat {

SearchDialog::SearchDialog(ViewState *state, QWidget *parent)
    : QDialog(parent), m_state(state), m_model(new SearchModel(this)), m_table(new QTableView(this)), m_chart(new ParetoChart(state, this)),
      m_recompute(new QCheckBox(this)), m_keepMicroBatch(new QCheckBox(this)), m_keepSchedule(new QCheckBox(this)),
      m_start(new QPushButton(this)), m_cancel(new QPushButton(this)), m_adopt(new QPushButton(this)), m_close(new QPushButton(this)),
      m_progress(new QProgressBar(this)), m_note(new QLabel(this))
{
    build();
    retranslate();
    setProgress(-1);
    showCurrent();
    resize(qRound(1180 * state->theme().scale()), qRound(620 * state->theme().scale()));
}

void SearchDialog::build()
{
    auto *column = new QVBoxLayout(this);
    auto *options = new QHBoxLayout;
    m_recompute->setChecked(true);
    for (QWidget *each : std::initializer_list<QWidget *>{m_recompute, m_keepMicroBatch, m_keepSchedule}) options->addWidget(each);
    options->addStretch(1);
    options->addWidget(m_progress);
    options->addWidget(m_cancel);
    options->addWidget(m_start);
    column->addLayout(options);
    m_note->setWordWrap(true);
    m_note->setProperty("role", QLatin1String("secondary"));
    column->addWidget(m_note);
    auto *halves = new QSplitter(Qt::Horizontal, this);
    halves->addWidget(m_table);
    halves->addWidget(m_chart);
    halves->setStretchFactor(0, 3);
    halves->setStretchFactor(1, 2);
    halves->setChildrenCollapsible(false);
    column->addWidget(halves, 1);
    auto *bottom = new QHBoxLayout;
    bottom->addStretch(1);
    bottom->addWidget(m_close);
    bottom->addWidget(m_adopt);
    column->addLayout(bottom);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_start->setProperty("primary", true);
    m_start->setDefault(true);
    for (QPushButton *each : {m_cancel, m_adopt, m_close}) each->setAutoDefault(false);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->verticalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    connect(m_start, &QPushButton::clicked, this, &SearchDialog::searchRequested);
    connect(m_cancel, &QPushButton::clicked, this, &SearchDialog::cancelRequested);
    connect(m_adopt, &QPushButton::clicked, this, &SearchDialog::adopt);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_table, &QTableView::activated, this, &SearchDialog::adopt);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &SearchDialog::showCurrent);
    connect(m_chart, &ParetoChart::chosen, this, [this](const LayoutChoice &choice) {
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (m_model->layoutAt(row)->choice == choice) m_table->selectRow(row);
    });
}

CandidateSpace SearchDialog::space(std::int64_t microBatch, ScheduleKind schedule) const
{
    CandidateSpace space;
    if (!m_recompute->isChecked()) {
        space.recompute = {RecomputeMode::None};
        space.recomputeQuarters.clear();
    }
    if (m_keepMicroBatch->isChecked()) space.largestMicroBatch = microBatch;
    if (m_keepSchedule->isChecked() && schedule != ScheduleKind::Custom) space.schedules = {schedule};
    return space;
}

void SearchDialog::setProgress(int permille)
{
    const bool works = permille >= 0;
    m_progress->setVisible(works);
    m_cancel->setVisible(works);
    m_progress->setValue(std::max(0, permille));
    m_start->setEnabled(!works);
}

void SearchDialog::setResult(std::shared_ptr<const SearchResult> result)
{
    m_chart->setResult(result);
    if (result)
        say(fillText(tr("%1 layouts are possible, %2 were simulated, the others are ruled out by bounds. Enter takes the chosen one."),
                     {integerText(static_cast<qint64>(result->valid)), integerText(static_cast<qint64>(result->executed))}));
    m_model->setResult(std::move(result));
    m_table->resizeColumnsToContents();
    if (m_model->rowCount() > 0) m_table->selectRow(0);
    showCurrent();
}

void SearchDialog::say(const QString &sentence) { m_note->setText(sentence); }

void SearchDialog::showCurrent()
{
    const FoundLayout *found = m_model->layoutAt(m_table->currentIndex().row());
    m_chart->setCurrent(found);
    m_adopt->setEnabled(found != nullptr);
}

void SearchDialog::adopt()
{
    if (const FoundLayout *found = m_model->layoutAt(m_table->currentIndex().row())) Q_EMIT adoptRequested(LayoutChoice(found->choice));
}

void SearchDialog::retranslate()
{
    setWindowTitle(tr("Find a better layout"));
    m_recompute->setText(tr("May recompute activations"));
    m_keepMicroBatch->setText(tr("Micro-batch no larger than now"));
    m_keepSchedule->setText(tr("Keep the schedule"));
    m_start->setText(tr("Search"));
    m_cancel->setText(tr("Cancel"));
    m_adopt->setText(tr("Take this layout"));
    m_close->setText(tr("Close"));
    m_progress->setAccessibleName(tr("Layouts searched"));
    m_table->setAccessibleName(tr("Layouts found, fastest first"));
    say(tr("The fastest layouts of this model on this cluster, with the same global batch, without perturbations."));
}

// What nobody looks at is not worth the processor.
void SearchDialog::hideEvent(QHideEvent *event)
{
    if (!event->spontaneous()) Q_EMIT cancelRequested();
    QDialog::hideEvent(event);
}

void SearchDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace clusterbeat
