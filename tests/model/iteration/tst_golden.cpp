// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Every figure of `simulate --json`, for every preset and every schedule, as it was when last looked at: tests/golden.
// A change on purpose: run this program with CLUSTERBEAT_UPDATE_GOLDEN=1 and read the difference before it is committed.
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"

#include <QDir>
#include <QFile>
#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>

using namespace clusterbeat;
using Json = nlohmann::ordered_json;

namespace {

// The mathematical functions of another C library may differ in the last bits.
constexpr double kRounding = 1e-9;

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

/// The pointer of the first difference with both values; empty when there is none.
QString difference(const Json &golden, const Json &now, const std::string &pointer = {})
{
    const auto said = [&] { return QString::fromStdString(pointer + ": " + golden.dump() + " -> " + now.dump()); };
    if (golden.is_number() && now.is_number()) {
        const double a = golden.get<double>(), b = now.get<double>();
        return std::abs(a - b) <= kRounding * std::max(std::abs(a), std::abs(b)) ? QString() : said();
    }
    if (golden.type() != now.type()) return said();
    if (!golden.is_structured()) return golden == now ? QString() : said();
    if (golden.is_array()) {
        if (golden.size() != now.size()) return said();
        for (std::size_t i = 0; i < golden.size(); ++i)
            if (const QString found = difference(golden[i], now[i], pointer + "/" + std::to_string(i)); !found.isEmpty()) return found;
        return {};
    }
    for (const auto &[key, value] : golden.items()) {
        if (!now.contains(key)) return QString::fromStdString(pointer + "/" + key + " is gone");
        if (const QString found = difference(value, now.at(key), pointer + "/" + key); !found.isEmpty()) return found;
    }
    for (const auto &[key, value] : now.items())
        if (!golden.contains(key)) return QString::fromStdString(pointer + "/" + key + " is new: " + value.dump());
    return {};
}

struct Case {
    const char *name, *preset;
    std::vector<const char *> edits;
};

/// Every preset, and every schedule on four stages of Llama 3 8B with two data-parallel replicas of it, one GPU slow.
std::vector<Case> cases()
{
    std::vector<Case> all{{"llama3-405b-16k", "llama3-405b-16k", {}},
                          {"llama3-405b-8k", "llama3-405b-8k", {}},
                          {"gpt3-175b-1k-a100", "gpt3-175b-1k-a100", {}},
                          {"llama3-8b-64", "llama3-8b-64", {}}};
    struct Kind {
        const char *name, *key, *chunks;
    };
    const Kind kinds[] = {{"gpipe", R"(/layout/schedule="gpipe")", "/layout/virtual_pipeline=1"},
                          {"1f1b", R"(/layout/schedule="1f1b")", "/layout/virtual_pipeline=1"},
                          {"interleaved", R"(/layout/schedule="interleaved")", "/layout/virtual_pipeline=2"},
                          {"zb-h1", R"(/layout/schedule="zb-h1")", "/layout/virtual_pipeline=1"},
                          {"zb-h2", R"(/layout/schedule="zb-h2")", "/layout/virtual_pipeline=1"},
                          {"zb-v", R"(/layout/schedule="zb-v")", "/layout/virtual_pipeline=2"},
                          {"zb-auto", R"(/layout/schedule="zb-auto")", "/layout/virtual_pipeline=1"},
                          {"dualpipe", R"(/layout/schedule="dualpipe")", "/layout/virtual_pipeline=2"},
                          {"dualpipe-v", R"(/layout/schedule="dualpipe-v")", "/layout/virtual_pipeline=2"}};
    for (const Kind &kind : kinds)
        all.push_back({kind.name, "llama3-8b-64",
                       {"/layout/pipeline=4", kind.key, kind.chunks, "/training/global_batch=128",
                        R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.8})"}});
    return all;
}

} // namespace

class TestGolden : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aDifferenceIsFound();
    void figuresAreThoseLookedAt_data();
    void figuresAreThoseLookedAt();
    void noFileIsLeftOver();
};

void TestGolden::aDifferenceIsFound()
{
    const Json golden = Json::parse(R"({"a": [1.0, {"b": 2}], "c": "x"})");
    QVERIFY(difference(golden, golden).isEmpty());
    QVERIFY(difference(golden, Json::parse(R"({"a": [1.0000000000001, {"b": 2}], "c": "x"})")).isEmpty());
    QCOMPARE(difference(golden, Json::parse(R"({"a": [1.0, {"b": 2.00001}], "c": "x"})")), QStringLiteral("/a/1/b: 2 -> 2.00001"));
    QCOMPARE(difference(golden, Json::parse(R"({"a": [1.0, {}], "c": "x"})")), QStringLiteral("/a/1/b is gone"));
    QCOMPARE(difference(golden, Json::parse(R"({"a": [1.0, {"b": 2}], "c": "x", "d": 0})")), QStringLiteral("/d is new: 0"));
    QVERIFY(!difference(golden, Json::parse(R"({"a": [1.0], "c": "x"})")).isEmpty());
    QVERIFY(!difference(golden, Json::parse(R"({"a": [1.0, {"b": 2}], "c": "y"})")).isEmpty());
}

void TestGolden::figuresAreThoseLookedAt_data()
{
    QTest::addColumn<int>("index");
    const std::vector<Case> all = cases();
    for (std::size_t i = 0; i < all.size(); ++i) QTest::newRow(all[i].name) << static_cast<int>(i);
}

void TestGolden::figuresAreThoseLookedAt()
{
    QFETCH(int, index);
    const Case each = cases()[static_cast<std::size_t>(index)];
    std::vector<PointerEdit> edits;
    for (const char *edit : each.edits) edits.push_back(parsePointerEdit(edit).value());
    StageCache cache;
    const SimulationOutcome outcome = simulate(readPreset(each.preset, catalogue(), edits).value(), catalogue(), cache);
    QVERIFY(outcome.result);
    const Json now = Json::parse(resultJson(*outcome.result));
    QFile file(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/tests/golden/%1.json").arg(QLatin1String(each.name)));
    if (qEnvironmentVariableIsSet("CLUSTERBEAT_UPDATE_GOLDEN")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(now.dump(1)) + '\n');
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QString found = difference(Json::parse(file.readAll().toStdString()), now);
    QVERIFY2(found.isEmpty(), qPrintable(found));
}

void TestGolden::noFileIsLeftOver()
{
    QStringList expected, files = QDir(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/tests/golden")).entryList({QStringLiteral("*.json")});
    for (const Case &each : cases()) expected.append(QLatin1String(each.name) + QLatin1String(".json"));
    expected.sort();
    files.sort();
    QCOMPARE(files, expected);
}

QTEST_APPLESS_MAIN(TestGolden)
#include "tst_golden.moc"
