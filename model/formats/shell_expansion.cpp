// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameChar(char c) { return isNameStart(c) || isDigit(c); }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Names end at the first blank or quote: the mark has to survive another splitting into words.
std::string unresolved(std::string_view name)
{
    return kUnresolvedOpen + std::string(name.substr(0, std::min<std::size_t>(80, name.find_first_of(" \t\r\n'\"\\")))) + kUnresolvedClose;
}
/// Nothing but one unresolved name: without the environment the shell would see an empty value.
bool isUnresolvedOnly(const std::string &text)
{
    return text.size() >= 2 && text.front() == kUnresolvedOpen && text.find(kUnresolvedClose) == text.size() - 1;
}

std::size_t skipDoubleQuoted(std::string_view text, std::size_t pos, int depth)
{
    for (++pos; pos < text.size() && text[pos] != '"';) {
        const char c = text[pos];
        pos = (c == '\\' || c == '$' || c == '`') ? skipShellConstruct(text, pos, depth + 1) : pos + 1;
        if (pos == kEnd) return kEnd;
    }
    return pos < text.size() ? pos + 1 : kEnd;
}

std::size_t skipBracketed(std::string_view text, std::size_t pos, char open, char close, int depth)
{
    int level = 1;
    for (; pos < text.size();) {
        const char c = text[pos];
        if (c == open) ++level;
        if (c == close && --level == 0) return pos + 1;
        pos = skipShellConstruct(text, pos, depth + 1);
        if (pos == kEnd) return kEnd;
    }
    return kEnd;
}

