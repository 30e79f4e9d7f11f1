// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/key_sheet.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

namespace clusterbeat {

KeySheet::KeySheet(const std::vector<MenuBar::KeyHelp> &menuKeys, QWidget *parent) : QDialog(parent)
{
    setWindowTitle(tr("Keys"));
    std::vector<MenuBar::KeyHelp> rows = menuKeys;
    const std::vector<MenuBar::KeyHelp> gestures{
        {tr("W  S"), tr("Timeline and map: zoom in and out")},
        {tr("A  D"), tr("Timeline and map: pan")},
        {tr("Ctrl + wheel"), tr("Zoom at the pointer")},
        {tr("Wheel"), tr("Scroll the lanes")},
        {tr("Shift or middle button + drag"), tr("Pan")},
        {tr("Drag in the timeline"), tr("Select a time range, with sums")},
        {tr("F"), tr("Fit the selection; again: everything")},
        {tr("Arrow keys, Enter"), tr("Move through the cluster, select")},
        {tr("Esc"), tr("Clear the selection, close a panel")},
    };
    rows.insert(rows.end(), gestures.begin(), gestures.end());

    auto *model = new QStandardItemModel(static_cast<int>(rows.size()), 2, this);
    model->setHorizontalHeaderLabels({tr("Keys"), tr("What they do")});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        model->setItem(static_cast<int>(i), 0, new QStandardItem(rows[i].keys));
        model->setItem(static_cast<int>(i), 1, new QStandardItem(rows[i].action));
    }
    auto *table = new QTableView(this);
    table->setModel(model);
    table->setAccessibleName(tr("Keys"));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionMode(QAbstractItemView::NoSelection);
    table->setShowGrid(false);
    table->verticalHeader()->hide();
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setHighlightSections(false);
    table->resizeColumnsToContents();
    table->horizontalHeader()->setStretchLastSection(true);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto *column = new QVBoxLayout(this);
    column->addWidget(table);
    column->addWidget(buttons);
    resize(560, 720);
}

} // namespace clusterbeat
