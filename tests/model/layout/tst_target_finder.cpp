// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Long lists of targets are looked up in an index: the answers, and the errors, are those of one by one.
#include "model/layout/target_finder.h"
#include "model/cluster/templates.h"
#include "model/network/link_state.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

struct Cluster {
    std::shared_ptr<const Expansion> expansion;
    Placement placement;
};
Cluster cluster()
{
    ClusterParameters parameters;
    parameters.templateName = "clos-rail";
    parameters.gpus = 64, parameters.gpusPerServer = 8, parameters.scaleupDomain = 8;
    parameters.nicGbps = 400, parameters.scaleupGbytesPerS = 450;
    parameters.serversPerRack = 2, parameters.racksPerPod = 2;
    parameters.leaf = "rack";
    Cluster c;
    c.expansion = expand(blueprintFromTemplate(parameters).value()).value();
    Degrees degrees;
    degrees.tensor = 8, degrees.pipeline = 2, degrees.data = 3;
    c.placement = place(degrees, *c.expansion, 8, 8);
    return c;
}

/// Right and wrong ones of every form.
std::string target(Draws &draw)
{
    const auto n = [&](std::int64_t most) { return std::to_string(draw.whole(0, most)); };
    switch (draw.whole(0, 10)) {
    case 0: return "rank:" + n(60);
    case 1: return "stage:" + n(2) + " replica:" + n(3);
    case 2: return "random:" + n(20) + " seed:" + n(3);
    case 3: return "pod." + n(2) + "/rack." + n(2) + "/server." + n(2) + "/gpu." + n(8);
    case 4: return "pod." + n(2) + "/rack." + n(2) + (draw.once(2) ? "/**" : "");
    case 5: return "gpu." + n(8);
    case 6: return "rack." + n(2) + "/server." + n(2);
    case 7: return "pod." + n(2) + "/rack." + n(2) + "/leaf." + n(1);
    case 8: return "pod." + n(2) + "/spine." + n(3);
    case 9: return "server.1/gpu." + n(8) + (draw.once(3) ? "/**" : "");
    default: return draw.once(2) ? "**" : "nowhere";
    }
}

} // namespace

class TestTargetFinder final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void gpusAsOneByOne();
    void linksAsOneByOne();
};

void TestTargetFinder::gpusAsOneByOne()
{
    const Cluster c = cluster();
    Draws draw(5);
    TargetFinder finder(*c.expansion, c.placement);
    int found = 0;
    for (int i = 0; i < 4000; ++i) {
        const std::string name = target(draw);
        const auto one = gpusOfTarget(*c.expansion, c.placement, name);
        const auto many = finder.find(name);
        QCOMPARE(many.ok(), one.ok());
        if (!one.ok()) continue;
        ++found;
        QVERIFY2(*many.value() == one.value(), name.c_str());
    }
    QVERIFY(found > 1000);
}

// A list of forty, the first nine without effect to have the index made: what comes out for each link is the product of
// what linksOfTarget() says of each entry.
void TestTargetFinder::linksAsOneByOne()
{
    const Cluster c = cluster();
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 300; ++seed) {
        Draws draw(seed);
        PerturbationList list;
        std::vector<double> capacity(static_cast<std::size_t>(c.expansion->edgeCount), 1.0);
        for (int i = 0; i < 40; ++i) {
            Perturbation each;
            each.kind = PerturbationKind::DegradedLink;
            each.target = i < 9 ? "rank:0" : target(draw);
            each.link.domain = i < 9 ? LinkDomain::Nic : draw.of(std::array{LinkDomain::NvLink, LinkDomain::Pcie, LinkDomain::Nic, LinkDomain::Uplink});
            each.link.capacity = i < 9 ? 1.0 : draw.real(0.5, 0.99);
            if (i >= 9 && draw.once(3)) each.link.to = target(draw);
            const auto links = linksOfTarget(*c.expansion, c.placement, each.target, each.link.domain, each.link.to);
            if (!links.ok()) continue;
            for (const TargetLink &link : links.value()) {
                double &own = capacity[static_cast<std::size_t>(link.link)];
                own = std::max(own * each.link.capacity, 1e-4);
            }
            list.push_back(std::move(each));
        }
        const auto state = linkState(list, *c.expansion, c.placement);
        QVERIFY(state.ok());
        if (state.value().nominal()) continue;
        ++compared;
        QVERIFY(state.value().capacity == capacity);
    }
    QVERIFY(compared > 250);
}

QTEST_APPLESS_MAIN(TestTargetFinder)
#include "tst_target_finder.moc"