std::string changedCase(std::string text, bool upper)
{
    for (char &c : text) {
        if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

std::string join(const std::vector<std::string> &items)
{
    std::string text;
    for (const std::string &item : items) {
        if (&item != &items.front()) text += ' ';
        text += item;
    }
    return text;
}

} // namespace

std::optional<std::string> unresolvedName(std::string_view word)
{
    const std::size_t open = word.find(kUnresolvedOpen);
    if (open == kEnd) return std::nullopt;
    const std::size_t close = word.find(kUnresolvedClose, open);
    return std::string(word.substr(open + 1, close == kEnd ? kEnd : close - open - 1));
}

std::size_t skipShellConstruct(std::string_view text, std::size_t pos, int depth)
{
    if (depth > kShellDepth) return kEnd;
    const char next = pos + 1 < text.size() ? text[pos + 1] : '\0';
    std::size_t end = kEnd;
    switch (text[pos]) {
    case '\\': return std::min(pos + 2, text.size());
    case '\'':
        end = text.find('\'', pos + 1);
        return end == kEnd ? kEnd : end + 1;
    case '"': return skipDoubleQuoted(text, pos, depth);
    case '`':
        for (end = pos + 1; end < text.size() && text[end] != '`'; ++end)
            if (text[end] == '\\') ++end;
        return end < text.size() ? end + 1 : kEnd;
    case '$':
        if (next == '{') return skipBracketed(text, pos + 2, '{', '}', depth);
        if (next == '(') return skipBracketed(text, pos + 2, '(', ')', depth);
        return pos + 1;
    default: return pos + 1;
    }
}

bool shellPatternMatches(std::string_view pattern, std::string_view text)
{
    std::size_t p = 0;
    std::size_t t = 0;
    std::size_t star = kEnd;
    std::size_t resume = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++p;
            ++t;
        } else if (star != kEnd) {
            p = star + 1;
            t = ++resume;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

/// Fields of a word under construction.
struct ShellVariables::Fields {
    std::vector<std::string> done;
    std::string current;
    bool started = false; ///< quotes or characters were seen: an empty field counts

    void add(std::string_view text)
    {
        current += text;
        started = true;
    }
    void finish()
    {
        if (started) done.push_back(std::move(current));
        current.clear();
        started = false;
    }
};

void ShellVariables::assign(const std::string &name, std::vector<std::string> items, bool array, bool append)
{
    for (const std::string &item : items)
        m_output += item.size() + 1;
    Value &value = m_values[name];
    if (append && array) {
        for (std::string &item : items)
            value.items.push_back(std::move(item));
        value.array = true;
    } else if (append && !value.items.empty()) {
        value.items.front() += items.empty() ? std::string() : items.front();
    } else {
        value.items = std::move(items);
        value.array = array;
    }
}

std::optional<std::string> ShellVariables::value(const std::string &name) const
{
    const auto it = m_values.find(name);
    if (it == m_values.end() || it->second.items.empty()) return std::nullopt;
    return it->second.items.front();
}

std::vector<std::string> ShellVariables::expandWord(std::string_view raw)
{
    Fields fields;
    expandInto(fields, raw, true, 0);
    fields.finish();
    return std::move(fields.done);
}

std::string ShellVariables::expandJoined(std::string_view raw) { return joined(raw, 0); }

std::string ShellVariables::joined(std::string_view raw, int depth)
{
    Fields fields;
    expandInto(fields, raw, false, depth);
    fields.finish();
    return join(fields.done);
}

void ShellVariables::expandInto(Fields &fields, std::string_view raw, bool split, int depth)
{
    if (depth > kShellDepth) return;
    for (std::size_t pos = 0; pos < raw.size() && !overflowed();) {
        const char c = raw[pos];
        if (c != '\\' && c != '\'' && c != '"' && c != '`' && c != '$') {
            std::size_t end = pos;
            while (end < raw.size() && raw.substr(end, 1).find_first_of("\\'\"`$") == kEnd)
                ++end;
            fields.add(raw.substr(pos, end - pos));
            m_output += end - pos;
            pos = end;
            continue;
        }
        if (c == '$') {
            const Expansion expansion = expandDollar(raw, pos, depth);
            for (std::size_t i = 0; i < expansion.items.size() && !overflowed(); ++i) {
                const std::string &item = expansion.items[i];
                m_output += item.size();
                if (!split) {
                    if (i > 0) fields.add(" ");
                    fields.add(item);
                    continue;
                }
                if (i > 0) fields.finish();
                for (std::size_t at = 0; at < item.size();) {
                    std::size_t end = at;
                    while (end < item.size() && !isBlank(item[end]))
                        ++end;
                    if (end > at) fields.add(std::string_view(item).substr(at, end - at));
                    if (end < item.size()) fields.finish();
                    at = end + 1;
                }
            }
            continue;
        }
        const std::size_t end = std::min(skipShellConstruct(raw, pos), raw.size());
        const std::string_view part = raw.substr(pos, end - pos);
        if (c == '\\' && part.size() == 2 && part[1] != '\n') fields.add(part.substr(1));
        if (c == '\'') fields.add(part.size() >= 2 ? part.substr(1, part.size() - 2) : std::string_view());
        if (c == '`') fields.add(unresolved("`"));
        if (c == '"') expandQuoted(fields, part.size() >= 2 ? part.substr(1, part.size() - 2) : std::string_view(), depth);
        m_output += part.size();
        pos = end;
    }
}

void ShellVariables::expandQuoted(Fields &fields, std::string_view inner, int depth)
{
    // "${A[@]}" of an empty array is no field at all, every other quoted string is one, even when empty.
    bool onlyEmptyList = !inner.empty();
    for (std::size_t pos = 0; pos < inner.size() && !overflowed();) {
        const char c = inner[pos];
        if (c == '$') {
            const Expansion expansion = expandDollar(inner, pos, depth);
            onlyEmptyList = onlyEmptyList && expansion.list && expansion.items.empty();
            for (std::size_t i = 0; i < expansion.items.size(); ++i) {
                if (i > 0 && expansion.list) fields.finish();
                if (i > 0 && !expansion.list) fields.add(" ");
                fields.add(expansion.items[i]);
                m_output += expansion.items[i].size();
            }
            continue;
        }
        onlyEmptyList = false;
        if (c == '`') {
            fields.add(unresolved("`"));
            pos = std::min(skipShellConstruct(inner, pos), inner.size());
        } else if (c == '\\' && pos + 1 < inner.size() && std::string_view("$`\"\\\n").find(inner[pos + 1]) != kEnd) {
            if (inner[pos + 1] != '\n') fields.add(inner.substr(pos + 1, 1));
            pos += 2;
        } else {
            std::size_t end = pos + 1;
            while (end < inner.size() && inner[end] != '$' && inner[end] != '`' && inner[end] != '\\')
                ++end;
            fields.add(inner.substr(pos, end - pos));
            m_output += end - pos;
            pos = end;
        }
    }
    if (!onlyEmptyList) fields.started = true;
}

ShellVariables::Expansion ShellVariables::special(char name) const
{
    // The script is read as if started without arguments.
    if (name == '@' || name == '*') return {{}, true};
    if (name == '#') return {{"0"}, false};
    return {{unresolved(std::string_view(&name, 1))}, false};
}

ShellVariables::Expansion ShellVariables::expandDollar(std::string_view text, std::size_t &pos, int depth)
{
    const std::size_t start = pos;
    const char next = pos + 1 < text.size() ? text[pos + 1] : '\0';
    if (isNameStart(next)) {
        std::size_t end = pos + 1;
        while (end < text.size() && isNameChar(text[end]))
            ++end;
        pos = end;
        const std::string name(text.substr(start + 1, end - start - 1));
        const auto value = m_values.find(name);
        if (value == m_values.end()) return {{unresolved(name)}, false};
        if (value->second.items.empty()) return {{}, false};
        return {{value->second.items.front()}, false};
    }
    if (next == '{' || next == '(') {
        const std::size_t end = skipShellConstruct(text, pos);
        pos = std::min(end, text.size());
        if (end == kEnd) return {{unresolved("$")}, false};
        const std::string_view inner = text.substr(start + 2, end - start - 3);
        if (next == '{') return depth < kShellDepth ? expandBraces(inner, depth + 1) : Expansion{{unresolved("$")}, false};
        if (inner.size() >= 2 && inner.front() == '(' && inner.back() == ')') {
            const std::string expression = joined(inner.substr(1, inner.size() - 2), depth + 1);
            if (const auto result = arithmetic(expression)) return {{std::to_string(*result)}, false};
            return {{unresolved(unknownOperand(expression))}, false};
        }
        return {{unresolved("$(" + std::string(inner.substr(0, inner.find_first_of(" \t\n"))) + ")")}, false};
    }
    if (next != '\0' && (isDigit(next) || std::string_view("@*#?$!-").find(next) != kEnd)) {
        pos += 2;
        return special(next);
    }
    ++pos;
    if (next == '\'' || next == '"') return {}; // $'…' and $"…": the quotes follow
    return {{"$"}, false};
}

std::string ShellVariables::unknownOperand(const std::string &expression) const
{
    if (const auto name = unresolvedName(expression)) return *name;
    for (std::size_t pos = 0; pos < expression.size();) {
        std::size_t end = pos;
        while (end < expression.size() && isNameChar(expression[end]))
            ++end;
        if (end > pos && isNameStart(expression[pos])) {
            const std::string name = expression.substr(pos, end - pos);
            const auto operand = value(name);
            if (!operand) return name;
            if (const auto inner = unresolvedName(*operand)) return *inner;
        }
        pos = end + 1;
    }
    return "((" + expression + "))";
}

ShellVariables::Expansion ShellVariables::expandBraces(std::string_view inner, int depth)
{
    const bool length = inner.size() > 1 && inner.front() == '#';
    if (length) inner.remove_prefix(1);
    std::size_t end = 0;
    while (end < inner.size() && isNameChar(inner[end]))
        ++end;
    if (end == 0) {
        if (!inner.empty() && (inner.front() == '@' || inner.front() == '*')) return special('@');
        return {{unresolved(inner)}, false};
    }
    const std::string name(inner.substr(0, end));
    std::string_view rest = inner.substr(end);
    const auto it = m_values.find(name);
    const Value *value = it == m_values.end() ? nullptr : &it->second;

    Value element; // of a subscript
    bool list = false;
    if (!rest.empty() && rest.front() == '[') {
        const std::size_t close = rest.find(']');
        if (close == kEnd) return {{unresolved(name)}, false};
        const std::string_view subscript = rest.substr(1, close - 1);
        rest.remove_prefix(close + 1);
        list = subscript == "@" || subscript == "*";
        if (!list && value) {
            const auto index = arithmetic(joined(subscript, depth));
            if (!index || *index < 0 || *index >= static_cast<std::int64_t>(value->items.size())) return {{unresolved(name)}, false};
            element.items = {value->items[static_cast<std::size_t>(*index)]};
            value = &element;
        }
    } else if (value && value->array && value->items.size() > 1) {
        element.items = {value->items.front()};
        value = &element;
    }
    if (length) {
        if (list) return {{std::to_string(value ? value->items.size() : 0)}, false};
        return {{value ? std::to_string(join(value->items).size()) : unresolved(name)}, false};
    }
    if (rest.empty()) {
        if (value) return {value->items, list};
        return list ? Expansion{{}, true} : Expansion{{unresolved(name)}, false};
    }
    Expansion result = applyOperator(name, value, rest, depth);
    result.list = list;
    return result;
}

ShellVariables::Expansion ShellVariables::applyOperator(const std::string &name, const Value *value, std::string_view rest,
                                                        int depth)
{
    const bool colon = rest.front() == ':';
    const char op = rest.size() > (colon ? 1U : 0U) ? rest[colon ? 1 : 0] : '\0';
    const std::string text = value ? join(value->items) : std::string();
    const bool isSet = value && (!colon || !(text.empty() || isUnresolvedOnly(text)));
    const std::string_view word = rest.substr(std::min<std::size_t>(rest.size(), colon ? 2 : 1));
    const auto itself = [&] { return value ? Expansion{value->items, false} : Expansion{{unresolved(name)}, false}; };
    switch (op) {
    case '-':
    case '=':
        if (isSet) return itself();
        if (op == '=') assign(name, {joined(word, depth)}, false, false);
        return {{joined(word, depth)}, false};
    case '+': return isSet ? Expansion{{joined(word, depth)}, false} : Expansion{};
    case '?': return itself();
    case ',':
    case '^':
        if (!colon && value && rest.size() == 2 && rest[1] == op) return {{changedCase(text, op == '^')}, false};
        break;
    default: break;
    }
    return {{unresolved(name)}, false};
}

} // namespace clusterbeat
