// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/link_report.h"
#include "views/shared/view_state.h"

#include <QDialog>

#include <memory>

class QLabel;
class QPushButton;
class QTableView;

namespace clusterbeat {

class LinkModel;

/// The load of each kind of link and the busiest links. A chosen row shows its place on the map; Enter or a double click
/// also goes to the moment when it is fullest. Does not keep the window from being used.
class LinksDialog final : public QDialog {
    Q_OBJECT
public:
    explicit LinksDialog(ViewState *state, QWidget *parent = nullptr);
    /// nullptr: not known yet.
    void setReport(std::shared_ptr<const LinkReport> report, TimeNs iteration);

Q_SIGNALS:
    void placeRequested(clusterbeat::GpuIndex gpu);

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void showKinds();
    void showPlace(int row);

    ViewState *m_state;
    LinkModel *m_model;
    QTableView *m_table;
    QLabel *m_kinds;
    QPushButton *m_close;
    std::shared_ptr<const LinkReport> m_report;
};

} // namespace clusterbeat
