// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/resolve.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

#include <numeric>

using namespace clusterbeat;
using test::catalogue;
using test::describe;

namespace
{

using Layers = std::vector<std::int64_t>;

Result<ResolvedScenario> resolvePreset(const char *preset, std::initializer_list<const char *> texts)
{
    std::vector<PointerEdit> edits;
    for (const char *text : texts) {
        auto edit = parsePointerEdit(text);
        if (!edit.ok()) return edit.error();
        edits.push_back(edit.value());
    }
    const auto scenario = readPreset(preset, catalogue(), edits);
    if (!scenario.ok()) return scenario.error();
    return resolve(scenario.value(), catalogue());
}

std::string why(const Result<ResolvedScenario> &result)
{
    return result.ok() ? std::string() : describe(result.error());
}

/// 64 H100, tensor 2, data 32, micro-batch 1, batch 1,024, 32 layers, 32 heads, 8 KV heads.
Result<ResolvedScenario> small(std::initializer_list<const char *> edits)
{
    return resolvePreset("llama3-8b-64", edits);
}

} // namespace

class TestResolve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void llama405b();
    void llama405bOn8192();
    void gpt3();
    void modelDefaults();
    void splits_data();
    void splits();
    void flexibleSplit();
    void interleavedRemainders();
    void schedules();
    void data();
    void domainsOf72();
    void softwareMerge();
    void noEffectNoPerturbation();
    void drawnBlueprint();
    void rules_data();
    void predictionModulesEndTheLayers();
    void rules();
};

// Llama 3 405B: 8 x 16 x 128 = 16,384 ranks, 2,048 / 128 = 16 micro-batches; (126 + 2) / (16 x 8) = 1 layer a chunk,
// where embedding and head fill one each: 0, 126 times 1, 0. Stages 0 and 15 hold 7 layers, the others 8.
void TestResolve::llama405b()
{
    const auto result = resolvePreset("llama3-405b-16k", {});
    QVERIFY2(result.ok(), why(result).c_str());
    const ResolvedScenario &r = result.value();
    QCOMPARE(r.degrees.data, std::int64_t{128});
    QCOMPARE(r.degrees.ranks(), std::int64_t{16384});
    QCOMPARE(r.microBatches, std::int64_t{16});
    Layers expected(128, 1);
    expected.front() = expected.back() = 0;
    QCOMPARE(r.degrees.layersPerChunk, expected);
    for (std::int64_t stage = 0; stage < 16; ++stage) {
        std::int64_t held = 0;
        for (std::int64_t chunk = 0; chunk < 8; ++chunk)
            held += r.degrees.chunkLayers(stage, chunk);
        QCOMPARE(held, stage == 0 || stage == 15 ? std::int64_t{7} : std::int64_t{8});
    }
    QCOMPARE(r.degrees.schedule, ScheduleKind::Interleaved);
    QCOMPARE(r.degrees.zeroStage, std::int64_t{2});
    QVERIFY(r.degrees.sequenceParallel && r.degrees.overlapData && r.degrees.overlapPipeline);
    QCOMPARE(r.degrees.order[3], Dimension::Pipeline);
    QCOMPARE(r.software.attentionKernel, AttentionKernel::Fa2);
    QCOMPARE(r.training.gradientBytes, std::optional<std::int64_t>(4));
    QCOMPARE(r.accelerator.name, std::string("H100-SXM5-80GB"));
    // 2 servers a rack (16 GPUs), 192 racks a pod: 3,072 GPUs; 1:7 above the pods.
    QCOMPARE(r.cluster.serversPerRack * r.cluster.gpusPerServer, std::int64_t{16});
    QCOMPARE(r.cluster.racksPerPod * 16, std::int64_t{3072});
    QCOMPARE(r.cluster.leaf, std::string("rack"));
    QCOMPARE(r.cluster.podOversubscription, 1.0);
    QCOMPARE(r.cluster.coreOversubscription, 7.0);
}

