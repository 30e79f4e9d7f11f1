// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/scenario_json.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QFile>
#include <QtTest>

using namespace clusterbeat;
using test::catalogue;
using test::describe;
using test::smallFile;

class TestScenarioJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void presetsSurviveWritingAndReading();
    void everyKeySurvivesWritingAndReading();
    void missingKeysTakeDefaults();
    void blueprintsCompareByValue();
    void wrongInput_data();
    void wrongInput();
    void wrongSections_data();
    void wrongSections();
    void tooLargeIsRefusedUnparsed();
    void presetSectionsAreOverridden();
};

void TestScenarioJson::presetsSurviveWritingAndReading()
{
    for (const ScenarioPreset &preset : catalogue().presets) {
        const auto first = readPreset(preset.name, catalogue());
        QVERIFY(first.ok());
        const std::string text = writeScenario(first.value());
        const auto second = readScenario(text, catalogue());
        QVERIFY(second.ok());
        QVERIFY2(sameContent(first.value(), second.value()), preset.name.c_str());
        QCOMPARE(writeScenario(second.value()), text);
    }
}

// Every key of the format once, none at its default, in the writer's order: the text must come back byte by byte.
void TestScenarioJson::everyKeySurvivesWritingAndReading()
{
    QFile file(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/tests/model/scenario/every_key.clusterbeat.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    const auto scenario = readScenario(text, catalogue());
    QVERIFY2(scenario.ok(), scenario.ok() ? "" : describe(scenario.error()).c_str());
    QCOMPARE(QString::fromStdString(writeScenario(scenario.value())), QString::fromStdString(text));
    const auto again = readScenario(writeScenario(scenario.value()), catalogue());
    QVERIFY(again.ok() && sameContent(scenario.value(), again.value()));
    QCOMPARE(scenario.value().notes, std::string("two\nlines, \xc3\xa9"));
    QCOMPARE(scenario.value().layout->virtualPipeline, std::optional<std::int64_t>(0));
    QCOMPARE(scenario.value().perturbations->at(1).seed, std::int64_t{1} << 53);
}

void TestScenarioJson::missingKeysTakeDefaults()
{
    const auto read = readScenario(
        R"({"clusterbeat": 1, "model": {"layers": 2, "hidden": 64, "heads": 2, "vocab": 10}})", catalogue());
    QVERIFY(read.ok());
    const Scenario &scenario = read.value();
    QCOMPARE(scenario.training->sequenceLength, std::int64_t{8192});
    QCOMPARE(scenario.training->microBatch, std::int64_t{1});
    QVERIFY(!scenario.training->gradientBytes);
    QCOMPARE(scenario.layout->tensor, std::int64_t{1});
    QVERIFY(!scenario.layout->data);
    QCOMPARE(scenario.software->profile, std::string("nemo24"));
    QCOMPARE(scenario.cluster->templateName, std::string("auto"));
    QCOMPARE(scenario.prices->gpuHourUsd, 2.0);
    // Llama 3 (2024), table 5: 419 unexpected interruptions in 54 days on 16,384 GPUs.
    QCOMPARE(scenario.campaign->failuresPerGpuDay * 54.0 * 16384.0, 419.0);
}

void TestScenarioJson::blueprintsCompareByValue()
{
    const std::string drawn =
        R"({"clusterbeat": 1, "model": {"layers": 2, "hidden": 64, "heads": 2, "vocab": 10}, "cluster": {"blueprint": {
        "nodes": [{"id": "server", "kind": "server", "count": 2, "position": {"x": 1.5}},
                  {"id": "gpu", "kind": "gpu", "parent": "server", "count": 8}],
        "links": [{"id": "wire", "from": "gpu", "to": "gpu", "pattern": "rail", "cables": 0.5, "gbps": 400, "latency_s": 1e-6}]}}})";
    const auto first = readScenario(drawn, catalogue());
    QVERIFY2(first.ok(), first.ok() ? "" : describe(first.error()).c_str());
    const auto second = readScenario(writeScenario(first.value()), catalogue());
    QVERIFY(second.ok());
    QVERIFY(first.value().cluster->blueprint != second.value().cluster->blueprint);
    QVERIFY(sameContent(first.value(), second.value()));
    auto moved = std::make_shared<Blueprint>(*second.value().cluster->blueprint);
    moved->nodes[0].x = 2.0;
    auto cluster = std::make_shared<ClusterSection>(*second.value().cluster);
    cluster->blueprint = moved;
    Scenario other = second.value();
    other.cluster = cluster;
    QVERIFY(!sameContent(first.value(), other));
}

