// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_parser.h"

#include "model/formats/shell_lexer.h"

#include <algorithm>
#include <initializer_list>

namespace clusterbeat {
namespace {

using Kind = ShellNode::Kind;
using Words = std::initializer_list<std::string_view>;

bool isOneOf(std::string_view word, Words words) { return std::find(words.begin(), words.end(), word) != words.end(); }

bool isNumber(std::string_view word) { return !word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos; }

class Parser {
public:
    Parser(std::string_view text, int firstLine) : m_lexer(text, firstLine) {}

    Result<ShellProgram> whole()
    {
        ShellProgram program;
        for (;;) {
            parseList(program.commands, {});
            const ShellToken token = m_lexer.next(); // a stray fi, done or bracket
            if (token.kind == ShellToken::Kind::End) break;
        }
        if (m_lexer.error()) return *m_lexer.error();
        program.comments = m_lexer.takeComments();
        return program;
    }

private:
    [[nodiscard]] bool atWord(std::string_view text)
    {
        const ShellToken token = m_lexer.peek();
        return token.kind == ShellToken::Kind::Word && token.text == text;
    }
    [[nodiscard]] bool atOperator(std::string_view text)
    {
        const ShellToken token = m_lexer.peek();
        return token.kind == ShellToken::Kind::Operator && token.text == text;
    }
    [[nodiscard]] bool atEnd() { return m_lexer.peek().kind == ShellToken::Kind::End; }
    bool takeWord(std::string_view text)
    {
        const bool found = atWord(text);
        if (found) m_lexer.next();
        return found;
    }
    void skipNewlines()
    {
        while (m_lexer.peek().kind == ShellToken::Kind::Newline)
            m_lexer.next();
    }

    /// Commands up to one of the terminators, which stays, or to what cannot start a command.
    void parseList(ShellList &list, Words terminators)
    {
        for (;;) {
            const ShellToken token = m_lexer.peek();
            if (token.kind == ShellToken::Kind::End) return;
            if (token.kind == ShellToken::Kind::Newline || (token.kind == ShellToken::Kind::Operator && isOneOf(token.text, {";", "&"}))) {
                m_lexer.next();
                continue;
            }
            if (token.kind == ShellToken::Kind::Operator && isOneOf(token.text, {")", ";;", ";&", ";;&", "&&", "||", "|", "|&"})) return;
            if (token.kind == ShellToken::Kind::Word &&
                (isOneOf(token.text, terminators) || isOneOf(token.text, {"then", "elif", "else", "fi", "do", "done", "esac", "}"})))
                return;
            list.push_back(parseAndOr());
        }
    }

    ShellNode parseAndOr()
    {
        ShellNode first = parsePipeline();
        if (!atOperator("&&") && !atOperator("||")) return first;
        ShellNode node;
        node.kind = Kind::AndOr;
        node.line = first.line;
        node.parts.resize(1);
        node.parts[0].push_back(std::move(first));
        while (atOperator("&&") || atOperator("||")) {
            node.operators += m_lexer.next().text.front();
            skipNewlines();
            node.parts[0].push_back(parsePipeline());
        }
        return node;
    }

    ShellNode parsePipeline()
    {
        bool negated = false;
        for (;; ) {
            if (takeWord("!")) negated = !negated;
            else if (atWord("time")) {
                m_lexer.next();
                takeWord("-p");
            } else break;
        }
        ShellNode first = parseCommand();
        if (!atOperator("|") && !atOperator("|&") && !negated) return first;
        ShellNode node;
        node.kind = Kind::Pipeline;
        node.line = first.line;
        node.negated = negated;
        node.parts.resize(1);
        node.parts[0].push_back(std::move(first));
        while (atOperator("|") || atOperator("|&")) {
            m_lexer.next();
            skipNewlines();
            node.parts[0].push_back(parseCommand());
        }
        return node;
    }

    ShellNode parseCommand()
    {
        ShellNode node;
        const ShellToken token = m_lexer.peek();
        node.line = m_lexer.lineAt(token.pos);
        if (++m_depth > kShellNesting) m_lexer.fail(ErrorCode::TooDeep, token.pos, std::int64_t{kShellNesting});
        else if (token.kind == ShellToken::Kind::Operator && token.text == "(") parseBracket(node);
        else if (token.kind == ShellToken::Kind::Word && parseCompound(node, token)) {}
        else parseSimple(node);
        --m_depth;
        while (node.kind != Kind::Simple && node.kind != Kind::Function && parseRedirect(node)) {}
        return node;
    }

    void parseBracket(ShellNode &node)
    {
        m_lexer.next();
        if (const auto expression = m_lexer.arithmetic()) {
            node.kind = Kind::Arithmetic;
            node.words.push_back(*expression);
            return;
        }
        node.kind = Kind::Subshell;
        node.parts.resize(1);
        parseList(node.parts[0], {});
        if (atOperator(")")) m_lexer.next();
    }