// Half the replicas at the same 2,048 sequences: 2,048 / 64 = 32 micro-batches.
void TestResolve::llama405bOn8192()
{
    const auto result = resolvePreset("llama3-405b-8k", {});
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().degrees.data, std::int64_t{64});
    QCOMPARE(result.value().microBatches, std::int64_t{32});
}

// 1,024 / (8 x 16) = 8 replicas, 1,536 / 8 = 192 micro-batches; 96 / 16 = 6 layers a stage ((96 + 2) / 16 is not
// whole).
void TestResolve::gpt3()
{
    const auto result = resolvePreset("gpt3-175b-1k-a100", {});
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().degrees.data, std::int64_t{8});
    QCOMPARE(result.value().microBatches, std::int64_t{192});
    QCOMPARE(result.value().degrees.layersPerChunk, Layers(16, 6));
    QCOMPARE(result.value().degrees.schedule, ScheduleKind::OneFOneB);
    QVERIFY(!result.value().degrees.sequenceParallel && !result.value().degrees.overlapData);
    QCOMPARE(result.value().training.recompute->mode, RecomputeMode::Full);
}

// 8/3 x 4,096 = 10,922.7, to a multiple of 256: 11,008 (Llama 7B's own width); 4 x 4,096 = 16,384; 4,096 / 32 = 128.
void TestResolve::modelDefaults()
{
    const std::string text =
        R"({"clusterbeat": 1, "model": {"layers": 4, "hidden": 4096, "heads": 32, "vocab": 32000}, "cluster": {"gpus": 8}})";
    auto scenario = readScenario(text, catalogue());
    QVERIFY(scenario.ok());
    const auto gated = resolve(scenario.value(), catalogue());
    QVERIFY2(gated.ok(), why(gated).c_str());
    QCOMPARE(gated.value().model.ffnHidden, std::int64_t{11008});
    QCOMPARE(gated.value().model.kvHeads, std::int64_t{32});
    QCOMPARE(gated.value().model.headDim, std::int64_t{128});
    QCOMPARE(gated.value().degrees.zeroStage, std::int64_t{1});
    QCOMPARE(gated.value().accelerator.name, std::string("H100-SXM5-80GB"));
    QCOMPARE(gated.value().training.recompute->mode, RecomputeMode::None);
    auto plain = std::make_shared<ModelSection>(*scenario.value().model);
    plain->gatedFfn = false;
    scenario.value().model = plain;
    QCOMPARE(resolve(scenario.value(), catalogue()).value().model.ffnHidden, std::int64_t{16384});
}

// Embedding and head count as a layer each where (layers + 2) divides: 34 / 2 = 17, so 16 and 16; 8 / 4 = 2, so 1, 2,
// 2, 1; 12 / 6 = 2. Else even, and the layers left over go to inner chunks in order, then to the first: 32 = 5 x 6 + 2,
// 32 = 3 x 10 + 2. Counted by hand over 4: 34 = 4 x 8 + 2, the ends hold 8 - 1 = 7; 5 + 2 = 4 x 1 + 3, so 0 + 1, 1 + 1,
// 1 + 1 and 0 of its own.
void TestResolve::splits_data()
{
    QTest::addColumn<int>("layers");
    QTest::addColumn<int>("pipeline");
    QTest::addColumn<int>("chunks");
    QTest::addColumn<bool>("counted");
    QTest::addColumn<Layers>("expected");
    QTest::newRow("one stage") << 32 << 1 << 1 << false << Layers{32};
    QTest::newRow("embedding and head divide") << 32 << 2 << 1 << false << Layers{16, 16};
    QTest::newRow("uneven ends") << 6 << 4 << 1 << false << Layers{1, 2, 2, 1};
    QTest::newRow("even") << 32 << 4 << 1 << false << Layers{8, 8, 8, 8};
    QTest::newRow("odd, five") << 32 << 5 << 1 << false << Layers{6, 7, 7, 6, 6};
    QTest::newRow("odd, three") << 32 << 3 << 1 << false << Layers{11, 11, 10};
    QTest::newRow("counted by hand") << 32 << 4 << 1 << true << Layers{7, 9, 9, 7};
    QTest::newRow("interleaved") << 10 << 2 << 3 << false << Layers{1, 2, 2, 2, 2, 1};
    QTest::newRow("fewer layers than chunks") << 5 << 4 << 1 << true << Layers{1, 2, 2, 0};
    QTest::newRow("a layer short") << 3 << 4 << 1 << false << Layers{1, 1, 1, 0};
}

