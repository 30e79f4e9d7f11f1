// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_pattern.h"

#include <algorithm>
#include <cstdint>

namespace clusterbeat {
namespace {

constexpr std::size_t kMaxProgram = 2000;
constexpr int kMaxNesting = 32;

/// Thompson's construction, as in R. Cox, "Regular expression matching: the virtual machine approach" (2009): threads
/// advance together over the text, so the time is the product of the lengths and nothing backtracks.
struct Instruction {
    enum class Kind : std::uint8_t { Character, Any, Bracket, Begin, End, Split, Jump, Save, Match };
    Kind kind = Kind::Match;
    char character = '\0';
    std::size_t first = 0;  ///< target; of a bracket its place in the pattern; of Save the slot
    std::size_t second = 0; ///< the other target
};
using Program = std::vector<Instruction>;
using Kind = Instruction::Kind;

class Compiler {
public:
    explicit Compiler(std::string_view pattern) : m_pattern(pattern) {}

    std::optional<Program> whole()
    {
        m_program.push_back({Kind::Save, '\0', 0, 0});
        alternatives(0);
        m_program.push_back({Kind::Save, '\0', 1, 0});
        m_program.push_back({});
        return m_failed || m_pos != m_pattern.size() || m_program.size() > kMaxProgram ? std::nullopt : std::optional(std::move(m_program));
    }
    [[nodiscard]] std::size_t groups() const { return m_groups; }

private:
    [[nodiscard]] bool at(char c) const { return m_pos < m_pattern.size() && m_pattern[m_pos] == c; }

    /// Makes room for one instruction at `at`: what jumps behind it moves; what comes from before meets it first.
    void insert(std::size_t at, Instruction instruction)
    {
        for (std::size_t i = 0; i < m_program.size(); ++i) {
            Instruction &other = m_program[i];
            const std::size_t from = i < at ? at + 1 : at;
            if (other.kind != Kind::Split && other.kind != Kind::Jump) continue;
            if (other.first >= from) ++other.first;
            if (other.kind == Kind::Split && other.second >= from) ++other.second;
        }
        m_program.insert(m_program.begin() + static_cast<std::ptrdiff_t>(at), instruction);
    }

    void alternatives(int depth)
    {
        if (depth > kMaxNesting) m_failed = true;
        const std::size_t start = m_program.size();
        sequence(depth);
        while (!m_failed && at('|')) {
            ++m_pos;
            insert(start, {Kind::Split, '\0', start + 1, m_program.size() + 2});
            m_program.push_back({});
            const std::size_t jump = m_program.size() - 1;
            sequence(depth);
            m_program[jump] = {Kind::Jump, '\0', m_program.size(), 0};
        }
    }

    void sequence(int depth)
    {
        while (!m_failed && m_pos < m_pattern.size() && !at('|') && !at(')')) {
            const std::size_t start = m_program.size();
            atom(depth);
            repetitions(start);
            m_failed = m_failed || m_program.size() > kMaxProgram;
        }
    }

    void atom(int depth)
    {
        const char c = m_pattern[m_pos++];
        switch (c) {
        case '.': m_program.push_back({Kind::Any, c, 0, 0}); return;
        case '^': m_program.push_back({Kind::Begin, c, 0, 0}); return;
        case '$': m_program.push_back({Kind::End, c, 0, 0}); return;
        case '*':
        case '+':
        case '?': m_failed = true; return;
        case '(': {
            const std::size_t group = ++m_groups;
            m_program.push_back({Kind::Save, c, 2 * group, 0});
            alternatives(depth + 1);
            m_program.push_back({Kind::Save, c, 2 * group + 1, 0});
            m_failed = m_failed || !at(')');
            ++m_pos;
            return;
        }
        case '[': {
            std::size_t end = --m_pos;
            if (!shellBracketHas(m_pattern, end, 'x')) m_failed = true;
            m_program.push_back({Kind::Bracket, c, m_pos, 0});
            m_pos = end + (m_failed ? 1 : 0);
            return;
        }
        case '\\':
            if (m_pos < m_pattern.size()) m_program.push_back({Kind::Character, m_pattern[m_pos++], 0, 0});
            else m_failed = true;
            return;
        default: m_program.push_back({Kind::Character, c, 0, 0});
        }
    }

    void repetitions(std::size_t start)
    {
        while (!m_failed && (at('*') || at('+') || at('?') || at('{'))) {
            const char c = m_pattern[m_pos++];
            if (c == '{') {
                counted(start);
                continue;
            }
            if (c == '+') {
                m_program.push_back({Kind::Split, c, start, m_program.size() + 1});
                continue;
            }
            insert(start, {Kind::Split, c, start + 1, 0});
            if (c == '*') m_program.push_back({Kind::Jump, c, start, 0});
            m_program[start].second = m_program.size();
        }
    }

    std::size_t number()
    {
        std::size_t value = 0;
        while (m_pos < m_pattern.size() && m_pattern[m_pos] >= '0' && m_pattern[m_pos] <= '9')
            value = std::min<std::size_t>(value * 10 + static_cast<std::size_t>(m_pattern[m_pos++] - '0'), kMaxProgram + 1);
        return value;
    }

