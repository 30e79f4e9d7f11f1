// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/validation/relatives.h"

#include <string>

namespace clusterbeat {

/// What `simulate --json` prints (keys documented in README): fixed key order, ends with a newline, the same bytes
/// for the same scenario.
/// `references`: the published runs whose errors give `accuracy`; without them the key is absent.
[[nodiscard]] std::string resultJson(const IterationResult &result, const ReferenceTable *references = nullptr);

} // namespace clusterbeat
