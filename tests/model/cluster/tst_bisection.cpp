// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/cluster/bisection.h"
#include "model/cluster/cluster_graph.h"
#include "model/cluster/templates.h"

#include <QtTest>

#include <boost/range/iterator_range.hpp>

#include <cmath>
#include <limits>

using namespace clusterbeat;

namespace {

std::vector<Bisection> of(const Blueprint &blueprint) { return bisections(*expand(blueprint).value()); }
std::vector<Bisection> of(const ClusterParameters &parameters) { return of(blueprintFromTemplate(parameters).value()); }

ClusterParameters clos(std::int64_t gpus, const char *leaf, std::int64_t serversPerRack, std::int64_t racksPerPod, double core, double pod = 1.0)
{
    ClusterParameters p;
    p.gpus = gpus;
    p.leaf = leaf;
    p.serversPerRack = serversPerRack;
    p.racksPerPod = racksPerPod;
    p.coreOversubscription = core;
    p.podOversubscription = pod;
    return p;
}
bool near(double a, double b) { return std::abs(a - b) <= 1e-8 * std::abs(b); }

/// A server of one GPU with one NIC on a switch of its own; the switches are joined as `between` says.
Blueprint racksOfOne(std::int64_t racks)
{
    Blueprint b;
    b.nodes = {{"site", NodeKind::Site, "", "", 1, 0, 0, 0},       {"rack", NodeKind::Rack, "", "site", racks, 0, 0, 0},
               {"server", NodeKind::Server, "", "rack", 1, 0, 0, 0}, {"gpu", NodeKind::Gpu, "", "server", 1, 0, 0, 0},
               {"nic", NodeKind::Nic, "", "server", 1, 0, 0, 0},     {"leaf", NodeKind::Leaf, "", "rack", 1, 0, 0, 0}};
    b.links = {{"pcie", "gpu", "nic", LinkPattern::All, 1, 512, 0}, {"up", "nic", "leaf", LinkPattern::All, 1, 400, 0}};
    return b;
}

} // namespace

class TestBisection final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fullBisection();
    void oversubscribedCore();
    void oversubscribedPod();
    void cablesToOneSide();
    void narrowestOfAllHalves();
    void unequalCablesToTheSameNeighbours();
    void nothingToCut();
    void everyCutBoundsTheFlow();
};

// Four pods of 64 GPUs with 50 GB/s each way: any two pods send 128 · 50 GB/s. In a pod of 8 racks, 4 racks of 8 GPUs send
// 32 · 50.
void TestBisection::fullBisection()
{
    const auto found = of(clos(256, "rack", 1, 8, 1.0));
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(found[0].tier == NodeKind::Pod && found[1].tier == NodeKind::Rack);
    QVERIFY(near(found[0].gbytesPerS, 6400.0));
    QCOMPARE(found[0].gpus, 128);
    QCOMPARE(found[0].cut, std::string("pod.0, pod.1 | pod.2, pod.3"));
    QVERIFY(near(found[1].gbytesPerS, 1600.0));
    QVERIFY(near(found[1].perGpu(), 50.0));
    QCOMPARE(found[1].cut, std::string("pod.0/rack.0 to pod.0/rack.3 | pod.0/rack.4 to pod.0/rack.7"));
}

