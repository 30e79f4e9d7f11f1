// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/formats/import_notes.h"
#include "model/scenario/resolve.h"
#include "model/workload/flops.h"

#include <QtTest>

#include <algorithm>
#include <string>

using namespace clusterbeat;

/// Configurations of many families: those that are not plain transformers are refused by name, the others have the size
/// that their makers print.
class TestHfArchitectures : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void refused_data();
    void refused();
    void unknownTypesAreSaid();
    void windows_data();
    void windows();
    void publishedSizes_data();
    void publishedSizes();
    void expertLayers_data();
    void expertLayers();
    void wrappers();
    void tiedWords();
    void pythonNumbers();
    void otherNames();

private:
    Result<Imported> result(const std::string &text) const { return importForeign(text, "config.json", m_catalogue, ForeignFormat::HuggingFaceConfig); }
    Scenario read(const std::string &text) const;
    Scenario with(const std::string &type, const std::string &keys) const;
    Catalogue m_catalogue;
};

namespace
{

const std::string kShape = R"("hidden_size": 2048, "intermediate_size": 8192, "num_attention_heads": 16, "num_hidden_layers": 24,
    "num_key_value_heads": 8, "vocab_size": 100000, "torch_dtype": "bfloat16", "max_position_embeddings": 32768)";

bool says(const Imported &import, NoticeCode code, const std::string &first)
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        return notice.code == code && !notice.arguments.empty() && notice.arguments.front() == Argument(first);
    });
}

} // namespace

void TestHfArchitectures::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = std::move(loaded).value();
}

Scenario TestHfArchitectures::read(const std::string &text) const
{
    auto imported = result(text);
    if (!imported.ok()) {
        qWarning("code %d at %s", static_cast<int>(imported.error().code), imported.error().place.pointer.c_str());
        return {};
    }
    return imported.value().scenario;
}

Scenario TestHfArchitectures::with(const std::string &type, const std::string &keys) const
{
    return read(R"({"model_type": ")" + type + R"(", )" + kShape + (keys.empty() ? "" : ", ") + keys + "}");
}

void TestHfArchitectures::refused_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *name, const char *type, const char *keys, std::string_view what) {
        QTest::newRow(name) << QString::fromLatin1(type) << QString::fromLatin1(keys) << QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()));
    };
    // By the type alone, and by the keys with a type that nobody knows yet.
    row("Qwen3-Next", "qwen3_next", R"("full_attention_interval": 4)", feature::kLinearAttention);
    row("gated delta", "newmodel", R"("linear_num_key_heads": 16)", feature::kLinearAttention);
    row("layer types", "newmodel", R"("layer_types": ["linear_attention", "full_attention"])", feature::kLinearAttention);
    row("lightning", "newmodel", R"("attn_type_list": [0, 0, 1])", feature::kLinearAttention);
    row("Jamba", "jamba", R"("attn_layer_period": 8)", feature::kStateSpace);
    row("attention now and then", "newmodel", R"("attn_layer_period": 8)", feature::kStateSpace);
    row("Nemotron-H", "nemotron_h", R"("hybrid_override_pattern": "M-M*")", feature::kStateSpace);
    row("its pattern", "newmodel", R"("hybrid_override_pattern": "M-M*")", feature::kStateSpace);
    row("Granite 4", "granitemoehybrid", R"("layer_types": ["mamba", "attention"], "mamba_d_state": 128)", feature::kStateSpace);
    row("any mamba key", "newmodel", R"("mamba_d_state": 128)", feature::kStateSpace);
    row("Zamba", "newmodel", R"("layers_block_type": ["mamba", "hybrid"])", feature::kStateSpace);
    row("LFM2", "newmodel", R"("layer_types": ["conv", "full_attention"])", feature::kStateSpace);
    row("Griffin", "newmodel", R"("block_types": ["recurrent", "attention"])", feature::kRecurrent);
    row("RWKV", "rwkv", "", feature::kRecurrent);
    row("T5", "t5", "", feature::kEncoderDecoder);
    row("two parts", "newmodel", R"("is_encoder_decoder": true)", feature::kEncoderDecoder);
    row("Whisper", "whisper", "", feature::kEncoderDecoder);
    row("ViT", "vit", "", feature::kVision);
    row("blocks that differ", "nemotron-nas", R"("block_configs": [{"attention": {}}])", feature::kUnlikeLayers);
    row("heads that differ", "newmodel", R"("num_kv_heads": [2, 4, 8])", feature::kUnlikeLayers);
    row("widths that differ", "newmodel", R"("ffn_multipliers": [0.5, 1.0])", feature::kUnlikeLayers);
    row("compressed keys", "newmodel", R"("compress_ratios": [4, 128])", feature::kSparseAttention);
}

