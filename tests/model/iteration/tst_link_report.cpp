// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/link_report.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>

using namespace clusterbeat;

namespace {

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

/// Eight servers of eight H100 with one NIC a GPU under one pod's rails.
std::shared_ptr<const IterationResult> run(const std::vector<const char *> &edits, const char *preset = "llama3-8b-64")
{
    std::vector<PointerEdit> parsed;
    for (const char *edit : edits) parsed.push_back(parsePointerEdit(edit).value());
    const auto scenario = readPreset(preset, catalogue(), parsed);
    if (!scenario.ok()) qFatal("%s", scenario.error().place.pointer.c_str());
    StageCache cache;
    const auto outcome = simulate(scenario.value(), catalogue(), cache);
    if (!outcome.result) qFatal("%s", outcome.error->place.pointer.c_str());
    return outcome.result;
}
LinkReport reportOf(const IterationResult &result) { return linkReport(result, catalogue().constants); }

double bytesOn(const LinkReport &report, const char *kind, Dimension dimension)
{
    for (const LinkReport::Kind &each : report.kinds)
        if (each.kind == kind) return each.usage.byDimension[static_cast<std::size_t>(dimension)];
    return 0.0;
}
double bytesPerGpu(const IterationResult &result, Dimension dimension)
{
    for (const DimensionReport &report : result.communication)
        if (report.dimension == dimension) return report.bytesPerGpu;
    return 0.0;
}
bool near(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

} // namespace

class TestLinkReport final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ringsOfEveryDimension();
    void membersOfADomainShareARing();
    void transfersCrossTheirBoundaries();
    void expertsInsideAndAcross();
    void shardGroupsStayInTheirServer();
    void keysAndValuesAroundARing();
    void timeAddsUp();
    void oneDimensionNeverPassesTheCapacity();
    void aDegradedLinkIsTheBottleneck();
    void podsShareTheLoad();
    void aLinkLeadsToAGpu();
    void namesAndKeys();
};

// TP 8 inside the servers, DP 8 across them. One tensor rank's ring step moves S (n-1)/n of S = 2·tokens·hidden bytes; two
// blocks in each of 32 layers, two collectives a block forward and two or, deferred, three backward; all out of one NVLink
// and into another. The data ring of 8 servers: (n-1)/n of the gradients and of the gathered weights out of each NIC
// and into each, over PCI Express as well; no leaf is left, for each rail has one.
void TestLinkReport::ringsOfEveryDimension()
{
    const auto result = run({"/layout/tensor=8", "/layout/data=8", "/layout/pipeline=1"});
    const LinkReport report = reportOf(*result);
    const ResolvedScenario &s = *result->scenario;
    const double step = 2.0 * static_cast<double>(s.training.sequenceLength * s.training.microBatch * s.model.hidden) * 7.0 / 8.0;
    const double collectives = 32.0 * 2.0 * (s.software.tensorDeferred ? 5.0 : 4.0) * static_cast<double>(s.microBatches);
    QVERIFY(s.degrees.sequenceParallel);
    QVERIFY(near(bytesOn(report, "nvlink", Dimension::Tensor), 2.0 * 64.0 * collectives * step));
    QVERIFY(near(bytesOn(report, "nvlink", Dimension::Tensor), 2.0 * 64.0 * bytesPerGpu(*result, Dimension::Tensor)));
    for (const char *kind : {"nic", "pcie"})
        QVERIFY(near(bytesOn(report, kind, Dimension::Data), 2.0 * 64.0 * bytesPerGpu(*result, Dimension::Data)));
    QCOMPARE(bytesOn(report, "nvlink", Dimension::Data), 0.0);
    QCOMPARE(bytesOn(report, "nic", Dimension::Tensor), 0.0);
    QCOMPARE(bytesOn(report, "leaf-spine", Dimension::Data), 0.0);
    for (const LinkReport::Kind &kind : report.kinds)
        if (kind.kind == "nic") {
            QCOMPARE(kind.links, 128);
            QVERIFY(near(kind.busiestBytes, bytesPerGpu(*result, Dimension::Data)));
        }
}

