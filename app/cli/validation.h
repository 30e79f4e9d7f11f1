// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/validation/validated_rows.h"

#include <string>
#include <vector>

namespace clusterbeat {

/// What `validate` prints; the same rows give the same bytes.
[[nodiscard]] std::string validationJson(const std::vector<ValidatedRow> &rows);
[[nodiscard]] std::string validationTable(const std::vector<ValidatedRow> &rows);

} // namespace clusterbeat
