// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

namespace clusterbeat {

/// The program without a subcommand: options, display check, settings, main window, event loop. Returns the exit status.
[[nodiscard]] int runWindow(int argc, char **argv);

} // namespace clusterbeat