// TP 2, DP 32: four members of a data group in each of eight servers, so four rings side by side: each NIC carries a
// quarter of the 31/32 of the buffer, each NVLink the three rings of four that do not leave the server there.
void TestLinkReport::membersOfADomainShareARing()
{
    const auto result = run({"/layout/tensor=2", "/layout/data=32", "/layout/pipeline=1"});
    const LinkReport report = reportOf(*result);
    const double volume = bytesPerGpu(*result, Dimension::Data);
    QVERIFY(near(bytesOn(report, "nic", Dimension::Data), 2.0 * 64.0 * volume / 4.0));
    QVERIFY(near(bytesOn(report, "nvlink", Dimension::Data), 2.0 * 64.0 * volume * 3.0 / 4.0));
}

// TP 8, four stages, two replicas: each server is one stage of one replica. Every micro-batch passes three boundaries
// forward and three backward, as 2·tokens·hidden bytes in eight parts; out of one NIC and into another.
void TestLinkReport::transfersCrossTheirBoundaries()
{
    const auto result = run({"/layout/tensor=8", "/layout/data=2", "/layout/pipeline=4"});
    const LinkReport report = reportOf(*result);
    const ResolvedScenario &s = *result->scenario;
    const double whole = 2.0 * static_cast<double>(s.training.sequenceLength * s.training.microBatch * s.model.hidden);
    QVERIFY(near(bytesOn(report, "nic", Dimension::Pipeline), 2.0 * 2.0 * 6.0 * static_cast<double>(s.microBatches) * whole));
    QCOMPARE(bytesOn(report, "nvlink", Dimension::Pipeline), 0.0);
}

// Eight experts over two servers: what stays in the server goes over NVLink, the rest through the NIC; together what each
// GPU sends.
void TestLinkReport::expertsInsideAndAcross()
{
    const auto result = run({"/model/moe={\"experts\":8,\"top_k\":2,\"expert_ffn_hidden\":14336}", "/layout/tensor=1", "/layout/data=64", "/layout/pipeline=1", "/layout/expert=8"});
    const LinkReport inside = reportOf(*result);
    QCOMPARE(bytesOn(inside, "nic", Dimension::Expert), 0.0);
    QVERIFY(near(bytesOn(inside, "nvlink", Dimension::Expert), 2.0 * 64.0 * bytesPerGpu(*result, Dimension::Expert)));

    const auto wide = run({"/model/moe={\"experts\":8,\"top_k\":2,\"expert_ffn_hidden\":14336}", "/layout/tensor=1", "/layout/data=64", "/layout/pipeline=1", "/layout/expert=8",
                           "/cluster/gpus_per_server=4", "/cluster/scaleup_domain=4"});
    const LinkReport across = reportOf(*wide);
    const double nic = bytesOn(across, "nic", Dimension::Expert), nvlink = bytesOn(across, "nvlink", Dimension::Expert);
    QVERIFY(nic > 0.0 && nvlink > 0.0);
    QVERIFY(near(nic + nvlink, 2.0 * 64.0 * bytesPerGpu(*wide, Dimension::Expert)));
}

// Pods of 16 GPUs: four of them with the same number of equal links, so the mean of their means is that of the kind. With
// TP 8, PP 2, DP 2 on 64 GPUs of which 32 have ranks, the other pods' links carry nothing and the first two all of it.
void TestLinkReport::podsShareTheLoad()
{
    const std::vector<const char *> pods{"/cluster/servers_per_rack=1", "/cluster/racks_per_pod=2", "/layout/tensor=8", "/layout/pipeline=2"};
    std::vector<const char *> whole = pods, half = pods;
    whole.push_back("/layout/data=4");
    half.push_back("/layout/data=2");
    for (const LinkReport &report : {reportOf(*run(whole)), reportOf(*run(half))})
        for (const LinkReport::Kind &kind : report.kinds) {
            QCOMPARE(kind.meanOfPod.size(), 4U);
            const double sum = std::accumulate(kind.meanOfPod.begin(), kind.meanOfPod.end(), 0.0);
            QVERIFY2(std::abs(sum / 4.0 - kind.usage.mean) <= 1e-12, kind.kind.c_str());
        }
    const auto halfFull = reportOf(*run(half));
    for (const LinkReport::Kind &kind : halfFull.kinds) {
        if (kind.kind != "nvlink" && kind.kind != "nic") continue;
        QVERIFY(kind.meanOfPod[0] > 0.0 && kind.meanOfPod[1] > 0.0);
        QCOMPARE(kind.meanOfPod[2], 0.0);
        QCOMPARE(kind.meanOfPod[3], 0.0);
    }
}

