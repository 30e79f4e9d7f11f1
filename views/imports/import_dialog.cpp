// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/imports/import_dialog.h"

#include "views/imports/import_model.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr ImportOrigin kOrigins[] = {ImportOrigin::Read, ImportOrigin::Assumed, ImportOrigin::NotSimulated, ImportOrigin::NotUnderstood, ImportOrigin::NoEffect};

int countOf(const ImportReport &report, ImportOrigin origin)
{
    return static_cast<int>(std::count_if(report.begin(), report.end(), [&](const ImportRow &row) { return row.origin == origin; }));
}

} // namespace

ImportDialog::ImportDialog(const QString &file, ImportReport report, const Scenario &imported, QWidget *parent)
    : QDialog(parent), m_model(new ImportModel(std::move(report), imported, this)), m_filter(new ImportFilter(this)), m_table(new QTableView(this)), m_message(new QLabel(this))
{
    setWindowTitle(tr("Imported: %1").arg(file));
    setObjectName(QStringLiteral("importDialog"));
    m_filter->setSourceModel(m_model);
    build(file);
    connect(m_model, &ImportModel::editRequested, this, &ImportDialog::editRequested);
    resize(960, 520);
}

void ImportDialog::build(const QString &file)
{
    auto *summary = new QLabel(tr("%1 is a new run. What the file does not say was assumed; values can be changed here.").arg(file), this);
    summary->setTextFormat(Qt::PlainText);
    summary->setWordWrap(true);
    auto *text = new QLineEdit(this);
    text->setPlaceholderText(tr("Filter"));
    text->setAccessibleName(tr("Filter the rows of the import"));
    text->setClearButtonEnabled(true);
    connect(text, &QLineEdit::textChanged, m_filter, &QSortFilterProxyModel::setFilterFixedString);
    auto *origin = new QComboBox(this);
    origin->setAccessibleName(tr("Origin of the rows"));
    origin->addItem(tr("All (%1)").arg(m_model->rowCount()), -1);
    for (const ImportOrigin each : kOrigins)
        origin->addItem(QStringLiteral("%1 (%2)").arg(importOriginText(each)).arg(countOf(m_model->report(), each)), static_cast<int>(each));
    connect(origin, &QComboBox::currentIndexChanged, this, [this, origin] { m_filter->setOrigin(origin->currentData().toInt()); });

    m_table->setModel(m_filter);
    m_table->setAccessibleName(tr("What the import read and assumed"));
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    m_table->setTabKeyNavigation(false);
    m_table->setAlternatingRowColors(true);
    m_table->setWordWrap(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setStretchLastSection(true);
    constexpr int kWidths[] = {210, 150, 110, 260};
    for (int column = 0; column < 4; ++column) m_table->setColumnWidth(column, kWidths[column]);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setWordWrap(true);
    m_message->setVisible(false);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton *change = buttons->addButton(tr("Change the &value"), QDialogButtonBox::ActionRole);
    change->setAutoDefault(false);
    connect(change, &QPushButton::clicked, this, &ImportDialog::changeCurrent);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);

    auto *row = new QHBoxLayout;
    row->addWidget(text, 1);
    row->addWidget(origin);
    auto *column = new QVBoxLayout(this);
    column->addWidget(summary);
    column->addLayout(row);
    column->addWidget(m_table, 1);
    column->addWidget(m_message);
    column->addWidget(buttons);
    m_table->setFocus();
    if (m_filter->rowCount() > 0) m_table->setCurrentIndex(m_filter->index(0, ImportModel::Value));
}

void ImportDialog::changeCurrent()
{
    const QModelIndex index = m_table->currentIndex().siblingAtColumn(ImportModel::Value);
    if (!index.isValid()) return;
    m_table->setCurrentIndex(index);
    if (index.flags() & Qt::ItemIsEditable) m_table->edit(index);
    else setMessage(tr("This row sets nothing that can be changed."));
}

void ImportDialog::setScenario(const Scenario &scenario) { m_model->setScenario(scenario); }

void ImportDialog::setMessage(const QString &message)
{
    m_message->setText(message);
    m_message->setAccessibleName(message);
    m_message->setVisible(!message.isEmpty());
}

} // namespace clusterbeat
