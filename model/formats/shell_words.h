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

/// One simple command, its words expanded. What a script cannot tell is marked (formats/shell_environment.h). A command
/// that another one starts (srun bash -c "…") has the other's words before its own.
struct ShellCommand {
    std::vector<std::string> words;
    int line = 0;
    bool inLoop = false;
};

/// A condition that guards assignments or commands and cannot be decided without running the script.
struct ShellGuess {
    std::string condition; ///< as written
    bool taken = true;
    int line = 0;
    friend bool operator==(const ShellGuess &, const ShellGuess &) = default;
};

/// What a launch script does, as far as that follows from its text.
struct ShellScript {
    std::vector<ShellCommand> commands;                   ///< programs that it starts, in order
    std::vector<std::string> assignedWords;               ///< words of all assigned values, in order
    std::map<std::string, std::string> variables;         ///< scalars at the end, unresolved ones left out
    std::vector<std::pair<std::string, std::string>> batchOptions; ///< #SBATCH --name=value, short names as written; "PBS -l"
    std::vector<ShellGuess> guesses;
    std::vector<std::string> missingSources;              ///< files that it reads with source and that were not given
    std::vector<std::string> missingArguments;            ///< "1", …, and names that ${NAME:?} asks for
    std::vector<std::pair<std::string, std::string>> assumed; ///< launcher variables whose default was taken
    int exitLine = 0;                                     ///< the exit that it ends at; 0: its end
    bool cutShort = false;                                ///< it does more than is followed
};

struct ShellInput {
    std::vector<std::string> arguments;                   ///< $1 …
    std::map<std::string, std::string> sources;           ///< texts of files that it may read, by name
    bool ignoreExit = false;                              ///< reads on behind an exit
};

/// Evaluates a script as bash would, without running a program or reading a file: variables and arrays, all expansions,
/// arithmetic, conditions, loops, functions, here-documents, the builtins and the usual filters (cut, tr, sed s, bc, …) on
/// texts that are known; files that the script writes itself can be read again. A variable that nothing sets is empty.
/// A condition that cannot be decided takes the likelier branch (shell_condition.h), or the one that goes on.
/// Errors: ScriptSyntax (a quote or bracket that does not close; place has the line), TooDeep, FileTooLarge (the text, or
/// what it expands to). Steps and output are bounded (ShellBudget); beyond the steps the script is cut short.
[[nodiscard]] Result<ShellScript> readShellScript(std::string_view text, const std::string &fileName, const ShellInput &input = {});

/// Splits one string of words as a second shell would (bash -c "…"): quotes group, nothing is expanded.
[[nodiscard]] std::vector<std::string> splitQuotedWords(std::string_view text);

} // namespace clusterbeat
