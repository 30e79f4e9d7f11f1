// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_arithmetic.h"

#include "model/formats/shell_lexer.h"

#include <array>
#include <limits>

namespace clusterbeat {
namespace {

using Number = std::optional<std::int64_t>;
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

/// Binary operators with the shell's precedence; a longer one comes before its own prefix.
struct Operator {
    std::string_view text;
    int precedence;
};
constexpr std::array<Operator, 19> kOperators{{{"||", 1}, {"&&", 2}, {"==", 6}, {"!=", 6}, {"<<", 8}, {">>", 8}, {"<=", 7}, {">=", 7},
                                               {"**", 11}, {"|", 3}, {"^", 4}, {"&", 5}, {"<", 7}, {">", 7}, {"+", 9}, {"-", 9},
                                               {"*", 10}, {"/", 10}, {"%", 10}}};
constexpr std::array<std::string_view, 11> kAssignments{"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "="};

Number power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0) return std::nullopt;
    std::int64_t result = 1;
    for (std::int64_t i = 0; i < exponent && result != 0; ++i) {
        if (i > 64 && (base == 1 || base == -1)) return exponent % 2 == 0 ? 1 : base;
        if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
    }
    return result;
}

Number apply(std::string_view op, std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    if (op == "+") return __builtin_add_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "-") return __builtin_sub_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "*") return __builtin_mul_overflow(a, b, &result) ? Number() : Number(result);
    if (op == "**") return power(a, b);
    if (op == "/" || op == "%") {
        if (b == 0 || (a == kLowest && b == -1)) return std::nullopt;
        return op == "/" ? a / b : a % b;
    }
    if (op == "<<" || op == ">>") {
        if (b < 0 || b > 62) return std::nullopt;
        return op == ">>" ? a >> b : static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << b);
    }
    if (op == "&") return a & b;
    if (op == "|") return a | b;
    if (op == "^") return a ^ b;
    if (op == "==") return a == b ? 1 : 0;
    if (op == "!=") return a != b ? 1 : 0;
    if (op == "<=") return a <= b ? 1 : 0;
    if (op == ">=") return a >= b ? 1 : 0;
    if (op == "<") return a < b ? 1 : 0;
    return a > b ? 1 : 0;
}

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

/// Precedence climbing. What is not evaluated (the other side of ?: && ||) is read without effect.
class Parser {
public:
    Parser(std::string_view text, ShellEnvironment &environment, ShellBudget &budget, ShellNumber &said, int depth)
        : m_text(text), m_environment(environment), m_budget(budget), m_said(said), m_depth(depth)
    {
    }

    Number whole()
    {
        skipBlanks();
        if (m_pos == m_text.size()) return 0; // bash: an empty expression is 0
        const Number result = comma();
        skipBlanks();
        return m_pos == m_text.size() && !m_failed ? result : std::nullopt;
    }

private:
    /// A variable or element that can be assigned.
    struct Place {
        std::string name, key;
        bool element = false;
    };

    void skipBlanks()
    {
        while (m_pos < m_text.size() && std::string_view(" \t\n\r\"").find(m_text[m_pos]) != std::string_view::npos)
            ++m_pos;
    }
    [[nodiscard]] bool at(std::string_view what) const { return m_text.substr(m_pos).starts_with(what); }
    Number fail()
    {
        m_failed = true;
        m_pos = m_text.size();
        return std::nullopt;
    }

    Number comma()
    {
        Number result = conditional();
        for (skipBlanks(); at(",") && !m_failed; skipBlanks()) {
            ++m_pos;
            result = conditional();
        }
        return result;
    }

    Number conditional()
    {
        if (++m_level > kShellDepth) return fail();
        Number condition = binary(1);
        skipBlanks();
        if (at("?") && !m_failed) {
            ++m_pos;
            const bool skipped = m_skip;
            m_skip = skipped || condition != 0 ? skipped : true;
            const Number yes = comma();
            skipBlanks();
            if (!at(":")) return fail();
            ++m_pos;
            m_skip = skipped || (condition && *condition != 0);
            const Number no = conditional();
            m_skip = skipped;
            condition = !condition ? std::nullopt : *condition != 0 ? yes : no;
        }
        --m_level;
        return condition;
    }