void TestHfArchitectures::refused()
{
    QFETCH(const QString, type);
    QFETCH(const QString, keys);
    QFETCH(const QString, what);
    const std::string inner = keys.isEmpty() ? std::string() : ", " + keys.toStdString();
    const std::string shape = QString::fromStdString(kShape).replace(QStringLiteral("\"num_key_value_heads\": 8, "), QString()).toStdString();
    const std::string object = R"({"model_type": ")" + type.toStdString() + R"(", )" + shape + inner + "}";
    // The language model of a wrapper is looked at in the same way.
    for (const std::string &text : {object, R"({"model_type": "wrapper", "text_config": )" + object + "}"}) {
        const auto refused = result(text);
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::ImportNotSimulated);
        QCOMPARE(refused.error().arguments.front(), Argument(what.toStdString()));
    }
}

// A plain model is imported; that its type is new is said. All attention is no hybrid, though the keys of one are there.
void TestHfArchitectures::unknownTypesAreSaid()
{
    const auto unknown = result(R"({"model_type": "brand_new", )" + kShape + "}");
    QVERIFY(unknown.ok() && says(unknown.value(), NoticeCode::UnknownModelType, "brand_new"));
    const auto known = result(R"({"model_type": "llama", )" + kShape + "}");
    QVERIFY(known.ok() && !says(known.value(), NoticeCode::UnknownModelType, "llama"));
    QVERIFY(result(R"({"model_type": "granitemoehybrid", "layer_types": ["attention", "attention"], "mamba_d_state": 128, )" + kShape + "}").ok());
    const auto sparse = result(R"({"model_type": "deepseek_v32", "index_topk": 2048, )" + kShape + "}");
    QVERIFY(sparse.ok() && says(sparse.value(), NoticeCode::NotSimulated, "index_topk"));
    const Scenario bert = with("bert", R"("hidden_act": "gelu")");
    QVERIFY(!bert.training->causalAttention);
    QVERIFY(!bert.model->gatedFfn);
    QVERIFY(with("llama", "").training->causalAttention);
}

void TestHfArchitectures::windows_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("every");
    QTest::addColumn<int>("globalEvery");
    QTest::addColumn<int>("global");
    const auto row = [](const char *name, const char *type, const char *keys, int every, int globalEvery = 0, int global = 0) {
        QTest::newRow(name) << QString::fromLatin1(type) << QString::fromLatin1(keys) << every << globalEvery << global;
    };
    const char *window = R"("sliding_window": 512)";
    row("Mistral: all", "mistral", window, 1);
    row("gpt-oss by its list", "gpt_oss", R"("sliding_window": 512, "layer_types": ["sliding_attention", "full_attention"])", 2);
    row("gpt-oss by its class", "gpt_oss", window, 2);
    row("Gemma 2", "gemma2", window, 2);
    row("Gemma 3", "gemma3_text", window, 1, 6);
    row("Gemma 3, pattern", "gemma3_text", R"("sliding_window": 512, "sliding_window_pattern": 3)", 1, 3);
    row("Gemma 3, saved", "gemma3_text", R"("sliding_window": 512, "_sliding_window_pattern": 6)", 1, 6);
    row("Command R7B", "cohere2", window, 1, 4);
    row("EXAONE 4: LLLG and the last", "exaone4", R"("sliding_window": 512, "sliding_window_pattern": "LLLG")", 1, 4);
    row("MiMo: numbers", "mimo_v2_flash", R"("sliding_window": 512, "hybrid_layer_pattern": [0, 1, 1, 1])", 1, 0, 6);
    row("five of six by list", "olmo3", R"("sliding_window": 512, "layer_types": ["sliding_attention", "sliding_attention", "sliding_attention",
        "sliding_attention", "sliding_attention", "full_attention"])", 1, 6);
    row("Qwen does not use it", "qwen2", window, 0);
    row("Qwen uses it behind the first", "qwen2", R"("sliding_window": 512, "use_sliding_window": true, "max_window_layers": 20)", 1, 0, 20);
    row("null", "mistral", R"("sliding_window": null)", 0);
    row("longer than the sequence", "mistral", R"("sliding_window": 32768)", 0);
    row("Llama 4 in chunks", "llama4_text", R"("attention_chunk_size": 4096)", 1, 4);
}

