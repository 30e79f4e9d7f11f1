// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_filters.h"

#include "model/formats/shell_arithmetic.h"
#include "model/formats/shell_pattern.h"

#include <algorithm>
#include <charconv>
#include <functional>
#include <initializer_list>

namespace clusterbeat {
namespace {

using Words = std::vector<std::string>;
constexpr std::size_t kEnd = std::string::npos;
constexpr std::int64_t kMostLines = 100'000;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty() ? std::optional(value) : std::nullopt;
}

Words lines(const std::string &text)
{
    Words result;
    for (std::size_t pos = 0; pos < text.size();) {
        const std::size_t end = std::min(text.find('\n', pos), text.size());
        result.push_back(text.substr(pos, end - pos));
        pos = end + 1;
    }
    return result;
}

Words blankSeparated(const std::string &text)
{
    Words result;
    for (std::size_t pos = text.find_first_not_of(" \t\n"); pos != kEnd; pos = text.find_first_not_of(" \t\n", pos)) {
        const std::size_t end = std::min(text.find_first_of(" \t\n", pos), text.size());
        result.push_back(text.substr(pos, end - pos));
        pos = end;
    }
    return result;
}

std::string withEscapes(std::string_view text)
{
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
        const std::size_t letter = next == '\0' ? kEnd : std::string_view("ntr\\ab\"'").find(next);
        result += letter == kEnd ? text[i] : "\n\t\r\\\a\b\"'"[letter];
        if (letter != kEnd) ++i;
    }
    return result;
}

std::string echo(const Words &words)
{
    std::size_t first = 1;
    bool newline = true, escapes = false;
    for (; first < words.size() && words[first].size() > 1 && words[first][0] == '-' && words[first].find_first_not_of("neE", 1) == kEnd; ++first) {
        newline = newline && words[first].find('n') == kEnd;
        escapes = words[first].find('e') != kEnd;
    }
    std::string text;
    bool separate = false;
    for (std::size_t i = first; i < words.size(); ++i) {
        if (isUnsetOnly(words[i]) && words.size() > first + 1) continue;
        text += (separate ? " " : "") + words[i];
        separate = true;
    }
    return (escapes ? withEscapes(text) : text) + (newline ? "\n" : "");
}

/// The characters of tr's set: ranges and classes.
std::string characterSet(std::string_view text)
{
    const std::string plain = withEscapes(text);
    std::string result;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        if (std::string_view(plain).substr(i).starts_with("[:")) {
            std::size_t end = i;
            for (int c = 1; c < 127; ++c) {
                const std::string bracket = "[" + plain.substr(i, plain.find(":]", i) + 2 - i) + "]";
                end = 0;
                if (shellBracketHas(bracket, end, static_cast<char>(c)).value_or(false)) result += static_cast<char>(c);
            }
            i = plain.find(":]", i) == kEnd ? plain.size() : plain.find(":]", i) + 1;
        } else if (i + 2 < plain.size() && plain[i + 1] == '-' && plain[i] <= plain[i + 2]) {
            for (int c = plain[i]; c <= plain[i + 2]; ++c)
                result += static_cast<char>(c);
            i += 2;
        } else {
            result += plain[i];
        }
    }
    return result;
}

std::optional<std::string> translate(const Words &words, const std::string &text)
{
    const bool deletes = words.size() == 3 && words[1] == "-d", squeezes = words.size() == 3 && words[1] == "-s";
    if (words.size() != 3) return std::nullopt;
    const std::string from = characterSet(words[deletes || squeezes ? 2 : 1]);
    const std::string to = deletes || squeezes ? std::string() : characterSet(words[2]);
    std::string result;
    for (const char c : text) {
        const std::size_t at = from.find(c);
        if (at == kEnd) result += c;
        else if (squeezes) result += result.ends_with(c) ? "" : std::string(1, c);
        else if (!deletes && !to.empty()) result += to[std::min(at, to.size() - 1)];
    }
    return result;
}

