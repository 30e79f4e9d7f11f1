// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_evaluator.h"

#include "model/formats/shell_lexer.h"

#include <algorithm>
#include <initializer_list>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;
constexpr int kMostCalls = 40;
constexpr std::size_t kMostCommands = 5000;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string_view baseName(std::string_view path)
{
    const std::size_t slash = path.find_last_of('/');
    return slash == kEnd ? path : path.substr(slash + 1);
}

/// The part of a path that is known: behind the last mark.
std::string knownPath(const std::string &path)
{
    const std::size_t mark = path.find_last_of("\x02\x03");
    std::string rest = mark == std::string::npos ? path : path.substr(mark + 1);
    while (rest.starts_with('/') && mark != std::string::npos)
        rest.erase(0, 1);
    return rest.starts_with("./") ? rest.substr(2) : rest;
}

/// A command that hands its arguments to an own shell: bash -lc "…".
bool isShell(std::string_view word) { return isOneOf(baseName(word), {"bash", "sh", "zsh", "dash"}); }

} // namespace

// ---- directives of batch systems

void ShellEvaluator::readDirectives(const ShellProgram &program)
{
    bool slurm = false, pbs = false;
    for (const auto &[comment, line] : program.comments) {
        const bool batch = comment.starts_with("#SBATCH"), queue = comment.starts_with("#PBS");
        if (!batch && !queue) continue;
        slurm = slurm || batch;
        pbs = pbs || queue;
        const std::string_view rest = comment.substr(batch ? 7 : 4);
        const std::vector<std::string> words = splitQuotedWords(rest.substr(0, rest.find(" #")));
        for (std::size_t i = 0; i < words.size(); ++i) {
            const std::string &word = words[i];
            if (word.size() < 2 || word[0] != '-') continue;
            const bool isLong = word[1] == '-';
            const std::size_t equals = isLong ? word.find('=') : kEnd;
            const bool glued = !isLong && word.size() > 2; // -N2
            std::string value = equals != kEnd ? word.substr(equals + 1) : glued ? word.substr(2) : std::string();
            if (value.empty() && i + 1 < words.size() && !words[i + 1].starts_with('-')) value = words[++i];
            directive(queue, glued ? word.substr(0, 2) : word.substr(0, equals), value);
        }
    }
    const auto set = [this](const char *name, const std::string &value) {
        if (!m_environment.find(name)) m_environment.assign(name, value);
    };
    if (slurm) { // Slurm sets these for every job; a script is read as its first task
        for (const char *name : {"SLURM_PROCID", "SLURM_NODEID", "SLURM_LOCALID"})
            set(name, "0");
        for (const char *name : {"SLURM_JOB_ID", "SLURM_JOBID", "SLURM_JOB_NODELIST", "SLURM_NODELIST", "SLURM_SUBMIT_DIR", "SLURM_JOB_NAME",
                                 "SLURM_NNODES", "SLURM_JOB_NUM_NODES"})
            set(name, unresolvedMark(name));
    }
    if (pbs) {
        for (const char *name : {"PBS_O_WORKDIR", "PBS_JOBID", "PBS_NODEFILE"})
            set(name, unresolvedMark(name));
    }
}

void ShellEvaluator::directive(bool pbs, const std::string &option, const std::string &value)
{
    const auto set = [&](std::initializer_list<const char *> names, const std::string &text) {
        for (const char *name : names)
            if (!m_environment.find(name)) m_environment.assign(name, text);
    };
    m_script.batchOptions.emplace_back(pbs ? "PBS " + option : option, value);
    if (pbs) return;
    if (option == "--nodes" || option == "-N") set({"SLURM_NNODES", "SLURM_JOB_NUM_NODES"}, value);
    else if (option == "--ntasks-per-node") set({"SLURM_NTASKS_PER_NODE"}, value);
    else if (option == "--ntasks" || option == "-n") set({"SLURM_NTASKS", "SLURM_NPROCS"}, value);
    else if (option == "--job-name" || option == "-J") set({"SLURM_JOB_NAME"}, value);
    else if (option == "--cpus-per-task" || option == "-c") set({"SLURM_CPUS_PER_TASK"}, value);
    else if (option == "--gpus-per-node" || option == "--gres") set({"SLURM_GPUS_ON_NODE", "SLURM_GPUS_PER_NODE"}, value.substr(value.rfind(':') + 1));
}

