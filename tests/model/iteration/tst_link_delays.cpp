// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>

using namespace clusterbeat;

namespace {

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

/// Eight servers of eight H100; four stages of TP 4, four replicas.
Scenario scenario(const QStringList &perturbations, const QStringList &more = {})
{
    QStringList edits{QStringLiteral("/layout/tensor=4"), QStringLiteral("/layout/pipeline=4"), QStringLiteral("/layout/data=4")};
    edits += more;
    for (const QString &each : perturbations)
        edits << QStringLiteral("/perturbations/-=") + each;
    std::vector<PointerEdit> parsed;
    for (const QString &edit : edits)
        parsed.push_back(parsePointerEdit(edit.toStdString()).value());
    const auto read = readPreset("llama3-8b-64", catalogue(), parsed);
    if (!read.ok()) qFatal("%s", read.error().place.pointer.c_str());
    return read.value();
}

SimulationOutcome run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache);
}

QString degraded(const QString &target, const char *link, double capacity)
{
    return QStringLiteral(R"({"kind":"degraded_link","target":"%1","link":"%2","capacity":%3})").arg(target, QLatin1String(link)).arg(capacity);
}
QString dead(const QString &target, const char *link)
{
    return QStringLiteral(R"({"kind":"dead_link","target":"%1","link":"%2"})").arg(target, QLatin1String(link));
}

TimeNs sum(const CategoryTimes &times) { return std::accumulate(times.begin(), times.end(), TimeNs{0}); }

void compareRanks(const IterationResult &now, const IterationResult &then)
{
    for (RankIndex rank = 0; rank < 64; ++rank) {
        const CategoryTimes times = categoryTimesOfRank(now, rank);
        QCOMPARE(sum(times), now.iteration());
        QVERIFY(times[categoryIndex(Category::StragglerWait)] >= 0);
        // Compute, optimizer and host are what they were; in a group with slow collectives compute loses more to those
        // that run behind it, and fewer launches by the host show.
        const CategoryTimes before = categoryTimesOfRank(then, rank);
        const RankPosition position = positionOf(now, rank);
        for (const Category category : {Category::Forward, Category::Backward, Category::Optimizer, Category::Host}) {
            const std::size_t c = categoryIndex(category);
            if (!now.run.plan.delayedShapes(position.stage, position.replica)) QCOMPARE(times[c], before[c]);
            else if (category == Category::Host) QVERIFY(times[c] <= before[c]);
            else QVERIFY(times[c] >= before[c]);
        }
    }
}

} // namespace

class TestLinkDelays final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nominalLinksChangeNoByte();
    void transfersOfASlowNic();
    void tensorGroupOfASlowNvlink();
    void reductionsOfASlowNic();
    void whyNamesTheLink();
    void deadLinkIsReroutedOrSaid();
    void deadNvlinkTakesTheHost();
    void randomLinksSlowDownOnlyWhatTheyTouch();
    void transfersThatGainAreNamed();
    void anyStateOfTheCacheGivesTheSameBytes();
};

void TestLinkDelays::nominalLinksChangeNoByte()
{
    const std::string nominal = resultJson(*run(scenario({})).result);
    const auto disabled = QStringLiteral(R"({"kind":"dead_link","target":"rank:5","link":"nic","enabled":false})");
    const auto idle = QStringLiteral(R"({"kind":"competing_traffic","target":"rank:5","link":"nic","share":0})");
    QCOMPARE(resultJson(*run(scenario({degraded(QStringLiteral("rank:5"), "nic", 1.0), disabled, idle})).result), nominal);
}

// A stage's four ranks send 2·8,192·8,192... of one micro-batch: bytes over the rate. At a quarter of the NIC the
// slowest member's transfer takes three times the bytes' nominal time more; the latency stays. GPU 5 of server 0 is rank
// 5: stage 1 of replica 0 in the order tensor, data, pipeline or tensor, pipeline, data; whichever, the placement says.
void TestLinkDelays::transfersOfASlowNic()
{
    const auto outcome = run(scenario({degraded(QStringLiteral("rank:5"), "nic", 0.25)}));
    QVERIFY(outcome.result);
    const IterationResult &result = *outcome.result;
    const IterationPlan &plan = result.run.plan;
    QVERIFY(plan.links && !plan.links->transfer.empty());
    const RankCoordinates at5 = result.placement->coordinates[5];
    const ResolvedScenario &s = *result.scenario;
    const double bytes = 2.0 * static_cast<double>(s.training.sequenceLength * s.training.microBatch) * static_cast<double>(s.model.hidden) /
                         static_cast<double>(s.degrees.tensor);
    const double rate = s.cluster.nicGbps * 1e9 / 8.0 * catalogue().constants.nicEfficiency;
    const auto threeTimes = static_cast<TimeNs>(std::llround(3.0 * bytes / rate * 1e9));
    int slower = 0;
    for (std::int32_t stage = 0; stage < 4; ++stage)
        for (std::int32_t replica = 0; replica < 4; ++replica) {
            const TimeNs more = plan.transferOf(stage, replica) - plan.transferOf(stage, replica, true);
            // Out of the GPU and, from the stage before, into it; unless that transfer stays inside a server.
            const bool out = stage == at5.pipeline && replica == at5.data, in = stage == (at5.pipeline + 3) % 4 && replica == at5.data;
            if (more != 0) {
                QVERIFY(out || in);
                QVERIFY(qAbs(more - threeTimes) <= 1);
                ++slower;
            }
        }
    QVERIFY(slower >= 1);
    QVERIFY(plan.links->gains.empty());
    compareRanks(result, *run(scenario({})).result);
}