void TestResolve::splits()
{
    QFETCH(int, layers);
    QFETCH(int, pipeline);
    QFETCH(int, chunks);
    QFETCH(bool, counted);
    QFETCH(Layers, expected);
    const auto preset = readPreset("llama3-8b-64", catalogue());
    QVERIFY(preset.ok());
    Scenario scenario = preset.value();
    auto model = std::make_shared<ModelSection>(*scenario.model);
    model->layers = layers;
    scenario.model = model;
    auto layout = std::make_shared<LayoutSection>(*scenario.layout);
    layout->pipeline = pipeline;
    layout->virtualPipeline = chunks;
    layout->data = 1;
    if (counted) layout->embeddingAsLayer = layout->headAsLayer = true;
    scenario.layout = layout;
    const auto result = resolve(scenario, catalogue());
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().degrees.layersPerChunk, expected);
    QCOMPARE(std::accumulate(expected.begin(), expected.end(), std::int64_t{0}), std::int64_t{layers});
}

// An MoE layer of 2 x 4096 x (8192 + 512) weights in attention, 4096 x 128 in the router and 8 x 3 x 4096 x 1536 in the
// experts of a token: 222,822,400. The head's 151936 x 4096, six tenths of it: 1.676 layers. 94 layers and 1.676 over eight
// stages: twelve each, ten beside the head. Over four stages of two chunks 24, 24, 24 and 22: 12 each, and beside the head
// 10.
void TestResolve::flexibleSplit()
{
    const auto qwen = [](const char *pipeline, const char *chunks) {
        return small({"/model/layers=94", "/model/hidden=4096", "/model/heads=64", "/model/kv_heads=4",
                      "/model/head_dim=128", "/model/vocab=151936",
                      "/model/moe={\"experts\":128,\"top_k\":8,\"expert_ffn_hidden\":1536}", "/layout/tensor=1",
                      "/layout/expert=8", "/layout/data=8", pipeline, chunks});
    };
    const auto eight = qwen("/layout/pipeline=8", "/layout/virtual_pipeline=1");
    QVERIFY2(eight.ok(), why(eight).c_str());
    QCOMPARE(eight.value().degrees.layersPerChunk, (Layers{12, 12, 12, 12, 12, 12, 12, 10}));
    const auto four = qwen("/layout/pipeline=4", "/layout/virtual_pipeline=2");
    QVERIFY2(four.ok(), why(four).c_str());
    QCOMPARE(four.value().degrees.layersPerChunk, (Layers{12, 12, 12, 12, 12, 12, 12, 10}));
}

// Interleaved, groups of N micro-batches, N = p unless said: M runs when M mod N is 0 or at least p, as in Megatron-LM
// (schedules.py raises where 0 < M mod N < p). One data rank, so M is the batch. Other schedules take any M.
void TestResolve::interleavedRemainders()
{
    for (const int pipeline : {2, 4})
        for (const int given : {0, 4, 6})
            for (int batch = std::max(1, given); batch <= 26; ++batch) {
                const auto with = [&](const char *schedule, int groupOf) {
                    const std::string tensor = "/layout/tensor=" + std::to_string(8 / pipeline);
                    const std::string stages = "/layout/pipeline=" + std::to_string(pipeline);
                    const std::string size = "/training/global_batch=" + std::to_string(batch);
                    const std::string many = "/layout/micro_batch_group=" + std::to_string(groupOf);
                    return small({tensor.c_str(), "/layout/data=1", stages.c_str(), size.c_str(), schedule,
                                  groupOf > 0 ? many.c_str() : schedule});
                };
                const int group = given > 0 ? given : pipeline, last = batch % group;
                const auto interleaved = with("/layout/virtual_pipeline=2", given);
                QVERIFY2(interleaved.ok() == (last == 0 || last >= pipeline),
                         qPrintable(QStringLiteral("p %1 N %2 M %3").arg(pipeline).arg(given).arg(batch)));
                if (!interleaved.ok())
                    QCOMPARE(interleaved.error().place.pointer,
                             std::string(given > 0 ? "/layout/micro_batch_group" : "/training/global_batch"));
                QVERIFY(with("/layout/schedule=1f1b", 0).ok());
            }
}

