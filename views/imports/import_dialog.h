// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_report.h"
#include "views/shared/intents.h"

#include <QDialog>

class QLabel;
class QTableView;

namespace clusterbeat {

class ImportFilter;
class ImportModel;

/// What an import read, assumed and could not take, as a table that filters and whose values can be changed. It does not
/// block the window; whoever opens it keeps it up to date.
class ImportDialog final : public QDialog {
    Q_OBJECT
public:
    ImportDialog(const QString &file, ImportReport report, const Scenario &imported, QWidget *parent = nullptr);

    void setScenario(const Scenario &scenario);
    /// Under the table: why the last change was refused; "" takes it away.
    void setMessage(const QString &message);
    [[nodiscard]] QTableView *table() const { return m_table; }

Q_SIGNALS:
    void editRequested(const clusterbeat::ScenarioEdit &edit);

private:
    void build(const QString &file);
    void changeCurrent();

    ImportModel *m_model;
    ImportFilter *m_filter;
    QTableView *m_table;
    QLabel *m_message;
};

} // namespace clusterbeat
