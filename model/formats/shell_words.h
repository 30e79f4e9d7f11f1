// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

/// One simple command, its words expanded. What only the environment knows is marked (formats/shell_expansion.h).
struct ShellCommand {
    std::vector<std::string> words;
    int line = 0;
};

/// What a launch script says, read from top to bottom without running anything: assignments are followed, of a
/// conditional the branch that its condition selects (the first when the condition cannot be decided), of a loop the
/// first pass, of a function its body where it is defined. Here-documents are skipped.
struct ShellScript {
    std::vector<ShellCommand> commands;
    std::vector<std::string> assignedWords;               ///< words of all assigned values, in order
    std::map<std::string, std::string> variables;         ///< scalars at the end, unresolved ones left out
    std::vector<std::pair<std::string, std::string>> batchOptions;   ///< #SBATCH --name=value; short names as written
    std::vector<int> undecidedLines;                      ///< conditions that guard assignments or commands
};

/// Errors: SyntaxError (a quote or bracket that does not close; place has the line), TooDeep, FileTooLarge (the text,
/// or what it expands to). Linear in the text and in the bounded expansion.
[[nodiscard]] Result<ShellScript> readShellScript(std::string_view text, const std::string &fileName);

/// Splits one string of words as a second shell would (bash -c "…"): quotes group, nothing is expanded.
[[nodiscard]] std::vector<std::string> splitQuotedWords(std::string_view text);

} // namespace clusterbeat
