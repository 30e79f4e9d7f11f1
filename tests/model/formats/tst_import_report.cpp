// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/scenario/json_value.h"

#include <QtTest>

#include <algorithm>
#include <string>

using namespace clusterbeat;

/// A row for each key of a file and each value that it does not say.
class TestImportReport : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void everyOptionHasOneOrigin();
    void configurations();
    void names_data();
    void names();
    void asJson();

private:
    Imported imported(const std::string &text, const std::string &name) const;
    Catalogue m_catalogue;
};

namespace
{

const std::string kScript = "#!/bin/bash\n"
                            "torchrun --nproc_per_node 8 pretrain_gpt.py \\\n"
                            "  --num-layers 24 --hidden-size 2048 --num_attention_heads 16 \\\n"
                            "  --seq-length 4096 --micro-batch-size 1 --global-batch-size 64 --bf16 --lr 1e-4 \\\n"
                            "  --moe-shared-expert-overlap --frobnicate 7\n";

ImportRow rowOf(const ImportReport &report, const std::string &key, const std::string &pointer = {})
{
    const auto found = std::find_if(report.begin(), report.end(), [&](const ImportRow &row) { return row.key == key && (pointer.empty() || row.pointer == pointer); });
    return found == report.end() ? ImportRow{} : *found;
}

} // namespace

void TestImportReport::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = std::move(loaded).value();
}

Imported TestImportReport::imported(const std::string &text, const std::string &name) const
{
    auto result = importForeign(text, name, m_catalogue);
    if (!result.ok()) qFatal("the file is wrong");
    return std::move(result).value();
}

void TestImportReport::everyOptionHasOneOrigin()
{
    const ImportReport report = imported(kScript, "run.sh").report;
    QCOMPARE(rowOf(report, "--num-layers"), (ImportRow{ImportOrigin::Read, "/model/layers", "24", "--num-layers", 3, {}}));
    QCOMPARE(rowOf(report, "--num_attention_heads"), (ImportRow{ImportOrigin::Read, "/model/heads", "16", "--num_attention_heads", 3, {}}));
    QCOMPARE(rowOf(report, "--seq-length").line, 4);
    QCOMPARE(rowOf(report, "--lr").origin, ImportOrigin::NoEffect);
    QCOMPARE(rowOf(report, "--moe-shared-expert-overlap"), (ImportRow{ImportOrigin::NotSimulated, {}, {}, "--moe-shared-expert-overlap", 5, {}}));
    QCOMPARE(rowOf(report, "--frobnicate").origin, ImportOrigin::NotUnderstood);
    const ImportRow vocabulary = rowOf(report, {}, "/model/vocab");
    QCOMPARE(vocabulary.origin, ImportOrigin::Assumed);
    QVERIFY(!vocabulary.reason.empty());
    // Each option of the script once, and rows in the order of their origins.
    for (const char *option : {"--nproc_per_node", "--num-layers", "--hidden-size", "--num_attention_heads", "--seq-length", "--micro-batch-size", "--global-batch-size",
                               "--bf16", "--lr", "--moe-shared-expert-overlap", "--frobnicate"})
        QCOMPARE(std::count_if(report.begin(), report.end(), [&](const ImportRow &row) { return row.key == option; }), 1);
    QVERIFY(std::is_sorted(report.begin(), report.end(), [](const ImportRow &a, const ImportRow &b) { return a.origin < b.origin; }));
}

void TestImportReport::configurations()
{
    const ImportReport report = imported("{\"model_type\": \"newest\",\n\"hidden_size\": 1024,\n\"num_hidden_layers\": 4, \"num_attention_heads\": 8,\n"
                                         "\"vocab_size\": 32000, \"index_topk\": 64}", "org--Model.config.json").report;
    QCOMPARE(rowOf(report, "/hidden_size"), (ImportRow{ImportOrigin::Read, "/model/hidden", "1024", "/hidden_size", 2, {}}));
    QCOMPARE(rowOf(report, "index_topk").origin, ImportOrigin::NotSimulated);
    QCOMPARE(rowOf(report, "index_topk").line, 4);
    QCOMPARE(rowOf(report, "model_type").origin, ImportOrigin::NotUnderstood);
    QCOMPARE(rowOf(report, {}, "/layout/tensor").origin, ImportOrigin::Assumed);
    QCOMPARE(rowOf(report, {}, "/training/sequence_length").value, std::string("8192"));
}

void TestImportReport::names_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("name");
    QTest::newRow("owner") << "/x/deepseek-ai--DeepSeek-V3.config.json" << "DeepSeek-V3";
    QTest::newRow("folder") << "/models/Llama-3.1-8B/config.json" << "Llama-3.1-8B";
    QTest::newRow("plain") << "config.json" << "config";
    QTest::newRow("script") << "runs/tr11-176B-ml.slurm" << "tr11-176B-ml";
    QTest::newRow("windows") << "C:\\runs\\train_8b.sh" << "train_8b";
    QTest::newRow("none") << "arguments" << "arguments";
}

void TestImportReport::names()
{
    QFETCH(const QString, file);
    QFETCH(const QString, name);
    QCOMPARE(ImportNotes(file.toStdString()).readableName(), name.toStdString());
}

void TestImportReport::asJson()
{
    const ImportReport report = imported(kScript, "run.sh").report;
    const auto json = parseJson(writeImportReport(report));
    QVERIFY(json.ok());
    const JsonValue *rows = json.value().find("rows");
    QVERIFY(rows && rows->items.size() == report.size());
    QCOMPARE(rows->items.front().find("origin")->text, std::string("read"));
}

QTEST_APPLESS_MAIN(TestImportReport)
#include "tst_import_report.moc"