// ---- assignments

void ShellEvaluator::assignWord(std::string_view raw, bool local)
{
    const AssignmentShape shape = assignmentShape(raw);
    const std::string name(raw.substr(0, shape.nameEnd));
    const std::string_view value = raw.substr(shape.valueStart);
    if (local) m_environment.makeLocal(name);
    m_names.push_back(name);
    const bool element = raw[shape.nameEnd] == '[';
    if (!element && value.starts_with('(')) return assignArray(name, value.substr(1, value.size() - 2), shape.append);

    std::string text = m_expander.joined(value);
    const ShellValue *old = m_environment.find(name);
    bool append = shape.append;
    if (old && old->integer && !element) {
        const ShellNumber number = shellArithmetic(append ? name + "+(" + text + ")" : text, m_environment, m_budget);
        text = number.value ? std::to_string(*number.value) : unresolvedMark(number.unknown);
        append = false;
    } else if (!old) { // X="$X more" starts with nothing
        const std::string self = unsetMark(name);
        const std::size_t at = text.find(self);
        if (at != kEnd && text.size() > self.size()) text.erase(at, self.size());
    }
    if (m_script.assignedWords.size() < 1'000'000) {
        std::vector<std::string> words = text.find_first_of(" \t\n") == kEnd ? std::vector<std::string>{text} : splitQuotedWords(text);
        std::move(words.begin(), words.end(), std::back_inserter(m_script.assignedWords));
    }
    if (!element) return m_environment.assign(name, std::move(text), append);
    const std::size_t close = skipShellBrackets(raw, shape.nameEnd + 1, '[', ']');
    const std::string_view subscript = raw.substr(shape.nameEnd + 1, close - shape.nameEnd - 2);
    if (old && old->kind == ShellValue::Kind::Associative)
        return m_environment.assignKey(name, withoutUnset(m_expander.joined(subscript)), std::move(text), shape.append);
    const ShellNumber index = m_expander.arithmetic(subscript);
    if (index.value) m_environment.assignElement(name, *index.value, std::move(text), shape.append);
}

/// NAME=( … ): words over several lines, with comments, or [key]=value.
void ShellEvaluator::assignArray(const std::string &name, std::string_view inner, bool append)
{
    const ShellValue *old = m_environment.find(name);
    const bool keyed = old && old->kind == ShellValue::Kind::Associative;
    std::vector<std::string> items;
    std::vector<std::pair<std::string_view, std::string>> elements;
    ShellLexer lexer(inner, 1, 1);
    for (ShellToken token = lexer.next(); token.kind != ShellToken::Kind::End; token = lexer.next()) {
        if (token.kind != ShellToken::Kind::Word) continue;
        const std::size_t close = token.text.starts_with('[') ? skipShellBrackets(token.text, 1, '[', ']') : kEnd;
        if (close != kEnd && close < token.text.size() && token.text[close] == '=') {
            elements.emplace_back(token.text.substr(1, close - 2), m_expander.joined(token.text.substr(close + 1)));
            continue;
        }
        for (ShellField &field : m_expander.fields(token.text))
            items.push_back(std::move(field.text));
    }
    for (const std::string &item : items) {
        std::vector<std::string> words = item.find_first_of(" \t\n") == kEnd ? std::vector<std::string>{item} : splitQuotedWords(item);
        if (m_script.assignedWords.size() < 1'000'000) std::move(words.begin(), words.end(), std::back_inserter(m_script.assignedWords));
    }
    if (keyed && !append) {
        m_environment.unset(name);
        m_environment.declare(name, ShellValue::Kind::Associative, false);
    }
    if (keyed) {
        for (std::size_t i = 0; i + 1 < items.size(); i += 2)
            m_environment.assignKey(name, items[i], items[i + 1]);
    } else {
        m_environment.assignItems(name, std::move(items), append);
    }
    for (auto &[key, text] : elements) {
        if (keyed) m_environment.assignKey(name, withoutUnset(m_expander.joined(key)), std::move(text));
        else if (const ShellNumber index = m_expander.arithmetic(key); index.value) m_environment.assignElement(name, *index.value, std::move(text));
    }
}

