// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/iteration/simulate.h"
#include "model/layout/schedule.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"
#include "model/workload/memory.h"

#include <QtTest>

#include <algorithm>

using namespace clusterbeat;

/// Hugging Face config.json: expected values are read off the texts by hand, with the library's documented defaults.
class TestHfConfig : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void llamaConfigGetsTheSmallestLayout();
    void gpt2ConfigUsesItsOwnNames();
    void expertsAndLatentAttentionAreRead();
    void configErrors_data();
    void configErrors();

private:
    Imported imported(const std::string &text);
    bool says(const Imported &import, NoticeCode code, const std::vector<std::string> &arguments) const;

    Catalogue m_catalogue;
};

namespace {

std::string textOf(const Argument &argument)
{
    if (const auto *text = std::get_if<std::string>(&argument)) return *text;
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return std::to_string(*integer);
    return std::to_string(std::get<double>(argument));
}

} // namespace

void TestHfConfig::initTestCase()
{
    auto catalogue = loadCatalogue();
    QVERIFY(catalogue.ok());
    m_catalogue = std::move(catalogue).value();
}

Imported TestHfConfig::imported(const std::string &text)
{
    auto result = importForeign(text, "config.json", m_catalogue);
    if (!result.ok()) {
        QTest::qFail(qPrintable(QStringLiteral("import failed with code %1").arg(static_cast<int>(result.error().code))), __FILE__, __LINE__);
        return {};
    }
    return std::move(result).value();
}

bool TestHfConfig::says(const Imported &import, NoticeCode code, const std::vector<std::string> &arguments) const
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        if (notice.code != code || notice.arguments.size() < arguments.size()) return false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (textOf(notice.arguments[i]) != arguments[i]) return false;
        }
        return true;
    });
}

// The chosen layout fits, and no world of half the GPUs does, whatever the degrees and recompute.
void TestHfConfig::llamaConfigGetsTheSmallestLayout()
{
    const Imported import = imported(R"({"architectures": ["LlamaForCausalLM"], "hidden_act": "silu", "hidden_size": 8192,
        "intermediate_size": 28672, "max_position_embeddings": 131072, "model_type": "llama", "num_attention_heads": 64,
        "num_hidden_layers": 80, "num_key_value_heads": 8, "rope_scaling": {"factor": 8.0}, "tie_word_embeddings": false,
        "torch_dtype": "bfloat16", "vocab_size": 128256, "sliding_window": null})");
    const Scenario &s = import.scenario;
    QCOMPARE(s.model->layers, 80);
    QCOMPARE(s.model->hidden, 8192);
    QCOMPARE(s.model->ffnHidden, 28672);
    QCOMPARE(s.model->kvHeads, 8);
    QCOMPARE(s.model->headDim, 128);
    QVERIFY(s.model->gatedFfn);
    QVERIFY(!s.model->tiedEmbeddings);
    QVERIFY(!s.model->attentionWindow);
    QCOMPARE(s.training->sequenceLength, 8192);
    QCOMPARE(s.training->globalBatch, 512); // 4 Mi tokens
    QCOMPARE(s.cluster->templateName, std::string("auto"));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/training/sequence_length", "8192", "not in the file"}));
    QVERIFY(says(import, NoticeCode::LayoutChosen, {std::to_string(s.layout->tensor), std::to_string(s.layout->pipeline),
                                                    std::to_string(*s.layout->data), std::to_string(s.cluster->gpus)}));

    const auto fits = [&](const Scenario &scenario) {
        const auto resolved = resolve(scenario, m_catalogue);
        if (!resolved.ok()) return false;
        const Degrees &degrees = resolved.value().degrees;
        const auto schedule = makeSchedule(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline), 1,
                                           static_cast<std::int32_t>(resolved.value().microBatches));
        const auto stages = stageMemory(resolved.value(), m_catalogue.constants, schedule);
        return std::all_of(stages.begin(), stages.end(), [&](const StageMemory &stage) {
            return stage.peak.total() <= usableMemory(resolved.value().accelerator, m_catalogue.constants);
        });
    };
    QVERIFY(fits(s));
    // 70.6 G parameters x 2 bytes of weights and 2 of gradients, and the optimizer: 32 GPUs at least would hold them in
    // 80 GB with 18 bytes a parameter; whatever was chosen, half of it must not do.
    QVERIFY(s.cluster->gpus >= 16);
    for (std::int64_t tensor = 1; tensor <= 8; tensor *= 2) {
        for (std::int64_t pipeline = 1; tensor * pipeline <= s.cluster->gpus / 2; pipeline *= 2) {
            const auto gpus = s.cluster->gpus / 2;
            const auto half = readScenario(writeScenario(s), m_catalogue,
                                           {{"/cluster/gpus", std::to_string(gpus)}, {"/layout/tensor", std::to_string(tensor)},
                                            {"/layout/pipeline", std::to_string(pipeline)}, {"/layout/data", std::to_string(gpus / (tensor * pipeline))},
                                            {"/training/recompute", "full"}});
            QVERIFY(half.ok());
            QVERIFY2(!fits(half.value()), qPrintable(QStringLiteral("TP %1 PP %2 would fit on %3").arg(tensor).arg(pipeline).arg(gpus)));
        }
    }
}

