// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/hf_layers.h"

#include "model/formats/layer_pattern.h"

#include <algorithm>
#include <string>
#include <vector>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostLayers = 10'000;

std::size_t layersOf(const ModelSection &model) { return static_cast<std::size_t>(std::clamp<std::int64_t>(model.layers, 1, kMostLayers)); }

bool isTrue(const JsonValue &value)
{
    if (value.type == JsonValue::Type::String) return value.text == "sparse" || value.text == "moe";
    return value.type == JsonValue::Type::Boolean ? value.boolean : value.number != 0.0;
}

/// Sets the layers that a list of layer numbers names: numbers, or one string of them with commas.
void setListed(const JsonValue &list, bool to, std::vector<bool> &layers)
{
    const auto set = [&](double index) {
        if (index >= 0.0 && index < static_cast<double>(layers.size())) layers[static_cast<std::size_t>(index)] = to;
    };
    if (list.type == JsonValue::Type::String) {
        const auto numbers = readPythonList("[" + list.text + "]");
        for (const std::int64_t index : numbers ? numbers->items : std::vector<std::int64_t>()) set(static_cast<double>(index));
    }
    for (const JsonValue &item : list.items)
        if (item.type == JsonValue::Type::Number) set(item.number);
}

/// A list with one entry a layer, repeated where it is shorter.
bool setEach(const JsonValue *list, std::vector<bool> &layers)
{
    if (!list || list->type != JsonValue::Type::Array || list->items.empty()) return false;
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = isTrue(list->items[i % list->items.size()]);
    return true;
}

/// Rules by number. DeepSeek: every n-th from the first; Qwen, ERNIE, Llama 4: the n-th, the 2n-th, …
void setByRule(ConfigReader &reader, std::vector<bool> &layers)
{
    const JsonValue *frequency = reader.find({"moe_layer_freq"});
    const bool number = frequency && frequency->type == JsonValue::Type::Number;
    const std::int64_t every = number ? reader.integer({"moe_layer_freq"}).value_or(1) : 1;
    const std::int64_t step = reader.integer({"decoder_sparse_step", "moe_layer_interval", "interleave_moe_layer_step", "expert_interval"}, 0).value_or(1);
    const std::int64_t dense = reader.integer({"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers", "n_dense_layers"}, 0).value_or(0);
    const std::int64_t end = reader.integer({"moe_layer_end_index"}, -1).value_or(-1);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        const bool inside = index >= dense && (end < 0 || index <= end);
        layers[i] = inside && index % every == 0 && (step <= 1 || (index + 1) % step == 0);
    }
}

std::vector<bool> expertLayers(ConfigReader &reader, const ModelSection &model)
{
    std::vector<bool> layers(layersOf(model), true);
    const JsonValue *frequency = reader.find({"moe_layer_freq", "mlp_layer_types", "is_moe_layer"});
    if (frequency && frequency->type == JsonValue::Type::Array && setEach(frequency, layers)) return layers;
    const JsonValue *listed = reader.find({"moe_layers", "moe_layers_enum", "moe_layer_indices"});
    if (listed && (!listed->items.empty() || (listed->type == JsonValue::Type::String && !listed->text.empty()))) {
        layers.assign(layers.size(), false);
        setListed(*listed, true, layers);
        return layers;
    }
    setByRule(reader, layers);
    if (const JsonValue *dense = reader.find({"mlp_only_layers", "dense_layers"})) setListed(*dense, false, layers);
    return layers;
}

/// Whole shared experts of the routed ones' width.
std::int64_t sharedExperts(ConfigReader &reader, std::string_view type, const MoeShape &moe, const ModelSection &model, ImportNotes &notes)
{
    const bool besideDense = type.starts_with("gemma4");
    const auto width = reader.integer({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size",
                                       "share_expert_dim", "moe_shared_intermediate_size"}, 0);
    if (!width && !besideDense) {
        const auto count = reader.integer({"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"}, 0);
        return count.value_or(type.starts_with("llama4") ? 1 : 0);
    }
    const std::int64_t all = width.value_or(model.ffnHidden);
    if (all % moe.expertFfnHidden != 0) notes.add({NoticeCode::Approximation, {notes.file(), "", 0, 0}, {std::string("/model/moe/shared_experts")}});
    return (all + moe.expertFfnHidden / 2) / moe.expertFfnHidden;
}

