// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/units.h"
#include "model/formats/measured_profile.h"
#include "model/formats/measured_rows.h"
#include "model/scenario/resolve.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <map>

using namespace clusterbeat;

namespace {

Catalogue catalogue()
{
    auto loaded = loadCatalogue();
    if (!loaded.ok()) qFatal("the catalogue does not load");
    return loaded.value();
}

} // namespace

class TestMeasuredRows : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void korthikantiTable5();
    void everyReadyRow();
    void foreignRow();
    void wrongInput_data();
    void wrongInput();
    void words();
    void impossibleNumbers_data();
    void impossibleNumbers();

private:
    Catalogue m_catalogue = catalogue();
};

// Korthikanti et al. 2022, tables 3 and 5: eight runs of four models, and their times.
void TestMeasuredRows::korthikantiTable5()
{
    const auto read = readMeasuredRows(m_catalogue.measuredRowsJson, m_catalogue, "korthikanti22-");
    QVERIFY(read.ok());
    std::map<std::string, const MeasuredRow *> rows;
    for (const MeasuredRow &row : read.value())
        if (!row.refused) rows[row.id] = &row;
    const std::map<std::string, double> seconds{
        {"korthikanti22-22B-full", 1.42},   {"korthikanti22-22B-selective+SP", 1.10},
        {"korthikanti22-175B-full", 18.13}, {"korthikanti22-175B-selective+SP", 13.75},
        {"korthikanti22-530B-full", 49.05}, {"korthikanti22-530B-selective+SP", 37.83},
        {"korthikanti22-1T-full", 94.42},   {"korthikanti22-1T-selective+SP", 71.49}};
    QCOMPARE(rows.size(), seconds.size());
    for (const auto &[id, expected] : seconds) {
        QVERIFY2(rows.count(id) == 1, id.c_str());
        QCOMPARE(rows[id]->iterationS.value(), expected);
        QCOMPARE(rows[id]->scenario.software->profile, std::string("megatron22"));
    }
    // 175B: TP 8, PP 8, three chunks, 64 micro-batches of one; sequence parallelism goes with selective recompute.
    const Scenario &scenario = rows["korthikanti22-175B-selective+SP"]->scenario;
    QCOMPARE(scenario.layout->tensor, std::int64_t{8});
    QCOMPARE(scenario.layout->virtualPipeline.value(), std::int64_t{3});
    QCOMPARE(scenario.layout->schedule.value(), ScheduleKind::Interleaved);
    QCOMPARE(scenario.layout->sequenceParallel.value(), true);
    QCOMPARE(scenario.training->recompute->mode, RecomputeMode::Selective);
    QCOMPARE(scenario.training->precision, Precision::Fp16);
    QCOMPARE(rows["korthikanti22-175B-selective+SP"]->memoryBytes.value(), (12.3515625 + 45.5625) * kBytesPerGib);
    QCOMPARE(rows["korthikanti22-175B-full"]->scenario.layout->sequenceParallel.value(), false);
    QVERIFY(!rows["korthikanti22-175B-full"]->memoryBytes);
}

// The table marks 348 rows as complete. They ran in truth, so none is refused.
void TestMeasuredRows::everyReadyRow()
{
    const auto read = readMeasuredRows(m_catalogue.measuredRowsJson, m_catalogue);
    QVERIFY(read.ok());
    QCOMPARE(read.value().size(), std::size_t{348});
    std::map<std::string, int> profiles;
    for (const MeasuredRow &row : read.value()) {
        QVERIFY2(!row.source.empty() && !row.tier.empty(), row.id.c_str());
        QVERIFY2(!row.refused, (row.id + " " + (row.refused ? row.refused->place.pointer : "")).c_str());
        QVERIFY(resolve(row.scenario, m_catalogue).ok());
        ++profiles[row.scenario.software->profile];
    }
    // Sizes of the sources (calibration of 2026-11, section 5) as far as their rows are dense and complete.
    QCOMPARE(profiles["mosaic"], 97);
    QCOMPARE(profiles["megatron22"], 8);
    QCOMPARE(profiles["megatron-ds"], 15);
    QCOMPARE(profiles["torchtitan"], 4);
    QCOMPARE(profiles["mbridge"], 111);
    QCOMPARE(profiles["zero-bubble"], 20);
}