void TestHfArchitectures::windows()
{
    QFETCH(const QString, type);
    QFETCH(const QString, keys);
    QFETCH(const int, every);
    QFETCH(const int, globalEvery);
    QFETCH(const int, global);
    const Scenario scenario = with(type.toStdString(), keys.toStdString());
    const auto window = scenario.model->attentionWindow;
    QCOMPARE(window.has_value(), every > 0);
    if (!window) return;
    QCOMPARE(window->every, every);
    QCOMPARE(window->globalEvery, globalEvery);
    QCOMPARE(static_cast<int>(window->globalLayers.size()), global);
}

// The names and numbers of the models' own configurations; the sizes are those that their makers print (model cards and
// reports; the language model's alone where there is a vision part).
void TestHfArchitectures::publishedSizes_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<double>("billions");
    QTest::addColumn<double>("tolerance");
    QTest::newRow("Llama 4 Maverick") << R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text", "hidden_size": 5120, "num_hidden_layers": 48,
        "num_attention_heads": 40, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 8192, "intermediate_size_mlp": 16384, "num_local_experts": 128,
        "num_experts_per_tok": 1, "interleave_moe_layer_step": 2, "vocab_size": 202048, "hidden_act": "silu"}})" << 400.0 << 0.01;
    QTest::newRow("DBRX") << R"({"model_type": "dbrx", "d_model": 6144, "n_layers": 40, "n_heads": 48, "max_seq_len": 32768, "vocab_size": 100352,
        "attn_config": {"kv_n_heads": 8, "clip_qkv": 8}, "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4,
        "ffn_act_fn": {"name": "silu"}}})" << 132.0 << 0.01;
    QTest::newRow("Mixtral 8x7B") << R"({"model_type": "mixtral", "hidden_size": 4096, "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8,
        "intermediate_size": 14336, "num_local_experts": 8, "num_experts_per_tok": 2, "vocab_size": 32000})" << 46.7 << 0.005;
    QTest::newRow("Gemma 2 9B") << R"({"model_type": "gemma2", "hidden_size": 3584, "num_hidden_layers": 42, "num_attention_heads": 16, "num_key_value_heads": 8,
        "head_dim": 256, "intermediate_size": 14336, "vocab_size": 256000, "hidden_activation": "gelu_pytorch_tanh"})" << 9.24 << 0.005;
    QTest::newRow("Gemma 3 27B") << R"({"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": 5376, "num_hidden_layers": 62,
        "num_attention_heads": 32, "num_key_value_heads": 16, "head_dim": 128, "intermediate_size": 21504, "vocab_size": 262208, "sliding_window": 1024}})" << 27.0 << 0.01;
    QTest::newRow("Qwen3-VL 8B") << R"({"model_type": "qwen3_vl", "tie_word_embeddings": false, "text_config": {"model_type": "qwen3_vl_text", "hidden_size": 4096,
        "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "intermediate_size": 12288, "vocab_size": 151936},
        "vision_config": {"depth": 27}})" << 8.19 << 0.005;
    QTest::newRow("gpt-oss 120B") << R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_hidden_layers": 36, "num_attention_heads": 64, "num_key_value_heads": 8,
        "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 128, "num_experts_per_tok": 4, "vocab_size": 201088, "sliding_window": 128})" << 116.8 << 0.01;
    QTest::newRow("ERNIE 4.5 21B-A3B") << R"({"model_type": "ernie4_5_moe", "hidden_size": 2560, "num_hidden_layers": 28, "num_attention_heads": 20,
        "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 12288, "moe_num_experts": 64, "moe_k": 6, "moe_num_shared_experts": 2,
        "moe_layer_start_index": 1, "moe_layer_end_index": 27, "moe_intermediate_size": 1536, "vocab_size": 103424, "tie_word_embeddings": true})" << 21.8 << 0.015;
    QTest::newRow("MiniMax-M2") << R"({"model_type": "minimax_m2", "hidden_size": 3072, "num_hidden_layers": 62, "num_attention_heads": 48, "num_key_value_heads": 8,
        "head_dim": 128, "intermediate_size": 1536, "num_local_experts": 256, "num_experts_per_tok": 8, "vocab_size": 200064, "tie_word_embeddings": false})" << 229.0 << 0.01;
    QTest::newRow("BLOOM") << R"({"model_type": "bloom", "n_embed": 14336, "n_layer": 70, "num_attention_heads": 112, "vocab_size": 250880})" << 176.2 << 0.005;
    QTest::newRow("Falcon 40B") << R"({"model_type": "falcon", "hidden_size": 8192, "num_hidden_layers": 60, "num_attention_heads": 128, "num_kv_heads": 8,
        "new_decoder_architecture": true, "multi_query": true, "vocab_size": 65024})" << 41.3 << 0.01;
    QTest::newRow("Falcon 7B") << R"({"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "num_kv_heads": 71,
        "new_decoder_architecture": false, "multi_query": true, "vocab_size": 65024})" << 6.92 << 0.005;
    QTest::newRow("MPT 30B") << R"({"model_type": "mpt", "d_model": 7168, "n_layers": 48, "n_heads": 64, "expansion_ratio": 4, "max_seq_len": 8192,
        "vocab_size": 50432, "attn_config": {"attn_type": "multihead_attention"}})" << 29.96 << 0.01;
    QTest::newRow("Qwen2 57B-A14B") << R"({"model_type": "qwen2_moe", "hidden_size": 3584, "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4,
        "intermediate_size": 18944, "moe_intermediate_size": 2560, "shared_expert_intermediate_size": 20480, "num_experts": 64, "num_experts_per_tok": 8,
        "decoder_sparse_step": 1, "vocab_size": 151936})" << 57.4 << 0.01;
    QTest::newRow("BERT large") << R"({"model_type": "bert", "hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096,
        "hidden_act": "gelu", "max_position_embeddings": 512, "vocab_size": 30522})" << 0.335 << 0.02;
    QTest::newRow("Kimi K2") << R"({"model_type": "kimi_k2", "hidden_size": 7168, "num_hidden_layers": 61, "num_attention_heads": 64, "num_key_value_heads": 64,
        "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 384, "n_shared_experts": 1, "num_experts_per_tok": 8, "first_k_dense_replace": 1,
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 163840,
        "tie_word_embeddings": false})" << 1026.0 << 0.01;
}

