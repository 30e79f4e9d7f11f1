// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_report.h"
#include "views/shared/intents.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace clusterbeat {

/// What an import read and assumed, a row each: what, value, origin, key and line in the file, reason. The value of a row
/// that sets something can be changed in place: setData asks by editRequested and waits for setScenario.
class ImportModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { What, Value, Origin, Key, Reason, ColumnCount };
    enum Role { OriginRole = Qt::UserRole };

    ImportModel(ImportReport report, const Scenario &imported, QObject *parent = nullptr);

    /// The document has other values now.
    void setScenario(const Scenario &scenario);
    [[nodiscard]] const ImportReport &report() const { return m_report; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex &index) const override;
    bool setData(const QModelIndex &index, const QVariant &value, int role) override;

Q_SIGNALS:
    void editRequested(const clusterbeat::ScenarioEdit &edit);

private:
    ImportReport m_report;
    QStringList m_atImport;    ///< the scenario's values then, "" where the file format leaves a default out
    QStringList m_values;      ///< shown
};

/// Rows whose texts contain the filter's, of one origin or of all.
class ImportFilter final : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit ImportFilter(QObject *parent = nullptr);
    /// -1: all.
    void setOrigin(int origin);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex &parent) const override;

private:
    int m_origin = -1;
};

/// In the reader's language.
[[nodiscard]] QString importOriginText(ImportOrigin origin);

} // namespace clusterbeat
