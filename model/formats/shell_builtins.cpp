// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_evaluator.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;
constexpr std::size_t kMostFileBytes = 4 * 1024 * 1024;
constexpr std::size_t kMostFiles = 500;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

int wholeNumber(const std::vector<std::string> &words, std::size_t at, int fallback)
{
    if (at >= words.size()) return fallback;
    int value = fallback;
    std::from_chars(words[at].data(), words[at].data() + words[at].size(), value);
    return value;
}

/// getopt (1) without arguments to sort: the mark of their end.
bool isSortedEmpty(const std::vector<std::string> &words)
{
    return words.size() > 1 && words[0] == "getopt" && (words.back() == "--" || isUnsetOnly(words.back()));
}

std::string quoted(const std::string &word)
{
    if (word == "--" || (word.starts_with("-") && word.find_first_of(" '\"$") == std::string::npos)) return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// The option names with ":" behind those that take a value.
bool takesValue(std::string_view names, std::string_view option)
{
    for (std::size_t at = names.find(option); at != kEnd; at = names.find(option, at + 1)) {
        const bool starts = at == 0 || names[at - 1] == ',' || names[at - 1] == ':' || option.size() == 1;
        const std::size_t behind = at + option.size();
        if (starts && behind < names.size() && names[behind] == ':') return true;
    }
    return false;
}

/// What getopt (1) prints for the arguments behind its --.
std::string sortedOptions(const std::vector<std::string> &words)
{
    std::string shortNames, longNames;
    std::size_t i = 1;
    for (; i < words.size() && words[i] != "--"; ++i) {
        const std::string &word = words[i];
        const std::size_t equals = word.find('=');
        const std::string value = equals != std::string::npos ? word.substr(equals + 1) : i + 1 < words.size() ? words[i + 1] : std::string();
        const std::string name = word.substr(0, equals);
        if (isOneOf(name, {"-o", "--options"})) shortNames = value;
        else if (name.starts_with("-o") && name.size() > 2 && !name.starts_with("--")) shortNames = name.substr(2);
        else if (isOneOf(name, {"-l", "--long", "--longoptions", "--longopts"})) longNames += (longNames.empty() ? "" : ",") + value;
    }
    std::string options, rest;
    for (++i; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word.size() < 2 || word[0] != '-') {
            rest += ' ' + quoted(word);
            continue;
        }
        const bool isLong = word.starts_with("--");
        const std::size_t equals = word.find('=');
        const std::string name = word.substr(isLong ? 2 : 1, isLong ? (equals == std::string::npos ? equals : equals - 2) : 1);
        options += ' ' + word.substr(0, isLong ? equals : 2);
        if (!takesValue(isLong ? longNames : shortNames, name)) continue;
        if (isLong && equals != std::string::npos) options += ' ' + quoted(word.substr(equals + 1));
        else if (!isLong && word.size() > 2) options += ' ' + quoted(word.substr(2));
        else if (i + 1 < words.size()) options += ' ' + quoted(words[++i]);
    }
    return options + " --" + rest + "\n";
}

} // namespace

// ---- input and output

ShellEvaluator::Streams::Streams(ShellEvaluator &evaluator, const ShellNode &node)
    : m_evaluator(evaluator), m_outerIn(evaluator.m_in), m_outerOut(evaluator.m_out)
{
    using RedirectKind = ShellRedirect::Kind;
    ShellExpander &expander = evaluator.m_expander;
    for (const ShellRedirect &redirect : node.redirects) {
        if (!redirect.output) continue;
        if (redirect.kind == RedirectKind::HereDocument) {
            m_input.content = {redirect.literal ? *redirect.body : expander.hereDocument(*redirect.body), true, ""};
        } else if (redirect.kind == RedirectKind::HereString) {
            m_input.content = {expander.joined(redirect.word) + "\n", true, ""};
        } else if (redirect.kind == RedirectKind::Input) {
            if (redirect.word.starts_with("<(")) {
                const std::string text = evaluator.substitute(redirect.word.substr(2, redirect.word.size() - 3));
                m_input.content = {text.empty() ? text : text + "\n", !unknownName(text), unknownName(text).value_or("")};
            } else {
                const auto text = evaluator.fileText(expander.joined(redirect.word));
                m_input.content = text ? ShellOutput{*text, true, ""} : ShellOutput{"", false, "<"};
            }
        } else {
            m_path = expander.joined(redirect.word);
            m_append = redirect.kind == RedirectKind::Append;
            evaluator.m_out = &m_output;
            continue;
        }
        evaluator.m_in = &m_input;
        evaluator.m_budget.output += m_input.content.text.size();
    }
}

