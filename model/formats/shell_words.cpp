// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_words.h"

#include "model/formats/shell_evaluator.h"
#include "model/scenario/scenario_json.h"

#include <cstdint>

namespace clusterbeat {

Result<ShellScript> readShellScript(std::string_view text, const std::string &fileName, const ShellInput &input)
{
    if (static_cast<std::int64_t>(text.size()) > kMaxScenarioBytes)
        return Error{ErrorCode::FileTooLarge, {fileName, "", 0, 0}, {fileName, static_cast<std::int64_t>(text.size()), kMaxScenarioBytes}};
    ShellEvaluator evaluator(fileName, input);
    // Line ends of other systems.
    std::string unix;
    if (text.find('\r') != std::string_view::npos) {
        for (std::size_t i = 0; i < text.size(); ++i)
            if (text[i] != '\r' || i + 1 >= text.size() || text[i + 1] != '\n') unix += text[i];
        text = unix;
    }
    if (const auto error = evaluator.run(text)) return *error;
    return evaluator.take();
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
