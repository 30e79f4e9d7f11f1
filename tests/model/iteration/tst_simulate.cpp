// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/result_json.h"
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

Scenario scenario(const char *preset, std::initializer_list<const char *> edits = {})
{
    std::vector<PointerEdit> parsed;
    for (const char *edit : edits)
        parsed.push_back(parsePointerEdit(edit).value());
    return readPreset(preset, catalogue(), parsed).value();
}

SimulationOutcome run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache);
}

constexpr const char *kSlow = R"(/perturbations/-={"kind":"slow_gpu","target":"pod.2/rack.84/server.1/gpu.5","speed":0.7})";
constexpr const char *kNominal = R"(/perturbations/-={"kind":"slow_gpu","target":"pod.2/rack.84/server.1/gpu.5","speed":1.0})";
constexpr const char *kCrawl = R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.0001})";

} // namespace

class TestSimulate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void llama405b();
    void oneSlowGpuOfSixteenThousand();
    void nominalSpeedChangesNoByte();
    void anyStateOfTheCacheGivesTheSameBytes();
    void speedsMultiplyDownToAFloor();
    void stopIsNoticed();
    void wrongTargets();
};

void TestSimulate::llama405b()
{
    const auto outcome = run(scenario("llama3-405b-16k"));
    QVERIFY(outcome.result);
    const IterationResult &result = *outcome.result;
    // Measured 400 TFLOP/s a GPU: 6.20, 6.46 or 6.72 s as attention is counted not at all, causal or in full
    // (Llama 3, 2024); within 3 % of that interval.
    QVERIFY(result.metrics.iterationS > 6.20 * 0.97 && result.metrics.iterationS < 6.72 * 1.03);
    QCOMPARE(result.metrics.gpus, std::int64_t{16384});
    // 128 replicas x 16 stages x 2 x 16 micro-batches x 8 chunks.
    QCOMPARE(result.metrics.operations, std::int64_t{524288});
    QVERIFY(qAbs(std::accumulate(result.metrics.breakdownS.begin(), result.metrics.breakdownS.end(), 0.0) - result.metrics.iterationS) < 1e-9);
    QVERIFY(result.memory.fits);
    QVERIFY(result.slowest.reason == Slowest::Reason::MostWork);
    // 6.3 GB of bf16 parameters and 12.7 GB of fp32 gradients a GPU: about 19 GB.
    for (const DimensionReport &report : result.communication)
        if (report.dimension == Dimension::Data) QVERIFY(qAbs(report.bytesPerGpu - 19e9) < 0.5e9);
}

void TestSimulate::oneSlowGpuOfSixteenThousand()
{
    const auto nominal = run(scenario("llama3-405b-16k")), slow = run(scenario("llama3-405b-16k", {kSlow}));
    QVERIFY(slow.result && nominal.result);
    const TimeNs change = slow.result->iteration() - nominal.result->iteration();
    QVERIFY(change > 0);
    QCOMPARE(slow.result->unperturbedIteration, nominal.result->iteration());
    QCOMPARE(QString::fromStdString(slow.result->expansion->pathOf(slow.result->slowest.gpu)), QStringLiteral("pod.2/rack.84/server.1/gpu.5"));
    QVERIFY(slow.result->why.back().kind == WhyKind::SlowGpu);
    QCOMPARE(slow.result->why.back().speed, 0.7);
    // Every 97th rank: the changes of its categories sum to the change of the iteration, and nobody waits a negative time.
    for (RankIndex rank = 0; rank < 16384; rank += 97) {
        const CategoryTimes now = categoryTimesOfRank(*slow.result, rank), then = categoryTimesOfRank(*nominal.result, rank);
        TimeNs sum = 0;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sum += now[c] - then[c];
        QCOMPARE(sum, change);
        QVERIFY(now[categoryIndex(Category::StragglerWait)] >= 0);
    }
}

void TestSimulate::nominalSpeedChangesNoByte()
{
    QCOMPARE(resultJson(*run(scenario("llama3-405b-16k", {kNominal})).result), resultJson(*run(scenario("llama3-405b-16k")).result));
}

void TestSimulate::anyStateOfTheCacheGivesTheSameBytes()
{
    StageCache cache;
    const std::vector<Scenario> scenarios{scenario("llama3-8b-64"), scenario("llama3-8b-64", {kCrawl}), scenario("gpt3-175b-1k-a100"),
                                          scenario("llama3-8b-64", {"/layout/pipeline=4"}), scenario("llama3-8b-64")};
    for (const Scenario &one : scenarios) {
        const auto warm = simulate(one, catalogue(), cache), again = simulate(one, catalogue(), cache), cold = run(one);
        QVERIFY(warm.result && again.result && cold.result);
        QCOMPARE(resultJson(*warm.result), resultJson(*cold.result));
        QCOMPARE(resultJson(*again.result), resultJson(*cold.result));
    }
}

void TestSimulate::speedsMultiplyDownToAFloor()
{
    // 0.0001 is the lowest speed of one perturbation; four of them on one GPU are no slower and overflow nothing.
    const auto once = run(scenario("llama3-8b-64", {kCrawl})), often = run(scenario("llama3-8b-64", {kCrawl, kCrawl, kCrawl, kCrawl}));
    QVERIFY(once.result && often.result);
    QCOMPARE(often.result->iteration(), once.result->iteration());
    QVERIFY(often.result->metrics.breakdownS[categoryIndex(Category::StragglerWait)] > 0.0);
    const auto half = run(scenario("llama3-8b-64", {R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.5})"}));
    const auto twice = run(scenario("llama3-8b-64", {R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.5})",
                                                     R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.5})"}));
    QVERIFY(twice.result->iteration() > half.result->iteration());
}

void TestSimulate::stopIsNoticed()
{
    std::stop_source source;
    StageCache cache;
    // Requested in the middle, when the execution begins.
    const auto outcome = simulate(scenario("llama3-8b-64"), catalogue(), cache, source.get_token(), [&](SimulationStage stage, int) {
        if (stage == SimulationStage::Execute) source.request_stop();
    });
    QVERIFY(outcome.cancelled && !outcome.result && !outcome.error);
    // What a cancelled run leaves in the cache does no harm.
    const auto after = simulate(scenario("llama3-8b-64"), catalogue(), cache);
    QCOMPARE(resultJson(*after.result), resultJson(*run(scenario("llama3-8b-64")).result));
}

void TestSimulate::wrongTargets()
{
    const auto outcome = run(scenario("llama3-8b-64", {kNominal}));
    QVERIFY(outcome.error && outcome.error->code == ErrorCode::UnknownTarget);
    QCOMPARE(QString::fromStdString(outcome.error->place.pointer), QStringLiteral("/perturbations/0/target"));
}

QTEST_APPLESS_MAIN(TestSimulate)
#include "tst_simulate.moc"
