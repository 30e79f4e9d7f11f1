// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/schedule_csv.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "tests/model/layout/schedule_measures.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

using namespace clusterbeat;
using clusterbeat::test::bubbleOf;
using clusterbeat::test::catalogue;
using clusterbeat::test::describe;
using clusterbeat::test::highestPeak;

namespace
{

// Test artifacts of PyTorch's pipelining (pytorch/pytorch, test/distributed/pipelining/artifacts, BSD-3-Clause):
// dualpipev_4rank_10mb.csv of a2af973f46e7 and zb1p_2rank_2stagep_compute.csv of 15380b18b0ec.
constexpr const char *kDualPipeV =
    "0F0,0F1,0F2,0F3,0F4,0F5,0F6,7F0,7I0,7W0,7F1,7I1,7W1,7F2,7I2,7W2,7F3,(0F7;7B3)OVERLAP_F_B,(7F4;0B0)OVERLAP_F_B,"
    "(0F8;7B4)OVERLAP_F_B,(7F5;0B1)OVERLAP_F_B,(0F9;7B5)OVERLAP_F_B,(7F6;0B2)OVERLAP_F_B,7B6,(7F7;0B3)OVERLAP_F_B,"
    "7B7,(7F8;0B4)OVERLAP_F_B,7B8,(7F9;0B5)OVERLAP_F_B,7B9,0I6,0W6,0I7,0W7,0I8,0W8,0I9,0W9\n"
    "1F0,1F1,1F2,1F3,1F4,6F0,1F5,6F1,6I0,6W0,6F2,6I1,6W1,6F3,(1F6;6B2)OVERLAP_F_B,(6F4;1B0)OVERLAP_F_B,"
    "(1F7;6B3)OVERLAP_F_B,(6F5;1B1)OVERLAP_F_B,(1F8;6B4)OVERLAP_F_B,(6F6;1B2)OVERLAP_F_B,(1F9;6B5)OVERLAP_F_B,"
    "(6F7;1B3)OVERLAP_F_B,6B6,(6F8;1B4)OVERLAP_F_B,6B7,(6F9;1B5)OVERLAP_F_B,6B8,1B6,6I9,1I7,6W9,1I8,1W7,"
    "1I9,1W8,1W9\n"
    "2F0,2F1,2F2,5F0,2F3,5F1,2F4,5F2,5I0,5W0,5F3,(2F5;5B1)OVERLAP_F_B,(5F4;2B0)OVERLAP_F_B,(2F6;5B2)OVERLAP_F_B,"
    "(5F5;2B1)OVERLAP_F_B,(2F7;5B3)OVERLAP_F_B,(5F6;2B2)OVERLAP_F_B,(2F8;5B4)OVERLAP_F_B,(5F7;2B3)OVERLAP_F_B,"
    "(2F9;5B5)OVERLAP_F_B,(5F8;2B4)OVERLAP_F_B,5B6,(5F9;2B5)OVERLAP_F_B,5B7,2B6,5B8,2I7,5I9,2I8,2W7,2I9,"
    "5W9,2W8,2W9\n"
    "3F0,4F0,3F1,4F1,3F2,4F2,3F3,4F3,3F4,4B0,(4F4;3B0)OVERLAP_F_B,(3F5;4B1)OVERLAP_F_B,(4F5;3B1)OVERLAP_F_B,"
    "(3F6;4B2)OVERLAP_F_B,(4F6;3B2)OVERLAP_F_B,(3F7;4B3)OVERLAP_F_B,(4F7;3B3)OVERLAP_F_B,(3F8;4B4)OVERLAP_F_B,"
    "(4F8;3B4)OVERLAP_F_B,(3F9;4B5)OVERLAP_F_B,(4F9;3B5)OVERLAP_F_B,4B6,3B6,4B7,3B7,4I8,3I8,4I9,3I9,4W8,"
    "3W8,4W9,3W9\n";
constexpr const char *kZb1p =
    "0F0,0F1,2F0,,2F1,2B0,2W0,0F2,2B1,2W1,0F3,0B0,0W0,2F2,0B1,0W1,2F3,2B2,2W2,0F4,2B3,2W3,0F5,0B2,0W2,"
    "2F4,0B3,0W3,2F5,2B4,2W4,0F6,2B5,2W5,0F7,0B4,0W4,2F6,0B5,0W5,2F7,2B6,2W6,2B7,2W7,0B6,0W6,0B7,0W7\n"
    ",1F0,1F1,3F0,3B0,3F1,3B1,3W0,1F2,1B0,3W1,1F3,1B1,1W0,3F2,3B2,1W1,3F3,3B3,3W2,1F4,1B2,3W3,1F5,1B3,"
    "1W2,3F4,3B4,1W3,3F5,3B5,3W4,1F6,1B4,3W5,1F7,1B5,1W4,3F6,3B6,1W5,3F7,3B7,3W6,1B6,3W7,1B7,1W6,1W7\n";

PipelineSchedule read(const char *csv)
{
    const auto cells = readScheduleCsv(csv, "x.csv");
    if (!cells.ok()) qFatal("%s", describe(cells.error()).c_str());
    auto schedule = customSchedule(cells.value(), "/layout/schedule_orders");
    if (!schedule.ok()) qFatal("%s", describe(schedule.error()).c_str());
    return std::move(schedule).value();
}

/// The error of a CSV text, read and understood; "" when there is none.
QString problem(const std::string &csv)
{
    const auto cells = readScheduleCsv(csv, "x.csv");
    if (!cells.ok()) return QString::fromStdString(describe(cells.error()));
    const auto schedule = customSchedule(cells.value(), "/o");
    return schedule.ok() ? QString() : QString::fromStdString(describe(schedule.error()));
}

Scenario small(const QStringList &edits)
{
    std::vector<PointerEdit> parsed{parsePointerEdit("/training/global_batch=128").value()};
    for (const QString &edit : edits)
        parsed.push_back(parsePointerEdit(edit.toStdString()).value());
    return readPreset("llama3-8b-64", catalogue(), parsed).value();
}

std::shared_ptr<const IterationResult> run(const Scenario &scenario)
{
    StageCache cache;
    const auto outcome = simulate(scenario, catalogue(), cache);
    if (outcome.error) qFatal("%s", describe(*outcome.error).c_str());
    return outcome.result;
}

} // namespace

