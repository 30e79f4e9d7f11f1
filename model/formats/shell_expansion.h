// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// What only the job's environment knows ($SLURM_JOB_ID, $(hostname)) stays in a word as kUnresolvedOpen NAME
/// kUnresolvedClose, so that whoever needs the word's value can name what is missing.
inline constexpr char kUnresolvedOpen = '\x01';
inline constexpr char kUnresolvedClose = '\x02';
/// The first unresolved name in a word.
[[nodiscard]] std::optional<std::string> unresolvedName(std::string_view word);

/// Index after the quoted string, expansion, substitution or escaped character that starts at `pos`; npos when it
/// does not end or nests deeper than kShellDepth. A plain character is its own end.
[[nodiscard]] std::size_t skipShellConstruct(std::string_view text, std::size_t pos, int depth = 0);
inline constexpr int kShellDepth = 32;

/// Shell patterns of case and [[ == ]]: * and ?. Linear in the text for each star.
[[nodiscard]] bool shellPatternMatches(std::string_view pattern, std::string_view text);

/// Variables of a script and the expansion of words: ${X}, ${X:-default}, arrays, quotes, $((arithmetic)). Nothing is
/// run and the environment is not read. Expansion happens when a word is used or assigned, as in the shell, so a
/// variable that refers to itself cannot recurse; the total output is bounded by kMaxOutput.
class ShellVariables {
public:
    static constexpr std::size_t kMaxOutput = 16 * 1024 * 1024;

    void assign(const std::string &name, std::vector<std::string> items, bool array, bool append);
    void unset(const std::string &name) { m_values.erase(name); }
    /// The value of a scalar or an array's first element; nullopt when unset.
    [[nodiscard]] std::optional<std::string> value(const std::string &name) const;

    /// Fields of one raw word (quotes and $ as written).
    [[nodiscard]] std::vector<std::string> expandWord(std::string_view raw);
    /// The same without splitting at blanks: assignments, conditions, patterns.
    [[nodiscard]] std::string expandJoined(std::string_view raw);
    /// An arithmetic expression; nullopt when a variable is unknown, on overflow, division by zero or a syntax that is
    /// not supported. Comparisons give 0 or 1.
    [[nodiscard]] std::optional<std::int64_t> arithmetic(std::string_view expression);

    [[nodiscard]] bool overflowed() const { return m_output > kMaxOutput; }

private:
    struct Value {
        std::vector<std::string> items;
        bool array = false;
    };
    struct Expansion {
        std::vector<std::string> items;
        bool list = false; ///< "${A[@]}": one field per item even inside quotes
    };
    struct Fields;

    void expandInto(Fields &fields, std::string_view raw, bool split, int depth);
    void expandQuoted(Fields &fields, std::string_view inner, int depth);
    Expansion expandDollar(std::string_view text, std::size_t &pos, int depth);
    Expansion expandBraces(std::string_view inner, int depth);
    Expansion applyOperator(const std::string &name, const Value *value, std::string_view rest, int depth);
    Expansion special(char name) const;
    /// Why an arithmetic expression has no value: the name that is not known.
    [[nodiscard]] std::string unknownOperand(const std::string &expression) const;
    std::string joined(std::string_view raw, int depth);

    std::map<std::string, Value> m_values;
    std::size_t m_output = 0;
};

} // namespace clusterbeat
