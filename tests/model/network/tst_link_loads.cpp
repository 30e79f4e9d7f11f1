// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/cluster/templates.h"
#include "model/network/link_loads.h"
#include "model/network/link_state.h"
#include "model/network/network_phases.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <map>

using namespace clusterbeat;

// Everywhere: NVLink 450 GB/s * 0.77 = 346.5 GB/s, a NIC or cable 400 Gb/s = 50 GB/s * 0.90 = 45 GB/s.
namespace {

CostConstants constants()
{
    CostConstants c;
    c.nvlinkEfficiency = 0.77;
    c.nicEfficiency = 0.90;
    c.pointToPointLatencyS = 24e-6;
    return c;
}

ClusterParameters parameters(std::int64_t gpus, const char *leaf = "rack")
{
    ClusterParameters p;
    p.gpus = gpus;
    p.leaf = leaf;
    p.serversPerRack = 1;
    p.racksPerPod = 8;
    return p;
}

using Flows = std::vector<std::pair<GpuIndex, GpuIndex>>;

/// Each flow a source of its own.
LinkLoads loadsOf(Fabric &fabric, const Expansion &expansion, const Flows &flows)
{
    LinkLoadBuilder builder(fabric, expansion);
    for (std::size_t i = 0; i < flows.size(); ++i) builder.add(flows[i].first, flows[i].second, {static_cast<std::int32_t>(i), 1.0});
    return builder.build();
}
double carried(const LinkLoads &loads, std::size_t link)
{
    double sum = 0.0;
    for (const LinkLoad &load : loads.of(link)) sum += load.share;
    return sum;
}
/// Share of a flow on every upward leaf-spine link.
std::map<std::size_t, double> uplinksOf(const Fabric &fabric, const LinkLoads &loads, std::int32_t flow)
{
    std::map<std::size_t, double> shares;
    for (std::size_t link = 0; link < loads.links(); link += 2)
        for (const LinkLoad &load : loads.of(link))
            if (load.source == flow && std::strcmp(fabric.kindOf(static_cast<std::int32_t>(link)), "leaf-spine") == 0) shares[link] = load.share;
    return shares;
}

/// From GPU i of the first server to GPU i of the second.
const Flows kSideBySide{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}};

std::uint64_t draw(std::uint64_t seed, std::uint64_t i, std::uint64_t n) { return randomBits(seed, i) % n; }

} // namespace

class TestLinkLoads final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void evenSplitUsesAllCables();
    void whatGoesUpComesDown();
    void hashedFlowsCollide();
    void hashedFlowsOfSeveralPaths();
    void aDeadCableMovesOnlyItsFlows();
    void doubledCapacitiesDoubleAllRates();
    void noFlowGainsFromTheLinkThatHoldsIt();
    void keysOfTheScenario();
};

// Two leaves of eight NICs, eight spines, one cable each: an eighth of every flow on each cable.
void TestLinkLoads::evenSplitUsesAllCables()
{
    const auto expansion = expand(blueprintFromTemplate(parameters(16)).value()).value();
    Fabric fabric(*expansion, constants());
    const LinkLoads loads = loadsOf(fabric, *expansion, kSideBySide);
    for (std::int32_t flow = 0; flow < 8; ++flow) {
        const auto shares = uplinksOf(fabric, loads, flow);
        QCOMPARE(shares.size(), std::size_t{8});
        for (const auto &[link, share] : shares) QCOMPARE(share, 0.125);
    }
}

