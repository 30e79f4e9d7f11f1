// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/formats/import_notes.h"
#include "model/formats/shell_words.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <string_view>

namespace clusterbeat {

/// A Megatron-LM (or Megatron-DeepSpeed) argument list or launch script; read, never run. Megatron-LM's own defaults
/// apply to what is not said. A world smaller than tensor * pipeline * context grows to that product with data = 1.
/// Errors: of the script (formats/shell_words.h), ImportMissing for --num-layers, --hidden-size,
/// --num-attention-heads (ImportUnknown, ImportNeedsFile or ImportNeedsArgument where it is known why), and a value's NotAnInteger, OutOfRange, NotDivisible; the place's pointer is the option.
[[nodiscard]] Result<Scenario> readMegatronArguments(std::string_view text, const Catalogue &catalogue, ImportNotes &notes, const ShellInput &input = {});

} // namespace clusterbeat
