// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <string>

namespace clusterbeat {

/// What `simulate --json` prints (keys documented in README): fixed key order, ends with a newline, the same bytes
/// for the same scenario.
[[nodiscard]] std::string resultJson(const IterationResult &result);

} // namespace clusterbeat
