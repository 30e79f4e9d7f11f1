// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"

#include "model/formats/shell_pattern.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameChar(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || isDigit(c); }

std::string changedCase(std::string text, bool upper, bool all)
{
    for (char &c : text) {
        if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
        if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (!all) break;
    }
    return text;
}

bool isPlain(std::string_view pattern) { return pattern.find_first_of("*?[(") == kEnd; }

std::string unescaped(std::string_view pattern)
{
    std::string result;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        result += pattern[i];
    }
    return result;
}

/// Where the pattern of ${x/pattern/replacement} ends.
std::size_t slash(std::string_view text)
{
    for (std::size_t pos = 0; pos < text.size();) {
        if (text[pos] == '/') return pos;
        const std::size_t end = skipShellConstruct(text, pos);
        if (end == kEnd) break;
        pos = end;
    }
    return text.size();
}

} // namespace

/// Takes the parameter's name and subscript off the front of `inner`.
ShellExpander::Parameter ShellExpander::parameter(std::string_view &inner, int depth)
{
    Parameter result;
    if (inner.empty()) return result;
    std::size_t end = 0;
    while (end < inner.size() && isNameChar(inner[end]) && (end == 0 || !isDigit(inner[0]) || isDigit(inner[end])))
        ++end;
    if (end == 0) {
        const char c = inner.front();
        inner.remove_prefix(1);
        if (std::string_view("@*#?$!-").find(c) != kEnd) return special(c);
        result.name = std::string(1, c);
        return result;
    }
    result.name = std::string(inner.substr(0, end));
    inner.remove_prefix(end);
    if (isDigit(result.name.front())) {
        std::size_t index = 0;
        std::from_chars(result.name.data(), result.name.data() + result.name.size(), index);
        const std::vector<std::string> &positional = m_environment.positional;
        if (index == 0) return special('0');
        result.set = index <= positional.size();
        result.items = {result.set ? positional[index - 1] : unsetMark(result.name)};
        if (!result.set && inner.empty()) result.items = {unsetText(result.name)};
        return result;
    }
    const ShellValue *value = m_environment.find(result.name);
    if (inner.starts_with('[')) {
        const std::size_t close = skipShellBrackets(inner, 1, '[', ']');
        const std::string_view subscript = close == kEnd ? inner.substr(1) : inner.substr(1, close - 2);
        inner.remove_prefix(close == kEnd ? inner.size() : close);
        result.list = subscript == "@";
        result.star = subscript == "*";
        if (result.list || result.star) {
            if (value) result.items = value->values();
            else if (result.name != "BASH_SOURCE") result.items = {unsetText(result.name)};
            result.set = value && !result.items.empty();
            return result;
        }
        std::optional<std::string> element;
        if (value && value->kind == ShellValue::Kind::Associative) {
            const std::string key = expanded(subscript, Mode::Joined, depth);
            if (const auto unknown = unknownName(key)) element = unresolvedMark(*unknown);
            else element = value->at(withoutUnset(key));
        } else if (value) {
            const ShellNumber index = arithmeticAt(subscript, depth);
            std::int64_t at = index.value.value_or(0);
            if (at < 0 && !value->items.empty()) at += value->items.rbegin()->first + 1;
            if (!index.value) element = unresolvedMark(index.unknown);
            else element = value->at(std::to_string(at));
        } else if (result.name == "BASH_SOURCE") {
            element = m_scriptName;
        }
        result.set = element.has_value();
        result.items = {element ? *element : unsetMark(result.name)};
        return result;
    }
    const auto first = value ? value->first() : std::nullopt;
    result.set = first.has_value();
    if (first) result.items = {*first};
    else if (result.name == "BASH_SOURCE") result.items = {m_scriptName};
    else if (value) result.items = {}; // an empty array
    else result.items = {inner.empty() ? unsetText(result.name) : ShellEnvironment::alwaysSet(result.name) ? unresolvedMark(result.name) : unsetMark(result.name)};
    if (!first && ShellEnvironment::alwaysSet(result.name)) result.set = true;
    return result;
}

void ShellExpander::expandBraces(Builder &builder, std::string_view inner, bool quoted, int depth)
{
    if (inner.size() > 1 && inner.front() == '#' && (isNameChar(inner[1]) || inner[1] == '@' || inner[1] == '*')) return length(builder, inner.substr(1), quoted, depth);
    if (inner.size() > 1 && inner.front() == '!' && (isNameChar(inner[1]) || inner == "!#")) return indirect(builder, inner.substr(1), quoted, depth);
    const Parameter found = parameter(inner, depth);
    if (inner.empty()) return emit(builder, found, quoted);
    applyOperator(builder, found, inner, quoted, depth);
}

