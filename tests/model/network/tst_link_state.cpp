// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/devices.h"
#include "model/cluster/templates.h"
#include "model/network/link_name.h"
#include "model/network/link_state.h"
#include "model/network/network_phases.h"
#include "model/network/phase.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;

// Everywhere: NVLink 450 GB/s * 0.77 = 346.5 GB/s a GPU over four switches, a NIC 400 Gb/s = 50 GB/s * 0.90 = 45 GB/s.
namespace {

CostConstants constants()
{
    CostConstants c;
    c.nvlinkEfficiency = 0.77;
    c.nicEfficiency = 0.90;
    c.pointToPointLatencyS = 24e-6;
    return c;
}

std::shared_ptr<const Expansion> cluster(std::int64_t gpus, const char *leaf = "rack", std::int64_t racksPerPod = 8, std::int64_t domain = 8)
{
    ClusterParameters p;
    p.gpus = gpus;
    p.leaf = leaf;
    p.serversPerRack = 1;
    p.racksPerPod = racksPerPod;
    p.scaleupDomain = domain;
    return expand(blueprintFromTemplate(p).value()).value();
}

Placement placed(const Expansion &expansion, std::int64_t tensor, std::int64_t pipeline, std::int64_t data)
{
    Degrees d;
    d.tensor = tensor;
    d.pipeline = pipeline;
    d.data = data;
    d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    return place(d, expansion, 8, 8);
}

Perturbation degraded(const char *target, LinkDomain domain, double capacity, const char *to = "")
{
    Perturbation p;
    p.kind = PerturbationKind::DegradedLink;
    p.target = target;
    p.link.domain = domain;
    p.link.capacity = capacity;
    p.link.to = to;
    return p;
}

Perturbation dead(const char *target, LinkDomain domain, std::optional<std::int64_t> cables = {}, const char *to = "")
{
    Perturbation p = degraded(target, domain, 1.0, to);
    p.kind = PerturbationKind::DeadLink;
    p.link.cables = cables;
    return p;
}

Perturbation traffic(const char *target, LinkDomain domain, std::optional<double> share, std::optional<double> gbytesPerS)
{
    Perturbation p = degraded(target, domain, 1.0);
    p.kind = PerturbationKind::CompetingTraffic;
    p.link.share = share;
    p.link.gbytesPerS = gbytesPerS;
    return p;
}

/// Rate of flows, each its own group, under perturbations.
std::vector<double> rates(const Expansion &expansion, const PerturbationList &list, const std::vector<std::pair<GpuIndex, GpuIndex>> &flows)
{
    const Placement placement = placed(expansion, 1, 1, expansion.gpuCount);
    const LinkState state = linkState(list, expansion, placement).value();
    Fabric fabric(expansion, constants(), &state);
    Phase phase(fabric, expansion);
    for (std::size_t i = 0; i < flows.size(); ++i)
        phase.add(static_cast<std::int32_t>(i), flows[i].first, flows[i].second);
    std::vector<double> result;
    for (const GroupRates &group : phase.solve(flows.size()))
        result.push_back(std::min(group.nvlinkBytesPerS, group.networkBytesPerS));
    return result;
}

bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

QString errorOf(const Expansion &expansion, const Perturbation &perturbation)
{
    const auto state = linkState({perturbation}, expansion, placed(expansion, 1, 1, expansion.gpuCount));
    return state.ok() ? QString() : QString::number(static_cast<int>(state.error().code)) + QLatin1Char(' ') + QString::fromStdString(state.error().place.pointer);
}

} // namespace

class TestLinkState final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void longListsAreTheirParts();
    void devicesByPath();
    void linksOfTargets();
    void linksOfAGpu();
    void wrongTargets();
    void capacityOfADegradedLink();
    void deadNicGoesThroughAPeer();
    void aHelperCostsItsNvlinksLatency();
    void deadNvlinkGoesThroughTheNic();
    void deadCablesOfABundleMoveTheTraffic();
    void trafficTakesItsShare();
    void names();
};

// Two pods of two servers: 32 GPUs, one leaf a rack of 8 NICs with 8 uplink cables over 8 spines.
void TestLinkState::devicesByPath()
{
    const auto expansion = cluster(32, "rack", 2);
    QCOMPARE(devicesAtPath(*expansion, "**").value().size(), std::size_t(expansion->vertexCount));
    const auto leaf = devicesAtPath(*expansion, "pod.1/rack.0/leaf.0").value();
    QCOMPARE(leaf.size(), std::size_t{1});
    QCOMPARE(pathOfDevice(*expansion, leaf.front()), std::string("pod.1/rack.0/leaf.0"));
    // The end of a path names every member that ends so: the first leaf of each of four racks.
    QCOMPARE(devicesAtPath(*expansion, "leaf.0").value().size(), std::size_t{4});
    // Of a server: 8 GPUs, 8 NICs, 4 NVSwitches.
    QCOMPARE(devicesAtPath(*expansion, "pod.0/rack.1/server.0").value().size(), std::size_t{20});
    QVERIFY(!devicesAtPath(*expansion, "pod.0/leaf.9").ok());
    QVERIFY(!devicesAtPath(*expansion, "pod.0/rack.0/gpu").ok());
}

