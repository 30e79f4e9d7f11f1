// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/memory_timeline.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace clusterbeat;
using clusterbeat::test::catalogue;

namespace
{

std::shared_ptr<const IterationResult> run(const QStringList &edits)
{
    std::vector<PointerEdit> parsed{parsePointerEdit("/training/global_batch=128").value(), parsePointerEdit("/layout/pipeline=4").value()};
    for (const QString &edit : edits)
        parsed.push_back(parsePointerEdit(edit.toStdString()).value());
    StageCache cache;
    const auto outcome = simulate(readPreset("llama3-8b-64", catalogue(), parsed).value(), catalogue(), cache);
    if (!outcome.result) qFatal("refused");
    return outcome.result;
}

MemoryParts levelAt(const std::vector<MemoryStep> &steps, TimeNs t)
{
    MemoryParts parts;
    for (const MemoryStep &step : steps)
        if (step.at <= t) parts = step.parts;
    return parts;
}

} // namespace

class TestMemoryTimeline : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void theHighestStepIsThePeak_data();
    void theHighestStepIsThePeak();
    void oneForwardOneBackwardByHand();
    void aSlowReplicaHasItsOwnTimes();
    void overflowIsTheFirst();
    void overflowOfWhatStays();
};

void TestMemoryTimeline::theHighestStepIsThePeak_data()
{
    QTest::addColumn<QStringList>("edits");
    for (const char *schedule : {"gpipe", "1f1b", "interleaved", "zb-h1", "zb-h2", "zb-v", "zb-auto", "dualpipe", "dualpipe-v"}) {
        QStringList edits{QStringLiteral("/layout/schedule=%1").arg(QLatin1String(schedule))};
        if (qstrcmp(schedule, "interleaved") == 0) edits << QStringLiteral("/layout/virtual_pipeline=2");
        QTest::newRow(schedule) << edits;
        QTest::addRow("%s, full recompute", schedule) << edits + QStringList{QStringLiteral("/training/recompute=full")};
        QTest::addRow("%s, gradients sharded", schedule) << edits + QStringList{QStringLiteral("/layout/zero_stage=2")};
    }
    const QString free = QStringLiteral("/training/optimizer_sync=false");
    QTest::newRow("staggered") << QStringList{QStringLiteral("/layout/schedule=zb-h2"), free};
    QTest::newRow("uneven chunks") << QStringList{QStringLiteral("/layout/virtual_pipeline=2"), QStringLiteral("/layout/zero_stage=2"),
                                                  QStringLiteral("/layout/layers_per_stage=[1,1,1,1,7,7,7,7]")};
}

void TestMemoryTimeline::theHighestStepIsThePeak()
{
    QFETCH(QStringList, edits);
    const auto result = run(edits);
    Bytes highest = 0;
    for (std::int32_t stage = 0; stage < 4; ++stage) {
        std::vector<MemoryStep> steps;
        memoryOverTime(*result, stage, 3, steps);
        QVERIFY(steps.size() > 8);
        QCOMPARE(steps.front().at, TimeNs{0});
        QVERIFY(steps.back().at <= result->iteration());
        Bytes most = 0;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            most = std::max(most, steps[i].parts.total());
            QVERIFY(steps[i].parts.activations >= 0);
            if (i > 0) QVERIFY(steps[i].at >= steps[i - 1].at && !(steps[i].parts == steps[i - 1].parts));
        }
        QCOMPARE(most, (*result->memory.byStage)[std::size_t(stage)].peak.total());
        highest = std::max(highest, most);
    }
    QCOMPARE(highest, result->memory.peak.total());
    QVERIFY(result->memory.fits == !result->memory.overflow.has_value());
}

