// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QWidget>

class QButtonGroup;

namespace clusterbeat {

/// The window's pages, in the order of the switch.
enum class Page : quint8 { Play, Validation };

/// The switch between pages at the right end of the menu row: one button each, the shown one pressed.
class PageSwitch final : public QWidget {
    Q_OBJECT
public:
    explicit PageSwitch(ViewState *state, QWidget *parent = nullptr);
    void setPage(clusterbeat::Page page);
    [[nodiscard]] static QString pageName(Page page);

Q_SIGNALS:
    void pageChosen(clusterbeat::Page page);

protected:
    void changeEvent(QEvent *event) override;

private:
    void restyle();

    ViewState *m_state;
    QButtonGroup *m_buttons;
    bool m_showing = false;         ///< the window chooses, not a person
};

} // namespace clusterbeat