void TestResolve::schedules()
{
    // 34 / 2 = 17 chunks of one layer, embedding and head in chunks of their own.
    const auto most = small({"/layout/pipeline=2", "/layout/virtual_pipeline=max"});
    QVERIFY2(most.ok(), why(most).c_str());
    QCOMPARE(most.value().degrees.virtualPipeline, std::int64_t{17});
    QCOMPARE(most.value().degrees.schedule, ScheduleKind::Interleaved);
    // (32 + 2) / 4 is not whole: 32 / 4 = 8.
    QCOMPARE(small({"/layout/pipeline=4", "/layout/virtual_pipeline=max"}).value().degrees.virtualPipeline,
             std::int64_t{8});
    QCOMPARE(small({"/layout/virtual_pipeline=max"}).value().degrees.virtualPipeline, std::int64_t{1});
    QCOMPARE(small({"/layout/pipeline=2", "/layout/schedule=interleaved"}).value().degrees.schedule,
             ScheduleKind::OneFOneB);
    QCOMPARE(small({"/layout/pipeline=2", "/layout/schedule=gpipe"}).value().degrees.schedule, ScheduleKind::GPipe);
    // A V has two chunks a rank: 34 / (2 x 2) is not whole, so 32 / 4 = 8 layers each, in model order; DualPipe's two
    // copies of the model have 34 / 2 = 17 items on each stage, embedding and head among them.
    const auto v = small({"/layout/pipeline=2", "/layout/schedule=zb-v"});
    QVERIFY2(v.ok(), why(v).c_str());
    QCOMPARE(v.value().degrees.virtualPipeline, std::int64_t{2});
    QCOMPARE(v.value().degrees.layersPerChunk, (Layers{8, 8, 8, 8}));
    QCOMPARE(v.value().degrees.chunkIndex(0, 1), std::int64_t{3});
    const auto dual = small({"/layout/pipeline=2", "/layout/schedule=dualpipe"});
    QVERIFY2(dual.ok(), why(dual).c_str());
    QCOMPARE(dual.value().degrees.layersPerChunk, (Layers{16, 16}));
    QCOMPARE(dual.value().degrees.chunkIndex(1, 1), std::int64_t{0});
}

// 64 / (2 x 3) = 10 replicas; 60 ranks, 4 GPUs spare.
void TestResolve::data()
{
    const auto result = small({"/layout/pipeline=3", "/training/global_batch=1000"});
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().degrees.data, std::int64_t{10});
    QCOMPARE(result.value().microBatches, std::int64_t{100});
    QCOMPARE(result.value().notices.size(), std::size_t{1});
    QCOMPARE(result.value().notices[0].code, NoticeCode::DegreesBelowGpus);
    QCOMPARE(result.value().notices[0].arguments,
             (std::vector<Argument>{std::int64_t{60}, std::int64_t{64}, std::int64_t{4}}));
}

// A job of 128 GPUs takes 64 of two domains of 72, so 144 stand there and 16 idle; 128 / 2 = 64 replicas. 72 GPUs in
// one domain: all, 72 / 2 = 36.
void TestResolve::domainsOf72()
{
    const auto two = small({"/cluster={\"accelerator\": \"GB200-NVL72\", \"gpus\": 128}"});
    QVERIFY2(two.ok(), why(two).c_str());
    QCOMPARE(two.value().cluster.scaleupDomain, std::int64_t{72});
    QCOMPARE(two.value().cluster.gpusUsedPerDomain, std::int64_t{64});
    QCOMPARE(two.value().cluster.gpus, std::int64_t{144});
    QCOMPARE(two.value().degrees.data, std::int64_t{64});
    QCOMPARE(two.value().cluster.scaleupGbytesPerS, 900.0);
    const auto one = small({"/cluster={\"accelerator\": \"GB200-NVL72\", \"gpus\": 72}", "/training/global_batch=360"});
    QVERIFY2(one.ok(), why(one).c_str());
    QCOMPARE(one.value().cluster.gpusUsedPerDomain, std::int64_t{72});
    QCOMPARE(one.value().degrees.data, std::int64_t{36});
}