// Whole texts. Places: line and column for what cannot be parsed, else a pointer.
void TestScenarioJson::wrongInput_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("pointer");
    QTest::addColumn<int>("line");
    QTest::addColumn<int>("column");
    const auto row = [](const char *name, const QByteArray &text, ErrorCode code, const char *pointer, int line = 0,
                        int column = 0) {
        QTest::newRow(name) << text << static_cast<int>(code) << QString::fromUtf8(pointer) << line << column;
    };
    row("empty", "", ErrorCode::FileEmpty, "");
    row("blank", " \n\t\r\n", ErrorCode::FileEmpty, "");
    row("zeros", QByteArray(4096, '\0'), ErrorCode::SyntaxError, "", 1, 1);
    row("zero after the end", QByteArray("{}\0", 3), ErrorCode::SyntaxError, "", 1, 3);
    row("cut off", "{\"clusterbeat\": 1,\n  \"model\": {", ErrorCode::SyntaxError, "", 2, 13);
    row("missing comma", "{\"clusterbeat\": 1\n\"name\": \"x\"}", ErrorCode::SyntaxError, "", 2, 6);
    row("column counts characters", "{\"name\": \"\xc3\xa9\xc3\xa9\" !}", ErrorCode::SyntaxError, "", 1, 15);
    row("trailing comma", "{\"clusterbeat\": 1,}", ErrorCode::SyntaxError, "", 1, 19);
    row("comment", "// x\n{}", ErrorCode::SyntaxError, "", 1, 1);
    row("NaN", "{\"clusterbeat\": NaN}", ErrorCode::SyntaxError, "", 1, 17);
    row("broken UTF-8", "{\"name\": \"\xff\"}", ErrorCode::SyntaxError, "", 1, 11);
    row("two documents", "{} {}", ErrorCode::SyntaxError, "", 1, 4);
    row("1e999", "{\"clusterbeat\": 1e999}", ErrorCode::OutOfRange, "/clusterbeat", 1, 21);
    row("64 levels", QByteArray(64, '[') + QByteArray(64, ']'), ErrorCode::NotAScenario, "");
    row("65 levels", QByteArray(65, '[') + QByteArray(65, ']'), ErrorCode::TooDeep, "", 1, 65);
    row("a million levels", QByteArray(1000000, '['), ErrorCode::TooDeep, "", 1, 65);
    row("blanks", QByteArray(2000000, '\n') + "x", ErrorCode::SyntaxError, "", 1000001, 1);
    row("array", "[1, 2]", ErrorCode::NotAScenario, "");
    row("foreign", "{\"hidden_size\": 16384}", ErrorCode::NotAScenario, "");
    row("newer", "{\"clusterbeat\": 2, \"unknown\": 1}", ErrorCode::NewerVersion, "/clusterbeat");
    row("version 0", "{\"clusterbeat\": 0}", ErrorCode::OutOfRange, "/clusterbeat");
    row("version as text", "{\"clusterbeat\": \"1\"}", ErrorCode::WrongType, "/clusterbeat");
    row("version 1.5", "{\"clusterbeat\": 1.5}", ErrorCode::NotAnInteger, "/clusterbeat");
    row("no model", "{\"clusterbeat\": 1}", ErrorCode::MissingKey, "/model");
    row("duplicate", "{\"clusterbeat\": 1, \"name\": \"a\", \"name\": \"b\"}", ErrorCode::DuplicateKey, "/name");
    row("duplicate below", "{\"a\": [{\"b/c\": {\"x\": 1, \"x\": 2}}]}", ErrorCode::DuplicateKey, "/a/0/b~1c/x");
}

