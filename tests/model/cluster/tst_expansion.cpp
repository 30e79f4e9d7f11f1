// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/cluster_graph.h"
#include "model/cluster/expansion.h"
#include "model/cluster/templates.h"

#include <boost/range/iterator_range.hpp>

#include <QtTest>

#include <map>

using namespace clusterbeat;

namespace {

/// Two pods of two racks of one server of two GPUs, NVLink, a NIC each, leaves by pattern, drawn by hand.
Blueprint smallDrawing(LinkPattern nicToLeaf, std::int64_t leaves)
{
    Blueprint b;
    b.nodes = {{"hall", NodeKind::Site, "", "", 1, 0, 0, 0},        {"pod", NodeKind::Pod, "", "hall", 2, 0, 0, 0},
               {"rack", NodeKind::Rack, "", "pod", 2, 0, 0, 0},     {"box", NodeKind::Server, "", "rack", 1, 0, 0, 0},
               {"gpu", NodeKind::Gpu, "", "box", 2, 0, 0, 0},       {"nic", NodeKind::Nic, "", "box", 2, 0, 0, 0},
               {"leaf", NodeKind::Leaf, "", "pod", leaves, 0, 0, 0}};
    b.links = {{"nvlink", "gpu", "gpu", LinkPattern::All, 1, 3600, 0},
               {"pcie", "gpu", "nic", LinkPattern::OneToOne, 1, 512, 0},
               {"up", "nic", "leaf", nicToLeaf, 1, 400, 1e-6}};
    return b;
}

std::shared_ptr<const Expansion> expanded(const Blueprint &blueprint)
{
    auto result = expand(blueprint);
    return result.ok() ? result.value() : nullptr;
}

/// "nic 0/1 - leaf 1" style list of the NIC-leaf links of the first pod: server's rack / NIC number, leaf number.
QString nicLinksOfFirstPod(const Expansion &e)
{
    const Graph &g = e.graph->graph;
    QStringList lines;
    for (const auto edge : boost::make_iterator_range(boost::edges(g))) {
        const VertexProperties &nic = g[boost::source(edge, g)], &leaf = g[boost::target(edge, g)];
        if (g[edge].kind != LinkKind::NicLeaf) continue;
        const Container &rack =
            e.containers[static_cast<std::size_t>(e.containers[static_cast<std::size_t>(nic.container)].parent)];
        if (rack.parent != 1) continue;
        lines << QStringLiteral("%1.%2-%3").arg(rack.replica).arg(nic.replica).arg(leaf.replica);
    }
    return lines.join(QLatin1Char(' '));
}

} // namespace

class TestExpansion final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void containersAreBreadthFirstWithContiguousGpus();
    void pathsNameGpusAndBack();
    void patternsConnectByTheirRule_data();
    void patternsConnectByTheirRule();
    void limitsLeaveTheLastParentsPartial();
    void aDrawingWithoutSiteGetsOne();
    void domainsAreNvlinkComponents();
    void wrongDrawingsAreRefused_data();
    void wrongDrawingsAreRefused();
};

void TestExpansion::containersAreBreadthFirstWithContiguousGpus()
{
    // 1 site, pods 1-2, racks 3-6, servers 7-10; 8 GPUs, 8 NICs, 2 x 2 leaves = 20 vertices;
    // per server 1 NVLink pair + 2 PCIe + 2 NIC links = 5, times 4 = 20 edges.
    const auto e = expanded(smallDrawing(LinkPattern::Rail, 2));
    QVERIFY(e);
    QCOMPARE(e->containers.size(), std::size_t{11});
    QCOMPARE(e->gpuCount, 8);
    QCOMPARE(e->vertexCount, std::int64_t{20});
    QCOMPARE(e->edgeCount, std::int64_t{20});
    const NodeKind kinds[] = {NodeKind::Site,   NodeKind::Pod,    NodeKind::Pod,   NodeKind::Rack,
                              NodeKind::Rack,   NodeKind::Rack,   NodeKind::Rack,  NodeKind::Server,
                              NodeKind::Server, NodeKind::Server, NodeKind::Server};
    const int firstGpu[] = {0, 0, 4, 0, 2, 4, 6, 0, 2, 4, 6}, gpus[] = {8, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2};
    const int firstChild[] = {1, 3, 5, 7, 8, 9, 10};
    for (std::size_t c = 0; c < 11; ++c) {
        QVERIFY(e->containers[c].kind == kinds[c]);
        QCOMPARE(e->containers[c].firstGpu, firstGpu[c]);
        QCOMPARE(e->containers[c].gpuCount, gpus[c]);
        if (c < 7) QCOMPARE(e->containers[c].firstChild, firstChild[c]);
    }
    QVERIFY((e->containersOfKind(NodeKind::Rack) == std::vector<std::int32_t>{3, 4, 5, 6}));
    QCOMPARE(e->serverOfGpu[5], 9);
    QCOMPARE(e->containerOf(5, NodeKind::Rack), 5);
    QCOMPARE(e->containerOf(5, NodeKind::Spine), kNone);
}

