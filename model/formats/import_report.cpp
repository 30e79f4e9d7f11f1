// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import_report.h"

#include "model/scenario/json_value.h"
#include "model/scenario/scenario_json.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

struct KeyPointer {
    std::string_view key, pointer;
};
/// Keys of the files by what they set; of a Hugging Face key the last token.
constexpr KeyPointer kPointers[]{
    {"--num-layers", "/model/layers"}, {"--hidden-size", "/model/hidden"}, {"--ffn-hidden-size", "/model/ffn_hidden"},
    {"--num-attention-heads", "/model/heads"}, {"--num-query-groups", "/model/kv_heads"}, {"--group-query-attention", "/model/kv_heads"},
    {"--num-key-value-heads", "/model/kv_heads"}, {"--kv-channels", "/model/head_dim"}, {"--vocab-size", "/model/vocab"},
    {"--padded-vocab-size", "/model/vocab"}, {"--swiglu", "/model/gated_ffn"}, {"--quick-geglu", "/model/gated_ffn"},
    {"--squared-relu", "/model/activation"}, {"--untie-embeddings-and-output-weights", "/model/tied_embeddings"},
    {"--mtp-num-layers", "/model/mtp_layers"}, {"--window-size", "/model/attention_window"}, {"--window-attn-skip-freq", "/model/attention_window"},
    {"--num-experts", "/model/moe/experts"}, {"--moe-router-topk", "/model/moe/top_k"}, {"--topk", "/model/moe/top_k"},
    {"--moe-ffn-hidden-size", "/model/moe/expert_ffn_hidden"}, {"--moe-shared-expert-intermediate-size", "/model/moe/shared_experts"},
    {"--moe-layer-freq", "/model/moe"}, {"--expert-interval", "/model/moe/every"}, {"--kv-lora-rank", "/model/mla/kv_lora_rank"},
    {"--q-lora-rank", "/model/mla/q_lora_rank"}, {"--qk-head-dim", "/model/mla/nope_head_dim"}, {"--qk-pos-emb-head-dim", "/model/mla/rope_head_dim"},
    {"--v-head-dim", "/model/mla/v_head_dim"}, {"--seq-length", "/training/sequence_length"}, {"--decoder-seq-length", "/training/sequence_length"},
    {"--micro-batch-size", "/training/micro_batch"}, {"--global-batch-size", "/training/global_batch"}, {"--bf16", "/training/precision"},
    {"--fp16", "/training/precision"}, {"--fp8-format", "/training/precision"}, {"--fp4-format", "/training/precision"},
    {"--recompute-granularity", "/training/recompute"}, {"--recompute-method", "/training/recompute"}, {"--recompute-num-layers", "/training/recompute"},
    {"--recompute-activations", "/training/recompute"}, {"--recompute-modules", "/training/recompute"}, {"--moe-layer-recompute", "/training/recompute"},
    {"--checkpoint-activations", "/training/recompute"}, {"--optimizer-cpu-offload", "/training/optimizer_offload"},
    {"--cpu-offloading-num-layers", "/training/offload_layers"}, {"--grad-reduce-in-bf16", "/training/gradient_bytes"},
    {"--accumulate-allreduce-grads-in-fp32", "/training/gradient_bytes"}, {"--fp8-param-gather", "/training/parameter_gather_bytes"},
    {"--tensor-model-parallel-size", "/layout/tensor"}, {"--model-parallel-size", "/layout/tensor"},
    {"--pipeline-model-parallel-size", "/layout/pipeline"}, {"--context-parallel-size", "/layout/context"},
    {"--expert-model-parallel-size", "/layout/expert"}, {"--moe-expert-parallel-size", "/layout/expert"},
    {"--expert-tensor-parallel-size", "/layout/expert_tensor"}, {"--sequence-parallel", "/layout/sequence_parallel"},
    {"--num-layers-per-virtual-pipeline-stage", "/layout/virtual_pipeline"}, {"--num-virtual-stages-per-pipeline-rank", "/layout/virtual_pipeline"},
    {"--pipeline-model-parallel-layout", "/layout/layers_per_stage"}, {"--num-layer-list", "/layout/layers_per_stage"},
    {"--use-distributed-optimizer", "/layout/zero_stage"}, {"--zero-stage", "/layout/zero_stage"}, {"--cp-comm-type", "/layout/context_exchange"},
    {"--enable-zero-bubble", "/layout/schedule"}, {"--enable-zbh1-pipeline", "/layout/schedule"}, {"--zero-bubble-v-schedule", "/layout/schedule"},
    {"--overlap-grad-reduce", "/layout/overlap"}, {"--tp-comm-overlap", "/software/tensor_overlap"}, {"--attention-backend", "/software/attention_kernel"},
    {"--use-flash-attn", "/software/attention_kernel"}, {"--cross-entropy-loss-fusion", "/software/fused_cross_entropy"},
    {"--moe-token-dispatcher-type", "/software/moe_dispatcher"}, {"--moe-enable-deepep", "/software/moe_dispatcher"},
    {"--overlap-moe-expert-parallel-comm", "/software/expert_overlap"}, {"--nproc-per-node", "/cluster/gpus_per_server"}, {"--nnodes", "/cluster/gpus"},
    {"num_hidden_layers", "/model/layers"}, {"n_layer", "/model/layers"}, {"n_layers", "/model/layers"}, {"num_layers", "/model/layers"},
    {"hidden_size", "/model/hidden"}, {"n_embd", "/model/hidden"}, {"n_embed", "/model/hidden"}, {"d_model", "/model/hidden"},
    {"num_attention_heads", "/model/heads"}, {"n_head", "/model/heads"}, {"n_heads", "/model/heads"}, {"vocab_size", "/model/vocab"},
    {"padded_vocab_size", "/model/vocab"}, {"intermediate_size", "/model/ffn_hidden"}, {"n_inner", "/model/ffn_hidden"},
    {"ffn_hidden_size", "/model/ffn_hidden"}, {"intermediate_size_mlp", "/model/ffn_hidden"}, {"num_key_value_heads", "/model/kv_heads"},
    {"num_kv_heads", "/model/kv_heads"}, {"kv_n_heads", "/model/kv_heads"}, {"head_dim", "/model/head_dim"}, {"hidden_act", "/model/activation"},
    {"hidden_activation", "/model/activation"}, {"activation_function", "/model/activation"}, {"tie_word_embeddings", "/model/tied_embeddings"},
    {"sliding_window", "/model/attention_window"}, {"layer_types", "/model/attention_window"}, {"sliding_window_pattern", "/model/attention_window"},
    {"num_local_experts", "/model/moe/experts"}, {"n_routed_experts", "/model/moe/experts"}, {"num_experts", "/model/moe/experts"},
    {"moe_num_experts", "/model/moe/experts"}, {"num_experts_per_tok", "/model/moe/top_k"}, {"moe_top_k", "/model/moe/top_k"}, {"moe_k", "/model/moe/top_k"},
    {"moe_intermediate_size", "/model/moe/expert_ffn_hidden"}, {"n_shared_experts", "/model/moe/shared_experts"},
    {"moe_num_shared_experts", "/model/moe/shared_experts"}, {"shared_expert_intermediate_size", "/model/moe/shared_experts"},
    {"first_k_dense_replace", "/model/moe/dense_layers"}, {"moe_layer_start_index", "/model/moe/dense_layers"}, {"moe_layer_freq", "/model/moe"},
    {"interleave_moe_layer_step", "/model/moe/every"}, {"decoder_sparse_step", "/model/moe/every"}, {"num_nextn_predict_layers", "/model/mtp_layers"},
    {"kv_lora_rank", "/model/mla/kv_lora_rank"}, {"q_lora_rank", "/model/mla/q_lora_rank"}, {"qk_nope_head_dim", "/model/mla/nope_head_dim"},
    {"qk_rope_head_dim", "/model/mla/rope_head_dim"}, {"v_head_dim", "/model/mla/v_head_dim"}, {"max_position_embeddings", "/training/sequence_length"},
    {"torch_dtype", "/training/precision"}, {"dtype", "/training/precision"}};

