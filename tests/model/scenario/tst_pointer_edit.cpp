// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/scenario_json.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

using namespace clusterbeat;
using test::catalogue;
using test::describe;
using test::smallFile;

namespace
{

std::vector<PointerEdit> edits(std::initializer_list<const char *> texts)
{
    std::vector<PointerEdit> list;
    for (const char *text : texts) {
        auto edit = parsePointerEdit(text);
        if (edit.ok()) list.push_back(edit.value());
    }
    return list;
}

} // namespace

class TestPointerEdit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitsAtTheFirstEqualsSign();
    void setsCreatesAndAppends();
    void bareWordIsAString();
    void laterEditsSeeEarlierOnes();
    void editsBelowAPresetSection();
    void wrong_data();
    void wrong();
};

void TestPointerEdit::splitsAtTheFirstEqualsSign()
{
    const auto edit = parsePointerEdit("/notes=a=b");
    QVERIFY(edit.ok());
    QCOMPARE(edit.value().pointer, std::string("/notes"));
    QCOMPARE(edit.value().value, std::string("a=b"));
    for (const char *text : {"/notes", "notes=x", "=x", "", "/a~2=x", "/a~=x"}) {
        const auto bad = parsePointerEdit(text);
        QVERIFY2(!bad.ok() && bad.error().code == ErrorCode::BadPointer, text);
    }
}

void TestPointerEdit::setsCreatesAndAppends()
{
    const auto read = readScenario(smallFile(R"("layout": {"layers_per_stage": [1, 2]},)"), catalogue(),
                                   edits({"/model/layers=6", "/campaign/power/pue=1.5", "/layout/layers_per_stage/-=3",
                                          "/layout/layers_per_stage/3=4", "/layout/layers_per_stage/0=9",
                                          R"(/perturbations/-={"kind": "slow_gpu", "target": "**", "speed": 0.7})",
                                          R"(/perturbations/1={"kind": "jitter", "sigma": 0.1})"}));
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    QCOMPARE(read.value().model->layers, std::int64_t{6});
    QCOMPARE(read.value().campaign->pue, 1.5);
    QCOMPARE(read.value().layout->layersPerStage, (std::vector<std::int64_t>{9, 2, 3, 4}));
    QCOMPARE(read.value().perturbations->size(), std::size_t{2});
    QCOMPARE(read.value().perturbations->at(0).speed, 0.7);
    QCOMPARE(read.value().perturbations->at(1).kind, PerturbationKind::Jitter);
}

void TestPointerEdit::bareWordIsAString()
{
    const auto read = readScenario(
        smallFile(), catalogue(),
        edits({"/software/profile=llama3", "/name=16k run", "/notes=\"42\"", "/layout/virtual_pipeline=max"}));
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    QCOMPARE(read.value().software->profile, std::string("llama3"));
    QCOMPARE(read.value().name, std::string("16k run"));
    QCOMPARE(read.value().notes, std::string("42"));
    QCOMPARE(read.value().layout->virtualPipeline, std::optional<std::int64_t>(0));
}

void TestPointerEdit::laterEditsSeeEarlierOnes()
{
    const auto read = readScenario(smallFile(), catalogue(),
                                   edits({R"(/perturbations=[{"kind": "jitter", "sigma": 0.1}])",
                                          "/perturbations/0/sigma=0.2", "/perturbations/0/seed=3"}));
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    QCOMPARE(read.value().perturbations->at(0).sigma, 0.2);
    QCOMPARE(read.value().perturbations->at(0).seed, std::int64_t{3});
}

// GPT-3 175B has 96 layers, Llama 3 8B 32: the reference may be changed, and edits below it see its values.
void TestPointerEdit::editsBelowAPresetSection()
{
    const char *file =
        R"({"clusterbeat": 1, "model": {"preset": "llama3-8b-64"}, "layout": {"preset": "llama3-405b-16k"}})";
    const auto read = readScenario(file, catalogue(),
                                   edits({"/model/preset=gpt3-175b-1k-a100", "/model/heads=48", "/layout/order/3=data",
                                          "/layout/order/4=pipeline"}));
    QVERIFY2(read.ok(), read.ok() ? "" : describe(read.error()).c_str());
    QCOMPARE(read.value().model->layers, std::int64_t{96});
    QCOMPARE(read.value().model->heads, std::int64_t{48});
    QCOMPARE(read.value().layout->pipeline, std::int64_t{16});
    QCOMPARE((*read.value().layout->order)[3], Dimension::Data);
}

void TestPointerEdit::wrong_data()
{
    QTest::addColumn<QByteArray>("edit");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *edit, ErrorCode code, const char *pointer) {
        QTest::newRow(edit) << QByteArray(edit) << static_cast<int>(code) << QString::fromUtf8(pointer);
    };
    // The list has two entries: index 3 is beyond its end, and nothing is padded.
    row("/layout/layers_per_stage/3=1", ErrorCode::BadPointer, "/layout/layers_per_stage/3");
    row("/layout/layers_per_stage/01=1", ErrorCode::BadPointer, "/layout/layers_per_stage/01");
    row("/layout/layers_per_stage/-1=1", ErrorCode::BadPointer, "/layout/layers_per_stage/-1");
    row("/layout/layers_per_stage/99999999999999999999=1", ErrorCode::BadPointer,
        "/layout/layers_per_stage/99999999999999999999");
    row("/layout/layers_per_stage/first=1", ErrorCode::BadPointer, "/layout/layers_per_stage/first");
    row("/perturbations/1={}", ErrorCode::BadPointer, "/perturbations/1");
    row("/model/layers/x=1", ErrorCode::BadPointer, "/model/layers/x");
    row("/model/layers=many", ErrorCode::WrongType, "/model/layers");
    row("/model/layers=NaN", ErrorCode::WrongType, "/model/layers");
    row("/model/layers=1e999", ErrorCode::OutOfRange, "/model/layers");
    row("/model/layers=", ErrorCode::WrongType, "/model/layers");
    row("/model/moe={\"experts\": 8", ErrorCode::SyntaxError, "/model/moe");
    row("/model/moe={\"experts\": 8, \"experts\": 8}", ErrorCode::DuplicateKey, "/model/moe/experts");
    row("/model/layer=3", ErrorCode::UnknownKey, "/model/layer");
    row("/clusterbeat=9", ErrorCode::NewerVersion, "/clusterbeat");
    row("/model=3", ErrorCode::WrongType, "/model");
}

void TestPointerEdit::wrong()
{
    QFETCH(QByteArray, edit);
    QFETCH(int, code);
    QFETCH(QString, pointer);
    const auto parsed = parsePointerEdit(edit.toStdString());
    QVERIFY(parsed.ok());
    const auto read =
        readScenario(smallFile(R"("layout": {"layers_per_stage": [1, 2]},)"), catalogue(), {parsed.value()});
    QVERIFY(!read.ok());
    QVERIFY2(static_cast<int>(read.error().code) == code, describe(read.error()).c_str());
    QCOMPARE(QString::fromStdString(read.error().place.pointer), pointer);
}

QTEST_APPLESS_MAIN(TestPointerEdit)
#include "tst_pointer_edit.moc"
