// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/bridge_recipe.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

SoftwareSection flagsOf(const char *source, const char *model, const char *gpu, Precision precision,
                        std::int64_t pipeline = 1, std::int64_t chunks = 1, std::int64_t expert = 8)
{
    BridgeRun run{source, model, gpu, precision, true, pipeline, chunks, expert};
    SoftwareSection software;
    applyBridgeRecipe(run, software);
    return software;
}

} // namespace

class TestBridgeRecipe : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void release();
    void dispatchers();
    void graphsFromTwentySixSix();
    void denseModels();
};

void TestBridgeRecipe::release()
{
    QCOMPARE(bridgeRelease("NVIDIA Megatron-Bridge performance summary, 26.04 NeMo Container"), std::int64_t{260400});
    QCOMPARE(bridgeRelease("summary, 26.04.01 NeMo Container"), std::int64_t{260401});
    QCOMPARE(bridgeRelease("25.09"), std::int64_t{250900});
    QCOMPARE(bridgeRelease("Megatron-Bridge, 2026"), std::int64_t{0});
    QCOMPARE(bridgeRelease("26."), std::int64_t{0});
}

// The calibration's section 4, sentence by sentence.
void TestBridgeRecipe::dispatchers()
{
    const auto fp8 = Precision::Fp8;
    QCOMPARE(flagsOf("25.11", "Qwen3 30B-A3B", "GB200-NVL72", fp8).moeDispatcher.value(), std::string("hybridep"));
    const SoftwareSection early = flagsOf("25.09", "Qwen3 30B-A3B", "GB200-NVL72", fp8);
    QCOMPARE(early.moeDispatcher.value(), std::string("alltoall"));
    QVERIFY(early.tokenDrop.value());
    const SoftwareSection b300 = flagsOf("26.02", "Qwen3 235B-A22B", "B300-SXM-288GB", fp8, 8, 4);
    QCOMPARE(b300.moeDispatcher.value(), std::string("alltoall"));
    QVERIFY(b300.expertOverlap.value());
    QVERIFY(!flagsOf("26.04", "Qwen3 235B-A22B", "B300-SXM-288GB", fp8, 8, 4).expertOverlap.value_or(false));
    QVERIFY(flagsOf("26.02", "Qwen3 235B-A22B", "H100-SXM5-80GB", fp8).expertOverlap.value());
    QCOMPARE(flagsOf("26.02", "DeepSeek-V3", "H100-SXM5-80GB", fp8).moeDispatcher.value(), std::string("deepep"));
    QVERIFY(flagsOf("26.02", "DeepSeek-V3", "B200-SXM-180GB", fp8, 8, 1, 32).expertOverlap.value());
    QVERIFY(!flagsOf("26.02", "DeepSeek-V3", "B200-SXM-180GB", fp8, 16, 1, 8).expertOverlap.value_or(false));
    const SoftwareSection gptOss = flagsOf("26.02", "GPT-OSS 120B", "GB200-NVL72", Precision::Bf16);
    QCOMPARE(gptOss.moeDispatcher.value(), std::string("alltoall"));
    QVERIFY(!gptOss.expertActivationFused.value());
}

void TestBridgeRecipe::graphsFromTwentySixSix()
{
    const auto graphed = [](const SoftwareSection &s) {
        return s.cudaGraphs == CudaGraphs::Full && s.groupedMatmulFused.value_or(false) &&
               s.expertOverlap.value_or(false);
    };
    const auto fp8 = Precision::Fp8;
    QVERIFY(graphed(flagsOf("26.06", "Qwen3 235B-A22B", "GB300-NVL72", fp8)));
    QVERIFY(!graphed(flagsOf("26.04.01", "Qwen3 235B-A22B", "GB300-NVL72", fp8)));
    QVERIFY(!graphed(flagsOf("26.06", "Qwen3 235B-A22B", "GB300-NVL72", Precision::Bf16)));
    QVERIFY(!graphed(flagsOf("26.06", "Qwen3 30B-A3B", "H100-SXM5-80GB", fp8)));
    QVERIFY(!graphed(flagsOf("26.06", "Kimi K2", "GB300-NVL72", fp8)));
    QVERIFY(!graphed(flagsOf("26.06", "DeepSeek-V3", "B300-SXM-288GB", fp8)));
    QVERIFY(graphed(flagsOf("26.06", "DeepSeek-V3", "GB200-NVL72", fp8)));
}

void TestBridgeRecipe::denseModels()
{
    SoftwareSection llama, hopper;
    applyBridgeRecipe({"26.04", "LLAMA3 8B", "B200-SXM-180GB", Precision::Fp8}, llama);
    QCOMPARE(llama.cudaGraphs.value(), CudaGraphs::Full);
    QVERIFY(!llama.moeDispatcher);
    applyBridgeRecipe({"26.04", "LLAMA3 8B", "H100-SXM5-80GB", Precision::Fp8}, hopper);
    QVERIFY(!hopper.cudaGraphs);
}

QTEST_APPLESS_MAIN(TestBridgeRecipe)
#include "tst_bridge_recipe.moc"