void ShellExpander::length(Builder &builder, std::string_view inner, bool quoted, int depth)
{
    const bool arguments = inner == "@" || inner == "*";
    const Parameter found = parameter(inner, depth);
    if (arguments || found.list || found.star) {
        const auto count = found.items.size() - static_cast<std::size_t>(std::count_if(found.items.begin(), found.items.end(), isUnsetOnly));
        return emit(builder, std::to_string(count), quoted);
    }
    const std::string text = found.items.empty() ? std::string() : withoutUnset(found.items.front());
    if (const auto unknown = unknownName(text)) return emit(builder, unresolvedMark(*unknown), quoted);
    emit(builder, std::to_string(text.size()), quoted);
}

void ShellExpander::indirect(Builder &builder, std::string_view inner, bool quoted, int depth)
{
    const std::size_t end = std::min(inner.find_first_of("[*@:-+=?#%/^,", 1), inner.size());
    const std::string name(inner.substr(0, end));
    const std::string_view rest = inner.substr(end);
    Parameter result;
    if (rest == "[@]" || rest == "[*]") {
        const ShellValue *value = m_environment.find(name);
        if (value) result.items = value->keys();
        result.list = true;
        return emit(builder, result, quoted);
    }
    if (rest == "*" || rest == "@") {
        result.items = m_environment.namesWith(name);
        result.list = true;
        return emit(builder, result, quoted);
    }
    std::string_view pointer = name;
    const Parameter through = parameter(pointer, depth);
    const std::string target = through.items.empty() ? std::string() : withoutUnset(through.items.front());
    if (!through.set || target.empty()) return emit(builder, unsetText(name), quoted);
    if (const auto unknown = unknownName(target)) return emit(builder, unresolvedMark(*unknown), quoted);
    const std::string again = target + std::string(rest);
    if (depth < kShellDepth && !again.starts_with('!')) expandBraces(builder, again, quoted, depth + 1);
}

bool ShellExpander::applyDefault(Builder &builder, const Parameter &parameter, std::string_view rest, bool quoted, int depth)
{
    const bool colon = rest.front() == ':';
    const char op = rest.size() > (colon ? 1U : 0U) ? rest[colon ? 1 : 0] : '\0';
    if (op == '\0' || std::string_view("-=+?").find(op) == kEnd) return false;
    bool isSet = parameter.set;
    if (colon && isSet) isSet = std::any_of(parameter.items.begin(), parameter.items.end(), [](const std::string &item) { return !withoutUnset(item).empty(); });
    const std::string_view word = rest.substr(colon ? 2 : 1);
    const auto writeWord = [&] {
        if (quoted) return expandQuoted(builder, word, depth, false);
        const bool outer = std::exchange(builder.splitsPlain, true);
        expand(builder, word, depth);
        builder.splitsPlain = outer;
    };
    if (op == '+') {
        if (isSet) writeWord();
        return true;
    }
    if (isSet) {
        emit(builder, parameter, quoted);
        return true;
    }
    if (op == '?') {
        m_missing.insert(parameter.name);
        emit(builder, unsetMark(parameter.name), quoted);
        return true;
    }
    if (op == '=') {
        const std::string text = expanded(word, Mode::Joined, depth);
        m_environment.assign(parameter.name, text);
        if (ShellEnvironment::fromLauncher(parameter.name)) m_assumed.emplace(parameter.name, text);
        emit(builder, text, quoted);
        return true;
    }
    if (ShellEnvironment::fromLauncher(parameter.name)) m_assumed.emplace(parameter.name, expanded(word, Mode::Joined, depth));
    writeWord();
    return true;
}

void ShellExpander::applyOperator(Builder &builder, const Parameter &parameter, std::string_view rest, bool quoted, int depth)
{
    if (depth > kShellDepth || applyDefault(builder, parameter, rest, quoted, depth)) return;
    Parameter result = parameter;
    if (rest.front() == ':') {
        bool known = true;
        result.items = sliced(parameter, rest.substr(1), depth, known);
        return emit(builder, result, quoted);
    }
    for (std::string &item : result.items) {
        if (unresolvedName(item) || m_budget.spent()) continue; // what is not known stays so
        item = transformed(item, rest, depth);
    }
    emit(builder, result, quoted);
}

std::string ShellExpander::transformed(const std::string &text, std::string_view rest, int depth)
{
    switch (rest.front()) {
    case '#':
    case '%': return removed(text, rest, depth);
    case '/': return replaced(text, rest, depth);
    case ',':
    case '^': return changedCase(text, rest.front() == '^', rest.size() > 1 && rest[1] == rest.front());
    case '@':
        if (rest == "@U" || rest == "@L") return changedCase(text, rest == "@U", true);
        if (rest == "@u") return changedCase(text, true, false);
        return rest == "@Q" ? "'" + text + "'" : text;
    default: return unresolvedMark("${" + std::string(rest.substr(0, 20)) + "}");
    }
}

