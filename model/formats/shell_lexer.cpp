// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_lexer.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr std::size_t kEnd = std::string_view::npos;

/// Blanks and operators end an unquoted word.
bool endsWord(char c) { return std::string_view(" \t\r\n;&|<>()").find(c) != kEnd; }

std::size_t skipDoubleQuoted(std::string_view text, std::size_t pos, int depth)
{
    for (++pos; pos < text.size() && text[pos] != '"';) {
        const char c = text[pos];
        pos = (c == '\\' || c == '$' || c == '`') ? skipShellConstruct(text, pos, depth + 1) : pos + 1;
        if (pos == kEnd) return kEnd;
    }
    return pos < text.size() ? pos + 1 : kEnd;
}

std::size_t skipBackquoted(std::string_view text, std::size_t pos)
{
    std::size_t end = pos + 1;
    for (; end < text.size() && text[end] != '`'; ++end)
        if (text[end] == '\\') ++end;
    return end < text.size() ? end + 1 : kEnd;
}

/// $'…' : a backslash escapes the quote.
std::size_t skipAnsiQuoted(std::string_view text, std::size_t pos)
{
    for (pos += 2; pos < text.size() && text[pos] != '\''; ++pos)
        if (text[pos] == '\\') ++pos;
    return pos < text.size() ? pos + 1 : kEnd;
}

/// The end of <PATH TO DATA>, which people leave to be filled in and bash would take for a redirection; npos for one.
std::size_t placeholderEnd(std::string_view text, std::size_t pos)
{
    const std::size_t end = text.substr(0, pos + 120).find_first_of("<>|&;$\"'`\\()\n", pos + 1);
    const char first = pos + 1 < text.size() ? text[pos + 1] : '\0';
    const bool letter = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    if (!letter || end == kEnd || text[end] != '>' || text[end - 1] == ' ' || text[end - 1] == '\t') return kEnd;
    return end + 1 == text.size() || std::string_view(" \t\n/\\").find(text[end + 1]) != kEnd ? end + 1 : kEnd;
}

/// The end of a command substitution whose commands start at `pos`: comments, here-documents and the patterns of case
/// may hold brackets that do not count.
std::size_t skipCommands(std::string_view text, std::size_t pos, int depth)
{
    if (depth > kShellDepth) return kEnd;
    ShellLexer lexer(text.substr(pos), 1, depth + 1);
    int level = 1;
    std::vector<int> cases; // the bracket level of each open case
    bool announced = false, stripTabs = false;
    bool commandStart = true;
    for (;;) {
        const ShellToken token = lexer.next();
        if (token.kind == ShellToken::Kind::End || lexer.error()) return kEnd;
        if (announced && token.kind == ShellToken::Kind::Word) {
            bool literal = false;
            lexer.announce(nullptr, hereDelimiter(token.text, literal), stripTabs);
        }
        announced = token.kind == ShellToken::Kind::Operator && (token.text == "<<" || token.text == "<<-");
        stripTabs = token.text == "<<-";
        if (token.kind == ShellToken::Kind::Word) {
            if (commandStart && token.text == "case") cases.push_back(level);
            if (token.text == "esac" && !cases.empty()) cases.pop_back();
            commandStart = token.text == "do" || token.text == "then" || token.text == "else" || token.text == "{";
            continue;
        }
        commandStart = true;
        if (token.text == "(") ++level;
        if (token.text != ")") continue;
        if (!cases.empty() && cases.back() == level) continue; // ends a pattern
        if (--level == 0) return pos + token.pos + 1;
    }
}

} // namespace

std::size_t skipShellBrackets(std::string_view text, std::size_t pos, char open, char close, int depth)
{
    int level = 1;
    while (pos < text.size()) {
        const char c = text[pos];
        if (c == open) ++level;
        if (c == close && --level == 0) return pos + 1;
        pos = skipShellConstruct(text, pos, depth + 1);
        if (pos == kEnd) return kEnd;
    }
    return kEnd;
}