/// cut -d C -f N and N-M
std::optional<std::string> cut(const Words &words, const std::string &text)
{
    char delimiter = '\t';
    std::string list;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string &word = words[i];
        const bool glued = word.size() > 2;
        if (word.starts_with("-d")) delimiter = glued ? word[2] : i + 1 < words.size() && !words[i + 1].empty() ? words[++i][0] : '\t';
        else if (word.starts_with("-f")) list = glued ? word.substr(2) : i + 1 < words.size() ? words[++i] : std::string();
        else return std::nullopt;
    }
    const std::size_t dash = list.find('-');
    const auto first = dash == 0 ? std::optional<std::int64_t>(1) : integer(list.substr(0, dash));
    const auto last = dash == kEnd ? first : dash + 1 == list.size() ? std::optional<std::int64_t>(kMostLines) : integer(list.substr(dash + 1));
    if (!first || !last) return std::nullopt;
    std::string result;
    for (const std::string &line : lines(text)) {
        std::string kept;
        std::int64_t field = 1;
        bool any = false;
        for (std::size_t pos = 0; pos <= line.size(); ++field) {
            const std::size_t end = std::min(line.find(delimiter, pos), line.size());
            if (field >= *first && field <= *last) kept += (any ? std::string(1, delimiter) : std::string()) + line.substr(pos, end - pos);
            any = any || (field >= *first && field <= *last);
            pos = end + 1;
        }
        result += (line.find(delimiter) == kEnd ? line : kept) + "\n";
    }
    return result;
}

std::optional<std::string> headOrTail(const Words &words, const std::string &text)
{
    std::int64_t count = 10;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string number = words[i] == "-n" && i + 1 < words.size() ? words[++i] : words[i].starts_with("-n") ? words[i].substr(2) : words[i].starts_with('-') ? words[i].substr(1) : "x";
        const auto value = integer(number);
        if (!value || *value < 0) return std::nullopt;
        count = *value;
    }
    const Words all = lines(text);
    const auto most = std::min<std::size_t>(all.size(), static_cast<std::size_t>(count));
    const std::size_t first = words[0] == "head" ? 0 : all.size() - most;
    std::string result;
    for (std::size_t i = first; i < first + most; ++i)
        result += all[i] + "\n";
    return result;
}

std::optional<std::string> count(const Words &words, const std::string &text)
{
    if (words.size() != 2) return std::nullopt;
    if (words[1] == "-l") return std::to_string(std::count(text.begin(), text.end(), '\n')) + "\n";
    if (words[1] == "-w") return std::to_string(blankSeparated(text).size()) + "\n";
    if (words[1] == "-c") return std::to_string(text.size()) + "\n";
    return std::nullopt;
}

/// awk '{print $N}' with -F
std::optional<std::string> printField(const Words &words, const std::string &text)
{
    std::string separator, program;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "-F" && i + 1 < words.size()) separator = words[++i];
        else if (words[i].starts_with("-F")) separator = words[i].substr(2);
        else if (program.empty()) program = words[i];
        else return std::nullopt;
    }
    std::erase_if(program, [](char c) { return c == ' ' || c == ';'; });
    if (!program.starts_with("{print$") || !program.ends_with('}') || separator.size() > 1) return std::nullopt;
    const std::string column = program.substr(7, program.size() - 8);
    const auto number = integer(column);
    if (!number && column != "NF") return std::nullopt;
    std::string result;
    for (const std::string &line : lines(text)) {
        Words fields;
        if (separator.empty()) fields = blankSeparated(line);
        else
            for (std::size_t pos = 0; pos <= line.size();) {
                const std::size_t end = std::min(line.find(separator, pos), line.size());
                fields.push_back(line.substr(pos, end - pos));
                pos = end + 1;
            }
        const std::size_t at = number ? static_cast<std::size_t>(std::max<std::int64_t>(0, *number)) : fields.size();
        result += (at == 0 ? line : at <= fields.size() ? fields[at - 1] : std::string()) + "\n";
    }
    return result;
}

