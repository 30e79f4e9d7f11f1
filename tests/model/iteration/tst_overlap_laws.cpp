// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Communication takes its time somewhere: behind compute that runs then, or in the open. For small scenarios of every
// kind, and for networks, groups and models far apart in size. A failure prints the scenario's seed.
#include "model/iteration/simulate.h"
#include "tests/model/iteration/extreme_scenarios.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

constexpr std::uint64_t kSeeds = 600;
/// Segments are rounded to the clock one by one.
constexpr double kRounding = 1e-3;

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

/// Null when the scenario is not valid.
std::shared_ptr<const IterationResult> run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache).result;
}

Scenario scenarioOf(std::uint64_t seed) { return seed % 2 == 0 ? extremeScenario(seed) : randomScenario(seed); }

/// Of the stage with most of it.
double computeSeconds(const IterationPlan &plan)
{
    double most = 0.0;
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
        double seconds = 0.0;
        for (const ScheduledOperation &operation : plan.schedule.order[static_cast<std::size_t>(stage)])
            seconds += toSeconds(plan.shapeOf(stage, operation).scaling());
        most = std::max(most, seconds);
    }
    return most;
}

#define HOLDS(condition, each)                                                                                             \
    QVERIFY2(condition, qPrintable(QStringLiteral("seed %1, dimension %2: busy %3, exposed %4 of %5 s")                     \
                                       .arg(seed)                                                                           \
                                       .arg(static_cast<int>((each).dimension))                                             \
                                       .arg((each).busyS)                                                                   \
                                       .arg((each).exposedS)                                                                \
                                       .arg(result->metrics.iterationS)))

} // namespace

class TestOverlapLaws : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void extremesAreTried();
    void nothingIsBusyLongerThanTheIteration();
    void hiddenIsBehindCompute();
};

// The laws mean something only where the network is too slow for the compute, and for groups across servers.
void TestOverlapLaws::extremesAreTried()
{
    int valid = 0, wideTensor = 0, wideContext = 0, experts = 0, twoWays = 0, bound = 0;
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(scenarioOf(seed));
        if (!result) continue;
        const Degrees &degrees = result->scenario->degrees;
        ++valid;
        wideTensor += degrees.tensor > 8 ? 1 : 0;
        wideContext += degrees.context > 8 ? 1 : 0;
        experts += degrees.expert > 8 && result->scenario->software.expertOverlap ? 1 : 0;
        twoWays += degrees.schedule == ScheduleKind::DualPipe && degrees.expert > 1 ? 1 : 0;
        bound += 2.0 * computeSeconds(result->run.plan) < result->metrics.iterationS ? 1 : 0;
    }
    QVERIFY2(valid >= 400, qPrintable(QString::number(valid)));
    QVERIFY2(wideTensor >= 20 && wideContext >= 10 && experts >= 20 && twoWays >= 5 && bound >= 100,
             qPrintable(QStringLiteral("%1 %2 %3 %4 %5").arg(wideTensor).arg(wideContext).arg(experts).arg(twoWays).arg(bound)));
}

void TestOverlapLaws::nothingIsBusyLongerThanTheIteration()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(scenarioOf(seed));
        if (!result) continue;
        for (const DimensionReport &each : result->communication)
            HOLDS(each.busyS <= result->metrics.iterationS, each);
    }
}

// On one stage all ranks do the same, so that what is neither exposed nor behind compute is nowhere. The parameters'
// gather also runs while the host begins the iteration.
void TestOverlapLaws::hiddenIsBehindCompute()
{
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
        const auto result = run(scenarioOf(seed));
        if (!result || result->run.plan.stages() > 1) continue;
        const double compute = computeSeconds(result->run.plan);
        for (const DimensionReport &each : result->communication) {
            const bool data = each.dimension == Dimension::Data;
            const double host = data ? toSeconds(result->run.plan.hostAtStart.front()) : 0.0;
            HOLDS(each.busyS - each.exposedS <= compute * (1.0 + kRounding) + host, each);
        }
    }
}

QTEST_APPLESS_MAIN(TestOverlapLaws)
#include "tst_overlap_laws.moc"
