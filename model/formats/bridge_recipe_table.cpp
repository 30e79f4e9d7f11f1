// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/bridge_recipe_table.h"

#include "model/formats/layer_pattern.h"
#include "model/scenario/json_value.h"
#include "model/scenario/object_reader.h"
#include "model/scenario/enum_names.h"

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostRelease = 1'000'000, kMostDegree = 1'000'000'000;
constexpr std::int64_t kFirstRecipes = 251100;

std::string letters(std::string_view text)
{
    std::string out;
    for (const char c : text) {
        if (c >= 'a' && c <= 'z') out += static_cast<char>(c - 'a' + 'A');
        else if ((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) out += c;
    }
    return out;
}

/// "Llama 3/3.1 70B" and "LLAMA3_70B": the family and the size; others by their beginning.
bool sameModel(std::string_view recipe, std::string_view run)
{
    const std::string a = letters(recipe), b = letters(run);
    if (!a.starts_with("LLAMA")) return b.starts_with(a);
    const std::size_t size = recipe.rfind('_');
    return b.starts_with("LLAMA") && size != std::string_view::npos && b.ends_with(letters(recipe.substr(size + 1))) &&
           !(recipe.ends_with("_8B") && (b.ends_with("78B") || b.ends_with("98B")));
}

bool samePrecision(std::string_view recipe, const BridgeLayout &run)
{
    switch (run.precision) {
    case Precision::Bf16:
    case Precision::Fp16: return recipe == "BF16";
    case Precision::Fp8: return recipe == (run.fp8Recipe == "mxfp8" ? "FP8_MX" : "FP8_CS");
    case Precision::Fp4: return recipe == "NVFP4";
    }
    return false;
}

bool sameDegrees(const BridgeRecipe &recipe, const BridgeLayout &run)
{
    return recipe.tensor == run.tensor && recipe.pipeline == run.pipeline && recipe.context == run.context &&
           recipe.virtualPipeline == run.virtualPipeline && recipe.expert == run.expert;
}

bool sameBatch(const BridgeRecipe &recipe, const BridgeLayout &run)
{
    return recipe.globalBatch * run.gpus == run.globalBatch * recipe.gpus;
}

/// How far a release is from a recipe's, in months and patches; 0 inside.
std::int64_t distance(const BridgeRecipe &recipe, std::int64_t release)
{
    return std::max<std::int64_t>({0, recipe.firstRelease - release, release - recipe.lastRelease});
}

} // namespace

Result<std::vector<BridgeRecipe>> readBridgeRecipes(std::string_view json)
{
    const Result<JsonValue> parsed = parseJson(json);
    if (!parsed.ok()) return parsed.error();
    std::optional<Error> error;
    std::vector<BridgeRecipe> recipes;
    for (std::size_t i = 0; i < parsed.value().items.size() && !error; ++i) {
        ObjectReader reader(parsed.value().items[i], '/' + std::to_string(i),
                            {"model", "gpu", "precision", "first", "last", "gpus", "tp", "pp", "vp", "cp", "ep", "batch",
                             "micro_batch", "graphs", "dispatcher", "expert_overlap", "fused_mlp", "fp8_attention",
                             "recompute", "recompute_layers", "offload_layers", "fsdp", "stages"},
                            error);
        reader.require({"model", "gpu", "precision", "first", "last", "gpus", "batch"});
        BridgeRecipe recipe;
        reader.string("model", recipe.model);
        reader.string("gpu", recipe.gpu);
        reader.string("precision", recipe.precision);
        reader.integer("first", {0, kMostRelease}, recipe.firstRelease);
        reader.integer("last", {0, kMostRelease}, recipe.lastRelease);
        const std::pair<const char *, std::int64_t *> degrees[] = {
            {"gpus", &recipe.gpus},     {"tp", &recipe.tensor},          {"pp", &recipe.pipeline},
            {"cp", &recipe.context},    {"vp", &recipe.virtualPipeline}, {"ep", &recipe.expert},
            {"batch", &recipe.globalBatch}, {"micro_batch", &recipe.microBatch}};
        for (const auto &[key, degree] : degrees) reader.integer(key, {1, kMostDegree}, *degree);
        reader.integer("recompute_layers", {0, kMostDegree}, recipe.recomputeLayers);
        reader.integer("offload_layers", {0, kMostDegree}, recipe.offloadLayers);
        reader.choice("graphs", kCudaGraphsNames, "graphs", recipe.graphs);
        reader.string("dispatcher", recipe.dispatcher);
        reader.boolean("expert_overlap", recipe.expertOverlap);
        reader.boolean("fused_mlp", recipe.fusedMlp);
        reader.boolean("fp8_attention", recipe.narrowAttention);
        reader.boolean("fsdp", recipe.fsdp);
        reader.string("stages", recipe.stages);
        if (const JsonValue *modules = parsed.value().items[i].find("recompute"))
            for (const JsonValue &module : modules->items) recipe.recomputeModules.push_back(module.text);
        recipes.push_back(std::move(recipe));
    }
    if (error) return *error;
    return recipes;
}