void TestExpansion::pathsNameGpusAndBack()
{
    const auto e = expanded(smallDrawing(LinkPattern::Rail, 2));
    QVERIFY(e);
    QCOMPARE(e->pathOf(5), std::string("pod.1/rack.0/box.0/gpu.1"));
    QCOMPARE(e->pathOfContainer(6), std::string("pod.1/rack.1"));
    for (GpuIndex gpu = 0; gpu < e->gpuCount; ++gpu) {
        const auto found = gpusAtPath(*e, e->pathOf(gpu));
        QVERIFY(found.ok());
        QVERIFY(found.value() == std::vector<GpuIndex>{gpu});
    }
    const std::map<std::string, std::vector<GpuIndex>> expected = {
        {"**", {0, 1, 2, 3, 4, 5, 6, 7}}, {"pod.1", {4, 5, 6, 7}},          {"pod.1/**", {4, 5, 6, 7}},
        {"rack.1/**", {2, 3, 6, 7}},      {"pod.0/rack.1", {2, 3}},         {"box.0/gpu.1", {1, 3, 5, 7}},
        {"gpu.0", {0, 2, 4, 6}},          {"rack.0/box.0/**", {0, 1, 4, 5}}};
    for (const auto &[path, gpus] : expected) {
        const auto found = gpusAtPath(*e, path);
        QVERIFY2(found.ok(), path.c_str());
        QVERIFY2(found.value() == gpus, path.c_str());
    }
    for (const char *path :
         {"", "/", "pod", "pod.", "pod.2", "pod.-1", "pod.01", "pod.+1", "pod.1/", "/pod.1", "pod.1//rack.0",
          "pod.1/box.0", "pod.0/rack.0/box.0/gpu.2", "gpu.0/**", "pod.99999999999", "pod.1/*", "hall.0"}) {
        const auto found = gpusAtPath(*e, path);
        QVERIFY2(!found.ok(), path);
        QVERIFY(found.error().code == ErrorCode::UnknownTarget);
    }
}

// One pod has two servers (racks 0 and 1) with NICs 0 and 1; numbered 0.0, 0.1, 1.0, 1.1 in the pod.
// rail on 2 leaves: NIC i to leaf i. On 4 leaves: two blocks of two, server 0 on the first, server 1 on the second.
// stripe on 3: the k-th to k mod 3. one_to_one: k to k. all on 1: everything.
void TestExpansion::patternsConnectByTheirRule_data()
{
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("leaves");
    QTest::addColumn<QString>("links");
    const auto row = [](const char *name, LinkPattern pattern, int leaves, const char *links) {
        QTest::newRow(name) << static_cast<int>(pattern) << leaves << QString::fromLatin1(links);
    };
    row("rail, one block", LinkPattern::Rail, 2, "0.0-0 0.1-1 1.0-0 1.1-1");
    row("rail, two blocks", LinkPattern::Rail, 4, "0.0-0 0.1-1 1.0-2 1.1-3");
    row("rail, fewer leaves than rails", LinkPattern::Rail, 1, "0.0-0 0.1-0 1.0-0 1.1-0");
    row("stripe", LinkPattern::Stripe, 3, "0.0-0 0.1-1 1.0-2 1.1-0");
    row("one to one", LinkPattern::OneToOne, 4, "0.0-0 0.1-1 1.0-2 1.1-3");
    row("all", LinkPattern::All, 2, "0.0-0 0.0-1 0.1-0 0.1-1 1.0-0 1.0-1 1.1-0 1.1-1");
}