void TestScenarioJson::wrongInput()
{
    QFETCH(QByteArray, text);
    QFETCH(int, code);
    QFETCH(QString, pointer);
    QFETCH(int, line);
    QFETCH(int, column);
    const auto scenario = readScenario(text.toStdString(), catalogue());
    QVERIFY(!scenario.ok());
    const Error &error = scenario.error();
    QVERIFY2(static_cast<int>(error.code) == code, describe(error).c_str());
    QCOMPARE(QString::fromStdString(error.place.pointer), pointer);
    QCOMPARE(error.place.line, line);
    QCOMPARE(error.place.column, column);
}

// One section in an otherwise good file; expected: code, pointer and arguments in words.
void TestScenarioJson::wrongSections_data()
{
    QTest::addColumn<QByteArray>("section");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("rest");
    const auto row = [](const char *section, ErrorCode code, const char *rest) {
        QTest::newRow(section) << QByteArray(section) << static_cast<int>(code) << QString::fromUtf8(rest);
    };
    row(R"("layuot": {},)", ErrorCode::UnknownKey, "/layuot 0:0 layuot layout");
    row(R"("zzzzzzzz": {},)", ErrorCode::UnknownKey, "/zzzzzzzz 0:0 zzzzzzzz ");
    row(R"("layout": {"tensor_parallel": 2},)", ErrorCode::UnknownKey,
        "/layout/tensor_parallel 0:0 tensor_parallel tensor");
    row(R"("layout": {"overlap": {"pipe": true}},)", ErrorCode::UnknownKey, "/layout/overlap/pipe 0:0 pipe ");
    row(R"("layout": {"tensor": "8"},)", ErrorCode::WrongType, "/layout/tensor 0:0 string number");
    row(R"("layout": {"tensor": null},)", ErrorCode::WrongType, "/layout/tensor 0:0 null number");
    row(R"("layout": {"tensor": 2.5},)", ErrorCode::NotAnInteger, "/layout/tensor 0:0 2.5");
    row(R"("layout": {"tensor": 0},)", ErrorCode::OutOfRange, "/layout/tensor 0:0 0 1 1000000");
    row(R"("layout": {"tensor": -8},)", ErrorCode::OutOfRange, "/layout/tensor 0:0 -8 1 1000000");
    row(R"("layout": {"tensor": 1e300},)", ErrorCode::OutOfRange, "/layout/tensor 0:0 1e300 1 1000000");
    row(R"("layout": {"tensor": 99999999999999999999},)", ErrorCode::OutOfRange,
        "/layout/tensor 0:0 99999999999999999999 1 1000000");
    row(R"("layout": {"virtual_pipeline": "all"},)", ErrorCode::WrongType,
        "/layout/virtual_pipeline 0:0 string number");
    row(R"("layout": {"zero_stage": 4},)", ErrorCode::OutOfRange, "/layout/zero_stage 0:0 4 0 3");
    row(R"("layout": {"schedule": "1fb1"},)", ErrorCode::UnknownName, "/layout/schedule 0:0 1fb1 schedule 1f1b");
    row(R"("layout": {"layers_per_stage": [1, "2"]},)", ErrorCode::WrongType,
        "/layout/layers_per_stage/1 0:0 string number");
    row(R"("layout": {"layers_per_stage": 4},)", ErrorCode::WrongType, "/layout/layers_per_stage 0:0 number array");
    row(R"("layout": {"order": ["tensor", "tensor"]},)", ErrorCode::DuplicateKey, "/layout/order/1 0:0 tensor");
    row(R"("layout": {"order": ["tensor", "context", "data"]},)", ErrorCode::MissingKey, "/layout/order 0:0 pipeline");
    row(R"("layout": [],)", ErrorCode::WrongType, "/layout 0:0 array object");
    row(R"("layout": {"preset": "llama3-405b"},)", ErrorCode::UnknownName,
        "/layout/preset 0:0 llama3-405b preset llama3-405b-8k");
    row(R"("layout": {"preset": 3},)", ErrorCode::WrongType, "/layout/preset 0:0 number string");
    row(R"("software": {"tensor_overlap": 1},)", ErrorCode::WrongType, "/software/tensor_overlap 0:0 number boolean");
    row(R"("software": {"attention_kernel": "fa4"},)", ErrorCode::UnknownName,
        "/software/attention_kernel 0:0 fa4 attention_kernel fa1");
    row(R"("name": 7,)", ErrorCode::WrongType, "/name 0:0 number string");
    row(R"("perturbations": {},)", ErrorCode::WrongType, "/perturbations 0:0 object array");
    row(R"("perturbations": [{"target": "**"}],)", ErrorCode::MissingKey, "/perturbations/0/kind 0:0 kind");
    row(R"("perturbations": [{"kind": "slow_gpu", "target": "**"}],)", ErrorCode::MissingKey,
        "/perturbations/0/speed 0:0 speed");
    row(R"("perturbations": [{"kind": "slow_gpu", "target": "**", "speed": 0}],)", ErrorCode::OutOfRange,
        "/perturbations/0/speed 0:0 0 0.000100 1.000000");
    row(R"("perturbations": [{"kind": "slow_gpu", "target": "**", "speed": 1.01}],)", ErrorCode::OutOfRange,
        "/perturbations/0/speed 0:0 1.01 0.000100 1.000000");
    row(R"("perturbations": [{"kind": "slow_gpu", "target": "**", "speed": 1, "sigma": 1}],)", ErrorCode::UnknownKey,
        "/perturbations/0/sigma 0:0 sigma ");
    row(R"("perturbations": [{"kind": "slow_gpus"}],)", ErrorCode::UnknownName,
        "/perturbations/0/kind 0:0 slow_gpus perturbation kind slow_gpu");
    row(R"("perturbations": [{"kind": "dead_server", "target": "x"}],)", ErrorCode::UnsupportedFeature,
        "/perturbations/0/kind 0:0 perturbations.kind = dead_server kind = slow_gpu | dead_link");
    row(R"("perturbations": [{"kind": "gc_pause", "every_s": 1}],)", ErrorCode::MissingKey, "/perturbations/0/pause_s 0:0 pause_s");
    row(R"("perturbations": [{"kind": "gc_pause", "pause_s": 1, "every_s": 1}],)", ErrorCode::Contradiction,
        "/perturbations/0/pause_s 0:0 pause_s 1.000000 every_s 1.000000");
    row(R"("perturbations": [{"kind": "warm_up", "speed": 0.5}],)", ErrorCode::MissingKey, "/perturbations/0/operations 0:0 operations");
    row(R"("perturbations": [{"kind": "warm_up", "speed": 0.5, "operations": 1, "micro_batches": 2}],)", ErrorCode::Contradiction,
        "/perturbations/0/operations 0:0 operations 1 micro_batches 2");
    row(R"("perturbations": [{"kind": "slow_data", "wait_s": -1}],)", ErrorCode::OutOfRange, "/perturbations/0/wait_s 0:0 -1 0.000000 1000000.000000");
    row(R"("perturbations": [{"kind": "checkpoint", "speed": 0.5}],)", ErrorCode::UnknownKey, "/perturbations/0/speed 0:0 speed ");
    row(R"("perturbations": [{"kind": "jitter", "sigma": 0.1, "distribution": "lognorm"}],)", ErrorCode::UnknownName,
        "/perturbations/0/distribution 0:0 lognorm distribution lognormal");
    // A double rounds 2^53 + 1 to 2^53, which would pass.
    row(R"("perturbations": [{"kind": "jitter", "sigma": 0.1, "seed": 9007199254740993}],)", ErrorCode::OutOfRange,
        "/perturbations/0/seed 0:0 9007199254740993 0 9007199254740992");
    row(R"("perturbations": [{"kind": "dead_link", "target": "x"}],)", ErrorCode::MissingKey,
        "/perturbations/0/link 0:0 link");
    row(R"("perturbations": [{"kind": "dead_link", "target": "x", "link": "nics"}],)", ErrorCode::UnknownName,
        "/perturbations/0/link 0:0 nics link nic");
    row(R"("perturbations": [{"kind": "dead_link", "target": "x", "link": "nic", "cables": 0}],)", ErrorCode::OutOfRange,
        "/perturbations/0/cables 0:0 0 1 1000000000");
    row(R"("perturbations": [{"kind": "degraded_link", "target": "x", "link": "nic"}],)", ErrorCode::MissingKey,
        "/perturbations/0/capacity 0:0 capacity");
    row(R"("perturbations": [{"kind": "degraded_link", "target": "x", "link": "nic", "capacity": 0}],)",
        ErrorCode::OutOfRange, "/perturbations/0/capacity 0:0 0 0.000100 1.000000");
    row(R"("perturbations": [{"kind": "competing_traffic", "target": "x", "link": "nic", "share": 1}],)",
        ErrorCode::OutOfRange, "/perturbations/0/share 0:0 1 0.000000 0.999900");
    row(R"("perturbations": [{"kind": "competing_traffic", "target": "x", "link": "nic"}],)", ErrorCode::MissingKey,
        "/perturbations/0/share 0:0 share");
    row(R"("campaign": {"power": {"pue": 0.9}},)", ErrorCode::OutOfRange,
        "/campaign/power/pue 0:0 0.9 1.000000 10.000000");
    row(R"("prices": {"gpu_hour_usd": "2"},)", ErrorCode::WrongType, "/prices/gpu_hour_usd 0:0 string number");
}

