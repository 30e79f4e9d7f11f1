// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;
constexpr std::size_t kMostBraces = 10'000;

bool isNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isNameChar(char c) { return isNameStart(c) || isDigit(c); }
bool isWhite(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// $'…'
std::string ansiText(std::string_view inner)
{
    static constexpr std::string_view kLetters = "ntrabfv\\'\"e";
    static constexpr std::string_view kMeanings = "\n\t\r\a\b\f\v\\'\"\x1b";
    std::string result;
    for (std::size_t i = 0; i < inner.size(); ++i) {
        const std::size_t letter = inner[i] == '\\' && i + 1 < inner.size() ? kLetters.find(inner[i + 1]) : kEnd;
        result += letter == kEnd ? inner[i] : kMeanings[letter];
        if (letter != kEnd) ++i;
    }
    return result;
}

} // namespace

std::string ShellExpander::separators() const { return m_environment.value("IFS").value_or(" \t\n"); }

std::vector<ShellField> ShellExpander::fields(std::string_view raw)
{
    Builder builder;
    builder.separators = separators();
    if (raw.find('{') == kEnd) {
        expand(builder, raw, 0);
        builder.finish();
        return std::move(builder.done);
    }
    for (const std::string &word : shellBraces(raw, kMostBraces)) {
        m_budget.output += word.size();
        expand(builder, word, 0);
        builder.finish();
    }
    return std::move(builder.done);
}

std::string ShellExpander::expanded(std::string_view raw, Mode mode, int depth)
{
    Builder builder;
    builder.mode = mode;
    expand(builder, raw, depth);
    return std::move(builder.current);
}

std::string ShellExpander::hereDocument(std::string_view body)
{
    Builder builder;
    builder.mode = Mode::Joined;
    expandQuoted(builder, body, 0, true);
    return std::move(builder.current);
}

ShellNumber ShellExpander::arithmetic(std::string_view raw) { return arithmeticAt(raw, 0); }

ShellNumber ShellExpander::arithmeticAt(std::string_view raw, int depth)
{
    const std::string text = raw.find_first_of("$`\\'") == kEnd ? std::string(raw) : expanded(raw, Mode::Joined, depth + 1);
    m_budget.output += text.size();
    return shellArithmetic(text, m_environment, m_budget);
}

std::vector<std::string> ShellExpander::split(const std::string &text, std::size_t most) const
{
    const std::string ifs = separators();
    const auto separates = [&](char c) { return ifs.find(c) != kEnd; };
    const auto white = [&](char c) { return isWhite(c) && separates(c); };
    std::vector<std::string> parts;
    std::size_t pos = 0;
    while (pos < text.size() && white(text[pos]))
        ++pos;
    while (pos < text.size()) {
        if (parts.size() + 1 >= most) {
            std::size_t end = text.size();
            while (end > pos && white(text[end - 1]))
                --end;
            parts.push_back(text.substr(pos, end - pos));
            break;
        }
        std::size_t end = pos;
        while (end < text.size() && !separates(text[end]))
            ++end;
        parts.push_back(text.substr(pos, end - pos));
        while (end < text.size() && white(text[end]))
            ++end;
        if (end < text.size() && separates(text[end])) {
            ++end;
            while (end < text.size() && white(text[end]))
                ++end;
        }
        pos = end;
    }
    return parts;
}