// Random flows in clusters of one to three tiers: what all NICs send they receive, and what goes up from leaves or spines
// comes down to some; NVLinks out of GPUs carry what those into GPUs do. PCI Express carries what the NICs do.
void TestLinkLoads::whatGoesUpComesDown()
{
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        ClusterParameters p = parameters(64 * static_cast<std::int64_t>(1 + draw(seed, 1, 3)), draw(seed, 2, 2) == 0 ? "rack" : "rail");
        p.racksPerPod = 4;
        p.coreOversubscription = 3.0;
        const auto expansion = expand(blueprintFromTemplate(p).value()).value();
        Fabric fabric(*expansion, constants(), nullptr, {draw(seed, 3, 2) == 0, 3, seed});
        Flows flows;
        for (std::uint64_t i = 0; i < 200; ++i) {
            const auto from = static_cast<GpuIndex>(draw(seed, 10 + 2 * i, static_cast<std::uint64_t>(p.gpus)));
            const auto to = static_cast<GpuIndex>(draw(seed, 11 + 2 * i, static_cast<std::uint64_t>(p.gpus)));
            if (from != to) flows.push_back({from, to});
        }
        const LinkLoads loads = loadsOf(fabric, *expansion, flows);
        std::map<std::string, std::array<double, 2>> sums;
        double apart = 0.0;
        for (const auto &[from, to] : flows)
            apart += expansion->domainOfGpu[static_cast<std::size_t>(from)] != expansion->domainOfGpu[static_cast<std::size_t>(to)] ? 1.0 : 0.0;
        for (std::size_t link = 0; link < loads.links(); ++link) {
            const bool nvlink = link < 2 * static_cast<std::size_t>(p.gpus);
            const bool in = nvlink ? link >= static_cast<std::size_t>(p.gpus) : link % 2 != 0;
            sums[fabric.kindOf(static_cast<std::int32_t>(link))][in ? 1 : 0] += carried(loads, link);
        }
        for (const auto &[kind, both] : sums) QVERIFY2(std::abs(both[0] - both[1]) <= 1e-9 * (1.0 + both[0]), kind.c_str());
        QVERIFY(std::abs(sums["nic"][0] - 2.0 * apart) <= 1e-9 * apart);
    }
}

// Each of eight flows takes one of eight spines; where n meet, each gets 45/n GB/s. Eight balls in eight bins leave
// 8·(7/8)^8 = 2.749 empty on average; over 400 seeds the mean is within 0.15 of that (three standard errors).
void TestLinkLoads::hashedFlowsCollide()
{
    const auto expansion = expand(blueprintFromTemplate(parameters(16)).value()).value();
    double idle = 0.0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Fabric fabric(*expansion, constants(), nullptr, {true, 1, seed});
        const LinkLoads loads = loadsOf(fabric, *expansion, kSideBySide);
        std::map<std::size_t, int> flowsOn;
        for (std::int32_t flow = 0; flow < 8; ++flow) {
            const auto shares = uplinksOf(fabric, loads, flow);
            QCOMPARE(shares.size(), std::size_t{1});
            QCOMPARE(shares.begin()->second, 1.0);
            ++flowsOn[shares.begin()->first];
        }
        idle += 8.0 - static_cast<double>(flowsOn.size());
        Phase phase(fabric, *expansion);
        for (std::size_t i = 0; i < kSideBySide.size(); ++i) phase.add(static_cast<std::int32_t>(i), kSideBySide[i].first, kSideBySide[i].second);
        const auto rates = phase.solve(8);
        for (std::int32_t flow = 0; flow < 8; ++flow) {
            const int together = flowsOn[uplinksOf(fabric, loads, flow).begin()->first];
            QVERIFY(std::abs(rates[static_cast<std::size_t>(flow)].networkBytesPerS - 45e9 / together) <= 1.0);
        }
    }
    QVERIFY(std::abs(idle / 400.0 - 2.749) < 0.15);
}

// Sixteen paths: sixteenths that sum to the flow; the slowest of eight flows collides less than with one.
void TestLinkLoads::hashedFlowsOfSeveralPaths()
{
    const auto expansion = expand(blueprintFromTemplate(parameters(16)).value()).value();
    double slowest[2] = {0.0, 0.0};
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        for (const std::int32_t paths : {1, 16}) {
            Fabric fabric(*expansion, constants(), nullptr, {true, paths, seed});
            const LinkLoads loads = loadsOf(fabric, *expansion, kSideBySide);
            for (std::int32_t flow = 0; flow < 8; ++flow) {
                double sum = 0.0;
                for (const auto &[link, share] : uplinksOf(fabric, loads, flow)) {
                    QCOMPARE(share * paths, std::round(share * paths));
                    sum += share;
                }
                QCOMPARE(sum, 1.0);
            }
            Phase phase(fabric, *expansion);
            for (const auto &[from, to] : kSideBySide) phase.add(0, from, to);
            const double rate = phase.solve(1)[0].networkBytesPerS;
            QVERIFY(rate <= 45e9 * (1.0 + 1e-9));
            slowest[paths == 1 ? 0 : 1] += rate;
        }
    QVERIFY(slowest[1] > 1.3 * slowest[0]);
}

