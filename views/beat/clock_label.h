// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QWidget>

namespace clusterbeat {

/// "5,862.0 / 7,616 ms": the playhead in a fixed width, so that nothing beside it moves while playing.
class ClockLabel final : public QWidget {
    Q_OBJECT
public:
    explicit ClockLabel(ViewState *state, QWidget *parent = nullptr);
    /// Milliseconds with one decimal; microseconds with one when the iteration is below 10 ms.
    [[nodiscard]] static QString clockText(TimeNs t, TimeNs duration);
    [[nodiscard]] static QString durationPart(TimeNs duration);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    ViewState *m_state;
};

} // namespace clusterbeat
