// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/templates.h"
#include "model/layout/placement.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <string>

using namespace clusterbeat;

namespace {

std::shared_ptr<const Expansion> cluster(std::int64_t gpus, std::int64_t gpusPerServer = 8, std::int64_t domain = 8)
{
    ClusterParameters p;
    p.gpus = gpus;
    p.gpusPerServer = gpusPerServer;
    p.scaleupDomain = domain;
    return expand(blueprintFromTemplate(p).value()).value();
}

Degrees llamaDegrees()
{
    Degrees d;
    d.tensor = 8;
    d.pipeline = 16;
    d.data = 128;
    d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    return d;
}

} // namespace

class TestPlacement final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void llamaGroupsAreStrided();
    void placementIsABijection();
    void sparesStayUnused();
    void onlyTheFirstGpusOfADomainAreUsed();
    void targetsNameGpus();
    void randomTargetsAreDistinctAndRepeatable();
    void wrongTargetsAreRefused();
};

// Order tensor, context, pipeline, data with TP 8, PP 16: a data-parallel group is every 128th GPU, 128 of them;
// the next pipeline stage is 8 GPUs further; a tensor group is one server.
void TestPlacement::llamaGroupsAreStrided()
{
    const auto e = cluster(16'384);
    const Placement p = place(llamaDegrees(), *e, 8, 8);
    QCOMPARE(p.coordinates.size(), std::size_t{16'384});
    for (std::int32_t replica = 0; replica < 128; ++replica)
        QCOMPARE(p.gpuOfRank[static_cast<std::size_t>(p.rankAt(3, replica, 5))], replica * 128 + 3 * 8 + 5);
    const RankCoordinates &c = p.coordinates[41 * 128 + 7 * 8 + 2];
    QCOMPARE(c.data, 41);
    QCOMPARE(c.pipeline, 7);
    QCOMPARE(c.tensor, 2);
    QCOMPARE(c.member, 2);
}

// Every order of the four dimensions: ranks and GPUs map one to one, and so do positions; the member is
// tensor + T * context; the innermost dimension's neighbour is the next GPU.
void TestPlacement::placementIsABijection()
{
    const auto e = cluster(64);
    Degrees d;
    d.tensor = 2;
    d.context = 4;
    d.pipeline = 2;
    d.data = 4;
    std::array<Dimension, 5> order{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data,
                                   Dimension::Pipeline};
    std::sort(order.begin(), order.end());
    do {
        d.order = order;
        const Placement p = place(d, *e, 8, 8);
        std::set<GpuIndex> gpus(p.gpuOfRank.begin(), p.gpuOfRank.end());
        QCOMPARE(gpus.size(), std::size_t{64});
        std::set<RankIndex> positions(p.rankOfPosition.begin(), p.rankOfPosition.end());
        QCOMPARE(positions.size(), std::size_t{64});
        for (RankIndex rank = 0; rank < 64; ++rank) {
            const RankCoordinates &c = p.coordinates[static_cast<std::size_t>(rank)];
            QCOMPARE(p.rankOfGpu[static_cast<std::size_t>(p.gpuOfRank[static_cast<std::size_t>(rank)])], rank);
            QCOMPARE(c.member, c.tensor + 2 * c.context);
            QCOMPARE(p.rankAt(c.pipeline, c.data, c.member), rank);
        }
        const Dimension inner = order[0] == Dimension::Expert ? order[1] : order[0];
        const RankCoordinates &one = p.coordinates[1];
        QCOMPARE(one.tensor, inner == Dimension::Tensor ? 1 : 0);
        QCOMPARE(one.context, inner == Dimension::Context ? 1 : 0);
        QCOMPARE(one.pipeline, inner == Dimension::Pipeline ? 1 : 0);
        QCOMPARE(one.data, inner == Dimension::Data ? 1 : 0);
    } while (std::next_permutation(order.begin(), order.end()));
}

void TestPlacement::sparesStayUnused()
{
    Degrees d;
    d.tensor = 8;
    d.data = 3;
    const Placement p = place(d, *cluster(64), 8, 8);
    for (std::size_t gpu = 0; gpu < 64; ++gpu)
        QCOMPARE(p.rankOfGpu[gpu], gpu < 24 ? static_cast<RankIndex>(gpu) : kNone);
}

// NVL72 with 64 of 72 used: rank 64 is the first GPU of the second domain. When the ranks do not fit, the spares of
// the domains serve: 130 ranks = 128 + the 65th and 66th GPU of domain 0.
void TestPlacement::onlyTheFirstGpusOfADomainAreUsed()
{
    const auto e = cluster(144, 4, 72);
    Degrees d;
    d.data = 128;
    Placement p = place(d, *e, 64, 72);
    QCOMPARE(p.gpuOfRank[63], 63);
    QCOMPARE(p.gpuOfRank[64], 72);
    QCOMPARE(p.rankOfGpu[64], kNone);
    QCOMPARE(p.rankOfGpu[143], kNone);
    d.data = 130;
    p = place(d, *e, 64, 72);
    QCOMPARE(p.gpuOfRank[128], 64);
    QCOMPARE(p.gpuOfRank[129], 65);
}

void TestPlacement::targetsNameGpus()
{
    const auto e = cluster(16'384);
    const Placement p = place(llamaDegrees(), *e, 8, 8);
    const auto gpus = [&](const char *target) { return gpusOfTarget(*e, p, target).value(); };
    QVERIFY(gpus("rank:5219") == std::vector<GpuIndex>{5219});
    const int first = 41 * 128 + 7 * 8;
    QVERIFY((gpus("stage:7 replica:41") == std::vector<GpuIndex>{first, first + 1, first + 2, first + 3, first + 4,
                                                                 first + 5, first + 6, first + 7}));
    QVERIFY(gpus("replica:41  stage:7") == gpus("stage:7 replica:41"));
    QCOMPARE(gpus("stage:7").size(), std::size_t{1'024});
    QCOMPARE(gpus("stage:7")[8], 128 + 56);
    QCOMPARE(gpus("replica:41").size(), std::size_t{128});
    QCOMPARE(gpus("replica:41")[0], 41 * 128);
    QVERIFY(gpus("pod.0/rack.1/server.0/gpu.5") == std::vector<GpuIndex>{4 * 8 + 5});
}

void TestPlacement::randomTargetsAreDistinctAndRepeatable()
{
    const auto e = cluster(64);
    Degrees d;
    d.tensor = 8;
    d.data = 5;
    const Placement p = place(d, *e, 8, 8);
    const auto all = gpusOfTarget(*e, p, "random:40 seed:9").value();
    for (GpuIndex gpu = 0; gpu < 40; ++gpu) // as many as there are ranks: each once, spares never
        QCOMPARE(all[static_cast<std::size_t>(gpu)], gpu);
    const auto one = gpusOfTarget(*e, p, "random:3 seed:7").value();
    QCOMPARE(one.size(), std::size_t{3});
    QCOMPARE(std::set<GpuIndex>(one.begin(), one.end()).size(), std::size_t{3});
    QVERIFY(one == gpusOfTarget(*e, p, "random:3 seed:7").value());
    std::set<GpuIndex>
        seen; // a uniform draw misses one of 40 ranks in 400 tries with odds below 40 * (39/40)^400 = 0.2 %
    for (int seed = 0; seed < 400; ++seed)
        seen.insert(gpusOfTarget(*e, p, "random:1 seed:" + std::to_string(seed)).value()[0]);
    QCOMPARE(seen.size(), std::size_t{40});
}

void TestPlacement::wrongTargetsAreRefused()
{
    const auto e = cluster(64);
    Degrees d;
    d.tensor = 8;
    d.pipeline = 2;
    d.data = 3;
    const Placement p = place(d, *e, 8, 8);
    for (const char *target : {"", " ", "rank:48", "rank:-1", "rank:", "rank:x", "rank:1.5", "stage:2", "replica:3",
                               "rank:1 stage:1", "random:0", "random:49", "random:1 stage:0", "seed:3",
                               "stage:0 stage:1", "gpu:3", "rank:99999999999999999999", "rank: 3", "pod.7/**"}) {
        const auto found = gpusOfTarget(*e, p, target);
        QVERIFY2(!found.ok(), target);
        QVERIFY(found.error().code == ErrorCode::UnknownTarget);
    }
}

QTEST_APPLESS_MAIN(TestPlacement)
#include "tst_placement.moc"
