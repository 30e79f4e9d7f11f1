// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/templates.h"
#include "model/iteration/simulate.h"
#include "model/network/network_model.h"
#include "model/network/phase.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;

// Everywhere: NVLink 450 GB/s * 0.77 = 346.5 GB/s, a NIC 400 Gb/s = 50 GB/s * 0.90 = 45 GB/s, 0.5 us a link.
namespace {

CostConstants constants()
{
    CostConstants c;
    c.nvlinkEfficiency = 0.77;
    c.nicEfficiency = 0.90;
    c.pointToPointLatencyS = 24e-6;
    return c;
}

ClusterParameters parameters(std::int64_t gpus, const char *leaf, std::int64_t serversPerRack, std::int64_t racksPerPod)
{
    ClusterParameters p;
    p.gpus = gpus;
    p.leaf = leaf;
    p.serversPerRack = serversPerRack;
    p.racksPerPod = racksPerPod;
    return p;
}

Degrees degrees(std::int64_t tensor, std::int64_t context, std::int64_t pipeline, std::int64_t data)
{
    Degrees d;
    d.tensor = tensor;
    d.context = context;
    d.pipeline = pipeline;
    d.data = data;
    d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    return d;
}

NetworkModel modelOf(const Blueprint &blueprint, const Degrees &d, std::int64_t used = 8, std::int64_t domain = 8)
{
    const auto expansion = expand(blueprint).value();
    return networkModel({}, *expansion, place(d, *expansion, used, domain), constants());
}
NetworkModel expertsOf(const ClusterParameters &p, Degrees d, std::int64_t expert, std::int64_t expertTensor)
{
    ResolvedScenario scenario;
    scenario.model.moe = MoeShape{};
    d.expert = expert;
    d.expertTensor = expertTensor;
    scenario.degrees = d;
    const auto expansion = expand(blueprintFromTemplate(p).value()).value();
    return networkModel(scenario, *expansion, place(d, *expansion, p.scaleupDomain, p.scaleupDomain), constants());
}
NetworkModel modelOf(const ClusterParameters &p, const Degrees &d)
{
    return modelOf(blueprintFromTemplate(p).value(), d, p.scaleupDomain, p.scaleupDomain);
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

} // namespace

class TestNetworkModel final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void llamaPhases();
    void podUplinksAreShared();
    void leafUplinksAreShared();
    void membersOfADomainUseTheirOwnNics();
    void groupsThatShareANicHalveIt();
    void transfersShareUplinksMaxMin();
    void crossRailTrafficTakesNvlinkFirst();
    void aGroupAcrossDomainsIsTheSlowest();
    void aServerWithoutNvlinkTalksThroughItsNics();
    void aDomainAcrossPodsUsesAllItsNics();
    void expertGroups();
    void expertAllToAllSharesUplinks();
    void noRouteIsSaid();
    void aDrawingWithoutCablesIsRefused();
    void lastGpusOfAPartialPodAreReached();
};

