// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <string>

namespace clusterbeat {

/// Why an imported scenario could not be saved and opened again (a value beyond the file format's range), with the
/// pointer of the scenario's key and the foreign file's name.
[[nodiscard]] std::optional<Error> beyondFileFormat(const Scenario &scenario, const std::string &fileName, const Catalogue &catalogue);

} // namespace clusterbeat