class TestScheduleCsv : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void dualPipeVArtifact();
    void zeroBubbleArtifact();
    void cellsAreRead();
    void malformedFilesAreNamed_data();
    void malformedFilesAreNamed();
    void garbageNeverCrashes();
    void everyGeneratorComesBack_data();
    void everyGeneratorComesBack();
    void anyMappingRuns();
    void contradictionsWithTheScenario_data();
    void contradictionsWithTheScenario();
};

void TestScheduleCsv::dualPipeVArtifact()
{
    // All times 1, a full backward 2: each of the 4 ranks works 2 chunks x 10 micro-batches x 3 = 60; (p - 1)(F&B + B -
    // 3W) = 3 (3 + 2 - 3) = 6 are lost, and rank 0 holds 2p + 1 = 9 chunk activations (DeepSeek-AI 2024).
    const PipelineSchedule schedule = read(kDualPipeV);
    QVERIFY(schedule.flow == PipelineFlow::V);
    QCOMPARE(bubbleOf(schedule, 1, 1, 1).fromStart, TimeNs{6});
    QCOMPARE(highestPeak(schedule), 9);
    QVERIFY(schedule.order == makeSchedule(ScheduleKind::DualPipeV, 4, 2, 10).order);
    QCOMPARE(writeScheduleCsv(schedule), std::string(kDualPipeV));
}

void TestScheduleCsv::zeroBubbleArtifact()
{
    // B beside W is the input gradient (older notation). Each rank works 2 chunks x 8 micro-batches x 3 = 48; rank 1
    // cannot start before 1, rank 0 waits once for 3's first gradient: 49 steps, as many as the lines have cells.
    const PipelineSchedule schedule = read(kZb1p);
    QVERIFY(schedule.flow == PipelineFlow::Loop);
    QCOMPARE(schedule.chunks, 2);
    QCOMPARE(schedule.microBatches, 8);
    QCOMPARE(bubbleOf(schedule, 1, 1, 1).fromStart, TimeNs{1});
    // F F F F before the first W on rank 0; afterwards each F follows a W. Rank 1: 1F0 1F1 3F0 3F1, then W before F.
    QCOMPARE(peakLiveActivations(schedule), (std::vector<std::int32_t>{4, 4}));
    // The order is the file's, cell by cell (B written as what it is).
    QString expected = QString::fromLatin1(kZb1p).replace(QLatin1String(",,"), QLatin1String(",")).replace(QLatin1String("\n,"), QLatin1String("\n"));
    QCOMPARE(QString::fromStdString(writeScheduleCsv(schedule)), expected.replace(QLatin1Char('B'), QLatin1Char('I')));
}

