// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_model.h"

#include "model/base/integers.h"
#include "model/formats/layer_pattern.h"
#include "model/formats/megatron_launch.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace clusterbeat {
namespace {

constexpr std::int64_t kGpt2Vocabulary = 50257;
constexpr std::int64_t kMostLayers = 10'000;

std::int64_t roundedUp(std::int64_t value, std::int64_t multiple) { return saturatingProduct((value - 1) / multiple + 1, multiple); }

/// A layer's kind by number or Python list; the rule is said when it is only roughly so.
void readExpertLayers(MegatronReader &reader, const ModelSection &model, MoeShape &moe)
{
    MegatronOptions &options = reader.m_options;
    if (const auto dense = options.integer({"first-k-dense-replace"}, 0)) moe.denseLayers = std::min(*dense, model.layers);
    const std::string frequency = options.text({"moe-layer-freq"});
    if (frequency.empty()) return;
    const auto list = readPythonList(frequency);
    if (!list || (list->number && *list->number < 1)) {
        reader.m_notes.notUnderstood("--moe-layer-freq " + frequency.substr(0, 80));
        return;
    }
    if (list->number) {
        moe.every = *list->number;
        return;
    }
    std::vector<bool> layers(static_cast<std::size_t>(std::clamp<std::int64_t>(model.layers, 1, kMostLayers)), true);
    for (std::size_t i = 0; i < layers.size(); ++i) layers[i] = i < list->items.size() && list->items[i] != 0;
    if (list->items.size() != layers.size()) reader.m_notes.notUnderstood("--moe-layer-freq " + frequency.substr(0, 80));
    const auto pattern = expertPattern(layers);
    moe.experts = pattern ? moe.experts : 0;
    if (!pattern) return;
    moe.denseLayers = pattern->denseLayers;
    moe.every = pattern->every;
    if (!pattern->exact) reader.m_notes.add({NoticeCode::Approximation, {reader.m_notes.file(), "", 0, 0}, {std::string("/model/moe/dense_layers")}});
}

/// Megatron-DeepSpeed puts experts in every second layer from the second on, and sends a token to one.
void readDeepSpeedExperts(MegatronReader &reader, MoeShape &moe)
{
    MegatronOptions &options = reader.m_options;
    moe.topK = reader.orDefault({"topk", "moe-top-k"}, 1, "/model/moe/top_k", why::kMegatronDeepSpeed);
    moe.every = reader.orDefault({"expert-interval"}, 2, "/model/moe/every", why::kMegatronDeepSpeed);
    moe.denseLayers = moe.every - 1;
    if (options.text({"mlp-type"}) == "residual") reader.m_notes.notSimulated("--mlp-type residual");
    if (options.list({"num-experts"}).size() > 1) reader.m_notes.notSimulated("--num-experts");
}

void readExperts(MegatronReader &reader, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    const auto experts = options.integer({"num-experts", "num-moe-experts"});
    if (!experts || *experts < 2) return;
    MoeShape moe;
    moe.experts = *experts;
    if (reader.m_deepSpeed) {
        readDeepSpeedExperts(reader, moe);
        moe.expertFfnHidden = model.ffnHidden;
        model.moe = moe;
        return;
    }
    moe.topK = reader.orDefault({"moe-router-topk", "topk", "moe-topk"}, 2, "/model/moe/top_k");
    moe.expertFfnHidden = reader.orDefault({"moe-ffn-hidden-size", "moe-intermediate-size"}, model.ffnHidden, "/model/moe/expert_ffn_hidden");
    if (const auto shared = options.integer({"moe-shared-expert-intermediate-size", "shared-moe-hidden-size"})) {
        moe.sharedExperts = std::max<std::int64_t>(1, *shared / moe.expertFfnHidden);
        if (*shared % moe.expertFfnHidden != 0)
            reader.m_notes.add({NoticeCode::Approximation, {reader.m_notes.file(), "", 0, 0}, {std::string("/model/moe/shared_experts")}});
    } else {
        moe.sharedExperts = options.integer({"n-shared-experts", "num-shared-experts"}, 0).value_or(0);
    }
    readExpertLayers(reader, model, moe);
    if (moe.experts > 0) model.moe = moe;
}

/// Transformer Engine's window is "keys behind, keys before"; every n-th layer of `window-attn-skip-freq` sees all.
void readWindow(MegatronReader &reader, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    const std::vector<std::string> parts = options.list({"window-size"});
    const std::string frequency = options.text({"window-attn-skip-freq"});
    if (parts.empty()) return;
    std::string text;
    for (const std::string &part : parts) text += part + ",";
    while (!text.empty() && text.back() == ',') text.pop_back();
    const std::size_t begin = text.find_first_not_of("( [");
    const auto end = text.find_first_of(", )]", begin == std::string::npos ? 0 : begin);
    const auto behind = begin == std::string::npos ? std::nullopt : readPythonList(text.substr(begin, end == std::string::npos ? end : end - begin));
    if (!behind || !behind->number) {
        if (text.find('-') == std::string::npos) reader.m_notes.notUnderstood("--window-size " + text.substr(0, 40));
        return;
    }
    const std::int64_t size = *behind->number + 1;
    std::vector<bool> windowed(static_cast<std::size_t>(std::clamp<std::int64_t>(model.layers, 1, kMostLayers)), true);
    const auto skip = frequency.empty() ? std::nullopt : readPythonList(frequency);
    if (!frequency.empty() && !skip) reader.m_notes.notUnderstood("--window-attn-skip-freq " + frequency.substr(0, 80));
    for (std::size_t i = 0; skip && i < windowed.size(); ++i) {
        if (skip->number) windowed[i] = *skip->number < 1 || static_cast<std::int64_t>(i + 1) % *skip->number != 0;
        else windowed[i] = i < skip->items.size() && skip->items[i] != 0;
    }
    model.attentionWindow = windowPattern(size, windowed);
}

void readAttention(MegatronReader &reader, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    // Megatron-LM's default is one query group, but only once grouped-query attention is asked for.
    if (options.has({"group-query-attention"})) model.kvHeads = reader.orDefault({"num-query-groups"}, 1, "/model/kv_heads");
    else model.kvHeads = reader.orDefault({"num-key-value-heads"}, model.heads, "/model/kv_heads");
    if (options.has({"multi-latent-attention", "multi-head-latent-attention"})) {
        MlaShape mla;
        mla.qLoraRank = options.integer({"q-lora-rank"}).value_or(0);
        mla.kvLoraRank = reader.orDefault({"kv-lora-rank"}, 32, "/model/mla/kv_lora_rank");
        mla.nopeHeadDim = reader.orDefault({"qk-head-dim", "qk-nope-head-dim"}, 128, "/model/mla/nope_head_dim");
        mla.ropeHeadDim = reader.orDefault({"qk-pos-emb-head-dim", "qk-rope-head-dim"}, 64, "/model/mla/rope_head_dim");
        mla.vHeadDim = reader.orDefault({"v-head-dim"}, 128, "/model/mla/v_head_dim");
        model.mla = mla;
        model.headDim = mla.nopeHeadDim + mla.ropeHeadDim;
        return;
    }
    const std::int64_t headDim = std::max<std::int64_t>(1, model.hidden / std::max<std::int64_t>(1, model.heads));
    model.headDim = reader.orDefault({"kv-channels"}, headDim, "/model/head_dim");
}

void readVocabulary(MegatronReader &reader, std::int64_t tensor, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    ImportNotes &notes = reader.m_notes;
    const bool gpt2 = options.has({"vocab-file", "merge-file"}) || options.text({"tokenizer-type"}) == "GPT2BPETokenizer";
    const auto padded = options.integer({"padded-vocab-size", "pad-vocab-size-to"});
    const auto plain = options.integer({"vocab-size"});
    if (padded) {
        model.vocab = *padded;
        return;
    }
    // The embedding is cut evenly over the tensor-parallel ranks, so the vocabulary is padded to a multiple.
    const std::int64_t multiple = saturatingProduct(options.integer({"make-vocab-size-divisible-by"}).value_or(128), tensor);
    model.vocab = roundedUp(plain.value_or(kGpt2Vocabulary), multiple);
    if (!plain) notes.defaultTaken("/model/vocab", model.vocab, gpt2 ? why::kGpt2Vocabulary : why::kNotInFile);
    else if (model.vocab != *plain) notes.defaultTaken("/model/vocab", model.vocab, why::kPadded);
}

/// Marks of models that are not made of plain transformer layers.
std::optional<std::pair<std::string_view, std::string>> foreignKind(MegatronOptions &options)
{
    const std::string program = options.program();
    const auto runs = [&](std::string_view part) { return options.runs(part); };
    for (const std::string_view mark : {"hybrid-override-pattern", "hybrid-layer-pattern", "is-hybrid-model", "hybrid-attention-ratio", "hybrid-mlp-ratio", "mamba-state-dim", "mamba-num-heads"})
        if (options.has({mark})) return std::pair(feature::kStateSpace, "--" + std::string(mark));
    if (runs("mamba") || runs("hybrid")) return std::pair(feature::kStateSpace, program);
    const std::string variant = options.text({"experimental-attention-variant", "linear-attention-type"});
    if (options.has({"linear-attention-freq"}) || variant.find("delta") != std::string::npos || variant.find("linear") != std::string::npos)
        return std::pair(feature::kLinearAttention, std::string("--linear-attention-freq"));
    if (options.has({"retro-add-retriever", "retro-workdir"}) || runs("retro")) return std::pair(feature::kRetrieval, runs("retro") ? program : "--retro-add-retriever");
    const bool encoder = options.has({"encoder-num-layers", "decoder-num-layers", "encoder-pipeline-model-parallel-size"});
    if (encoder) return std::pair(feature::kEncoderDecoder, std::string("--encoder-num-layers"));
    if (runs("t5") || runs("ul2") || runs("bart")) return std::pair(feature::kEncoderDecoder, program);
    if (runs("vision") || runs("vit") || runs("dino") || runs("inpaint")) return std::pair(feature::kVision, program);
    if (runs("ict") || runs("biencoder")) return std::pair(feature::kEncoderDecoder, program);
    if (options.has({"heterogeneous-layers-config-path", "heterogeneous-layers-config-encoded-json"}))
        return std::pair(feature::kUnlikeLayers, std::string("--heterogeneous-layers-config-path"));
    return std::nullopt;
}

} // namespace

