// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/hf_features.h"

#include <algorithm>
#include <string>

namespace clusterbeat {
namespace {

constexpr std::string_view kEncoderDecoders[]{
    "t5", "mt5", "umt5", "longt5", "t5gemma", "t5gemma2", "switch_transformers", "bart", "mbart", "plbart", "pegasus", "pegasus_x", "bigbird_pegasus",
    "marian", "m2m_100", "nllb-moe", "blenderbot", "led", "prophetnet", "fsmt", "encoder-decoder", "whisper", "speech_to_text", "seamless_m4t",
    "seamless_m4t_v2", "moonshine", "speecht5", "florence2", "pix2struct", "donut", "trocr", "vision-encoder-decoder"};
constexpr std::string_view kStateSpaceTypes[]{"mamba", "mamba2", "falcon_mamba", "falcon_h1", "jamba", "zamba", "zamba2", "bamba", "nemotron_h",
                                      "plamo2", "hymba", "lfm2", "lfm2_moe", "lfm2_vl", "samba", "phi4flash", "codestral_mamba", "mamba_ssm"};
constexpr std::string_view kRecurrentTypes[]{"rwkv", "rwkv5", "rwkv6", "rwkv7", "recurrent_gemma", "xlstm", "griffin", "retnet", "hgrn", "hgrn2"};
constexpr std::string_view kLinearTypes[]{"qwen3_next", "qwen3_5", "qwen3_5_text", "qwen3_5_moe", "qwen3_5_moe_text", "kimi_linear", "minimax_m1", "minimax_text_01",
                                  "bailing_moe_linear", "ring_linear", "olmo_hybrid", "gla", "delta_net", "gated_deltanet"};
constexpr std::string_view kVisionTypes[]{"vit", "vit_mae", "vit_msn", "deit", "beit", "swin", "swinv2", "convnext", "convnextv2", "dinov2", "dinov3_vit", "resnet", "detr",
                                  "clip", "siglip", "siglip2", "blip", "chinese_clip", "align", "clap", "wav2vec2", "hubert", "wavlm", "sam", "yolos", "segformer",
                                  "clip_vision_model", "siglip_vision_model", "audio-spectrogram-transformer", "timesformer", "videomae"};
constexpr std::string_view kBidirectionalTypes[]{"bert", "roberta", "xlm-roberta", "xlm-roberta-xl", "roberta-prelayernorm", "camembert", "electra", "distilbert",
                                         "deberta", "deberta-v2", "modernbert", "nomic_bert", "esm", "mpnet", "ernie", "megatron-bert", "roformer",
                                         "data2vec-text", "rembert", "eurobert", "neobert", "ibert", "xmod", "layoutlm", "splinter", "nezha"};
/// Decoders of plain layers, whose keys are known.
constexpr std::string_view kPlainTypes[]{
    "llama", "llama4", "llama4_text", "mistral", "mistral3", "ministral", "ministral3", "mistral4", "mixtral", "qwen", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
    "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe", "qwen3_vl_moe_text", "qwen2_5_omni",
    "qwen2_5_omni_text", "qwen3_omni_moe", "qwen3_omni_moe_text", "qwen2_audio", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_vl_v2", "kimi_k2", "kimi_k25", "kimi_vl",
    "gemma", "gemma2", "gemma3", "gemma3_text", "gemma3n", "gemma3n_text", "gemma4", "gemma4_text", "paligemma", "gpt2", "gpt_neo", "gpt_neox", "gptj", "gpt_oss", "gpt_bigcode", "codegen", "bloom", "opt",
    "falcon", "phi", "phi3", "phi3small", "phi4", "phi4mm", "phimoe", "mpt", "dbrx", "starcoder2", "stablelm", "olmo", "olmo2", "olmo3", "olmoe", "flex_olmo", "cohere", "cohere2", "command-r",
    "granite", "granitemoe", "granitemoeshared", "internlm", "internlm2", "internlm3", "internvl_chat", "internvl", "chatglm", "glm", "glm4", "glm4_moe", "glm4v", "glm4v_text", "glm4v_moe", "glm4v_moe_text", "glm_moe_dsa",
    "glm4_moe_lite", "baichuan", "yi", "xverse", "nemotron", "persimmon", "exaone", "exaone4", "exaone_moe", "ernie4_5", "ernie4_5_moe", "hunyuan_v1_dense", "hunyuan_v1_moe", "hunyuan", "minimax", "minimax_m2",
    "minimax_m3", "mimo", "mimo_v2_flash", "bailing_moe", "bailing_moe_v2", "dots1", "seed_oss", "smollm3", "apertus", "arcee", "arctic", "grok-1", "step3", "step3_text", "step3p5", "longcat_flash", "solar", "minicpm", "minicpm3",
    "mllama", "mllama_text_model", "llava", "llava_next", "llava_onevision", "pixtral", "idefics3", "smolvlm", "aria", "aria_text", "orion", "deci", "afmoe", "jais", "openelm", "biogpt", "xglm", "ctrl", "openai-gpt", "gpt_neox_japanese", "aquila", "skywork_moe", "xmodel"};

struct Mark {
    std::string_view key, feature;
};
/// Keys that only such architectures have.
constexpr Mark kMarks[]{
    {"hybrid_override_pattern", feature::kStateSpace}, {"hybrid_layer_ids", feature::kStateSpace}, {"attn_layer_period", feature::kStateSpace},
    {"attn_layer_offset", feature::kStateSpace}, {"attn_layer_indices", feature::kStateSpace}, {"ssm_cfg", feature::kStateSpace},
    {"state_size", feature::kStateSpace}, {"time_step_rank", feature::kStateSpace}, {"conv_L_cache", feature::kStateSpace},
    {"lru_width", feature::kRecurrent}, {"attention_window_size_rnn", feature::kRecurrent},
    {"linear_num_key_heads", feature::kLinearAttention}, {"linear_num_value_heads", feature::kLinearAttention}, {"linear_conv_kernel_dim", feature::kLinearAttention},
    {"linear_attn_config", feature::kLinearAttention}, {"full_attention_interval", feature::kLinearAttention}, {"layer_group_size", feature::kLinearAttention},
    {"block_configs", feature::kUnlikeLayers}, {"ffn_multipliers", feature::kUnlikeLayers}, {"num_query_heads", feature::kUnlikeLayers}, {"per_layer_config", feature::kUnlikeLayers},
    {"compress_ratios", feature::kSparseAttention}, {"compress_ratio", feature::kSparseAttention}};
/// What such a layer is called in lists of layers' kinds.
constexpr Mark kLayerKinds[]{{"mamba", feature::kStateSpace}, {"ssm", feature::kStateSpace}, {"conv", feature::kStateSpace}, {"hybrid", feature::kStateSpace},
                             {"linear", feature::kLinearAttention}, {"lightning", feature::kLinearAttention}, {"delta", feature::kLinearAttention}, {"kda", feature::kLinearAttention},
                             {"recurrent", feature::kRecurrent}, {"compress", feature::kSparseAttention}};
constexpr std::string_view kLayerLists[]{"layer_types", "layers_block_type", "block_types", "attn_type_list", "_block_types", "layers_types"};
/// Keys of parts that the simulator leaves out, beside layers that it has.
constexpr std::string_view kLeftOut[]{"index_topk", "index_n_heads", "sparse_config", "sparse_attention_config", "altup_num_inputs", "laurel_rank", "hidden_size_per_layer_input",
                              "num_kv_shared_layers", "cross_attention_layers", "zero_expert_num", "parallel_attn_mlp_res", "global_head_dim", "num_global_key_value_heads",
                              "swa_num_key_value_heads", "swa_head_dim", "use_double_wide_mlp", "engram_layer_ids", "hc_mult", "attn_output_gate"};

bool isPresent(const JsonValue *value)
{
    if (!value || value->type == JsonValue::Type::Null) return false;
    if (value->type == JsonValue::Type::Boolean) return value->boolean;
    if (value->type == JsonValue::Type::Number) return value->number != 0.0;
    return value->type != JsonValue::Type::Array || !value->items.empty();
}

std::string typeOf(const JsonValue &object)
{
    const JsonValue *type = object.find("model_type");
    return type && type->type == JsonValue::Type::String ? type->text : std::string();
}

/// The feature of the first unusual layer in a list of kinds; `named` tells that there was such a list. Numbers are
/// MiniMax's: 0 is linear, 1 is softmax attention.
std::optional<Mark> unusualLayer(const JsonValue &object, bool &named)
{
    for (const std::string_view key : kLayerLists) {
        const JsonValue *list = object.find(key);
        if (!list || list->type != JsonValue::Type::Array || list->items.empty()) continue;
        named = true;
        for (const JsonValue &item : list->items) {
            if (key == "attn_type_list" && item.type == JsonValue::Type::Number && item.number == 0.0) return Mark{key, feature::kLinearAttention};
            for (const Mark &kind : kLayerKinds)
                if (item.type == JsonValue::Type::String && item.text.find(kind.key) != std::string::npos) return Mark{key, kind.feature};
        }
    }
    return std::nullopt;
}

std::optional<Mark> unusualKey(const JsonValue &object)
{
    for (const Mark &mark : kMarks)
        if (isPresent(object.find(mark.key))) return mark;
    const JsonValue *pattern = object.find("hybrid_layer_pattern");
    if (pattern && pattern->type == JsonValue::Type::String) return Mark{"hybrid_layer_pattern", feature::kStateSpace};
    for (const auto &[name, value] : object.members) {
        if ((name.starts_with("mamba_") || name.starts_with("ssm_")) && isPresent(&value)) return Mark{name, feature::kStateSpace};
        if (name.starts_with("compress_") && isPresent(&value)) return Mark{name, feature::kSparseAttention};
    }
    return std::nullopt;
}

std::optional<std::string_view> unusualType(std::string_view type)
{
    if (isOneOf(type, kEncoderDecoders)) return feature::kEncoderDecoder;
    if (isOneOf(type, kStateSpaceTypes)) return feature::kStateSpace;
    if (isOneOf(type, kRecurrentTypes)) return feature::kRecurrent;
    if (isOneOf(type, kLinearTypes)) return feature::kLinearAttention;
    if (isOneOf(type, kVisionTypes)) return feature::kVision;
    if (type == "albert") return feature::kUnlikeLayers;
    return std::nullopt;
}

bool hasShape(const JsonValue &object)
{
    return std::any_of(object.members.begin(), object.members.end(), [](const auto &member) {
        return isOneOf(member.key, {"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"});
    });
}

} // namespace

LanguageConfig languageConfig(const JsonValue &root)
{
    if (hasShape(root)) return {&root, ""};
    for (const std::string_view key : {"text_config", "llm_config", "language_config", "thinker_config", "llm", "text_model_config", "language_model_config", "decoder_config"}) {
        const JsonValue *inner = root.find(key);
        if (!inner || inner->type != JsonValue::Type::Object) continue;
        LanguageConfig found = languageConfig(*inner);
        found.pointer = "/" + std::string(key) + found.pointer;
        if (hasShape(*found.object)) return found;
    }
    return {&root, ""};
}

std::optional<Error> refuseArchitecture(const JsonValue &root, const LanguageConfig &language, ImportNotes &notes)
{
    const JsonValue &object = *language.object;
    const auto refuse = [&](std::string_view what, const std::string &key) {
        return Error{ErrorCode::ImportNotSimulated, {notes.file(), language.pointer, 0, 0}, {std::string(what), key}};
    };
    for (const JsonValue *each : {&root, &object}) {
        const JsonValue *twoParts = each->find("is_encoder_decoder");
        if (twoParts && twoParts->type == JsonValue::Type::Boolean && twoParts->boolean) return refuse(feature::kEncoderDecoder, "is_encoder_decoder");
        if (const auto what = unusualType(typeOf(*each))) return refuse(*what, "model_type " + typeOf(*each));
    }
    bool named = false;
    if (const auto mark = unusualLayer(object, named)) return refuse(mark->feature, std::string(mark->key));
    if (!named) {
        if (const auto mark = unusualKey(object)) return refuse(mark->feature, std::string(mark->key));
    }
    for (const std::string_view key : kLeftOut)
        if (isPresent(object.find(key))) notes.notSimulated(key);
    for (const std::string_view key : {"vision_config", "audio_config", "visual"})
        if (isPresent(root.find(key))) notes.notSimulated(key);
    const std::string type = typeOf(object).empty() ? typeOf(root) : typeOf(object);
    if (!type.empty() && !isOneOf(type, kPlainTypes) && !isBidirectional(type))
        notes.add({NoticeCode::UnknownModelType, {notes.file(), "", 0, 0}, {type}});
    return std::nullopt;
}

bool isBidirectional(std::string_view type) { return isOneOf(type, kBidirectionalTypes); }

bool hasPlainFfn(std::string_view type)
{
    if (isBidirectional(type)) return !isOneOf(type, {"modernbert", "nomic_bert", "eurobert", "neobert"});
    return isOneOf(type, {"gpt2", "gpt_neo", "gpt_neox", "gpt_neox_japanese", "gptj", "bloom", "opt", "falcon", "phi", "starcoder2", "gpt_bigcode", "mpt",
                          "nemotron", "codegen", "persimmon", "xglm", "biogpt", "ctrl", "openai-gpt", "apertus", "arcee"});
}

bool untiedByDefault(std::string_view type)
{
    return isOneOf(type, {"llama", "llama4", "llama4_text", "mistral", "mistral3", "ministral", "ministral3", "mistral4", "mixtral", "pixtral", "qwen", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe",
                          "qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text", "qwen3_vl", "qwen3_vl_text", "qwen3_vl_moe", "qwen3_vl_moe_text",
                          "qwen2_5_omni_text", "qwen3_omni_moe_text", "deepseek_v2", "deepseek_v3", "deepseek_v32", "deepseek_vl_v2", "kimi_k2", "kimi_k25", "gpt_neox", "gptj", "gpt_oss",
                          "phi", "phi3", "phimoe", "olmo", "olmo2", "olmo3", "olmoe", "dbrx", "codegen", "granite", "granitemoe", "granitemoeshared", "internlm", "internlm2", "internlm3",
                          "chatglm", "glm", "glm4", "glm4_moe", "glm4v_text", "glm4v_moe_text", "glm_moe_dsa", "glm4_moe_lite", "baichuan", "xverse", "nemotron", "persimmon", "exaone", "exaone4",
                          "stablelm", "hunyuan_v1_dense", "hunyuan_v1_moe", "hunyuan", "minimax", "minimax_m2", "minimax_m3", "mimo", "mimo_v2_flash", "bailing_moe", "bailing_moe_v2", "dots1", "seed_oss",
                          "apertus", "arcee", "arctic", "step3_text", "step3p5", "longcat_flash", "solar", "mllama_text_model", "aquila", "orion", "afmoe", "skywork_moe"});
}

} // namespace clusterbeat