// Every link of the list leads to a GPU: its own where it names one, else one of the pod that the link's lower end is in.
void TestLinkReport::aLinkLeadsToAGpu()
{
    const auto result = run({"/cluster/servers_per_rack=1", "/cluster/racks_per_pod=2", "/layout/tensor=8", "/layout/pipeline=2", "/layout/data=4"});
    const LinkReport report = reportOf(*result);
    QVERIFY(!report.busiest.empty());
    for (const LinkReport::Link &link : report.busiest) {
        QVERIFY2(link.gpu >= 0 && link.gpu < result->expansion->gpuCount, link.name.c_str());
        const std::string path = result->expansion->pathOf(link.gpu);
        const std::string pod = path.substr(0, path.find('/'));
        const bool own = link.name.find("/gpu.") != std::string::npos;
        QVERIFY2(link.name.find(own ? path : pod) != std::string::npos, link.name.c_str());
    }
}

// ZeRO-3 in shards of eight, TP 1: a server is a shard group, so weights and gradients stay on NVLink; through the NICs go
// only the sums of each eighth of the gradients over eight servers: 2·7/8 of it, for every micro-batch.
void TestLinkReport::shardGroupsStayInTheirServer()
{
    const auto result = run({"/layout/tensor=1", "/layout/data=64", "/layout/pipeline=1", "/layout/zero_stage=3", "/layout/shard_group=8"});
    const LinkReport report = reportOf(*result);
    const ResolvedScenario &s = *result->scenario;
    QVERIFY(near(bytesOn(report, "nvlink", Dimension::Data), 2.0 * 64.0 * bytesPerGpu(*result, Dimension::Data)));
    // 8,030,261,248 parameters (Llama 3 8B).
    const double gradients = 8'030'261'248.0 * static_cast<double>(*s.training.gradientBytes) * static_cast<double>(s.microBatches);
    QVERIFY(near(bytesOn(report, "nic", Dimension::Data), 2.0 * 64.0 * gradients / 8.0 * 2.0 * 7.0 / 8.0));
}

// CP 16 over two servers of eight: one ring passes both, and only the way from the last GPU of each to the first of the
// other goes through a NIC: on rails the first one's own, reached over NVLink (PXN). With the all-gather's eight rings
// every NIC carries an eighth of that.
void TestLinkReport::keysAndValuesAroundARing()
{
    const std::vector<const char *> edits{"/layout/tensor=1", "/layout/context=16", "/layout/data=4", "/layout/pipeline=1", "/layout/context_exchange=\"ring\""};
    const auto ring = run(edits);
    const double volume = bytesPerGpu(*ring, Dimension::Context);
    QVERIFY(volume > 0.0);
    QVERIFY(near(bytesOn(reportOf(*ring), "nic", Dimension::Context), 2.0 * 8.0 * volume));
    QVERIFY(near(bytesOn(reportOf(*ring), "nvlink", Dimension::Context), 2.0 * 64.0 * volume));
    const auto gather = run({edits.begin(), edits.end() - 1});
    QVERIFY(near(bytesOn(reportOf(*gather), "nic", Dimension::Context), 2.0 * 64.0 * bytesPerGpu(*gather, Dimension::Context) / 8.0));
}

// Bins of one kind average to its mean, and the mean is its bytes over capacity times time: 50 GB/s · 0.9 · 128 links.
void TestLinkReport::timeAddsUp()
{
    const auto result = run({"/layout/tensor=2", "/layout/data=8", "/layout/pipeline=4", "/layout/virtual_pipeline=2",
                             R"(/perturbations/-={"kind":"slow_gpu","target":"rank:5","speed":0.5})"});
    const LinkReport report = reportOf(*result);
    QVERIFY(result->run.trace.classes > 1);
    for (const LinkReport::Kind &kind : report.kinds) {
        double sum = 0.0, bytes = 0.0;
        for (const double share : kind.usage.overTime) sum += share;
        for (const double part : kind.usage.byDimension) bytes += part;
        QVERIFY(std::abs(sum / report.bins - kind.usage.mean) <= 1e-12);
        QVERIFY(std::abs(bytes - kind.usage.bytes) <= 1e-9 * bytes);
        if (kind.kind != "nic") continue;
        const double capacity = 128.0 * 400e9 / 8.0 * catalogue().constants.nicEfficiency;
        QVERIFY(near(kind.usage.mean, kind.usage.bytes / (capacity * toSeconds(result->iteration()))));
    }
    // A perturbation of compute moves bytes in time only.
    const LinkReport nominal = reportOf(*run({"/layout/tensor=2", "/layout/data=8", "/layout/pipeline=4", "/layout/virtual_pipeline=2"}));
    for (std::size_t i = 0; i < nominal.kinds.size(); ++i) QVERIFY(std::abs(nominal.kinds[i].usage.bytes - report.kinds[i].usage.bytes) <= 1e-9 * report.kinds[i].usage.bytes);
}