/// sed 's/a/b/g' with a plain or simple pattern
std::optional<std::string> substitute(const Words &words, const std::string &text, ShellBudget &budget)
{
    std::string script;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (isOneOf(words[i], {"-e", "-E", "-r"})) continue;
        if (!script.empty()) return std::nullopt;
        script = words[i];
    }
    if (script.size() < 4 || script[0] != 's') return std::nullopt;
    const char slash = script[1];
    const std::size_t middle = script.find(slash, 2);
    const std::size_t last = middle == kEnd ? kEnd : script.find(slash, middle + 1);
    if (last == kEnd) return std::nullopt;
    const std::string pattern = script.substr(2, middle - 2), by = script.substr(middle + 1, last - middle - 1), flags = script.substr(last + 1);
    if ((!flags.empty() && flags != "g") || by.find_first_of("\\&") != kEnd) return std::nullopt;
    std::string result;
    for (std::string line : lines(text)) {
        std::string done;
        for (bool again = true; again;) {
            const auto match = shellRegexMatch(pattern, line, budget);
            if (!match) return std::nullopt;
            const std::size_t at = match->matched && !match->groups[0].empty() ? line.find(match->groups[0]) : kEnd;
            if (at == kEnd) break;
            done += line.substr(0, at) + by;
            line.erase(0, at + match->groups[0].size());
            again = flags == "g" && pattern[0] != '^';
        }
        result += done + line + "\n";
    }
    return result;
}

/// Whole numbers only: what bc rounds or scales is not followed.
std::optional<std::string> calculate(std::string text, ShellBudget &budget)
{
    std::string result;
    for (std::string &line : lines(text)) {
        if (line.find_first_not_of("0123456789+-*/%() ^<>=!&|") != kEnd) return std::nullopt;
        for (std::size_t at = line.find('^'); at != kEnd; at = line.find('^', at + 2))
            line.replace(at, 1, "**");
        ShellEnvironment none(budget);
        const ShellNumber number = shellArithmetic(line, none, budget);
        if (!number.value) return std::nullopt;
        result += std::to_string(*number.value) + "\n";
    }
    return result;
}

std::optional<std::string> expression(const Words &words, ShellBudget &budget)
{
    std::string text;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool op = isOneOf(words[i], {"+", "-", "*", "/", "%", "(", ")", "<", ">", "<=", ">=", "!="});
        if (!op && words[i] != "=" && !integer(words[i])) return words.size() == 2 ? std::optional(words[1] + "\n") : std::nullopt;
        text += words[i] == "=" ? " ==" : ' ' + words[i];
    }
    ShellEnvironment none(budget);
    const ShellNumber number = shellArithmetic(text, none, budget);
    return number.value ? std::optional(std::to_string(*number.value) + "\n") : std::nullopt;
}

std::optional<std::string> sequence(const Words &words)
{
    std::vector<std::int64_t> numbers;
    std::string separator = "\n";
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "-s" && i + 1 < words.size()) separator = words[++i];
        else if (words[i].starts_with("-s")) separator = words[i].substr(2);
        else if (const auto value = integer(words[i])) numbers.push_back(*value);
        else return std::nullopt;
    }
    if (numbers.empty() || numbers.size() > 3) return std::nullopt;
    const std::int64_t first = numbers.size() > 1 ? numbers[0] : 1, last = numbers.back(), step = numbers.size() == 3 ? numbers[1] : 1;
    if (step == 0 || first < -kMostLines * 1000 || first > kMostLines * 1000 || step > kMostLines || step < -kMostLines) return std::nullopt;
    std::string result;
    std::int64_t made = 0;
    for (std::int64_t value = first; step > 0 ? value <= last : value >= last; value += step) {
        if (++made > kMostLines) return std::nullopt;
        result += (result.empty() ? "" : separator) + std::to_string(value);
    }
    return result + "\n";
}

