// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

namespace clusterbeat {

/// Combo boxes are called by their label and have the chosen text as their value, on every platform: Qt's own interface
/// gives the text as the name on Unix. Once per process; more often does no harm.
void installComboAccessibility();

} // namespace clusterbeat