const BridgeRecipe *recipeOfRun(const std::vector<BridgeRecipe> &recipes, const BridgeLayout &run)
{
    if (run.release > 0 && run.release < kFirstRecipes) return nullptr;
    const std::string_view gpu = run.gpu.substr(0, run.gpu.find('-'));
    std::vector<const BridgeRecipe *> nearest; // of the model, GPU and precision, in the release nearest to the run's
    for (const BridgeRecipe &recipe : recipes) {
        if (recipe.gpu != gpu || !samePrecision(recipe.precision, run) || !sameModel(recipe.model, run.model)) continue;
        const std::int64_t away = distance(recipe, run.release);
        if (!nearest.empty() && away > distance(*nearest.front(), run.release)) continue;
        if (!nearest.empty() && away < distance(*nearest.front(), run.release)) nearest.clear();
        nearest.push_back(&recipe);
    }
    std::erase_if(nearest, [&](const BridgeRecipe *recipe) { return !sameDegrees(*recipe, run); });
    const auto best = std::min_element(nearest.begin(), nearest.end(), [&](const BridgeRecipe *a, const BridgeRecipe *b) {
        const auto rank = [&](const BridgeRecipe *each) { return std::pair(each->microBatch != run.microBatch, !sameBatch(*each, run)); };
        return rank(a) < rank(b);
    });
    return best != nearest.end() ? *best : nullptr;
}

void applyRecipe(const BridgeRecipe &recipe, SoftwareSection &software, TrainingSection &training, LayoutSection &layout,
                 ModelSection &model)
{
    software.cudaGraphs = recipe.graphs;
    if (model.moe) {
        software.moeDispatcher = recipe.dispatcher;
        software.expertOverlap = recipe.expertOverlap;
        // An activation outside the fused kernel's (GPT-OSS's clamped one) keeps the matmuls apart.
        software.groupedMatmulFused = recipe.fusedMlp && software.expertActivationFused.value_or(true);
    }
    if (recipe.narrowAttention) training.attentionPrecision = Precision::Fp8;
    if (recipe.recomputeLayers > 0) training.recompute = Recompute{RecomputeMode::Layers, recipe.recomputeLayers, {}};
    else if (!recipe.recomputeModules.empty()) training.recompute = Recompute{RecomputeMode::Modules, 0, recipe.recomputeModules};
    else training.recompute = Recompute{};
    training.offloadLayers = recipe.offloadLayers;
    const std::optional<StageLayout> parts = readStageLayout(recipe.stages);
    if (!parts || parts->layers.size() != static_cast<std::size_t>(recipe.pipeline * recipe.virtualPipeline)) return;
    std::int64_t layers = 0;
    for (const std::int64_t part : parts->layers) layers += part;
    if (layers != model.layers || layout.pipeline != recipe.pipeline || layout.virtualPipeline.value_or(1) != recipe.virtualPipeline) return;
    layout.layersPerStage = parts->layers;
    model.mtpLayers = parts->predictionPart ? 1 : 0;
    if (parts->predictionPart) layout.mtpStage = static_cast<std::int64_t>(*parts->predictionPart) % recipe.pipeline;
}

} // namespace clusterbeat
