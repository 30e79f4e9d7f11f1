// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_pattern.h"

#include <array>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

bool within(char c, char low, char high)
{
    const auto value = [](char x) { return static_cast<unsigned char>(x); };
    return value(c) >= value(low) && value(c) <= value(high);
}

bool inClass(std::string_view name, char c)
{
    const bool upper = within(c, 'A', 'Z'), lower = within(c, 'a', 'z'), digit = within(c, '0', '9');
    if (name == "digit") return digit;
    if (name == "alpha") return upper || lower;
    if (name == "alnum") return upper || lower || digit;
    if (name == "upper") return upper;
    if (name == "lower") return lower;
    if (name == "space") return std::string_view(" \t\n\r\f\v").find(c) != kEnd;
    if (name == "blank") return c == ' ' || c == '\t';
    if (name == "xdigit") return digit || within(c, 'a', 'f') || within(c, 'A', 'F');
    if (name == "punct") return within(c, '!', '~') && !upper && !lower && !digit;
    return false;
}

bool isExtended(std::string_view pattern)
{
    for (std::size_t i = 0; i + 1 < pattern.size(); ++i) {
        if (pattern[i] == '\\') ++i;
        else if (pattern[i + 1] == '(' && std::string_view("@?*+").find(pattern[i]) != kEnd) return true;
    }
    return false;
}

/// The regular expression of an extended pattern.
std::string asRegex(std::string_view pattern)
{
    std::string result = "^";
    std::vector<char> open; // what follows each group
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        const char c = pattern[i];
        if (c == '\\' && i + 1 < pattern.size()) {
            result += {'\\', pattern[++i]};
        } else if (std::string_view("@?*+").find(c) != kEnd && pattern.substr(i + 1).starts_with('(')) {
            open.push_back(c);
            result += '(';
            ++i;
        } else if (c == ')' && !open.empty()) {
            result += ')';
            if (open.back() != '@') result += open.back();
            open.pop_back();
        } else if (c == '|' && !open.empty()) {
            result += '|';
        } else if (c == '*') {
            result += ".*";
        } else if (c == '?') {
            result += '.';
        } else if (c == '[') {
            std::size_t end = i;
            const bool closes = shellBracketHas(pattern, end, 'x').has_value();
            result += closes ? std::string(pattern.substr(i, end - i)) : std::string("\\[");
            if (closes) i = end - 1;
        } else {
            result += {'\\', c};
        }
    }
    return result + '$';
}

} // namespace

std::optional<bool> shellBracketHas(std::string_view pattern, std::size_t &pos, char c)
{
    std::size_t i = pos + 1;
    const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) ++i;
    bool found = false;
    for (bool first = true; i < pattern.size(); first = false) {
        if (pattern[i] == ']' && !first) {
            pos = i + 1;
            return found != negated;
        }
        if (pattern.substr(i).starts_with("[:")) {
            const std::size_t end = pattern.find(":]", i);
            if (end == kEnd) return std::nullopt;
            found = found || inClass(pattern.substr(i + 2, end - i - 2), c);
            i = end + 2;
            continue;
        }
        if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
        const char low = pattern[i++];
        char high = low;
        if (i + 1 < pattern.size() && pattern[i] == '-' && pattern[i + 1] != ']') {
            if (pattern[++i] == '\\' && i + 1 < pattern.size()) ++i;
            high = pattern[i++];
        }
        found = found || within(c, low, high);
    }
    return std::nullopt;
}

bool shellPatternMatches(std::string_view pattern, std::string_view text, ShellBudget &budget)
{
    if (isExtended(pattern)) {
        const auto match = shellRegexMatch(asRegex(pattern), text, budget);
        return match && match->matched;
    }
    std::size_t p = 0, t = 0, star = kEnd, resume = 0, compared = 0;
    const auto matchesOne = [&](std::size_t &next) {
        next = p + 1;
        if (p >= pattern.size()) return false;
        if (pattern[p] == '?') return true;
        if (pattern[p] == '\\' && p + 1 < pattern.size()) {
            next = p + 2;
            return pattern[p + 1] == text[t];
        }
        if (pattern[p] == '[') {
            std::size_t end = p;
            if (const auto has = shellBracketHas(pattern, end, text[t])) {
                next = end;
                return *has;
            }
        }
        return pattern[p] == text[t];
    };
    while (t < text.size()) {
        if (++compared % 64 == 0 && (++budget.steps, budget.spent())) return false;
        std::size_t next = p;
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            resume = t;
        } else if (matchesOne(next)) {
            p = next;
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

} // namespace clusterbeat
