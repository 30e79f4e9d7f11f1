// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_arithmetic.h"
#include "model/formats/shell_environment.h"
#include "model/formats/shell_lexer.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

struct ShellField {
    std::string text;
    bool bare = false; ///< nothing but unset variables, not quoted: bash makes no word of it
};

/// The expansion of raw words: quotes, parameters with all their operators, arrays, arithmetic, braces, substitutions. It
/// happens when a word is used or assigned, as in the shell, so a variable that refers to itself cannot recurse. The
/// output is bounded by the budget.
class ShellExpander {
public:
    /// The standard output of commands, without the newlines at its end; marks stand for what is not known.
    using Substitute = std::function<std::string(std::string_view commands)>;

    ShellExpander(ShellEnvironment &environment, ShellBudget &budget, std::string scriptName, Substitute substitute)
        : m_environment(environment), m_budget(budget), m_scriptName(std::move(scriptName)), m_substitute(std::move(substitute))
    {
    }

    /// Fields of one raw word: braces, splitting at IFS.
    [[nodiscard]] std::vector<ShellField> fields(std::string_view raw);
    /// The same without splitting: assignments, the left side of conditions.
    [[nodiscard]] std::string joined(std::string_view raw) { return expanded(raw, Mode::Joined, 0); }
    /// A pattern: what is quoted stands for itself, behind a backslash.
    [[nodiscard]] std::string pattern(std::string_view raw) { return expanded(raw, Mode::Pattern, 0); }
    /// The body of a here-document: quotes are plain characters.
    [[nodiscard]] std::string hereDocument(std::string_view body);
    [[nodiscard]] ShellNumber arithmetic(std::string_view raw);
    /// Splits a text at IFS as read does: at most `most` parts, the last with the rest.
    [[nodiscard]] std::vector<std::string> split(const std::string &text, std::size_t most) const;

    int status = 0; ///< $?

    /// Arguments of the script that were read, had no default and are not there, and names that ${X:?} requires.
    [[nodiscard]] const std::set<std::string> &missing() const { return m_missing; }
    /// Launcher variables whose default was taken, with it.
    [[nodiscard]] const std::map<std::string, std::string> &assumed() const { return m_assumed; }
    /// $0; returns the name before.
    std::string exchangeName(std::string name) { return std::exchange(m_scriptName, std::move(name)); }

private:
    enum class Mode : std::uint8_t { Split, Joined, Pattern };
    struct Builder;
    /// What a parameter stands for before its operator.
    struct Parameter {
        std::string name;
        std::vector<std::string> items;
        bool set = false;
        bool list = false; ///< [@] or $@
        bool star = false; ///< [*] or $*
    };

    void expand(Builder &builder, std::string_view raw, int depth);
    void expandQuoted(Builder &builder, std::string_view inner, int depth, bool here);
    void expandDollar(Builder &builder, std::string_view text, std::size_t &pos, bool quoted, int depth);
    void expandBraces(Builder &builder, std::string_view inner, bool quoted, int depth);
    void expandSubstitution(Builder &builder, std::string_view inner, bool quoted);
    void applyOperator(Builder &builder, const Parameter &parameter, std::string_view rest, bool quoted, int depth);
    bool applyDefault(Builder &builder, const Parameter &parameter, std::string_view rest, bool quoted, int depth);
    std::string transformed(const std::string &text, std::string_view rest, int depth);
    std::string removed(const std::string &text, std::string_view rest, int depth);
    std::string replaced(const std::string &text, std::string_view rest, int depth);
    std::vector<std::string> sliced(const Parameter &parameter, std::string_view rest, int depth, bool &known);
    [[nodiscard]] Parameter parameter(std::string_view &inner, int depth);
    [[nodiscard]] Parameter special(char name) const;
    void length(Builder &builder, std::string_view inner, bool quoted, int depth);
    void indirect(Builder &builder, std::string_view inner, bool quoted, int depth);
    /// The marks of a parameter that nothing sets.
    [[nodiscard]] std::string unsetText(const std::string &name);
    void emit(Builder &builder, const std::string &text, bool quoted);
    void emit(Builder &builder, const Parameter &parameter, bool quoted);
    std::string expanded(std::string_view raw, Mode mode, int depth);
    ShellNumber arithmeticAt(std::string_view raw, int depth);
    [[nodiscard]] std::string separators() const;

    ShellEnvironment &m_environment;
    ShellBudget &m_budget;
    std::string m_scriptName;
    Substitute m_substitute;
    std::set<std::string> m_missing;
    std::map<std::string, std::string> m_assumed;
};

/// A raw word with its braces multiplied out: a{1,2} and {1..8}; at most `most` words.
[[nodiscard]] std::vector<std::string> shellBraces(std::string_view raw, std::size_t most);

/// A word under construction, for the two files of the expansion.
struct ShellExpander::Builder {
    Mode mode = Mode::Split;
    std::string separators;
    std::vector<ShellField> done;
    std::string current;
    bool started = false; ///< quotes or characters were seen: an empty field counts
    bool quoted = false;
    bool splitsPlain = false; ///< in the word of ${x:-word}, whose plain characters are split too

    void add(std::string_view text)
    {
        current += text;
        started = true;
    }
    void addQuoted(std::string_view text)
    {
        started = true;
        quoted = true;
        if (mode != Mode::Pattern) {
            current += text;
            return;
        }
        for (const char c : text) {
            if (std::string_view("*?[]\\(){}|.+^$@!-").find(c) != std::string_view::npos) current += '\\';
            current += c;
        }
    }
    void finish()
    {
        if (started) {
            const bool bare = !quoted && isUnsetOnly(current);
            done.push_back({std::move(current), bare});
        }
        current.clear();
        started = false;
        quoted = false;
    }
};

} // namespace clusterbeat
