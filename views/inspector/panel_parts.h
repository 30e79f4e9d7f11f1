// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

class QFrame;
class QWidget;

namespace clusterbeat {

/// A hairline between the groups of a side panel; the style sheet colours it.
[[nodiscard]] QFrame *separator(QWidget *parent);
/// Fills the panel with a vertical scroll area and returns the widget that scrolls, still without a layout.
[[nodiscard]] QWidget *scrollingBody(QWidget *panel);

} // namespace clusterbeat