void ShellExpander::expand(Builder &builder, std::string_view raw, int depth)
{
    if (depth > kShellDepth) return;
    for (std::size_t pos = 0; pos < raw.size() && !m_budget.spent();) {
        const char c = raw[pos];
        if (c == '$' && !raw.substr(pos).starts_with("$'")) {
            expandDollar(builder, raw, pos, false, depth);
            continue;
        }
        if (c != '\\' && c != '\'' && c != '"' && c != '`' && c != '$') {
            std::size_t end = std::min(raw.find_first_of("\\'\"`$\x01", pos), raw.size());
            if (c == kUnresolvedOpen) end = skipShellConstruct(raw, pos);
            if (builder.splitsPlain) emit(builder, std::string(raw.substr(pos, end - pos)), false);
            else builder.add(raw.substr(pos, end - pos));
            m_budget.output += end - pos;
            pos = end;
            continue;
        }
        const std::size_t end = std::min(skipShellConstruct(raw, pos), raw.size());
        const std::string_view part = raw.substr(pos, end - pos);
        const std::string_view inner = part.size() >= 2 ? part.substr(1, part.size() - 2) : std::string_view();
        if (c == '\\' && part.size() == 2 && part[1] != '\n') builder.addQuoted(part.substr(1));
        if (c == '\'') builder.addQuoted(inner);
        if (c == '$') builder.addQuoted(ansiText(inner.empty() ? inner : inner.substr(1)));
        if (c == '`') expandSubstitution(builder, inner, false);
        if (c == '"') expandQuoted(builder, inner, depth, false);
        m_budget.output += part.size();
        pos = end;
    }
}

void ShellExpander::expandQuoted(Builder &builder, std::string_view inner, int depth, bool here)
{
    // "${A[@]}" of an empty array is no field at all, every other quoted string is one, even when empty.
    const bool startedBefore = builder.started;
    bool onlyList = !inner.empty();
    for (std::size_t pos = 0; pos < inner.size() && !m_budget.spent();) {
        const char c = inner[pos];
        if (c == '$') {
            const bool list = inner.substr(pos).starts_with("$@") || inner.substr(pos).starts_with("${@") ||
                              (inner.substr(pos).starts_with("${") && inner.find("[@]", pos) != kEnd);
            onlyList = onlyList && list;
            expandDollar(builder, inner, pos, true, depth);
            continue;
        }
        onlyList = false;
        if (c == '`') {
            const std::size_t end = std::min(skipShellConstruct(inner, pos), inner.size());
            expandSubstitution(builder, inner.substr(pos + 1, end > pos + 1 ? end - pos - 2 : 0), true);
            pos = end;
        } else if (c == '"' && !here) { // the quotes of "${x:-"word"}"
            ++pos;
        } else if (c == '\\' && pos + 1 < inner.size() && std::string_view(here ? "$`\\\n" : "$`\"\\\n").find(inner[pos + 1]) != kEnd) {
            if (inner[pos + 1] != '\n') builder.addQuoted(inner.substr(pos + 1, 1));
            pos += 2;
        } else {
            std::size_t end = std::min(inner.find_first_of(here ? "$`\\\x01" : "$`\\\x01\"", pos + 1), inner.size());
            if (c == kUnresolvedOpen) end = skipShellConstruct(inner, pos);
            builder.addQuoted(inner.substr(pos, end - pos));
            m_budget.output += end - pos;
            pos = end;
        }
    }
    if (!onlyList) builder.started = builder.quoted = true;
    else if (!startedBefore && builder.current.empty() && !builder.started) builder.quoted = false;
}

void ShellExpander::emit(Builder &builder, const std::string &text, bool quoted)
{
    m_budget.output += text.size();
    if (quoted) return builder.addQuoted(text);
    if (builder.mode != Mode::Split) {
        builder.current += text;
        builder.started = builder.started || !text.empty();
        return;
    }
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find_first_of(builder.separators, at), text.size());
        if (end > at) builder.add(std::string_view(text).substr(at, end - at));
        if (end < text.size()) {
            if (!isWhite(text[end])) builder.started = true; // a separator that is no blank ends even an empty field
            builder.finish();
        }
        at = end + 1;
    }
}

void ShellExpander::emit(Builder &builder, const Parameter &parameter, bool quoted)
{
    if (!parameter.list && !parameter.star) {
        for (const std::string &item : parameter.items)
            emit(builder, item, quoted);
        return;
    }
    const std::string between = parameter.star && quoted && m_environment.find("IFS") ? separators().substr(0, 1) : std::string(" ");
    const bool joins = builder.mode != Mode::Split || (quoted && parameter.star);
    for (std::size_t i = 0; i < parameter.items.size() && !m_budget.spent(); ++i) {
        if (i > 0 && joins) emit(builder, between, true);
        if (i > 0 && !joins) builder.finish();
        m_budget.output += ShellBudget::kWord;
        emit(builder, parameter.items[i], quoted);
        if (quoted && !joins && builder.current == parameter.items[i] && isUnsetOnly(parameter.items[i])) builder.quoted = false;
    }
}