    Number binary(int lowest)
    {
        Number left = unary();
        while (!m_failed) {
            skipBlanks();
            const Operator *found = nullptr;
            for (const Operator &candidate : kOperators) {
                if (!at(candidate.text)) continue;
                found = &candidate;
                break;
            }
            if (!found || found->precedence < lowest) return left;
            m_pos += found->text.size();
            const bool skipped = m_skip;
            const bool either = found->text == "||", both = found->text == "&&";
            m_skip = skipped || (left && ((either && *left != 0) || (both && *left == 0)));
            if (++m_level > kShellDepth) return fail();
            const Number right = binary(found->text == "**" ? found->precedence : found->precedence + 1);
            --m_level;
            m_skip = skipped;
            left = either || both ? logical(either, left, right) : left && right ? apply(found->text, *left, *right) : std::nullopt;
        }
        return left;
    }

    static Number logical(bool either, Number left, Number right)
    {
        const auto decides = [either](const Number &side) { return side && (*side != 0) == either; };
        if (decides(left) || decides(right)) return either ? 1 : 0;
        if (!left || !right) return std::nullopt;
        return either ? 0 : 1;
    }

    Number unary()
    {
        skipBlanks();
        if (m_pos >= m_text.size() || ++m_level > kShellDepth) return fail();
        const char c = m_text[m_pos];
        Number result;
        if (at("++") || at("--")) {
            m_pos += 2;
            skipBlanks();
            result = isNameStart(m_pos < m_text.size() ? m_text[m_pos] : '\0') ? increment(place(), c == '+' ? 1 : -1, true) : fail();
        } else if (c == '-' || c == '+' || c == '!' || c == '~') {
            ++m_pos;
            const Number operand = unary();
            if (c == '-') result = operand ? apply("-", 0, *operand) : operand;
            else if (c == '!') result = operand ? Number(*operand == 0 ? 1 : 0) : operand;
            else if (c == '~') result = operand ? Number(~*operand) : operand;
            else result = operand;
        } else if (c == '(') {
            ++m_pos;
            result = comma();
            skipBlanks();
            if (!at(")")) return fail();
            ++m_pos;
        } else {
            result = operand();
        }
        --m_level;
        return result;
    }

    Number operand()
    {
        const char c = m_text[m_pos];
        if (c == kUnresolvedOpen) {
            const std::size_t close = std::min(m_text.find_first_of("\x02\x03", m_pos), m_text.size() - 1);
            const std::string_view mark = m_text.substr(m_pos, close + 1 - m_pos);
            m_pos = close + 1;
            return marked(mark);
        }
        if (isDigit(c)) return literal();
        if (!isNameStart(c)) return fail();
        const Place target = place();
        skipBlanks();
        for (const std::string_view op : kAssignments) {
            if (!at(op) || (op == "=" && at("=="))) continue;
            m_pos += op.size();
            return assignment(target, op);
        }
        if (at("++") || at("--")) {
            const int step = at("++") ? 1 : -1;
            m_pos += 2;
            return increment(target, step, false);
        }
        return value(target);
    }

    Number assignment(const Place &target, std::string_view op)
    {
        const Number right = conditional();
        const Number old = op == "=" ? Number(0) : value(target);
        const Number result = op == "=" ? right : old && right ? apply(op.substr(0, op.size() - 1), *old, *right) : std::nullopt;
        store(target, result);
        return result;
    }

    /// The digits of a literal: decimal, 0x…, 0…, base#….
    Number literal()
    {
        const std::size_t start = m_pos;
        while (m_pos < m_text.size() && (isNameStart(m_text[m_pos]) || isDigit(m_text[m_pos]) || m_text[m_pos] == '#'))
            ++m_pos;
        std::string_view digits = m_text.substr(start, m_pos - start);
        std::int64_t base = 10;
        if (digits.starts_with("0x") || digits.starts_with("0X")) {
            base = 16;
            digits.remove_prefix(2);
        } else if (const std::size_t hash = digits.find('#'); hash != std::string_view::npos && hash <= 2) {
            base = digits[0] - '0';
            if (hash == 2) base = isDigit(digits[1]) ? base * 10 + (digits[1] - '0') : 0;
            digits.remove_prefix(hash + 1);
        } else if (digits.size() > 1 && digits[0] == '0') {
            base = 8;
        }
        if (base < 2 || base > 36 || digits.empty()) return fail();
        std::int64_t result = 0;
        for (const char c : digits) {
            const int digit = isDigit(c) ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
            if (digit >= base) return fail();
            if (__builtin_mul_overflow(result, base, &result) || __builtin_add_overflow(result, digit, &result)) return fail();
        }
        return result;
    }