void TestMemoryTimeline::oneForwardOneBackwardByHand()
{
    // 1F1B, 4 stages, 16 micro-batches, no recompute: the last stage holds one micro-batch from each forward's end to the
    // end of its backward; the first fills up to 4, then falls and rises by one, and is empty after its last backward.
    const auto result = run({QStringLiteral("/layout/schedule=1f1b")});
    std::vector<MemoryStep> last, first;
    memoryOverTime(*result, 3, 0, last);
    memoryOverTime(*result, 0, 0, first);
    const Bytes one = (*result->memory.byStage)[3].peak.activations;
    QVERIFY(one > 0);
    QCOMPARE(last.size(), std::size_t{1 + 2 * 16});
    for (std::size_t i = 0; i < last.size(); ++i)
        QCOMPARE(last[i].parts.activations, i % 2 == 1 ? one : Bytes{0});
    // Forward k of the last stage is operation 2k, its backward 2k + 1.
    QCOMPARE(last[1].at, result->run.trace.finishOf(3, 0, 0));
    QCOMPARE(last[2].at, result->run.trace.finishOf(3, 1, 0));
    const double each = static_cast<double>((*result->memory.byStage)[0].peak.activations) / 4.0;
    std::vector<int> counts;
    for (const MemoryStep &step : first)
        counts.push_back(static_cast<int>(static_cast<double>(step.parts.activations) / each + 0.5));
    std::vector<int> expected{0, 1, 2, 3, 4};
    for (int k = 0; k < 12; ++k)
        expected.insert(expected.end(), {3, 4});
    expected.insert(expected.end(), {3, 2, 1, 0});
    QCOMPARE(counts, expected);
}

void TestMemoryTimeline::aSlowReplicaHasItsOwnTimes()
{
    // Rank 0 is a GPU of stage 0, replica 0: there everything comes later, the levels are the same.
    const auto result = run({QStringLiteral(R"(/perturbations/-={"kind":"slow_gpu","target":"rank:0","speed":0.5})")});
    std::vector<MemoryStep> slow, other;
    memoryOverTime(*result, 0, 0, slow);
    memoryOverTime(*result, 0, 1, other);
    QCOMPARE(slow.size(), other.size());
    QVERIFY(slow[1].at > other[1].at);
    QVERIFY(slow[1].parts == other[1].parts);
}

void TestMemoryTimeline::overflowIsTheFirst()
{
    // GPipe holds 16 micro-batches on every stage. The first stage is there first, unless another has more to hold.
    const auto result = run({QStringLiteral("/layout/schedule=gpipe"), QStringLiteral("/training/micro_batch=4"),
                             QStringLiteral("/training/global_batch=512")});
    QVERIFY(!result->memory.fits && result->memory.overflow);
    const MemoryOverflow over = *result->memory.overflow;
    TimeNs first = result->iteration();
    for (std::int32_t stage = 0; stage < 4; ++stage) {
        std::vector<MemoryStep> steps;
        memoryOverTime(*result, stage, 0, steps);
        const auto step = std::find_if(steps.begin(), steps.end(), [&](const MemoryStep &s) { return s.parts.total() > result->memory.capacity; });
        if (step != steps.end()) first = std::min(first, step->at);
    }
    QCOMPARE(over.at, first);
    const RankPosition position = positionOf(*result, over.rank);
    std::vector<MemoryStep> steps;
    memoryOverTime(*result, position.stage, position.replica, steps);
    QCOMPARE(over.bytes, levelAt(steps, over.at).total() - result->memory.capacity);
    QVERIFY(levelAt(steps, over.at - 1).total() <= result->memory.capacity);
    const auto json = nlohmann::json::parse(resultJson(*result)).at("memory_bytes");
    QCOMPARE(json.at("overflow").at("rank").get<int>(), over.rank);
    QCOMPARE(json.at("overflow").at("at_s").get<double>(), toSeconds(over.at));
    QCOMPARE(json.at("overflow").at("bytes").get<Bytes>(), over.bytes);
    QCOMPARE(json.at("by_stage").size(), std::size_t{4});
    QCOMPARE(json.at("by_stage")[0].at("total").get<Bytes>(), (*result->memory.byStage)[0].peak.total());
}

void TestMemoryTimeline::overflowOfWhatStays()
{
    // 8 billion parameters x 18 bytes on 4 GPUs, nothing sharded: 36 GB a GPU are too much for 24 GB from the beginning.
    const auto result = run({QStringLiteral("/layout/tensor=1"), QStringLiteral("/layout/zero_stage=0"),
                             QStringLiteral(R"(/cluster/accelerator={"name":"small","peak_bf16_tflops":300,"hbm_gb":24,"hbm_tbytes_per_s":1,)"
                                            R"("scaleup_gbytes_per_s":100,"scaleup_domain":8,"nic_gbps":400})")});
    QVERIFY(result->memory.overflow);
    QCOMPARE(result->memory.overflow->at, TimeNs{0});
}

QTEST_APPLESS_MAIN(TestMemoryTimeline)
#include "tst_memory_timeline.moc"
