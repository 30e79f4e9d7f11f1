// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/compare_scenarios.h"

#include <string>

namespace clusterbeat
{

/// What `compare` prints; the same comparison gives the same bytes.
[[nodiscard]] std::string comparisonJson(const Comparison &comparison);
[[nodiscard]] std::string comparisonTable(const Comparison &comparison);

} // namespace clusterbeat
