// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/search_layouts.h"
#include "views/shared/view_state.h"

#include <QDialog>

#include <memory>

class QCheckBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace clusterbeat {

class ParetoChart;
class SearchModel;

/// The search for better layouts: what may change, its progress, and what it found as a ranked table beside the front of
/// time and memory. It reports what somebody wants and shows what it is given.
class SearchDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SearchDialog(ViewState *state, QWidget *parent = nullptr);

    /// What a search may use, as set; `microBatch` and `schedule` are the run's.
    [[nodiscard]] CandidateSpace space(std::int64_t microBatch, ScheduleKind schedule) const;
    /// Permille of the work done; below 0 = not at work.
    void setProgress(int permille);
    void setResult(std::shared_ptr<const SearchResult> result);
    void say(const QString &sentence);

Q_SIGNALS:
    void searchRequested();
    void cancelRequested();
    void adoptRequested(const clusterbeat::LayoutChoice &choice);

protected:
    void changeEvent(QEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    void retranslate();
    void adopt();
    void showCurrent();

    ViewState *m_state;
    SearchModel *m_model;
    QTableView *m_table;
    ParetoChart *m_chart;
    QCheckBox *m_recompute, *m_keepMicroBatch, *m_keepSchedule;
    QPushButton *m_start, *m_cancel, *m_adopt, *m_close;
    QProgressBar *m_progress;
    QLabel *m_note;
};

} // namespace clusterbeat
