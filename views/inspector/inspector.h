// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QLabel;
class QScrollArea;
class QVBoxLayout;

namespace clusterbeat {

class BreakdownTable;
class CommunicationAccount;
class CommunicationTable;
struct CommunicationSummary;
class GpuHeader;
class MemoryBar;
class MemoryChart;
class WhatIfPanel;
class WhyChain;

/// Everything about the selected GPU, or about the whole run when nothing is selected: its state at the playhead, why it
/// is waiting, a what-if on the root cause, its breakdown with the change, its memory. Scrolls when there is no room.
/// While the playhead moves, the state follows at once and the chain ten times a second.
class Inspector final : public QWidget {
    Q_OBJECT
public:
    explicit Inspector(ViewState *state, QWidget *parent = nullptr);
    ~Inspector() override;
    void setResult(std::shared_ptr<const IterationResult> result);
    /// Deltas of the breakdown refer to it where its layout has the same shape, else to the run without perturbations.
    void setBaseline(std::shared_ptr<const IterationResult> baseline);
    [[nodiscard]] QSize sizeHint() const override;
    /// Grows with the theme's letters: below it figures would not fit.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// speed 0.3 … 1; `dragging` while the slider is held: one undo step, shown live.
    void slowGpuRequested(const QString &memberPath, double speed, bool dragging);
    /// A share of the nominal capacity: 1 restores, 0 cuts.
    void gpuLinksRequested(const QString &memberPath, clusterbeat::LinkDomain domain, double capacity);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void build();
    void retranslate();
    void restyle();
    void refresh();
    void refreshMoment();
    void refreshState();
    void refreshChain();
    [[nodiscard]] TimeNs moment() const;
    [[nodiscard]] Span spanAt(const RankCoordinates &position, TimeNs t) const;
    void refreshBreakdown();
    void refreshCommunication();
    void jumpTo(const WhyStep &step);
    [[nodiscard]] RankIndex selectedRank() const;
    [[nodiscard]] GpuIndex targetOfWhatIf() const;

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result, m_baseline;
    std::shared_ptr<const Run> m_twin;          ///< the run without perturbations; made when needed, once per result
    QTimer m_moment;                            ///< throttles the chain behind the playhead
    bool m_momentPending = false;
    GpuHeader *m_header = nullptr;
    QLabel *m_whyTitle = nullptr, *m_breakdownTitle = nullptr, *m_against = nullptr, *m_memoryTitle = nullptr;
    QLabel *m_communicationTitle = nullptr;
    WhyChain *m_chain = nullptr;
    WhatIfPanel *m_whatIf = nullptr;
    BreakdownTable *m_breakdown = nullptr;
    CommunicationTable *m_communication = nullptr;
    std::unique_ptr<const CommunicationAccount> m_account;      ///< of the result; made when needed
    std::unique_ptr<const CommunicationSummary> m_summary;      ///< likewise
    MemoryBar *m_memory = nullptr;
    MemoryChart *m_memoryChart = nullptr;
    QVBoxLayout *m_layout = nullptr;
};

} // namespace clusterbeat