void TestExpansion::patternsConnectByTheirRule()
{
    QFETCH(int, pattern);
    QFETCH(int, leaves);
    QFETCH(QString, links);
    const auto e = expanded(smallDrawing(static_cast<LinkPattern>(pattern), leaves));
    QVERIFY(e);
    QCOMPARE(nicLinksOfFirstPod(*e), links);
}

// 7 GPUs at most: the servers fill in order, so the last one holds 1, and the GPU without a NIC partner has no link.
void TestExpansion::limitsLeaveTheLastParentsPartial()
{
    Blueprint b = smallDrawing(LinkPattern::Rail, 2);
    b.nodes[4].limit = 7;
    const auto e = expanded(b);
    QVERIFY(e);
    QCOMPARE(e->gpuCount, 7);
    QCOMPARE(e->containers[10].gpuCount, 1);
    QCOMPARE(e->containers[2].gpuCount, 3);
    QCOMPARE(e->pathOf(6), std::string("pod.1/rack.1/box.0/gpu.0"));
    QCOMPARE(e->edgeCount, std::int64_t{3 + 7 + 8});
    b.nodes[3].limit = 3;
    QCOMPARE(expanded(b)->gpuCount, 6);
}

void TestExpansion::aDrawingWithoutSiteGetsOne()
{
    Blueprint b;
    b.nodes = {{"box", NodeKind::Server, "", "", 2, 0, 0, 0},
               {"gpu", NodeKind::Gpu, "", "box", 4, 0, 0, 0},
               {"desk", NodeKind::Gpu, "", "", 1, 0, 0, 0}};
    const auto e = expanded(b);
    QVERIFY(e);
    QVERIFY(e->containers[0].kind == NodeKind::Site);
    QCOMPARE(e->containers[0].nodeId, std::string());
    // The site's own GPU comes before those of its servers.
    QCOMPARE(e->pathOf(0), std::string("desk.0"));
    QCOMPARE(e->pathOf(8), std::string("box.1/gpu.3"));
    QCOMPARE(gpusAtPath(*e, "desk.0").value(), std::vector<GpuIndex>{0});
}

void TestExpansion::domainsAreNvlinkComponents()
{
    const auto direct = expanded(smallDrawing(LinkPattern::Rail, 2));
    QVERIFY((direct->domainOfGpu == std::vector<std::int32_t>{0, 0, 1, 1, 2, 2, 3, 3}));
    Blueprint b = smallDrawing(LinkPattern::Rail, 2);
    b.nodes.push_back({"switch", NodeKind::NvSwitch, "", "pod", 3, 0, 0, 0});
    b.links[0] = {"nvlink", "gpu", "switch", LinkPattern::All, 1, 1200, 0};
    const auto switched = expanded(b);
    QVERIFY((switched->domainOfGpu == std::vector<std::int32_t>{0, 0, 0, 0, 1, 1, 1, 1}));
    b.links.erase(b.links.begin());
    QCOMPARE(expanded(b)->domainCount, 8);
}