// A table of one's own in the same format: an unknown accelerator by its figures, throughput instead of seconds.
void TestMeasuredRows::foreignRow()
{
    const std::string json = R"([{"id":"ours-1","source":"own cluster","tier":"B","software_profile":"torchtitan",
        "model":{"layers":32,"hidden":4096,"ffn":14336,"heads":32,"kv_heads":8,"head_dim":128,"vocab":128256,"act":"swiglu"},
        "hardware":{"gpu":"X1","peak_bf16_tflops":500,"hbm_gb":64,"hbm_tbps":2.5,"scaleup_GBps_uni":300,"scaleup_domain":8,"nic_gbps_per_gpu":200},
        "parallel":{"gpus":64,"zero":"FSDP group 64, DP 1"},
        "train":{"seq":8192,"gbs_seqs":64,"gbs_tokens":524288,"mbs":1,"precision":"bf16","recompute":"selective op"},
        "measured":{"tokens_per_s_per_gpu":2048}}])";
    const auto read = readMeasuredRows(json, m_catalogue);
    QVERIFY(read.ok());
    QCOMPARE(read.value().size(), std::size_t{1});
    const MeasuredRow &row = read.value().front();
    QVERIFY(!row.refused);
    QCOMPARE(row.iterationS.value(), 4.0); // 524288 / (2048 x 64)
    QCOMPARE(row.scenario.cluster->accelerator->peakBf16Tflops, 500.0);
    QCOMPARE(row.scenario.layout->zeroStage.value(), std::int64_t{3});
    QCOMPARE(row.scenario.layout->shardGroup.value(), std::int64_t{64});
    QCOMPARE(row.scenario.software->profile, std::string("torchtitan"));
}

void TestMeasuredRows::wrongInput_data()
{
    QTest::addColumn<QByteArray>("json");
    QTest::addColumn<int>("code");
    QTest::addColumn<QByteArray>("pointer");
    QTest::newRow("syntax") << QByteArray("[{") << static_cast<int>(ErrorCode::SyntaxError) << QByteArray();
    QTest::newRow("object") << QByteArray("{}") << static_cast<int>(ErrorCode::WrongType) << QByteArray();
    QTest::newRow("number in the list") << QByteArray("[{}, 3]") << static_cast<int>(ErrorCode::WrongType)
                                        << QByteArray("/1");
    QTest::newRow("empty") << QByteArray() << static_cast<int>(ErrorCode::FileEmpty) << QByteArray();
}

void TestMeasuredRows::wrongInput()
{
    QFETCH(QByteArray, json);
    QFETCH(int, code);
    QFETCH(QByteArray, pointer);
    const auto read =
        readMeasuredRows(std::string_view(json.constData(), static_cast<std::size_t>(json.size())), m_catalogue);
    QVERIFY(!read.ok());
    QCOMPARE(static_cast<int>(read.error().code), code);
    QCOMPARE(QByteArray::fromStdString(read.error().place.pointer), pointer);
    // A row that lacks a fact is refused, not the table.
    const auto sparse = readMeasuredRows(R"([{"id":"a","model":{"layers":2}}])", m_catalogue);
    QVERIFY(sparse.ok());
    QCOMPARE(sparse.value().front().refused->code, ErrorCode::MissingKey);
    QCOMPARE(sparse.value().front().refused->place.pointer, std::string("/0/model"));
}

