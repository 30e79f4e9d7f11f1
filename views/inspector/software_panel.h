// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/flag_costs.h"
#include "views/shared/intents.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace clusterbeat {

/// The training software's flags, each with what its other values would cost or save. Folded at first; unfolding asks
/// for the costs, which take a simulation each.
class SoftwarePanel final : public QWidget {
    Q_OBJECT
public:
    explicit SoftwarePanel(ViewState *state, QWidget *parent = nullptr);

    /// Null while they are not known for the scenario on show: the fields stay, without figures.
    void setCosts(std::shared_ptr<const FlagCosts> costs);
    /// Permille of the work done; below 0 = not at work.
    void setProgress(int permille);
    [[nodiscard]] bool isUnfolded() const;
    void setUnfolded(bool unfolded);

Q_SIGNALS:
    void unfolded(bool open);
    void cancelRequested();
    void editRequested(const QList<clusterbeat::ScenarioEdit> &edits);

protected:
    void changeEvent(QEvent *event) override;

private:
    struct Row {
        std::string pointer;
        QLabel *label = nullptr, *saving = nullptr;
        QComboBox *combo = nullptr;
    };

    void build();
    void fill();
    void addRow(const FlagCost &flag);
    void fillRow(Row &row, const FlagCost &flag);
    [[nodiscard]] QString itemText(const FlagCost &flag, const FlagAlternative &other) const;
    void choose(const Row &row, int index);
    void retranslate();

    ViewState *m_state;
    std::shared_ptr<const FlagCosts> m_costs;
    bool m_stale = false;
    QToolButton *m_head = nullptr;
    QWidget *m_body = nullptr, *m_work = nullptr;
    QLabel *m_note = nullptr;
    QProgressBar *m_progress = nullptr;
    QPushButton *m_cancel = nullptr;
    QVBoxLayout *m_list = nullptr;
    std::vector<std::unique_ptr<QWidget>> m_widgets;
    std::vector<Row> m_rows;
};

} // namespace clusterbeat