void TestLinkState::linksOfTargets()
{
    const auto expansion = cluster(32, "rack", 2);
    const Placement placement = placed(*expansion, 8, 1, 4);
    const auto count = [&](const char *target, LinkDomain domain, const char *to = "") {
        return linksOfTarget(*expansion, placement, target, domain, to).value().size();
    };
    QCOMPARE(count("pod.0/rack.0/server.0/gpu.3", LinkDomain::NvLink), std::size_t{4});
    QCOMPARE(count("pod.0/rack.0/server.0/gpu.3", LinkDomain::Pcie), std::size_t{1});
    QCOMPARE(count("pod.0/rack.0/server.0/gpu.3", LinkDomain::Nic), std::size_t{1});
    QCOMPARE(count("pod.0/rack.0/server.0/nic.3", LinkDomain::Nic), std::size_t{1});
    QCOMPARE(count("stage:0 replica:1", LinkDomain::Nic), std::size_t{8});
    QCOMPARE(count("pod.0/rack.0/leaf.0", LinkDomain::Nic), std::size_t{8});
    QCOMPARE(count("pod.0/rack.0/leaf.0", LinkDomain::Uplink), std::size_t{8});
    QCOMPARE(count("pod.0/rack.0/leaf.0", LinkDomain::Uplink, "pod.0/spine.2"), std::size_t{1});
    QCOMPARE(count("pod.0/spine.2", LinkDomain::Uplink), std::size_t{1});
    // A core switch has no links up: those to the two pods' spines.
    QCOMPARE(count("core.2", LinkDomain::Uplink), std::size_t{2});
}

// Every GPU of the server has an NVLink, a NIC behind PCI Express and no uplink; a spare number has nothing.
void TestLinkState::linksOfAGpu()
{
    const auto expansion = cluster(16);
    for (const GpuIndex gpu : {0, 15}) {
        QVERIFY(gpuHasLinks(*expansion, gpu, LinkDomain::NvLink));
        QVERIFY(gpuHasLinks(*expansion, gpu, LinkDomain::Nic));
        QVERIFY(!gpuHasLinks(*expansion, gpu, LinkDomain::Uplink));
    }
    QVERIFY(!gpuHasLinks(*expansion, 16, LinkDomain::Nic) && !gpuHasLinks(*expansion, -1, LinkDomain::Nic));
}

void TestLinkState::wrongTargets()
{
    const auto expansion = cluster(32, "rack", 2);
    const auto code = [](ErrorCode error) { return QString::number(static_cast<int>(error)); };
    QCOMPARE(errorOf(*expansion, degraded("pod.7", LinkDomain::Nic, 0.5)), code(ErrorCode::UnknownTarget) + QStringLiteral(" /perturbations/0/target"));
    QCOMPARE(errorOf(*expansion, degraded("pod.7", LinkDomain::Nic, 1.0)), code(ErrorCode::UnknownTarget) + QStringLiteral(" /perturbations/0/target"));
    QCOMPARE(errorOf(*expansion, degraded("rank:3", LinkDomain::Uplink, 0.5)), code(ErrorCode::NoSuchLink) + QStringLiteral(" /perturbations/0/link"));
    QCOMPARE(errorOf(*expansion, degraded("rank:3", LinkDomain::Nic, 0.5, "spine.0")), code(ErrorCode::NoSuchLink) + QStringLiteral(" /perturbations/0/to"));
    QCOMPARE(errorOf(*expansion, degraded("rank:3", LinkDomain::Nic, 0.5, "spine.x")), code(ErrorCode::UnknownTarget) + QStringLiteral(" /perturbations/0/to"));
    // A leaf has eight uplink cables; a NIC carries 50 GB/s.
    QCOMPARE(errorOf(*expansion, dead("pod.0/rack.0/leaf.0", LinkDomain::Uplink, 9)), code(ErrorCode::OutOfRange) + QStringLiteral(" /perturbations/0/cables"));
    QCOMPARE(errorOf(*expansion, dead("pod.0/rack.0/leaf.0", LinkDomain::Uplink, 8)), QString());
    QCOMPARE(errorOf(*expansion, traffic("rank:3", LinkDomain::Nic, {}, 50.0)), code(ErrorCode::OutOfRange) + QStringLiteral(" /perturbations/0/gbytes_per_s"));
}

