// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/hf_reader.h"
#include "model/scenario/scenario.h"

#include <string_view>

namespace clusterbeat {

/// Experts and which layers have them, by any of the names and rules of the families (first dense layers, intervals, lists,
/// Llama 4's steps). Sets model.moe, and of Llama 4 the dense layers' width.
void readConfigExperts(ConfigReader &reader, std::string_view modelType, ModelSection &model, ImportNotes &notes);

/// Sliding windows shorter than the sequence, on the layers that the configuration or its class says.
void readConfigWindow(ConfigReader &reader, std::string_view modelType, std::int64_t sequence, ModelSection &model, ImportNotes &notes);

} // namespace clusterbeat
