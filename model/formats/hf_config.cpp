// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/hf_config.h"

#include "model/formats/import_limits.h"
#include "model/formats/smallest_layout.h"
#include "model/scenario/json_value.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <string>

namespace clusterbeat {
namespace {

using Keys = std::initializer_list<std::string_view>;

constexpr std::int64_t kMostOfAnything = 1'000'000'000;
constexpr std::int64_t kDefaultSequence = 8192;
constexpr std::int64_t kBatchTokens = 4 * 1024 * 1024;

bool isOneOf(std::string_view word, Keys words) { return std::find(words.begin(), words.end(), word) != words.end(); }

/// Reads keys of one object by any of their names; keeps the first error.
class ConfigReader {
public:
    ConfigReader(const JsonValue &object, std::string pointer, const ImportNotes &notes)
        : m_object(object), m_pointer(std::move(pointer)), m_file(notes.file())
    {
    }

    /// Null counts as missing. 0 is allowed where `lowest` is 0.
    std::optional<std::int64_t> integer(Keys names, std::int64_t lowest = 1)
    {
        const auto [key, value] = find(names);
        if (!value) return std::nullopt;
        if (value->type != JsonValue::Type::Number) return fail(key, ErrorCode::WrongType, {std::string(value->typeName()), std::string("number")});
        if (std::floor(value->number) != value->number) return fail(key, ErrorCode::NotAnInteger, {value->text});
        if (value->number < static_cast<double>(lowest) || value->number > static_cast<double>(kMostOfAnything))
            return fail(key, ErrorCode::OutOfRange, {value->text, lowest, kMostOfAnything});
        return static_cast<std::int64_t>(value->number);
    }
    std::int64_t required(Keys names)
    {
        const auto value = integer(names);
        if (!value && !m_error) m_error = Error{ErrorCode::ImportMissing, {m_file, m_pointer, 0, 0}, {std::string(*names.begin())}};
        return value.value_or(1);
    }
    std::optional<bool> boolean(Keys names)
    {
        const auto [key, value] = find(names);
        if (!value) return std::nullopt;
        if (value->type != JsonValue::Type::Boolean) {
            fail(key, ErrorCode::WrongType, {std::string(value->typeName()), std::string("boolean")});
            return std::nullopt;
        }
        return value->boolean;
    }
    std::string string(Keys names)
    {
        const auto [key, value] = find(names);
        if (!value) return {};
        if (value->type == JsonValue::Type::String) return value->text;
        fail(key, ErrorCode::WrongType, {std::string(value->typeName()), std::string("string")});
        return {};
    }
    [[nodiscard]] const std::optional<Error> &error() const { return m_error; }

private:
    std::pair<std::string_view, const JsonValue *> find(Keys names) const
    {
        for (const std::string_view name : names) {
            const JsonValue *value = m_object.find(name);
            if (value && value->type != JsonValue::Type::Null) return {name, value};
        }
        return {{}, nullptr};
    }
    std::nullopt_t fail(std::string_view key, ErrorCode code, std::vector<Argument> arguments)
    {
        if (!m_error) m_error = Error{code, {m_file, m_pointer + "/" + pointerToken(key), 0, 0}, std::move(arguments)};
        return std::nullopt;
    }

