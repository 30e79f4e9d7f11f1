// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Figures that are derived from a run and easily derived wrongly.
#include "model/base/random.h"
#include "model/iteration/attribution.h"
#include "model/iteration/perturb_timing.h"
#include "model/iteration/simulate.h"
#include "model/iteration/trace.h"
#include "model/scenario/scenario_json.h"
#include "tests/model/iteration/plans.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

std::shared_ptr<const IterationResult> simulated(const char *preset, std::initializer_list<const char *> edits)
{
    static const Catalogue catalogue = loadCatalogue().value();
    std::vector<PointerEdit> parsed;
    for (const char *edit : edits) parsed.push_back(parsePointerEdit(edit).value());
    StageCache cache;
    const SimulationOutcome outcome = simulate(readPreset(preset, catalogue, parsed).value(), catalogue, cache);
    if (!outcome.result) qFatal("no result");
    return outcome.result;
}

} // namespace

class TestDerivedFigures : public QObject {
    Q_OBJECT
private slots:
    void bubbleIsTheSchedulesAlone();
    void aPauseOutlastsAWait();
    void utilisationByEveryConvention();
    void spareGpusAreRentedToo();
};

// 1F1B, p = 2, m = 2, F 10, B 20: T = (m + p - 1) · 30 = 90, each rank works 60: a third. Communication of one stage, inside
// its operations or between them, makes T longer and the bubble no other.
void TestDerivedFigures::bubbleIsTheSchedulesAlone()
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 2, 10, 20);
    plan.forward[1][0].segments.push_back({Category::ExposedTp, 10});
    plan.backward[1][0].segments.push_back({Category::ExposedEp, 7});
    plan.transfer = {5, 0};
    QVERIFY(runPlan(plan).trace.iteration > 90);
    QCOMPARE(scheduleBubbleFraction(plan), 1.0 / 3.0);
}

// Stage 1 waits for its input from 0 to 10 ms. A pause of 8 ms that begins at x between 2 and 10 ms holds its host until
// x + 8 ms, which is x - 2 ms after the input came; what falls into the wait costs nothing. One every 100 ms: no other.
void TestDerivedFigures::aPauseOutlastsAWait()
{
    constexpr TimeNs ms = 1'000'000;
    constexpr std::uint64_t everyHost = ~std::uint64_t{0}, purpose = 0x6763706175736501ULL;
    int tried = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        const double phase = randomUniform(randomStream({seed, everyHost, purpose}), 0);
        const auto begin = static_cast<TimeNs>(phase * static_cast<double>(100 * ms));
        if (begin <= 2 * ms || begin >= 10 * ms) continue;
        ++tried;
        IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 1, 10 * ms, 20 * ms);
        plan.optimizer = {0, 0};
        Perturbation pause;
        pause.kind = PerturbationKind::GcPause;
        pause.timing.pauseS = 0.008;
        pause.timing.everyS = 0.1;
        pause.timing.aligned = true;
        pause.seed = static_cast<std::int64_t>(seed);
        addPauses(plan, pause, {plan.position(1, 0, 0)}, executeUnperturbed(plan));
        const auto &list = plan.pauses[plan.position(1, 0, 0)];
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front().operation, 0);
        QCOMPARE(list.front().ns, begin - 2 * ms);
    }
    QVERIFY(tried > 10);
}

// Llama 3 405B, 8,192 tokens: 6N = 6 · 403,747,897,344 without attention; attention in full 12 · L · h · s, causal half of
// it (Korthikanti et al. 2022, appendix A, per token). 2,048 sequences a step; an H100 has 989 TFLOP/s dense in bf16.
void TestDerivedFigures::utilisationByEveryConvention()
{
    const std::shared_ptr<const IterationResult> result = simulated("llama3-405b-16k", {});
    const double perGpu = 2048.0 * 8192.0 / result->metrics.iterationS / 16384.0 / 989e12;
    const double matmuls = 6.0 * 403747897344.0, attention = 12.0 * 126 * 16384 * 8192;
    const auto near = [](double a, double b) { return qAbs(a - b) <= 1e-9 * b; };
    QVERIFY(near(result->metrics.mfuNoAttention, matmuls * perGpu));
    QVERIFY(near(result->metrics.mfu, (matmuls + attention / 2.0) * perGpu));
    QVERIFY(near(result->metrics.mfuNoncausal, (matmuls + attention) * perGpu));
    QVERIFY(near(result->metrics.modelTflopsPerGpu, result->metrics.mfu * 989.0));
}

// 48 of 64 GPUs have a rank; all 64 are paid, at 3.60 $ an hour a tenth of a cent a second.
void TestDerivedFigures::spareGpusAreRentedToo()
{
    const auto result = simulated("llama3-8b-64", {"/layout/data=24", "/training/global_batch=1008", "/prices={\"gpu_hour_usd\":3.6}"});
    const Metrics &metrics = result->metrics;
    QCOMPARE(metrics.clusterGpus, 64);
    QVERIFY(metrics.gpus == 48);
    const auto near = [](double a, double b) { return qAbs(a - b) <= 1e-9 * b; };
    QVERIFY(near(metrics.usdPerIteration, 64 * 0.001 * metrics.iterationS));
    QVERIFY(near(metrics.usdPerMillionTokens, metrics.usdPerIteration / (1008.0 * 8192.0) * 1e6));
}

QTEST_APPLESS_MAIN(TestDerivedFigures)
#include "tst_derived_figures.moc"
