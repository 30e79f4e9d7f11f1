// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_ast.h"
#include "model/formats/shell_condition.h"
#include "model/formats/shell_expansion.h"
#include "model/formats/shell_filters.h"
#include "model/formats/shell_words.h"

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Executes parsed commands on an environment; what would start a program is recorded instead.
class ShellEvaluator {
public:
    ShellEvaluator(std::string fileName, const ShellInput &input);

    /// The first error, or the script's end.
    [[nodiscard]] std::optional<Error> run(std::string_view text);
    [[nodiscard]] ShellScript take();

private:
    enum class Flow : std::uint8_t { Next, Break, Continue, Return, Exit };
    struct Input {
        ShellOutput content;
        std::size_t pos = 0;
    };
    struct Source {
        std::string text;
        ShellProgram program;
    };
    /// Standard input and output of one command while it runs.
    class Streams;

    // ---- shell_evaluator.cpp: control
    ShellTruth runText(std::string_view text, int line);
    ShellTruth runList(const ShellList &list);
    ShellTruth runNode(const ShellNode &node);
    ShellTruth runBody(const ShellNode &node);
    ShellTruth runPipeline(const ShellNode &node);
    ShellTruth runAndOr(const ShellNode &node);
    ShellTruth runIf(const ShellNode &node);
    ShellTruth runFor(const ShellNode &node);
    ShellTruth runArithmeticFor(const ShellNode &node);
    ShellTruth runLoop(const ShellNode &node);
    ShellTruth runCase(const ShellNode &node);
    ShellTruth runSubshell(const ShellList &list);
    /// False when the loop ends.
    bool runPass(const ShellList &body);
    /// Which way an undecided condition goes; said when it matters.
    bool decide(ShellTruth truth, const ShellNode &node, const ShellList *yes, const ShellList *no, std::string_view source);
    [[nodiscard]] bool going() const { return m_flow == Flow::Next && !m_budget.spent(); }
    std::string substitute(std::string_view commands);

    // ---- shell_commands.cpp: simple commands
    ShellTruth runSimple(const ShellNode &node);
    void assignWord(std::string_view raw, bool local);
    void assignArray(const std::string &name, std::string_view inner, bool append);
    ShellTruth declareWords(const ShellNode &node, std::size_t first);
    ShellTruth call(const ShellNode &body, const std::vector<ShellField> &fields, std::size_t first);
    ShellTruth external(const std::vector<std::string> &words, int line);
    bool startsShell(const std::vector<std::string> &words, int line, ShellTruth &status);
    ShellTruth runScript(const std::string &text, const std::vector<std::string> &prefix, std::vector<std::string> arguments, int line);
    void record(std::vector<std::string> words, int line);
    ShellTruth sourceFile(const std::vector<std::string> &words, int line);
    [[nodiscard]] std::optional<std::string> fileText(const std::string &path) const;
    void readDirectives(const ShellProgram &program);
    void directive(bool pbs, const std::string &option, const std::string &value);

    // ---- shell_builtins.cpp
    std::optional<ShellTruth> builtin(const std::vector<std::string> &words, const ShellNode &node);
    std::optional<ShellTruth> controlBuiltin(const std::vector<std::string> &words, const ShellNode &node);
    ShellTruth readWords(const std::vector<std::string> &words);
    ShellTruth readLines(const std::vector<std::string> &words);
    ShellTruth setOptions(const std::vector<std::string> &words);
    ShellTruth nextOption(const std::vector<std::string> &words);
    ShellTruth printInto(const std::vector<std::string> &words);
    void print(const ShellOutput &output);

    std::string m_file;
    const ShellInput &m_input;
    ShellBudget m_budget;
    ShellEnvironment m_environment;
    ShellExpander m_expander;
    std::deque<Source> m_sources; ///< texts stay: functions are views into them
    std::map<std::string, const ShellNode *, std::less<>> m_functions;
    std::map<std::string, ShellOutput> m_files;
    std::vector<std::string> m_prefix;
    std::vector<std::string> m_names;
    ShellScript m_script;
    std::optional<Error> m_error;
    Flow m_flow = Flow::Next;
    int m_levels = 0; ///< loops that break or continue still has to leave
    int m_loops = 0;
    int m_calls = 0;
    int m_line = 0;
    std::size_t m_optionAt = 0; ///< getopts within one word
    Input *m_in = nullptr;
    ShellOutput *m_out = nullptr;
};

class ShellEvaluator::Streams {
public:
    Streams(ShellEvaluator &evaluator, const ShellNode &node);
    ~Streams();
    Streams(const Streams &) = delete;
    Streams &operator=(const Streams &) = delete;

private:
    ShellEvaluator &m_evaluator;
    Input *m_outerIn;
    ShellOutput *m_outerOut;
    Input m_input;
    ShellOutput m_output;
    std::string m_path;
    bool m_append = false;
};

} // namespace clusterbeat