    Place place()
    {
        const std::size_t start = m_pos;
        while (m_pos < m_text.size() && (isNameStart(m_text[m_pos]) || isDigit(m_text[m_pos])))
            ++m_pos;
        Place result;
        result.name = std::string(m_text.substr(start, m_pos - start));
        if (!at("[")) return result;
        const std::size_t end = skipShellBrackets(m_text, m_pos + 1, '[', ']');
        if (end == std::string_view::npos) {
            fail();
            return result;
        }
        const std::string_view subscript = m_text.substr(m_pos + 1, end - m_pos - 2);
        m_pos = end;
        result.element = true;
        const ShellValue *array = m_environment.find(result.name);
        if (array && array->kind == ShellValue::Kind::Associative) {
            result.key = std::string(subscript);
        } else {
            const Number index = nested(subscript);
            result.key = index ? std::to_string(*index) : std::string();
        }
        return result;
    }

    Number nested(std::string_view text)
    {
        ++m_budget.steps;
        if (m_depth >= kShellDepth || m_budget.spent()) return fail();
        return Parser(text, m_environment, m_budget, m_said, m_depth + 1).whole();
    }

    Number marked(std::string_view mark)
    {
        if (mark.back() == kUnsetClose) {
            if (!m_skip && m_said.unset.empty()) m_said.unset = unresolvedName(mark).value_or("");
            return 0;
        }
        if (!m_skip && m_said.unknown.empty()) m_said.unknown = unknownName(mark).value_or("");
        return std::nullopt;
    }

    Number value(const Place &target)
    {
        const ShellValue *found = m_environment.find(target.name);
        const auto text = !found ? std::nullopt : target.element ? found->at(target.key) : found->first();
        if (!text) {
            if (ShellEnvironment::alwaysSet(target.name)) return marked(unresolvedMark(target.name));
            return marked(unsetMark(target.name));
        }
        if (const auto name = unknownName(*text)) return marked(unresolvedMark(*name));
        if (isUnsetOnly(*text)) return marked(*text);
        return nested(*text);
    }

    void store(const Place &target, const Number &number)
    {
        if (m_skip || m_failed) return;
        ++m_budget.steps;
        const std::string text = number ? std::to_string(*number) : unresolvedMark(m_said.unknown.empty() ? target.name : m_said.unknown);
        const ShellValue *array = m_environment.find(target.name);
        if (!target.element) m_environment.assign(target.name, text);
        else if (array && array->kind == ShellValue::Kind::Associative) m_environment.assignKey(target.name, target.key, text);
        else if (!target.key.empty() && target.key.size() < 10) m_environment.assignElement(target.name, std::stoll(target.key), text);
    }

    Number increment(const Place &target, int step, bool before)
    {
        const Number old = value(target);
        const Number next = old ? apply("+", *old, step) : std::nullopt;
        store(target, next);
        return before ? next : old;
    }

    std::string_view m_text;
    ShellEnvironment &m_environment;
    ShellBudget &m_budget;
    ShellNumber &m_said;
    int m_depth;
    int m_level = 0;
    std::size_t m_pos = 0;
    bool m_skip = false;
    bool m_failed = false;
};

} // namespace

ShellNumber shellArithmetic(std::string_view expression, ShellEnvironment &environment, ShellBudget &budget)
{
    ShellNumber result;
    budget.steps += 1 + expression.size() / 64;
    result.value = Parser(expression, environment, budget, result, 0).whole();
    if (!result.value && result.unknown.empty()) result.unknown = result.unset.empty() ? "((" + std::string(expression.substr(0, 60)) + "))" : result.unset;
    return result;
}

} // namespace clusterbeat