void TestLinkLoads::aDeadCableMovesOnlyItsFlows()
{
    const auto expansion = expand(blueprintFromTemplate(parameters(16)).value()).value();
    Degrees d;
    d.data = 16;
    d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    Perturbation dead;
    dead.kind = PerturbationKind::DeadLink;
    dead.target = "pod.0/rack.0/leaf.0";
    dead.link.domain = LinkDomain::Uplink;
    dead.link.to = "pod.0/spine.3";
    const auto state = linkState({dead}, *expansion, place(d, *expansion, 8, 8));
    QVERIFY(state.ok());
    int moved = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Fabric before(*expansion, constants(), nullptr, {true, 2, seed}), after(*expansion, constants(), &state.value(), {true, 2, seed});
        const LinkLoads then = loadsOf(before, *expansion, kSideBySide), now = loadsOf(after, *expansion, kSideBySide);
        for (std::int32_t flow = 0; flow < 8; ++flow) {
            const auto old = uplinksOf(before, then, flow), fresh = uplinksOf(after, now, flow);
            bool crossed = false;
            for (const auto &[link, share] : old) crossed = crossed || after.capacities()[link] == 0.0;
            for (const auto &[link, share] : fresh) QVERIFY(after.capacities()[link] > 0.0);
            QCOMPARE(old != fresh, crossed);
            moved += crossed ? 1 : 0;
        }
    }
    QVERIFY(moved > 20);
}

// Max-min shares scale with the capacities; times two is exact in binary.
void TestLinkLoads::doubledCapacitiesDoubleAllRates()
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        ClusterParameters p = parameters(64 * static_cast<std::int64_t>(1 + draw(seed, 1, 2)), draw(seed, 2, 2) == 0 ? "rack" : "rail");
        p.racksPerPod = 4;
        p.podOversubscription = 1.0 + 0.25 * static_cast<double>(draw(seed, 3, 12));
        p.coreOversubscription = 1.0 + 0.25 * static_cast<double>(draw(seed, 4, 24));
        Blueprint blueprint = blueprintFromTemplate(p).value();
        ResolvedScenario scenario;
        scenario.ecmp = {draw(seed, 5, 2) == 0, 1 + static_cast<std::int32_t>(draw(seed, 6, 4)), seed};
        Degrees &d = scenario.degrees;
        d.tensor = std::int64_t{1} << draw(seed, 7, 4);
        d.pipeline = std::int64_t{1} << draw(seed, 8, 3);
        d.data = p.gpus / d.tensor / d.pipeline;
        d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline};
        const auto modelOf = [&] {
            const auto expansion = expand(blueprint).value();
            return networkModel(scenario, *expansion, place(d, *expansion, 8, 8), constants());
        };
        const NetworkModel one = modelOf();
        for (BlueprintLink &link : blueprint.links) link.gbps *= 2.0;
        const NetworkModel two = modelOf();
        for (const GroupPath NetworkModel::*path : {&NetworkModel::tensor, &NetworkModel::data}) {
            QCOMPARE((two.*path).scaleupBytesPerS, 2.0 * (one.*path).scaleupBytesPerS);
            QCOMPARE((two.*path).networkBytesPerS, 2.0 * (one.*path).networkBytesPerS);
            QCOMPARE((two.*path).bottleneck, (one.*path).bottleneck);
        }
        QCOMPARE(two.pipeline.size(), one.pipeline.size());
        for (std::size_t i = 0; i < one.pipeline.size(); ++i) QCOMPARE(two.pipeline[i].bytesPerS, 2.0 * one.pipeline[i].bytesPerS);
    }
}