    bool parseCompound(ShellNode &node, const ShellToken &token)
    {
        if (token.text == "if") parseIf(node);
        else if (token.text == "for" || token.text == "select") parseFor(node);
        else if (token.text == "while" || token.text == "until") parseLoop(node);
        else if (token.text == "case") parseCase(node);
        else if (token.text == "[[") parseCondition(node);
        else if (token.text == "{") parseGroup(node);
        else if (token.text == "function") {
            m_lexer.next();
            node.words.push_back(m_lexer.next().text);
            if (atOperator("(")) {
                m_lexer.next();
                if (atOperator(")")) m_lexer.next();
            }
            parseBody(node);
        } else return false;
        return true;
    }

    void parseBody(ShellNode &node)
    {
        node.kind = Kind::Function;
        node.parts.resize(1);
        skipNewlines();
        if (!atEnd()) node.parts[0].push_back(parseCommand());
    }

    void parseGroup(ShellNode &node)
    {
        m_lexer.next();
        node.kind = Kind::Group;
        node.parts.resize(1);
        parseList(node.parts[0], {"}"});
        takeWord("}");
    }

    void parseIf(ShellNode &node)
    {
        node.kind = Kind::If;
        m_lexer.next();
        for (;;) {
            const std::size_t start = m_lexer.position();
            parseList(node.parts.emplace_back(), {"then"});
            if (node.source.empty()) node.source = between(start);
            if (!takeWord("then")) return;
            parseList(node.parts.emplace_back(), {"elif", "else", "fi"});
            if (takeWord("elif")) continue;
            if (takeWord("else")) parseList(node.parts.emplace_back(), {"fi"});
            takeWord("fi");
            return;
        }
    }

    /// The text from `start` to the current token, without the blanks and semicolons around it.
    [[nodiscard]] std::string_view between(std::size_t start)
    {
        m_lexer.peek();
        const std::string_view text = m_lexer.text();
        const std::size_t end = std::min(m_lexer.position(), text.size());
        if (start >= end) return {};
        std::string_view part = text.substr(start, end - start);
        part.remove_prefix(std::min(part.find_first_not_of(" \t\n;"), part.size()));
        const std::size_t last = part.find_last_not_of(" \t\n;");
        return part.substr(0, last == std::string_view::npos ? 0 : last + 1);
    }

    void parseDo(ShellNode &node)
    {
        while (m_lexer.peek().kind == ShellToken::Kind::Newline || atOperator(";"))
            m_lexer.next();
        ShellList &body = node.parts.emplace_back();
        if (atWord("{")) { // for …; { …; }
            m_lexer.next();
            parseList(body, {"}"});
            takeWord("}");
            return;
        }
        if (!takeWord("do")) return;
        parseList(body, {"done"});
        takeWord("done");
    }

    void parseFor(ShellNode &node)
    {
        node.kind = Kind::For;
        m_lexer.next();
        if (atOperator("(")) {
            m_lexer.next();
            if (const auto clauses = m_lexer.arithmetic()) {
                node.kind = Kind::ArithmeticFor;
                splitClauses(*clauses, node.words);
            }
            return parseDo(node);
        }
        if (m_lexer.peek().kind != ShellToken::Kind::Word) return;
        node.words.push_back(m_lexer.next().text);
        skipNewlines();
        node.given = takeWord("in");
        while (node.given && m_lexer.peek().kind == ShellToken::Kind::Word)
            node.words.push_back(m_lexer.next().text);
        parseDo(node);
    }

    static void splitClauses(std::string_view text, std::vector<std::string_view> &words)
    {
        std::size_t start = 0;
        for (int i = 0; i < 3; ++i) {
            const std::size_t end = start > text.size() ? start : std::min(text.find(';', start), text.size());
            words.push_back(start > text.size() ? std::string_view() : text.substr(start, end - start));
            start = end + 1;
        }
    }

    void parseLoop(ShellNode &node)
    {
        node.kind = Kind::Loop;
        node.negated = m_lexer.next().text == "until";
        const std::size_t start = m_lexer.position();
        parseList(node.parts.emplace_back(), {"do"});
        node.source = between(start);
        parseDo(node);
    }

