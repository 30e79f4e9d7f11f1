// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/communication_account.h"
#include "views/shared/view_state.h"

#include <QAbstractTableModel>
#include <QWidget>

#include <memory>
#include <vector>

class QTableView;

namespace clusterbeat {

/// Communication by dimension: a column for each dimension that is used and one for all, a row for each part of its time,
/// seconds with three decimals; below them how it is done.
class CommunicationModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Row { Busy, Hidden, Exposed, Idle, Startup, Transfer, PeerWait, Algorithm, Link, RowCount };
    explicit CommunicationModel(QObject *parent = nullptr) : QAbstractTableModel(parent) {}
    void setTimes(std::shared_ptr<const IterationResult> result, const DimensionTimes &times);
    void retranslate();

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString figure(int column, Row row) const;
    [[nodiscard]] QString wayOf(int column, Row row, bool whole) const;
    [[nodiscard]] const DimensionReport *reportOf(int column) const;

    std::shared_ptr<const IterationResult> m_result;
    std::vector<Dimension> m_dimensions;            ///< by column; one more column sums them
    std::vector<std::vector<std::int64_t>> m_milliseconds;   ///< [column][row], the sum column last; every column and row adds up
};

/// The model in a table as high as its rows; reads the selected rank, or the mean of all ranks.
class CommunicationTable final : public QWidget {
    Q_OBJECT
public:
    explicit CommunicationTable(ViewState *state, QWidget *parent = nullptr);
    void setTimes(std::shared_ptr<const IterationResult> result, const DimensionTimes &times);
    void retranslate();
    void restyle();
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

private:
    ViewState *m_state;
    CommunicationModel *m_model;
    QTableView *m_table;
};

} // namespace clusterbeat