void TestScheduleCsv::cellsAreRead()
{
    // Communication and idle cells, blanks, quotes, CR LF, a byte order mark, an empty line at the end.
    const char *const plain = "0F0,0B0\n1F0,1B0\n";
    for (const char *same : {"0F0,0B0\n1F0,1B0", "\xEF\xBB\xBF" "0F0, 0B0\r\n1F0,\"1B0\" \r\n\r\n", "0F0,,,0B0,\n,1F0,1B0,\n",
                             "0UNSHARD,0F0,0SEND_F0,0RECV_B0,0B0,0RESHARD,0REDUCE_GRAD\n1RECV_F0,1F0,1B0,1SEND_B0\n"})
        QCOMPARE(writeScheduleCsv(read(same)), std::string(plain));
    QVERIFY(looksLikeScheduleCsv(",,1F0"));
    QVERIFY(looksLikeScheduleCsv("(0F7;7B3)OVERLAP_F_B"));
    QVERIFY(!looksLikeScheduleCsv("name,value\n"));
    QVERIFY(!looksLikeScheduleCsv("{\"clusterbeat\": 1}"));
    QVERIFY(!looksLikeScheduleCsv(",,,\n"));
}

void TestScheduleCsv::malformedFilesAreNamed_data()
{
    QTest::addColumn<QByteArray>("csv");
    QTest::addColumn<QString>("expected");
    const QString code = QString::number(static_cast<int>(ErrorCode::BadSchedule));
    const auto row = [&](const char *name, const char *csv, const char *rest) {
        QTest::newRow(name) << QByteArray(csv) << code + QLatin1Char(' ') + QLatin1String(rest);
    };
    // In the text: line and column, from 1.
    row("word", "0F0,0B0\n1F0,hello\n", " 2:5 syntax hello");
    row("no part", "F0", " 1:1 syntax F0");
    row("no micro-batch", "0F", " 1:1 syntax 0F");
    row("unknown letter", "0X0", " 1:1 syntax 0X0");
    row("negative", "0F-1", " 1:1 syntax 0F-1");
    row("too large", "0F1000000000", " 1:1 syntax 0F1000000000");
    row("pair of one", "(0F0)OVERLAP_F_B", " 1:1 syntax (0F0)OVERLAP_F_B");
    row("pair open", "(0F0;0B0", " 1:1 syntax (0F0;0B0");
    row("pair of forwards", "(0F0;1F0)OVERLAP_F_B", " 1:1 syntax (0F0;1F0)OVERLAP_F_B");
    row("pair nested", "((0F0;0B0);1B0)OVERLAP_F_B", " 1:1 syntax ((0F0;0B0);1B0)OVERLAP_F_B");
    row("pair of another kind", "(0F0;0B0)OVERLAP", " 1:1 syntax (0F0;0B0)OVERLAP");
    // In the order: the pointer's rank and cell, from 0.
    row("twice", "0F0,0F0,0B0", "/o/0/1 0:0 duplicate 0F0 0 0");
    row("full and half", "0F0,0B0,0I0,0W0", "/o/0/2 0:0 duplicate 0I0 0 1");
    row("no backward", "0F0,0F1,0B0", "/o/0 0:0 missing 0B1");
    row("no weight gradient", "0F0,0I0", "/o/0 0:0 missing 0W0");
    row("no input gradient", "0F0,0W0", "/o/0 0:0 missing 0I0");
    row("no forward", "0B0", "/o/0 0:0 missing 0F0");
    row("a micro-batch left out", "0F0,0B0,0F2,0B2", "/o/0 0:0 missing 0F1");
    row("fewer on one rank", "0F0,0B0,0F1,0B1\n1F0,1B0\n", "/o/1 0:0 missing 1F1");
    row("a part left out", "0F0,0B0\n2F0,2B0\n", "/o 0:0 missing 1F0");
    row("huge numbers", "0F0,0B0,999999999F999999999,0F999999999", "/o 0:0 missing 1F0");
    row("backward first", "0B0,0F0", "/o/0/0 0:0 before_input 0B0 0F0");
    row("weights first", "0F0,0W0,0I0", "/o/0/1 0:0 before_input 0W0 0I0");
    row("pair backwards", "0F0,(0F1;0I0)OVERLAP_F_B,0B1", "/o/0 0:0 missing 0W0");
    row("half of a part on another rank", "0F0,0B0\n0F1,1F0,1B0\n", "/o/1 0:0 missing 0B1");
    row("one direction only", "0F0,0B0\n0F1,0B1\n", "/o 0:0 missing 1F0");
    row("forward and backward apart", "0F0,1B0\n1F0,0B0\n", "/o/0/0 0:0 two_ranks 0F0 1");
    row("part on three ranks", "0F0,0B0\n0F1,0B1\n0F2,0B2\n", "/o/1/0 0:0 two_ranks 0F1 0");
    row("uneven", "0F0,0B0,1F0,1B0\n2F0,2B0\n", "/o/1 0:0 uneven  1 2");
    // Rank 1 starts with its backward's forward of micro-batch 1, which rank 0 sends only after its backward of 0.
    row("deadlock", "0F0,0B0,0F1,0B1\n1F1,1B1,1F0,1B0\n", "/o/0/1 0:0 deadlock 0B0 1B0 1 1F1");
    // A pair needs both inputs before it: the backward's forward is in the pair itself.
    row("pair of itself", "(0F0;0B0)OVERLAP_F_B", "/o/0/0 0:0 deadlock 0F0 0F0 0 0F0");
}

