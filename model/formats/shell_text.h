// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {

/// The parts of a raw word NAME=value, NAME+=value or NAME[i]=value; valueStart is 0 for other words.
struct AssignmentShape {
    std::size_t nameEnd = 0, valueStart = 0;
    bool append = false;
};
[[nodiscard]] AssignmentShape assignmentShape(std::string_view raw);

/// A position in a shell script's text: blanks, comments, raw words and here-documents, line numbers and the first
/// error. What the words mean is shell_words.cpp's.
class ShellText {
protected:
    ShellText(std::string_view text, std::string fileName) : m_text(text), m_file(std::move(fileName)) {}

    /// Blanks and operators end an unquoted word.
    [[nodiscard]] static bool endsWord(char c) { return std::string_view(" \t\r\n;&|<>()").find(c) != std::string_view::npos; }
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return m_pos + ahead < m_text.size() ? m_text[m_pos + ahead] : '\0'; }
    [[nodiscard]] bool startsWith(std::string_view what) const { return m_text.substr(m_pos, what.size()) == what; }
    /// Positions must not go back by more than one command: lines are counted once.
    int lineAt(std::size_t pos);
    /// Keeps the first error and ends the text.
    void fail(ErrorCode code, std::size_t pos, Argument argument);
    /// Blanks and continuation lines.
    void skipBlanks();
    /// From # to the end of the line.
    std::string_view takeComment();
    /// A raw word, quotes and $ as written; fails when a quote or bracket does not close.
    std::string_view scanWord();
    void addHereDocument(std::string delimiter, bool stripTabs) { m_hereDocuments.emplace_back(std::move(delimiter), stripTabs); }
    /// After the newline of the command that announced them.
    void skipHereDocuments();

    std::string_view m_text;
    std::string m_file;
    std::size_t m_pos = 0;
    std::optional<Error> m_error;

private:
    std::size_t m_counted = 0;
    int m_line = 1;
    std::vector<std::pair<std::string, bool>> m_hereDocuments;
};

} // namespace clusterbeat
