// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/what_ifs.h"

#include <QTest>

#include <algorithm>

using namespace clusterbeat;

namespace {

const std::string kGpu = "pod.0/rack.1/server.0/gpu.5";

Perturbation of(PerturbationKind kind, bool enabled = true)
{
    Perturbation each;
    each.kind = kind;
    each.enabled = enabled;
    return each;
}

} // namespace

class TestWhatIfs final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Half, then dead, then nominal: one entry that changes its kind in its place, then none; the NVLink, another GPU, one
    // end of a link and other traffic are none of its business.
    void linksOfOneGpu()
    {
        Perturbation nvlink = of(PerturbationKind::DegradedLink), other = nvlink, end = nvlink, traffic = of(PerturbationKind::CompetingTraffic);
        nvlink.target = end.target = traffic.target = kGpu;
        nvlink.link.domain = LinkDomain::NvLink;
        nvlink.link.capacity = other.link.capacity = end.link.capacity = 0.3;
        other.target = "pod.0";
        end.link.to = "pod.0/leaf.1";
        traffic.link.share = 0.2;
        const PerturbationList rest{nvlink, other, end, traffic};
        PerturbationList list = what_ifs::withLinks(rest, kGpu, LinkDomain::Nic, 0.5);
        QCOMPARE(list.size(), std::size_t{5});
        QVERIFY(list.back().kind == PerturbationKind::DegradedLink && list.back().target == kGpu);
        QVERIFY(list.back().link.domain == LinkDomain::Nic && list.back().link.to.empty());
        QCOMPARE(list.back().link.capacity, 0.5);
        std::rotate(list.begin(), list.end() - 1, list.end());
        list = what_ifs::withLinks(std::move(list), kGpu, LinkDomain::Nic, 0.0);
        QCOMPARE(list.size(), std::size_t{5});
        QVERIFY(list.front().kind == PerturbationKind::DeadLink && !list.front().link.cables);
        list = what_ifs::withLinks(std::move(list), kGpu, LinkDomain::Nic, 1.0);
        QVERIFY(list == rest);
    }

    // A latency that somebody wrote stays with another capacity, and goes with the link.
    void latencyStaysWhileTheLinksLive()
    {
        Perturbation slow = of(PerturbationKind::DegradedLink);
        slow.target = kGpu;
        slow.link.capacity = 0.9;
        slow.link.extraLatencyS = 1e-5;
        slow.enabled = false;
        const PerturbationList list = what_ifs::withLinks({slow}, kGpu, LinkDomain::Nic, 0.1);
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front().link.extraLatencyS, 1e-5);
        QCOMPARE(list.front().link.capacity, 0.1);
        QVERIFY(list.front().enabled);
        QCOMPARE(what_ifs::withLinks(list, kGpu, LinkDomain::Nic, 0.0).front().link.extraLatencyS, 0.0);
    }

    // What is switched off comes back with its own figures; off takes every one of the kind, and a checkpoint its storage.
    void kindsOfTheWholeRun()
    {
        Perturbation off = of(PerturbationKind::GcPause, false);
        off.timing.pauseS = 0.7;
        off.timing.everyS = 3.0;
        const Perturbation usual = what_ifs::usual(PerturbationKind::GcPause, 0.4);
        QVERIFY(!what_ifs::isActive({off}, PerturbationKind::GcPause));
        PerturbationList list = what_ifs::withKind({off}, true, usual);
        QVERIFY(what_ifs::isActive(list, PerturbationKind::GcPause));
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front().timing.pauseS, 0.7);
        list.push_back(of(PerturbationKind::Jitter));
        list.push_back(usual);
        list = what_ifs::withKind(std::move(list), false, usual);
        QVERIFY(list == PerturbationList{of(PerturbationKind::Jitter)});
        list = {of(PerturbationKind::Checkpoint), of(PerturbationKind::SlowStorage)};
        QVERIFY(what_ifs::withKind(list, false, of(PerturbationKind::Checkpoint)).empty());
        QCOMPARE(what_ifs::withKind(list, true, of(PerturbationKind::Checkpoint)).size(), std::size_t{2});
    }

    // A loader that needs a quarter more than the share of a micro-batch: 6.34 s / 16 = 0.396 s, times 1.25 = 0.495 s.
    // All of them have an effect.
    void usualFigures()
    {
        QCOMPARE(what_ifs::usual(PerturbationKind::SlowData, 6.34 / 16.0).timing.waitS, 0.495);
        for (const auto kind : {PerturbationKind::Jitter, PerturbationKind::GcPause, PerturbationKind::DocumentImbalance, PerturbationKind::SlowData,
                                PerturbationKind::Checkpoint, PerturbationKind::WarmUp}) {
            const Perturbation usual = what_ifs::usual(kind, 0.4);
            QVERIFY(usual.kind == kind && usual.enabled && usual.target.empty());
            QVERIFY(hasEffect(usual));
        }
    }
};

QTEST_APPLESS_MAIN(TestWhatIfs)
#include "tst_what_ifs.moc"
