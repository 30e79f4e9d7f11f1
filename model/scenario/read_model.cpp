// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/section_io.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

MoeShape readMoe(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    MoeShape moe;
    ObjectReader reader(json, pointer,
                        {"experts", "top_k", "shared_experts", "expert_ffn_hidden", "dense_layers", "every"}, error);
    reader.require({"experts", "top_k", "expert_ffn_hidden"});
    reader.integer("experts", kExpertsRange, moe.experts);
    reader.integer("top_k", kExpertsRange, moe.topK);
    reader.integer("shared_experts", {0, kExpertsRange.highest}, moe.sharedExperts);
    reader.integer("expert_ffn_hidden", kWidthRange, moe.expertFfnHidden);
    reader.integer("dense_layers", {0, kLayersRange.highest}, moe.denseLayers);
    reader.integer("every", kLayersRange, moe.every);
    return moe;
}

MlaShape readMla(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    MlaShape mla;
    ObjectReader reader(json, pointer, {"q_lora_rank", "kv_lora_rank", "nope_head_dim", "rope_head_dim", "v_head_dim"},
                        error);
    reader.require({"kv_lora_rank", "nope_head_dim", "rope_head_dim", "v_head_dim"});
    reader.integer("q_lora_rank", {0, kWidthRange.highest}, mla.qLoraRank);
    reader.integer("kv_lora_rank", kWidthRange, mla.kvLoraRank);
    reader.integer("nope_head_dim", kWidthRange, mla.nopeHeadDim);
    reader.integer("rope_head_dim", kWidthRange, mla.ropeHeadDim);
    reader.integer("v_head_dim", kWidthRange, mla.vHeadDim);
    return mla;
}

/// Ascending numbers from 0.
void readGlobalLayers(const JsonValue &json, ObjectReader &reader, std::vector<std::int64_t> &layers)
{
    const std::string pointer = reader.pointerTo("global_layers");
    if (!reader.expect(json, JsonValue::Type::Array, pointer)) return;
    for (std::size_t i = 0; i < json.items.size() && reader.ok(); ++i) {
        const IntegerRange later{layers.empty() ? 0 : layers.back() + 1, kLayersRange.highest};
        if (const auto layer = reader.integerOf(json.items[i], pointer + '/' + std::to_string(i), later))
            layers.push_back(*layer);
    }
}

AttentionWindow readWindow(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    AttentionWindow window;
    ObjectReader reader(json, pointer, {"size", "every", "global_every", "global_layers"}, error);
    reader.require({"size"});
    reader.integer("size", kSequenceRange, window.size);
    reader.integer("every", kLayersRange, window.every);
    reader.integer("global_every", kLayersRange, window.globalEvery);
    const JsonValue *global = reader.find("global_layers");
    if (global != nullptr) readGlobalLayers(*global, reader, window.globalLayers);
    const char *other = reader.find("global_every") != nullptr ? "global_every" : "every";
    if (reader.find("every") != nullptr && reader.find("global_every") != nullptr)
        reader.fail(ErrorCode::Contradiction, "global_every",
                    {std::string("every"), window.every, std::string("global_every"), window.globalEvery});
    if (global != nullptr && reader.find(other) != nullptr)
        reader.fail(ErrorCode::Contradiction, "global_layers",
                    {std::string(other), std::max(window.every, window.globalEvery), std::string("global_layers"),
                     static_cast<std::int64_t>(window.globalLayers.size())});
    return window;
}

/// "none" | "selective" | "full", {"layers": n} or {"modules": [...]}.
Recompute readRecompute(const JsonValue &json, const std::string &pointer, ObjectReader &parent)
{
    Recompute recompute;
    if (json.type == JsonValue::Type::String) {
        parent.choiceOf(json, pointer, kRecomputeNames, "recompute", recompute.mode);
        return recompute;
    }
    ObjectReader reader(json, pointer, {"layers", "modules"}, parent.sink());
    if (const JsonValue *modules = reader.find("modules")) {
        recompute.mode = RecomputeMode::Modules;
        if (!reader.expect(*modules, JsonValue::Type::Array, reader.pointerTo("modules"))) return recompute;
        reader.integer("layers", {0, kLayersRange.highest}, recompute.layers);
        if (reader.find("layers") != nullptr)
            reader.fail(ErrorCode::Contradiction, "layers",
                        {std::string("layers"), recompute.layers, std::string("number of modules"),
                         static_cast<std::int64_t>(modules->items.size())});
        for (std::size_t i = 0; i < modules->items.size() && reader.ok(); ++i) {
            const JsonValue &module = modules->items[i];
            const std::string place = reader.pointerTo("modules") + '/' + std::to_string(i);
            if (!reader.expect(module, JsonValue::Type::String, place)) break;
            if (std::find(kRecomputeModules.begin(), kRecomputeModules.end(), module.text) == kRecomputeModules.end())
                reader.unknownName(module, place, "recompute module",
                                   {kRecomputeModules.begin(), kRecomputeModules.end()});
            recompute.modules.push_back(module.text);
        }
        return recompute;
    }
    recompute.mode = RecomputeMode::Layers;
    reader.require({"layers"});
    reader.integer("layers", {0, kLayersRange.highest}, recompute.layers);
    return recompute;
}

