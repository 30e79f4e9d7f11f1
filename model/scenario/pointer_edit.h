// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/json_value.h"
#include "model/scenario/scenario_json.h"

#include <optional>
#include <string>
#include <vector>

namespace clusterbeat
{

/// The unescaped reference tokens of a JSON pointer; BadPointer unless it starts with "/".
[[nodiscard]] Result<std::vector<std::string>> pointerTokens(std::string_view pointer);
/// Applies one edit in place; the document is unspecified after an error.
[[nodiscard]] std::optional<Error> applyEdit(JsonValue &document, const PointerEdit &edit);

} // namespace clusterbeat
