// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <nlohmann/json.hpp>

#include <QFile>
#include <QSet>
#include <QtTest>

using namespace clusterbeat;

namespace
{

nlohmann::json file(const char *name)
{
    QFile source(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/resources/catalogue/") + QLatin1String(name));
    if (!source.open(QIODevice::ReadOnly)) return nullptr;
    const QByteArray text = source.readAll();
    return nlohmann::json::parse(text.begin(), text.end());
}

} // namespace

class TestCatalogue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loads();
    void acceleratorFigures_data();
    void acceleratorFigures();
    void everyAcceleratorHasASource();
    void everyConstantIsThere();
    void profilesOfTheFileFormat();
    void defaultScenarioComesFirst();
    void presetsAreCanonicalAndHaveSources();
};

void TestCatalogue::loads()
{
    const auto catalogue = loadCatalogue();
    QVERIFY2(catalogue.ok(), catalogue.ok() ? "" : test::describe(catalogue.error()).c_str());
    QCOMPARE(catalogue.value().accelerator("no such part"), nullptr);
}

// Vendors' data sheets: dense BF16 TFLOP/s, HBM as sold (GB), NVLink or XGMI one way (GB/s), GPUs in the domain, NIC
// (Gb/s).
void TestCatalogue::acceleratorFigures_data()
{
    QTest::addColumn<double>("bf16");
    QTest::addColumn<double>("hbm");
    QTest::addColumn<double>("scaleup");
    QTest::addColumn<int>("domain");
    QTest::addColumn<double>("nic");
    QTest::newRow("A100-SXM4-80GB") << 312.0 << 80.0 << 300.0 << 8 << 200.0;
    QTest::newRow("H100-SXM5-80GB") << 989.0 << 80.0 << 450.0 << 8 << 400.0;
    QTest::newRow("H800-SXM-80GB") << 989.0 << 80.0 << 200.0 << 8 << 400.0;
    QTest::newRow("GB200-NVL72") << 2500.0 << 186.0 << 900.0 << 72 << 400.0;
    QTest::newRow("MI300X") << 1307.0 << 192.0 << 448.0 << 8 << 400.0;
}

void TestCatalogue::acceleratorFigures()
{
    QFETCH(double, bf16);
    QFETCH(double, hbm);
    QFETCH(double, scaleup);
    QFETCH(int, domain);
    QFETCH(double, nic);
    const Accelerator *part = test::catalogue().accelerator(QTest::currentDataTag());
    QVERIFY(part != nullptr);
    QCOMPARE(part->peakBf16Tflops, bf16);
    QCOMPARE(part->hbmGb, hbm);
    QCOMPARE(part->scaleupGbytesPerS, scaleup);
    QCOMPARE(part->scaleupDomain, std::int64_t{domain});
    QCOMPARE(part->nicGbps, nic);
}

void TestCatalogue::everyAcceleratorHasASource()
{
    const auto &accelerators = test::catalogue().accelerators;
    QCOMPARE(accelerators.size(), std::size_t{28});
    QSet<QString> names;
    for (const Accelerator &part : accelerators) {
        names.insert(QString::fromStdString(part.name));
        QVERIFY2(!part.source.empty() && !part.confidence.empty(), part.name.c_str());
        QVERIFY2(!part.priceLowUsd || (!part.priceSource.empty() && *part.priceLowUsd <= part.priceHighUsd),
                 part.name.c_str());
        QVERIFY2(!part.measuredMatmulBf16Tflops || *part.measuredMatmulBf16Tflops < part.peakBf16Tflops,
                 part.name.c_str());
    }
    QCOMPARE(names.size(), 28);
}

void TestCatalogue::everyConstantIsThere()
{
    for (const auto &[name, known] : {std::pair("constants.json", costConstantNames()),
                                      std::pair("collectives.json", collectiveConstantNames())}) {
        QSet<QString> names;
        for (const auto &constant : file(name)) {
            names.insert(QString::fromStdString(constant.at("name").get<std::string>()));
            QVERIFY(!constant.at("source").get<std::string>().empty());
        }
        QCOMPARE(names.size(), qsizetype(known.size()));
        for (const std::string_view constant : known)
            QVERIFY2(names.contains(QString::fromUtf8(constant.data(), qsizetype(constant.size()))),
                     std::string(constant).c_str());
    }
    // Measured: 362 of 450 GB/s ring bandwidth, and NCCL's 8.4 us (nccl-tests, NCCL tuning tables).
    QCOMPARE(test::catalogue().constants.nvlinkEfficiency, 0.77);
    QCOMPARE(test::catalogue().constants.collectives.ringSimple.baseS, 8.4e-6);
}

void TestCatalogue::profilesOfTheFileFormat()
{
    for (const char *name :
         {"megatron21", "megatron22", "megatron-ds", "deepspeed-zero3", "zero-bubble", "megatron23", "megascale",
          "nemo24", "mlperf", "mbridge", "mosaic", "fms", "torchtitan", "maxtext", "llama3", "ideal"})
        QVERIFY2(test::catalogue().profile(name) != nullptr, name);
    // Llama 3 (2024): FlashAttention 2, no overlap of tensor parallelism, fp32 gradients.
    const SoftwareFlags &llama = test::catalogue().profile("llama3")->flags;
    QCOMPARE(llama.attentionKernel, AttentionKernel::Fa2);
    QVERIFY(!llama.tensorOverlap && llama.dataOverlap && llama.pipelineOverlap);
    QCOMPARE(llama.gradientBytes, std::int64_t{4});
}

void TestCatalogue::defaultScenarioComesFirst()
{
    QStringList names;
    for (const ScenarioPreset &preset : test::catalogue().presets)
        names.append(QString::fromStdString(preset.name));
    QCOMPARE(names, (QStringList{QStringLiteral("llama3-405b-16k"), QStringLiteral("llama3-405b-8k"),
                                 QStringLiteral("gpt3-175b-1k-a100"), QStringLiteral("llama3-8b-64")}));
}

void TestCatalogue::presetsAreCanonicalAndHaveSources()
{
    for (const ScenarioPreset &preset : test::catalogue().presets) {
        const auto scenario = readPreset(preset.name, test::catalogue());
        QVERIFY2(scenario.ok(), scenario.ok() ? "" : test::describe(scenario.error()).c_str());
        QCOMPARE(QString::fromStdString(writeScenario(scenario.value())), QString::fromStdString(preset.json));
        QCOMPARE(scenario.value().name, preset.title);
        QVERIFY(!preset.sources.empty());
        const auto resolved = resolve(scenario.value(), test::catalogue());
        QVERIFY2(resolved.ok(), resolved.ok() ? "" : test::describe(resolved.error()).c_str());
        QCOMPARE(resolved.value().degrees.ranks(), resolved.value().cluster.gpus);
        QVERIFY(resolved.value().notices.empty());
    }
}

QTEST_APPLESS_MAIN(TestCatalogue)
#include "tst_catalogue.moc"