ShellEvaluator::Streams::~Streams()
{
    m_evaluator.m_in = m_outerIn;
    m_evaluator.m_out = m_outerOut;
    if (m_path.empty() || m_path.starts_with("/dev/") || m_output.text.size() > kMostFileBytes || m_evaluator.m_files.size() >= kMostFiles) return;
    ShellOutput &file = m_evaluator.m_files[m_path];
    if (!m_append) file = {};
    file.known = file.known && m_output.known && !unknownName(m_path);
    file.text += m_output.text;
}

void ShellEvaluator::print(const ShellOutput &output)
{
    if (!m_out) return;
    m_budget.output += output.text.size();
    m_out->text += output.text;
    if (m_out->known && !output.known) m_out->unknownBy = output.unknownBy;
    m_out->known = m_out->known && output.known;
}

// ---- builtins

/// Commands that change where the script goes on.
std::optional<ShellTruth> ShellEvaluator::controlBuiltin(const std::vector<std::string> &words, const ShellNode &node)
{
    const std::string &name = words[0];
    if (name == "exit" || name == "return") {
        const bool known = words.size() < 2 || !unknownName(words[1]);
        const ShellTruth status{wholeNumber(words, 1, m_expander.status) == 0, known};
        const bool ends = name == "exit" || m_calls > 0;
        if (name == "exit" && m_input.ignoreExit) return status;
        if (ends) m_flow = name == "exit" ? Flow::Exit : Flow::Return;
        if (name == "exit") m_script.exitLine = node.line;
        return status;
    }
    if (name == "break" || name == "continue") {
        if (m_loops == 0) return ShellTruth{};
        m_levels = std::max(1, wholeNumber(words, 1, 1));
        m_flow = name == "break" ? Flow::Break : Flow::Continue;
        return ShellTruth{};
    }
    if (name == "eval") {
        std::string text;
        for (std::size_t i = 1; i < words.size(); ++i)
            text += (i > 1 ? " " : "") + words[i];
        if (m_calls >= 30) return ShellTruth{true, false};
        ++m_calls;
        const ShellTruth status = runText(withoutUnset(text), node.line);
        --m_calls;
        return status;
    }
    if (name == "source" || name == ".") return sourceFile(words, node.line);
    if (isOneOf(name, {"command", "builtin", "exec"}) && words.size() > 1) {
        if (words[1] == "-v" || words[1] == "-V") {
            print({"", false, name});
            return ShellTruth{true, m_functions.contains(words.back())};
        }
        const std::vector<std::string> inner(words.begin() + 1, words.end());
        const auto done = builtin(inner, node);
        const ShellTruth status = done ? *done : external(inner, node.line);
        if (name == "exec" && going() && !m_input.ignoreExit) m_flow = Flow::Exit;
        return status;
    }
    return std::nullopt;
}

