// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_environment.h"

#include <optional>
#include <string>
#include <vector>

namespace clusterbeat {

/// What a command writes to its standard output, or who would have to run for it.
struct ShellOutput {
    std::string text;
    bool known = true;
    std::string unknownBy; ///< the program
};

/// Programs whose output follows from their arguments and input: echo, printf, expr, bc, seq, basename, dirname, tr, cut,
/// head, tail, wc, sed s///, awk '{print $n}', xargs. nullopt for every other one.
[[nodiscard]] std::optional<ShellOutput> shellFilter(const std::vector<std::string> &words, const ShellOutput &input, ShellBudget &budget);

/// printf's format with its arguments; the format is used again while arguments are left.
[[nodiscard]] std::string shellPrintf(const std::vector<std::string> &arguments, ShellBudget &budget);

} // namespace clusterbeat
