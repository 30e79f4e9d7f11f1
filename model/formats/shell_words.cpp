// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_words.h"

#include "model/formats/shell_condition.h"
#include "model/formats/shell_expansion.h"
#include "model/formats/shell_text.h"
#include "model/scenario/scenario_json.h"

#include <algorithm>
#include <optional>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;
constexpr std::size_t kMaxFrames = 128;

using Truth = std::optional<bool>;

/// An open if, loop, case or function body.
struct Frame {
    enum class Kind { If, Loop, Case } kind = Kind::If;
    bool parentActive = true;
    bool branchActive = true;
    bool taken = false;          ///< a branch was selected already
    bool undecided = false;      ///< the selection is a guess
    bool relevant = false;       ///< the guess decides about assignments or commands
    bool expectPattern = false;  ///< case: between branches
    std::string subject;         ///< case: the word
    int line = 0;
};

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Reads statement by statement; a stack of frames says whether what is read counts.
class Reader : private ShellText {
public:
    Reader(std::string_view text, const std::string &fileName) : ShellText(text, fileName) {}

    Result<ShellScript> read()
    {
        while (!m_error && m_pos < m_text.size())
            readCommand();
        if (m_error) return *m_error;
        if (m_variables.overflowed())
            return Error{ErrorCode::FileTooLarge, {m_file, "", 0, 0},
                         {m_file, std::int64_t{ShellVariables::kMaxOutput}, std::int64_t{ShellVariables::kMaxOutput}}};
        for (const std::string &name : m_names) {
            const auto value = m_variables.value(name);
            if (value && !unresolvedName(*value)) m_script.variables[name] = *value;
        }
        return std::move(m_script);
    }

private:
    void readComment()
    {
        const std::string_view comment = takeComment();
        if (comment.starts_with("#SBATCH")) readBatchOption(comment.substr(7));
    }
    void readBatchOption(std::string_view text)
    {
        const std::size_t comment = text.find(" #");
        const std::vector<std::string> words = splitQuotedWords(text.substr(0, comment));
        if (words.empty()) return;
        const std::size_t equals = words[0].find('=');
        if (equals != kEnd) m_script.batchOptions.emplace_back(words[0].substr(0, equals), words[0].substr(equals + 1));
        else m_script.batchOptions.emplace_back(words[0], words.size() > 1 ? words[1] : std::string());
        const auto &[name, value] = m_script.batchOptions.back();
        if (name == "--nodes" || name == "-N") {
            m_variables.assign("SLURM_NNODES", {value}, false, false);
            m_variables.assign("SLURM_JOB_NUM_NODES", {value}, false, false);
        } else if (name == "--ntasks-per-node") {
            m_variables.assign("SLURM_NTASKS_PER_NODE", {value}, false, false);
        } else if (name == "--ntasks" || name == "-n") {
            m_variables.assign("SLURM_NTASKS", {value}, false, false);
        } else if (name == "--gpus-per-node" || name == "--gres") {
            const std::string count = value.substr(value.rfind(':') == kEnd ? 0 : value.rfind(':') + 1);
            m_variables.assign("SLURM_GPUS_ON_NODE", {count}, false, false);
            m_variables.assign("SLURM_GPUS_PER_NODE", {count}, false, false);
        }
    }

    // ---- statements ----
    [[nodiscard]] bool active() const
    {
        return m_frames.empty() || (m_frames.back().parentActive && m_frames.back().branchActive);
    }
    [[nodiscard]] bool effective() const { return active() && !m_skip; }
    void touchFrames()
    {
        for (Frame &frame : m_frames)
            frame.relevant = true;
    }
    void push(Frame::Kind kind)
    {
        if (m_frames.size() >= kMaxFrames) return fail(ErrorCode::TooDeep, m_pos, std::int64_t{kMaxFrames});
        Frame frame;
        frame.kind = kind;
        frame.parentActive = active();
        frame.line = lineAt(m_pos);
        m_frames.push_back(std::move(frame));
    }
    void pop(Frame::Kind kind)
    {
        if (m_frames.empty() || m_frames.back().kind != kind) return;
        const Frame frame = std::move(m_frames.back());
        m_frames.pop_back();
        if (frame.undecided && frame.relevant && frame.parentActive) m_script.undecidedLines.push_back(frame.line);
        m_status = std::nullopt;
    }

