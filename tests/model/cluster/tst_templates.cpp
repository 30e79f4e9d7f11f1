// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/cluster_graph.h"
#include "model/cluster/expansion.h"
#include "model/cluster/templates.h"

#include <boost/range/iterator_range.hpp>

#include <QtTest>

#include <limits>

using namespace clusterbeat;

namespace {

/// Llama 3's fabric (Grattafiori et al. 2024, section 3.3.1): two servers a rack, 192 racks a pod, one leaf a rack,
/// full bisection in the pod, 1:7 between pods.
ClusterParameters llamaCluster()
{
    ClusterParameters p;
    p.gpus = 16'384;
    p.serversPerRack = 2;
    p.racksPerPod = 192;
    p.leaf = "rack";
    p.coreOversubscription = 7.0;
    return p;
}

struct Counts {
    int vertices[11] = {};
    double gbps[6] = {}; ///< sum of one direction by LinkKind
};

Counts countsOf(const Expansion &e)
{
    const Graph &g = e.graph->graph;
    Counts counts;
    for (const auto v : boost::make_iterator_range(boost::vertices(g)))
        ++counts.vertices[static_cast<std::size_t>(g[v].kind)];
    for (const auto edge : boost::make_iterator_range(boost::edges(g)))
        counts.gbps[static_cast<std::size_t>(g[edge].kind)] += g[edge].cables * g[edge].gbps;
    return counts;
}

int number(const Counts &counts, NodeKind kind) { return counts.vertices[static_cast<std::size_t>(kind)]; }
double gbps(const Counts &counts, LinkKind kind) { return counts.gbps[static_cast<std::size_t>(kind)]; }

std::shared_ptr<const Expansion> expanded(const ClusterParameters &p)
{
    const auto blueprint = blueprintFromTemplate(p);
    if (!blueprint.ok()) return nullptr;
    const auto result = expand(blueprint.value());
    return result.ok() ? result.value() : nullptr;
}

} // namespace

class TestTemplates final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLlamaClusterHasItsPublishedShape();
    void aRailPodHasOneLeafPerRailAnd32Servers();
    void podOversubscriptionDividesTheUplinks();
    void smallClustersHaveNoIdleTiers();
    void aDomainOfManyServersIsARack();
    void everyRoundNumberExpands();
    void wrongParametersAreRefused();
};

