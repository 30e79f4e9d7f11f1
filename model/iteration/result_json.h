// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/scenario/catalogue.h"
#include "model/validation/relatives.h"

#include <string>

namespace clusterbeat {

/// What `simulate --json` prints (keys documented in README): fixed key order, ends with a newline, the same bytes
/// for the same scenario.
/// `references`: the published runs whose errors give `accuracy`; `constants`: what `links`, each dimension's
/// `bottleneck_link` and, with them, `cluster` are derived with. Without them the keys are absent.
[[nodiscard]] std::string resultJson(const IterationResult &result, const ReferenceTable *references = nullptr,
                                     const CostConstants *constants = nullptr);

} // namespace clusterbeat
