// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_environment.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Shell patterns of case, [[ == ]] and ${x#…}: * ? […], \c for c itself, and the extended @( ) ?( ) *( ) +( ). Linear in
/// the text for each star. A spent budget matches nothing.
[[nodiscard]] bool shellPatternMatches(std::string_view pattern, std::string_view text, ShellBudget &budget);

struct ShellRegexMatch {
    bool matched = false;
    std::vector<std::string> groups; ///< the whole match and the groups in brackets
};
/// An extended regular expression of [[ =~ ]]: . […] ( ) | * + ? {n,m} ^ $ and \c; the leftmost longest match, in
/// O(pattern · text). nullopt for what is not understood, too long, or beyond the budget.
[[nodiscard]] std::optional<ShellRegexMatch> shellRegexMatch(std::string_view pattern, std::string_view text, ShellBudget &budget);

/// Whether `c` is in the bracket expression that starts at pattern[pos] == '['; moves `pos` behind it. nullopt when it
/// does not close: then [ is a plain character.
[[nodiscard]] std::optional<bool> shellBracketHas(std::string_view pattern, std::size_t &pos, char c);

} // namespace clusterbeat
