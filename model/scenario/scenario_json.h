// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

inline constexpr std::int64_t kMaxScenarioBytes = 64LL * 1024 * 1024;

/// One `--set /json/pointer=VALUE`: VALUE is JSON, a bare word is a string. Creates missing objects, appends at
/// "/array/-" or at an array's end, never pads.
struct PointerEdit {
    std::string pointer;
    std::string value;
};
/// Splits "/a/b=VALUE"; error BadPointer.
[[nodiscard]] Result<PointerEdit> parsePointerEdit(std::string_view text);

/// Reads a scenario file's text. Duplicate and unknown keys, wrong types, 2.5 layers, 1e300, deep nesting, a newer
/// version: one Error with pointer or line and column. `edits` are applied to the JSON before it is read; sections
/// with {"preset": X} take the preset scenario's section under the other keys. Presets in the catalogue.
[[nodiscard]] Result<Scenario> readScenario(std::string_view text, const Catalogue &catalogue,
                                            const std::vector<PointerEdit> &edits = {});
/// "preset:NAME" without the prefix.
[[nodiscard]] Result<Scenario> readPreset(std::string_view name, const Catalogue &catalogue,
                                          const std::vector<PointerEdit> &edits = {});
/// Canonical text: fixed key order, two spaces, ends with a newline, only keys that differ from the default
/// or were required; readScenario(writeScenario(s)) has the same content.
[[nodiscard]] std::string writeScenario(const Scenario &scenario);

} // namespace clusterbeat