/// export, declare, local, readonly, typeset
ShellTruth ShellEvaluator::declareWords(const ShellNode &node, std::size_t first)
{
    const std::string_view command = node.words[first];
    const bool inFunction = m_environment.scopes() > 0;
    bool local = command == "local" || (inFunction && isOneOf(command, {"declare", "typeset"}));
    bool integer = false, reference = false;
    ShellValue::Kind kind = ShellValue::Kind::Scalar;
    for (std::size_t i = first + 1; i < node.words.size(); ++i) {
        const std::string_view raw = node.words[i];
        if (raw.starts_with('-')) {
            if (raw.find('A') != kEnd) kind = ShellValue::Kind::Associative;
            else if (raw.find('a') != kEnd) kind = ShellValue::Kind::Indexed;
            integer = integer || raw.find('i') != kEnd;
            reference = reference || (raw.find('n') != kEnd && command != "export");
            if (raw.find('g') != kEnd) local = false;
            continue;
        }
        const AssignmentShape shape = assignmentShape(raw);
        if (shape.valueStart == 0) { // a name, or words that become assignments
            for (const ShellField &field : m_expander.fields(raw)) {
                const AssignmentShape inner = assignmentShape(field.text);
                const std::string name = field.text.substr(0, inner.valueStart > 0 ? inner.nameEnd : field.text.size());
                if (name.empty() || unresolvedName(name)) continue;
                if (local) m_environment.makeLocal(name);
                if (kind != ShellValue::Kind::Scalar || integer) m_environment.declare(name, kind, integer);
                if (inner.valueStart > 0) m_environment.assign(name, field.text.substr(inner.valueStart), inner.append);
            }
            continue;
        }
        const std::string name(raw.substr(0, shape.nameEnd));
        if (reference) {
            const std::string target = withoutUnset(m_expander.joined(raw.substr(shape.valueStart)));
            if (local) m_environment.makeLocal(name);
            if (target != name && !target.empty()) m_environment.makeReference(name, target);
            continue;
        }
        if (local && kind == ShellValue::Kind::Scalar && !integer) {
            assignWord(raw, true);
            continue;
        }
        if (local) m_environment.makeLocal(name);
        if (kind != ShellValue::Kind::Scalar || integer) m_environment.declare(name, kind, integer);
        assignWord(raw, false);
    }
    return {};
}

// ---- commands