void ShellExpander::expandSubstitution(Builder &builder, std::string_view inner, bool quoted)
{
    ++m_budget.steps;
    std::string text;
    if (inner.find('\\') != kEnd) { // only `…` comes here with backslashes to be taken off
        for (std::size_t i = 0; i < inner.size(); ++i) {
            const bool escapes = inner[i] == '\\' && i + 1 < inner.size() && std::string_view("$`\\").find(inner[i + 1]) != kEnd;
            text += inner[i + (escapes ? 1 : 0)];
            if (escapes) ++i;
        }
        inner = text;
    }
    emit(builder, m_substitute(inner), quoted);
}

void ShellExpander::expandDollar(Builder &builder, std::string_view text, std::size_t &pos, bool quoted, int depth)
{
    const std::size_t start = pos;
    const char next = pos + 1 < text.size() ? text[pos + 1] : '\0';
    if (isNameStart(next)) {
        std::size_t end = pos + 1;
        while (end < text.size() && isNameChar(text[end]))
            ++end;
        pos = end;
        std::string_view name = text.substr(start + 1, end - start - 1);
        return emit(builder, parameter(name, depth), quoted);
    }
    if (next == '{' || next == '(' || next == '[') {
        const std::size_t end = skipShellConstruct(text, pos);
        pos = std::min(end, text.size());
        if (end == kEnd || depth >= kShellDepth) return emit(builder, unresolvedMark("$"), quoted);
        const std::string_view inner = text.substr(start + 2, end - start - 3);
        if (next == '{') return expandBraces(builder, inner, quoted, depth + 1);
        const bool arithmetic = next == '[' || (inner.size() >= 2 && inner.front() == '(' && inner.back() == ')');
        if (arithmetic) {
            const ShellNumber number = arithmeticAt(next == '[' ? inner : inner.substr(1, inner.size() - 2), depth + 1);
            // bash makes 0 of a variable that nothing sets; its name says more than a wrong product.
            if (number.value && number.unset.empty()) return emit(builder, std::to_string(*number.value), quoted);
            return emit(builder, number.value ? unsetMark(number.unset) : unresolvedMark(number.unknown), quoted);
        }
        ++m_budget.steps;
        return emit(builder, m_substitute(inner), quoted);
    }
    if (next != '\0' && (isDigit(next) || std::string_view("@*#?$!-").find(next) != kEnd)) {
        pos += 2;
        return emit(builder, special(next).set || next == '@' || next == '*' ? special(next) : Parameter{"", {unsetText(std::string(1, next))}, false, false, false},
                    quoted);
    }
    ++pos;
    if (next == '"' && !quoted) return; // $"…": the quotes follow
    builder.add("$");
}

ShellExpander::Parameter ShellExpander::special(char name) const
{
    const std::vector<std::string> &positional = m_environment.positional;
    Parameter result;
    result.name = std::string(1, name);
    result.set = true;
    if (name == '@' || name == '*') {
        result.items = positional;
        result.set = !positional.empty();
        result.list = name == '@';
        result.star = name == '*';
    } else if (name == '#') {
        result.items = {std::to_string(positional.size())};
    } else if (name == '?') {
        result.items = {std::to_string(status)};
    } else if (name == '0') {
        result.items = {m_scriptName};
    } else if (name == '-') {
        result.items = {"hB"};
    } else if (isDigit(name)) {
        const auto index = static_cast<std::size_t>(name - '1');
        result.set = index < positional.size();
        if (result.set) result.items = {positional[index]};
    } else {
        result.items = {unresolvedMark(result.name)};
    }
    return result;
}

std::string ShellExpander::unsetText(const std::string &name)
{
    if (ShellEnvironment::alwaysSet(name)) return unresolvedMark(name);
    const bool argument = !name.empty() && isDigit(name.front());
    if (argument && m_environment.scopes() == 0) m_missing.insert(name);
    return unsetMark(name);
}

} // namespace clusterbeat