// GPT-2 medium's names: positions end at 1,024, n_inner null means 4 n_embd, tied embeddings by the library's default.
void TestHfConfig::gpt2ConfigUsesItsOwnNames()
{
    const Imported import = imported(R"({"model_type": "gpt2", "n_layer": 24, "n_embd": 1024, "n_head": 16, "n_inner": null,
        "n_positions": 1024, "vocab_size": 50257, "activation_function": "gelu_new"})");
    const Scenario &s = import.scenario;
    QCOMPARE(s.model->layers, 24);
    QCOMPARE(s.model->ffnHidden, 4096);
    QCOMPARE(s.model->kvHeads, 16);
    QCOMPARE(s.model->headDim, 64);
    QCOMPARE(s.model->activation, std::string("gelu"));
    QVERIFY(!s.model->gatedFfn);
    QVERIFY(s.model->tiedEmbeddings);
    QCOMPARE(s.training->sequenceLength, 1024);
    QCOMPARE(s.training->globalBatch, 4096);
    QCOMPARE(s.cluster->gpus, 8);
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/model/ffn_hidden", "4096"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/model/tied_embeddings", "true"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/training/precision", "bf16"}));
}

void TestHfConfig::expertsAndLatentAttentionAreRead()
{
    const Imported import = imported(R"({"model_type": "deepseek_v3", "hidden_size": 7168, "intermediate_size": 18432,
        "num_hidden_layers": 61, "num_attention_heads": 128, "num_key_value_heads": 128, "vocab_size": 129280, "hidden_act": "silu",
        "kv_lora_rank": 512, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128,
        "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
        "first_k_dense_replace": 3, "moe_layer_freq": 1, "num_nextn_predict_layers": 1, "torch_dtype": "bfloat16"})");
    const ModelSection &model = *import.scenario.model;
    QCOMPARE(model.moe, std::optional(MoeShape{256, 8, 1, 2048, 3, 1}));
    QCOMPARE(model.mla, std::optional(MlaShape{1536, 512, 128, 64, 128}));
    QCOMPARE(model.mtpLayers, 1);

    const Imported mixtral = imported(R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336,
        "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
        "num_experts_per_tok": 2})");
    QCOMPARE(mixtral.scenario.model->moe, std::optional(MoeShape{8, 2, 0, 14336, 0, 1}));
    // 46.7 G parameters x 16 bytes of states are 747 GB: more than 8 x 80 GiB, less than 16 x 80 GiB.
    QCOMPARE(mixtral.scenario.cluster->gpus, 16);

    // DeepSeek-V3's 683 G parameters with the prediction module x 16 bytes are 10.9 TB: more than 128 x 80 GiB. Its
    // authors spread the experts over ranks of 16 stages and not over tensor ranks of the whole cluster.
    for (const Imported *each : {&import, &mixtral}) {
        const LayoutSection &layout = *each->scenario.layout;
        QVERIFY(layout.expert > 1);
        QVERIFY(layout.tensor <= 8);
        QCOMPARE(each->scenario.model->moe->experts % layout.expert, 0);
        QVERIFY(says(*each, NoticeCode::DefaultTaken, {"/layout/expert", std::to_string(layout.expert)}));
        StageCache cache;
        const SimulationOutcome outcome = simulate(each->scenario, m_catalogue, cache);
        QVERIFY(outcome.result);
        QVERIFY(outcome.result->memory.fits);
    }
    QCOMPARE(import.scenario.cluster->gpus, 256);
    QCOMPARE(import.scenario.layout->pipeline, 16);
    QVERIFY(import.scenario.layout->expert <= 64);
}

void TestHfConfig::configErrors_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *name, const char *text, ErrorCode code, const char *pointer) {
        QTest::newRow(name) << QString::fromUtf8(text) << static_cast<int>(code) << QString::fromUtf8(pointer);
    };
    row("no hidden size", R"({"model_type": "llama", "num_hidden_layers": 2})", ErrorCode::ImportMissing, "");
    row("text for a number", R"({"num_hidden_layers": "two", "hidden_size": 8, "num_attention_heads": 1, "vocab_size": 9})", ErrorCode::WrongType, "/num_hidden_layers");
    row("half a layer", R"({"num_hidden_layers": 2.5, "hidden_size": 8, "num_attention_heads": 1, "vocab_size": 9})", ErrorCode::NotAnInteger, "/num_hidden_layers");
    row("zero", R"({"num_hidden_layers": 0, "hidden_size": 8, "num_attention_heads": 1, "vocab_size": 9})", ErrorCode::OutOfRange, "/num_hidden_layers");
    row("too large", R"({"num_hidden_layers": 2, "hidden_size": 1e300, "num_attention_heads": 1, "vocab_size": 9})", ErrorCode::OutOfRange, "/hidden_size");
    row("nested", R"({"model_type": "x", "text_config": {"num_hidden_layers": -1}})", ErrorCode::OutOfRange, "/text_config/num_hidden_layers");
    row("no brace", R"({"num_hidden_layers": 2)", ErrorCode::SyntaxError, "");
    row("not an object", "[1]", ErrorCode::WrongType, "");
}

void TestHfConfig::configErrors()
{
    QFETCH(QString, text);
    QFETCH(int, code);
    QFETCH(QString, pointer);
    const auto result = importForeign(text.toStdString(), "config.json", m_catalogue, ForeignFormat::HuggingFaceConfig);
    QVERIFY(!result.ok());
    QCOMPARE(static_cast<int>(result.error().code), code);
    QCOMPARE(QString::fromStdString(result.error().place.pointer), pointer);
    QCOMPARE(result.error().place.file, std::string("config.json"));
}

QTEST_APPLESS_MAIN(TestHfConfig)
#include "tst_hf_config.moc"
