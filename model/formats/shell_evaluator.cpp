// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_evaluator.h"

#include "model/formats/shell_parser.h"
#include "model/formats/shell_pattern.h"

#include <algorithm>
#include <initializer_list>

namespace clusterbeat {
namespace {

using Kind = ShellNode::Kind;

constexpr int kMostPasses = 10'000;
constexpr int kMostEndlessPasses = 50; ///< of a loop whose condition is always true: it waits for what does not happen here
constexpr int kMostSubshells = 24;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// The text that a command was read from.
std::string_view sourceOf(const ShellNode &node)
{
    if (!node.source.empty() || node.words.empty()) return node.source;
    const std::string_view first = node.words.front(), last = node.words.back();
    return {first.data(), static_cast<std::size_t>(last.data() + last.size() - first.data())};
}

/// Whether commands end the script or the function where they stand.
bool leaves(const ShellList &list)
{
    return std::any_of(list.begin(), list.end(), [](const ShellNode &node) {
        if (node.kind == Kind::Group) return leaves(node.parts[0]);
        return node.kind == Kind::Simple && !node.words.empty() && isOneOf(node.words[0], {"exit", "return"});
    });
}

/// Whether commands do more than talk or tidy up.
bool matters(const ShellList &list)
{
    return std::any_of(list.begin(), list.end(), [](const ShellNode &node) {
        if (node.kind == Kind::Function) return false;
        if (std::any_of(node.parts.begin(), node.parts.end(), matters)) return true;
        if (node.kind == Kind::Arithmetic) return true;
        if (node.kind != Kind::Simple || node.words.empty()) return false;
        return !isOneOf(node.words[0], {"echo", "exit", "return", "printf", "mkdir", "cd", "rm", "cp", "mv", "ln", "touch", "sleep", "wait", "true",
                                        ":", "false", "[", "test", "cat", "ls", "chmod", "pip", "pip3", "git", "wget", "curl", "tar", "set", "trap",
                                        "source", ".", "module", "conda", "kill", "pkill", "ulimit", "break", "continue", "export PATH"});
    });
}

bool isTest(const ShellNode &node)
{
    if (node.kind == Kind::Pipeline || node.kind == Kind::AndOr) return std::any_of(node.parts[0].begin(), node.parts[0].end(), isTest);
    return node.kind == Kind::Condition || node.kind == Kind::Arithmetic ||
           (node.kind == Kind::Simple && !node.words.empty() && isOneOf(node.words[0], {"[", "test"}));
}

bool isEndless(const ShellList &condition)
{
    return condition.size() == 1 && condition[0].kind == Kind::Simple && !condition[0].words.empty() &&
           isOneOf(condition[0].words[0], {"true", ":", "["}) && condition[0].words.size() <= 3;
}

} // namespace

ShellEvaluator::ShellEvaluator(std::string fileName, const ShellInput &input)
    : m_file(std::move(fileName)), m_input(input), m_environment(m_budget),
      m_expander(m_environment, m_budget, m_file.empty() ? "bash" : m_file, [this](std::string_view commands) { return substitute(commands); })
{
    m_environment.positional = input.arguments;
}

std::optional<Error> ShellEvaluator::run(std::string_view text)
{
    runText(text, 1);
    m_script.cutShort = m_script.cutShort || m_budget.spent();
    if (!m_error && m_budget.overflowed()) {
        constexpr auto kMost = static_cast<std::int64_t>(ShellBudget::kMaxOutput);
        m_error = Error{ErrorCode::FileTooLarge, {m_file, "", 0, 0}, {m_file, kMost, kMost}};
    }
    return m_error;
}

ShellScript ShellEvaluator::take()
{
    for (const std::string &name : m_names) {
        const auto value = m_environment.value(name);
        if (value && !unresolvedName(*value)) m_script.variables[name] = *value;
    }
    m_script.missingArguments.assign(m_expander.missing().begin(), m_expander.missing().end());
    m_script.assumed.assign(m_expander.assumed().begin(), m_expander.assumed().end());
    return std::move(m_script);
}

ShellTruth ShellEvaluator::runText(std::string_view text, int line)
{
    m_budget.output += text.size();
    m_sources.push_back({std::string(text), {}});
    Source &source = m_sources.back();
    auto program = parseShell(source.text, line);
    if (!program.ok()) {
        if (!m_error && m_sources.size() == 1) {
            m_error = program.error();
            m_error->place.file = m_file;
        }
        return {false, false};
    }
    source.program = std::move(program).value();
    readDirectives(source.program);
    return runList(source.program.commands);
}

ShellTruth ShellEvaluator::runList(const ShellList &list)
{
    ShellTruth status;
    for (const ShellNode &node : list) {
        if (!going()) break;
        status = runNode(node);
        m_expander.status = status.value ? 0 : 1;
    }
    return status;
}

ShellTruth ShellEvaluator::runNode(const ShellNode &node)
{
    ++m_budget.steps;
    const int outer = m_line;
    m_line = node.line;
    ShellTruth status;
    if (node.redirects.empty()) {
        status = runBody(node);
    } else {
        const Streams streams(*this, node);
        status = runBody(node);
    }
    m_line = outer;
    return status;
}

ShellTruth ShellEvaluator::runBody(const ShellNode &node)
{
    switch (node.kind) {
    case Kind::Simple: return runSimple(node);
    case Kind::Arithmetic: {
        const ShellNumber number = m_expander.arithmetic(node.words.empty() ? std::string_view() : node.words[0]);
        return number.value ? ShellTruth{*number.value != 0, true} : ShellTruth{true, false};
    }
    case Kind::Condition: return shellCondition(node.words, m_expander, m_environment, m_budget);
    case Kind::Pipeline: return runPipeline(node);
    case Kind::AndOr: return runAndOr(node);
    case Kind::If: return runIf(node);
    case Kind::For: return runFor(node);
    case Kind::ArithmeticFor: return runArithmeticFor(node);
    case Kind::Loop: return runLoop(node);
    case Kind::Case: return runCase(node);
    case Kind::Function:
        if (!node.words.empty() && !node.parts[0].empty()) m_functions[std::string(node.words[0])] = &node.parts[0].front();
        return {};
    case Kind::Group: return runList(node.parts[0]);
    case Kind::Subshell: return runSubshell(node.parts[0]);
    }
    return {};
}

ShellTruth ShellEvaluator::runSubshell(const ShellList &list)
{
    m_budget.steps += m_environment.copyCost() / 4096;
    if (m_calls >= kMostSubshells || m_budget.spent()) return {true, false};
    ++m_calls;
    const ShellEnvironment saved = m_environment;
    const ShellTruth status = runList(list);
    m_environment = saved;
    if (m_flow == Flow::Exit || m_flow == Flow::Return) m_flow = Flow::Next; // it ends the subshell only
    --m_calls;
    return status;
}

std::string ShellEvaluator::substitute(std::string_view commands)
{
    ShellOutput output;
    ShellOutput *outer = m_out;
    const int exitLine = m_script.exitLine;
    m_out = &output;
    if (commands.starts_with('<')) { // $(<file)
        const std::string path = withoutUnset(m_expander.joined(commands.substr(std::min(commands.find_first_not_of(" <"), commands.size()))));
        const auto text = fileText(path);
        output = text ? ShellOutput{*text, true, ""} : ShellOutput{"", false, "<"};
    } else if (m_calls < kMostSubshells) {
        m_budget.output += commands.size();
        m_sources.push_back({std::string(commands), {}});
        Source &source = m_sources.back();
        auto program = parseShell(source.text, m_line);
        if (program.ok()) {
            source.program = std::move(program).value();
            runSubshell(source.program.commands);
        } else {
            output.known = false;
        }
    } else {
        output.known = false;
    }
    m_script.exitLine = exitLine;
    m_out = outer;
    if (!output.known) {
        const std::size_t start = std::min(commands.find_first_not_of(" \t\n"), commands.size());
        const std::string name = output.unknownBy.empty() ? std::string(commands.substr(start, 40)) : output.unknownBy;
        return unresolvedMark("$(" + name.substr(0, name.find_first_of(" \t\n'\"\\|")) + ")");
    }
    while (output.text.ends_with('\n'))
        output.text.pop_back();
    return output.text;
}

ShellTruth ShellEvaluator::runPipeline(const ShellNode &node)
{
    Input *outerIn = m_in;
    ShellOutput *outerOut = m_out;
    const ShellList &stages = node.parts[0];
    ShellTruth status;
    Input between;
    for (std::size_t i = 0; i < stages.size() && going(); ++i) {
        ShellOutput written;
        const bool last = i + 1 == stages.size();
        m_out = last ? outerOut : &written;
        m_in = i == 0 ? outerIn : &between;
        status = runNode(stages[i]);
        between = {std::move(written), 0};
    }
    m_in = outerIn;
    m_out = outerOut;
    return node.negated ? !status : status;
}

bool ShellEvaluator::decide(ShellTruth truth, const ShellNode &node, const ShellList *yes, const ShellList *no, std::string_view source)
{
    if (truth.known) return truth.value;
    bool taken = truth.value;
    // A script that works goes on: the way that ends it is not the one it usually takes.
    if (taken && yes && leaves(*yes)) taken = false;
    else if (!taken && no && leaves(*no) && yes && !leaves(*yes)) taken = true;
    if ((yes && matters(*yes)) || (no && matters(*no))) {
        const ShellGuess guess{std::string(source.substr(0, 120)), taken, node.line};
        const bool said = std::find(m_script.guesses.begin(), m_script.guesses.end(), guess) != m_script.guesses.end();
        if (!said && m_script.guesses.size() < 200) m_script.guesses.push_back(guess);
    }
    return taken;
}

ShellTruth ShellEvaluator::runAndOr(const ShellNode &node)
{
    const ShellList &commands = node.parts[0];
    ShellTruth status = runNode(commands[0]);
    for (std::size_t i = 1; i < commands.size() && going(); ++i) {
        m_expander.status = status.value ? 0 : 1;
        const bool both = node.operators[i - 1] == '&';
        const ShellTruth asked = both ? status : !status;
        bool taken = asked.value;
        if (!asked.known && isTest(commands[i - 1])) { // of a program nobody doubts that it succeeds
            const ShellList next(1, commands[i]);
            taken = decide(asked, node, &next, nullptr, sourceOf(commands[i - 1]));
        }
        if (!taken) continue;
        const ShellTruth following = runNode(commands[i]);
        status = both ? allOf(status, following) : anyOf(status, following);
    }
    return status;
}

ShellTruth ShellEvaluator::runIf(const ShellNode &node)
{
    for (std::size_t i = 0; i + 1 < node.parts.size(); i += 2) {
        const ShellTruth truth = runList(node.parts[i]);
        if (!going()) return truth;
        const bool otherwise = i + 2 < node.parts.size();
        const std::string_view source = i == 0 ? node.source : node.parts[i].empty() ? std::string_view() : sourceOf(node.parts[i].front());
        if (decide(truth, node, &node.parts[i + 1], otherwise ? &node.parts.back() : nullptr, source)) return runList(node.parts[i + 1]);
    }
    if (node.parts.size() % 2 == 1 && node.parts.size() > 1) return runList(node.parts.back());
    return {};
}

bool ShellEvaluator::runPass(const ShellList &body)
{
    runList(body);
    if (m_flow == Flow::Break || m_flow == Flow::Continue) {
        const bool ends = m_flow == Flow::Break || m_levels > 1;
        if (--m_levels <= 0) m_flow = Flow::Next;
        return !ends;
    }
    return going();
}

ShellTruth ShellEvaluator::runFor(const ShellNode &node)
{
    if (node.words.empty() || node.parts.empty()) return {};
    const std::string name(node.words[0]);
    std::vector<std::string> items = m_environment.positional;
    if (node.given) items.clear();
    for (std::size_t i = 1; i < node.words.size(); ++i) {
        for (ShellField &field : m_expander.fields(node.words[i]))
            if (!field.bare) items.push_back(std::move(field.text));
    }
    ++m_loops;
    for (std::string &item : items) {
        m_environment.assign(name, std::move(item));
        m_names.push_back(name);
        if (!runPass(node.parts[0])) break;
    }
    --m_loops;
    return {};
}

ShellTruth ShellEvaluator::runArithmeticFor(const ShellNode &node)
{
    if (node.words.size() < 3 || node.parts.empty()) return {};
    const bool endless = node.words[1].find_first_not_of(" \t") == std::string_view::npos;
    if (node.words[0].find_first_not_of(" \t") != std::string_view::npos) (void)m_expander.arithmetic(node.words[0]);
    ++m_loops;
    for (int pass = 0; pass < (endless ? kMostEndlessPasses : kMostPasses); ++pass) {
        const ShellNumber condition = endless ? ShellNumber{1, "", ""} : m_expander.arithmetic(node.words[1]);
        if (condition.value == 0 || (!condition.value && pass > 0)) break;
        if (!condition.value) decide({true, false}, node, &node.parts[0], nullptr, node.words[1]);
        if (!runPass(node.parts[0])) break;
        if (node.words[2].find_first_not_of(" \t") != std::string_view::npos) (void)m_expander.arithmetic(node.words[2]);
    }
    --m_loops;
    return {};
}

ShellTruth ShellEvaluator::runLoop(const ShellNode &node)
{
    if (node.parts.size() < 2) return {};
    const int most = isEndless(node.parts[0]) && !node.negated ? kMostEndlessPasses : kMostPasses;
    ++m_loops;
    for (int pass = 0; pass < most; ++pass) {
        ShellTruth truth = runList(node.parts[0]);
        if (node.negated) truth = !truth;
        if (!going()) break;
        // Once at most round a loop that waits for something.
        if (truth.known ? !truth.value : pass > 0 || !decide(truth, node, &node.parts[1], nullptr, node.source)) break;
        if (!runPass(node.parts[1])) break;
    }
    --m_loops;
    return {};
}

ShellTruth ShellEvaluator::runCase(const ShellNode &node)
{
    if (node.words.empty()) return {};
    const std::string subject = withoutUnset(m_expander.joined(node.words[0]));
    std::size_t chosen = node.parts.size();
    if (unknownName(subject)) {
        // The branch for everything else, if it goes on.
        for (std::size_t i = 0; i < node.parts.size(); ++i) {
            const bool any = std::any_of(node.patterns[i].begin(), node.patterns[i].end(), [](std::string_view raw) { return raw == "*"; });
            if (!leaves(node.parts[i]) && (any || chosen == node.parts.size())) chosen = i;
        }
        if (chosen < node.parts.size()) {
            const std::string source = "case " + std::string(node.source) + " in " + (node.patterns[chosen].empty() ? "" : std::string(node.patterns[chosen][0]));
            decide({true, false}, node, &node.parts[chosen], nullptr, source);
        }
    }
    for (std::size_t i = 0; i < node.parts.size() && chosen == node.parts.size(); ++i) {
        for (const std::string_view raw : node.patterns[i]) {
            ++m_budget.steps;
            if (shellPatternMatches(withoutUnset(m_expander.pattern(raw)), subject, m_budget)) {
                chosen = i;
                break;
            }
        }
    }
    ShellTruth status;
    for (; chosen < node.parts.size() && going(); ++chosen) {
        status = runList(node.parts[chosen]);
        if (node.operators[chosen] != '&') break;
    }
    return status;
}

} // namespace clusterbeat