std::string_view lastToken(std::string_view key)
{
    const std::size_t slash = key.find_last_of('/');
    return key.starts_with("/") && slash != std::string_view::npos ? key.substr(slash + 1) : key;
}

/// Underscores of an option count as hyphens, as in argparse.
std::string pointerOf(std::string_view key)
{
    std::string name(lastToken(key));
    if (name.starts_with("--")) std::replace(name.begin(), name.end(), '_', '-');
    for (const KeyPointer &each : kPointers)
        if (each.key == name) return std::string(each.pointer);
    return {};
}

/// The scenario's value, "" when it is a default that the file format leaves out.
std::string valueAt(const JsonValue &scenario, std::string_view pointer)
{
    const JsonValue *at = &scenario;
    while (!pointer.empty() && at) {
        const std::size_t end = pointer.find('/', 1);
        at = at->type == JsonValue::Type::Object ? at->find(pointer.substr(1, end == std::string_view::npos ? end : end - 1)) : nullptr;
        pointer = end == std::string_view::npos ? std::string_view() : pointer.substr(end);
    }
    if (!at) return {};
    if (at->type == JsonValue::Type::String) return at->text;
    std::string text = writeJson(*at);
    text.erase(std::unique(text.begin(), text.end(), [](char a, char b) { return (a == ' ' || a == '\n') && (b == ' ' || b == '\n'); }), text.end());
    std::replace(text.begin(), text.end(), '\n', ' ');
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text.substr(0, 200);
}

