// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/hf_reader.h"

#include <optional>
#include <string_view>

namespace clusterbeat {

/// The object of the language model in a configuration that wraps it beside a vision or speech part, with its pointer;
/// the root itself when it has the shape.
struct LanguageConfig {
    const JsonValue *object = nullptr;
    std::string pointer;
};
[[nodiscard]] LanguageConfig languageConfig(const JsonValue &root);

/// Error ImportNotSimulated for architectures that are not made of transformer layers alone, by model type and by the
/// keys that only they have. Of what leaves parameters and FLOPs about right, and of a model type that is not known, the
/// notes say it. `root` is the wrapper, or the same object.
[[nodiscard]] std::optional<Error> refuseArchitecture(const JsonValue &root, const LanguageConfig &language, ImportNotes &notes);

/// Encoders of the BERT family: every token attends to all.
[[nodiscard]] bool isBidirectional(std::string_view modelType);
/// Model types whose feed-forward block has no gate (two matrices instead of three).
[[nodiscard]] bool hasPlainFfn(std::string_view modelType);
/// Model types whose classes default tie_word_embeddings to false; the library's own default is true.
[[nodiscard]] bool untiedByDefault(std::string_view modelType);

} // namespace clusterbeat
