// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QWidget>

class QFrame;

namespace clusterbeat {

/// A hairline between the groups of a side panel; the style sheet colours it.
[[nodiscard]] QFrame *separator(QWidget *parent);
/// Fills the panel with a vertical scroll area and returns the widget that scrolls, still without a layout.
[[nodiscard]] QWidget *scrollingBody(QWidget *panel);

/// A list or slider in a panel that scrolls: a wheel over it scrolls the panel, it must not change the run by accident.
void leaveWheelToPanel(QWidget *field);
/// A label of one of the style sheet's roles.
template <typename Label> [[nodiscard]] Label *roleLabel(QWidget *parent, const char *role)
{
    auto *text = new Label(parent);
    text->setProperty("role", QLatin1String(role));
    return text;
}

} // namespace clusterbeat
