// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QCheckBox>

namespace clusterbeat {

/// A check box drawn as a switch.
class Switch final : public QCheckBox {
    Q_OBJECT
public:
    explicit Switch(ViewState *state, QWidget *parent = nullptr);
    /// Where its text begins.
    [[nodiscard]] int textLeft() const;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {textLeft() + 20, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    bool hitButton(const QPoint &position) const override { return rect().contains(position); }

private:
    [[nodiscard]] QSizeF track() const;

    ViewState *m_state;
};

} // namespace clusterbeat
