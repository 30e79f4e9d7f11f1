// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/link_report.h"

#include <nlohmann/json_fwd.hpp>

#include <string_view>

/// For .cpp files only.
namespace clusterbeat {

[[nodiscard]] std::string_view nameOf(Dimension dimension);
/// Adds `cluster`: the narrowest cuts.
void addCluster(nlohmann::ordered_json &json, const Expansion &expansion);
/// Adds `links`, and `bottleneck_link` to each dimension of `communication`.
void addLinks(nlohmann::ordered_json &json, const LinkReport &report, const IterationResult &result);

} // namespace clusterbeat