// Of the flows that degraded links hold, the slowest got no faster, whatever the other flows do. Proof: had it gained,
// another flow on its former bottleneck would have lost and end below it, held by a link where a third one gained and ends
// no higher, and so on to ever lower rates; none of those links is a degraded one, for their flows are not slower.
// Capacity 0.05 to 0.95 of a NIC or of a leaf's uplinks in random clusters.
void TestLinkLoads::noFlowGainsFromTheLinkThatHoldsIt()
{
    int held = 0;
    for (std::uint64_t seed = 1; seed <= 80; ++seed) {
        ClusterParameters p = parameters(64, draw(seed, 2, 2) == 0 ? "rack" : "rail");
        p.racksPerPod = 4;
        p.coreOversubscription = 1.0 + 0.25 * static_cast<double>(draw(seed, 4, 24));
        const auto expansion = expand(blueprintFromTemplate(p).value()).value();
        Degrees d;
        d.data = 64;
        d.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
        Perturbation slow;
        slow.kind = PerturbationKind::DegradedLink;
        slow.link.domain = draw(seed, 5, 2) == 0 ? LinkDomain::Nic : LinkDomain::Uplink;
        slow.link.capacity = 0.05 + 0.01 * static_cast<double>(draw(seed, 6, 91));
        const std::string leaf = p.leaf == "rack" ? "pod.0/rack.1/leaf.0" : "pod.0/leaf.1";
        slow.target = slow.link.domain == LinkDomain::Nic ? "rank:" + std::to_string(draw(seed, 7, 64)) : leaf;
        const auto state = linkState({slow}, *expansion, place(d, *expansion, 8, 8));
        QVERIFY(state.ok());
        const Ecmp ecmp{draw(seed, 8, 2) == 0, 2, seed};
        Fabric before(*expansion, constants(), nullptr, ecmp), after(*expansion, constants(), &state.value(), ecmp);
        Phase then(before, *expansion), now(after, *expansion);
        for (std::int32_t i = 0; i < 120; ++i) {
            const auto number = static_cast<std::uint64_t>(i);
            const auto from = static_cast<GpuIndex>(draw(seed, 100 + 2 * number, 64)), step = static_cast<GpuIndex>(8 + draw(seed, 101 + 2 * number, 48));
            for (Phase *phase : {&then, &now}) phase->add(i, from, (from + step) % 64);
        }
        const auto old = then.solve(120), fresh = now.solve(120);
        std::size_t slowest = 120;
        for (std::size_t i = 0; i < 120; ++i) {
            const std::int32_t graphLink = after.graphLinkOf(fresh[i].limitingLink);
            if (graphLink == kNone || state.value().cause[static_cast<std::size_t>(graphLink)] == kNone) continue;
            if (slowest == 120 || fresh[i].networkBytesPerS < fresh[slowest].networkBytesPerS) slowest = i;
        }
        if (slowest == 120) continue;
        ++held;
        QVERIFY(fresh[slowest].networkBytesPerS <= old[slowest].networkBytesPerS * (1.0 + 1e-9));
    }
    QVERIFY(held > 40);
}

void TestLinkLoads::keysOfTheScenario()
{
    const Catalogue catalogue = loadCatalogue().value();
    const auto resolved = [&](const std::vector<const char *> &edits) {
        std::vector<PointerEdit> parsed;
        for (const char *edit : edits) parsed.push_back(parsePointerEdit(edit).value());
        return readPreset("llama3-8b-64", catalogue, parsed);
    };
    const auto hashed = resolve(resolved({"/cluster/ecmp=\"hash\"", "/cluster/ecmp_paths=16", "/cluster/ecmp_seed=7"}).value(), catalogue);
    QVERIFY((hashed.value().ecmp == Ecmp{true, 16, 7}));
    QVERIFY((resolve(resolved({}).value(), catalogue).value().ecmp == Ecmp{}));
    const auto pointless = resolve(resolved({"/cluster/ecmp_paths=16"}).value(), catalogue);
    QVERIFY(!pointless.ok() && pointless.error().code == ErrorCode::Contradiction);
    QCOMPARE(pointless.error().place.pointer, std::string("/cluster/ecmp_paths"));
    QCOMPARE(resolved({"/cluster/ecmp=\"random\""}).error().place.pointer, std::string("/cluster/ecmp"));
    QCOMPARE(resolved({"/cluster/ecmp=\"hash\"", "/cluster/ecmp_paths=0"}).error().place.pointer, std::string("/cluster/ecmp_paths"));
}

QTEST_APPLESS_MAIN(TestLinkLoads)
#include "tst_link_loads.moc"