void TestResolve::softwareMerge()
{
    SoftwareProfile profile;
    profile.flags.attentionKernel = AttentionKernel::Fa2;
    profile.flags.crossEntropyBytesPerLogit = 36.0;
    profile.flags.tensorOverlap = true;
    SoftwareSection section;
    section.attentionKernel = AttentionKernel::Fa3;
    section.powerLimitW = 500.0;
    const SoftwareFlags merged = mergeSoftware(profile, section);
    QCOMPARE(merged.attentionKernel, AttentionKernel::Fa3);
    QCOMPARE(merged.powerLimitW, 500.0);
    QVERIFY(merged.tensorOverlap);
    QCOMPARE(merged.crossEntropyBytesPerLogit, 36.0);
    // Fused cross entropy moves 14 bytes a logit, unfused 40.
    section.fusedCrossEntropy = false;
    QCOMPARE(mergeSoftware(profile, section).crossEntropyBytesPerLogit, 36.0);
    section.fusedCrossEntropy = true;
    QCOMPARE(mergeSoftware(profile, section).crossEntropyBytesPerLogit, 14.0);
    profile.flags.crossEntropyBytesPerLogit = 14.0;
    section.fusedCrossEntropy = false;
    QCOMPARE(mergeSoftware(profile, section).crossEntropyBytesPerLogit, 40.0);
    // nemo24 reduces 2-byte gradients with overlap; what training and layout say wins.
    const auto said = small({"/training/gradient_bytes=4", "/layout/overlap/data=false"});
    QVERIFY(said.ok());
    QCOMPARE(said.value().software.gradientBytes, std::int64_t{4});
    QVERIFY(!said.value().degrees.overlapData && said.value().degrees.overlapPipeline);
    QCOMPARE(small({}).value().training.gradientBytes, std::optional<std::int64_t>(2));
}

void TestResolve::noEffectNoPerturbation()
{
    const auto result =
        small({R"(/perturbations=[{"kind": "slow_gpu", "target": "**", "speed": 1.0}, {"kind": "jitter", "sigma": 0},
        {"kind": "slow_gpu", "target": "**", "speed": 0.5, "enabled": false}, {"kind": "slow_gpu", "target": "rank:3", "speed": 0.9}])"});
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().perturbations.size(), std::size_t{1});
    QCOMPARE(result.value().perturbations[0].target, std::string("rank:3"));
}

// 2 racks x 4 servers x 8 GPUs on one NVSwitch a server: 64 GPUs in domains of 8.
void TestResolve::drawnBlueprint()
{
    const char *drawn = R"(/cluster={"blueprint": {"nodes": [
        {"id": "rack", "kind": "rack", "count": 2}, {"id": "server", "kind": "server", "parent": "rack", "count": 4},
        {"id": "gpu", "kind": "gpu", "parent": "server", "count": 8}, {"id": "nvswitch", "kind": "nvswitch", "parent": "server"}],
        "links": [{"id": "nvlink", "from": "gpu", "to": "nvswitch", "gbps": 3600}]}})";
    const auto result = small({drawn});
    QVERIFY2(result.ok(), why(result).c_str());
    QCOMPARE(result.value().cluster.gpus, std::int64_t{64});
    QCOMPARE(result.value().cluster.gpusPerServer, std::int64_t{8});
    QCOMPARE(result.value().cluster.scaleupDomain, std::int64_t{8});
    QCOMPARE(result.value().blueprint.nodes.size(), std::size_t{4});
    const auto other = small({drawn, "/cluster/gpus=65"});
    QCOMPARE(QString::fromStdString(why(other)), QString::number(static_cast<int>(ErrorCode::Contradiction)) +
                                                     QStringLiteral(" /cluster/gpus 0:0 gpus 65 blueprint 64"));
    QVERIFY(!small({drawn, "/cluster/leaf=rail"}).ok());
}