ShellTruth ShellEvaluator::runSimple(const ShellNode &node)
{
    std::size_t first = 0;
    while (first < node.words.size() && assignmentShape(node.words[first]).valueStart > 0)
        ++first;
    if (first == node.words.size()) {
        for (const std::string_view raw : node.words)
            assignWord(raw, false);
        const bool substitutes = std::any_of(node.words.begin(), node.words.end(), [](std::string_view raw) { return raw.find("$(") != kEnd || raw.find('`') != kEnd; });
        return {true, !substitutes};
    }
    if (isOneOf(node.words[first], {"export", "declare", "local", "readonly", "typeset"})) return declareWords(node, first);

    std::vector<ShellField> fields;
    for (std::size_t i = first; i < node.words.size(); ++i) {
        for (ShellField &field : m_expander.fields(node.words[i]))
            fields.push_back(std::move(field));
    }
    std::size_t command = 0; // the first word that bash would see
    while (command < fields.size() && fields[command].bare)
        ++command;
    if (command == fields.size()) return {};

    const bool temporary = first > 0;
    if (temporary) { // NAME=value command: for its time only
        m_environment.enter(m_environment.positional);
        for (std::size_t i = 0; i < first; ++i)
            assignWord(node.words[i], true);
    }
    ShellTruth status;
    const auto function = m_functions.find(fields[command].text);
    if (function != m_functions.end()) {
        status = call(*function->second, fields, command + 1);
    } else {
        std::vector<std::string> words;
        const bool test = fields[command].text == "[" || fields[command].text == "test";
        const bool sets = fields[command].text == "set" || fields[command].text == "shift";
        for (std::size_t i = command; i < fields.size(); ++i)
            if (!fields[i].bare || !(test || sets)) words.push_back(fields[i].text);
        if (const auto done = builtin(words, node)) {
            status = *done;
        } else {
            words.insert(words.begin(), command, std::string());
            for (std::size_t i = 0; i < command; ++i)
                words[i] = fields[i].text;
            status = external(words, node.line);
        }
    }
    if (temporary) m_environment.leave();
    return status;
}

ShellTruth ShellEvaluator::call(const ShellNode &body, const std::vector<ShellField> &fields, std::size_t first)
{
    if (m_calls >= kMostCalls) {
        m_script.cutShort = true;
        return {true, false};
    }
    std::vector<std::string> arguments;
    for (std::size_t i = first; i < fields.size(); ++i) {
        // No word for bash; behind an option its name is still worth keeping.
        const bool value = i > first && fields[i - 1].text.starts_with("--");
        if (!fields[i].bare || value) arguments.push_back(fields[i].text);
    }
    ++m_calls;
    m_environment.enter(std::move(arguments));
    const ShellTruth status = runNode(body);
    m_environment.leave();
    if (m_flow == Flow::Return) m_flow = Flow::Next;
    --m_calls;
    return status;
}

void ShellEvaluator::record(std::vector<std::string> words, int line)
{
    words.insert(words.begin(), m_prefix.begin(), m_prefix.end());
    const bool again = !m_script.commands.empty() && m_script.commands.back().line == line && m_script.commands.back().words == words;
    if (again) return;
    for (const std::string &word : words)
        m_budget.output += word.size() + 1;
    if (m_script.commands.size() >= kMostCommands) {
        m_script.cutShort = true;
        m_flow = Flow::Exit;
        return;
    }
    m_script.commands.push_back({std::move(words), line, m_loops > 0});
}

ShellTruth ShellEvaluator::external(const std::vector<std::string> &words, int line)
{
    const ShellOutput nothing{"", false, ""};
    if (const auto output = shellFilter(words, m_in ? m_in->content : nothing, m_budget)) {
        print(*output);
        return {true, output->known};
    }
    ShellTruth status{true, false};
    if (startsShell(words, line, status)) return status;
    print({"", false, words.front()});
    record(words, line);
    return {true, false};
}

