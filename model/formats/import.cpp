// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"

#include "model/formats/hf_config.h"
#include "model/formats/import_limits.h"
#include "model/formats/import_notes.h"
#include "model/formats/megatron_args.h"
#include "model/formats/yaml_arguments.h"
#include "model/scenario/scenario_json.h"

#include <algorithm>
#include <initializer_list>

namespace clusterbeat {
namespace {

bool containsAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

std::optional<Error> checkText(std::string_view text, const std::string &fileName)
{
    const auto size = static_cast<std::int64_t>(text.size());
    if (text.empty()) return Error{ErrorCode::FileEmpty, {fileName, "", 0, 0}, {fileName}};
    if (size > kMaxScenarioBytes) return Error{ErrorCode::FileTooLarge, {fileName, "", 0, 0}, {fileName, size, kMaxScenarioBytes}};
    if (text.find('\0') != std::string_view::npos) return Error{ErrorCode::UnknownFormat, {fileName, "", 0, 0}, {fileName}};
    return std::nullopt;
}

bool startsWithAny(std::string_view text, std::initializer_list<std::string_view> words)
{
    return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.starts_with(word); });
}

/// A text with the options in it that no shell would read; "" when it is none.
std::string_view unreadKind(std::string_view text, const std::string &fileName)
{
    const std::size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
    const std::string_view start = text.substr(first);
    const bool script = start.starts_with("#!") && start.substr(0, start.find('\n')).find("python") == std::string_view::npos;
    if (script) return "";
    if (startsWithAny(start, {"import ", "from ", "#!", "\"\"\"", "def ", "class "}) || fileName.ends_with(".py") ||
        containsAny(text, {"\nimport ", "subprocess.run("}))
        return "Python";
    if (fileName.ends_with(".md") || containsAny(text, {"\n```"}) || start.starts_with("```")) return "Markdown";
    return "";
}

} // namespace

std::optional<ForeignFormat> recogniseFormat(std::string_view text)
{
    if (static_cast<std::int64_t>(text.size()) > kMaxScenarioBytes || text.find('\0') != std::string_view::npos) return std::nullopt;
    const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
    if (first == std::string_view::npos) return std::nullopt;
    if (text[first] == '{') {
        if (containsAny(text, {"\"clusterbeat\""})) return std::nullopt;
        const bool config = containsAny(text, {"\"model_type\"", "\"architectures\"", "\"num_hidden_layers\"", "\"n_layer\"", "\"hidden_size\""});
        return config ? std::optional(ForeignFormat::HuggingFaceConfig) : std::nullopt;
    }
    if (containsAny(text, {"--num-layers", "--hidden-size", "--tensor-model-parallel-size"})) return ForeignFormat::MegatronArguments;
    return std::nullopt;
}

Result<Imported> importForeign(std::string_view text, const std::string &fileName, const Catalogue &catalogue, std::optional<ForeignFormat> from,
                               const ShellInput &input)
{
    if (const auto error = checkText(text, fileName)) return *error;
    const auto format = from ? from : recogniseFormat(text);
    if (!format) return Error{ErrorCode::UnknownFormat, {fileName, "", 0, 0}, {fileName}};

    std::optional<std::string> yaml;
    if (*format == ForeignFormat::MegatronArguments) {
        if (const std::string_view kind = unreadKind(text, fileName); !kind.empty())
            return Error{ErrorCode::FormatNotRead, {fileName, "", 0, 0}, {std::string(kind)}};
        yaml = yamlArguments(text);
        if (yaml) text = *yaml;
    }
    ImportNotes notes(fileName);
    auto scenario = *format == ForeignFormat::HuggingFaceConfig ? readHuggingFaceConfig(text, catalogue, notes)
                                                                : readMegatronArguments(text, catalogue, notes, input);
    if (!scenario.ok()) return scenario.error();
    if (const auto error = beyondFileFormat(scenario.value(), fileName, catalogue)) return *error;
    Imported imported;
    imported.scenario = std::move(scenario).value();
    imported.scenario.notes = notes.text();
    imported.format = *format;
    imported.report = importReport(notes, text, imported.scenario);
    imported.notices = notes.notices();
    return imported;
}

} // namespace clusterbeat