void TestScheduleCsv::malformedFilesAreNamed()
{
    QFETCH(QByteArray, csv);
    QFETCH(QString, expected);
    QCOMPARE(problem(csv.toStdString()), expected);
}

void TestScheduleCsv::garbageNeverCrashes()
{
    // Every prefix, every byte left out and every byte replaced, of a file with all kinds of cells.
    const std::string good = "0F0,0F1,(0F2;1B0)OVERLAP_F_B,1F0,0SEND_F0\n,2F0,\"3F1\",3I0,3W0\r\n";
    const auto understood = [](const std::string &text) {
        const auto cells = readScheduleCsv(text, "x");
        return cells.ok() && customSchedule(cells.value(), "").ok();
    };
    for (std::size_t i = 0; i <= good.size(); ++i) {
        QVERIFY(!understood(good.substr(0, i)));
        for (const char c : {'\0', ',', '\n', '(', ')', ';', '"', '9', 'F', 'B', '\xFF'}) {
            std::string text = good;
            text.insert(i, 1, c);
            QVERIFY(!understood(text));
            if (i < good.size()) text = good, text[i] = c;
            QVERIFY(!understood(text));
        }
    }
    QCOMPARE(problem(std::string()).section(QLatin1Char(' '), 0, 0).toInt(), static_cast<int>(ErrorCode::FileEmpty));
    QCOMPARE(problem("\n,,\n").section(QLatin1Char(' '), 0, 0).toInt(), static_cast<int>(ErrorCode::FileEmpty));
    QCOMPARE(problem(std::string("0F0\0", 4)).section(QLatin1Char(' '), 0, 0).toInt(), static_cast<int>(ErrorCode::UnknownFormat));
}