std::int64_t MegatronReader::required(std::string_view name)
{
    const auto value = m_options.integer({name});
    if (!value && !m_missing) m_missing = missingOption("--" + std::string(name), m_options.words(), m_script, m_notes.file());
    return value.value_or(1);
}

std::int64_t MegatronReader::orDefault(MegatronOptions::Names names, std::int64_t fallback, std::string_view key, std::string_view reason)
{
    const auto value = m_options.integer(names);
    if (!value) m_notes.defaultTaken(key, fallback, reason);
    return value.value_or(fallback);
}

Result<MegatronKind> megatronKind(MegatronOptions &options, const ImportNotes &notes)
{
    if (const auto foreign = foreignKind(options))
        return Error{ErrorCode::ImportNotSimulated, {notes.file(), "", 0, 0}, {std::string(foreign->first), foreign->second}};
    if (options.has({"vision-model-type", "language-model-type", "allow-missing-vision-projection-checkpoint"}) ||
        options.runs("vlm"))
        return MegatronKind::VisionLanguage;
    return options.runs("bert") || options.has({"bert-no-binary-head"}) ? MegatronKind::Bidirectional : MegatronKind::Decoder;
}

ModelSection readMegatronModel(MegatronReader &reader, std::int64_t tensor)
{
    MegatronOptions &options = reader.m_options;
    ModelSection model;
    model.layers = reader.required("num-layers");
    model.hidden = reader.required("hidden-size");
    model.heads = reader.required("num-attention-heads");
    const bool swiglu = options.has({"swiglu"});
    const std::string glu = options.text({"glu-activation"});
    model.gatedFfn = swiglu || options.has({"quick-geglu", "geglu"}) || !glu.empty();
    model.activation = swiglu || glu == "swiglu" ? "silu" : options.has({"squared-relu"}) ? "relu2" : "gelu";
    // Two thirds of 4 h keep a gated block's parameters; Megatron-LM rounds them down to a multiple of 64.
    const std::int64_t ffn = swiglu ? saturatingProduct(8, model.hidden) / 3 / 64 * 64 : saturatingProduct(4, model.hidden);
    model.ffnHidden = reader.orDefault({"ffn-hidden-size"}, std::max<std::int64_t>(1, ffn), "/model/ffn_hidden");
    readAttention(reader, model);
    model.tiedEmbeddings = !options.has({"untie-embeddings-and-output-weights"});
    readVocabulary(reader, tensor, model);
    readExperts(reader, model);
    readWindow(reader, model);
    model.mtpLayers = options.integer({"mtp-num-layers"}, 0).value_or(0);
    return model;
}


} // namespace clusterbeat