// A quarter of a NIC: 11.25 GB/s for what leaves and enters through it, and no one else. A quarter of an NVLink cable
// of four: 346.5 * 13/16. Perturbations of one link multiply.
void TestLinkState::capacityOfADegradedLink()
{
    const auto expansion = cluster(32, "rack", 4);
    const auto r = rates(*expansion, {degraded("pod.0/rack.0/server.0/gpu.3", LinkDomain::Nic, 0.25)}, {{3, 11}, {12, 3}, {4, 12}, {2, 3}});
    QVERIFY(near(r[0], 11.25e9) && near(r[1], 11.25e9) && near(r[2], 45e9) && near(r[3], 346.5e9));
    const auto nvlink = rates(*expansion, {degraded("pod.0/rack.0/server.0/gpu.3", LinkDomain::NvLink, 0.25, "pod.0/rack.0/server.0/nvswitch.1")},
                              {{2, 3}, {0, 1}});
    QVERIFY(near(nvlink[0], 346.5e9 * 13.0 / 16.0) && near(nvlink[1], 346.5e9));
    const auto twice = rates(*expansion, {degraded("gpu.3", LinkDomain::Nic, 0.5), degraded("rank:3", LinkDomain::Nic, 0.5)}, {{3, 11}});
    QVERIFY(near(twice[0], 11.25e9));
    const auto none = rates(*expansion, {degraded("gpu.3", LinkDomain::Nic, 1.0)}, {{3, 11}});
    QVERIFY(near(none[0], 45e9));
}

// GPU 3's NIC is dead: GPU 4's carries both, 22.5 GB/s each; the same for what they receive. With all eight dead a server
// of its own domain is cut off.
void TestLinkState::deadNicGoesThroughAPeer()
{
    const auto expansion = cluster(32, "rack", 4);
    const PerturbationList list{dead("pod.0/rack.0/server.0/gpu.3", LinkDomain::Nic)};
    const auto out = rates(*expansion, list, {{3, 11}, {4, 12}, {5, 13}});
    QVERIFY(near(out[0], 22.5e9) && near(out[1], 22.5e9) && near(out[2], 45e9));
    const auto in = rates(*expansion, list, {{11, 3}, {12, 4}, {13, 5}});
    QVERIFY(near(in[0], 22.5e9) && near(in[1], 22.5e9) && near(in[2], 45e9));
    QCOMPARE(rates(*expansion, {dead("pod.0/rack.0/server.0", LinkDomain::Nic)}, {{3, 11}}).front(), 0.0);
    // Without NVLink a GPU has nobody to go through.
    QCOMPARE(rates(*cluster(32, "rack", 4, 1), list, {{3, 11}}).front(), 0.0);
    // On rails GPU 4's NIC hangs on another leaf: over it and the spines, all the same.
    const auto rail = rates(*cluster(32, "rail", 4), list, {{3, 11}, {4, 12}});
    QVERIFY(near(rail[0], 22.5e9) && near(rail[1], 22.5e9));
}

// The way through a peer is longer by one hop over NVLink, at the sender as at the receiver; the peer's NIC hangs on the
// same leaf, so the rest of the way is as long as before.
void TestLinkState::aHelperCostsItsNvlinksLatency()
{
    const auto expansion = cluster(32, "rack", 4);
    const auto latency = [&](const PerturbationList &list, GpuIndex from, GpuIndex to) {
        const LinkState state = linkState(list, *expansion, placed(*expansion, 1, 1, expansion->gpuCount)).value();
        Fabric fabric(*expansion, constants(), &state);
        Phase phase(fabric, *expansion);
        phase.add(0, from, to);
        return phase.solve(1).front().latencyS;
    };
    const double hop = latency({}, 3, 4), whole = latency({}, 3, 11);
    QVERIFY(hop > 0.0 && whole > hop);
    const Perturbation sender = dead("pod.0/rack.0/server.0/gpu.3", LinkDomain::Nic);
    const Perturbation receiver = dead("pod.0/rack.1/server.0/gpu.3", LinkDomain::Nic);
    QVERIFY(near(latency({sender}, 3, 11), whole + hop));
    QVERIFY(near(latency({receiver}, 3, 11), whole + hop));
    QVERIFY(near(latency({sender, receiver}, 3, 11), whole + 2.0 * hop));
}

// GPU 3's NVLink is dead: it meets its peers over its NIC, 45 GB/s each way.
void TestLinkState::deadNvlinkGoesThroughTheNic()
{
    const auto expansion = cluster(32, "rack", 4);
    const auto r = rates(*expansion, {dead("pod.0/rack.0/server.0/gpu.3", LinkDomain::NvLink)}, {{2, 3}, {3, 4}, {4, 5}});
    QVERIFY(near(r[0], 45e9) && near(r[1], 45e9) && near(r[2], 346.5e9));
}