/// Layers of a kind of window by the class where the file does not list them.
std::vector<bool> windowedByRule(ConfigReader &reader, std::string_view type, const ModelSection &model)
{
    std::vector<bool> layers(layersOf(model), true);
    const JsonValue *pattern = reader.find({"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"});
    const bool modern = reader.find({"global_attn_every_n_layers"}) != nullptr;
    std::int64_t period = type.starts_with("gemma3") ? 6 : type == "cohere2" ? 4 : type == "gemma2" || type == "gpt_oss" ? 2 : 0;
    if (pattern && pattern->type == JsonValue::Type::Number) period = static_cast<std::int64_t>(std::clamp(pattern->number, 0.0, 1e6));
    const std::int64_t first = reader.integer({"max_window_layers"}, 0).value_or(0);
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const auto index = static_cast<std::int64_t>(i);
        if (pattern && pattern->type == JsonValue::Type::String && !pattern->text.empty())
            layers[i] = pattern->text[i % pattern->text.size()] == 'L' && (i + 1 < layers.size());
        else if (period > 0) layers[i] = modern ? index % period != 0 : (index + 1) % period != 0;
        else layers[i] = !type.starts_with("qwen") || index >= first;
    }
    return layers;
}

/// Llama 4 attends inside chunks but on the layers without positions; every fourth by default.
std::vector<bool> chunkedLayers(ConfigReader &reader, const ModelSection &model)
{
    std::vector<bool> layers(layersOf(model), true);
    if (setEach(reader.find({"no_rope_layers"}), layers)) return layers;
    const std::int64_t interval = reader.integer({"no_rope_layer_interval"}).value_or(4);
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = static_cast<std::int64_t>(i + 1) % interval != 0;
    return layers;
}

} // namespace

void readConfigExperts(ConfigReader &reader, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    const auto experts = reader.integer({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts", "num_moe_experts"}, 0);
    if (!experts || *experts < 2) return;
    if (type.starts_with("gemma4") && !reader.boolean({"enable_moe_block"}).value_or(true)) return;
    MoeShape moe;
    moe.experts = *experts;
    const auto topK = reader.integer({"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "moe_k", "top_k_experts", "experts_per_token",
                                      "num_selected_experts", "top_k"});
    moe.topK = topK.value_or(2);
    if (!topK) notes.defaultTaken("/model/moe/top_k", moe.topK, why::kNotInFile);
    const auto expertFfn = reader.integer({"moe_intermediate_size", "expert_ffn_hidden_size", "moe_ffn_hidden_size", "expert_intermediate_size", "expert_hidden_size"});
    moe.expertFfnHidden = expertFfn.value_or(model.ffnHidden);
    if (const auto dense = reader.integer({"intermediate_size_mlp"})) model.ffnHidden = *dense;
    moe.sharedExperts = sharedExperts(reader, type, moe, model, notes);
    const auto pattern = expertPattern(expertLayers(reader, model));
    if (!pattern) return;
    moe.denseLayers = pattern->denseLayers;
    moe.every = pattern->every;
    if (!pattern->exact) notes.add({NoticeCode::Approximation, {notes.file(), "", 0, 0}, {std::string("/model/moe/dense_layers")}});
    model.moe = moe;
}

void readConfigWindow(ConfigReader &reader, std::string_view type, std::int64_t sequence, ModelSection &model, ImportNotes &notes)
{
    const bool byChunk = type.starts_with("llama4");
    const auto size = reader.integer({"sliding_window", "sliding_window_size", "attention_chunk_size", "local_attention"}, 0);
    // Qwen's classes have a size and do not use it unless told to.
    const bool used = reader.boolean({"use_sliding_window"}).value_or(!type.starts_with("qwen"));
    // A window as long as the sequence masks nothing.
    if (!size || *size < 1 || !used || *size >= sequence) return;
    if (byChunk) {
        notes.add({NoticeCode::Approximation, {notes.file(), "", 0, 0}, {std::string("attention_chunk_size")}});
        model.attentionWindow = windowPattern(*size, chunkedLayers(reader, model));
        return;
    }
    std::vector<bool> layers(layersOf(model));
    const JsonValue *kinds = reader.find({"layer_types", "attention_layers"});
    const JsonValue *numbers = reader.find({"hybrid_layer_pattern"});
    if (kinds && kinds->type == JsonValue::Type::Array && !kinds->items.empty()) {
        for (std::size_t i = 0; i < layers.size(); ++i) {
            const std::string &kind = kinds->items[i % kinds->items.size()].text;
            layers[i] = kind.starts_with("sliding") || kind.starts_with("chunked") || kind.starts_with("local");
        }
    } else if (!setEach(numbers, layers)) {
        layers = windowedByRule(reader, type, model);
    }
    model.attentionWindow = windowPattern(*size, layers);
}

} // namespace clusterbeat
