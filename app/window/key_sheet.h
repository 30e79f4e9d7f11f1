// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/window/menu_bar.h"

#include <QDialog>

namespace clusterbeat {

/// All keys of the window in one table: those of the menus, then the gestures of cluster and timeline.
class KeySheet final : public QDialog {
    Q_OBJECT
public:
    explicit KeySheet(const std::vector<MenuBar::KeyHelp> &menuKeys, QWidget *parent = nullptr);
};

} // namespace clusterbeat