void TestResolve::rules_data()
{
    QTest::addColumn<QStringList>("edits");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("rest");
    const auto row = [](const char *edits, ErrorCode code, const char *rest) {
        QTest::newRow(edits) << QString::fromUtf8(edits).split(QLatin1Char(' ')) << static_cast<int>(code)
                             << QString::fromUtf8(rest);
    };
    row("/layout/data=33", ErrorCode::DegreesExceedGpus, "/layout/data 0:0 66 64 2 1 1 33");
    row("/layout/tensor=8 /layout/pipeline=16", ErrorCode::DegreesExceedGpus, "/layout 0:0 128 64 8 16 1 1");
    row("/layout/tensor=1000000 /layout/pipeline=1000000 /layout/data=1000000", ErrorCode::DegreesExceedGpus,
        "/layout/data 0:0 9007199254740992 64 1000000 1000000 1 1000000");
    row("/training/global_batch=1000", ErrorCode::BatchNotDivisible, "/training/global_batch 0:0 1000 32");
    row("/training/micro_batch=3", ErrorCode::BatchNotDivisible, "/training/global_batch 0:0 1024 96");
    row("/cluster/gpus=262145", ErrorCode::TooManyGpus, "/cluster/gpus 0:0 262145 262144");
    row("/cluster={}", ErrorCode::MissingKey, "/cluster/gpus 0:0 gpus");
    row("/cluster/accelerator=H100-SXM-80GB", ErrorCode::UnknownName,
        "/cluster/accelerator 0:0 H100-SXM-80GB accelerator H100-SXM5-80GB");
    row("/cluster/accelerator=TPU-v4 /cluster/nic_gbps_per_gpu=200 /training/precision=fp8", ErrorCode::Contradiction,
        "/training/precision 0:0 training.precision fp8 cluster.accelerator TPU-v4");
    row("/cluster/gpus_used_per_domain=9", ErrorCode::OutOfRange, "/cluster/gpus_used_per_domain 0:0 9 1 8");
    row("/cluster/template=clos-rial", ErrorCode::UnknownName, "/cluster/template 0:0 clos-rial template clos-rail");
    row("/software/profile=nemo", ErrorCode::UnknownName, "/software/profile 0:0 nemo profile nemo24");
    row("/model/heads=33", ErrorCode::NotDivisible, "/model/kv_heads 0:0 heads 33 kv_heads 8");
    row("/model/heads=36 /model/kv_heads=6 /layout/tensor=8", ErrorCode::NotDivisible,
        "/layout/tensor 0:0 heads 36 tensor 8");
    row("/model/heads=48 /model/kv_heads=6 /layout/tensor=4", ErrorCode::NotDivisible,
        "/layout/tensor 0:0 kv_heads 6 tensor 4");
    row("/layout/pipeline=2 /layout/virtual_pipeline=2 /layout/schedule=1f1b", ErrorCode::Contradiction,
        "/layout/virtual_pipeline 0:0 schedule 1f1b virtual_pipeline 2");
    row("/layout/virtual_pipeline=2", ErrorCode::Contradiction,
        "/layout/virtual_pipeline 0:0 virtual_pipeline 2 pipeline 1");
    row("/layout/pipeline=2 /layout/layers_per_stage=[32]", ErrorCode::Contradiction,
        "/layout/layers_per_stage 0:0 layers_per_stage 1 pipeline * virtual_pipeline 2");
    row("/layout/pipeline=2 /layout/layers_per_stage=[16,17]", ErrorCode::Contradiction,
        "/layout/layers_per_stage 0:0 layers_per_stage 33 model.layers 32");
    row("/layout/tensor=1 /layout/pipeline=35", ErrorCode::OutOfRange, "/layout/pipeline 0:0 35 1 34");
    row("/layout/shard_group=8", ErrorCode::Contradiction, "/layout/shard_group 0:0 shard_group 8 zero_stage 1");
    row("/layout/zero_stage=3 /layout/shard_group=5", ErrorCode::NotDivisible,
        "/layout/shard_group 0:0 data * context 32 shard_group 5");
    row("/layout/schedule=custom", ErrorCode::MissingKey, "/layout/schedule_orders 0:0 schedule_orders");
    row("/layout/schedule=zb-h1", ErrorCode::Contradiction, "/layout/schedule 0:0 schedule zb-h1 pipeline 1");
    row("/layout/pipeline=2 /layout/schedule=zb-v /layout/virtual_pipeline=4", ErrorCode::Contradiction,
        "/layout/virtual_pipeline 0:0 schedule zb-v virtual_pipeline 4");
    row("/layout/pipeline=2 /layout/schedule=zb-h2 /layout/activation_limit=2", ErrorCode::Contradiction,
        "/layout/activation_limit 0:0 activation_limit 2.000000 schedule zb-h2");
    row("/layout/pipeline=2 /layout/activation_limit=2", ErrorCode::Contradiction,
        "/layout/activation_limit 0:0 activation_limit 2.000000 schedule 1f1b");
    row("/layout/tensor=1 /layout/pipeline=3 /layout/schedule=dualpipe", ErrorCode::NotDivisible,
        "/layout/pipeline 0:0 pipeline 3 the two directions of dualpipe 2");
    // 64 / (2 x 4) = 8 replicas, 2 micro-batches each; DualPipe needs 2p = 8, that is a batch of 64.
    row("/layout/pipeline=4 /layout/schedule=dualpipe /training/global_batch=16", ErrorCode::OutOfRange,
        "/training/global_batch 0:0 16 64 128");
    row("/layout/context=3 /training/sequence_length=8192 /layout/data=1", ErrorCode::NotDivisible,
        "/layout/context 0:0 sequence_length 8192 context * tensor 6");
    row("/layout/expert=8", ErrorCode::Contradiction, "/layout/expert 0:0 expert 8 model.moe none");
    row("/model/moe={\"experts\":8,\"top_k\":9,\"expert_ffn_hidden\":64}", ErrorCode::OutOfRange,
        "/model/moe/top_k 0:0 9 1 8");
    row("/model/moe={\"experts\":8,\"top_k\":2,\"expert_ffn_hidden\":64} /layout/expert=3", ErrorCode::NotDivisible,
        "/layout/expert 0:0 experts 8 expert 3");
    row("/model/moe={\"experts\":256,\"top_k\":2,\"expert_ffn_hidden\":64} /layout/expert=128",
        ErrorCode::NotDivisible, "/layout/expert 0:0 tensor * context * data 64 expert * expert_tensor 128");
    row("/model/moe={\"experts\":8,\"top_k\":2,\"expert_ffn_hidden\":64} /layout/expert_tensor=128",
        ErrorCode::NotDivisible, "/layout/expert_tensor 0:0 expert_ffn_hidden 64 expert_tensor 128");
    row("/training/offload_layers=33", ErrorCode::OutOfRange, "/training/offload_layers 0:0 33 0 32");
    row("/training/attention_precision=fp4", ErrorCode::UnsupportedFeature,
        "/training/attention_precision 0:0 training.attention_precision = fp4 attention_precision = fp8");
    row("/training/attention_precision=fp8 /software/attention_kernel=fa2", ErrorCode::Contradiction,
        "/training/attention_precision 0:0 training.attention_precision fp8 software.attention_kernel fa2");
    row("/training/attention_precision=fp8 /cluster/accelerator=A100-SXM4-80GB", ErrorCode::Contradiction,
        "/training/attention_precision 0:0 training.attention_precision fp8 cluster.accelerator A100-SXM4-80GB");
    row("/training/recompute={\"layers\":33}", ErrorCode::OutOfRange, "/training/recompute/layers 0:0 33 0 32");
    row("/training/recompute={\"modules\":[\"core_attn\",\"moe_act\"]}", ErrorCode::Contradiction,
        "/training/recompute/modules/1 0:0 recompute.modules moe_act model.moe none");
    row("/training/recompute={\"modules\":[\"mla_up_proj\"]}", ErrorCode::Contradiction,
        "/training/recompute/modules/0 0:0 recompute.modules mla_up_proj model.mla none");
    row("/layout/context=2 /layout/context_exchange=ring /software/attention_kernel=unfused", ErrorCode::Contradiction,
        "/layout/context_exchange 0:0 context_exchange ring software.attention_kernel unfused");
    row("/layout/mtp_stage=0", ErrorCode::Contradiction, "/layout/mtp_stage 0:0 mtp_stage 0 model.mtp_layers 0");
    row("/model/mtp_layers=1 /layout/mtp_stage=1", ErrorCode::OutOfRange, "/layout/mtp_stage 0:0 1 0 0");
    row("/model/mtp_layers=1 /layout/pipeline=2 /layout/layers_per_stage=[31,1] /layout/mtp_stage=0",
        ErrorCode::Contradiction, "/layout/mtp_stage 0:0 mtp_stage 0 layers_per_stage/1 1");
    // 2 x 32 operations a micro-batch of all replicas: at most 2^24 / 64 = 262,144 micro-batches of 32 sequences.
    row("/training/global_batch=100000000", ErrorCode::OutOfRange, "/training/global_batch 0:0 100000000 32 8388608");
}

