// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_environment.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace clusterbeat {

struct ShellNumber {
    std::optional<std::int64_t> value; ///< nullopt: a syntax that is not understood, overflow, division by zero, a name not known
    std::string unknown;               ///< the first name or expression whose value is not known
    std::string unset;                 ///< the first variable that nothing sets; it counts as 0, as in bash
};

/// An arithmetic expression of $(( )), (( )) and let, its $ already expanded: all of bash's operators, assignments,
/// array elements, bases. Depth and steps are bounded.
[[nodiscard]] ShellNumber shellArithmetic(std::string_view expression, ShellEnvironment &environment, ShellBudget &budget);

} // namespace clusterbeat