std::string pathPart(const Words &words)
{
    std::string path = words.size() > 1 ? words[1] : std::string();
    while (path.size() > 1 && path.ends_with('/'))
        path.pop_back();
    const std::size_t slash = path.find_last_of('/');
    if (words[0] == "dirname") return (slash == kEnd ? "." : slash == 0 ? "/" : path.substr(0, slash)) + "\n";
    std::string name = slash == kEnd ? path : path.substr(slash + 1);
    if (words.size() > 2 && name.size() > words[2].size() && name.ends_with(words[2])) name.erase(name.size() - words[2].size());
    return name + "\n";
}

std::string joinedWords(const std::string &text)
{
    std::string result;
    for (const std::string &word : blankSeparated(text))
        result += (result.empty() ? "" : " ") + word;
    return result + "\n";
}

} // namespace

std::string shellPrintf(const std::vector<std::string> &arguments, ShellBudget &budget)
{
    if (arguments.empty()) return {};
    const std::string format = withEscapes(arguments[0]);
    std::string result;
    std::size_t next = 1;
    do {
        const std::size_t before = next;
        for (std::size_t i = 0; i < format.size(); ++i) {
            const std::size_t end = format[i] == '%' ? format.find_first_of("sdiqbcfgeuxX%", i + 1) : kEnd;
            if (end == kEnd) {
                result += format[i];
                continue;
            }
            const std::string flags = format.substr(i + 1, end - i - 1);
            i = end;
            if (format[end] == '%') {
                result += '%';
                continue;
            }
            std::string value = next < arguments.size() ? arguments[next] : std::string();
            ++next;
            if (value.empty() && std::string_view("diuxX").find(format[end]) != kEnd) value = "0";
            const auto width = integer(flags.starts_with('0') || flags.starts_with('-') ? flags.substr(1) : flags);
            const std::size_t wanted = width && *width > 0 && *width < 1000 ? static_cast<std::size_t>(*width) : 0;
            if (value.size() < wanted) {
                if (flags.starts_with('-')) value.append(wanted - value.size(), ' ');
                else value.insert(0, wanted - value.size(), flags.starts_with('0') ? '0' : ' ');
            }
            result += value;
        }
        budget.output += format.size();
        if (next == before) break; // the format takes none
    } while (next < arguments.size() && !budget.spent());
    return result;
}

std::optional<ShellOutput> shellFilter(const std::vector<std::string> &words, const ShellOutput &input, ShellBudget &budget)
{
    const std::string &name = words[0];
    const auto own = [&](const std::optional<std::string> &text) { return text ? ShellOutput{*text, true, ""} : ShellOutput{"", false, name}; };
    for (std::size_t i = 1; i < words.size(); ++i) { // echo keeps what is not known, the others would have to look at it
        const auto unknown = unknownName(words[i]);
        if (unknown && isOneOf(name, {"expr", "seq", "basename"})) return ShellOutput{"", false, name};
    }
    if (name == "echo") return own(echo(words));
    if (name == "expr") return own(expression(words, budget));
    if (name == "seq") return own(sequence(words));
    if (name == "basename" || name == "dirname") return own(pathPart(words));
    if (!isOneOf(name, {"tr", "cut", "head", "tail", "wc", "awk", "sed", "bc", "xargs"})) return std::nullopt;
    if (!input.known) return ShellOutput{"", false, input.unknownBy.empty() ? name : input.unknownBy};
    if (const auto unknown = unknownName(input.text)) return ShellOutput{"", false, *unknown};
    const std::string text = withoutUnset(input.text);
    budget.steps += text.size() / 64;
    if (name == "tr") return own(translate(words, text));
    if (name == "cut") return own(cut(words, text));
    if (name == "head" || name == "tail") return own(headOrTail(words, text));
    if (name == "wc") return own(count(words, text));
    if (name == "awk") return own(printField(words, text));
    if (name == "sed") return own(substitute(words, text, budget));
    if (name == "bc") return own(calculate(text, budget));
    return words.size() == 1 ? std::optional(own(joinedWords(text))) : std::nullopt;
}

} // namespace clusterbeat