std::string ShellExpander::removed(const std::string &text, std::string_view rest, int depth)
{
    const bool front = rest.front() == '#';
    const bool longest = rest.size() > 1 && rest[1] == rest.front();
    const std::string pattern = expanded(rest.substr(longest ? 2 : 1), Mode::Pattern, depth);
    const std::string_view view = text;
    for (std::size_t i = 0; i <= text.size() && !m_budget.spent(); ++i) {
        const std::size_t taken = longest ? text.size() - i : i;
        const std::string_view part = front ? view.substr(0, taken) : view.substr(text.size() - taken);
        m_budget.steps += part.size() / 64;
        if (shellPatternMatches(pattern, part, m_budget))
            return std::string(front ? view.substr(taken) : view.substr(0, text.size() - taken));
    }
    return text;
}

std::string ShellExpander::replaced(const std::string &text, std::string_view rest, int depth)
{
    rest.remove_prefix(1);
    const char kind = rest.empty() ? '\0' : rest.front();
    if (kind == '/' || kind == '#' || kind == '%') rest.remove_prefix(1);
    const std::size_t end = slash(rest);
    const std::string pattern = expanded(rest.substr(0, end), Mode::Pattern, depth);
    const std::string replacement = end < rest.size() ? expanded(rest.substr(end + 1), Mode::Joined, depth) : std::string();
    if (pattern.empty()) return kind == '#' ? replacement + text : kind == '%' ? text + replacement : text;
    const bool plain = isPlain(pattern);
    const std::string literal = unescaped(pattern);
    std::string result;
    std::size_t pos = 0;
    bool done = false;
    while (pos < text.size() && !done && !m_budget.spent()) {
        const std::string_view left = std::string_view(text).substr(pos);
        std::size_t length = kEnd;
        if (plain) {
            if (left.starts_with(literal) && (kind != '%' || left.size() == literal.size())) length = literal.size();
        } else {
            for (std::size_t taken = left.size(); taken > 0 && length == kEnd && !m_budget.spent(); --taken) {
                if (kind == '%' && taken != left.size()) break;
                ++m_budget.steps;
                if (shellPatternMatches(pattern, left.substr(0, taken), m_budget)) length = taken;
            }
        }
        if (length == kEnd || length == 0) {
            if (kind == '#') break;
            result += text[pos++];
            continue;
        }
        result += replacement;
        m_budget.output += replacement.size();
        pos += length;
        done = kind != '/';
    }
    return result + text.substr(std::min(pos, text.size()));
}

/// ${x:offset:length} of a text or a list.
std::vector<std::string> ShellExpander::sliced(const Parameter &parameter, std::string_view rest, int depth, bool &known)
{
    std::size_t colon = 0;
    while (colon < rest.size() && rest[colon] != ':') {
        const std::size_t next = rest[colon] == '(' ? skipShellBrackets(rest, colon + 1, '(', ')') : skipShellConstruct(rest, colon);
        colon = next == kEnd ? rest.size() : next;
    }
    const ShellNumber offset = arithmeticAt(rest.substr(0, std::min(colon, rest.size())), depth);
    const bool limited = colon < rest.size();
    const ShellNumber length = limited ? arithmeticAt(rest.substr(colon + 1), depth) : ShellNumber{};
    known = offset.value && (!limited || length.value);
    if (!known) return {unresolvedMark(offset.value ? length.unknown : offset.unknown)};
    const bool list = parameter.list || parameter.star;
    std::vector<std::string> items = parameter.items;
    if (list && (parameter.name == "@" || parameter.name == "*")) items.insert(items.begin(), m_scriptName);
    if (!list && !items.empty() && unresolvedName(items.front())) return items;
    const std::int64_t size = list ? static_cast<std::int64_t>(items.size()) : items.empty() ? 0 : static_cast<std::int64_t>(items.front().size());
    std::int64_t first = *offset.value < 0 ? *offset.value + size : *offset.value;
    if (first < 0) return {};
    first = std::min(first, size);
    std::int64_t last = size;
    if (limited) last = *length.value < 0 ? size + *length.value : std::min(size, *length.value > size ? size : first + *length.value);
    last = std::max(first, last);
    if (!list) return items.empty() ? items : std::vector<std::string>{items.front().substr(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first))};
    return {items.begin() + first, items.begin() + last};
}

} // namespace clusterbeat
