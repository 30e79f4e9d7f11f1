// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Features that the simulator does not have: the first argument of ErrorCode::ImportNotSimulated. A closed list.
namespace feature {
inline constexpr std::string_view kEncoderDecoder = "an encoder-decoder model";
inline constexpr std::string_view kStateSpace = "Mamba or other state-space layers";
inline constexpr std::string_view kLinearAttention = "linear attention layers";
inline constexpr std::string_view kSparseAttention = "sparse attention over chosen keys";
inline constexpr std::string_view kUnlikeLayers = "layers of different shapes";
inline constexpr std::string_view kRecurrent = "recurrent layers";
inline constexpr std::string_view kVision = "a vision or speech model";
inline constexpr std::string_view kFp32 = "training in fp32";
inline constexpr std::string_view kRetrieval = "retrieval inside the layers";
inline constexpr std::string_view kVisionLanguage = "a vision model beside the language model, trained with it";
} // namespace feature

/// Why a default was taken: the third argument of NoticeCode::DefaultTaken on imports. A closed list.
namespace why {
inline constexpr std::string_view kNotInFile = "not in the file";
inline constexpr std::string_view kMegatron = "Megatron-LM's default";
inline constexpr std::string_view kHuggingFace = "Hugging Face's default for this model type";
inline constexpr std::string_view kMegatronDeepSpeed = "Megatron-DeepSpeed's default";
inline constexpr std::string_view kAsTensor = "as tensor, Megatron-LM's default";
inline constexpr std::string_view kSmallestWorld = "the smallest world of these degrees";
inline constexpr std::string_view kBidirectional = "BERT attends both ways";
inline constexpr std::string_view kRoughly = "roughly so";
inline constexpr std::string_view kNotInCatalogue = "not in the catalogue";
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

/// Collects what an import has to say, in order, each once; beyond 500 notices or keys of a file no more.
class ImportNotes {
public:
    /// A key or option of the file that is no notice.
    struct Fact {
        std::string key, value;
        bool read = true;                ///< false: without effect
        friend bool operator==(const Fact &, const Fact &) = default;
    };

    explicit ImportNotes(std::string fileName) : m_file(std::move(fileName)) {}

    /// `key` is a JSON pointer of the scenario.
    void defaultTaken(std::string_view key, std::string_view value, std::string_view why, int line = 0);
    void defaultTaken(std::string_view key, std::int64_t value, std::string_view why) { defaultTaken(key, std::to_string(value), why); }
    void ignored(std::string_view option) { add({NoticeCode::IgnoredOption, {m_file, "", 0, 0}, {std::string(option)}}); }
    /// An option or key with an effect that the simulator does not have.
    void notSimulated(std::string_view option) { add({NoticeCode::NotSimulated, {m_file, "", 0, 0}, {std::string(option)}}); }
    void notUnderstood(std::string_view option) { add({NoticeCode::NotUnderstood, {m_file, "", 0, 0}, {std::string(option)}}); }
    /// What the file says and the scenario takes; and what it says that changes neither time nor memory.
    void read(std::string_view key, std::string_view value) { add(Fact{std::string(key), std::string(value), true}); }
    void noEffect(std::string_view key, std::string_view value) { add(Fact{std::string(key), std::string(value), false}); }
    void unresolved(std::string_view name) { add({NoticeCode::UnresolvedVariable, {m_file, "", 0, 0}, {std::string(name)}}); }
    void add(Notice notice);

    [[nodiscard]] const std::string &file() const { return m_file; }
    /// A name for the run: the file's without its ending and, of a Hugging Face file, its owner ("DeepSeek-V3" of
    /// "deepseek-ai--DeepSeek-V3.config.json"); of a plain config.json the folder's.
    [[nodiscard]] std::string readableName() const;
    [[nodiscard]] const std::vector<Notice> &notices() const { return m_notices; }
    /// The scenario's `notes`: the file's name and a line for each notice, "key = value: why".
    [[nodiscard]] std::string text() const;

    [[nodiscard]] const std::vector<Fact> &facts() const { return m_facts; }

private:
    void add(Fact fact);

    std::vector<Fact> m_facts;
    std::string m_file;
    std::vector<Notice> m_notices;
};

} // namespace clusterbeat
