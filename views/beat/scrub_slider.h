// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"

#include <QSlider>

#include <vector>

namespace clusterbeat {

/// Where the iteration changes character: the first backward begins, the last forward ends, the last backward ends
/// (gradients and optimizer follow). Sorted, inside (0, iteration). O(stages * operations).
[[nodiscard]] std::vector<TimeNs> phaseTicks(const IterationResult &result);

/// The playhead over the whole iteration, with ticks at the phases. Follows the view state and sets it.
class ScrubSlider final : public QSlider {
    Q_OBJECT
public:
    explicit ScrubSlider(ViewState *state, QWidget *parent = nullptr);
    void setTicks(std::vector<TimeNs> ticks);

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;

private:
    void follow();
    [[nodiscard]] int xOf(TimeNs t) const;
    void seek(double x);

    ViewState *m_state;
    std::vector<TimeNs> m_ticks;
    bool m_following = false;
};

} // namespace clusterbeat
