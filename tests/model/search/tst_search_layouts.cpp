// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/simulate.h"
#include "model/search/layout_bounds.h"
#include "tests/model/search/search_fixture.h"

#include <algorithm>
#include <set>
#include <tuple>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

CandidateSpace onlyDegrees()
{
    CandidateSpace space;
    space.schedules = {ScheduleKind::OneFOneB};
    space.recompute = {RecomputeMode::None};
    space.recomputeQuarters.clear();
    space.expertTensor = space.shardGroups = false;
    space.zeroStages = {1};
    space.largestContext = 1;
    return space;
}

/// A space small enough to simulate all of it.
CandidateSpace exhaustible()
{
    CandidateSpace space;
    space.schedules = {ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbV,
                       ScheduleKind::DualPipeV, ScheduleKind::GPipe};
    space.zeroStages = {1, 3};
    space.recomputeQuarters = {2};
    space.largestMicroBatch = 2;
    space.largestContext = 2;
    return space;
}

struct Simulated {
    LayoutChoice choice;
    TimeNs time = 0;
    Bytes memory = 0, capacity = 0;
    double mfu = 0.0;
    std::array<double, kCategoryCount> breakdownS{};
    [[nodiscard]] bool fits() const { return memory <= capacity; }
};

std::vector<Simulated> simulateAll(const Scenario &scenario, const CandidateSpace &space)
{
    const auto resolver = LayoutResolver::make(scenario, catalogue());
    std::vector<Simulated> all;
    StageCache cache;
    for (const LayoutChoice &choice : validLayouts(resolver.value(), space)) {
        const auto outcome = simulate(withLayout(scenario, choice), catalogue(), cache);
        if (!outcome.result) qFatal("a valid layout is refused");
        const IterationResult &r = *outcome.result;
        all.push_back(
            {choice, r.iteration(), r.memory.peak.total(), r.memory.capacity, r.metrics.mfu, r.metrics.breakdownS});
    }
    return all;
}

/// Of layouts that are alike in time and memory the first.
void dropAlike(std::vector<Simulated> &list)
{
    std::vector<Simulated> kept;
    for (const Simulated &s : list)
        if (std::none_of(kept.begin(), kept.end(),
                         [&](const Simulated &k) { return k.time == s.time && k.memory == s.memory; }))
            kept.push_back(s);
    list = std::move(kept);
}

void compareLists(const std::vector<FoundLayout> &found, const std::vector<Simulated> &expected)
{
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        QVERIFY(found[i].choice == expected[i].choice);
        QCOMPARE(found[i].detail.iteration, expected[i].time);
        QCOMPARE(found[i].detail.memory.total(), expected[i].memory);
        QCOMPARE(found[i].detail.capacity, expected[i].capacity);
        QVERIFY(found[i].detail.mfu == expected[i].mfu);
        QVERIFY(found[i].detail.breakdownS == expected[i].breakdownS);
    }
}

bool same(const std::vector<FoundLayout> &a, const std::vector<FoundLayout> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const FoundLayout &x, const FoundLayout &y) {
        return x.choice == y.choice && x.detail.iteration == y.detail.iteration &&
               x.detail.breakdownS == y.detail.breakdownS && x.detail.memory.total() == y.detail.memory.total() &&
               x.detail.mfu == y.detail.mfu && x.reason.kind == y.reason.kind &&
               x.reason.category == y.reason.category && x.reason.seconds == y.reason.seconds &&
               x.reason.bytes == y.reason.bytes;
    });
}

} // namespace