/// Line of the last place where the key stands as a word: the last of several options wins.
int lineOf(std::string_view text, std::string_view key)
{
    const std::string_view word = lastToken(key);
    const auto isPart = [&](std::size_t i) { return i < text.size() && (text[i] == '_' || text[i] == '-' || (text[i] >= '0' && text[i] <= '9') ||
                                                                        (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= 'A' && text[i] <= 'Z')); };
    std::size_t at = word.empty() ? std::string_view::npos : text.rfind(word);
    while (at != std::string_view::npos && (isPart(at + word.size()) || (at > 0 && isPart(at - 1)))) at = at == 0 ? std::string_view::npos : text.rfind(word, at - 1);
    return at == std::string_view::npos ? 0 : 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

std::string textOf(const Argument &argument)
{
    if (const auto *text = std::get_if<std::string>(&argument)) return *text;
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return std::to_string(*integer);
    return std::to_string(std::get<double>(argument));
}

void addNotice(const Notice &notice, std::string_view text, ImportReport &report)
{
    const auto argument = [&](std::size_t i) { return i < notice.arguments.size() ? textOf(notice.arguments[i]) : std::string(); };
    const auto assumed = [&](std::string pointer, std::string value, std::string_view reason) {
        report.push_back({ImportOrigin::Assumed, std::move(pointer), std::move(value), {}, notice.place.line, std::string(reason)});
    };
    const auto said = [&](ImportOrigin origin, const std::string &key) {
        report.push_back({origin, pointerOf(key), {}, key, lineOf(text, key.substr(0, key.find(' '))), {}});
    };
    switch (notice.code) {
    case NoticeCode::DefaultTaken: assumed(argument(0), argument(1), argument(2)); break;
    case NoticeCode::WorldGrown: assumed("/cluster/gpus", argument(1), why::kSmallestWorld); break;
    case NoticeCode::LayoutChosen:
        assumed("/layout/tensor", argument(0), why::kSmallestThatFits);
        assumed("/layout/pipeline", argument(1), why::kSmallestThatFits);
        assumed("/layout/data", argument(2), why::kSmallestThatFits);
        break;
    case NoticeCode::Approximation: assumed(argument(0), {}, why::kRoughly); break;
    case NoticeCode::IgnoredOption: said(ImportOrigin::NoEffect, argument(0)); break;
    case NoticeCode::NotSimulated: said(ImportOrigin::NotSimulated, argument(0)); break;
    case NoticeCode::NotUnderstood: said(ImportOrigin::NotUnderstood, argument(0)); break;
    case NoticeCode::UnresolvedVariable: said(ImportOrigin::NotUnderstood, argument(0)); break;
    case NoticeCode::UnknownModelType: report.push_back({ImportOrigin::NotUnderstood, {}, argument(0), "model_type", lineOf(text, "model_type"), {}}); break;
    default: break;
    }
}

} // namespace

std::string_view nameOf(ImportOrigin origin)
{
    switch (origin) {
    case ImportOrigin::Read: return "read";
    case ImportOrigin::Assumed: return "assumed";
    case ImportOrigin::NotSimulated: return "not_simulated";
    case ImportOrigin::NotUnderstood: return "not_understood";
    case ImportOrigin::NoEffect: return "no_effect";
    }
    return "";
}

ImportReport importReport(const ImportNotes &notes, std::string_view text, const Scenario &scenario)
{
    const auto json = parseJson(writeScenario(scenario));
    ImportReport report;
    for (const ImportNotes::Fact &fact : notes.facts()) {
        ImportRow row{fact.read ? ImportOrigin::Read : ImportOrigin::NoEffect, fact.read ? pointerOf(fact.key) : std::string(), fact.value, fact.key, lineOf(text, fact.key), {}};
        const std::string value = json.ok() && !row.pointer.empty() ? valueAt(json.value(), row.pointer) : std::string();
        if (!value.empty()) row.value = value;
        if (std::find(report.begin(), report.end(), row) == report.end()) report.push_back(std::move(row));
    }
    for (const Notice &notice : notes.notices()) addNotice(notice, text, report);
    std::stable_sort(report.begin(), report.end(), [](const ImportRow &a, const ImportRow &b) { return a.origin < b.origin; });
    return report;
}

std::vector<std::string> scenarioValues(const ImportReport &report, const Scenario &scenario)
{
    const auto json = parseJson(writeScenario(scenario));
    std::vector<std::string> values;
    for (const ImportRow &row : report)
        values.push_back(json.ok() && row.pointer.starts_with("/") ? valueAt(json.value(), row.pointer) : std::string());
    return values;
}

std::string writeImportReport(const ImportReport &report)
{
    JsonValue rows = JsonValue::array();
    for (const ImportRow &each : report) {
        JsonValue row = JsonValue::object();
        row.set("origin", JsonValue::ofString(std::string(nameOf(each.origin))));
        const std::pair<const char *, const std::string *> texts[]{{"pointer", &each.pointer}, {"value", &each.value}, {"key", &each.key}, {"reason", &each.reason}};
        for (const auto &[name, text] : texts)
            if (!text->empty()) row.set(name, JsonValue::ofString(*text));
        if (each.line > 0) row.set("line", JsonValue::ofInteger(each.line));
        rows.items.push_back(std::move(row));
    }
    JsonValue root = JsonValue::object();
    root.set("rows", std::move(rows));
    return writeJson(root);
}

} // namespace clusterbeat