std::size_t skipShellConstruct(std::string_view text, std::size_t pos, int depth)
{
    if (depth > kShellDepth) return kEnd;
    const char next = pos + 1 < text.size() ? text[pos + 1] : '\0';
    switch (text[pos]) {
    case '\x01': { // the mark of a value that is not known
        const std::size_t end = text.substr(pos, 100).find_first_of("\x02\x03");
        return end == kEnd ? pos + 1 : pos + end + 1;
    }
    case '\\': return std::min(pos + 2, text.size());
    case '\'': {
        const std::size_t end = text.find('\'', pos + 1);
        return end == kEnd ? kEnd : end + 1;
    }
    case '"': return skipDoubleQuoted(text, pos, depth);
    case '`': return skipBackquoted(text, pos);
    case '$':
        if (next == '\'') return skipAnsiQuoted(text, pos);
        if (next == '{') return skipShellBrackets(text, pos + 2, '{', '}', depth);
        if (next == '(' && text.substr(pos).starts_with("$((")) { // arithmetic, or commands that begin with a subshell
            const std::size_t inner = skipShellBrackets(text, pos + 3, '(', ')', depth);
            return inner == kEnd ? kEnd : skipShellBrackets(text, inner, '(', ')', depth);
        }
        if (next == '(') return skipCommands(text, pos + 2, depth);
        if (next == '[') return skipShellBrackets(text, pos + 2, '[', ']', depth);
        return pos + 1;
    default: return pos + 1;
    }
}

AssignmentShape assignmentShape(std::string_view raw)
{
    std::size_t end = 0;
    while (end < raw.size() && ((raw[end] >= 'a' && raw[end] <= 'z') || (raw[end] >= 'A' && raw[end] <= 'Z') || raw[end] == '_' ||
                                (end > 0 && raw[end] >= '0' && raw[end] <= '9')))
        ++end;
    AssignmentShape shape;
    if (end == 0) return shape;
    std::size_t pos = end;
    if (pos < raw.size() && raw[pos] == '[') {
        pos = skipShellBrackets(raw, pos + 1, '[', ']');
        if (pos == kEnd) return shape;
    }
    const bool append = pos < raw.size() && raw[pos] == '+';
    if (append) ++pos;
    if (pos >= raw.size() || raw[pos] != '=') return shape;
    shape = {end, pos + 1, append};
    return shape;
}

std::string hereDelimiter(std::string_view raw, bool &literal)
{
    std::string result;
    literal = false;
    for (const char c : raw) {
        if (c == '\'' || c == '"' || c == '\\') literal = true;
        else result += c;
    }
    return result;
}

ShellLexer::ShellLexer(std::string_view text, int firstLine, int depth) : m_text(text), m_firstLine(firstLine), m_depth(depth)
{
    if (depth > 0) return; // only skipped over: nobody asks for its lines
    for (std::size_t pos = text.find('\n'); pos != kEnd; pos = text.find('\n', pos + 1))
        m_newlines.push_back(pos);
}

int ShellLexer::lineAt(std::size_t pos) const
{
    return m_firstLine + static_cast<int>(std::lower_bound(m_newlines.begin(), m_newlines.end(), pos) - m_newlines.begin());
}

void ShellLexer::fail(ErrorCode code, std::size_t pos, Argument argument)
{
    if (!m_error) m_error = Error{code, {"", "", lineAt(pos), 0}, {std::move(argument)}};
    m_pos = m_text.size();
    m_peeked.reset();
}

void ShellLexer::announce(const std::shared_ptr<std::string> &body, std::string delimiter, bool stripTabs)
{
    m_hereDocuments.push_back({body, std::move(delimiter), stripTabs});
}