void TestLinkReport::oneDimensionNeverPassesTheCapacity()
{
    const std::vector<std::vector<const char *>> layouts{
        {"/layout/tensor=8", "/layout/data=8", "/layout/pipeline=1"},
        {"/layout/tensor=1", "/layout/data=64", "/layout/pipeline=1"},
        {"/layout/tensor=1", "/layout/data=64", "/layout/pipeline=1", "/layout/zero_stage=3"},
        {"/layout/tensor=8", "/layout/data=8", "/layout/pipeline=1", "/cluster/leaf=\"rack\"", "/cluster/servers_per_rack=2",
         "/cluster/pod_oversubscription=4"}};
    for (const auto &layout : layouts)
        for (const LinkReport::Kind &kind : reportOf(*run(layout)).kinds) QVERIFY2(kind.usage.peak <= 1.0 + 1e-9, kind.kind.c_str());
}

void TestLinkReport::aDegradedLinkIsTheBottleneck()
{
    const auto result = run({"/layout/tensor=8", "/layout/data=8", "/layout/pipeline=1",
                             R"(/perturbations/-={"kind":"degraded_link","target":"pod.0/rack.0/server.3/gpu.5","link":"nic","capacity":0.25})",
                             R"(/perturbations/-={"kind":"degraded_link","target":"pod.0/rack.1/server.1/gpu.2","link":"nvlink","capacity":0.5})"});
    const LinkReport report = reportOf(*result);
    QCOMPARE(report.bottleneck[static_cast<std::size_t>(Dimension::Data)], std::string("nic of pod.0/rack.0/server.3/gpu.5"));
    QCOMPARE(report.bottleneck[static_cast<std::size_t>(Dimension::Tensor)], std::string("nvlink of pod.0/rack.1/server.1/gpu.2"));
    QCOMPARE(report.bottleneck[static_cast<std::size_t>(Dimension::Pipeline)], std::string());
    // A quarter of the capacity: four times the others' utilisation.
    QCOMPARE(report.busiest.front().name, std::string("nvlink of pod.0/rack.1/server.1/gpu.2 out"));
}

void TestLinkReport::namesAndKeys()
{
    const auto result = run({"/layout/tensor=8", "/layout/data=8", "/layout/pipeline=1"});
    QVERIFY(!nlohmann::json::parse(resultJson(*result)).contains("links"));
    const auto json = nlohmann::json::parse(resultJson(*result, nullptr, &catalogue().constants));
    QCOMPARE(QString::fromStdString(json["communication"]["data"]["bottleneck_link"].get<std::string>()), QStringLiteral("nic of pod.0/rack.0/server.0/gpu.0"));
    const auto &links = json["links"];
    QVERIFY(near(links["bin_s"].get<double>() * kLinkBins, json["iteration_s"].get<double>()));
    QCOMPARE(links["kinds"][0]["kind"].get<std::string>(), std::string("nvlink"));
    QCOMPARE(links["kinds"][1]["busiest"]["link"].get<std::string>(), std::string("pcie of pod.0/rack.0/server.0/gpu.0 out"));
    QCOMPARE(links["kinds"][0]["utilisation"].size(), std::size_t{kLinkBins});
    // Two racks of four servers: 32 · 50 GB/s.
    QCOMPARE(json["cluster"]["bisection"].size(), std::size_t{1});
    QCOMPARE(json["cluster"]["bisection"][0]["tier"].get<std::string>(), std::string("rack"));
    QCOMPARE(json["cluster"]["bisection"][0]["gbytes_per_s_per_gpu"].get<double>(), 50.0);
    // All NVLinks carry the same here.
    QCOMPARE(links["busiest"][0]["link"].get<std::string>(), std::string("nvlink of pod.0/rack.0/server.0/gpu.0 out"));
    QCOMPARE(links["busiest"][0]["alike"].get<int>(), 128);
}

QTEST_APPLESS_MAIN(TestLinkReport)
#include "tst_link_report.moc"
