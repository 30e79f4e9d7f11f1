// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_notes.h"
#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <string_view>

namespace clusterbeat {

/// A Hugging Face transformers config.json: the shape of the model, no training facts. Key names of the llama, GPT-2,
/// GPT-NeoX, Falcon, MPT, Mixtral and DeepSeek families. Sequence 8,192 (fewer where the model's positions end), a batch
/// of about 4 Mi tokens, and the smallest layout that fits. Errors of the JSON, ImportMissing, and a key's WrongType,
/// NotAnInteger, OutOfRange with its pointer.
[[nodiscard]] Result<Scenario> readHuggingFaceConfig(std::string_view text, const Catalogue &catalogue, ImportNotes &notes);

} // namespace clusterbeat