// 16,384 GPUs / 16 a rack = 1,024 racks, 2,048 servers; / 3,072 a pod = 5 full pods and one of 1,024.
// Injection 16,384 * 400 Gb/s = 6,553,600 Gb/s = 6.55 Pb/s. Every leaf's uplinks = its 16 NICs, so leaf-spine carries
// the same (full bisection). Spines: 16 uplink cables a leaf -> 16 a pod. Pod uplinks: 3,072 * 400 / 7 Gb/s, six pods.
void TestTemplates::theLlamaClusterHasItsPublishedShape()
{
    const auto e = expanded(llamaCluster());
    QVERIFY(e);
    QCOMPARE(e->gpuCount, 16'384);
    const auto pods = e->containersOfKind(NodeKind::Pod);
    QCOMPARE(pods.size(), std::size_t{6});
    for (std::size_t pod = 0; pod < 6; ++pod)
        QCOMPARE(e->containers[static_cast<std::size_t>(pods[pod])].gpuCount, pod < 5 ? 3'072 : 1'024);
    QCOMPARE(e->containersOfKind(NodeKind::Rack).size(), std::size_t{1'024});
    QCOMPARE(e->containersOfKind(NodeKind::Server).size(), std::size_t{2'048});
    QCOMPARE(e->domainCount, 2'048);
    const Counts counts = countsOf(*e);
    QCOMPARE(number(counts, NodeKind::Nic), 16'384);
    QCOMPARE(number(counts, NodeKind::NvSwitch), 4 * 2'048);
    QCOMPARE(number(counts, NodeKind::Leaf), 1'024);
    QCOMPARE(number(counts, NodeKind::Spine), 6 * 16);
    QCOMPARE(number(counts, NodeKind::Core), 16);
    QCOMPARE(gbps(counts, LinkKind::NicLeaf), 6'553'600.0);
    QCOMPARE(gbps(counts, LinkKind::LeafSpine), 6'553'600.0);
    QCOMPARE(gbps(counts, LinkKind::SpineCore), 6.0 * 3'072.0 * 400.0 / 7.0);
    QCOMPARE(gbps(counts, LinkKind::NvLink), 16'384.0 * 450.0 * 8.0);
    QCOMPARE(e->pathOf(16'383), std::string("pod.5/rack.63/server.1/gpu.7"));
    QCOMPARE(e->pathOf(2 * 3'072 + 84 * 16 + 8 + 5), std::string("pod.2/rack.84/server.1/gpu.5"));
}

// A pod of 128 servers has 8 rails; 32 servers fill a leaf of 64 ports with 32 up, so 4 leaves a rail, 32 leaves, 32
// spines. That is a two-tier folded Clos of 64-port leaves and 32-port spines: 32 * 32 = 1,024 hosts, bisection full.
void TestTemplates::aRailPodHasOneLeafPerRailAnd32Servers()
{
    ClusterParameters p;
    p.gpus = 1'024;
    const auto e = expanded(p);
    QVERIFY(e);
    const Counts counts = countsOf(*e);
    QCOMPARE(number(counts, NodeKind::Leaf), 32);
    QCOMPARE(number(counts, NodeKind::Spine), 32);
    QCOMPARE(number(counts, NodeKind::Core), 0);
    QCOMPARE(gbps(counts, LinkKind::LeafSpine), 1'024.0 * 400.0);
    // Each leaf sees NICs of one rail only, 32 of them.
    const Graph &g = e->graph->graph;
    for (const auto v : boost::make_iterator_range(boost::vertices(g))) {
        if (g[v].kind != NodeKind::Leaf) continue;
        int nics = 0;
        for (const auto edge : boost::make_iterator_range(boost::out_edges(v, g))) {
            const VertexProperties &peer = g[boost::target(edge, g)];
            if (peer.kind != NodeKind::Nic) continue;
            QCOMPARE(peer.replica, g[v].replica % 8);
            ++nics;
        }
        QCOMPARE(nics, 32);
    }
}

// 1:4 on 1,024 NICs of 400 Gb/s leaves 102,400 Gb/s, over 32/4 = 8 spines.
void TestTemplates::podOversubscriptionDividesTheUplinks()
{
    ClusterParameters p;
    p.gpus = 1'024;
    p.podOversubscription = 4.0;
    const Counts counts = countsOf(*expanded(p));
    QCOMPARE(number(counts, NodeKind::Spine), 8);
    QCOMPARE(gbps(counts, LinkKind::LeafSpine), 102'400.0);
}

void TestTemplates::smallClustersHaveNoIdleTiers()
{
    ClusterParameters p;
    p.gpus = 5; // one partial server: nothing beyond its NICs
    Counts counts = countsOf(*expanded(p));
    QCOMPARE(number(counts, NodeKind::Gpu), 5);
    QCOMPARE(number(counts, NodeKind::Nic), 5);
    QCOMPARE(number(counts, NodeKind::Leaf), 0);
    QCOMPARE(number(counts, NodeKind::Spine), 0);
    p.gpus = 16; // two servers of one rack under one leaf
    p.leaf = "rack";
    counts = countsOf(*expanded(p));
    QCOMPARE(number(counts, NodeKind::Leaf), 1);
    QCOMPARE(number(counts, NodeKind::Spine), 0);
    p.gpus = 1'032; // one server more than a pod: a second pod of one server
    counts = countsOf(*expanded(p));
    QCOMPARE(number(counts, NodeKind::Leaf), 33);
    QCOMPARE(number(counts, NodeKind::Core), 32);
    p.scaleupDomain = 1;
    QCOMPARE(number(countsOf(*expanded(p)), NodeKind::NvSwitch), 0);
}

// NVL72: 18 servers of 4 GPUs, 9 switch trays; 144 GPUs are two racks and two domains.
void TestTemplates::aDomainOfManyServersIsARack()
{
    ClusterParameters p;
    p.gpus = 144;
    p.gpusPerServer = 4;
    p.scaleupDomain = 72;
    p.scaleupGbytesPerS = 900.0;
    const auto e = expanded(p);
    QVERIFY(e);
    QCOMPARE(e->containersOfKind(NodeKind::Rack).size(), std::size_t{2});
    QCOMPARE(e->domainCount, 2);
    const Counts counts = countsOf(*e);
    QCOMPARE(number(counts, NodeKind::NvSwitch), 18);
    QCOMPARE(gbps(counts, LinkKind::NvLink), 144.0 * 900.0 * 8.0);
}

// Property: any number of GPUs gives exactly that many, one NIC each, every NIC on a leaf once there are two servers.
void TestTemplates::everyRoundNumberExpands()
{
    for (const char *leaf : {"rail", "rack"})
        for (const std::int64_t gpus : {1, 7, 8, 9, 63, 64, 65, 100, 1'000, 1'025, 4'096, 10'001}) {
            ClusterParameters p;
            p.gpus = gpus;
            p.leaf = leaf;
            const auto e = expanded(p);
            QVERIFY(e);
            QCOMPARE(static_cast<std::int64_t>(e->gpuCount), gpus);
            const Counts counts = countsOf(*e);
            QCOMPARE(static_cast<std::int64_t>(number(counts, NodeKind::Nic)), gpus);
            QCOMPARE(gbps(counts, LinkKind::NicLeaf), gpus > 8 ? static_cast<double>(gpus) * 400.0 : 0.0);
        }
}

void TestTemplates::wrongParametersAreRefused()
{
    const auto codeOf = [](auto change) {
        ClusterParameters p = llamaCluster();
        change(p);
        const auto result = blueprintFromTemplate(p);
        return result.ok() ? ErrorCode::Internal : result.error().code;
    };
    QVERIFY(codeOf([](auto &p) { p.templateName = "torus-of-dreams"; }) == ErrorCode::UnknownName);
    QVERIFY(codeOf([](auto &p) { p.leaf = "row"; }) == ErrorCode::UnknownName);
    QVERIFY(codeOf([](auto &p) { p.gpus = 0; }) == ErrorCode::OutOfRange);
    QVERIFY(codeOf([](auto &p) { p.gpus = 262'145; }) == ErrorCode::TooManyGpus);
    QVERIFY(codeOf([](auto &p) { p.racksPerPod = -1; }) == ErrorCode::OutOfRange);
    QVERIFY(codeOf([](auto &p) { p.coreOversubscription = 0.0; }) == ErrorCode::OutOfRange);
    QVERIFY(codeOf([](auto &p) { p.nicGbps = std::numeric_limits<double>::infinity(); }) == ErrorCode::OutOfRange);
    QVERIFY(codeOf([](auto &p) { p.scaleupDomain = 12; }) == ErrorCode::NotDivisible);
}

QTEST_APPLESS_MAIN(TestTemplates)
#include "tst_templates.moc"
