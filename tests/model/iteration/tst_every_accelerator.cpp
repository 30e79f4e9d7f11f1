// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/simulate.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"
#include "model/workload/rates.h"

#include <QtTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

using namespace clusterbeat;

namespace
{

const Catalogue &catalogue()
{
    static const Catalogue loaded = [] {
        auto result = loadCatalogue();
        if (!result.ok()) qFatal("the catalogue does not load");
        return std::move(result).value();
    }();
    return loaded;
}

/// Llama 3 8B on 64 accelerators; those without a NIC of their own get 400 Gb/s.
Scenario scenarioOn(const Accelerator &gpu, const std::string &more)
{
    const std::string nic = gpu.nicGbps > 0.0 ? "" : R"(, "nic_gbps_per_gpu": 400)";
    const auto read = readScenario(
        R"({"clusterbeat": 1,
            "model": {"layers": 32, "hidden": 4096, "ffn_hidden": 14336, "heads": 32, "kv_heads": 8, "vocab": 128256},
            "training": {"sequence_length": 4096, "global_batch": 256, "recompute": "full")" +
            more + R"(}, "cluster": {"gpus": 64, "accelerator": ")" + gpu.name + "\"" + nic + "}}",
        catalogue());
    if (!read.ok()) qFatal("the scenario is wrong");
    return read.value();
}

} // namespace

/// Every accelerator of the catalogue runs in every precision that it has, within what its peaks allow.
class TestEveryAccelerator : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void precisions_data();
    void precisions();
    void rankOrders_data();
    void rankOrders();
};

void TestEveryAccelerator::precisions_data()
{
    QTest::addColumn<int>("accelerator");
    QTest::addColumn<QString>("precision");
    QTest::addColumn<double>("peak");
    for (std::size_t i = 0; i < catalogue().accelerators.size(); ++i) {
        const Accelerator &gpu = catalogue().accelerators[i];
        const auto row = [&](const char *precision, double peak) {
            QTest::addRow("%s %s", gpu.name.c_str(), precision) << static_cast<int>(i) << QString::fromLatin1(precision)
                                                                << peak;
        };
        row("bf16", gpu.peakBf16Tflops);
        row("fp16", gpu.peakBf16Tflops);
        if (gpu.peakFp8Tflops) row("fp8", *gpu.peakFp8Tflops);
        if (gpu.peakFp4Tflops) row("fp4", *gpu.peakFp4Tflops);
    }
}

// With full recompute the device executes at least as many matmul FLOPs as HFU counts, and none faster than the
// sustained matmul rate of the precision or of attention, whichever is the higher. From below: no published run of 8
// billion parameters in 16 bits comes out under a tenth of the peak, in narrow types under a fiftieth.
void TestEveryAccelerator::precisions()
{
    QFETCH(int, accelerator);
    QFETCH(QString, precision);
    QFETCH(double, peak);
    const Accelerator &gpu = catalogue().accelerators[static_cast<std::size_t>(accelerator)];
    const Scenario scenario = scenarioOn(gpu, R"(, "precision": ")" + precision.toStdString() + "\"");
    const auto resolved = resolve(scenario, catalogue());
    QVERIFY(resolved.ok());
    const GpuRates rates = gpuRates(resolved.value(), catalogue().constants);
    StageCache cache;
    const SimulationOutcome outcome = simulate(scenario, catalogue(), cache);
    QVERIFY(outcome.result);
    const Metrics &metrics = outcome.result->metrics;
    const double most = std::max(rates.matmul.flopsPerS, rates.attention.forwardFlopsPerS) / (peak * 1e12);
    QVERIFY2(metrics.hfu < most && most < 1.0, qPrintable(QString::number(metrics.hfu)));
    const bool narrow = precision.startsWith(QLatin1String("fp8")) || precision.startsWith(QLatin1String("fp4"));
    QVERIFY2(metrics.mfu > (narrow ? 0.02 : 0.1), qPrintable(QString::number(metrics.mfu)));
    double sum = 0.0;
    for (const double part : metrics.breakdownS)
        sum += part;
    QVERIFY(std::abs(sum - metrics.iterationS) < 1e-9 * metrics.iterationS);
}

void TestEveryAccelerator::rankOrders_data()
{
    QTest::addColumn<int>("accelerator");
    for (std::size_t i = 0; i < catalogue().accelerators.size(); ++i)
        QTest::newRow(catalogue().accelerators[i].name.c_str()) << static_cast<int>(i);
}

// TP 4 x CP 2 x PP 2 x DP 4 with each dimension innermost once: where the ranks sit changes what waits for the network
// and not a nanosecond of the forward; a backward hides collectives, which slow it. Tensor ranks next to each other are never slower than 16 apart: a link inside the
// domain is at least as fast as the network.
void TestEveryAccelerator::rankOrders()
{
    QFETCH(int, accelerator);
    Scenario scenario =
        scenarioOn(catalogue().accelerators[static_cast<std::size_t>(accelerator)], std::string());
    const std::array<std::array<Dimension, 5>, 5> orders{
        {{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline},
         {Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline, Dimension::Tensor},
         {Dimension::Expert, Dimension::Data, Dimension::Pipeline, Dimension::Tensor, Dimension::Context},
         {Dimension::Data, Dimension::Pipeline, Dimension::Tensor, Dimension::Context, Dimension::Expert},
         {Dimension::Pipeline, Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data}}};
    std::vector<Metrics> all;
    StageCache cache;
    for (const auto &order : orders) {
        LayoutSection layout;
        layout.tensor = 4, layout.context = 2, layout.pipeline = 2, layout.data = 4;
        layout.order = order;
        scenario.layout = std::make_shared<const LayoutSection>(layout);
        const SimulationOutcome outcome = simulate(scenario, catalogue(), cache);
        QVERIFY(outcome.result);
        all.push_back(outcome.result->metrics);
        const auto of = [&](Category category) {
            return all.back().breakdownS[static_cast<std::size_t>(category)] -
                   all.front().breakdownS[static_cast<std::size_t>(category)];
        };
        for (const Category compute : {Category::Forward, Category::Recompute})
            QCOMPARE(of(compute), 0.0);
    }
    QVERIFY(all[0].iterationS <= all[1].iterationS);
    QVERIFY(all[0].breakdownS[static_cast<std::size_t>(Category::ExposedTp)] <=
            all[1].breakdownS[static_cast<std::size_t>(Category::ExposedTp)]);
}

QTEST_APPLESS_MAIN(TestEveryAccelerator)
#include "tst_every_accelerator.moc"