// NVLink of GPU 5 at half: the ring of its tensor group runs at half, so what is exposed of its collectives grows; only
// this group's.
void TestLinkDelays::tensorGroupOfASlowNvlink()
{
    const auto outcome = run(scenario({degraded(QStringLiteral("rank:5"), "nvlink", 0.5)})), nominal = run(scenario({}));
    QVERIFY(outcome.result);
    const IterationPlan &plan = outcome.result->run.plan;
    const RankCoordinates at5 = outcome.result->placement->coordinates[5];
    QCOMPARE(plan.links->shapes.size(), std::size_t{1});
    for (std::int32_t stage = 0; stage < 4; ++stage)
        for (std::int32_t replica = 0; replica < 4; ++replica)
            QCOMPARE(plan.delayedShapes(stage, replica) != nullptr, stage == at5.pipeline && replica == at5.data);
    const auto exposed = [](const IterationResult &result, RankIndex rank) { return categoryTimesOfRank(result, rank)[categoryIndex(Category::ExposedTp)]; };
    for (RankIndex rank = 0; rank < 64; ++rank) {
        const RankCoordinates &c = outcome.result->placement->coordinates[static_cast<std::size_t>(rank)];
        const bool inGroup = c.pipeline == at5.pipeline && c.data == at5.data;
        QCOMPARE(exposed(*outcome.result, rank) > exposed(*nominal.result, rank), inGroup);
        if (!inGroup) QCOMPARE(exposed(*outcome.result, rank), exposed(*nominal.result, rank));
    }
    compareRanks(*outcome.result, *nominal.result);
}

// One replica group a stage: the ring over the replicas of GPU 5's stage passes its NIC, those of the other stages do not.
void TestLinkDelays::reductionsOfASlowNic()
{
    const auto outcome = run(scenario({degraded(QStringLiteral("rank:5"), "nic", 0.1)}));
    QVERIFY(outcome.result);
    const IterationPlan &plan = outcome.result->run.plan;
    const std::int32_t own = outcome.result->placement->coordinates[5].pipeline;
    for (std::int32_t stage = 0; stage < 4; ++stage)
        QCOMPARE(plan.syncOf(stage, 0).gradientReduce > plan.syncOf(stage, 0, true).gradientReduce, stage == own);
}

void TestLinkDelays::whyNamesTheLink()
{
    const QString target = QStringLiteral("pod.0/rack.0/server.0/gpu.5");
    for (const QString &perturbation : {degraded(target, "nic", 0.02), degraded(target, "nvlink", 0.2), dead(target, "nvlink")}) {
        const auto outcome = run(scenario({perturbation}));
        QVERIFY(outcome.result);
        QVERIFY(outcome.result->iteration() > outcome.result->unperturbedIteration);
        const WhyStep &root = outcome.result->why.back();
        QVERIFY2(root.kind == WhyKind::SlowLink, qPrintable(perturbation));
        const LinkDelays::Cause &cause = outcome.result->run.plan.links->causes[static_cast<std::size_t>(root.link)];
        QVERIFY(QString::fromStdString(cause.link).endsWith(QStringLiteral(" of ") + target));
        QCOMPARE(cause.perturbation, 0);
        QCOMPARE(QString::fromStdString(outcome.result->expansion->pathOf(outcome.result->slowest.gpu)), target);
        QVERIFY(outcome.result->slowest.reason == Slowest::Reason::SlowLink);
        // Whoever waits for a straggler ends at the same link.
        std::vector<Span> spans;
        spansOfRank(outcome.result->run, 3, 3, 0, 0, outcome.result->iteration(), spans);
        for (const Span &span : spans)
            if (span.category == Category::StragglerWait)
                QVERIFY(whyWaiting(outcome.result->run, 3, 3, 0, span.begin).back().kind == WhyKind::SlowLink);
    }
}