void TestExpansion::wrongDrawingsAreRefused_data()
{
    QTest::addColumn<int>("change");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("pointer");
    const auto row = [](const char *name, int change, ErrorCode code, const char *pointer) {
        QTest::newRow(name) << change << static_cast<int>(code) << QString::fromLatin1(pointer);
    };
    row("dangling parent", 0, ErrorCode::UnknownName, "/cluster/blueprint/nodes/3/parent");
    row("dangling end", 1, ErrorCode::UnknownName, "/cluster/blueprint/links/2/to");
    row("duplicate node", 2, ErrorCode::DuplicateKey, "/cluster/blueprint/nodes/2/id");
    row("cycle", 3, ErrorCode::Contradiction, "/cluster/blueprint/nodes/1/parent");
    row("characters", 4, ErrorCode::WrongType, "/cluster/blueprint/nodes/3/id");
    row("zero count", 5, ErrorCode::OutOfRange, "/cluster/blueprint/nodes/4/count");
    row("negative limit", 6, ErrorCode::OutOfRange, "/cluster/blueprint/nodes/4/limit");
    row("inside a GPU", 7, ErrorCode::Contradiction, "/cluster/blueprint/nodes/5/parent");
    row("link to a rack", 8, ErrorCode::Contradiction, "/cluster/blueprint/links/2/to");
    row("rail to itself", 9, ErrorCode::Contradiction, "/cluster/blueprint/links/0/to");
    row("not a number", 10, ErrorCode::OutOfRange, "/cluster/blueprint/links/1/gbps");
    row("too many GPUs", 11, ErrorCode::TooManyGpus, "/cluster/blueprint/nodes/4/count");
    row("product overflows", 12, ErrorCode::TooManyGpus, "/cluster/blueprint/nodes/4/count");
    row("too many links", 13, ErrorCode::OutOfRange, "/cluster/blueprint/links/2");
    row("no GPU", 14, ErrorCode::OutOfRange, "/cluster/blueprint/nodes");
    row("duplicate link", 15, ErrorCode::DuplicateKey, "/cluster/blueprint/links/1/id");
    row("too many switches", 16, ErrorCode::OutOfRange, "/cluster/blueprint/nodes/6/count");
    row("too many devices together", 17, ErrorCode::OutOfRange, "/cluster/blueprint/nodes/9/count");
    row("too many ends of links", 18, ErrorCode::OutOfRange, "/cluster/blueprint/links/66");
    row("own parent", 19, ErrorCode::Contradiction, "/cluster/blueprint/nodes/1/parent");
}

void TestExpansion::wrongDrawingsAreRefused()
{
    QFETCH(int, change);
    Blueprint b = smallDrawing(LinkPattern::Rail, 2);
    switch (change) {
    case 0: b.nodes[3].parent = "rak"; break;
    case 1: b.links[2].to = ""; break;
    case 2: b.nodes[2].id = "pod"; break;
    case 3: b.nodes[1].parent = "box"; break;
    case 4: b.nodes[3].id = "Box 1"; break;
    case 5: b.nodes[4].count = 0; break;
    case 6: b.nodes[4].limit = -1; break;
    case 7: b.nodes[5].parent = "gpu"; break;
    case 8: b.links[2].to = "rack"; break;
    case 9: b.links[0].pattern = LinkPattern::Rail; break;
    case 10: b.links[1].gbps = std::numeric_limits<double>::quiet_NaN(); break;
    case 11: b.nodes[4].count = 65'537; break; // times 4 servers = 262,148
    case 12: b.nodes[1].count = b.nodes[2].count = b.nodes[3].count = std::numeric_limits<std::int64_t>::max(); break;
    case 13:
        b.nodes[5].count = b.nodes[6].count = 2'000;
        b.links[2].pattern = LinkPattern::All;
        break;
    case 14: b.nodes[4].kind = NodeKind::Storage; break;
    case 15: b.links[1].id = "nvlink"; break;
    case 16: b.nodes[6].count = 1'000'000'000; break;
    case 17: // Each node is within its limit, all together are not: 3 times 1,000,000 are above 8 times 262,144.
        for (const char *id : {"a", "b", "c"})
            b.nodes.push_back({id, NodeKind::Leaf, "", "hall", 1'000'000, 0, 0, 0});
        break;
    case 18: // 100 links that one GPU pair of 1,000,000 switches answers: 100 million ends to look at for a handful of cables.
        b.nodes.push_back({"many", NodeKind::Leaf, "", "hall", 1'000'000, 0, 0, 0});
        for (int i = 0; i < 100; ++i)
            b.links.push_back({"l" + std::to_string(i), "gpu", "many", LinkPattern::OneToOne, 1, 400, 0});
        break;
    default: b.nodes[1].parent = "pod"; break;
    }
    const auto result = expand(b);
    QVERIFY(!result.ok());
    QTEST(static_cast<int>(result.error().code), "code");
    QTEST(QString::fromStdString(result.error().place.pointer), "pointer");
}

QTEST_APPLESS_MAIN(TestExpansion)
#include "tst_expansion.moc"
