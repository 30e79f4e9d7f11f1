// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/formats/shell_ast.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Expansions, substitutions and quotes nest no deeper.
inline constexpr int kShellDepth = 32;

/// Index after the quoted string, expansion, substitution or escaped character that starts at `pos`; npos when it
/// does not end or nests deeper than kShellDepth. A plain character is its own end.
[[nodiscard]] std::size_t skipShellConstruct(std::string_view text, std::size_t pos, int depth = 0);
/// Index after the bracket that closes the one before `pos`; quotes and expansions between are skipped.
[[nodiscard]] std::size_t skipShellBrackets(std::string_view text, std::size_t pos, char open, char close, int depth = 0);

/// The parts of a raw word NAME=value, NAME+=value or NAME[i]=value; valueStart is 0 for other words.
struct AssignmentShape {
    std::size_t nameEnd = 0, valueStart = 0;
    bool append = false;
};
[[nodiscard]] AssignmentShape assignmentShape(std::string_view raw);

struct ShellToken {
    enum class Kind : std::uint8_t { End, Newline, Word, Operator };
    Kind kind = Kind::End;
    std::string_view text;
    std::size_t pos = 0;
};

/// The tokens of a script: raw words, operators, newlines; comments are collected, the bodies of announced here-documents
/// are read at the end of their line. Keeps the first error and ends there. Linear in the text for each level of nesting.
class ShellLexer {
public:
    explicit ShellLexer(std::string_view text, int firstLine = 1, int depth = 0);

    ShellToken next();
    ShellToken peek();
    /// The raw text of (( … )) or for (( … )) from the position after the first bracket; nullopt when it does not close
    /// with two brackets.
    [[nodiscard]] std::optional<std::string_view> arithmetic();
    /// The next token inside [[ … ]]; after =~ a whole pattern.
    ShellToken conditionToken(bool pattern);
    /// A bracketed text where only words belong: ([0]*3+[1]*58) in a list of arguments.
    std::string_view bracketedWord();
    void announce(const std::shared_ptr<std::string> &body, std::string delimiter, bool stripTabs);

    [[nodiscard]] int lineAt(std::size_t pos) const;
    [[nodiscard]] std::size_t position() const { return m_peeked ? m_peeked->pos : m_pos; }
    [[nodiscard]] std::string_view text() const { return m_text; }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }
    void fail(ErrorCode code, std::size_t pos, Argument argument);
    std::vector<std::pair<std::string_view, int>> takeComments() { return std::move(m_comments); }

private:
    struct HereDocument {
        std::shared_ptr<std::string> body;
        std::string delimiter;
        bool stripTabs = false;
    };
    [[nodiscard]] char at(std::size_t ahead = 0) const { return m_pos + ahead < m_text.size() ? m_text[m_pos + ahead] : '\0'; }
    [[nodiscard]] bool startsWith(std::string_view what) const { return m_text.substr(m_pos).starts_with(what); }
    void skipBlanks();
    ShellToken scan();
    std::string_view scanWord();
    std::string_view scanOperator();
    void skipArray();
    void readHereDocuments();
    /// The position after the bracket that closes the one before `pos`.
    std::size_t closing(std::size_t pos, std::size_t otherwise);

    std::string_view m_text;
    std::size_t m_pos = 0;
    int m_firstLine = 1;
    int m_depth = 0;
    bool m_unclosed = false;
    std::vector<std::size_t> m_newlines;
    std::optional<ShellToken> m_peeked;
    std::optional<Error> m_error;
    std::vector<HereDocument> m_hereDocuments;
    std::vector<std::pair<std::string_view, int>> m_comments;
};

/// The delimiter of a here-document without its quotes; `literal` tells whether there were any.
[[nodiscard]] std::string hereDelimiter(std::string_view raw, bool &literal);

} // namespace clusterbeat
