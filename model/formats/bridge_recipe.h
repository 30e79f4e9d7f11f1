// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <string_view>

namespace clusterbeat {

/// What a published Megatron-Bridge run says about itself.
struct BridgeRun {
    std::string_view source;      ///< names the container: "… performance summary, 26.04 NeMo Container"
    std::string_view model, gpu;  ///< "Qwen3 235B-A22B", "GB200-NVL72"
    Precision precision = Precision::Bf16;
    bool moe = false;
    std::int64_t pipeline = 1, virtualPipeline = 1, expert = 1;
};

/// Release as a number that orders: "26.04.01" is 260401; 0 when the source names none.
[[nodiscard]] std::int64_t bridgeRelease(std::string_view source);

/// Flags that the recipes of the release (scripts/performance/configs, read at three commits) set for a model on a GPU,
/// beyond the profile's: CUDA graphs, dispatcher, expert overlap, fused kernels, token drop.
void applyBridgeRecipe(const BridgeRun &run, SoftwareSection &software);

} // namespace clusterbeat
