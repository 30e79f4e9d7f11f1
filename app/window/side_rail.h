// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QWidget>

class QFrame;
class QToolButton;

namespace clusterbeat {

/// The left column for panels: beside the content in a wide window, a rail of 40 px in a narrow one whose button opens
/// the panel above the content. Esc or the button closes it.
class SideRail final : public QWidget {
    Q_OBJECT
public:
    /// `overlayParent` is the widget that an opened panel lies on. Takes the panel.
    SideRail(ViewState *state, QWidget *panel, QWidget *overlayParent, QWidget *parent = nullptr);
    void setPanelVisible(bool visible);
    [[nodiscard]] bool panelVisible() const { return m_open; }

Q_SIGNALS:
    void panelVisibleChanged(bool visible);

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void place();
    void restyle();

    ViewState *m_state;
    QWidget *m_panel, *m_overlayParent;
    QFrame *m_overlay;
    QToolButton *m_button;
    bool m_open = true;
};

} // namespace clusterbeat
