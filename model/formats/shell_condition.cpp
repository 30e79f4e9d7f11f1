// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_condition.h"

#include "model/formats/shell_pattern.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>

namespace clusterbeat {
namespace {

constexpr ShellTruth kLikely{true, false};
constexpr ShellTruth kUnlikely{false, false};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool isUnary(std::string_view word) { return word.size() == 2 && word[0] == '-' && std::string_view("abcdefghknoprstuvwxzGLNORS").find(word[1]) != std::string_view::npos; }

bool isNumeric(std::string_view op) { return isOneOf(op, {"-eq", "-ne", "-gt", "-ge", "-lt", "-le"}); }
bool isBinary(std::string_view op) { return isNumeric(op) || isOneOf(op, {"=", "==", "!=", "=~", "<", ">", "-nt", "-ot", "-ef"}); }

std::optional<std::int64_t> integer(std::string_view text)
{
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    if (text.starts_with('+')) text.remove_prefix(1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool compares(std::string_view op, std::int64_t a, std::int64_t b)
{
    if (op == "-eq") return a == b;
    if (op == "-ne") return a != b;
    if (op == "-gt") return a > b;
    if (op == "-ge") return a >= b;
    if (op == "-lt") return a < b;
    return a <= b;
}

/// Of two texts one of which is not known.
ShellTruth guess(std::string_view op) { return isOneOf(op, {"=", "==", "=~", "-eq"}) ? kUnlikely : kLikely; }

ShellTruth unary(std::string_view op, const std::string &text, const ShellEnvironment &environment)
{
    const auto unknown = unknownName(text);
    if (op == "-z" || op == "-n") {
        const bool empty = withoutUnset(text).empty();
        // The output of a program may be empty, a variable of the environment is not.
        return {empty == (op == "-z"), !unknown || unknown->find('(') == std::string::npos};
    }
    if (op == "-v" || op == "-R") {
        const std::size_t bracket = text.find('[');
        const ShellValue *value = environment.find(text.substr(0, bracket));
        if (bracket == std::string::npos) return {value && value->first(), !unknown};
        return {value && value->at(text.substr(bracket + 1, text.size() - bracket - 2)), !unknown};
    }
    if (op == "-o") return {false, true};
    if (op == "-t") return kUnlikely;
    return {!withoutUnset(text).empty(), withoutUnset(text).empty()}; // a file: none has an empty name
}

/// The classic test: its words are plain texts by now.
class TestParser {
public:
    TestParser(const std::vector<std::string> &words, const ShellEnvironment &environment) : m_words(words), m_environment(environment) {}

    ShellTruth whole()
    {
        const ShellTruth result = either(0);
        return m_failed || m_pos != m_words.size() ? ShellTruth{false, true} : result;
    }

private:
    [[nodiscard]] bool at(const char *word) const { return m_pos < m_words.size() && m_words[m_pos] == word; }

    ShellTruth either(int depth)
    {
        ShellTruth left = both(depth);
        for (; at("-o") && m_pos + 1 < m_words.size();) {
            ++m_pos;
            left = anyOf(left, both(depth));
        }
        return left;
    }
    ShellTruth both(int depth)
    {
        ShellTruth left = term(depth);
        for (; at("-a") && m_pos + 1 < m_words.size();) {
            ++m_pos;
            left = allOf(left, term(depth));
        }
        return left;
    }
    ShellTruth term(int depth)
    {
        bool negated = false;
        for (; at("!") && m_pos + 1 < m_words.size() && !(m_pos + 2 < m_words.size() && isBinary(m_words[m_pos + 1])); ++m_pos)
            negated = !negated;
        if (m_pos >= m_words.size() || depth > kShellDepth) {
            m_failed = true;
            return {false, true};
        }
        ShellTruth result;
        if (at("(") && m_pos + 1 < m_words.size() && !isBinary(m_words[m_pos + 1])) {
            ++m_pos;
            result = either(depth + 1);
            if (at(")")) ++m_pos;
            else m_failed = true;
        } else {
            result = test();
        }
        return negated ? !result : result;
    }
    ShellTruth test()
    {
        const std::string &left = m_words[m_pos++];
        if (m_pos + 1 < m_words.size() && isBinary(m_words[m_pos])) {
            const std::string &op = m_words[m_pos];
            const std::string &right = m_words[m_pos + 1];
            m_pos += 2;
            if (unknownName(left) || unknownName(right)) return guess(op);
            if (op == "=" || op == "==") return {left == right, true};
            if (op == "!=") return {left != right, true};
            if (op == "<" || op == ">") return {op == "<" ? left < right : left > right, true};
            if (!isNumeric(op)) return kUnlikely;
            const auto a = integer(left), b = integer(right);
            if (a && b) return {compares(op, *a, *b), true};
            m_failed = true; // "integer expression expected"
            return {false, true};
        }
        if (isUnary(left) && m_pos < m_words.size() && !isOneOf(m_words[m_pos], {"-a", "-o", ")"})) return unary(left, m_words[m_pos++], m_environment);
        return unary("-n", left, m_environment);
    }

    const std::vector<std::string> &m_words;
    const ShellEnvironment &m_environment;
    std::size_t m_pos = 0;
    bool m_failed = false;
};

/// [[ … ]]: words are expanded where they are needed, without splitting.
class ConditionParser {
public:
    ConditionParser(const std::vector<std::string_view> &words, ShellExpander &expander, ShellEnvironment &environment, ShellBudget &budget)
        : m_words(words), m_expander(expander), m_environment(environment), m_budget(budget)
    {
    }

    ShellTruth whole()
    {
        const ShellTruth result = either(0);
        return m_pos == m_words.size() ? result : ShellTruth{false, true};
    }

private:
    [[nodiscard]] bool at(std::string_view word) const { return m_pos < m_words.size() && m_words[m_pos] == word; }

    ShellTruth either(int depth)
    {
        ShellTruth left = both(depth);
        for (; at("||");) {
            ++m_pos;
            left = anyOf(left, both(depth));
        }
        return left;
    }
    ShellTruth both(int depth)
    {
        ShellTruth left = term(depth);
        for (; at("&&");) {
            ++m_pos;
            left = allOf(left, term(depth));
        }
        return left;
    }
    ShellTruth term(int depth)
    {
        bool negated = false;
        for (; at("!"); ++m_pos)
            negated = !negated;
        if (m_pos >= m_words.size() || depth > kShellDepth) return {false, true};
        ShellTruth result;
        if (at("(")) {
            ++m_pos;
            result = either(depth + 1);
            if (at(")")) ++m_pos;
        } else {
            result = test();
        }
        return negated ? !result : result;
    }
    ShellTruth test()
    {
        ++m_budget.steps;
        const std::string_view left = m_words[m_pos++];
        if (m_pos + 1 < m_words.size() && isBinary(m_words[m_pos])) {
            const std::string_view op = m_words[m_pos];
            const std::string_view right = m_words[m_pos + 1];
            m_pos += 2;
            return binary(left, op, right);
        }
        const bool more = m_pos < m_words.size() && !isOneOf(m_words[m_pos], {"&&", "||", ")"});
        if (isUnary(left) && more) return unary(left, m_expander.joined(m_words[m_pos++]), m_environment);
        return unary("-n", m_expander.joined(left), m_environment);
    }
    ShellTruth binary(std::string_view left, std::string_view op, std::string_view right)
    {
        if (isNumeric(op)) {
            const ShellNumber a = m_expander.arithmetic(left);
            const ShellNumber b = m_expander.arithmetic(right);
            if (a.value && b.value) return {compares(op, *a.value, *b.value), true};
            return guess(op);
        }
        const std::string text = withoutUnset(m_expander.joined(left));
        const std::string pattern = withoutUnset(m_expander.pattern(right));
        if (unknownName(text) || unknownName(pattern)) return guess(op);
        if (op == "=~") {
            const auto match = shellRegexMatch(pattern, text, m_budget);
            if (!match) return kUnlikely;
            m_environment.assignItems("BASH_REMATCH", match->groups);
            return {match->matched, true};
        }
        if (op == "=" || op == "==") return {shellPatternMatches(pattern, text, m_budget), true};
        if (op == "!=") return {!shellPatternMatches(pattern, text, m_budget), true};
        if (op == "<" || op == ">") return {op == "<" ? text < m_expander.joined(right) : text > m_expander.joined(right), true};
        return kUnlikely;
    }

    const std::vector<std::string_view> &m_words;
    ShellExpander &m_expander;
    ShellEnvironment &m_environment;
    ShellBudget &m_budget;
    std::size_t m_pos = 0;
};

} // namespace

ShellTruth allOf(ShellTruth left, ShellTruth right)
{
    const bool decided = (left.known && !left.value) || (right.known && !right.value);
    return {left.value && right.value, decided || (left.known && right.known)};
}

ShellTruth anyOf(ShellTruth left, ShellTruth right)
{
    const bool decided = (left.known && left.value) || (right.known && right.value);
    return {left.value || right.value, decided || (left.known && right.known)};
}

ShellTruth shellTest(std::vector<std::string> words, ShellEnvironment &environment)
{
    for (std::string &word : words)
        word = withoutUnset(word);
    if (words.empty()) return {false, true};
    return TestParser(words, environment).whole();
}

ShellTruth shellCondition(const std::vector<std::string_view> &words, ShellExpander &expander, ShellEnvironment &environment, ShellBudget &budget)
{
    if (words.empty()) return {false, true};
    return ConditionParser(words, expander, environment, budget).whole();
}

} // namespace clusterbeat