// The leaf of rack 0 has eight uplinks of one cable. Eight GPUs send to rack 1: 45 GB/s each. With six cables dead the
// other two carry them all: 2/8 of 45 GB/s; two uplinks to named spines dead: 6/8.
void TestLinkState::deadCablesOfABundleMoveTheTraffic()
{
    const auto expansion = cluster(32, "rack", 4);
    std::vector<std::pair<GpuIndex, GpuIndex>> flows;
    for (GpuIndex gpu = 0; gpu < 8; ++gpu)
        flows.emplace_back(gpu, gpu + 8);
    for (const double rate : rates(*expansion, {}, flows)) QVERIFY(near(rate, 45e9));
    for (const double rate : rates(*expansion, {dead("pod.0/rack.0/leaf.0", LinkDomain::Uplink, 6)}, flows)) QVERIFY(near(rate, 11.25e9));
    const PerturbationList two{dead("pod.0/rack.0/leaf.0", LinkDomain::Uplink, {}, "pod.0/spine.2"), dead("pod.0/rack.0/leaf.0", LinkDomain::Uplink, {}, "pod.0/spine.5")};
    for (const double rate : rates(*expansion, two, flows)) QVERIFY(near(rate, 33.75e9));
    // Degraded instead of dead: the same share goes on over the slow cable, 1/8 of it each, and it holds them all:
    // 8 flows at 1/8 of 11.25 GB/s.
    for (const double rate : rates(*expansion, {degraded("pod.0/rack.0/leaf.0", LinkDomain::Uplink, 0.25, "pod.0/spine.2")}, flows)) QVERIFY(near(rate, 11.25e9));
}

// A third of a NIC's capacity: 30 GB/s are left; 20 GB/s of payload: 25.
void TestLinkState::trafficTakesItsShare()
{
    const auto expansion = cluster(32, "rack", 4);
    QVERIFY(near(rates(*expansion, {traffic("rank:3", LinkDomain::Nic, 1.0 / 3.0, {})}, {{3, 11}}).front(), 30e9));
    QVERIFY(near(rates(*expansion, {traffic("rank:3", LinkDomain::Nic, {}, 20.0)}, {{3, 11}}).front(), 25e9));
}

void TestLinkState::names()
{
    const auto expansion = cluster(32, "rack", 2);
    const Fabric fabric(*expansion, constants());
    QCOMPARE(linkName(*expansion, fabric, fabric.nvlinkIn(9), LinkDirection::Shown), std::string("nvlink of pod.0/rack.1/server.0/gpu.1 in"));
    QCOMPARE(linkName(*expansion, fabric, fabric.access(9).out[0]), std::string("nic of pod.0/rack.1/server.0/gpu.1"));
    QCOMPARE(gpuOfLink(*expansion, fabric, fabric.access(9).out[0]), 9);
    QCOMPARE(linkName(*expansion, fabric, kNone), std::string());
}

// A list of hundreds is read through an index of the graph, a list of one is not: both mean the same links, for every kind
// of device and domain, also where there is no such link.
void TestLinkState::longListsAreTheirParts()
{
    const auto expansion = cluster(32, "rack", 2);
    const Placement placement = placed(*expansion, 8, 2, 2);
    std::vector<std::string> targets{"rank:7", "stage:1 replica:0", "**", "nowhere.3"};
    for (std::int32_t device = 0; device < expansion->vertexCount; ++device)
        targets.push_back(pathOfDevice(*expansion, device));
    for (const std::int32_t server : expansion->containersOfKind(NodeKind::Server))
        targets.push_back(expansion->pathOfContainer(server));
    const PerturbationList padding(20, degraded("rank:0", LinkDomain::NvLink, 1.0)); // without effect
    for (const LinkDomain domain : {LinkDomain::NvLink, LinkDomain::Pcie, LinkDomain::Nic, LinkDomain::Uplink})
        for (const std::string &target : targets) {
            const Perturbation one = degraded(target.c_str(), domain, 0.5);
            PerturbationList list = padding;
            list.push_back(one);
            const auto alone = linkState({one}, *expansion, placement), among = linkState(list, *expansion, placement);
            QCOMPARE(among.ok(), alone.ok());
            if (!alone.ok()) {
                QVERIFY(among.error().code == alone.error().code);
                continue;
            }
            QVERIFY2(among.value().capacity == alone.value().capacity, target.c_str());
            QVERIFY(among.value().cause == alone.value().cause);
            QVERIFY(among.value().changedOfGpu == alone.value().changedOfGpu);
            QCOMPARE(among.value().changed, alone.value().changed);
        }
}

QTEST_APPLESS_MAIN(TestLinkState)
#include "tst_link_state.moc"
