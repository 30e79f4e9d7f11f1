// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Why a default was taken: the third argument of NoticeCode::DefaultTaken on imports. A closed list.
namespace why {
inline constexpr std::string_view kNotInFile = "not in the file";
inline constexpr std::string_view kMegatron = "Megatron-LM's default";
inline constexpr std::string_view kHuggingFace = "Hugging Face's default for this model type";
inline constexpr std::string_view kGpt2Vocabulary = "GPT-2's vocabulary, padded";
inline constexpr std::string_view kPadded = "padded as Megatron-LM does";
inline constexpr std::string_view kDeepSpeedBf16 = "DeepSpeed's BF16 optimizer shards its states";
inline constexpr std::string_view kInferred = "inferred from the options";
inline constexpr std::string_view kFromBatchScript = "from the #SBATCH lines";
inline constexpr std::string_view kFromFileName = "from the file's name";
inline constexpr std::string_view kSmallestThatFits = "smallest layout that fits";
inline constexpr std::string_view kFourMiTokens = "not in the file; 4 Mi tokens a batch";
inline constexpr std::string_view kScriptDefault = "the script's default; the job may set another";
} // namespace why

/// Collects what an import has to say, in order, each once.
class ImportNotes {
public:
    explicit ImportNotes(std::string fileName) : m_file(std::move(fileName)) {}

    /// `key` is a JSON pointer of the scenario.
    void defaultTaken(std::string_view key, std::string_view value, std::string_view why, int line = 0);
    void defaultTaken(std::string_view key, std::int64_t value, std::string_view why) { defaultTaken(key, std::to_string(value), why); }
    void ignored(std::string_view option) { add({NoticeCode::IgnoredOption, {m_file, "", 0, 0}, {std::string(option)}}); }
    void unresolved(std::string_view name) { add({NoticeCode::UnresolvedVariable, {m_file, "", 0, 0}, {std::string(name)}}); }
    void add(Notice notice);

    [[nodiscard]] const std::string &file() const { return m_file; }
    [[nodiscard]] const std::vector<Notice> &notices() const { return m_notices; }
    /// The scenario's `notes`: the file's name and a line for each notice, "key = value: why".
    [[nodiscard]] std::string text() const;

private:
    std::string m_file;
    std::vector<Notice> m_notices;
};

} // namespace clusterbeat