    void endList()
    {
        m_skip = false;
        m_negate = false;
        m_operator = Operator::None;
    }
    enum class Operator { None, And, Or };
    /// Combines the status of the command that was just read with the list before it.
    void finishCommand(Truth status)
    {
        if (m_negate && status) status = !*status;
        m_negate = false;
        const bool known = m_status.has_value();
        if (m_operator == Operator::None) m_status = status;
        else if (m_operator == Operator::And && m_status != false) m_status = known || status == false ? status : std::nullopt;
        else if (m_operator == Operator::Or && m_status != true) m_status = known || status == true ? status : std::nullopt;
    }
    void startAfter(Operator op)
    {
        m_operator = op;
        // An unknown status counts as success, the usual case of a script that works.
        m_skip = op == Operator::And ? m_status == false : op == Operator::Or && m_status != false;
    }

    /// Reads the operator that ends a command. False when there was none (end of text).
    void readOperator()
    {
        if (peek() == '#') readComment();
        const char c = peek();
        if (startsWith("&&") || startsWith("||")) {
            m_pos += 2;
            startAfter(c == '&' ? Operator::And : Operator::Or);
            return;
        }
        if (startsWith(";;")) {
            m_pos += 2;
            if (peek() == '&') ++m_pos;
            if (!m_frames.empty() && m_frames.back().kind == Frame::Kind::Case) {
                m_frames.back().expectPattern = true;
                m_frames.back().branchActive = false;
            }
        } else if (m_pos < m_text.size()) {
            ++m_pos;
            if (c == '\n') skipHereDocuments();
        }
        if (c == '|') m_status = std::nullopt;
        endList();
    }
    /// Keywords stand where a command may start. True when one was handled.
    bool readKeyword(std::string_view word)
    {
        if (isOneOf(word, {"if", "elif", "then", "else", "fi"})) return readIf(word);
        if (isOneOf(word, {"while", "until", "for", "select"})) return readLoop(word);
        if (word == "do" || word == "{" || word == "}" || word == "time") return true;
        if (word == "done") {
            pop(Frame::Kind::Loop);
            return true;
        }
        if (word == "case") {
            readCase();
            return true;
        }
        if (word == "esac") {
            pop(Frame::Kind::Case);
            return true;
        }
        if (word == "!") {
            m_negate = !m_negate;
            return true;
        }
        if (word == "function") {
            skipBlanks();
            scanWord();
            return true;
        }
        return false;
    }
    bool readIf(std::string_view word)
    {
        if (word == "if") {
            push(Frame::Kind::If);
            endList();
            return true;
        }
        if (m_frames.empty() || m_frames.back().kind != Frame::Kind::If) return true;
        Frame &frame = m_frames.back();
        if (word == "then") {
            frame.undecided = frame.undecided || (!frame.taken && !m_status);
            frame.branchActive = !frame.taken && m_status != false;
            frame.taken = frame.taken || frame.branchActive;
        } else if (word == "elif") {
            frame.branchActive = !frame.taken;
        } else if (word == "else") {
            frame.branchActive = !frame.taken;
            frame.taken = true;
        } else {
            pop(Frame::Kind::If);
        }
        endList();
        return true;
    }
    bool readLoop(std::string_view word)
    {
        push(Frame::Kind::Loop);
        endList();
        if (word != "for" && word != "select") return true; // the condition is read like a command and not used
        skipBlanks();
        if (startsWith("((")) return true;
        const std::string name(scanWord());
        skipBlanks();
        if (!startsWith("in") || !endsWord(peek(2))) return true;
        m_pos += 2;
        std::optional<std::string> first;
        bool any = false;
        for (skipBlanks(); m_pos < m_text.size() && !endsWord(peek()) && peek() != '#'; skipBlanks()) {
            const std::string_view raw = scanWord();
            any = true;
            if (first || !active()) continue;
            const std::vector<std::string> fields = m_variables.expandWord(raw);
            if (!fields.empty()) first = fields.front();
        }
        if (!m_frames.empty() && any && !first) m_frames.back().branchActive = false;
        if (first) setVariable(name, {*first}, false, false);
        return true;
    }
    void readCase()
    {
        skipBlanks();
        const std::string_view raw = scanWord();
        if (m_error) return;
        const std::string subject = active() ? m_variables.expandJoined(raw) : std::string();
        skipBlanks();
        while (peek() == '\n') {
            ++m_pos;
            skipBlanks();
        }
        if (startsWith("in")) m_pos += 2;
        push(Frame::Kind::Case);
        if (m_error) return;
        m_frames.back().subject = subject;
        m_frames.back().expectPattern = true;
        m_frames.back().branchActive = false;
        endList();
    }
    /// Between the branches of a case: "pattern | pattern )" or esac.
    void readPatterns()
    {
        const std::size_t before = m_frames.size() - 1;
        bool matches = false;
        for (;;) {
            skipBlanks();
            if (m_pos >= m_text.size()) return;
            const char c = peek();
            if (c == '#') {
                readComment();
            } else if (c == ')') {
                ++m_pos;
                break;
            } else if (endsWord(c)) {
                ++m_pos;
            } else {
                const std::string_view raw = scanWord();
                if (m_error) return;
                if (raw == "esac") return pop(Frame::Kind::Case);
                if (!m_frames[before].parentActive) continue;
                matches = matches || shellPatternMatches(m_variables.expandJoined(raw), m_frames[before].subject);
            }
        }
        Frame &frame = m_frames[before];
        frame.expectPattern = false;
        const bool guess = unresolvedName(frame.subject).has_value();
        frame.branchActive = !frame.taken && (matches || guess);
        frame.undecided = frame.undecided || (guess && frame.branchActive);
        frame.taken = frame.taken || frame.branchActive;
    }

