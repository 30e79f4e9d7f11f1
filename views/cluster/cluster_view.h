// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/iteration/link_report.h"
#include "views/cluster/heat_layout.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <array>
#include <memory>

class QLabel;
class QToolButton;

namespace clusterbeat {

class ClusterCanvas;

/// All GPUs at once, coloured by what each does at the playhead; a header row with the level of zoom. Reads and sets
/// the selection and hover of ViewState; asks for slower GPUs by signal.
class ClusterView final : public QWidget {
    Q_OBJECT
public:
    explicit ClusterView(ViewState *state, QWidget *parent = nullptr);

    void setResult(std::shared_ptr<const IterationResult> result);
    /// Load of the network under the result; nullptr = not known.
    void setLinks(const std::shared_ptr<const LinkReport> &links);
    [[nodiscard]] HeatLevel level() const;
    void setLevel(HeatLevel level);

public Q_SLOTS:
    void fit();
    void fitSelection();             ///< the selected GPU; again, or without one: all
    /// Pans so that a GPU is in sight (after a jump from another view).
    void revealGpu(clusterbeat::GpuIndex gpu);

Q_SIGNALS:
    /// Speed 1 = restore.
    void slowGpuRequested(const QString &memberPath, double speed);

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void retranslate();
    void restyle();
    void showLevel(HeatLevel level);

    ViewState *m_state;
    ClusterCanvas *m_canvas;
    QWidget *m_header;
    QLabel *m_title, *m_counts;
    std::array<QToolButton *, 4> m_levels{};
    QToolButton *m_fit = nullptr;
    std::shared_ptr<const IterationResult> m_result;
};

} // namespace clusterbeat
