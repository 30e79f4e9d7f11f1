// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/formats/shell_ast.h"

#include <string_view>

namespace clusterbeat {

/// Commands nest no deeper.
inline constexpr int kShellNesting = 100;

/// The commands of a script, as views into `text`. What bash would refuse (a loop without done, a stray bracket in a
/// list of arguments) is read as far as it has a meaning. Errors: ScriptSyntax (a quote or bracket that does not close;
/// place has the line), TooDeep.
[[nodiscard]] Result<ShellProgram> parseShell(std::string_view text, int firstLine = 1);

} // namespace clusterbeat