/// Runs what a command hands to another shell: bash -c "…", bash <<EOF, sbatch <<EOF, ssh host "…", a script that this
/// one wrote or that was given.
bool ShellEvaluator::startsShell(const std::vector<std::string> &words, int line, ShellTruth &status)
{
    const auto prefix = [&](std::size_t count) { return std::vector<std::string>(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(count)); };
    const auto rest = [&](std::size_t from) { return std::vector<std::string>(words.begin() + static_cast<std::ptrdiff_t>(std::min(from, words.size())), words.end()); };
    const std::string_view program = baseName(words.front());
    const bool piped = m_in && m_in->content.known && !unknownName(m_in->content.text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (program == "sbatch" && words[i].starts_with("--wrap=")) {
            status = runScript(words[i].substr(7), prefix(i), {}, line);
            return true;
        }
        const bool shell = isShell(words[i]);
        if (!shell && program != "sbatch" && !(i == 0 && words[0].find('/') != kEnd) && program != "ssh") continue;
        std::size_t next = shell || i == 0 ? i + 1 : i;
        if (!shell && i == 0 && program != "sbatch" && program != "ssh") next = 0;
        for (; shell && next < words.size() && words[next].starts_with('-'); ++next) {
            if (words[next].starts_with("--") || words[next].find('c') == kEnd) continue;
            if (next + 1 >= words.size()) return false;
            const std::string outer = m_expander.exchangeName(next + 2 < words.size() ? words[next + 2] : "bash");
            status = runScript(words[next + 1], prefix(next + 1), rest(next + 3), line);
            m_expander.exchangeName(outer);
            return true;
        }
        if (next < words.size() && words[next].find_first_of(" \n") == kEnd) {
            if (const auto text = fileText(words[next])) {
                status = runScript(*text, prefix(next), rest(next + 1), line);
                return true;
            }
        }
        if (piped && (i + 1 == words.size() || words.back() == "-s" || program == "sbatch") && (shell || program == "sbatch" || program == "ssh")) {
            status = runScript(m_in->content.text.substr(m_in->pos), words, {}, line);
            return true;
        }
    }
    const bool remote = isOneOf(program, {"ssh", "pdsh", "clush", "parallel-ssh"}) && words.back().find(' ') != kEnd;
    if (remote) status = runScript(words.back(), prefix(words.size() - 1), {}, line);
    return remote;
}

ShellTruth ShellEvaluator::runScript(const std::string &text, const std::vector<std::string> &prefix, std::vector<std::string> arguments, int line)
{
    if (m_calls >= kMostCalls || m_budget.spent()) return {true, false};
    const std::vector<std::string> outerPrefix = m_prefix;
    const ShellEnvironment saved = m_environment;
    const int exitLine = m_script.exitLine;
    Input *outerIn = std::exchange(m_in, nullptr);
    m_budget.steps += m_environment.copyCost() / 4096;
    m_prefix.insert(m_prefix.end(), prefix.begin(), prefix.end());
    m_environment.enter(std::move(arguments)); // its arguments are not this script's
    ++m_calls;
    const ShellTruth status = runText(text, line);
    --m_calls;
    m_environment = saved;
    m_prefix = outerPrefix;
    m_in = outerIn;
    m_script.exitLine = exitLine;
    if (m_flow != Flow::Next && !m_budget.spent()) m_flow = Flow::Next;
    return {status.value, false};
}

std::optional<std::string> ShellEvaluator::fileText(const std::string &path) const
{
    const std::string known = knownPath(path);
    if (known.empty()) return std::nullopt;
    for (const auto &[name, content] : m_files) {
        if ((name == path || knownPath(name) == known) && content.known) return content.text;
    }
    const std::string *best = nullptr;
    for (const auto &[name, text] : m_input.sources) {
        if (baseName(name) == baseName(known) && (!best || name.ends_with(known))) best = &text;
    }
    return best ? std::optional(*best) : std::nullopt;
}

ShellTruth ShellEvaluator::sourceFile(const std::vector<std::string> &words, int line)
{
    if (words.size() < 2) return {false, true};
    const auto text = fileText(words[1]);
    if (!text || m_calls >= kMostCalls) {
        const std::string path = knownPath(words[1]).empty() ? unresolvedName(words[1]).value_or("") : knownPath(words[1]);
        if (!text && m_script.missingSources.size() < 50 && std::find(m_script.missingSources.begin(), m_script.missingSources.end(), path) == m_script.missingSources.end())
            m_script.missingSources.push_back(path);
        return {true, false};
    }
    const std::vector<std::string> outer = m_environment.positional;
    if (words.size() > 2) m_environment.positional.assign(words.begin() + 2, words.end());
    ++m_calls;
    const ShellTruth status = runText(*text, line);
    --m_calls;
    if (words.size() > 2) m_environment.positional = outer;
    if (m_flow == Flow::Return) m_flow = Flow::Next;
    return status;
}

} // namespace clusterbeat
