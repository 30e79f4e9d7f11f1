// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/simulate.h"
#include "model/layout/placement.h"
#include "model/scenario/resolve.h"
#include "model/scenario/resolve_parts.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

using namespace clusterbeat;
using test::catalogue;
using test::describe;

/// Where NVLink ends, and how many GPUs stand there so that a job may use those that the file names.
class TestScaleupDomain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void endsAtTheServer_data();
    void endsAtTheServer();
    void saidInTheFile();
    void gpusAreThoseOfTheJob_data();
    void gpusAreThoseOfTheJob();
    void tensorGroupsAcrossServersPay();
};

namespace
{

Result<Scenario> scenarioWith(const std::string &cluster, const std::string &layout = R"({"tensor": 1})",
                              qint64 batch = 4096)
{
    return readScenario(R"({"clusterbeat": 1, "model": {"layers": 4, "hidden": 4096, "heads": 32, "vocab": 32000},
        "training": {"sequence_length": 4096, "global_batch": )" + std::to_string(batch) +
                            R"(}, "layout": )" + layout + R"(, "cluster": )" + cluster + "}",
                        catalogue());
}

ClusterParameters resolved(const std::string &cluster, qint64 batch = 4096)
{
    const auto scenario = scenarioWith(cluster, R"({"tensor": 1})", batch);
    if (!scenario.ok()) qFatal("the scenario is wrong");
    const auto result = resolve(scenario.value(), catalogue());
    if (!result.ok()) qFatal("the scenario is refused");
    return result.value().cluster;
}

} // namespace

// HGX boards have 8, other servers 2, 4 or 16 (DGX-2, a2-megagpu-16g); racks of NVL72, NVL32 and supernodes go on
// whatever the server's size.
void TestScaleupDomain::endsAtTheServer_data()
{
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<qint64>("server");
    QTest::addColumn<qint64>("domain");
    for (const char *hgx : {"A100-SXM4-80GB", "H100-SXM5-80GB", "H800-SXM-80GB", "B200-SXM-180GB", "MI250X", "Ascend-910B"})
        for (const qint64 server : {1, 2, 4, 8, 16})
            QTest::newRow(qPrintable(QString::fromLatin1(hgx) + QStringLiteral(" in ") + QString::number(server))) << QString::fromLatin1(hgx) << server << server;
    for (const qint64 server : {2, 4, 8}) {
        QTest::addRow("NVL72 in %d", static_cast<int>(server)) << QStringLiteral("GB200-NVL72") << server << qint64{72};
        QTest::addRow("GH200 in %d", static_cast<int>(server)) << QStringLiteral("GH200") << server << qint64{32};
        QTest::addRow("910C in %d", static_cast<int>(server)) << QStringLiteral("Ascend-910C") << server << qint64{384};
    }
}

void TestScaleupDomain::endsAtTheServer()
{
    QFETCH(const QString, accelerator);
    QFETCH(const qint64, server);
    QFETCH(const qint64, domain);
    const std::string name = accelerator.toStdString();
    const auto cluster = resolved(R"({"accelerator": ")" + name + R"(", "gpus": 64, "gpus_per_server": )" + std::to_string(server) + "}");
    QCOMPARE(cluster.gpusPerServer, server);
    QCOMPARE(cluster.scaleupDomain, domain);
    // The file may say otherwise.
    QCOMPARE(resolved(R"({"accelerator": ")" + name + R"(", "gpus": 64, "gpus_per_server": 2, "scaleup_domain": 4})").scaleupDomain, 4);
}

// Without gpus_per_server the server follows the domain, as before.
void TestScaleupDomain::saidInTheFile()
{
    QCOMPARE(resolved(R"({"accelerator": "H100-SXM5-80GB", "gpus": 64})").scaleupDomain, 8);
    QCOMPARE(resolved(R"({"accelerator": "H100-SXM5-80GB", "gpus": 64, "scaleup_domain": 4})").gpusPerServer, 4);
    const auto bridge = scenarioWith(R"({"accelerator": {"name": "PCIe pairs", "peak_bf16_tflops": 300, "hbm_gb": 80,
        "hbm_tbytes_per_s": 2, "scaleup_gbytes_per_s": 300, "scaleup_domain": 2, "nic_gbps": 100}, "gpus": 8, "gpus_per_server": 8})");
    QVERIFY(bridge.ok());
    // Bridges join pairs; servers of several domains are not known, and are refused by the keys of the file.
    const auto refused = resolve(bridge.value(), catalogue());
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().place.pointer, std::string("/cluster/scaleup_domain"));
}

