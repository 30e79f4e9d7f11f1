// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace clusterbeat {

/// The argument list, as a shell would read it, of a YAML file that gives options as keys: "--num-layers: 24", at any
/// depth; true is an option without a value, false and null are none, [a, b] and lists of "- a" are several values, ${X}
/// stays a variable. Only such lines are read: no anchors, no multi-line strings. nullopt for a text without any.
[[nodiscard]] std::optional<std::string> yamlArguments(std::string_view text);

} // namespace clusterbeat
