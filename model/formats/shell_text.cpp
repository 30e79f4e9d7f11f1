// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_text.h"

#include "model/formats/shell_expansion.h"
#include "model/formats/shell_words.h"

#include <algorithm>

namespace clusterbeat {

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
        pos = raw.find(']', pos);
        if (pos == std::string_view::npos) return shape;
        ++pos;
    }
    const bool append = pos < raw.size() && raw[pos] == '+';
    if (append) ++pos;
    if (pos >= raw.size() || raw[pos] != '=') return shape;
    shape = {end, pos + 1, append};
    return shape;
}

int ShellText::lineAt(std::size_t pos)
{
    for (; m_counted < std::min(pos, m_text.size()); ++m_counted)
        m_line += m_text[m_counted] == '\n' ? 1 : 0;
    return m_line;
}

void ShellText::fail(ErrorCode code, std::size_t pos, Argument argument)
{
    if (!m_error) m_error = Error{code, {m_file, "", lineAt(pos), 0}, {std::move(argument)}};
    m_pos = m_text.size();
}

void ShellText::skipBlanks()
{
    for (;;) {
        if (peek() == ' ' || peek() == '\t' || peek() == '\r') ++m_pos;
        else if (startsWith("\\\n")) m_pos += 2;
        else if (startsWith("\\\r\n")) m_pos += 3;
        else return;
    }
}

std::string_view ShellText::takeComment()
{
    const std::size_t start = m_pos;
    m_pos = std::min(m_text.find('\n', m_pos), m_text.size());
    return m_text.substr(start, m_pos - start);
}

std::string_view ShellText::scanWord()
{
    const std::size_t start = m_pos;
    while (m_pos < m_text.size() && !endsWord(m_text[m_pos])) {
        const std::size_t end = skipShellConstruct(m_text, m_pos);
        if (end == std::string_view::npos) {
            fail(ErrorCode::SyntaxError, start, std::string("closing quote or bracket"));
            return {};
        }
        m_pos = end;
    }
    return m_text.substr(start, m_pos - start);
}

void ShellText::skipHereDocuments()
{
    for (const auto &[delimiter, stripTabs] : m_hereDocuments) {
        while (m_pos < m_text.size()) {
            const std::size_t end = std::min(m_text.find('\n', m_pos), m_text.size());
            std::string_view line = m_text.substr(m_pos, end - m_pos);
            m_pos = std::min(end + 1, m_text.size());
            if (line.ends_with('\r')) line.remove_suffix(1);
            while (stripTabs && line.starts_with('\t'))
                line.remove_prefix(1);
            if (line == delimiter) break;
        }
    }
    m_hereDocuments.clear();
}

std::vector<std::string> splitQuotedWords(std::string_view text)
{
    std::vector<std::string> words;
    std::string current;
    bool started = false;
    char quote = '\0';
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\\' && quote != '\'' && i + 1 < text.size()) {
            if (text[++i] != '\n') current += text[i];
            started = true;
        } else if (quote != '\0') {
            if (c == quote) quote = '\0';
            else current += c;
        } else if (c == '"' || c == '\'') {
            quote = c;
            started = true;
        } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (started) words.push_back(std::move(current));
            current.clear();
            started = false;
        } else {
            current += c;
            started = true;
        }
    }
    if (started) words.push_back(std::move(current));
    return words;
}

} // namespace clusterbeat