void TestHfArchitectures::publishedSizes()
{
    QFETCH(const QString, config);
    QFETCH(const double, billions);
    QFETCH(const double, tolerance);
    const Scenario scenario = read(config.toStdString());
    const auto resolved = resolve(scenario, m_catalogue);
    QVERIFY(resolved.ok());
    const double found = modelFlops(resolved.value().model, resolved.value().training).parameters / 1e9;
    QVERIFY2(std::abs(found / billions - 1.0) <= tolerance, qPrintable(QString::number(found)));
}

void TestHfArchitectures::expertLayers_data()
{
    QTest::addColumn<QString>("keys");
    QTest::addColumn<int>("dense");
    QTest::addColumn<int>("every");
    const auto row = [](const char *keys, int dense, int every) { QTest::newRow(keys) << QString::fromLatin1(keys) << dense << every; };
    row(R"("first_k_dense_replace": 3)", 3, 1);
    row(R"("moe_layer_freq": 2)", 0, 2);
    row(R"("moe_layer_freq": [0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])", 3, 1);
    row(R"("moe_layer_start_index": 1, "moe_layer_interval": 1)", 1, 1);
    row(R"("decoder_sparse_step": 2)", 1, 2);
    row(R"("interleave_moe_layer_step": 1)", 0, 1);
    row(R"("mlp_only_layers": [0, 1])", 2, 1);
    row(R"("moe_layers_enum": "4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23")", 4, 1);
    row(R"("moe_layers": [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23])", 1, 2);
    row(R"("mlp_layer_types": ["dense", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse",
        "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse", "sparse"])", 1, 1);
}

void TestHfArchitectures::expertLayers()
{
    QFETCH(const QString, keys);
    QFETCH(const int, dense);
    QFETCH(const int, every);
    const MoeShape moe = with("qwen3_moe", R"("num_experts": 16, "num_experts_per_tok": 2, "moe_intermediate_size": 512, )" + keys.toStdString()).model->moe.value_or(MoeShape{});
    QCOMPARE(moe.experts, 16);
    QCOMPARE(moe.denseLayers, dense);
    QCOMPARE(moe.every, every);
}

