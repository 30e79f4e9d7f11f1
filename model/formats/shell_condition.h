// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_expansion.h"

#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// A command's success. Without running the script it may not be known; then `value` is the likelier one: programs
/// succeed, files that are looked for exist, a value that is not known differs from a given one.
struct ShellTruth {
    bool value = true;
    bool known = true;
    friend bool operator==(const ShellTruth &, const ShellTruth &) = default;
};

[[nodiscard]] inline ShellTruth operator!(ShellTruth truth) { return {!truth.value, truth.known}; }
[[nodiscard]] ShellTruth allOf(ShellTruth left, ShellTruth right);
[[nodiscard]] ShellTruth anyOf(ShellTruth left, ShellTruth right);

/// [ words ], expanded, without the closing bracket.
[[nodiscard]] ShellTruth shellTest(std::vector<std::string> words, ShellEnvironment &environment);
/// [[ words ]], raw.
[[nodiscard]] ShellTruth shellCondition(const std::vector<std::string_view> &words, ShellExpander &expander, ShellEnvironment &environment,
                                        ShellBudget &budget);

} // namespace clusterbeat