void TestLinkDelays::deadLinkIsReroutedOrSaid()
{
    // Its peer's NIC carries both: slower, but it runs. With a slow GPU listed before it the error names its own place.
    const auto rerouted = run(scenario({dead(QStringLiteral("rank:5"), "nic")}));
    QVERIFY(rerouted.result && rerouted.result->iteration() >= rerouted.result->unperturbedIteration);
    const auto torn = run(scenario({QStringLiteral(R"({"kind":"slow_gpu","target":"rank:5","speed":0.5})"), dead(QStringLiteral("rank:7"), "nic"),
                                    dead(QStringLiteral("pod.0/rack.0/server.0"), "nic")}));
    QVERIFY(torn.error && torn.error->code == ErrorCode::NotConnected);
    QCOMPARE(torn.error->place.pointer, std::string("/perturbations/2/target"));
}

// One server has no leaf: its GPUs meet a dead NVLink's over PCIe and the host. H100: 5.0 x16, 63 GB/s at 85 %, one way,
// for both ends; the ring of eight moves 7/8 of the gradients past each. So do two servers without any NVLink.
void TestLinkDelays::deadNvlinkTakesTheHost()
{
    const QStringList one{QStringLiteral("/cluster/gpus=8"), QStringLiteral("/layout/tensor=1"), QStringLiteral("/layout/pipeline=1"),
                          QStringLiteral("/layout/data=8"), QStringLiteral("/training/global_batch=64")};
    const auto server = run(scenario({dead(QStringLiteral("rank:3"), "nvlink")}, one));
    QVERIFY(server.result && server.result->iteration() > server.result->unperturbedIteration);
    const IterationPlan &plan = server.result->run.plan;
    const double parameters = 8030261248.0, bytes = parameters * static_cast<double>(server.result->scenario->software.gradientBytes);
    const double expected = bytes * 7.0 / 8.0 / (63e9 * 0.85);
    QVERIFY(std::abs(toSeconds(plan.syncOf(0, 0).gradientReduce) / expected - 1.0) < 0.01);
    QVERIFY(plan.syncOf(0, 0, true).gradientReduce < plan.syncOf(0, 0).gradientReduce);
    QVERIFY(!plan.links->causes.empty() && plan.links->causes.front().link.find("nvlink") != std::string::npos);
    // Whatever else is dead in the server, and however its GPUs are grouped.
    for (const int tensor : {1, 2, 8}) {
        const QStringList layout{QStringLiteral("/cluster/gpus=8"), QStringLiteral("/layout/tensor=%1").arg(tensor), QStringLiteral("/layout/pipeline=1"),
                                 QStringLiteral("/layout/data=%1").arg(8 / tensor), QStringLiteral("/training/global_batch=64")};
        QStringList all;
        for (int gpu = 0; gpu < 8; ++gpu) all << dead(QStringLiteral("rank:%1").arg(gpu), "nvlink");
        const auto dark = run(scenario(all, layout));
        QVERIFY(dark.result && dark.result->iteration() > dark.result->unperturbedIteration);
    }
    QStringList both;
    for (int gpu = 0; gpu < 16; ++gpu) both << dead(QStringLiteral("rank:%1").arg(gpu), "nvlink");
    const auto two = run(scenario(both, {QStringLiteral("/cluster/gpus=16"), QStringLiteral("/layout/tensor=4"), QStringLiteral("/layout/pipeline=1"),
                                         QStringLiteral("/layout/data=4"), QStringLiteral("/training/global_batch=64")}));
    QVERIFY(two.result && two.result->iteration() > two.result->unperturbedIteration);
}

