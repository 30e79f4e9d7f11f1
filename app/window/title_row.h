// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/window/menu_bar.h"
#include "app/window/page_switch.h"
#include "views/shared/view_state.h"

#include <QWidget>

class QLabel;

namespace clusterbeat {

/// The top row: menus at the left, the document's name in the middle of the window (not under the menus), the switch
/// between pages at the right.
class TitleRow final : public QWidget {
    Q_OBJECT
public:
    TitleRow(ViewState *state, QWidget *parent = nullptr);
    [[nodiscard]] MenuBar *menuBar() const { return m_menuBar; }
    [[nodiscard]] PageSwitch *pages() const { return m_pages; }
    void setTitle(const QString &name, bool modified);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void restyle();
    void place();

    ViewState *m_state;
    MenuBar *m_menuBar;
    QLabel *m_title;
    PageSwitch *m_pages;
    QString m_name;
    bool m_modified = false;
};

} // namespace clusterbeat
