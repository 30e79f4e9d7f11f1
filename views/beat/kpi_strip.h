// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/validation/relatives.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <array>
#include <memory>

class QPushButton;

namespace clusterbeat {

class KpiTile;
class VerdictTile;

/// Six headline figures with their change against the baseline, and the verdict in the rest of the row. Where the verdict
/// would not have room for its cause, goodput goes, then the cost.
class KpiStrip final : public QWidget {
    Q_OBJECT
public:
    explicit KpiStrip(ViewState *state, QWidget *parent = nullptr);
    void setResult(std::shared_ptr<const IterationResult> result);
    void setBaseline(std::shared_ptr<const IterationResult> baseline);
    /// How far the published runs most like the result's scenario were off; shown beside the iteration time.
    void setAccuracy(std::shared_ptr<const ReferenceTable> references, const ErrorBand &band);
    /// Figures are of an older state of the document: shown dimmed.
    void setStale(bool stale);

    /// The iteration's time and the verdict alone, for a presentation.
    void setFirstOnly(bool firstOnly);

    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    void showGpuRequested(clusterbeat::GpuIndex gpu);
    void findLayoutRequested();

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void relayout();

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result, m_baseline;
    std::shared_ptr<const ReferenceTable> m_references;
    ErrorBand m_band;
    static constexpr std::size_t kFigures = 6;
    std::array<KpiTile *, kFigures> m_tiles{};
    VerdictTile *m_verdict;
    bool m_stale = false, m_firstOnly = false;
};

} // namespace clusterbeat