    /// Copies of the atom: n of them, then up to m - n that may be left out.
    void counted(std::size_t start)
    {
        const std::size_t least = number();
        const bool open = at(',');
        if (open) ++m_pos;
        const bool endless = open && at('}');
        const std::size_t most = !open ? least : endless ? least + 1 : number();
        const Program atomCode(m_program.begin() + static_cast<std::ptrdiff_t>(start), m_program.end());
        if (!at('}') || most < least || most * (atomCode.size() + 1) > kMaxProgram) {
            m_failed = true;
            return;
        }
        ++m_pos;
        m_program.resize(start);
        for (std::size_t i = 0; i < most; ++i) {
            const std::size_t begin = m_program.size();
            const std::size_t extra = i >= least ? 1 : 0;
            if (extra) m_program.push_back({Kind::Split, '\0', begin + 1, begin + 1 + atomCode.size() + (endless ? 1 : 0)});
            for (Instruction instruction : atomCode) {
                const std::size_t shift = begin + extra - start;
                if (instruction.kind == Kind::Split || instruction.kind == Kind::Jump) instruction.first += shift;
                if (instruction.kind == Kind::Split) instruction.second += shift;
                m_program.push_back(instruction);
            }
            if (extra && endless) m_program.push_back({Kind::Jump, '\0', begin, 0});
        }
    }

    std::string_view m_pattern;
    std::size_t m_pos = 0;
    std::size_t m_groups = 0;
    bool m_failed = false;
    Program m_program;
};

using Slots = std::vector<std::size_t>;
struct Thread {
    std::size_t instruction = 0;
    Slots slots;
};

class Machine {
public:
    Machine(const Program &program, std::string_view pattern, std::string_view text, std::size_t groups)
        : m_program(program), m_pattern(pattern), m_text(text), m_seen(program.size(), kNever), m_best(2 * groups + 2, kNever)
    {
    }

    std::optional<ShellRegexMatch> run(ShellBudget &budget)
    {
        std::vector<Thread> threads, following;
        for (std::size_t pos = 0; pos <= m_text.size(); ++pos) {
            if (m_best[0] == kNever) add(threads, 0, pos, Slots(m_best.size(), kNever));
            if (threads.empty()) break;
            budget.steps += threads.size() / 8 + 1;
            if (budget.spent()) return std::nullopt;
            following.clear();
            for (Thread &thread : threads) {
                const Instruction &instruction = m_program[thread.instruction];
                if (pos < m_text.size() && accepts(instruction, m_text[pos])) add(following, thread.instruction + 1, pos + 1, std::move(thread.slots));
            }
            threads.swap(following);
        }
        ShellRegexMatch match;
        match.matched = m_best[0] != kNever;
        for (std::size_t i = 0; match.matched && i + 1 < m_best.size(); i += 2)
            match.groups.emplace_back(m_best[i] == kNever || m_best[i + 1] == kNever ? std::string_view()
                                                                                     : m_text.substr(m_best[i], m_best[i + 1] - m_best[i]));
        return match;
    }

private:
    static constexpr std::size_t kNever = static_cast<std::size_t>(-1);

    [[nodiscard]] bool accepts(const Instruction &instruction, char c) const
    {
        if (instruction.kind == Kind::Any) return true;
        if (instruction.kind == Kind::Character) return instruction.character == c;
        if (instruction.kind != Kind::Bracket) return false;
        std::size_t at = instruction.first;
        return shellBracketHas(m_pattern, at, c).value_or(false);
    }

    /// Follows what takes no character; the depth is that of the program. Each instruction once for a position.
    void add(std::vector<Thread> &threads, std::size_t index, std::size_t pos, Slots slots)
    {
        for (;;) {
            if (m_seen[index] == pos) return;
            m_seen[index] = pos;
            const Instruction &instruction = m_program[index];
            switch (instruction.kind) {
            case Kind::Jump: index = instruction.first; continue;
            case Kind::Split:
                add(threads, instruction.first, pos, slots);
                index = instruction.second;
                continue;
            case Kind::Save:
                slots[instruction.first] = pos;
                ++index;
                continue;
            case Kind::Begin:
                if (pos != 0) return;
                ++index;
                continue;
            case Kind::End:
                if (pos != m_text.size()) return;
                ++index;
                continue;
            case Kind::Match:
                if (m_best[0] == kNever || slots[0] < m_best[0] || (slots[0] == m_best[0] && slots[1] > m_best[1])) m_best = slots;
                return;
            default: threads.push_back({index, std::move(slots)}); return;
            }
        }
    }

    const Program &m_program;
    std::string_view m_pattern;
    std::string_view m_text;
    std::vector<std::size_t> m_seen;
    Slots m_best;
};

} // namespace

std::optional<ShellRegexMatch> shellRegexMatch(std::string_view pattern, std::string_view text, ShellBudget &budget)
{
    Compiler compiler(pattern);
    const auto program = compiler.whole();
    budget.steps += pattern.size() / 8 + 1;
    if (!program) return std::nullopt;
    return Machine(*program, pattern, text, compiler.groups()).run(budget);
}

} // namespace clusterbeat