// A flow that a degraded link holds gets no faster. What did get faster is named as a gain, and only then may the
// iteration be shorter; everything else takes at least its nominal time, and sharing of replicas changes nothing.
void TestLinkDelays::randomLinksSlowDownOnlyWhatTheyTouch()
{
    const auto nominal = run(scenario({}));
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const auto draw = [&](std::uint64_t i, std::uint64_t n) { return randomBits(seed, i) % n; };
        QStringList list;
        for (std::uint64_t i = 0; i <= draw(0, 3); ++i) {
            const QString gpu = QStringLiteral("rank:%1").arg(draw(10 * i + 1, 64));
            const double capacity = 0.05 + 0.01 * static_cast<double>(draw(10 * i + 2, 95));
            list << degraded(gpu, draw(10 * i + 3, 2) == 0 ? "nic" : "nvlink", capacity);
        }
        const auto outcome = run(scenario(list));
        QVERIFY(outcome.result);
        const IterationPlan &plan = outcome.result->run.plan;
        std::size_t faster = 0;
        for (std::int32_t stage = 0; stage < 4; ++stage)
            for (std::int32_t replica = 0; replica < 4; ++replica) {
                faster += plan.transferOf(stage, replica) < plan.transferOf(stage, replica, true) ? 1U : 0U;
                for (const ScheduledOperation &operation : plan.schedule.order[static_cast<std::size_t>(stage)])
                    QVERIFY(plan.shapeOf(stage, replica, operation).total() >= plan.shapeOf(stage, operation).total());
                QVERIFY(plan.syncOf(stage, 0).gradientReduce >= plan.syncOf(stage, 0, true).gradientReduce);
            }
        QCOMPARE(plan.links ? plan.links->gains.size() : 0, faster);
        const auto json = nlohmann::json::parse(resultJson(*outcome.result));
        QCOMPARE(json.value("gains", nlohmann::json::array()).size(), faster);
        if (faster == 0) QVERIFY(outcome.result->iteration() >= nominal.result->iteration());
        const Trace alone = executePlan(plan, false);
        QCOMPARE(alone.iteration, outcome.result->iteration());
        for (std::int32_t replica = 0; replica < 4; ++replica)
            QCOMPARE(alone.finishOf(2, 3, alone.classOfReplica[static_cast<std::size_t>(replica)]),
                     outcome.result->run.trace.finishOf(2, 3, outcome.result->run.trace.classOfReplica[static_cast<std::size_t>(replica)]));
        if (seed <= 6) compareRanks(*outcome.result, *nominal.result);
    }
}

// A server a rack, its leaf's uplinks at 1:8: 45 GB/s for the eight GPUs' transfers, 5.625 each. With rank 5's NIC at
// 0.05 its transfer takes 2.25 and the seven others share the rest, 6.107 GB/s: the group beside it in the server gains.
void TestLinkDelays::transfersThatGainAreNamed()
{
    const QStringList shared{QStringLiteral("/cluster/leaf=\"rack\""), QStringLiteral("/cluster/servers_per_rack=1"), QStringLiteral("/cluster/pod_oversubscription=8")};
    const auto outcome = run(scenario({degraded(QStringLiteral("rank:5"), "nic", 0.05)}, shared));
    QVERIFY(outcome.result);
    const IterationPlan &plan = outcome.result->run.plan;
    const auto json = nlohmann::json::parse(resultJson(*outcome.result));
    QVERIFY(!plan.links->gains.empty());
    QCOMPARE(json.at("gains").size(), plan.links->gains.size());
    for (const auto &gain : json.at("gains")) {
        const std::int32_t stage = gain.at("from_stage"), replica = gain.at("replica");
        QVERIFY(plan.transferOf(stage, replica) < plan.transferOf(stage, replica, true));
        QVERIFY(gain.at("bottleneck_link").get<std::string>().starts_with("leaf-spine "));
        const ResolvedScenario &s = *outcome.result->scenario;
        const double bytes = 2.0 * static_cast<double>(s.training.sequenceLength * s.training.microBatch * s.model.hidden) / 4.0;
        const double less = bytes / 5.625e9 - bytes / ((45e9 - 2.25e9) / 7.0);
        QVERIFY(qAbs(static_cast<double>(plan.transferOf(stage, replica, true) - plan.transferOf(stage, replica)) - less * 1e9) <= 2.0);
    }
}

void TestLinkDelays::anyStateOfTheCacheGivesTheSameBytes()
{
    StageCache cache;
    const QString nic = degraded(QStringLiteral("rank:5"), "nic", 0.25), slow = QStringLiteral(R"({"kind":"slow_gpu","target":"rank:9","speed":0.5})");
    const std::vector<Scenario> scenarios{scenario({nic}), scenario({nic, slow}), scenario({slow, nic}), scenario({}), scenario({nic}, {QStringLiteral("/layout/pipeline=2"), QStringLiteral("/layout/data=8")}),
                                          scenario({degraded(QStringLiteral("rank:5"), "nic", 0.5)}), scenario({nic})};
    for (const Scenario &one : scenarios) {
        const auto warm = simulate(one, catalogue(), cache), cold = run(one);
        QVERIFY(warm.result && cold.result);
        QCOMPARE(resultJson(*warm.result), resultJson(*cold.result));
    }
}

QTEST_APPLESS_MAIN(TestLinkDelays)
#include "tst_link_delays.moc"
