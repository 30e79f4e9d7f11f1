// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/key_sheet.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace clusterbeat {

KeySheet::KeySheet(const std::vector<MenuBar::KeyHelp> &menuKeys, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    std::vector<MenuBar::KeyHelp> rows = menuKeys;
    const QString views = tr("Views"), pulse = tr("Pulse");
    const std::vector<MenuBar::KeyHelp> gestures{
        {tr("W  S"), tr("Timeline and map: zoom in and out"), views},
        {tr("A  D"), tr("Timeline and map: pan"), views},
        {tr("Ctrl + wheel"), tr("Zoom at the pointer"), views},
        {tr("Wheel"), tr("Scroll the lanes"), views},
        {tr("Shift or middle button + drag"), tr("Pan"), views},
        {tr("Drag in the timeline"), tr("Select a time range, with sums"), views},
        {tr("F"), tr("Fit the selection; again: everything"), views},
        {tr("Arrow keys, Enter"), tr("Move through the cluster, select"), views},
        {tr("Esc"), tr("Clear the selection, close a panel"), views},
        {tr("Click in the legend"), tr("Show this kind alone; again: all"), pulse},
        {tr("Shift + click in the legend"), tr("Hide this kind; again: show it"), pulse},
    };
    rows.insert(rows.end(), gestures.begin(), gestures.end());

    auto *model = new QStandardItemModel(static_cast<int>(rows.size()), 3, this);
    model->setHorizontalHeaderLabels({tr("Keys"), tr("What they do"), tr("Where")});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        model->setItem(static_cast<int>(i), 0, new QStandardItem(rows[i].keys));
        model->setItem(static_cast<int>(i), 1, new QStandardItem(rows[i].action));
        model->setItem(static_cast<int>(i), 2, new QStandardItem(rows[i].menu));
    }
    auto *table = new QTableView(this);
    auto *found = new QSortFilterProxyModel(this);
    found->setSourceModel(model);
    found->setFilterKeyColumn(-1);
    found->setFilterCaseSensitivity(Qt::CaseInsensitive);
    table->setModel(found);
    auto *filter = new QLineEdit(this);
    filter->setClearButtonEnabled(true);
    filter->setPlaceholderText(tr("Find a key or what it does"));
    filter->setAccessibleName(filter->placeholderText());
    connect(filter, &QLineEdit::textChanged, found, &QSortFilterProxyModel::setFilterFixedString);
    table->setAccessibleName(tr("Keys"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    table->horizontalHeader()->setSectionResizeMode(1, QHeaderView::Stretch);
    table->horizontalHeader()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
    table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(filter);
    column->addWidget(table);
    column->addWidget(buttons);
    resize(640, 660);       // fits a screen of 768 lines
}

} // namespace clusterbeat