void ShellLexer::readHereDocuments()
{
    for (const HereDocument &document : m_hereDocuments) {
        while (m_pos < m_text.size()) {
            const std::size_t end = std::min(m_text.find('\n', m_pos), m_text.size());
            std::string_view line = m_text.substr(m_pos, end - m_pos);
            // Inside $( … ) the delimiter's line may also hold the closing bracket.
            while (document.stripTabs && line.starts_with('\t'))
                line.remove_prefix(1);
            if (line == document.delimiter) {
                m_pos = std::min(end + 1, m_text.size());
                break;
            }
            if (m_depth > 0 && line.starts_with(document.delimiter) && line.substr(document.delimiter.size()) == ")") {
                m_pos = end - 1;
                break;
            }
            m_pos = std::min(end + 1, m_text.size());
            if (!document.body) continue;
            *document.body += line;
            *document.body += '\n';
        }
    }
    m_hereDocuments.clear();
}

void ShellLexer::skipBlanks()
{
    for (;;) {
        if (at() == ' ' || at() == '\t' || at() == '\r') ++m_pos;
        else if (startsWith("\\\n")) m_pos += 2;
        else return;
    }
}

void ShellLexer::skipArray()
{
    while (m_pos < m_text.size()) {
        skipBlanks();
        const char c = at();
        if (c == ')') {
            ++m_pos;
            return;
        }
        if (c == '#') m_pos = std::min(m_text.find('\n', m_pos), m_text.size());
        else if (endsWord(c)) ++m_pos;
        else scanWord();
    }
    fail(ErrorCode::ScriptSyntax, m_text.size(), std::string(")"));
}

std::string_view ShellLexer::scanWord()
{
    const std::size_t start = m_pos;
    while (m_pos < m_text.size() && !endsWord(m_text[m_pos])) {
        const std::size_t end = skipShellConstruct(m_text, m_pos, m_depth);
        if (end == kEnd) {
            fail(ErrorCode::ScriptSyntax, start, std::string("closing quote or bracket"));
            return {};
        }
        const char c = m_text[m_pos];
        m_pos = end;
        if (c == '=' && at() == '(' && assignmentShape(m_text.substr(start, m_pos - start)).valueStart == m_pos - start) {
            ++m_pos;
            skipArray();
        }
        // Extended patterns: @(a|b), +([0-9])
        if (std::string_view("@+?!*").find(c) != kEnd && at() == '(') m_pos = closing(m_pos + 1, m_pos);
    }
    return m_error ? std::string_view() : m_text.substr(start, m_pos - start);
}

std::size_t ShellLexer::closing(std::size_t pos, std::size_t otherwise)
{
    const std::size_t end = m_unclosed ? kEnd : skipShellBrackets(m_text, pos, '(', ')', m_depth);
    m_unclosed = m_unclosed || end == kEnd; // an open bracket stays open for all that follow: looked for once
    return end == kEnd ? otherwise : end;
}

std::string_view ShellLexer::bracketedWord()
{
    const std::size_t start = position();
    m_peeked.reset();
    m_pos = closing(start + 1, start + 1);
    while (m_pos < m_text.size() && !endsWord(at()) && !m_error)
        scanWord();
    return m_text.substr(start, std::min(m_pos, m_text.size()) - start);
}

std::string_view ShellLexer::scanOperator()
{
    static constexpr std::array<std::string_view, 21> kOperators{"&>>", "<<<", "<<-", ";;&", "&&", "||", ";;", ";&", "|&", "&>", ">>",
                                                                 "<<", ">&", "<&", ">|", "<>", ";", "&", "|", "<", ">"};
    for (const std::string_view op : kOperators) {
        if (!startsWith(op)) continue;
        m_pos += op.size();
        return m_text.substr(m_pos - op.size(), op.size());
    }
    ++m_pos;
    return m_text.substr(m_pos - 1, 1); // a bracket
}