std::optional<ShellTruth> ShellEvaluator::builtin(const std::vector<std::string> &words, const ShellNode &node)
{
    if (const auto done = controlBuiltin(words, node)) return done;
    const std::string &name = words[0];
    if (name == ":" || name == "true") return ShellTruth{};
    if (name == "false") return ShellTruth{false, true};
    if (name == "[" || name == "test") {
        const bool bracket = name == "[" && words.back() == "]";
        return shellTest({words.begin() + 1, words.end() - (bracket ? 1 : 0)}, m_environment);
    }
    if (name == "let") {
        ShellTruth status;
        for (std::size_t i = 1; i < words.size(); ++i) {
            const ShellNumber number = shellArithmetic(words[i], m_environment, m_budget);
            status = {number.value.value_or(1) != 0, number.value.has_value()};
        }
        return status;
    }
    if (name == "shift") {
        const int count = std::max(0, wholeNumber(words, 1, 1));
        std::vector<std::string> &positional = m_environment.positional;
        if (static_cast<std::size_t>(count) > positional.size()) return ShellTruth{false, true};
        positional.erase(positional.begin(), positional.begin() + count);
        return ShellTruth{};
    }
    if (name == "set") return setOptions(words);
    if (name == "unset") {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::size_t bracket = words[i].find('[');
            if (words[i].starts_with('-')) continue;
            if (bracket == std::string::npos) m_environment.unset(words[i]);
            else if (words[i].ends_with(']')) m_environment.unsetElement(words[i].substr(0, bracket), words[i].substr(bracket + 1, words[i].size() - bracket - 2));
        }
        return ShellTruth{};
    }
    if (name == "read") return readWords(words);
    if (name == "mapfile" || name == "readarray") return readLines(words);
    if (name == "getopts") return nextOption(words);
    if (name == "printf") return printInto(words);
    if (name == "cd" || name == "pushd" || name == "popd") {
        m_environment.unset("PWD");
        return ShellTruth{true, false};
    }
    if (name == "cat" || name == "tee") {
        ShellOutput output;
        const bool copies = name == "tee";
        if (m_in && (words.size() == 1 || words[1] == "-" || copies)) output = {m_in->content.text.substr(m_in->pos), m_in->content.known, m_in->content.unknownBy};
        else if (words.size() == 1) output = {"", false, name};
        for (std::size_t i = 1; i < words.size() && words[i] != "-" && !copies; ++i) {
            const auto text = fileText(words[i]);
            if (text) output.text += *text;
            else output = {"", false, name};
        }
        if (copies && words.size() > 1 && m_files.size() < kMostFiles && output.text.size() < kMostFileBytes) m_files[words.back()] = output;
        if (copies && words.size() > 1 && !(m_in && m_in->content.known)) return std::nullopt; // the log of a program
        print(output);
        return ShellTruth{true, output.known};
    }
    if (name == "getopt") {
        bool known = isSortedEmpty(words) || std::none_of(words.begin(), words.end(), [](const std::string &word) { return unresolvedName(word).has_value(); });
        print({known ? sortedOptions(words) : "", known, name});
        return ShellTruth{true, known};
    }
    if (isOneOf(name, {"trap", "wait", "ulimit", "shopt", "alias", "umask", "hash", "type", "bg", "fg", "jobs", "times", "enable", "history"})) {
        print({"", false, name});
        return ShellTruth{true, name != "type"};
    }
    return std::nullopt;
}

ShellTruth ShellEvaluator::setOptions(const std::vector<std::string> &words)
{
    for (std::size_t i = 1; i < words.size(); ++i) {
        const bool end = words[i] == "--";
        if (!end && (words[i].starts_with('-') || words[i].starts_with('+')) && words[i].size() > 1) {
            if (words[i].ends_with('o')) ++i; // set -euo pipefail
            continue;
        }
        m_environment.positional.assign(words.begin() + static_cast<std::ptrdiff_t>(i + (end ? 1 : 0)), words.end());
        break;
    }
    return {};
}

ShellTruth ShellEvaluator::readWords(const std::vector<std::string> &words)
{
    std::vector<std::string> names;
    char delimiter = '\n';
    bool array = false, raw = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string &word = words[i];
        if (word.size() < 2 || word[0] != '-') {
            names.push_back(word);
            continue;
        }
        array = array || word.find('a') != std::string::npos;
        raw = raw || word.find('r') != std::string::npos;
        if (word.back() == 'd' && i + 1 < words.size()) delimiter = words[++i].empty() ? '\0' : words[i].front();
        else if (std::string_view("ptnNiu").find(word.back()) != kEnd) ++i;
    }
    if (names.empty()) names.emplace_back("REPLY");
    if (!m_in || !m_in->content.known) { // typed, or from a file: nobody can tell
        for (const std::string &name : names)
            m_environment.assign(name, unresolvedMark("read-" + name));
        return {false, false};
    }
    const std::string &text = m_in->content.text;
    const bool more = m_in->pos < text.size();
    std::size_t end = text.find(delimiter, m_in->pos);
    const bool found = end != std::string::npos;
    end = std::min(end, text.size());
    std::string line = text.substr(std::min(m_in->pos, text.size()), end - std::min(m_in->pos, text.size()));
    m_in->pos = end + 1;
    while (!raw && line.ends_with('\\') && found && delimiter == '\n' && m_in->pos <= text.size()) { // the line goes on
        line.pop_back();
        const std::size_t next = std::min(text.find('\n', m_in->pos), text.size());
        line += text.substr(m_in->pos, next - m_in->pos);
        m_in->pos = next + 1;
    }
    if (!raw) std::erase(line, '\\');
    if (array) {
        m_environment.assignItems(names.front(), m_expander.split(line, kEnd));
        return {more && found, true};
    }
    const std::vector<std::string> parts = names.size() == 1 && names[0] == "REPLY" ? std::vector<std::string>{line} : m_expander.split(line, names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        m_environment.assign(names[i], i < parts.size() ? parts[i] : std::string());
        m_names.push_back(names[i]);
    }
    return {more && found, true};
}

