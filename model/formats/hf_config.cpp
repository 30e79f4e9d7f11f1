// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/hf_config.h"

#include "model/formats/hf_features.h"
#include "model/formats/hf_layers.h"
#include "model/formats/hf_reader.h"
#include "model/formats/import_limits.h"
#include "model/formats/smallest_layout.h"
#include "model/scenario/json_value.h"

#include <algorithm>
#include <optional>
#include <string>

namespace clusterbeat {
namespace {

constexpr std::int64_t kDefaultSequence = 8192;
constexpr std::int64_t kBatchTokens = 4 * 1024 * 1024;

/// Python's json writes and reads NaN and the infinities; as text of strict JSON they are null.
std::string withoutPythonNumbers(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    bool quoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted && c == '\\' && i + 1 < text.size()) {
            result += c;
            result += text[++i];
            continue;
        }
        if (c == '"') quoted = !quoted;
        const std::string_view rest = text.substr(i);
        std::size_t length = 0;
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
            if (!quoted && length == 0 && rest.starts_with(word)) length = word.size();
        if (length == 0) {
            result += c;
            continue;
        }
        result += "null";
        i += length - 1;
    }
    return result;
}

/// A name, or in DBRX an object with one.
std::string activationName(ConfigReader &reader)
{
    const JsonValue *value = reader.find({"hidden_act", "activation_function", "hidden_activation", "ffn_act_fn", "activation"});
    if (value && value->type == JsonValue::Type::Object) value = value->find("name");
    return value && value->type == JsonValue::Type::String ? value->text : std::string();
}

void readActivation(ConfigReader &reader, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    const std::string name = activationName(reader);
    if (name.starts_with("gelu") || name == "quick_gelu") model.activation = "gelu";
    else if (name == "silu" || name == "swish") model.activation = "silu";
    else if (name == "relu2" || name == "relu") model.activation = name;
    else {
        model.activation = hasPlainFfn(type) ? "gelu" : "silu";
        notes.defaultTaken("/model/activation", model.activation, why::kNotInFile);
    }
    model.gatedFfn = !hasPlainFfn(type) || reader.string({"ffn_type"}).find("glu") != std::string::npos;
    notes.defaultTaken("/model/gated_ffn", model.gatedFfn ? "true" : "false", why::kHuggingFace);
}

