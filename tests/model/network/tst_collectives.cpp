// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/network_model.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;

namespace {

CostConstants constants()
{
    CostConstants c;
    c.ncclRingBaseS = 8.4e-6;
    c.ncclNvlinkHopS = 3.4e-6;
    c.ncclNetHopS = 1.4e-5;
    return c;
}

GroupPath path(std::int32_t domains, std::int32_t perDomain, double scaleup, double network)
{
    GroupPath p;
    p.members = domains * perDomain;
    p.membersPerDomain = perDomain;
    p.domains = domains;
    p.scaleupBytesPerS = scaleup;
    p.networkBytesPerS = network;
    p.bottleneck = domains > 1 ? "leaf-spine" : "nvlink";
    return p;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::abs(b); }

constexpr CollectiveKind kKinds[] = {CollectiveKind::AllGather, CollectiveKind::ReduceScatter,
                                     CollectiveKind::AllReduce, CollectiveKind::AllToAll};
constexpr CollectiveAlgorithm kAlgorithms[] = {CollectiveAlgorithm::Ring, CollectiveAlgorithm::Tree,
                                               CollectiveAlgorithm::Hierarchical};

} // namespace

class TestCollectives final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ringByHand();
    void ringBandwidthIsTheNarrowerOfNvlinkAndNics();
    void treeByHand();
    void hierarchicalByHand();
    void allToAllByHand();
    void theFastestIsTakenAndNamed();
    void oneMemberOrNoBytesTakeNoTime();
    void scalingTimeAndMonotony();
};

// 8 GPUs on NVLink at 346.5 GB/s, all-gather of 1 GB: 1e9 * 7/8 / 346.5e9 = 2.525253 ms; 8.4 + 7 * 3.4 = 32.2 us.
// 128 GPUs in 128 domains at 45 GB/s: 1e9 * 127/128 / 45e9 = 22.048611 ms; 8.4 + 0 * 3.4 + 127 * 14 = 1,786.4 us.
void TestCollectives::ringByHand()
{
    CollectiveTime t = collectiveTimeWith(CollectiveAlgorithm::Ring, CollectiveKind::AllGather, 1e9,
                                          path(1, 8, 346.5e9, 0), constants());
    QVERIFY(near(t.transferS, 1e9 * 7 / 8 / 346.5e9));
    QVERIFY(near(t.startupS, 32.2e-6));
    QCOMPARE(t.bottleneck, std::string("nvlink"));
    t = collectiveTimeWith(CollectiveAlgorithm::Ring, CollectiveKind::ReduceScatter, 1e9, path(128, 1, 0, 45e9),
                           constants());
    QVERIFY(std::abs(t.transferS - 22.048611e-3) < 1e-9);
    QVERIFY(near(t.startupS, 1786.4e-6));
    QCOMPARE(t.bottleneck, std::string("leaf-spine"));
    const CollectiveTime twice = collectiveTimeWith(CollectiveAlgorithm::Ring, CollectiveKind::AllReduce, 1e9,
                                                    path(128, 1, 0, 45e9), constants());
    QVERIFY(near(twice.totalS(), 2.0 * t.totalS()));
}

// 4 domains of 4 at 45 GB/s each: 4 * 45 = 180 GB/s < 346.5; 16 members: 16e9 * 15/16 / 180e9 = 83.3333 ms,
// startup 8.4 + (16-4) * 3.4 + 3 * 14 = 91.2 us. At 100 GB/s each the NVLink is narrower: 15e9 / 346.5e9.
void TestCollectives::ringBandwidthIsTheNarrowerOfNvlinkAndNics()
{
    CollectiveTime t = collectiveTimeWith(CollectiveAlgorithm::Ring, CollectiveKind::AllGather, 16e9,
                                          path(4, 4, 346.5e9, 45e9), constants());
    QVERIFY(near(t.transferS, 15e9 / 180e9));
    QVERIFY(near(t.startupS, 91.2e-6));
    QCOMPARE(t.bottleneck, std::string("leaf-spine"));
    t = collectiveTimeWith(CollectiveAlgorithm::Ring, CollectiveKind::AllGather, 16e9, path(4, 4, 346.5e9, 100e9),
                           constants());
    QVERIFY(near(t.transferS, 15e9 / 346.5e9));
    QCOMPARE(t.bottleneck, std::string("nvlink"));
}

// 5 domains of 8: depth 3 inside and ceil(log2 5) = 3 across: 8.4 + 2*3*3.4 + 2*3*14 = 112.8 us; 2 * 1e6 / 346.5e9
// (8 * 45 = 360 GB/s of NICs is wider than NVLink).
void TestCollectives::treeByHand()
{
    const CollectiveTime t = collectiveTimeWith(CollectiveAlgorithm::Tree, CollectiveKind::AllReduce, 1e6,
                                                path(5, 8, 346.5e9, 45e9), constants());
    QVERIFY(near(t.startupS, 112.8e-6));
    QVERIFY(near(t.transferS, 2e6 / 346.5e9));
    QVERIFY(t.algorithm == CollectiveAlgorithm::Tree);
    // Only all-reduce has a tree.
    QVERIFY(collectiveTimeWith(CollectiveAlgorithm::Tree, CollectiveKind::AllGather, 1e6, path(5, 8, 346.5e9, 45e9),
                               constants())
                .algorithm == CollectiveAlgorithm::Ring);
}