DocumentLengths readDocuments(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    DocumentLengths documents;
    ObjectReader reader(json, pointer, {"mean", "sigma", "masked"}, error);
    reader.require({"mean"});
    reader.number("mean", {1.0, 1e8}, documents.mean);
    reader.number("sigma", {0.0, 1e8}, documents.sigma);
    reader.boolean("masked", documents.masked);
    return documents;
}

} // namespace

ModelSection readModel(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    ModelSection model;
    ObjectReader reader(json, pointer,
                        {"layers", "hidden", "ffn_hidden", "heads", "kv_heads", "head_dim", "vocab", "gated_ffn",
                         "activation", "tied_embeddings", "parallel_block", "attention_window", "mtp_layers", "moe",
                         "mla", "preset"},
                        error);
    reader.require({"layers", "hidden", "heads", "vocab"});
    reader.integer("layers", kLayersRange, model.layers);
    reader.integer("hidden", kWidthRange, model.hidden);
    reader.integer("ffn_hidden", kWidthRange, model.ffnHidden);
    reader.integer("heads", kHeadsRange, model.heads);
    reader.integer("kv_heads", kHeadsRange, model.kvHeads);
    reader.integer("head_dim", kWidthRange, model.headDim);
    reader.integer("vocab", kVocabRange, model.vocab);
    reader.boolean("gated_ffn", model.gatedFfn);
    reader.oneOf("activation", kActivationNames, "activation", model.activation);
    reader.boolean("tied_embeddings", model.tiedEmbeddings);
    reader.boolean("parallel_block", model.parallelBlock);
    reader.integer("mtp_layers", {0, 100}, model.mtpLayers);
    if (const JsonValue *window = reader.find("attention_window"))
        model.attentionWindow = readWindow(*window, reader.pointerTo("attention_window"), error);
    if (const JsonValue *moe = reader.find("moe")) model.moe = readMoe(*moe, reader.pointerTo("moe"), error);
    if (const JsonValue *mla = reader.find("mla")) model.mla = readMla(*mla, reader.pointerTo("mla"), error);
    return model;
}

TrainingSection readTraining(const JsonValue &json, const std::string &pointer, std::optional<Error> &error)
{
    TrainingSection training;
    ObjectReader reader(json, pointer,
                        {"sequence_length", "global_batch", "micro_batch", "precision", "attention_precision",
                         "causal_attention", "recompute", "optimizer", "optimizer_offload", "offload_layers",
                         "gradient_bytes", "parameter_gather_bytes", "reduce_every", "optimizer_sync", "documents",
                         "routing_imbalance", "preset"},
                        error);
    reader.integer("sequence_length", kSequenceRange, training.sequenceLength);
    reader.integer("global_batch", kBatchRange, training.globalBatch);
    reader.integer("micro_batch", kMicroBatchRange, training.microBatch);
    reader.choice("precision", kPrecisionNames, "precision", training.precision);
    reader.choice("attention_precision", kPrecisionNames, "precision", training.attentionPrecision);
    reader.boolean("causal_attention", training.causalAttention);
    reader.oneOf("optimizer", std::array<std::string_view, 2>{"adam", "adamw"}, "optimizer", training.optimizer);
    reader.boolean("optimizer_offload", training.optimizerOffload);
    reader.integer("offload_layers", {0, kLayersRange.highest}, training.offloadLayers);
    reader.integer("gradient_bytes", {2, 4}, training.gradientBytes);
    if (training.gradientBytes == 3)
        reader.fail(ErrorCode::UnknownName, "gradient_bytes", {std::string("3"), std::string("gradient_bytes"), std::string(), std::string("2, 4")});
    reader.integer("parameter_gather_bytes", {1, 2}, training.parameterGatherBytes);
    reader.choice("reduce_every", kReduceEveryNames, "reduce_every", training.reduceEvery);
    reader.boolean("optimizer_sync", training.optimizerSync);
    reader.number("routing_imbalance", {1.0, 1e4}, training.routingImbalance);
    if (const JsonValue *recompute = reader.find("recompute"))
        training.recompute = readRecompute(*recompute, reader.pointerTo("recompute"), reader);
    if (const JsonValue *documents = reader.find("documents"))
        training.documents = readDocuments(*documents, reader.pointerTo("documents"), error);
    return training;
}

} // namespace clusterbeat