    void parseCase(ShellNode &node)
    {
        node.kind = Kind::Case;
        m_lexer.next();
        if (m_lexer.peek().kind != ShellToken::Kind::Word) return;
        node.words.push_back(m_lexer.next().text);
        node.source = node.words.front();
        skipNewlines();
        takeWord("in");
        for (;;) {
            skipNewlines();
            if (atEnd() || takeWord("esac")) return;
            if (atOperator("(")) m_lexer.next();
            std::vector<std::string_view> patterns;
            while (!atEnd() && !atOperator(")") && m_lexer.peek().kind != ShellToken::Kind::Newline) {
                const ShellToken token = m_lexer.next();
                if (token.kind == ShellToken::Kind::Word) patterns.push_back(token.text);
            }
            if (atOperator(")")) m_lexer.next();
            node.patterns.push_back(std::move(patterns));
            parseList(node.parts.emplace_back(), {"esac"});
            const ShellToken end = m_lexer.peek();
            const bool separator = end.kind == ShellToken::Kind::Operator && isOneOf(end.text, {";;", ";&", ";;&"});
            node.operators += end.text == ";&" && separator ? '&' : end.text == ";;&" && separator ? '?' : ';';
            if (separator) m_lexer.next();
            else if (takeWord("esac")) return;
            else m_lexer.next(); // a stray word
        }
    }

    void parseCondition(ShellNode &node)
    {
        node.kind = Kind::Condition;
        m_lexer.next();
        bool pattern = false;
        for (;;) {
            const ShellToken token = m_lexer.conditionToken(pattern);
            if (token.kind == ShellToken::Kind::End || token.text == "]]") return;
            node.words.push_back(token.text);
            pattern = token.text == "=~";
        }
    }

    bool parseRedirect(ShellNode &node)
    {
        const ShellToken token = m_lexer.peek();
        if (token.kind != ShellToken::Kind::Operator || token.text.empty()) return false;
        const char c = token.text.front();
        if (c != '<' && c != '>' && token.text != "&>" && token.text != "&>>") return false;
        m_lexer.next();
        if (m_lexer.peek().kind != ShellToken::Kind::Word) return true;
        ShellRedirect redirect;
        const bool adjacent = m_lexer.position() == token.pos + token.text.size();
        redirect.word = m_lexer.next().text;
        using RedirectKind = ShellRedirect::Kind;
        if (token.text == "<<" || token.text == "<<-") {
            redirect.kind = RedirectKind::HereDocument;
            redirect.body = std::make_shared<std::string>();
            std::string delimiter = hereDelimiter(redirect.word, redirect.literal);
            m_lexer.announce(redirect.body, std::move(delimiter), token.text == "<<-");
        } else if (token.text == "<<<") {
            redirect.kind = RedirectKind::HereString;
        } else if (c == '<') {
            redirect.kind = RedirectKind::Input;
        } else {
            redirect.kind = token.text == ">>" || token.text == "&>>" ? RedirectKind::Append : RedirectKind::Output;
            if (token.text == ">&" && adjacent && isNumber(redirect.word)) redirect.output = false; // 2>&1
        }
        node.redirects.push_back(redirect);
        return true;
    }

    void parseSimple(ShellNode &node)
    {
        node.kind = Kind::Simple;
        bool descriptor = false; // the last word was a number that touches what follows
        std::size_t wordEnd = 0;
        for (;;) {
            const ShellToken token = m_lexer.peek();
            if (token.kind == ShellToken::Kind::Word) {
                m_lexer.next();
                node.words.push_back(token.text);
                descriptor = isNumber(token.text);
                wordEnd = token.pos + token.text.size();
                continue;
            }
            if (token.kind != ShellToken::Kind::Operator) break;
            if (token.text == "(") {
                if (parseDefinition(node)) return;
                node.words.push_back(m_lexer.bracketedWord());
                continue;
            }
            const bool other = descriptor && wordEnd == token.pos && !node.words.empty();
            const bool standard = other && (node.words.back() == "1" || node.words.back() == "0");
            const std::size_t before = node.redirects.size();
            if (!parseRedirect(node)) break;
            if (other) {
                node.words.pop_back();
                if (node.redirects.size() > before && !standard) node.redirects.back().output = false;
            }
            descriptor = false;
        }
        if (node.words.empty() && node.redirects.empty()) m_lexer.next(); // nothing that a command starts with
    }

    /// name ( ) body
    bool parseDefinition(ShellNode &node)
    {
        if (node.words.size() != 1 || !node.redirects.empty()) return false;
        const std::size_t open = m_lexer.position();
        const std::string_view text = m_lexer.text();
        const std::size_t close = text.find_first_not_of(" \t", open + 1);
        if (close == std::string_view::npos || text[close] != ')') return false;
        m_lexer.next();
        m_lexer.next();
        parseBody(node);
        return true;
    }

    ShellLexer m_lexer;
    int m_depth = 0;
};

} // namespace

Result<ShellProgram> parseShell(std::string_view text, int firstLine) { return Parser(text, firstLine).whole(); }

} // namespace clusterbeat
