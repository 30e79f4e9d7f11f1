// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/links_dialog.h"

#include "views/charts/link_model.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

namespace clusterbeat {

LinksDialog::LinksDialog(ViewState *state, QWidget *parent)
    : QDialog(parent), m_state(state), m_model(new LinkModel(this)), m_table(new QTableView(this)), m_kinds(new QLabel(this)),
      m_close(new QPushButton(this))
{
    auto *column = new QVBoxLayout(this);
    m_kinds->setWordWrap(true);
    m_kinds->setProperty("role", QLatin1String("secondary"));
    column->addWidget(m_kinds);
    column->addWidget(m_table, 1);
    auto *bottom = new QHBoxLayout;
    bottom->addStretch(1);
    bottom->addWidget(m_close);
    column->addLayout(bottom);
    m_close->setAutoDefault(false);
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTextElideMode(Qt::ElideMiddle);
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(LinkModel::Place, QHeaderView::Stretch);
    connect(m_close, &QPushButton::clicked, this, &QDialog::close);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &now) { showPlace(now.row()); });
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex &index) { showPlace(index.row()); });
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex &index) {
        showPlace(index.row());
        m_state->setPlayhead(m_model->fullestAt(index.row()));
    });
    retranslate();
    resize(qRound(880 * state->theme().scale()), qRound(380 * state->theme().scale()));
}

void LinksDialog::setReport(std::shared_ptr<const LinkReport> report, TimeNs iteration)
{
    m_report = report;
    m_model->setReport(std::move(report), iteration);
    showKinds();
}

void LinksDialog::showPlace(int row)
{
    if (const LinkReport::Link *link = m_model->linkAt(row); link && link->gpu != kNone) Q_EMIT placeRequested(link->gpu);
}

void LinksDialog::showKinds()
{
    const QString loads = m_report ? linkKindTexts(*m_report).join(QStringLiteral(" · ")) : tr("Being computed…");
    m_kinds->setText(tr("Mean load of all links of a kind over the iteration, and the fullest moment of one: %1").arg(loads));
}

void LinksDialog::retranslate()
{
    setWindowTitle(tr("Busiest links"));
    m_close->setText(tr("Close"));
    m_table->setAccessibleName(tr("Busiest links, fullest first"));
    m_model->retranslate();
    showKinds();
}

void LinksDialog::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace clusterbeat