// The module's stage is the last with layers: 32 of them over three of four stages, the odd ones on the inner first; of
// a model with experts the same number, and in a V the last chunk of stage 1 is the seventh of eight.
void TestResolve::predictionModulesEndTheLayers()
{
    const auto resolved = [](std::vector<PointerEdit> edits) {
        edits.push_back({"/model/mtp_layers", "1"});
        edits.push_back({"/layout/pipeline", "4"});
        const auto scenario = readPreset("llama3-8b-64", catalogue(), edits);
        if (!scenario.ok()) qFatal("the edits are wrong");
        const auto result = resolve(scenario.value(), catalogue());
        return result.ok() ? result.value().degrees : Degrees{};
    };
    const Degrees dense = resolved({{"/layout/mtp_stage", "2"}});
    QCOMPARE(dense.mtpChunk, 2);
    QCOMPARE(dense.layersPerChunk, (std::vector<std::int64_t>{11, 11, 10, 0}));
    const Degrees experts = resolved({{"/layout/mtp_stage", "2"},
                                      {"/model/moe", R"({"experts":8,"top_k":2,"expert_ffn_hidden":1024})"}});
    QCOMPARE(experts.layersPerChunk.back(), 0);
    QCOMPARE(experts.layersPerChunk[0] + experts.layersPerChunk[1] + experts.layersPerChunk[2], 32);
    QCOMPARE(resolved({{"/layout/mtp_stage", "1"}, {"/layout/schedule", "zb-v"}}).mtpChunk, 6);
    QCOMPARE(resolved({}).mtpChunk, -1);
}

void TestResolve::rules()
{
    QFETCH(QStringList, edits);
    QFETCH(int, code);
    QFETCH(QString, rest);
    std::vector<PointerEdit> list;
    for (const QString &text : edits) {
        const auto edit = parsePointerEdit(text.toStdString());
        QVERIFY(edit.ok());
        list.push_back(edit.value());
    }
    const auto scenario = readPreset("llama3-8b-64", catalogue(), list);
    QVERIFY2(scenario.ok(), scenario.ok() ? "" : describe(scenario.error()).c_str());
    const auto result = resolve(scenario.value(), catalogue());
    QVERIFY(!result.ok());
    QCOMPARE(QString::fromStdString(describe(result.error())), QString::number(code) + QLatin1Char(' ') + rest);
}

QTEST_APPLESS_MAIN(TestResolve)
#include "tst_resolve.moc"
