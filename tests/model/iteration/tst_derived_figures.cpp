// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Figures that are derived from a run and easily derived wrongly.
#include "model/base/random.h"
#include "model/iteration/attribution.h"
#include "model/iteration/perturb_timing.h"
#include "model/iteration/trace.h"
#include "tests/model/iteration/plans.h"

#include <QtTest>

using namespace clusterbeat;

class TestDerivedFigures : public QObject {
    Q_OBJECT
private slots:
    void bubbleIsTheSchedulesAlone();
    void aPauseOutlastsAWait();
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

QTEST_APPLESS_MAIN(TestDerivedFigures)
#include "tst_derived_figures.moc"