class TestSearchLayouts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // 2 GPUs, 2 layers, 2 heads, batch 2. Tensor divides 2: 1 or 2; micro-batch divides 2: 1 or 2.
    //   tensor 1: pipeline 1: micro-batch 1 with data 2, micro-batch 2 with data 1; pipeline 2: data 1, micro-batch 1
    //   or 2 tensor 2: pipeline 1: data 1, micro-batch 1 or 2 together 6
    // Interleaving: pipeline 2 with 2 chunks (2 layers, embedding and head: 4 / 4), micro-batch 1; with micro-batch 2 a
    // single one is fewer than the stages: + 1 = 7. Four ZeRO stages: only the one with data 2 has something to shard:
    // + 3 = 10. Context 2 (tensor 1, pipeline 1, data 1), micro-batch 1 or 2, shards over context: 2 * 4: + 8 = 18.
    void validLayoutsOfATinyCase()
    {
        const Scenario tiny = smallScenario({{"/model/layers", "2"},
                                             {"/model/heads", "2"},
                                             {"/model/kv_heads", "2"},
                                             {"/model/hidden", "256"},
                                             {"/model/ffn_hidden", "1024"},
                                             {"/training/global_batch", "2"},
                                             {"/cluster/gpus", "2"}});
        const auto resolver = LayoutResolver::make(tiny, catalogue());
        QVERIFY(resolver.ok());
        CandidateSpace space = onlyDegrees();
        QCOMPARE(validLayouts(resolver.value(), space).size(), std::size_t{6});
        space.schedules.push_back(ScheduleKind::Interleaved);
        QCOMPARE(validLayouts(resolver.value(), space).size(), std::size_t{7});
        space.zeroStages = {0, 1, 2, 3};
        QCOMPARE(validLayouts(resolver.value(), space).size(), std::size_t{10});
        space.largestContext = 2;
        QCOMPARE(validLayouts(resolver.value(), space).size(), std::size_t{18});
    }

    // The same with one micro-batch size, on 4 GPUs of 2 a domain, batch 4, no interleaving, ZeRO 3 alone: tensor 1 with
    // pipeline 1 (data 4) or 2 (data 2), tensor 2 with pipeline 1 (data 2) or 2 (data 1)                          4
    // GPipe with pipeline 2: + 2 = 6. Half of the layers: of pipeline 1's two layers one, of pipeline 2's none; both
    // tensor degrees once more: + 2 = 8. Shards inside a domain of 2: tensor 1, pipeline 1 has 4 replicas, two to a
    // domain, with and without recompute: + 2 = 10; pipeline 2's two replicas are a whole group already.
    void validLayoutsWithPartsOfLayersAndShards()
    {
        const Scenario tiny = smallScenario({{"/model/layers", "2"},
                                             {"/model/heads", "2"},
                                             {"/model/kv_heads", "2"},
                                             {"/model/hidden", "256"},
                                             {"/model/ffn_hidden", "1024"},
                                             {"/training/global_batch", "4"},
                                             {"/cluster/scaleup_domain", "2"},
                                             {"/cluster/gpus", "4"}});
        const auto resolver = LayoutResolver::make(tiny, catalogue());
        QVERIFY(resolver.ok());
        CandidateSpace space = onlyDegrees();
        space.zeroStages = {3};
        space.largestMicroBatch = 1;
        const auto valid = [&] {
            const auto layouts = validLayouts(resolver.value(), space);
            return std::count_if(layouts.begin(), layouts.end(), [](const LayoutChoice &c) { return c.pipeline <= 2; });
        };
        QCOMPARE(valid(), 4);
        space.schedules.push_back(ScheduleKind::GPipe);
        QCOMPARE(valid(), 6);
        space.recomputeQuarters = {2};
        QCOMPARE(valid(), 8);
        space.shardGroups = true;
        QCOMPARE(valid(), 10);
    }

    // Experts under tensor parallelism may be split as well: expert 1, 2 or 4, whole or over the two tensor ranks.
    void expertsSplitOverTensorRanks()
    {
        const Scenario experts =
            smallScenario({{"/model/moe", R"({"experts":4,"top_k":2,"expert_ffn_hidden":7168})"}});
        const auto resolver = LayoutResolver::make(experts, catalogue());
        QVERIFY(resolver.ok());
        CandidateSpace space = onlyDegrees();
        space.expertTensor = true;
        std::set<std::pair<std::int64_t, std::int64_t>> found;
        for (const LayoutChoice &choice : validLayouts(resolver.value(), space))
            if (choice.tensor == 2) found.insert({choice.expert, choice.expertTensor});
        const std::set<std::pair<std::int64_t, std::int64_t>> expected{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {2, 2}, {4, 2}};
        QVERIFY(found == expected);
    }

    void sameBatchAndAllRules()
    {
        const Scenario scenario = smallScenario();
        const auto resolver = LayoutResolver::make(scenario, catalogue());
        for (const LayoutChoice &choice : validLayouts(resolver.value(), exhaustible())) {
            const auto resolved = resolve(withLayout(scenario, choice), catalogue());
            QVERIFY(resolved.ok());
            QCOMPARE(resolved.value().microBatches * choice.data * choice.microBatch, std::int64_t{8});
            QVERIFY(resolved.value().degrees.ranks() <= 16);
        }
    }

    // Bounds that hold may not cut anything off: the lists equal those of simulating every layout.
    void listsEqualExhaustiveSimulation_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::newRow("as it is") << QString() << QString();
        QTest::newRow("data innermost") << QStringLiteral("/layout/order")
                                        << QStringLiteral(R"(["data","expert","context","pipeline","tensor"])");
        QTest::newRow("no overlap") << QStringLiteral("/layout/overlap")
                                    << QStringLiteral(R"({"data":false,"pipeline":false})");
        QTest::newRow("no barrier") << QStringLiteral("/training/optimizer_sync") << QStringLiteral("false");
        QTest::newRow("one server") << QStringLiteral("/cluster/gpus") << QStringLiteral("8");
        QTest::newRow("spares") << QStringLiteral("/cluster/gpus") << QStringLiteral("13");
        QTest::newRow("fast network") << QStringLiteral("/cluster/nic_gbps_per_gpu") << QStringLiteral("4000");
        QTest::newRow("experts") << QStringLiteral("/model/moe")
                                 << QStringLiteral(R"({"experts":4,"top_k":2,"expert_ffn_hidden":7168})");
    }
    void listsEqualExhaustiveSimulation()
    {
        QFETCH(QString, key);
        QFETCH(QString, value);
        std::vector<PointerEdit> edits;
        if (!key.isEmpty()) edits.push_back({key.toStdString(), value.toStdString()});
        const Scenario scenario = smallScenario(edits);
        SearchOptions options;
        options.space = exhaustible();
        options.top = 10;
        const std::vector<Simulated> all = simulateAll(scenario, options.space);
        QVERIFY(all.size() > 100);
        const auto outcome = searchLayouts(scenario, catalogue(), options);
        QVERIFY(outcome.result.has_value());
        const SearchResult &result = *outcome.result;
        QCOMPARE(result.valid, all.size());

        const auto rank = [](const Simulated &a, const Simulated &b) {
            return std::tuple(a.time, a.memory) < std::tuple(b.time, b.memory);
        };
        std::vector<Simulated> fitting, tooLarge, front;
        for (const Simulated &s : all)
            if (s.fits()) fitting.push_back(s);
        std::stable_sort(fitting.begin(), fitting.end(), rank);
        dropAlike(fitting);
        QVERIFY(fitting.size() >= options.top);
        const TimeNs best = fitting.front().time;
        for (const Simulated &s : all)
            if (!s.fits() && s.time < best) tooLarge.push_back(s);
        std::stable_sort(tooLarge.begin(), tooLarge.end(), [](const Simulated &a, const Simulated &b) {
            return std::tuple(a.memory, a.time) < std::tuple(b.memory, b.time);
        });
        dropAlike(tooLarge);
        Bytes least = fitting.front().capacity + 1;
        for (const Simulated &s : fitting) {
            if (s.memory >= least || static_cast<double>(s.time) > options.slowestOfFront * static_cast<double>(best))
                continue;
            least = s.memory;
            front.push_back(s);
        }
        fitting.resize(options.top);
        if (tooLarge.size() > options.top) tooLarge.resize(options.top);
        compareLists(result.ranked, fitting);
        compareLists(result.pareto, front);
        compareLists(result.tooLarge, tooLarge);
        QVERIFY(front.size() > 1);
    }

    void boundsNeverExceedTheSimulation()
    {
        const Scenario scenario = smallScenario();
        CandidateSpace space = exhaustible();
        space.schedules = CandidateSpace{}.schedules;
        const auto resolver = LayoutResolver::make(scenario, catalogue());
        const auto expansion = expand(resolver.value().base().blueprint);
        LayoutBounds bounds(catalogue().constants, fastestLinks(*expansion.value(), catalogue().constants));
        ResolvedScenario scratch = resolver.value().base();
        for (const Simulated &s : simulateAll(scenario, space)) {
            const TimeNs family = bounds.familyTime(s.choice, resolver.value(), scratch);
            QVERIFY(resolver.value().resolveInto(s.choice, scratch));
            QVERIFY(family > 0 && family <= s.time);
            QVERIFY(bounds.time(s.choice, scratch) <= s.time);
            QVERIFY(bounds.memory(scratch) <= s.memory);
        }
    }

    void threadsDoNotChangeAnything()
    {
        SearchOptions options;
        const auto one = searchLayouts(smallScenario(), catalogue(), options);
        for (const unsigned threads : {2U, 5U}) {
            options.threads = threads;
            const auto other = searchLayouts(smallScenario(), catalogue(), options);
            QCOMPARE(other.result->valid, one.result->valid);
            QCOMPARE(other.result->executed, one.result->executed);
            QVERIFY(same(other.result->ranked, one.result->ranked));
            QVERIFY(same(other.result->pareto, one.result->pareto));
            QVERIFY(same(other.result->tooLarge, one.result->tooLarge));
        }
    }

    // The reason is the category in which a layout exceeds the best most; what is too large names the bytes over.
    void reasons()
    {
        SearchOptions options;
        options.space = exhaustible();
        const SearchResult result = *searchLayouts(smallScenario(), catalogue(), options).result;
        QVERIFY(result.ranked.front().reason.kind == LossReason::Kind::Best);
        const auto &best = result.ranked.front().detail.breakdownS;
        for (std::size_t i = 1; i < result.ranked.size(); ++i) {
            const FoundLayout &layout = result.ranked[i];
            if (layout.reason.kind != LossReason::Kind::Slower) continue;
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                QVERIFY(layout.detail.breakdownS[c] - best[c] <= layout.reason.seconds);
            const std::size_t named = categoryIndex(layout.reason.category);
            QVERIFY(layout.detail.breakdownS[named] - best[named] == layout.reason.seconds);
        }
        QVERIFY(!result.tooLarge.empty());
        for (const FoundLayout &layout : result.tooLarge) {
            QVERIFY(layout.reason.kind == LossReason::Kind::DoesNotFit);
            QCOMPARE(layout.reason.bytes, layout.detail.memory.total() - layout.detail.capacity);
            QVERIFY(layout.reason.bytes > 0);
        }
    }

    // Nothing fits: the list of the fitting is empty, and what lacks least is named.
    void nothingFits()
    {
        SearchOptions options;
        options.top = 3;
        options.space = exhaustible();
        const auto outcome = searchLayouts(smallScenario({{"/model/layers", "400"}}), catalogue(), options);
        QVERIFY(outcome.result.has_value());
        QVERIFY(outcome.result->ranked.empty() && outcome.result->pareto.empty());
        QCOMPARE(outcome.result->tooLarge.size(), std::size_t{3});
        QVERIFY(outcome.result->tooLarge[0].reason.bytes <= outcome.result->tooLarge[1].reason.bytes);
    }

    void wrongInputAndCancelling()
    {
        const auto wrong = searchLayouts(smallScenario({{"/software/profile", "unheard-of"}}), catalogue(), {});
        QVERIFY(wrong.error.has_value() && !wrong.result && !wrong.cancelled);
        QCOMPARE(wrong.error->place.pointer, std::string("/software/profile"));
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = searchLayouts(smallScenario(), catalogue(), {}, stop.get_token());
        QVERIFY(cancelled.cancelled && !cancelled.result && !cancelled.error);
    }
};

QTEST_APPLESS_MAIN(TestSearchLayouts)
#include "tst_search_layouts.moc"