ShellTruth ShellEvaluator::readLines(const std::vector<std::string> &words)
{
    std::string name = "MAPFILE";
    bool strip = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i] == "-t") strip = true;
        else if (words[i].starts_with('-')) ++i;
        else name = words[i];
    }
    if (!m_in || !m_in->content.known) {
        m_environment.assignItems(name, {unresolvedMark(name)});
        return {true, false};
    }
    std::vector<std::string> lines;
    const std::string &text = m_in->content.text;
    for (std::size_t pos = m_in->pos; pos < text.size();) {
        const std::size_t end = std::min(text.find('\n', pos), text.size());
        lines.push_back(text.substr(pos, end - pos + (strip || end == text.size() ? 0 : 1)));
        pos = end + 1;
    }
    m_in->pos = text.size();
    m_environment.assignItems(name, std::move(lines));
    return {};
}

/// getopts SPECIFICATION NAME
ShellTruth ShellEvaluator::nextOption(const std::vector<std::string> &words)
{
    if (words.size() < 3) return {false, true};
    const std::string &specification = words[1];
    const std::vector<std::string> &arguments = m_environment.positional;
    const auto stored = m_environment.value("OPTIND");
    std::size_t index = 1;
    if (stored) std::from_chars(stored->data(), stored->data() + stored->size(), index);
    index = std::max<std::size_t>(1, index);
    const auto finish = [&](std::size_t next, const std::string &option, bool more) {
        m_environment.assign("OPTIND", std::to_string(next));
        m_environment.assign(words[2], option);
        return ShellTruth{more, true};
    };
    if (index > arguments.size()) return finish(index, "?", false);
    const std::string &word = arguments[index - 1];
    if (m_optionAt == 0 && (word.size() < 2 || word[0] != '-' || word == "--")) return finish(index + (word == "--" ? 1 : 0), "?", false);
    const std::size_t at = m_optionAt == 0 ? 1 : m_optionAt;
    const char letter = at < word.size() ? word[at] : '?';
    const std::size_t found = specification.find(letter, specification.starts_with(':') ? 1 : 0);
    m_optionAt = at + 1 < word.size() ? at + 1 : 0;
    if (found == std::string::npos || letter == ':') return finish(index + (m_optionAt == 0 ? 1 : 0), "?", true);
    if (found + 1 >= specification.size() || specification[found + 1] != ':') return finish(index + (m_optionAt == 0 ? 1 : 0), std::string(1, letter), true);
    const bool glued = m_optionAt != 0;
    m_environment.assign("OPTARG", glued ? word.substr(m_optionAt) : index < arguments.size() ? arguments[index] : std::string());
    m_optionAt = 0;
    return finish(index + (glued ? 1 : 2), std::string(1, letter), true);
}

/// printf, which may write into a variable.
ShellTruth ShellEvaluator::printInto(const std::vector<std::string> &words)
{
    const bool variable = words.size() > 3 && words[1] == "-v";
    const std::string text = shellPrintf({words.begin() + (variable ? 3 : 1), words.end()}, m_budget);
    if (variable) m_environment.assign(words[2], text);
    else print({text, true, ""});
    return {};
}

} // namespace clusterbeat
