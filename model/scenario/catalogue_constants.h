// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/catalogue.h"
#include "model/scenario/object_reader.h"

namespace clusterbeat
{

/// Reads constants.json and collectives.json: [{"name", "value", "unit", "meaning", "source"}].
[[nodiscard]] CostConstants readConstants(const JsonValue &costs, const JsonValue &collectives,
                                          std::optional<Error> &error);

} // namespace clusterbeat
