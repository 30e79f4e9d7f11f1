// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/validation/validated_rows.h"
#include "views/shared/view_state.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include <optional>
#include <vector>

namespace clusterbeat {

/// The validated rows as a table. Rows are only appended (they come from a running job) until clear().
class ValidationModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Model, Error, Measured, Predicted, Accelerator, Gpus, Tier, Kind, Reason, Source, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole;      ///< numbers as numbers

    explicit ValidationModel(ViewState *state, QObject *parent = nullptr);
    void clear();
    void append(std::vector<ValidatedRow> rows);
    void retranslate();
    [[nodiscard]] const std::vector<ValidatedRow> &rows() const { return m_rows; }
    [[nodiscard]] const ValidatedRow &rowAt(int row) const { return m_rows[static_cast<std::size_t>(row)]; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString textOf(const ValidatedRow &row, int column) const;
    [[nodiscard]] QVariant sortKeyOf(const ValidatedRow &row, int column) const;

    ViewState *m_state;
    std::vector<ValidatedRow> m_rows;
};

/// Which of the rows are shown; every condition holds at once.
class ValidationFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    struct Conditions {
        QString tier, accelerator, source;              ///< "" = any
        std::optional<bool> moe;
        bool outOfRangeOnly = false;
        QString text;                                   ///< every word somewhere in model, source, accelerator or id
        friend bool operator==(const Conditions &, const Conditions &) = default;
    };
    explicit ValidationFilter(ValidationModel *model, QObject *parent = nullptr);
    void setConditions(const Conditions &conditions);
    [[nodiscard]] const Conditions &conditions() const { return m_conditions; }
    /// The rows that pass, in shown order.
    [[nodiscard]] std::vector<ValidatedRow> shownRows() const;

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    ValidationModel *m_model;
    Conditions m_conditions;
};

} // namespace clusterbeat
