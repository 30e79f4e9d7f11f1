// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/yaml_arguments.h"

#include <algorithm>
#include <vector>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

std::string_view trimmed(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == kEnd) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// Without the comment behind a blank, outside quotes.
std::string_view withoutComment(std::string_view text)
{
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != '\0') quote = c == quote ? '\0' : quote;
        else if (c == '"' || c == '\'') quote = c;
        else if (c == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t')) return text.substr(0, i);
    }
    return text;
}

/// A scalar for the shell: one word, in which variables are still variables.
std::string word(std::string_view value)
{
    value = trimmed(value);
    const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
    if (quoted) value = value.substr(1, value.size() - 2);
    const bool variables = value.find('$') != kEnd;
    std::string result(1, variables ? '"' : '\'');
    for (const char c : value) {
        if (!variables && c == '\'') result += "'\\''";
        else if (variables && (c == '"' || c == '`' || c == '\\')) result += {'\\', c};
        else result += c;
    }
    return result + result.front();
}

struct Line {
    std::string_view name;  ///< "--num-layers"; empty: no option
    std::string_view value;
};

Line optionOf(std::string_view line)
{
    line = trimmed(line);
    const bool item = line.starts_with("- ");
    if (item) line = trimmed(line.substr(2));
    const bool quoted = line.starts_with('"') || line.starts_with('\'');
    const char quote = quoted ? line.front() : '\0';
    if (quoted) line.remove_prefix(1);
    if (!line.starts_with("--")) return {};
    std::size_t end = 2;
    while (end < line.size() && (line[end] == '-' || line[end] == '_' || (line[end] >= '0' && line[end] <= '9') || (line[end] >= 'a' && line[end] <= 'z') ||
                                 (line[end] >= 'A' && line[end] <= 'Z')))
        ++end;
    const std::string_view name = line.substr(0, end);
    if (quoted && end < line.size() && line[end] == quote) ++end;
    const bool colon = end > 2 && end < line.size() && line[end] == ':' && (end + 1 == line.size() || line[end + 1] == ' ' || line[end + 1] == '\t');
    if (!colon) return {};
    return {name, trimmed(withoutComment(line.substr(end + 1)))};
}

void addValues(std::string_view value, std::string &arguments)
{
    if (value.starts_with('[') && value.ends_with(']') && value.find('*') == kEnd) { // ([0]*3+[1]*5) is a text
        value = value.substr(1, value.size() - 2);
        for (std::size_t start = 0; start <= value.size() && !trimmed(value).empty();) {
            const std::size_t comma = std::min(value.find(',', start), value.size());
            arguments += ' ' + word(value.substr(start, comma - start));
            start = comma + 1;
        }
        return;
    }
    arguments += ' ' + word(value);
}

} // namespace

std::optional<std::string> yamlArguments(std::string_view text)
{
    std::string arguments;
    bool any = false, open = false; // open: the last option's values may follow as a list
    for (std::size_t pos = 0; pos < text.size();) {
        const std::size_t end = std::min(text.find('\n', pos), text.size());
        const std::string_view line = text.substr(pos, end - pos);
        pos = end + 1;
        const Line option = optionOf(line);
        const std::string_view plain = trimmed(withoutComment(line));
        if (option.name.empty()) {
            if (open && plain.starts_with("- ")) addValues(plain.substr(2), arguments);
            else open = open && plain.empty();
            continue;
        }
        any = true;
        std::string low(option.value);
        std::transform(low.begin(), low.end(), low.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
        open = low.empty();
        if (low == "false" || low == "null" || low == "~" || low == "no") continue;
        arguments += ' ' + std::string(option.name);
        if (low != "true" && low != "yes" && !low.empty()) addValues(option.value, arguments);
    }
    if (!any) return std::nullopt;
    return arguments + '\n';
}

} // namespace clusterbeat