// TP inside a server; DP peers 128 GPUs apart: one NIC each on a network with full bisection inside the pod, and only
// one server in 24 replicas' worth sends across pods (128 flows of 45 GB/s on 3,072/7 cables): NICs are the narrowest.
// Stage 0 to 1 stays under one leaf: GPU-NIC-leaf-NIC-GPU, 4 links, 24 + 2 = 26 us; stage 1 to 2 crosses a spine: 27
// us.
void TestNetworkModel::llamaPhases()
{
    ClusterParameters p = parameters(16'384, "rack", 2, 192);
    p.coreOversubscription = 7.0;
    const NetworkModel m = modelOf(p, degrees(8, 1, 16, 128));
    QVERIFY(m.connected);
    QCOMPARE(m.tensor.members, 8);
    QCOMPARE(m.tensor.membersPerDomain, 8);
    QCOMPARE(m.tensor.domains, 1);
    QVERIFY(near(m.tensor.scaleupBytesPerS, 346.5e9));
    QCOMPARE(m.tensor.bottleneck, std::string("nvlink"));
    QCOMPARE(m.context.members, 1);
    QCOMPARE(m.data.members, 128);
    QCOMPARE(m.data.membersPerDomain, 1);
    QCOMPARE(m.data.domains, 128);
    QVERIFY(near(m.data.networkBytesPerS, 45e9));
    QCOMPARE(m.data.bottleneck, std::string("nic"));
    QCOMPARE(m.pipeline.size(), std::size_t{16 * 128});
    for (const TransferPath &path : m.pipeline) {
        QVERIFY(near(path.bytesPerS, 45e9));
        QCOMPARE(path.bottleneck, std::string("nic"));
    }
    QVERIFY(near(m.pipeline[0 * 128 + 5].latencyS, 26e-6));
    QVERIFY(near(m.pipeline[1 * 128 + 5].latencyS, 27e-6));
}

// Two pods of two servers, 1:4 to the core: 16 * 400 / 4 = 1,600 Gb/s a pod. The 8 rings 0-1-2-3-0 cross once each way:
// 200 Gb/s each = 25 GB/s * 0.9.
void TestNetworkModel::podUplinksAreShared()
{
    ClusterParameters p = parameters(32, "rack", 1, 2);
    p.coreOversubscription = 4.0;
    const NetworkModel m = modelOf(p, degrees(8, 1, 1, 4));
    QVERIFY(near(m.data.networkBytesPerS, 22.5e9));
    QCOMPARE(m.data.bottleneck, std::string("spine-core"));
    QVERIFY(m.pipeline.empty());
}

// Two domains of 72 GPUs in servers of four on rails, pods of 20 servers: eight GPUs of the second domain hang on the
// first pod's leaves. Stage 1 sends back to stage 0 in the first pod: its 64 GPUs each through their own NIC, not all
// through those eight.
void TestNetworkModel::aDomainAcrossPodsUsesAllItsNics()
{
    ClusterParameters p = parameters(144, "rail", 1, 20);
    p.scaleupDomain = 72;
    p.gpusPerServer = 4;
    Degrees d = degrees(1, 1, 2, 64);
    d.order = Degrees{}.order;
    const NetworkModel m = modelOf(blueprintFromTemplate(p).value(), d, 64, 72);
    for (const TransferPath &path : m.pipeline) QVERIFY(near(path.bytesPerS, 45e9));
}

// Thirty-two ranks of one stage, TP 2. Experts fold over tensor and data: 16 ranks are two whole servers, their replicas
// the other two; each pair of servers exchanges over 8 NICs. With every expert split in two, 8 ranks of even number.
void TestNetworkModel::expertGroups()
{
    const ClusterParameters p = parameters(32, "rack", 1, 4);
    const NetworkModel m = expertsOf(p, degrees(2, 1, 1, 16), 16, 1);
    QVERIFY(m.connected);
    QCOMPARE(m.expert.members, 16);
    QCOMPARE(m.expert.membersPerDomain, 8);
    QCOMPARE(m.expert.domains, 2);
    QVERIFY(near(m.expert.networkBytesPerS, 45e9));
    QVERIFY(near(m.expert.scaleupBytesPerS, 346.5e9));
    QCOMPARE(m.expertTensor.members, 1);
    QCOMPARE(m.expertData.members, 2);
    QCOMPARE(m.expertData.domains, 2);
    const NetworkModel split = expertsOf(p, degrees(2, 1, 1, 16), 8, 2);
    QCOMPARE(split.expert.members, 8);
    QCOMPARE(split.expert.membersPerDomain, 4);
    QCOMPARE(split.expertTensor.members, 2);
    QCOMPARE(split.expertTensor.domains, 1);
    const NetworkModel inside = expertsOf(p, degrees(1, 1, 1, 32), 8, 1);
    QCOMPARE(inside.expert.domains, 1);
    QCOMPARE(inside.expert.bottleneck, std::string("nvlink"));
    QCOMPARE(inside.expertData.members, 4);
    // Without experts there are no such groups.
    QCOMPARE(modelOf(p, degrees(2, 1, 1, 16)).expert.members, 1);
}

// Two pods of two servers, 1:4 to the core: 1,600 Gb/s = 180 GB/s of payload a pod. Each of a pod's 16 GPUs sends to both
// servers of the other: 32 flows of 5.625 GB/s; over three servers a GPU sends three times that.
void TestNetworkModel::expertAllToAllSharesUplinks()
{
    ClusterParameters p = parameters(32, "rack", 1, 2);
    p.coreOversubscription = 4.0;
    const NetworkModel m = expertsOf(p, degrees(1, 1, 1, 32), 32, 1);
    QCOMPARE(m.expert.domains, 4);
    QVERIFY(near(m.expert.networkBytesPerS, 16.875e9));
    QCOMPARE(m.expert.bottleneck, std::string("spine-core"));
    QCOMPARE(m.expertData.members, 1);
}

// One leaf a server, 1:4: 8 * 400 / 4 = 800 Gb/s for 8 flows: 12.5 GB/s * 0.9.
void TestNetworkModel::leafUplinksAreShared()
{
    ClusterParameters p = parameters(32, "rack", 1, 4);
    p.podOversubscription = 4.0;
    const NetworkModel m = modelOf(p, degrees(8, 1, 1, 4));
    QVERIFY(near(m.data.networkBytesPerS, 11.25e9));
    QCOMPARE(m.data.bottleneck, std::string("leaf-spine"));
    // The same on rails: every ring stays on its own leaf, and the uplinks are idle.
    p.leaf = "rail";
    const NetworkModel rail = modelOf(p, degrees(8, 1, 1, 4));
    QVERIFY(near(rail.data.networkBytesPerS, 45e9));
    QCOMPARE(rail.data.bottleneck, std::string("nic"));
}

// TP 2, DP 8 on two servers: each group has 4 members in each, every one with a NIC of its own.
void TestNetworkModel::membersOfADomainUseTheirOwnNics()
{
    const NetworkModel m = modelOf(parameters(16, "rail", 4, 32), degrees(2, 1, 1, 8));
    QCOMPARE(m.data.membersPerDomain, 4);
    QCOMPARE(m.data.domains, 2);
    QVERIFY(near(m.data.networkBytesPerS, 45e9));
    QVERIFY(near(m.data.scaleupBytesPerS, 346.5e9));
    // Gradients reduce over data and context together: CP 2, DP 4 is the same group of 8.
    const NetworkModel folded = modelOf(parameters(16, "rail", 4, 32), degrees(2, 2, 1, 4));
    QCOMPARE(folded.data.members, 8);
    QCOMPARE(folded.context.members, 2);
    QCOMPARE(folded.context.domains, 1);
}

// Four NICs for eight GPUs: two rings on each NIC get 22.5 GB/s.
void TestNetworkModel::groupsThatShareANicHalveIt()
{
    Blueprint b = blueprintFromTemplate(parameters(16, "rack", 4, 32)).value();
    for (BlueprintNode &node : b.nodes)
        if (node.id == "nic") node.count = 4, node.limit = 8;
    for (BlueprintLink &link : b.links)
        if (link.id == "pcie") link.pattern = LinkPattern::Stripe;
    const NetworkModel m = modelOf(b, degrees(8, 1, 1, 2));
    QVERIFY(near(m.data.networkBytesPerS, 22.5e9));
    QCOMPARE(m.data.bottleneck, std::string("nic"));
}

// Six servers in racks of two, TP 8, PP 3, DP 2 (replica 0 on servers 0-2, replica 1 on 3-5), 1:4 above the leaf:
// a rack's uplinks are 16 * 400 / 4 = 1,600 Gb/s = 180 GB/s of payload for all its flows in one direction.
// Up: rack 0: server 1 -> 2 (8 flows): 22.5 each. Rack 1: server 2 -> 0 and 3 -> 4 (16 flows): 11.25 each.
// Rack 2: 5 -> 3 (8): 22.5. Down: rack 0: 2 -> 0; rack 1: 1 -> 2 and 5 -> 3 (16 flows): 11.25; rack 2: 3 -> 4.
// So the flows across racks get 11.25; 0 -> 1 and 4 -> 5 stay under their leaf, share no NIC direction, and get 45.
void TestNetworkModel::transfersShareUplinksMaxMin()
{
    ClusterParameters p = parameters(48, "rack", 2, 32);
    p.podOversubscription = 4.0;
    const NetworkModel m = modelOf(p, degrees(8, 1, 3, 2));
    const double expected[] = {45e9, 11.25e9, 11.25e9, 45e9, 11.25e9, 11.25e9}; // [stage * 2 + replica]
    for (std::size_t i = 0; i < 6; ++i)
        QVERIFY2(near(m.pipeline[i].bytesPerS, expected[i]), std::to_string(i).c_str());
    QCOMPARE(m.pipeline[0].bottleneck, std::string("nic"));
    QCOMPARE(m.pipeline[1].bottleneck, std::string("leaf-spine"));
}

// GPU 2 of server 0 to GPU 0 of server 1 (GPU 8): over NVLink to GPU 0, then along rail 0. With 1:8 above the leaves
// the way over a spine would give a leaf's 2 * 400 / 8 Gb/s. Links: NVLink up and down, then GPU-NIC-leaf-NIC-GPU: 6 *
// 0.5 us.
void TestNetworkModel::crossRailTrafficTakesNvlinkFirst()
{
    ClusterParameters p = parameters(16, "rail", 4, 32);
    p.podOversubscription = 8.0;
    const auto expansion = expand(blueprintFromTemplate(p).value()).value();
    Fabric fabric(*expansion, constants());
    Phase phase(fabric, *expansion);
    phase.add(0, 2, 8);
    std::vector<GroupRates> rates = phase.solve(1);
    QVERIFY(near(rates[0].networkBytesPerS, 45e9));
    QVERIFY(near(rates[0].latencyS, 3e-6));
    // A second flow on the borrowed NIC: half each.
    phase.add(1, 0, 8);
    rates = phase.solve(2);
    QVERIFY(near(rates[0].networkBytesPerS, 22.5e9));
    QVERIFY(near(rates[1].networkBytesPerS, 22.5e9));
}

// TP 6 on servers of 8: the first group is inside server 0, the second has 2 members in server 0 and 4 in server 1.
void TestNetworkModel::aGroupAcrossDomainsIsTheSlowest()
{
    const NetworkModel m = modelOf(parameters(16, "rail", 4, 32), degrees(6, 1, 1, 2));
    QCOMPARE(m.tensor.members, 6);
    QCOMPARE(m.tensor.domains, 2);
    QCOMPARE(m.tensor.membersPerDomain, 2);
    QVERIFY(near(m.tensor.networkBytesPerS, 45e9));
    QCOMPARE(m.tensor.bottleneck, std::string("nic"));
}

void TestNetworkModel::aServerWithoutNvlinkTalksThroughItsNics()
{
    ClusterParameters p = parameters(4, "rack", 4, 32);
    p.gpusPerServer = 4;
    p.scaleupDomain = 1;
    const NetworkModel m = modelOf(p, degrees(4, 1, 1, 1));
    QVERIFY(m.connected);
    QCOMPARE(m.tensor.domains, 4);
    QVERIFY(near(m.tensor.networkBytesPerS, 45e9));
}

void TestNetworkModel::noRouteIsSaid()
{
    Blueprint b = blueprintFromTemplate(parameters(16, "rack", 4, 32)).value();
    b.links.pop_back(); // NIC-leaf
    const NetworkModel m = modelOf(b, degrees(8, 1, 1, 2));
    QVERIFY(!m.connected);
    QCOMPARE(m.data.networkBytesPerS, 0.0);
    QVERIFY(modelOf(b, degrees(8, 1, 1, 1)).connected);  // one server needs none
    QVERIFY(!modelOf(b, degrees(8, 1, 1, 3)).connected); // more ranks than GPUs
}

// A small preset on a drawing of its 8 servers without any link: an error with the links' pointer, not endless times.
void TestNetworkModel::aDrawingWithoutCablesIsRefused()
{
    const Catalogue catalogue = loadCatalogue().value();
    Scenario scenario = readPreset("llama3-8b-64", catalogue).value();
    auto drawn = std::make_shared<Blueprint>();
    drawn->nodes = {{"box", NodeKind::Server, "", "", 8, 0, 0, 0}, {"gpu", NodeKind::Gpu, "", "box", 8, 0, 0, 0}};
    auto cluster = std::make_shared<ClusterSection>();
    cluster->templateName.clear();
    cluster->acceleratorName = "H100-SXM5-80GB";
    cluster->blueprint = drawn;
    scenario.cluster = cluster;
    StageCache cache;
    const SimulationOutcome outcome = simulate(scenario, catalogue, cache, {}, {});
    QVERIFY(outcome.error.has_value());
    QVERIFY(outcome.error->code == ErrorCode::NotConnected);
    QCOMPARE(outcome.error->place.pointer, std::string("/cluster/blueprint/links"));
}

// 17 GPUs: one in the third server, one server in the second pod.
void TestNetworkModel::lastGpusOfAPartialPodAreReached()
{
    for (const char *leaf : {"rail", "rack"}) {
        const NetworkModel m = modelOf(parameters(17, leaf, 1, 2), degrees(1, 1, 17, 1));
        QVERIFY(m.connected);
        for (const TransferPath &path : m.pipeline)
            QVERIFY(path.bytesPerS > 0.0 && std::isfinite(path.bytesPerS));
        QCOMPARE(m.pipeline[0].bottleneck, std::string("nvlink"));
        QVERIFY(near(m.pipeline[0].bytesPerS, 346.5e9));
        QVERIFY(near(m.pipeline[0].latencyS, 25e-6));
        // 15 -> 16 from pod 0 to pod 1: GPU, NIC, leaf, spine, core and down: 8 links.
        QVERIFY(near(m.pipeline[15].latencyS, 28e-6));
    }
}

QTEST_APPLESS_MAIN(TestNetworkModel)
#include "tst_network_model.moc"
