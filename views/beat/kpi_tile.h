// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/beat/kpi_model.h"
#include "views/beat/verdict.h"
#include "views/shared/view_state.h"

#include <QAbstractButton>

class QPushButton;

namespace clusterbeat {

/// One figure: label, value with unit, change. Click or Space shows the formula.
class KpiTile final : public QAbstractButton {
    Q_OBJECT
public:
    explicit KpiTile(ViewState *state, QWidget *parent = nullptr);
    void setFigure(const KpiFigure &figure);
    void setStale(bool stale);
    /// Width that the content needs; `withoutZeroDelta` leaves "no change" out where room is short.
    [[nodiscard]] int contentWidth(bool withoutZeroDelta) const;
    void setZeroDeltaShown(bool shown);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    [[nodiscard]] QString deltaText(bool withZero) const;

    ViewState *m_state;
    KpiFigure m_figure;
    bool m_stale = false, m_zeroDelta = true;
};

/// The verdict: cause, effect, one button.
class VerdictTile final : public QWidget {
    Q_OBJECT
public:
    explicit VerdictTile(ViewState *state, QWidget *parent = nullptr);
    void setVerdict(const Verdict &verdict);
    void setStale(bool stale);

Q_SIGNALS:
    void activated(clusterbeat::GpuIndex gpu);
    void findLayoutRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void relayout();

    ViewState *m_state;
    Verdict m_verdict;
    QPushButton *m_button;
    bool m_stale = false;
};

} // namespace clusterbeat