    void setVariable(const std::string &name, std::vector<std::string> items, bool array, bool append)
    {
        touchFrames();
        for (const std::string &item : items) {
            const std::vector<std::string> words = item.find_first_of(" \t\n") == kEnd ? std::vector<std::string>{item}
                                                                                     : splitQuotedWords(item);
            if (m_assigned <= ShellVariables::kMaxOutput) m_script.assignedWords.insert(m_script.assignedWords.end(), words.begin(), words.end());
            m_assigned += item.size();
        }
        m_names.push_back(name);
        m_variables.assign(name, std::move(items), array, append);
    }

    /// NAME=( … ): words over several lines, with comments.
    void readArray(const std::string &name, bool append)
    {
        std::vector<std::string> items;
        for (++m_pos;;) {
            skipBlanks();
            if (m_pos >= m_text.size()) return fail(ErrorCode::SyntaxError, m_pos, std::string(")"));
            const char c = peek();
            if (c == ')') break;
            if (c == '#') {
                readComment();
            } else if (endsWord(c)) {
                ++m_pos;
            } else {
                const std::string_view raw = scanWord();
                if (m_error) return;
                if (!effective()) continue;
                for (std::string &field : m_variables.expandWord(raw))
                    items.push_back(std::move(field));
            }
        }
        ++m_pos;
        if (effective()) setVariable(name, std::move(items), true, append);
    }

    /// > >> < 2>&1 << <<< <( …
    void readRedirection(std::vector<std::string_view> &words)
    {
        if (!words.empty() && words.back().data() + words.back().size() == m_text.data() + m_pos &&
            words.back().find_first_not_of("0123456789") == kEnd)
            words.pop_back();
        if (peek(1) == '(') {
            const std::size_t end = m_text.find(')', m_pos);
            m_pos = end == kEnd ? m_text.size() : end + 1;
            return;
        }
        const bool hereDocument = startsWith("<<") && peek(2) != '<';
        while (peek() == '<' || peek() == '>' || peek() == '&')
            ++m_pos;
        const bool stripTabs = hereDocument && peek() == '-';
        if (stripTabs) ++m_pos;
        skipBlanks();
        const std::string_view target = scanWord();
        if (hereDocument && !m_error) addHereDocument(ShellVariables().expandJoined(target), stripTabs);
    }

    void readCommand()
    {
        if (!m_frames.empty() && m_frames.back().expectPattern) return readPatterns();
        std::vector<std::string_view> words;
        bool assignedArray = false;
        bool condition = false; // inside [[ … ]]
        skipBlanks();
        const std::size_t start = m_pos;
        while (!m_error && m_pos < m_text.size()) {
            skipBlanks();
            const char c = peek();
            if (c == '\0' && m_pos >= m_text.size()) break;
            if (condition && c != '\n' && endsWord(c)) {
                const std::size_t length = startsWith("&&") || startsWith("||") ? 2 : 1;
                words.push_back(m_text.substr(m_pos, length));
                m_pos += length;
                continue;
            }
            if (c == '#' ) break;
            if (startsWith("&>") || c == '<' || c == '>') {
                readRedirection(words);
                continue;
            }
            if (c == '(' && words.empty()) {
                if (startsWith("((") && readArithmeticCommand()) return;
                ++m_pos; // a subshell is read like a block
                continue;
            }
            if (c == '(' && words.size() == 1) { // name() { … }: the body is read where it is defined
                m_pos = std::min(m_text.find(')', m_pos), m_text.size() - 1) + 1;
                words.clear();
                while (peek() == '\n' || peek() == ' ')
                    ++m_pos;
                continue;
            }
            if (endsWord(c)) break;
            const std::string_view raw = scanWord();
            if (m_error) return;
            if (words.empty() && readKeyword(raw)) {
                if (m_error || (!m_frames.empty() && m_frames.back().expectPattern)) return;
                continue;
            }
            const AssignmentShape shape = assignmentShape(raw);
            if (peek() == '(' && shape.valueStart == raw.size() && shape.valueStart > 0) {
                readArray(std::string(raw.substr(0, shape.nameEnd)), shape.append);
                assignedArray = true;
                continue;
            }
            if (words.empty() && raw == "[[") condition = true;
            if (condition && raw == "]]") condition = false;
            words.push_back(raw);
        }
        if (m_error) return;
        if (!words.empty() || assignedArray) finishCommand(run(words, start));
        readOperator();
    }