    const JsonValue &m_object;
    std::string m_pointer;
    std::string m_file;
    std::optional<Error> m_error;
};

/// Model types whose feed-forward block has no gate (two matrices instead of three).
bool hasPlainFfn(std::string_view type)
{
    return isOneOf(type, {"gpt2", "gpt_neo", "gpt_neox", "gptj", "bloom", "opt", "falcon", "phi", "starcoder2", "gpt_bigcode", "mpt",
                          "nemotron", "codegen"});
}
/// Model types whose classes default tie_word_embeddings to false; the library's own default is true.
bool untiedByDefault(std::string_view type)
{
    return isOneOf(type, {"llama", "mistral", "mixtral", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "deepseek_v2", "deepseek_v3", "gpt_neox",
                          "gptj", "phi", "phi3", "olmo", "olmo2", "dbrx", "codegen"});
}

void readActivation(ConfigReader &reader, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    const std::string name = reader.string({"hidden_act", "activation_function", "hidden_activation"});
    if (name.starts_with("gelu") || name == "quick_gelu") model.activation = "gelu";
    else if (name == "silu" || name == "swish") model.activation = "silu";
    else if (name == "relu2" || name == "relu") model.activation = name;
    else {
        model.activation = hasPlainFfn(type) ? "gelu" : "silu";
        notes.defaultTaken("/model/activation", model.activation, why::kNotInFile);
    }
    model.gatedFfn = !hasPlainFfn(type);
    notes.defaultTaken("/model/gated_ffn", model.gatedFfn ? "true" : "false", why::kHuggingFace);
}

void readAttention(ConfigReader &reader, ModelSection &model, ImportNotes &notes)
{
    const auto kvHeads = reader.integer({"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"});
    const bool multiQuery = reader.boolean({"multi_query"}).value_or(false);
    model.kvHeads = kvHeads.value_or(multiQuery ? 1 : model.heads);
    if (!kvHeads && !multiQuery) notes.defaultTaken("/model/kv_heads", model.kvHeads, why::kHuggingFace);

    if (const auto rank = reader.integer({"kv_lora_rank"})) {
        MlaShape mla;
        mla.kvLoraRank = *rank;
        mla.qLoraRank = reader.integer({"q_lora_rank"}, 0).value_or(0);
        mla.nopeHeadDim = reader.required({"qk_nope_head_dim"});
        mla.ropeHeadDim = reader.required({"qk_rope_head_dim"});
        mla.vHeadDim = reader.required({"v_head_dim"});
        model.headDim = mla.nopeHeadDim + mla.ropeHeadDim;
        model.mla = mla;
        return;
    }
    const auto headDim = reader.integer({"head_dim", "kv_channels"});
    model.headDim = headDim.value_or(std::max<std::int64_t>(1, model.hidden / std::max<std::int64_t>(1, model.heads)));
    if (!headDim) notes.defaultTaken("/model/head_dim", model.headDim, why::kHuggingFace);
}

void readExperts(ConfigReader &reader, ModelSection &model, ImportNotes &notes)
{
    const auto experts = reader.integer({"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts"});
    if (!experts || *experts < 2) return;
    MoeShape moe;
    moe.experts = *experts;
    const auto topK = reader.integer({"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk"});
    moe.topK = topK.value_or(2);
    if (!topK) notes.defaultTaken("/model/moe/top_k", moe.topK, why::kNotInFile);
    const auto expertFfn = reader.integer({"moe_intermediate_size", "expert_ffn_hidden_size"});
    moe.expertFfnHidden = expertFfn.value_or(model.ffnHidden);
    moe.sharedExperts = reader.integer({"n_shared_experts", "num_shared_experts"}, 0).value_or(0);
    if (const auto shared = reader.integer({"shared_expert_intermediate_size"}, 0)) moe.sharedExperts = *shared / moe.expertFfnHidden;
    moe.denseLayers = reader.integer({"first_k_dense_replace"}, 0).value_or(0);
    moe.every = reader.integer({"moe_layer_freq", "decoder_sparse_step"}).value_or(1);
    model.moe = moe;
}

ModelSection readModel(ConfigReader &reader, ImportNotes &notes)
{
    ModelSection model;
    const std::string type = reader.string({"model_type"});
    model.layers = reader.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    model.hidden = reader.required({"hidden_size", "n_embd", "d_model"});
    model.heads = reader.required({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    model.vocab = reader.required({"vocab_size", "padded_vocab_size"});
    const auto ffn = reader.integer({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"});
    model.ffnHidden = ffn.value_or(4 * model.hidden);
    if (!ffn) notes.defaultTaken("/model/ffn_hidden", model.ffnHidden, why::kHuggingFace);
    readActivation(reader, type, model, notes);
    readAttention(reader, model, notes);
    readExperts(reader, model, notes);
    model.mtpLayers = reader.integer({"num_nextn_predict_layers"}, 0).value_or(0);

    const auto tied = reader.boolean({"tie_word_embeddings"});
    model.tiedEmbeddings = tied.value_or(!untiedByDefault(type));
    if (!tied) notes.defaultTaken("/model/tied_embeddings", model.tiedEmbeddings ? "true" : "false", why::kHuggingFace);
    const bool parallelType = isOneOf(type, {"gptj", "gpt_neox", "falcon", "phi", "cohere"});
    model.parallelBlock = reader.boolean({"use_parallel_residual", "parallel_attn"}).value_or(parallelType);
    return model;
}

TrainingSection readTraining(ConfigReader &reader, ModelSection &model, ImportNotes &notes)
{
    TrainingSection training;
    const auto positions = reader.integer({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length"});
    training.sequenceLength = std::min(kDefaultSequence, positions.value_or(kDefaultSequence));
    notes.defaultTaken("/training/sequence_length", training.sequenceLength, why::kNotInFile);
    training.globalBatch = std::max<std::int64_t>(1, kBatchTokens / training.sequenceLength);
    notes.defaultTaken("/training/global_batch", training.globalBatch, why::kFourMiTokens);
    training.microBatch = 1;
    notes.defaultTaken("/training/micro_batch", training.microBatch, why::kNotInFile);

    const std::string dtype = reader.string({"torch_dtype", "dtype"});
    training.precision = dtype == "float16" ? Precision::Fp16 : Precision::Bf16;
    if (dtype != "float16" && dtype != "bfloat16") notes.defaultTaken("/training/precision", "bf16", why::kNotInFile);

    const auto window = reader.integer({"sliding_window"});
    const bool used = reader.boolean({"use_sliding_window"}).value_or(true);
    // A window as long as the sequence masks nothing.
    if (window && used && *window < training.sequenceLength) model.attentionWindow = AttentionWindow{*window, 1};
    return training;
}

} // namespace

Result<Scenario> readHuggingFaceConfig(std::string_view text, const Catalogue &catalogue, ImportNotes &notes)
{
    auto parsed = parseJson(text);
    if (!parsed.ok()) {
        Error error = parsed.error();
        error.place.file = notes.file();
        return error;
    }
    const JsonValue &root = parsed.value();
    if (root.type != JsonValue::Type::Object)
        return Error{ErrorCode::WrongType, {notes.file(), "", 0, 0}, {std::string(root.typeName()), std::string("object")}};
    // Multimodal models keep the language model's shape in an object of its own.
    const JsonValue *nested = root.find("text_config");
    const bool useNested = nested && nested->type == JsonValue::Type::Object && !root.find("num_hidden_layers");
    ConfigReader reader(useNested ? *nested : root, useNested ? "/text_config" : "", notes);

    ModelSection model = readModel(reader, notes);
    TrainingSection training = readTraining(reader, model, notes);
    if (reader.error()) return *reader.error();

    Scenario scenario;
    const std::size_t slash = notes.file().find_last_of("/\\");
    scenario.name = notes.file().substr(slash == std::string::npos ? 0 : slash + 1);
    scenario.model = std::make_shared<const ModelSection>(std::move(model));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    notes.defaultTaken("/software/profile", scenario.software->profile, why::kNotInFile);
    scenario.cluster = smallestCluster();
    if (const auto error = beyondFileFormat(scenario, notes.file(), catalogue)) return *error;
    chooseSmallestLayout(scenario, catalogue, notes);
    return scenario;
}

} // namespace clusterbeat
