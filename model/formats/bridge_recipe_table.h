// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Knobs of one public performance recipe of Megatron-Bridge, unchanged from one release to another
/// (resources/catalogue/bridge_recipes.json).
struct BridgeRecipe {
    std::string model, gpu, precision;               ///< "QWEN3_235B_A22B", "GB300", "FP8_MX"
    std::int64_t firstRelease = 0, lastRelease = 0;  ///< as bridgeRelease()
    std::int64_t gpus = 0, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1;
    std::int64_t globalBatch = 1, microBatch = 1;
    CudaGraphs graphs = CudaGraphs::None;
    std::string dispatcher = "alltoall";
    bool expertOverlap = false, fusedMlp = false, narrowAttention = false, fsdp = false;
    std::vector<std::string> recomputeModules;
    std::int64_t recomputeLayers = 0, offloadLayers = 0;
    std::string stages;                              ///< layers by pipeline part, "Et|(tt|)*30mL"; "" = evenly
};

/// Errors: SyntaxError, WrongType, UnknownKey, OutOfRange with the place.
[[nodiscard]] Result<std::vector<BridgeRecipe>> readBridgeRecipes(std::string_view json);

/// A published run as its table describes it.
struct BridgeLayout {
    std::string_view model, gpu;                     ///< "Qwen3 235B-A22B", "GB300-NVL72"
    Precision precision = Precision::Bf16;
    std::string_view fp8Recipe;                      ///< "mxfp8", "current" or ""
    std::int64_t release = 0;
    std::int64_t gpus = 0, tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1;
    std::int64_t globalBatch = 1, microBatch = 1;
};
/// Of the nearest release's recipes for its model, GPU and precision one with its degrees, rather with its micro-batch, and
/// rather with its batch a GPU. Null without one (the run followed another recipe), and for releases before the first
/// recipes. O(recipes).
[[nodiscard]] const BridgeRecipe *recipeOfRun(const std::vector<BridgeRecipe> &recipes, const BridgeLayout &run);

/// Sets what the recipe says in the sections; the rest stays.
void applyRecipe(const BridgeRecipe &recipe, SoftwareSection &software, TrainingSection &training, LayoutSection &layout,
                 ModelSection &model);

} // namespace clusterbeat
