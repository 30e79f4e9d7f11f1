// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"

#include <QStatusBar>
#include <QTimer>

#include <memory>

class QLabel;
class QProgressBar;
class QPushButton;

namespace clusterbeat {

/// Simulated size and time at the left, visible range, selection and the key sheet at the right; while a simulation runs
/// longer than 0.3 s its progress with Cancel.
class StatusLine final : public QStatusBar {
    Q_OBJECT
public:
    explicit StatusLine(ViewState *state, QWidget *parent = nullptr);
    void setResult(std::shared_ptr<const IterationResult> result, double milliseconds);
    void setBusy(bool busy);
    void setProgress(int permille);
    /// For some seconds, instead of the size.
    void say(const QString &sentence);
    /// The visible range and the selection are of the Play page only.
    void showSight(bool shown);

Q_SIGNALS:
    void cancelRequested();
    void keySheetRequested();

protected:
    void changeEvent(QEvent *event) override;

private:
    void retranslate();
    void showRange();
    void showSelection();

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result;
    double m_milliseconds = 0.0;
    QLabel *m_size, *m_range, *m_selection;
    QProgressBar *m_progress;
    QPushButton *m_cancel, *m_keys;
    QTimer m_patience;
};

} // namespace clusterbeat
