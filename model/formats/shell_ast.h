// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

struct ShellNode;
using ShellList = std::vector<ShellNode>; ///< commands one after the other

struct ShellRedirect {
    enum class Kind : std::uint8_t { HereDocument, HereString, Input, Output, Append };
    Kind kind = Kind::Output;
    std::string_view word;                   ///< the target as written; of a here-document its delimiter
    std::shared_ptr<std::string> body;       ///< of a here-document
    bool literal = false;                    ///< a here-document whose delimiter is quoted: nothing is expanded
    bool output = true;                      ///< standard output or input, not another descriptor
};

/// One command of a script. Words are raw: quotes and $ as written, views into the text that was parsed.
struct ShellNode {
    enum class Kind : std::uint8_t {
        Simple,        ///< words
        Arithmetic,    ///< (( words[0] ))
        Condition,     ///< [[ words ]]
        Pipeline,      ///< parts[0]: the stages
        AndOr,         ///< parts[0] with operators '&' and '|' between them
        If,            ///< parts: condition, body, condition, body, …, and an odd last one for else
        For,           ///< for words[0] in words[1…]; `given` is false without "in"
        ArithmeticFor, ///< for (( words[0]; words[1]; words[2] ))
        Loop,          ///< while parts[0] do parts[1]; `negated` for until
        Case,          ///< case words[0]; patterns[i] lead to parts[i]; operators[i] '&' when it falls through
        Function,      ///< words[0] is the name, parts[0] the body
        Group,         ///< { parts[0] }
        Subshell       ///< ( parts[0] )
    };
    Kind kind = Kind::Simple;
    bool negated = false;
    bool given = true;
    int line = 0;
    std::string_view source;                 ///< of a condition: the text that it was read from
    std::vector<std::string_view> words;
    std::vector<ShellRedirect> redirects;
    std::vector<ShellList> parts;
    std::vector<std::vector<std::string_view>> patterns;
    std::string operators;
};

struct ShellProgram {
    ShellList commands;
    std::vector<std::pair<std::string_view, int>> comments; ///< from # to the end of the line, and the line
};

} // namespace clusterbeat