void TestScheduleCsv::everyGeneratorComesBack_data()
{
    QTest::addColumn<QStringList>("edits");
    const QString p4 = QStringLiteral("/layout/pipeline=4");
    const auto row = [&](const char *schedule, const QStringList &more) {
        QTest::newRow(schedule) << QStringList{p4, QStringLiteral("/layout/schedule=%1").arg(QLatin1String(schedule))} + more;
    };
    const QString slow = QStringLiteral(R"(/perturbations/-={"kind":"slow_gpu","target":"rank:9","speed":0.6})");
    const QString free = QStringLiteral("/training/optimizer_sync=false");
    row("gpipe", {});
    row("1f1b", {slow});
    row("interleaved", {QStringLiteral("/layout/virtual_pipeline=2")});
    row("zb-h1", {free});
    row("zb-h2", {slow, free});
    row("zb-v", {free});
    row("zb-auto", {QStringLiteral("/layout/activation_limit=2")});
    row("dualpipe", {slow});
    row("dualpipe-v", {slow});
    QTest::newRow("groups of 6") << QStringList{p4, QStringLiteral("/layout/virtual_pipeline=4"), QStringLiteral("/layout/micro_batch_group=6")};
}

void TestScheduleCsv::everyGeneratorComesBack()
{
    // Written, read again and run as a custom schedule: not one byte of the result differs.
    QFETCH(QStringList, edits);
    const Scenario original = small(edits);
    const auto result = run(original);
    const auto cells = readScheduleCsv(writeScheduleCsv(result->run.plan.schedule), "x.csv");
    QVERIFY(cells.ok());
    const Scenario custom = withSchedule(original, cells.value());
    QVERIFY(*custom.layout->schedule == ScheduleKind::Custom);
    QCOMPARE(resultJson(*run(custom)), resultJson(*result));
    // The file of the scenario holds it all.
    const auto again = readScenario(writeScenario(custom), catalogue());
    QVERIFY(again.ok());
    QVERIFY(sameContent(again.value(), custom));
}

void TestScheduleCsv::anyMappingRuns()
{
    // Parts 0 … 7 on ranks 0 2 1 3 3 1 2 0: neither loop nor V; 0-2, 1-3 are links of their own, 2-1 is a neighbour's.
    std::string csv;
    const int parts[4][2] = {{0, 7}, {2, 5}, {1, 6}, {3, 4}};
    for (const auto &own : parts) {
        QStringList row;
        for (const int part : {own[0], own[1]})
            for (int mb = 0; mb < 8; ++mb) row << QStringLiteral("%1F%2").arg(part).arg(mb);
        for (const int part : {own[1], own[0]})
            for (int mb = 0; mb < 8; ++mb) row << QStringLiteral("%1B%2").arg(part).arg(mb);
        csv += row.join(QLatin1Char(',')).toStdString() + '\n';
    }
    const PipelineSchedule schedule = read(csv.c_str());
    QVERIFY(schedule.flow == PipelineFlow::Mapped);
    QCOMPARE(schedule.map->links, (std::vector<StageMap::Link>{{0, 2}, {1, 3}}));
    QVERIFY((*nextInModel(schedule, {0, 0}) == ChunkPlace{2, 0}));
    QVERIFY((*nextInModel(schedule, {3, 0}) == ChunkPlace{3, 1}));
    QVERIFY(!previousInModel(schedule, {0, 0}) && !nextInModel(schedule, {0, 1}));
    QCOMPARE(writeScheduleCsv(schedule), csv);
    // All times 1 (a full backward 2), no transfers. Forwards: part 3 runs 3 … 11, part 4 on the same rank 11 … 19, part 7
    // three ranks later 14 … 22. Backwards: part 7 22 … 38, each rank before it 2 later: part 4 28 … 44, part 3 44 … 60,
    // part 0 50 … 66. Each rank works 16 x 3 = 48: 18 are lost.
    QCOMPARE(bubbleOf(schedule, 1, 1, 1).fromStart, TimeNs{18});

    const Scenario custom = withSchedule(small({QStringLiteral("/layout/data=8")}),
                                         readScheduleCsv(csv, "x").value());
    // 8 micro-batches: 128 sequences on 8 replicas, two each.
    auto training = std::make_shared<TrainingSection>(*custom.training);
    training->microBatch = 2;
    Scenario scenario = custom;
    scenario.training = training;
    const auto result = run(scenario);
    QVERIFY(result->iteration() > 0);
    QCOMPARE(result->run.plan.transfer.size(), std::size_t{(4 + 2) * 8});
    for (const TimeNs transfer : result->run.plan.transfer)
        QVERIFY(transfer > 0);
}