// By hand: 256 = 4 x 64 in 4 x 72; 64 and 72 fit one domain; 144 and 216 are whole domains; 576 = 9 x 64; 100 = 64 + 36.
// Domains of 8, 32 or 1 have no rest.
void TestScaleupDomain::gpusAreThoseOfTheJob_data()
{
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<qint64>("gpus");
    QTest::addColumn<qint64>("used");
    QTest::addColumn<qint64>("built");
    const auto row = [](const char *accelerator, qint64 gpus, qint64 used, qint64 built) {
        const QString name = QString::fromLatin1(accelerator);
        QTest::newRow(qPrintable(name + QLatin1Char(' ') + QString::number(gpus))) << name << gpus << used << built;
    };
    for (const char *rack : {"GB200-NVL72", "GB300-NVL72"}) {
        row(rack, 8, 72, 8);
        row(rack, 64, 72, 64);
        row(rack, 72, 72, 72);
        row(rack, 100, 64, 72 + 36);
        row(rack, 128, 64, 144);
        row(rack, 144, 72, 144);
        row(rack, 216, 72, 216);
        row(rack, 256, 64, 288);
        row(rack, 576, 64, 648);
        row(rack, 2496, 64, 39 * 72);
    }
    row("H100-SXM5-80GB", 1000, 8, 1000);
    row("GH200", 64, 32, 64);
    row("Ascend-910C", 768, 256, 3 * 384);
}

void TestScaleupDomain::gpusAreThoseOfTheJob()
{
    QFETCH(const QString, accelerator);
    QFETCH(const qint64, gpus);
    QFETCH(const qint64, used);
    QFETCH(const qint64, built);
    const ClusterParameters cluster =
        resolved(R"({"accelerator": ")" + accelerator.toStdString() + R"(", "gpus": )" + std::to_string(gpus) + "}", 8 * gpus);
    QCOMPARE(cluster.gpusUsedPerDomain, used);
    QCOMPARE(cluster.gpus, built);
    // The law: what the file names can be used, to the last GPU.
    QCOMPARE(usableGpus(cluster), gpus);
    // What a layout takes does not change what stands there.
    const auto smaller = scenarioWith(R"({"accelerator": ")" + accelerator.toStdString() + R"(", "gpus": )" + std::to_string(gpus) + "}",
                                      R"({"tensor": 1, "data": 8})", 8 * gpus);
    QVERIFY(smaller.ok());
    const auto job = resolve(smaller.value(), catalogue());
    QVERIFY2(job.ok(), job.ok() ? "" : describe(job.error()).c_str());
    QCOMPARE(job.value().cluster.gpus, built);
}

// Tensor groups of 8 fit a server of 8; in servers of 4 they cross the network, which is slower (450 GB/s against 50).
void TestScaleupDomain::tensorGroupsAcrossServersPay()
{
    const auto iteration = [](int server) {
        const auto scenario = scenarioWith(R"({"accelerator": "H100-SXM5-80GB", "gpus": 64, "gpus_per_server": )" +
                                               std::to_string(server) + "}",
                                           R"({"tensor": 8})");
        StageCache cache;
        const SimulationOutcome outcome = simulate(scenario.value(), catalogue(), cache);
        return outcome.result ? outcome.result->iteration() : TimeNs{0};
    };
    QVERIFY(iteration(8) > 0);
    QVERIFY(iteration(4) > iteration(8) * 11 / 10);
    QVERIFY(iteration(2) >= iteration(4));
    // Sixteen on one network are no slower than two servers of eight.
    QVERIFY(iteration(16) <= iteration(8));
}

QTEST_APPLESS_MAIN(TestScaleupDomain)
#include "tst_scaleup_domain.moc"
