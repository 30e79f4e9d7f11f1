// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"
#include "views/shared/intents.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <memory>
#include <vector>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace clusterbeat {

class Switch;

/// What is active on this run: one row a perturbation, with its switch, its place and a button that removes it. Rows are
/// updated in place, so the widget that reports an edit outlives the edit, and the focus stays where it was.
class ActiveList final : public QWidget {
    Q_OBJECT
public:
    explicit ActiveList(ViewState *state, QWidget *parent = nullptr);
    /// Complexity: linear in the perturbations; widgets are made and removed only when their number changes.
    void setScenario(std::shared_ptr<const Scenario> scenario);

Q_SIGNALS:
    /// One undo step, as RunPanel's.
    void editRequested(const QList<clusterbeat::ScenarioEdit> &edits);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Row {
        QWidget *widget;
        Switch *box;
        QLabel *where;
        QToolButton *remove;
    };

    void retranslate();
    void fill();
    void fillRow(const Row &row, const Perturbation &perturbation);
    void addRow();
    void dropLastRow();
    void requestEnabled(std::size_t index, bool on);
    void requestRemoval(std::size_t index);

    ViewState *m_state;
    std::shared_ptr<const Scenario> m_scenario;
    QLabel *m_title, *m_count, *m_nothing;
    QVBoxLayout *m_layout, *m_list;
    std::vector<Row> m_rows;
};

} // namespace clusterbeat
