// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/formats/import_notes.h"
#include "model/formats/megatron_options.h"
#include "model/formats/shell_words.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace clusterbeat {

/// Where several values of one kind are read: keeps the first thing that is missing.
class MegatronReader {
public:
    MegatronReader(MegatronOptions &options, ImportNotes &notes, const ShellScript &script) : m_options(options), m_notes(notes), m_script(script) {}

    std::int64_t required(std::string_view name);
    std::int64_t orDefault(MegatronOptions::Names names, std::int64_t fallback, std::string_view key, std::string_view reason = why::kMegatron);
    [[nodiscard]] std::optional<Error> error() const { return m_options.error() ? m_options.error() : m_missing; }

    MegatronOptions &m_options;
    ImportNotes &m_notes;
    const ShellScript &m_script;
    /// Megatron-DeepSpeed's own options and defaults of experts.
    bool m_deepSpeed = false;

private:
    std::optional<Error> m_missing;
};

/// What the launched program trains, by its name and options.
enum class MegatronKind : std::uint8_t { Decoder, Bidirectional, VisionLanguage };
/// Error ImportNotSimulated for models that are neither decoders nor BERT: encoder-decoder, Mamba hybrids, vision.
[[nodiscard]] Result<MegatronKind> megatronKind(MegatronOptions &options, const ImportNotes &notes);

/// The model's shape, with Megatron-LM's defaults. `tensor` pads the vocabulary.
[[nodiscard]] ModelSection readMegatronModel(MegatronReader &reader, std::int64_t tensor);

} // namespace clusterbeat
