// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"

#include <array>
#include <limits>

namespace clusterbeat {
namespace {

using Number = std::optional<std::int64_t>;

/// Binary operators with the shell's precedence; a longer one comes before its own prefix.
struct Operator {
    std::string_view text;
    int precedence;
};
constexpr std::array<Operator, 13> kOperators{{{"||", 1}, {"&&", 2}, {"==", 3}, {"!=", 3}, {"<=", 4}, {">=", 4}, {"<", 4},
                                               {">", 4}, {"+", 5}, {"-", 5}, {"*", 6}, {"/", 6}, {"%", 6}}};

Number apply(std::string_view op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (op == "+") return __builtin_add_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "/" || op == "%") {
        if (b == 0 || (a == std::numeric_limits<std::int64_t>::min() && b == -1)) return std::nullopt;
        return op == "/" ? a / b : a % b;
    }
    if (op == "==") return a == b ? 1 : 0;
    if (op == "!=") return a != b ? 1 : 0;
    if (op == "<=") return a <= b ? 1 : 0;
    if (op == ">=") return a >= b ? 1 : 0;
    if (op == "<") return a < b ? 1 : 0;
    if (op == ">") return a > b ? 1 : 0;
    if (op == "&&") return a != 0 && b != 0 ? 1 : 0;
    return a != 0 || b != 0 ? 1 : 0;
}

/// Precedence climbing over integers, variables, parentheses and unary + - !.
class Parser {
public:
    Parser(std::string_view text, const ShellVariables &variables) : m_text(text), m_variables(variables) {}

    Number whole()
    {
        const Number result = binary(1, 0);
        skipBlanks();
        return m_pos == m_text.size() ? result : std::nullopt;
    }

private:
    void skipBlanks()
    {
        while (m_pos < m_text.size() && (m_text[m_pos] == ' ' || m_text[m_pos] == '\t' || m_text[m_pos] == '\n'))
            ++m_pos;
    }

    Number binary(int lowest, int depth)
    {
        Number left = unary(depth);
        while (left) {
            skipBlanks();
            const Operator *found = nullptr;
            for (const Operator &candidate : kOperators) {
                if (m_text.substr(m_pos).starts_with(candidate.text)) {
                    found = &candidate;
                    break;
                }
            }
            if (!found || found->precedence < lowest) return left;
            m_pos += found->text.size();
            const Number right = binary(found->precedence + 1, depth + 1);
            if (!right) return std::nullopt;
            left = apply(found->text, *left, *right);
        }
        return left;
    }

    Number unary(int depth)
    {
        skipBlanks();
        if (m_pos >= m_text.size() || depth > kShellDepth) return std::nullopt;
        const char c = m_text[m_pos];
        if (c == '-' || c == '+' || c == '!') {
            ++m_pos;
            const Number operand = unary(depth + 1);
            if (!operand) return std::nullopt;
            if (c == '!') return *operand == 0 ? 1 : 0;
            return c == '-' ? apply("-", 0, *operand) : operand;
        }
        if (c == '(') {
            ++m_pos;
            const Number inner = binary(1, depth + 1);
            skipBlanks();
            if (!inner || m_pos >= m_text.size() || m_text[m_pos] != ')') return std::nullopt;
            ++m_pos;
            return inner;
        }
        return operand();
    }

    Number operand()
    {
        const std::size_t start = m_pos;
        while (m_pos < m_text.size() && isWord(m_text[m_pos]))
            ++m_pos;
        const std::string word(m_text.substr(start, m_pos - start));
        if (word.empty()) return std::nullopt;
        if (word.front() >= '0' && word.front() <= '9') return number(word);
        const auto value = m_variables.value(word);
        return value ? number(*value) : std::nullopt;
    }

    static bool isWord(char c)
    {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    static Number number(std::string_view text)
    {
        const bool negative = text.starts_with('-');
        if (negative) text.remove_prefix(1);
        if (text.empty()) return std::nullopt;
        std::int64_t result = 0;
        for (const char c : text) {
            if (c < '0' || c > '9') return std::nullopt;
            const Number shifted = apply("*", result, 10);
            const Number next = shifted ? apply("+", *shifted, c - '0') : std::nullopt;
            if (!next) return std::nullopt;
            result = *next;
        }
        return negative ? -result : result;
    }

    std::string_view m_text;
    const ShellVariables &m_variables;
    std::size_t m_pos = 0;
};

} // namespace

std::optional<std::int64_t> ShellVariables::arithmetic(std::string_view expression)
{
    return Parser(expression, *this).whole();
}

} // namespace clusterbeat
