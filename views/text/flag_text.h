// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QString>

#include <string>

namespace clusterbeat {

/// Names of the training software's flags, by where the scenario says them ("/software/attention_kernel").
[[nodiscard]] QString flagName(const std::string &pointer);
/// What a flag does, a sentence for the tool tip.
[[nodiscard]] QString flagDescription(const std::string &pointer);
/// A value of a flag, given as the JSON of the file: "FlashAttention 3", "on", "4 bytes".
[[nodiscard]] QString flagValueName(const std::string &pointer, const std::string &json);

} // namespace clusterbeat
