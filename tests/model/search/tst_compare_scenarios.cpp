// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/compare_scenarios.h"
#include "tests/model/search/search_fixture.h"

#include <numeric>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

TimeNs sum(const CategoryTimes &parts)
{
    return std::accumulate(parts.begin(), parts.end(), TimeNs{0});
}

Comparison compared(const Scenario &a, const Scenario &b)
{
    const auto outcome = compareScenarios(a, b, catalogue());
    if (!outcome.comparison) qFatal("the comparison failed");
    return *outcome.comparison;
}

void verifyAddsUp(const Comparison &comparison)
{
    QCOMPARE(comparison.difference.total, comparison.b->iteration() - comparison.a->iteration());
    QCOMPARE(sum(comparison.difference.parts), comparison.difference.total);
    TimeNs total = 0;
    CategoryTimes parts{};
    for (const SectionStep &step : comparison.steps) {
        QCOMPARE(sum(step.contribution.parts), step.contribution.total);
        total += step.contribution.total;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            parts[c] += step.contribution.parts[c];
    }
    QCOMPARE(total, comparison.difference.total);
    QVERIFY(parts == comparison.difference.parts);
}

} // namespace

class TestCompareScenarios : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // 10 ns in thirds: 3.33 each, the odd nanosecond goes to the first of equal remainders. 2.6 + 7.4: 3 + 7.
    void largestRemainder()
    {
        std::array<double, kCategoryCount> seconds{};
        seconds[0] = seconds[1] = seconds[2] = 10e-9 / 3.0;
        CategoryTimes thirds = exactBreakdown(seconds, 10);
        QCOMPARE(thirds[0], TimeNs{4});
        QCOMPARE(thirds[1], TimeNs{3});
        QCOMPARE(thirds[2], TimeNs{3});
        seconds = {};
        seconds[4] = 2.6e-9;
        seconds[9] = 7.4e-9;
        thirds = exactBreakdown(seconds, 10);
        QCOMPARE(thirds[4], TimeNs{3});
        QCOMPARE(thirds[9], TimeNs{7});
    }

    void alikeIsNothing()
    {
        const Comparison comparison = compared(smallScenario(), smallScenario());
        QVERIFY(comparison.steps.empty());
        QCOMPARE(comparison.difference.total, TimeNs{0});
        verifyAddsUp(comparison);
    }

    // Each section's contribution is the difference of two scenarios that differ in it alone.
    void everySectionInFileOrder()
    {
        const std::vector<PointerEdit> edits{
            {"/model/layers", "18"},
            {"/training/recompute", "full"},
            {"/layout/tensor", "8"},
            {"/software/attention_kernel", "fa2"},
            {"/cluster/nic_gbps_per_gpu", "400"},
            {"/perturbations/-", R"({"kind":"slow_gpu","target":"rank:3","speed":0.7})"}};
        const Comparison comparison = compared(smallScenario(), smallScenario(edits));
        verifyAddsUp(comparison);
        QCOMPARE(comparison.steps.size(), kComparedSections.size());
        TimeNs before = comparison.a->iteration();
        for (std::size_t i = 0; i < edits.size(); ++i) {
            QVERIFY(comparison.steps[i].sections == std::vector<Section>{kComparedSections[i]});
            StageCache cache;
            const auto until = simulate(
                smallScenario({edits.begin(), edits.begin() + static_cast<std::ptrdiff_t>(i) + 1}), catalogue(), cache);
            QCOMPARE(comparison.steps[i].contribution.total, until.result->iteration() - before);
            before = until.result->iteration();
        }
        // The slow GPU makes the others wait, and nothing else does.
        QVERIFY(comparison.steps.back().contribution.parts[categoryIndex(Category::StragglerWait)] > 0);
        QCOMPARE(comparison.steps.front().contribution.parts[categoryIndex(Category::StragglerWait)], TimeNs{0});
    }

    // A layout for 32 GPUs needs the larger cluster: alone it is refused, so both are one step.
    void sectionsThatNeedEachOtherAreOneStep()
    {
        const Scenario a = smallScenario({{"/layout/tensor", "8"}, {"/layout/data", "2"}});
        const Scenario b = smallScenario({{"/layout/tensor", "8"}, {"/layout/data", "4"}, {"/cluster/gpus", "32"}});
        const Comparison comparison = compared(a, b);
        verifyAddsUp(comparison);
        QCOMPARE(comparison.steps.size(), std::size_t{1});
        QVERIFY((comparison.steps.front().sections == std::vector<Section>{Section::Layout, Section::Cluster}));
    }

    void errorsNameTheSide()
    {
        const Scenario wrong = smallScenario({{"/layout/tensor", "64"}});
        const auto inA = compareScenarios(wrong, smallScenario(), catalogue());
        QVERIFY(inA.error && !inA.errorInB && !inA.comparison);
        const auto inB = compareScenarios(smallScenario(), wrong, catalogue());
        QVERIFY(inB.error && inB.errorInB && !inB.comparison);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(compareScenarios(smallScenario(), smallScenario(), catalogue(), stop.get_token()).cancelled);
    }
};

QTEST_APPLESS_MAIN(TestCompareScenarios)
#include "tst_compare_scenarios.moc"