// Spellings of the sources.
void TestMeasuredRows::words()
{
    QCOMPARE(precisionFromText("fp16 mixed (Megatron-LM)").precision, Precision::Fp16);
    QCOMPARE(precisionFromText("amp_bf16").precision, Precision::Bf16);
    QCOMPARE(precisionFromText("fp8 hybrid (TE, delayed scaling) GEMMs, bf16 attention").precision, Precision::Fp8);
    QCOMPARE(precisionFromText("MXFP8").fp8Recipe, std::string("mxfp8"));
    QCOMPARE(precisionFromText("FP8-CS (FP8-MX)").fp8Recipe, std::string("current"));
    QCOMPARE(precisionFromText("nvfp4 GEMMs, attention bf16 or fp8 DPA").precision, Precision::Fp4);
    QCOMPARE(recomputeFromText("full", 32, 4).mode, RecomputeMode::Full);
    QCOMPARE(recomputeFromText("none (not stated)", 32, 4).mode, RecomputeMode::None);
    QCOMPARE(recomputeFromText("full/block 5 layers (recipe)", 32, 4).layers, std::int64_t{5});
    QCOMPARE(recomputeFromText("selective layer (every other)", 32, 4).layers, std::int64_t{4});
    QCOMPARE(recomputeFromText("selective [mla_up_proj] for MXFP8", 32, 4).modules.front(), std::string("mla_up_proj"));
    QCOMPARE(scheduleFromText("interleaved 1F1B; Megatron-LM").value(), ScheduleKind::Interleaved);
    QCOMPARE(scheduleFromText("ZB-2p").value(), ScheduleKind::ZbAuto);
    QVERIFY(!scheduleFromText("none"));
    QCOMPARE(profileOfSource("Narayanan et al. SC21, Table 2", "narayanan21-t2-ZeRO-3-174.6b"),
             std::string("deepspeed-zero3"));
    QCOMPARE(profileOfSource("a diary", "x"), std::string());
}

// What a scenario file refuses is refused with the same pointer, whatever the section; nothing of it is computed with.
void TestMeasuredRows::impossibleNumbers_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *key, const char *value, const char *pointer) {
        QTest::addRow("%s %s", key, value) << QString::fromLatin1(key) << QString::fromLatin1(value) << QString::fromLatin1(pointer);
    };
    for (const char *value : {"0", "-1", "1000000000000000"}) {
        row("tp", value, "/layout/tensor");
        row("pp", value, "/layout/pipeline");
        row("cp", value, "/layout/context");
        row("dp", value, "/layout/data");
        row("ep", value, "/layout/expert");
        row("mbs", value, "/training/micro_batch");
        row("gbs_seqs", value, "/training/global_batch");
        row("seq", value, "/training/sequence_length");
    }
    row("layers", "-1", "/model/layers");
    row("hidden", "-8", "/model/hidden");
    row("heads", "-32", "/model/heads");
    row("gpus", "-64", "/cluster/gpus");
}

void TestMeasuredRows::impossibleNumbers()
{
    QFETCH(const QString, key);
    QFETCH(const QString, value);
    QFETCH(const QString, pointer);
    QString table = QStringLiteral(
        R"([{"id": "mine", "model": {"layers": 32, "hidden": 4096, "heads": 32, "vocab": 32000},
             "hardware": {"gpu": "H100-SXM5-80GB"}, "parallel": {"gpus": 64, "tp": 2, "pp": 1, "cp": 1, "dp": 32, "ep": 1},
             "train": {"gbs_seqs": 512, "seq": 4096, "mbs": 1}, "measured": {"iter_time_s": 1.0}}])");
    const auto whole = readMeasuredRows(table.toStdString(), m_catalogue);
    QVERIFY(whole.ok() && whole.value().size() == 1 && !whole.value().front().refused);
    table.replace(QRegularExpression(QStringLiteral("\"%1\": [0-9]+").arg(key)), QStringLiteral("\"%1\": %2").arg(key, value));
    const auto rows = readMeasuredRows(table.toStdString(), m_catalogue);
    QVERIFY(rows.ok());
    QCOMPARE(rows.value().size(), std::size_t{1});
    const std::optional<Error> &refused = rows.value().front().refused;
    QVERIFY(refused);
    QCOMPARE(QString::fromStdString(refused->place.pointer), pointer);
    QCOMPARE(refused->place.line, 0);
}

QTEST_APPLESS_MAIN(TestMeasuredRows)
#include "tst_measured_rows.moc"