ShellToken ShellLexer::scan()
{
    for (;;) {
        skipBlanks();
        if (at() != '#' || m_pos >= m_text.size()) break;
        const std::size_t end = std::min(m_text.find('\n', m_pos), m_text.size());
        if (m_depth == 0) m_comments.emplace_back(m_text.substr(m_pos, end - m_pos), lineAt(m_pos));
        m_pos = end;
    }
    ShellToken token;
    token.pos = m_pos;
    if (m_pos >= m_text.size()) return token;
    const char c = at();
    if (c == '\n') {
        token.kind = ShellToken::Kind::Newline;
        token.text = m_text.substr(m_pos++, 1);
        readHereDocuments();
        return token;
    }
    const bool process = (c == '<' || c == '>') && at(1) == '(';
    if (process) { // <( … ) stands for a file
        const std::size_t end = m_unclosed ? kEnd : skipCommands(m_text, m_pos + 2, m_depth);
        m_unclosed = m_unclosed || end == kEnd;
        if (end == kEnd && m_depth > 0) { // what is around it does not close either
            fail(ErrorCode::ScriptSyntax, m_pos, std::string(")"));
            return {};
        }
        if (end != kEnd) {
            token.kind = ShellToken::Kind::Word;
            m_pos = end;
            token.text = m_text.substr(token.pos, end - token.pos);
            return token;
        }
    }
    const std::size_t placeholder = c == '<' ? placeholderEnd(m_text, m_pos) : kEnd;
    if (placeholder != kEnd) {
        token.kind = ShellToken::Kind::Word;
        m_pos = placeholder;
        token.text = m_text.substr(token.pos, m_pos - token.pos);
        return token;
    }
    token.kind = endsWord(c) ? ShellToken::Kind::Operator : ShellToken::Kind::Word;
    token.text = endsWord(c) ? scanOperator() : scanWord();
    if (m_error) return {};
    return token;
}

ShellToken ShellLexer::next()
{
    if (m_error) return {};
    if (!m_peeked) return scan();
    const ShellToken token = *m_peeked;
    m_peeked.reset();
    return token;
}

ShellToken ShellLexer::peek()
{
    if (m_error) return {};
    if (!m_peeked) m_peeked = scan();
    return m_peeked.value_or(ShellToken{});
}

std::optional<std::string_view> ShellLexer::arithmetic()
{
    const std::size_t start = position();
    if (start >= m_text.size() || m_text[start] != '(') return std::nullopt;
    const std::size_t end = closing(start + 1, kEnd);
    if (end >= m_text.size() || m_text[end] != ')') return std::nullopt;
    m_peeked.reset();
    m_pos = end + 1;
    return m_text.substr(start + 1, end - start - 2);
}

ShellToken ShellLexer::conditionToken(bool pattern)
{
    if (m_error) return {};
    m_pos = position();
    m_peeked.reset();
    for (skipBlanks(); at() == '\n' || at() == '#'; skipBlanks()) {
        if (at() == '#') m_pos = std::min(m_text.find('\n', m_pos), m_text.size());
        else ++m_pos;
    }
    ShellToken token;
    token.pos = m_pos;
    if (m_pos >= m_text.size()) return token;
    token.kind = ShellToken::Kind::Word;
    if (pattern) { // brackets and | belong to the pattern
        int level = 0;
        while (m_pos < m_text.size()) {
            const char c = at();
            if (c == '\n' || (level == 0 && (c == ' ' || c == '\t'))) break;
            if (c == '(') ++level;
            if (c == ')' && --level < 0) break;
            const std::size_t end = skipShellConstruct(m_text, m_pos, m_depth);
            if (end == kEnd) {
                fail(ErrorCode::ScriptSyntax, token.pos, std::string("closing quote or bracket"));
                return {};
            }
            m_pos = end;
        }
        token.text = m_text.substr(token.pos, m_pos - token.pos);
        return token;
    }
    const char c = at();
    if (!endsWord(c)) {
        token.text = scanWord();
        return m_error ? ShellToken{} : token;
    }
    token.kind = ShellToken::Kind::Operator;
    const std::size_t length = startsWith("&&") || startsWith("||") ? 2 : 1;
    token.text = m_text.substr(m_pos, length);
    m_pos += length;
    return token;
}

} // namespace clusterbeat