/// Falcon's older architecture has one pair of key and value heads whatever their number says; so has MPT's by its kind.
std::int64_t keyValueHeads(ConfigReader &reader, std::string_view type, const ModelSection &model, ImportNotes &notes)
{
    const bool multiQuery = reader.boolean({"multi_query"}).value_or(type == "gpt_bigcode" || type == "falcon");
    if (type == "falcon" && multiQuery && !reader.boolean({"new_decoder_architecture"}).value_or(false)) return 1;
    if (reader.boolean({"multi_query_attention"}) == false) return model.heads;
    const auto heads = reader.integer({"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "kv_n_heads", "num_attention_groups", "n_kv_heads"});
    if (heads) return *heads;
    if (multiQuery || reader.string({"attn_type"}) == "multiquery_attention") return 1;
    notes.defaultTaken("/model/kv_heads", model.heads, why::kHuggingFace);
    return model.heads;
}

void readAttention(ConfigReader &reader, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    model.kvHeads = keyValueHeads(reader, type, model, notes);
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
    const auto headDim = reader.integer({"head_dim", "kv_channels", "attention_head_dim"});
    const std::int64_t ofClass = type.starts_with("gemma") ? 256 : type.starts_with("qwen3") ? 128 : 0;
    model.headDim = headDim.value_or(ofClass > 0 ? ofClass : std::max<std::int64_t>(1, model.hidden / std::max<std::int64_t>(1, model.heads)));
    if (!headDim) notes.defaultTaken("/model/head_dim", model.headDim, why::kHuggingFace);
}

/// The wrapper's word on tied embeddings goes first, then the language model's own, then that of its class.
void readTied(ConfigReader &reader, ConfigReader &wrapper, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    auto tied = wrapper.boolean({"tie_word_embeddings", "tie_embeddings_and_output_weights"});
    if (!tied) tied = reader.boolean({"tie_word_embeddings", "tie_embeddings_and_output_weights", "tie_lm_head"});
    model.tiedEmbeddings = tied.value_or(!untiedByDefault(type));
    if (!tied) notes.defaultTaken("/model/tied_embeddings", model.tiedEmbeddings ? "true" : "false", why::kHuggingFace);
}

std::int64_t feedForward(ConfigReader &reader, const ModelSection &model, ImportNotes &notes)
{
    const auto ffn = reader.integer({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size", "hidden_dim", "d_ff"});
    if (ffn) return *ffn;
    const std::int64_t ratio = reader.integer({"expansion_ratio"}).value_or(4);
    const std::int64_t width = std::min<std::int64_t>(ratio, 1000) * model.hidden;
    notes.defaultTaken("/model/ffn_hidden", width, why::kHuggingFace);
    return width;
}

ModelSection readModel(ConfigReader &reader, ConfigReader &wrapper, const std::string &type, ImportNotes &notes)
{
    ModelSection model;
    model.layers = reader.required({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
    model.hidden = reader.required({"hidden_size", "n_embd", "d_model", "n_embed", "dim"});
    model.heads = reader.required({"num_attention_heads", "n_head", "n_heads", "num_heads"});
    model.vocab = reader.required({"vocab_size", "padded_vocab_size"});
    model.ffnHidden = feedForward(reader, model, notes);
    readActivation(reader, type, model, notes);
    readAttention(reader, type, model, notes);
    readConfigExperts(reader, type, model, notes);
    model.mtpLayers = reader.integer({"num_nextn_predict_layers"}, 0).value_or(0);
    readTied(reader, wrapper, type, model, notes);
    const bool parallelType = isOneOf(type, {"gptj", "gpt_neox", "falcon", "phi", "cohere", "cohere2", "codegen"});
    model.parallelBlock = reader.boolean({"use_parallel_residual", "parallel_attn"}).value_or(parallelType);
    return model;
}

TrainingSection readTraining(ConfigReader &reader, std::string_view type, ModelSection &model, ImportNotes &notes)
{
    TrainingSection training;
    const auto positions = reader.integer({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length", "max_sequence_length"});
    training.sequenceLength = std::min(kDefaultSequence, positions.value_or(kDefaultSequence));
    notes.defaultTaken("/training/sequence_length", training.sequenceLength, why::kNotInFile);
    training.globalBatch = std::max<std::int64_t>(1, kBatchTokens / training.sequenceLength);
    notes.defaultTaken("/training/global_batch", training.globalBatch, why::kFourMiTokens);
    training.microBatch = 1;
    notes.defaultTaken("/training/micro_batch", training.microBatch, why::kNotInFile);

    const std::string dtype = reader.string({"torch_dtype", "dtype"});
    training.precision = dtype == "float16" ? Precision::Fp16 : Precision::Bf16;
    if (dtype != "float16" && dtype != "bfloat16") notes.defaultTaken("/training/precision", "bf16", why::kNotInFile);

    if (isBidirectional(type) && !reader.boolean({"is_decoder"}).value_or(false)) {
        training.causalAttention = false;
        notes.defaultTaken("/training/causal_attention", "false", why::kBidirectional);
    }
    readConfigWindow(reader, type, training.sequenceLength, model, notes);
    return training;
}

} // namespace

Result<Scenario> readHuggingFaceConfig(std::string_view text, const Catalogue &catalogue, ImportNotes &notes)
{
    auto parsed = parseJson(withoutPythonNumbers(text));
    if (!parsed.ok()) {
        Error error = parsed.error();
        error.place.file = notes.file();
        return error;
    }
    const JsonValue &root = parsed.value();
    if (root.type != JsonValue::Type::Object)
        return Error{ErrorCode::WrongType, {notes.file(), "", 0, 0}, {std::string(root.typeName()), std::string("object")}};
    const LanguageConfig language = languageConfig(root);
    if (const auto refused = refuseArchitecture(root, language, notes)) return *refused;
    ConfigReader wrapper(root, "", notes);
    ConfigReader reader(*language.object, language.pointer, notes);
    const std::string ownType = reader.string({"model_type"});
    const std::string type = ownType.empty() ? wrapper.string({"model_type"}) : ownType;
    ModelSection model = readModel(reader, wrapper, type, notes);
    TrainingSection training = readTraining(reader, type, model, notes);
    if (reader.error()) return *reader.error();
    if (wrapper.error()) return *wrapper.error();

    Scenario scenario;
    scenario.name = notes.readableName();
    scenario.model = std::make_shared<const ModelSection>(std::move(model));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    notes.defaultTaken("/software/profile", scenario.software->profile, why::kNotInFile);
    scenario.cluster = smallestCluster();
    if (const auto error = beyondFileFormat(scenario, notes.file(), catalogue)) return *error;
    chooseSmallestLayout(scenario, catalogue, notes);
    return scenario;
}

} // namespace clusterbeat
