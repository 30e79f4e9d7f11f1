// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/attribution.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <numeric>

using namespace clusterbeat;

namespace {

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

std::string repeated(const std::string &first, const std::string &item, int times)
{
    std::string list = "/perturbations=[" + first;
    for (int i = 0; i < times; ++i)
        list += (list.back() == '[' ? "" : ",") + item;
    return list + "]";
}

const std::string kStall = R"({"kind":"checkpoint","stall_s":1000000})";
const std::string kStorage = R"({"kind":"slow_storage","speed":0.0001})";

} // namespace

/// Values that the file format allows and nobody trains with: an answer whose parts add up, or an error that says the
/// iteration is too long. 64 GPUs: sums of 64 ranks stay below 4e18 ns up to 4e9 / 64 = 62.5 million seconds.
class TestExtremes : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addUpOrAreRefused_data();
    void addUpOrAreRefused();
};

void TestExtremes::addUpOrAreRefused_data()
{
    QTest::addColumn<QStringList>("edits");
    QTest::addColumn<QString>("refusedAt");
    const auto row = [](const char *name, const std::vector<std::string> &edits, const char *refusedAt = "") {
        QStringList list;
        for (const std::string &edit : edits)
            list << QString::fromStdString(edit);
        QTest::newRow(name) << list << QString::fromLatin1(refusedAt);
    };
    row("62 stalls of a million seconds", {repeated("", kStall, 62)});
    row("63", {repeated("", kStall, 63)}, "/perturbations");
    row("10,000", {repeated("", kStall, 10'000)}, "/perturbations");
    row("storage at a ten thousandth", {repeated(kStall, kStorage, 1)}, "/perturbations");
    row("a hundred of them", {repeated(kStall, kStorage, 100)}, "/perturbations");
    row("10,000 slow loaders", {repeated("", R"({"kind":"slow_data","wait_s":1000000})", 10'000)}, "/perturbations");
    row("1,000 jitters", {repeated("", R"({"kind":"jitter","sigma":10})", 1'000)}, "/perturbations");
    row("1,000 warm-ups", {repeated("", R"({"kind":"warm_up","micro_batches":3,"speed":0.0001})", 1'000)}, "/perturbations");
    row("1,000 pauses", {repeated("", R"({"kind":"gc_pause","pause_s":0.9,"every_s":1})", 1'000)});
    row("6 million tokens", {"/training/sequence_length=6250000"});
    row("100 million tokens", {"/training/sequence_length=100000000"}, "/model");
    row("and a wide model", {"/training/sequence_length=100000000", "/model/hidden=1000000", "/model/ffn_hidden=1000000"}, "/model");
    row("and a deep one", {"/training/sequence_length=100000000", "/model/hidden=1000000", "/model/ffn_hidden=1000000", "/model/layers=10000"}, "/model");
    row("a wide head", {"/model/layers=10000", "/model/hidden=1000000", "/model/head_dim=1000000", "/model/heads=100000"}, "/model");
    row("found by a search",
        {"/training/sequence_length=100000000", "/model/hidden=1000000", "/model/ffn_hidden=1000000", "/model/layers=10000", "/layout/pipeline=4",
         "/layout/schedule=zb-auto"},
        "/model");
}

void TestExtremes::addUpOrAreRefused()
{
    QFETCH(const QStringList, edits);
    QFETCH(const QString, refusedAt);
    std::vector<PointerEdit> parsed;
    for (const QString &edit : edits)
        parsed.push_back(parsePointerEdit(edit.toStdString()).value());
    const auto scenario = readPreset("llama3-8b-64", catalogue(), parsed);
    QVERIFY(scenario.ok());
    StageCache cache;
    const auto outcome = simulate(scenario.value(), catalogue(), cache);
    if (!refusedAt.isEmpty()) {
        QVERIFY(outcome.error);
        QVERIFY(outcome.error->code == ErrorCode::OutOfRange);
        QCOMPARE(QString::fromStdString(outcome.error->place.pointer), refusedAt);
        return;
    }
    QVERIFY(outcome.result);
    const Run &run = outcome.result->run;
    const auto mean = meanBreakdown(run);
    for (const double part : mean)
        QVERIFY(part >= 0.0);
    const double iteration = toSeconds(run.trace.iteration), sum = std::accumulate(mean.begin(), mean.end(), 0.0);
    QVERIFY2(qAbs(sum - iteration) <= 1e-12 * iteration, qPrintable(QString::number(sum, 'g', 17)));
    for (const std::int32_t member : {0, run.plan.groupSize - 1}) {
        const CategoryTimes times = categoryTimes(run, 0, 0, member);
        QCOMPARE(std::accumulate(times.begin(), times.end(), TimeNs{0}), run.trace.iteration);
    }
}

QTEST_APPLESS_MAIN(TestExtremes)
#include "tst_extremes.moc"
