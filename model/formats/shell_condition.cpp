// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_condition.h"

#include "model/formats/shell_expansion.h"

#include <charconv>
#include <cstdint>

namespace clusterbeat {
namespace {

using Truth = std::optional<bool>;

std::optional<std::int64_t> integer(const std::string &text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

Truth compareNumbers(const std::string &op, const std::string &left, const std::string &right)
{
    const auto a = integer(left);
    const auto b = integer(right);
    if (!a || !b) return std::nullopt;
    if (op == "-eq") return *a == *b;
    if (op == "-ne") return *a != *b;
    if (op == "-gt") return *a > *b;
    if (op == "-ge") return *a >= *b;
    if (op == "-lt") return *a < *b;
    return *a <= *b;
}

class Parser {
public:
    explicit Parser(const std::vector<std::string> &words) : m_words(words) {}

    Truth whole()
    {
        const Truth result = anyOf(0);
        return m_pos == m_words.size() ? result : std::nullopt;
    }

private:
    [[nodiscard]] bool at(const char *word) const { return m_pos < m_words.size() && m_words[m_pos] == word; }

    Truth anyOf(int depth)
    {
        Truth left = allOf(depth);
        while (at("||") || at("-o")) {
            ++m_pos;
            const Truth right = allOf(depth);
            if (left == true || right == true) left = true;
            else if (!left || !right) left = std::nullopt;
        }
        return left;
    }

    Truth allOf(int depth)
    {
        Truth left = term(depth);
        while (at("&&") || at("-a")) {
            ++m_pos;
            const Truth right = term(depth);
            if (left == false || right == false) left = false;
            else if (!left || !right) left = std::nullopt;
        }
        return left;
    }

    Truth term(int depth)
    {
        bool negate = false;
        for (; at("!"); ++m_pos)
            negate = !negate;
        if (m_pos >= m_words.size() || depth > kShellDepth) return std::nullopt;
        Truth result;
        if (at("(")) {
            ++m_pos;
            result = anyOf(depth + 1);
            if (at(")")) ++m_pos;
        } else {
            result = test();
        }
        return result && negate ? Truth(!*result) : result;
    }

    Truth test()
    {
        const std::string left = m_words[m_pos++];
        const bool more = m_pos < m_words.size();
        const std::string op = more ? m_words[m_pos] : std::string();
        const bool binary = op == "==" || op == "=" || op == "!=" || op == "=~" || op == "<" || op == ">" || op == "-eq" ||
                            op == "-ne" || op == "-gt" || op == "-ge" || op == "-lt" || op == "-le";
        if (more && binary) {
            ++m_pos;
            const std::string right = m_pos < m_words.size() ? m_words[m_pos++] : std::string();
            if (unresolvedName(left) || unresolvedName(right)) return std::nullopt;
            if (op == "==" || op == "=") return shellPatternMatches(right, left);
            if (op == "!=") return !shellPatternMatches(right, left);
            return op.front() == '-' ? compareNumbers(op, left, right) : std::nullopt;
        }
        const bool unary = left.size() == 2 && left.front() == '-';
        if (unary && more && op != "&&" && op != "||") {
            ++m_pos;
            if (unresolvedName(op) || (left != "-z" && left != "-n")) return std::nullopt;
            return (left == "-z") == op.empty();
        }
        if (unresolvedName(left)) return std::nullopt;
        return !left.empty();
    }

    const std::vector<std::string> &m_words;
    std::size_t m_pos = 0;
};

} // namespace

std::optional<bool> shellCondition(const std::vector<std::string> &words)
{
    if (words.empty()) return false;
    return Parser(words).whole();
}

} // namespace clusterbeat
