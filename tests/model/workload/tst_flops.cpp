// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/flops.h"
#include "model/workload/parameters.h"
#include "tests/model/workload/workload_fixture.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace {

TrainingSection training(std::int64_t sequence, RecomputeMode recompute = RecomputeMode::None, bool causal = true)
{
    TrainingSection t;
    t.sequenceLength = sequence;
    t.causalAttention = causal;
    t.recompute = Recompute{recompute, 0, {}};
    return t;
}

} // namespace

class TestFlops : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void llama405bByHand();
    void megatronFormula_data();
    void megatronFormula();
    void conventions();
    void slidingWindow();
    void deepSeekV3();
};

// A layer: Q and O 2 x 16384 x 16384, K and V 2 x 16384 x 1024, MLP 3 x 16384 x 53248: 3,187,671,040. Times 126, plus
// the output layer 128256 x 16384 = 2,101,346,304: N = 403,747,897,344. With the input embedding and 253 norms of
// 16384: 405,853,388,800 in all, the "405B".
void TestFlops::llama405bByHand()
{
    const ModelFlops flops = modelFlops(llama405b(), training(8192));
    QCOMPARE(flops.activeParameters, 403747897344.0);
    QCOMPARE(flops.parameters, 405853388800.0);
    QCOMPARE(flops.perTokenNoAttention, 6.0 * 403747897344.0);
    // Causal attention: 6 x 126 x 16384 x 8192.
    QCOMPARE(flops.perTokenCausal, 6.0 * 403747897344.0 + 6.0 * 126 * 16384 * 8192);
    QCOMPARE(flops.perTokenNoncausal, 6.0 * 403747897344.0 + 12.0 * 126 * 16384 * 8192);
    QCOMPARE(flops.perTokenHardware, flops.perTokenCausal);
}

// Narayanan et al. 2021, eq. 3, per token and with full recompute: 96 L h^2 (1 + s/6h + V/16Lh); without recompute
// 72 L h^2 (1 + s/6h + V/12Lh). Non-causal attention, GPT with f = 4h.
void TestFlops::megatronFormula_data()
{
    QTest::addColumn<qint64>("layers");
    QTest::addColumn<qint64>("hidden");
    QTest::addColumn<qint64>("heads");
    QTest::newRow("22B") << qint64{48} << qint64{6144} << qint64{64};
    QTest::newRow("175B") << qint64{96} << qint64{12288} << qint64{96};
    QTest::newRow("1T") << qint64{128} << qint64{25600} << qint64{160};
}

void TestFlops::megatronFormula()
{
    QFETCH(qint64, layers);
    QFETCH(qint64, hidden);
    QFETCH(qint64, heads);
    const double L = static_cast<double>(layers);
    const double h = static_cast<double>(hidden);
    const double s = 2048;
    const double V = 51200;
    const ModelSection model = modelOf(layers, hidden, 4 * hidden, heads, heads, hidden / heads, 51200, false);
    const ModelFlops full = modelFlops(model, training(2048, RecomputeMode::Full, false));
    QVERIFY(near(full.perTokenHardware, 96 * L * h * h * (1 + s / (6 * h) + V / (16 * L * h)), 1e-12));
    QVERIFY(near(full.perTokenNoncausal, 72 * L * h * h * (1 + s / (6 * h) + V / (12 * L * h)), 1e-12));
}

// Korthikanti et al. 2022, eq. 9: selective recompute adds one forward of the attention core, 4 L s h per token
// (non-causal), to eq. 7; layers of recompute count per stage: 2 of 12 on each of 4 stages of 48 layers are a sixth.
void TestFlops::conventions()
{
    const ModelSection model = gpt22b();
    const ModelFlops selective = modelFlops(model, training(2048, RecomputeMode::Selective, false));
    QVERIFY(near(selective.perTokenHardware - selective.perTokenNoncausal, 4.0 * 48 * 2048 * 6144, 1e-9));
    TrainingSection partial = training(2048, RecomputeMode::Layers, false);
    partial.recompute->layers = 2;
    const ModelFlops layers = modelFlops(model, partial, 4);
    const double forward = 2.0 * 48 * 12 * 6144.0 * 6144 + 4.0 * 48 * 2048 * 6144;
    QVERIFY(near(layers.perTokenHardware - layers.perTokenNoncausal, forward / 6.0, 1e-9));
}

// A window of 128 behind each query of 1024: 128/1024 − (128/1024)²/2 = 0.1171875 of the scores; on every other layer
// the mean with causal 0.5 is 0.30859375.
void TestFlops::slidingWindow()
{
    ModelSection model = gpt22b();
    const double core = 3.0 * 4.0 * 48 * 6144 * 1024;
    model.attentionWindow = AttentionWindow{128, 1};
    ModelFlops flops = modelFlops(model, training(1024));
    QVERIFY(near(flops.perTokenCausal - flops.perTokenNoAttention, core * 0.1171875, 1e-12));
    model.attentionWindow = AttentionWindow{128, 2};
    flops = modelFlops(model, training(1024));
    QVERIFY(near(flops.perTokenCausal - flops.perTokenNoAttention, core * 0.30859375, 1e-12));
    // Of 48 layers five of six are windowed: (40 x 0.1171875 + 8 x 0.5) / 48 = 0.18098958...
    model.attentionWindow = AttentionWindow{128, 1, 6};
    flops = modelFlops(model, training(1024));
    QVERIFY(near(flops.perTokenCausal - flops.perTokenNoAttention, core * (40 * 0.1171875 + 8 * 0.5) / 48, 1e-12));
    QVERIFY(isWindowed(model, 0) && isWindowed(model, 4) && !isWindowed(model, 5) && isWindowed(model, 6) && !isWindowed(model, 47));
    // All but the first, the fourth and the last: 45 of 48.
    model.attentionWindow = AttentionWindow{128, 1, 0, {0, 3, 47}};
    flops = modelFlops(model, training(1024));
    QVERIFY(near(flops.perTokenCausal - flops.perTokenNoAttention, core * (45 * 0.1171875 + 3 * 0.5) / 48, 1e-12));
    QVERIFY(!isWindowed(model, 0) && isWindowed(model, 1) && !isWindowed(model, 3) && !isWindowed(model, 47));
}

// DeepSeek-AI 2024: 671B parameters, 37B active. Its figures count the multi-token module apart and embed 129,280
// words.
void TestFlops::deepSeekV3()
{
    ModelSection model = modelOf(61, 7168, 18432, 128, 128, 128, 129280, true);
    model.moe = MoeShape{256, 8, 1, 2048, 3, 1};
    model.mla = MlaShape{1536, 512, 128, 64, 128};
    const ModelFlops flops = modelFlops(model, training(4096));
    QVERIFY(near(flops.parameters, 671e9, 0.002));
    // Active as printed includes both vocabulary matrices; ours only the output layer.
    QVERIFY(near(flops.activeParameters + 129280.0 * 7168, 37.5e9, 0.02));
}

QTEST_APPLESS_MAIN(TestFlops)
#include "tst_flops.moc"