void TestScheduleCsv::contradictionsWithTheScenario_data()
{
    QTest::addColumn<QStringList>("edits");
    QTest::addColumn<ErrorCode>("code");
    QTest::addColumn<QString>("rest");
    const QString orders = QStringLiteral(R"(/layout/schedule_orders=[["0F0","0B0"],["1F0","1B0"]])"), custom = QStringLiteral("/layout/schedule=custom");
    const QString p2 = QStringLiteral("/layout/pipeline=2"), batch = QStringLiteral("/training/global_batch=16");
    const QString group = QStringLiteral("/layout/micro_batch_group=4");
    QTest::newRow("missing orders") << QStringList{p2, custom} << ErrorCode::MissingKey << QStringLiteral("/layout/schedule_orders 0:0 schedule_orders");
    QTest::newRow("orders of no schedule") << QStringList{p2, orders} << ErrorCode::Contradiction
                                           << QStringLiteral("/layout/schedule_orders 0:0 schedule_orders 2 schedule interleaved");
    QTest::newRow("ranks") << QStringList{QStringLiteral("/layout/pipeline=4"), custom, orders} << ErrorCode::Contradiction
                           << QStringLiteral("/layout/schedule_orders 0:0 schedule_orders 2 pipeline 4");
    QTest::newRow("chunks") << QStringList{p2, custom, orders, QStringLiteral("/layout/virtual_pipeline=2")} << ErrorCode::Contradiction
                            << QStringLiteral("/layout/virtual_pipeline 0:0 schedule custom virtual_pipeline 2");
    // 64 GPUs / (2 tensor x 2 pipeline) = 16 replicas; the batch of 128 gives each 8.
    QTest::newRow("micro-batches") << QStringList{p2, custom, orders} << ErrorCode::Contradiction
                                   << QStringLiteral("/training/global_batch 0:0 global_batch / (data * micro_batch) 8 micro-batches of schedule_orders 1");
    QTest::newRow("cell") << QStringList{p2, custom, batch, QStringLiteral(R"(/layout/schedule_orders=[["0F0","0B0"],["1F0","1SEND_B0"]])")}
                          << ErrorCode::BadSchedule << QStringLiteral("/layout/schedule_orders/1/1 0:0 syntax 1SEND_B0");
    const QString chunks = QStringLiteral("/layout/virtual_pipeline=2"), p4 = QStringLiteral("/layout/pipeline=4");
    // 8 replicas, 16 micro-batches: a group below p would wait for its own end. 4 replicas, 24: groups of 11 leave 2.
    QTest::newRow("group below the stages") << QStringList{p4, chunks, QStringLiteral("/layout/micro_batch_group=2")} << ErrorCode::OutOfRange
                                            << QStringLiteral("/layout/micro_batch_group 0:0 2 4 16");
    QTest::newRow("group of nothing") << QStringList{QStringLiteral("/layout/pipeline=8"), chunks, QStringLiteral("/layout/micro_batch_group=11"), QStringLiteral("/training/global_batch=96")}
                                      << ErrorCode::Contradiction
                                      << QStringLiteral("/layout/micro_batch_group 0:0 micro_batch_group 11 micro-batches in the last group 2");
    QTest::newRow("group without chunks") << QStringList{p2, group} << ErrorCode::Contradiction
                                          << QStringLiteral("/layout/micro_batch_group 0:0 micro_batch_group 4 schedule 1f1b");
    QTest::newRow("group of gpipe") << QStringList{p2, group, QStringLiteral("/layout/schedule=gpipe")} << ErrorCode::Contradiction
                                    << QStringLiteral("/layout/micro_batch_group 0:0 micro_batch_group 4 schedule gpipe");
}

void TestScheduleCsv::contradictionsWithTheScenario()
{
    QFETCH(QStringList, edits);
    QFETCH(ErrorCode, code);
    QFETCH(QString, rest);
    const auto resolved = resolve(small(edits), catalogue());
    QVERIFY(!resolved.ok());
    QCOMPARE(QString::fromStdString(describe(resolved.error())), QString::number(static_cast<int>(code)) + QLatin1Char(' ') + rest);
}

QTEST_APPLESS_MAIN(TestScheduleCsv)
#include "tst_schedule_csv.moc"
