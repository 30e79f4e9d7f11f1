// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/object_reader.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <string>

namespace clusterbeat
{

/// Keys of degraded_link, dead_link and competing_traffic beside `kind`; the kind is set already.
void readLinkPerturbation(const JsonValue &json, const std::string &pointer, Perturbation &perturbation,
                          std::optional<Error> &error);

} // namespace clusterbeat