// Llama 3 (Grattafiori et al. 2024, section 3.3.1): pods of 3,072 GPUs with full bisection, 1:7 between pods. 16,384 GPUs
// are five pods and a third: three of six uplinks carry 3 · 3,072 · 50/7 GB/s. In a pod 96 racks of 16 GPUs send at full rate.
void TestBisection::oversubscribedCore()
{
    const auto found = of(clos(16'384, "rack", 2, 192, 7.0));
    QCOMPARE(found.size(), std::size_t{2});
    QVERIFY(near(found[0].gbytesPerS, 3.0 * 3072.0 * 50.0 / 7.0));
    // The half with the partial pod: 2 · 3,072 + 1,024.
    QCOMPARE(found[0].gpus, 7168);
    QVERIFY(near(found[1].gbytesPerS, 96.0 * 16.0 * 50.0));
    QVERIFY(near(found[1].perGpu(), 50.0));
}

// Leaves of 32 GPUs at 1:4: half of eight racks has 4 · 32 · 50/4 GB/s of uplinks.
void TestBisection::oversubscribedPod()
{
    const auto found = of(clos(256, "rack", 4, 8, 1.0, 4.0));
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(found[0].tier == NodeKind::Rack);
    QVERIFY(near(found[0].gbytesPerS, 1600.0));
    QVERIFY(near(found[0].perGpu(), 12.5));
}

// Racks of an NVL72 meet over NICs only; the two servers of a rack also over NVLink, but racks are the finest tier.
void TestBisection::cablesToOneSide()
{
    ClusterParameters p = clos(16, "rail", 1, 2, 1.0);
    p.scaleupDomain = 8;
    p.gpusPerServer = 4;
    const auto found = of(p);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(near(found[0].gbytesPerS, 8.0 * 50.0));

    // One NVLink domain over both racks: 3,600 Gb/s of each of two GPUs beside the NICs' 400.
    Blueprint b = racksOfOne(2);
    b.nodes.push_back({"fabric", NodeKind::NvSwitch, "", "site", 1, 0, 0, 0});
    b.nodes.push_back({"spine", NodeKind::Spine, "", "site", 1, 0, 0, 0});
    b.links.push_back({"nvlink", "gpu", "fabric", LinkPattern::All, 1, 3600, 0});
    b.links.push_back({"top", "leaf", "spine", LinkPattern::All, 2, 400, 0});
    QVERIFY(near(of(b)[0].gbytesPerS, 500.0));
}

// Switches in a ring of six with 400 Gb/s between neighbours, a NIC of 400 Gb/s each: three neighbours have two cables to
// the others, 100 GB/s; every other split of three has four or six, and the NICs' 150 GB/s.
void TestBisection::narrowestOfAllHalves()
{
    Blueprint b = racksOfOne(6);
    // Six nodes of one switch each, for a ring cannot be said by a pattern.
    b.nodes.erase(b.nodes.begin() + 1, b.nodes.end());
    b.links.clear();
    for (int i = 0; i < 6; ++i) {
        const std::string n = std::to_string(i), next = std::to_string((i + 1) % 6);
        // Drawn in an order in which neighbours of the ring are not neighbours of the list.
        b.nodes.push_back({"rack" + n, NodeKind::Rack, "", "site", 1, 0, 0, 0});
        b.nodes.push_back({"server" + n, NodeKind::Server, "", "rack" + n, 1, 0, 0, 0});
        b.nodes.push_back({"gpu" + n, NodeKind::Gpu, "", "server" + n, 1, 0, 0, 0});
        b.nodes.push_back({"nic" + n, NodeKind::Nic, "", "server" + n, 1, 0, 0, 0});
        b.nodes.push_back({"leaf" + n, NodeKind::Leaf, "", "rack" + n, 1, 0, 0, 0});
        b.links.push_back({"pcie" + n, "gpu" + n, "nic" + n, LinkPattern::All, 1, 512, 0});
        b.links.push_back({"up" + n, "nic" + n, "leaf" + n, LinkPattern::All, 1, 400, 0});
        const int order[6] = {0, 2, 4, 1, 3, 5}; // 0-2-4-1-3-5-0
        b.links.push_back({"ring" + n, "leaf" + std::to_string(order[i]), "leaf" + std::to_string(order[(i + 1) % 6]), LinkPattern::All, 1, 400, 0});
    }
    const auto found = of(b);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(near(found[0].gbytesPerS, 100.0));
    QCOMPARE(found[0].gpus, 3);
    QCOMPARE(found[0].cut, std::string("rack0.0, rack2.0, rack4.0 | rack1.0, rack3.0, rack5.0"));
}

// Two spines reach both leaves: one with 400 and 100 Gb/s, the other with 100 and 400. Each passes on 100 Gb/s: 25 GB/s of
// the NICs' 50. The spines have the same neighbours but are not alike: as one they would pass on all that a NIC sends.
void TestBisection::unequalCablesToTheSameNeighbours()
{
    Blueprint b = racksOfOne(2);
    b.nodes.erase(b.nodes.begin() + 1, b.nodes.end());
    b.links.clear();
    b.nodes.push_back({"spine0", NodeKind::Spine, "", "site", 1, 0, 0, 0});
    b.nodes.push_back({"spine1", NodeKind::Spine, "", "site", 1, 0, 0, 0});
    for (int i = 0; i < 2; ++i) {
        const std::string n = std::to_string(i);
        b.nodes.push_back({"rack" + n, NodeKind::Rack, "", "site", 1, 0, 0, 0});
        b.nodes.push_back({"server" + n, NodeKind::Server, "", "rack" + n, 1, 0, 0, 0});
        b.nodes.push_back({"gpu" + n, NodeKind::Gpu, "", "server" + n, 1, 0, 0, 0});
        b.nodes.push_back({"nic" + n, NodeKind::Nic, "", "server" + n, 1, 0, 0, 0});
        b.nodes.push_back({"leaf" + n, NodeKind::Leaf, "", "rack" + n, 1, 0, 0, 0});
        b.links.push_back({"pcie" + n, "gpu" + n, "nic" + n, LinkPattern::All, 1, 512, 0});
        b.links.push_back({"up" + n, "nic" + n, "leaf" + n, LinkPattern::All, 1, 400, 0});
        for (int spine = 0; spine < 2; ++spine)
            b.links.push_back({"s" + n + std::to_string(spine), "leaf" + n, "spine" + std::to_string(spine), LinkPattern::All, 1,
                               spine == i ? 400.0 : 100.0, 0});
    }
    const auto found = of(b);
    QCOMPARE(found.size(), std::size_t{1});
    QVERIFY(near(found[0].gbytesPerS, 25.0));
}

void TestBisection::nothingToCut()
{
    ClusterParameters p = clos(8, "rail", 1, 1, 1.0);
    QVERIFY(of(p).empty());
    // Without a cable between them.
    const auto apart = of(racksOfOne(3));
    QCOMPARE(apart.size(), std::size_t{1});
    QCOMPARE(apart[0].gbytesPerS, 0.0);
    QCOMPARE(apart[0].gpus, 1);
}

// Weak duality on random drawings of three racks, whose smaller half is one rack: no set of switches around it has less
// than the flow, and one has just that: all subsets of the few switches, counted by hand.
void TestBisection::everyCutBoundsTheFlow()
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const auto draw = [&](std::uint64_t i, std::uint64_t n) { return randomBits(seed, i) % n; };
        Blueprint b = racksOfOne(3);
        b.nodes.push_back({"spine", NodeKind::Spine, "", "site", 2, 0, 0, 0});
        b.nodes.push_back({"core", NodeKind::Core, "", "site", 1, 0, 0, 0});
        b.nodes.push_back({"other", NodeKind::Spine, "", "site", 1, 0, 0, 0});
        b.links.push_back({"a", "leaf", "spine", draw(1, 2) == 0 ? LinkPattern::All : LinkPattern::Stripe, 1.0, 100.0 * static_cast<double>(1 + draw(2, 4)), 0});
        b.links.push_back({"b", "spine", "core", LinkPattern::All, 1.0, 100.0 * static_cast<double>(1 + draw(3, 4)), 0});
        b.links.push_back({"c", "leaf", "other", LinkPattern::OneToOne, 1.0, 100.0 * static_cast<double>(1 + draw(4, 4)), 0});
        b.links.push_back({"d", "core", "other", LinkPattern::All, 0.5, 100.0 * static_cast<double>(1 + draw(5, 4)), 0});
        const auto expansion = expand(b).value();
        const Graph &graph = expansion->graph->graph;
        const std::size_t vertices = boost::num_vertices(graph);
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t mask = 0; mask < std::size_t{1} << (vertices - 3); ++mask)
            for (std::size_t alone = 0; alone < 3; ++alone) {
                const auto inside = [&](std::size_t v) { return v < 3 ? v == alone : (mask >> (v - 3) & 1U) != 0; };
                double gbps = 0.0;
                for (const auto edge : boost::make_iterator_range(boost::edges(graph)))
                    if (inside(boost::source(edge, graph)) != inside(boost::target(edge, graph))) gbps += graph[edge].cables * graph[edge].gbps;
                smallest = std::min(smallest, gbps);
            }
        QVERIFY(std::abs(bisections(*expansion)[0].gbytesPerS - smallest / 8.0) <= 1e-6);
    }
}

QTEST_APPLESS_MAIN(TestBisection)
#include "tst_bisection.moc"