void TestScenarioJson::wrongSections()
{
    QFETCH(QByteArray, section);
    QFETCH(int, code);
    QFETCH(QString, rest);
    const auto scenario = readScenario(smallFile(section.toStdString()), catalogue());
    QVERIFY(!scenario.ok());
    QCOMPARE(QString::fromStdString(describe(scenario.error())), QString::number(code) + QLatin1Char(' ') + rest);
}

void TestScenarioJson::tooLargeIsRefusedUnparsed()
{
    const std::string zeros(static_cast<std::size_t>(kMaxScenarioBytes) + 1, '0');
    const auto large = readScenario(zeros, catalogue());
    QVERIFY(!large.ok());
    QCOMPARE(large.error().code, ErrorCode::FileTooLarge);
    std::string many = "[0";
    for (int i = 0; i < 1'000'000; ++i)
        many += ",0";
    const auto values = readScenario(many + "]", catalogue());
    QVERIFY(!values.ok());
    QCOMPARE(values.error().code, ErrorCode::OutOfRange);
}

// Keys beside "preset" replace the preset's, whole values at a time; the rest is the preset's section.
void TestScenarioJson::presetSectionsAreOverridden()
{
    const auto read = readScenario(R"({"clusterbeat": 1, "model": {"preset": "llama3-8b-64", "layers": 16},
        "training": {"preset": "gpt3-175b-1k-a100"}, "cluster": {"gpus": 64}})",
                                   catalogue());
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    QCOMPARE(read.value().model->layers, std::int64_t{16});
    QCOMPARE(read.value().model->hidden, std::int64_t{4096});
    QCOMPARE(read.value().training->globalBatch, std::int64_t{1536});
    QCOMPARE(read.value().training->precision, Precision::Fp16);
    QCOMPARE(read.value().layout->tensor, std::int64_t{1});
}

QTEST_APPLESS_MAIN(TestScenarioJson)
#include "tst_scenario_json.moc"