    /// (( expression )) as a command.
    bool readArithmeticCommand()
    {
        const std::size_t end = m_text.find("))", m_pos);
        if (end == kEnd) return false;
        const std::string_view inner = m_text.substr(m_pos + 2, end - m_pos - 2);
        const auto value = effective() ? m_variables.arithmetic(m_variables.expandJoined(inner)) : std::nullopt;
        m_pos = end + 2;
        finishCommand(value ? Truth(*value != 0) : Truth());
        skipBlanks();
        readOperator();
        return true;
    }

    Truth run(const std::vector<std::string_view> &words, std::size_t start)
    {
        if (!active() || words.empty()) return words.empty() ? Truth(true) : Truth();
        std::size_t first = 0;
        for (; first < words.size(); ++first) {
            const AssignmentShape shape = assignmentShape(words[first]);
            if (shape.valueStart == 0) break;
            assignWord(words[first], shape);
        }
        if (first == words.size()) return true;
        const std::string_view command = words[first];
        if (isOneOf(command, {"export", "declare", "local", "readonly", "typeset"})) {
            for (std::size_t i = first + 1; i < words.size(); ++i) {
                const AssignmentShape shape = assignmentShape(words[i]);
                if (shape.valueStart > 0) assignWord(words[i], shape);
            }
            return true;
        }
        if (command == "true" || command == ":") return true;
        if (command == "false") return false;
        if (command == "[[" || command == "[" || command == "test") return runTest(words, first, command == "[[");
        if (m_skip) return std::nullopt;
        ShellCommand result;
        result.line = lineAt(start);
        for (std::size_t i = first; i < words.size(); ++i) {
            for (std::string &field : m_variables.expandWord(words[i]))
                result.words.push_back(std::move(field));
        }
        if (command == "unset" && result.words.size() > 1) m_variables.unset(result.words[1]);
        if (!isOneOf(command, {"echo", "exit", "return", "unset", "set", "source", ".", "cd", "mkdir", "printf"})) touchFrames();
        if (!result.words.empty()) m_script.commands.push_back(std::move(result));
        return std::nullopt;
    }
    Truth runTest(const std::vector<std::string_view> &words, std::size_t first, bool wholeWords)
    {
        std::vector<std::string> expanded;
        for (std::size_t i = first + 1; i < words.size(); ++i) {
            if (words[i] == "]" || words[i] == "]]") break;
            if (wholeWords) expanded.push_back(m_variables.expandJoined(words[i]));
            else for (std::string &field : m_variables.expandWord(words[i])) expanded.push_back(std::move(field));
        }
        return shellCondition(expanded);
    }
    void assignWord(std::string_view raw, const AssignmentShape &shape)
    {
        if (!effective()) return;
        const bool element = raw[shape.nameEnd] == '[';
        if (element) return; // one element of an array: not needed by launch scripts
        setVariable(std::string(raw.substr(0, shape.nameEnd)), {m_variables.expandJoined(raw.substr(shape.valueStart))}, false,
                    shape.append);
    }

    ShellVariables m_variables;
    std::vector<std::string> m_names;
    std::size_t m_assigned = 0;
    std::vector<Frame> m_frames;
    Truth m_status;
    Operator m_operator = Operator::None;
    bool m_skip = false;
    bool m_negate = false;
    ShellScript m_script;
};

} // namespace

Result<ShellScript> readShellScript(std::string_view text, const std::string &fileName)
{
    if (static_cast<std::int64_t>(text.size()) > kMaxScenarioBytes)
        return Error{ErrorCode::FileTooLarge, {fileName, "", 0, 0}, {fileName, static_cast<std::int64_t>(text.size()), kMaxScenarioBytes}};
    return Reader(text, fileName).read();
}

} // namespace clusterbeat