// 4 domains of 8, 8 GB: across 1 GB * 3/4 / 50e9 = 15 ms; inside 8 GB * 7/8 / 350e9 = 20 ms; startup
// 2 * 8.4 + 3 * 14 + 7 * 3.4 = 82.6 us; all-reduce is twice all of it.
void TestCollectives::hierarchicalByHand()
{
    CollectiveTime t = collectiveTimeWith(CollectiveAlgorithm::Hierarchical, CollectiveKind::AllGather, 8e9,
                                          path(4, 8, 350e9, 50e9), constants());
    QVERIFY(near(t.transferS, 35e-3));
    QVERIFY(near(t.startupS, 82.6e-6));
    QCOMPARE(t.bottleneck, std::string("nvlink"));
    t = collectiveTimeWith(CollectiveAlgorithm::Hierarchical, CollectiveKind::AllReduce, 8e9, path(4, 8, 350e9, 50e9),
                           constants());
    QVERIFY(near(t.transferS, 70e-3));
    QVERIFY(near(t.startupS, 165.2e-6));
    QVERIFY(collectiveTimeWith(CollectiveAlgorithm::Hierarchical, CollectiveKind::AllReduce, 8e9, path(4, 1, 0, 50e9),
                               constants())
                .algorithm == CollectiveAlgorithm::Ring);
}

// 2 domains of 8, 1.6 GB: inside 1.6 * 7/16 = 0.7 GB / 350e9 = 2 ms; across 1.6 * 8/16 = 0.8 GB / 50e9 = 16 ms at the
// same time; startup 8.4 + 7 * 3.4 + 8 * 14 = 144.2 us.
void TestCollectives::allToAllByHand()
{
    const CollectiveTime t = collectiveTime(CollectiveKind::AllToAll, 1.6e9, path(2, 8, 350e9, 50e9), constants());
    QVERIFY(near(t.transferS, 16e-3));
    QVERIFY(near(t.startupS, 144.2e-6));
    QVERIFY(t.algorithm == CollectiveAlgorithm::AllToAll);
}

// Small messages over many members: the ring's 2(n-1) steps lose; large ones: the ring moves (n-1)/n of what the tree
// does.
void TestCollectives::theFastestIsTakenAndNamed()
{
    const GroupPath p = path(128, 1, 0, 45e9);
    QVERIFY(collectiveTime(CollectiveKind::AllReduce, 1e4, p, constants()).algorithm == CollectiveAlgorithm::Tree);
    QVERIFY(collectiveTime(CollectiveKind::AllReduce, 1e12, p, constants()).algorithm == CollectiveAlgorithm::Ring);
    // 64 domains of 8: the ring's 448 NVLink hops cost 1.5 ms, the hierarchy 7.
    QVERIFY(collectiveTime(CollectiveKind::AllGather, 1e6, path(64, 8, 346.5e9, 45e9), constants()).algorithm ==
            CollectiveAlgorithm::Hierarchical);
    for (const CollectiveKind kind : kKinds)
        for (const double bytes : {1e3, 1e6, 1e9, 1e12})
            for (const CollectiveAlgorithm algorithm : kAlgorithms)
                QVERIFY(collectiveTime(kind, bytes, path(64, 8, 346.5e9, 45e9), constants()).totalS() <=
                        collectiveTimeWith(algorithm, kind, bytes, path(64, 8, 346.5e9, 45e9), constants()).totalS());
}

void TestCollectives::oneMemberOrNoBytesTakeNoTime()
{
    for (const CollectiveKind kind : kKinds) {
        const CollectiveTime one = collectiveTime(kind, 1e9, GroupPath{}, constants());
        QCOMPARE(one.totalS(), 0.0);
        QVERIFY(one.algorithm == CollectiveAlgorithm::None);
        QCOMPARE(collectiveTime(kind, 0.0, path(2, 8, 350e9, 50e9), constants()).totalS(), 0.0);
    }
}

// With the algorithm fixed, twice the bandwidth and half the latencies halve the time exactly; more bytes never take
// less.
void TestCollectives::scalingTimeAndMonotony()
{
    CostConstants half = constants();
    half.ncclRingBaseS /= 2.0;
    half.ncclNvlinkHopS /= 2.0;
    half.ncclNetHopS /= 2.0;
    for (const CollectiveKind kind : kKinds)
        for (const CollectiveAlgorithm algorithm : kAlgorithms)
            for (const auto &[domains, perDomain] : {std::pair(1, 8), std::pair(16, 1), std::pair(6, 4)}) {
                double before = 0.0;
                for (double bytes = 1.0; bytes < 1e13; bytes *= 7.0) {
                    const double slow =
                        collectiveTimeWith(algorithm, kind, bytes, path(domains, perDomain, 350e9, 50e9), constants())
                            .totalS();
                    const double fast =
                        collectiveTimeWith(algorithm, kind, bytes, path(domains, perDomain, 700e9, 100e9), half)
                            .totalS();
                    QVERIFY(near(2.0 * fast, slow));
                    QVERIFY(slow > before);
                    before = slow;
                }
            }
}

QTEST_APPLESS_MAIN(TestCollectives)
#include "tst_collectives.moc"