void TestHfArchitectures::wrappers()
{
    const std::string inner = R"({"model_type": "qwen2", )" + kShape + "}";
    const std::string vision = R"(, "vision_config": {"hidden_size": 3200, "num_hidden_layers": 45, "num_attention_heads": 25})";
    for (const char *key : {"text_config", "llm_config", "language_config"}) {
        const auto imported = result(R"({"model_type": "wrapper", ")" + std::string(key) + R"(": )" + inner + vision + "}");
        QVERIFY(imported.ok());
        QCOMPARE(imported.value().scenario.model->layers, 24);
        QVERIFY(says(imported.value(), NoticeCode::NotSimulated, "vision_config"));
    }
    QCOMPARE(read(R"({"model_type": "omni", "thinker_config": {"text_config": )" + inner + R"(}, "talker_config": {"hidden_size": 1}})").model->hidden, 2048);
    // The error's place is the inner key's.
    const auto wrong = result(R"({"model_type": "w", "thinker_config": {"text_config": {"num_hidden_layers": "many"}}})");
    QCOMPARE(wrong.error().place.pointer, std::string("/thinker_config/text_config/num_hidden_layers"));
}

// The wrapper's key first, then the inner one, then the class of the inner type.
void TestHfArchitectures::tiedWords()
{
    const auto tied = [&](const std::string &outer, const std::string &inner, const std::string &type) {
        return read(R"({"model_type": "wrapper", )" + outer + R"("text_config": {)" + inner + R"("model_type": ")" + type + R"(", )" + kShape + "}}").model->tiedEmbeddings;
    };
    const std::string yes = R"("tie_word_embeddings": true, )", no = R"("tie_word_embeddings": false, )";
    QVERIFY(!tied(no, "", "gemma3_text"));
    QVERIFY(!tied(no, yes, "qwen3_vl_text"));
    QVERIFY(tied("", yes, "qwen3_vl_text"));
    QVERIFY(!tied("", "", "qwen3_vl_text"));
    QVERIFY(!tied("", "", "llama4_text"));
    QVERIFY(tied("", "", "gemma3_text"));
}

// As Python's json writes them; inside a string they are letters.
void TestHfArchitectures::pythonNumbers()
{
    const std::string keys = R"("time_step_limit": [0.0, Infinity], "x": -Infinity, "y": NaN, "z": "NaN \" Infinity", "rms_norm_eps": 1e-5)";
    QCOMPARE(with("llama", keys).model->layers, 24);
    QVERIFY(!result(R"({"model_type": "llama", )" + kShape + R"(, "x": Infinite})").ok());
}

void TestHfArchitectures::otherNames()
{
    const Scenario bloom = read(R"({"model_type": "bloom", "n_embed": 1024, "n_layer": 24, "num_attention_heads": 16, "n_inner": null, "seq_length": 2048, "vocab_size": 250880})");
    QCOMPARE(bloom.model->hidden, 1024);
    QCOMPARE(bloom.model->ffnHidden, 4096);
    QVERIFY(!bloom.model->gatedFfn);
    const Scenario mpt = read(R"({"model_type": "mpt", "d_model": 2048, "n_heads": 16, "n_layers": 24, "max_seq_len": 2048, "vocab_size": 50432,
        "attn_config": {"kv_n_heads": 4, "attn_type": "grouped_query_attention"}})");
    QCOMPARE(mpt.model->kvHeads, 4);
    const Scenario gemma = with("gemma4_text", R"("num_experts": 128, "top_k_experts": 8, "moe_intermediate_size": 2048, "enable_moe_block": true)");
    QCOMPARE(gemma.model->moe->topK, 8);
    QCOMPARE(gemma.model->moe->sharedExperts, 4); // the dense block beside them: 8192 = 4 x 2048
    const Scenario listed = with("hunyuan_v1_moe", R"("num_experts": 64, "moe_topk": [8, 8, 8], "num_shared_expert": [1, 1, 1], "moe_intermediate_size": [3072, 3072, 3072])");
    QCOMPARE(listed.model->moe->topK, 8);
    QCOMPARE(listed.model->moe->expertFfnHidden, 3072);
}

QTEST_APPLESS_MAIN(TestHfArchitectures)
#include "tst_hf_architectures.moc"
