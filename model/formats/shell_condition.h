// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace clusterbeat {

/// The words between [ and ], or [[ and ]], expanded. true, false, or nullopt when a part is not known without running
/// the script (unresolved variables, files, regular expressions).
[[nodiscard]] std::optional<bool> shellCondition(const std::vector<std::string> &words);

} // namespace clusterbeat
