// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/formats/import_notes.h"
#include "model/scenario/resolve.h"

#include <QtTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace clusterbeat;

/// What Megatron-LM's options and those of its forks mean: worlds of experts, layers with experts, stages, schedules,
/// kinds of models, precision, software and GPU types.
class TestMegatronMeaning : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void smallestWorlds_data();
    void smallestWorlds();
    void expertTensor();
    void deepSpeedExperts();
    void layersWithExperts();
    void stagesByName();
    void stagesByNameThatDoNotFit();
    void zeroBubble();
    void windowsAndGates();
    void blockRecompute();
    void otherKinds_data();
    void otherKinds();
    void bothWaysAndImages();
    void precision();
    void profiles_data();
    void profiles();
    void gpuTypes_data();
    void gpuTypes();
    void whatBecomesOfOptions_data();
    void whatBecomesOfOptions();
    void inlineDeepSpeedConfiguration();
    void forksOptions();

private:
    Result<Imported> result(const std::string &text) const { return importForeign(text, "run.sh", m_catalogue); }
    Imported with(const std::string &options, const std::string &program = "torchrun --nproc_per_node 8 pretrain_gpt.py ") const;
    static bool says(const Imported &import, NoticeCode code, const std::string &first);
    Catalogue m_catalogue;
};

namespace
{

const std::string kModel = "--num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 4096 --micro-batch-size 1 "
                           "--global-batch-size 256 --vocab-size 32000 ";

} // namespace

void TestMegatronMeaning::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = std::move(loaded).value();
}

Imported TestMegatronMeaning::with(const std::string &options, const std::string &program) const
{
    auto imported = result(program + kModel + "--bf16 " + options);
    if (!imported.ok()) {
        qWarning("code %d", static_cast<int>(imported.error().code));
        return {};
    }
    return std::move(imported).value();
}

bool TestMegatronMeaning::says(const Imported &import, NoticeCode code, const std::string &first)
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        return notice.code == code && !notice.arguments.empty() && notice.arguments.front() == Argument(first);
    });
}

// parallel_state.py: the world is divided by tensor * pipeline * context and by expert tensor * expert * pipeline.
void TestMegatronMeaning::smallestWorlds_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<qint64>("gpus");
    QTest::addColumn<qint64>("data");
    QTest::newRow("PP 4, EP 8") << "--pipeline-model-parallel-size 4 --expert-model-parallel-size 8" << qint64{32} << qint64{8};
    QTest::newRow("TP 2, EP 16, ETP 1") << "--tensor-model-parallel-size 2 --expert-model-parallel-size 16 --expert-tensor-parallel-size 1" << qint64{16} << qint64{8};
    QTest::newRow("TP 2, EP 16, ETP as TP") << "--tensor-model-parallel-size 2 --expert-model-parallel-size 16" << qint64{32} << qint64{16};
    QTest::newRow("TP 4, CP 2, EP 12, ETP 1: lcm(8, 12)") << "--tensor-model-parallel-size 4 --context-parallel-size 2 --num-experts 24 --expert-model-parallel-size 12 "
                                                             "--expert-tensor-parallel-size 1 --global-batch-size 384" << qint64{24} << qint64{3};
    QTest::newRow("TP 8, PP 2, EP 4, ETP 2") << "--tensor-model-parallel-size 8 --pipeline-model-parallel-size 2 --expert-model-parallel-size 4 "
                                                "--expert-tensor-parallel-size 2" << qint64{16} << qint64{1};
}

void TestMegatronMeaning::smallestWorlds()
{
    QFETCH(const QString, options);
    QFETCH(const qint64, gpus);
    QFETCH(const qint64, data);
    for (const char *launcher : {"torchrun --nproc_per_node 8 --nnodes 1 pretrain_gpt.py ", "python pretrain_gpt.py "}) {
        const Imported import = with("--num-experts 16 --moe-router-topk 2 --swiglu " + options.toStdString(), launcher);
        QCOMPARE(import.scenario.cluster->gpus, gpus);
        const auto resolved = resolve(import.scenario, m_catalogue);
        QVERIFY(resolved.ok());
        QCOMPARE(resolved.value().degrees.data, data);
    }
}

// arguments.py: without a degree of its own a tensor group of experts is as wide as the others.
void TestMegatronMeaning::expertTensor()
{
    const Imported as = with("--num-experts 8 --tensor-model-parallel-size 4 --expert-model-parallel-size 4");
    QCOMPARE(as.scenario.layout->expertTensor, 4);
    QVERIFY(says(as, NoticeCode::DefaultTaken, "/layout/expert_tensor"));
    QCOMPARE(with("--num-experts 8 --tensor-model-parallel-size 4 --expert-tensor-parallel-size 1").scenario.layout->expertTensor, 1);
    QCOMPARE(with("--tensor-model-parallel-size 4").scenario.layout->expertTensor, 1);
    QCOMPARE(with("--num-experts 8 --expert-model-parallel-size 4").scenario.layout->expertTensor, 1);
}

// Megatron-DeepSpeed's arguments.py: top 1, an expert layer every second, experts whole.
void TestMegatronMeaning::deepSpeedExperts()
{
    const std::string deepSpeed = "deepspeed --num_nodes 8 --num_gpus 8 pretrain_gpt.py --deepspeed ";
    const Imported import = with("--num-experts 128 --moe-expert-parallel-size 64 --zero-stage 0 --tensor-model-parallel-size 1", deepSpeed);
    const MoeShape moe = import.scenario.model->moe.value_or(MoeShape{});
    QCOMPARE(import.scenario.layout->expert, 64);
    QCOMPARE(import.scenario.layout->expertTensor, 1);
    QCOMPARE(moe.experts, 128);
    QCOMPARE(moe.topK, 1);
    QCOMPARE(moe.every, 2);
    QCOMPARE(moe.denseLayers, 1);
    QCOMPARE(import.scenario.software->profile, std::string("megatron-ds"));
    const Imported said = with("--num-experts 8 --topk 2 --expert-interval 1 --mlp-type residual --moe-train-capacity-factor 1.2", deepSpeed);
    QCOMPARE(said.scenario.model->moe->topK, 2);
    QCOMPARE(said.scenario.model->moe->every, 1);
    QCOMPARE(said.scenario.model->moe->denseLayers, 0);
    QVERIFY(says(said, NoticeCode::NotSimulated, "--mlp-type residual"));
    QVERIFY(says(said, NoticeCode::NotSimulated, "--moe-train-capacity-factor"));
}

void TestMegatronMeaning::layersWithExperts()
{
    const auto moe = [&](const std::string &frequency) { return with("--num-experts 8 --moe-layer-freq " + frequency).scenario.model->moe.value_or(MoeShape{}); };
    QCOMPARE(moe("'([0,1]*12)'").every, 2);
    QCOMPARE(moe("'([0,1]*12)'").denseLayers, 1);
    QCOMPARE(moe("'([0]+[1]*23)'").denseLayers, 1);
    QCOMPARE(moe("'([0]*3+[1]*21)'").denseLayers, 3);
    QCOMPARE(moe("2").every, 2);
    QCOMPARE(moe("'[0]*24'").experts, 0);
    const Imported odd = with("--num-experts 8 --moe-layer-freq '[1]*2+[0]*3+[1]*19'");
    QCOMPARE(odd.scenario.model->moe->denseLayers, 3);
    QVERIFY(says(odd, NoticeCode::Approximation, "/model/moe/dense_layers"));
    QVERIFY(says(with("--num-experts 8 --moe-layer-freq '[0]*3+[1]*58'"), NoticeCode::NotUnderstood, "--moe-layer-freq [0]*3+[1]*58"));
    QVERIFY(says(with("--num-experts 8 --moe-layer-freq eachlayer"), NoticeCode::NotUnderstood, "--moe-layer-freq eachlayer"));
}

// 24 layers: 2 with the embedding, 7 parts of 3, 1 before the output layer: 8 parts on 4 stages are 2 chunks.
void TestMegatronMeaning::stagesByName()
{
    const Imported import = with("--pipeline-model-parallel-size 4 --pipeline-model-parallel-layout 'Ett|(ttt|)*6ttttL'");
    QCOMPARE(import.scenario.layout->virtualPipeline, std::optional<std::int64_t>(2));
    QCOMPARE(import.scenario.layout->layersPerStage, (std::vector<std::int64_t>{2, 3, 3, 3, 3, 3, 3, 4}));
    QVERIFY(resolve(import.scenario, m_catalogue).ok());
    const Imported predicted = with("--pipeline-model-parallel-size 4 --mtp-num-layers 1 --pipeline-model-parallel-layout 'Et*8|t*8|t*8|mL'");
    QCOMPARE(predicted.scenario.layout->mtpStage, std::optional<std::int64_t>(3));
    QVERIFY(!predicted.scenario.layout->virtualPipeline);
    QVERIFY(resolve(predicted.scenario, m_catalogue).ok());
    QVERIFY(says(with("--pipeline-model-parallel-size 4 --pipeline-model-parallel-layout '[[a],[b]]'"), NoticeCode::NotSimulated, "--pipeline-model-parallel-layout"));
}

void TestMegatronMeaning::stagesByNameThatDoNotFit()
{
    const std::string script = "torchrun --nproc_per_node 8 pretrain_gpt.py " + kModel + "--bf16 --pipeline-model-parallel-size 4 --pipeline-model-parallel-layout ";
    QCOMPARE(result(script + "'Et*12|t*12L'").error().code, ErrorCode::NotDivisible);
    const auto sum = result(script + "'Et|t|t|tL'");
    QCOMPARE(sum.error().code, ErrorCode::Contradiction);
    QCOMPARE(sum.error().place.pointer, std::string("--pipeline-model-parallel-layout"));
}

void TestMegatronMeaning::zeroBubble()
{
    const auto schedule = [&](const std::string &options) {
        const Imported import = with("--pipeline-model-parallel-size 8 " + options);
        if (!resolve(import.scenario, m_catalogue).ok()) return std::optional<ScheduleKind>();
        return import.scenario.layout->schedule;
    };
    QCOMPARE(schedule("--enable-zbh1-pipeline"), std::optional(ScheduleKind::ZbH1));
    QCOMPARE(schedule("--enable-zero-bubble --zero-bubble-v-schedule"), std::optional(ScheduleKind::ZbV));
    QCOMPARE(schedule("--enable-zero-bubble --zero-bubble-max-pending-backward 16"), std::optional(ScheduleKind::ZbH2));
    QCOMPARE(schedule("--enable-zero-bubble --zero-bubble-max-pending-backward 8"), std::optional(ScheduleKind::ZbH1));
    QCOMPARE(schedule("--schedules-method dualpipev"), std::optional(ScheduleKind::DualPipeV));
    QCOMPARE(schedule("--num-layers-per-virtual-pipeline-stage 1"), std::optional<ScheduleKind>());
    QVERIFY(!with("--enable-zero-bubble").scenario.layout->schedule); // one stage has no pipeline
}

// 127 keys behind and the token itself are 128; one full layer after n - 1 windowed ones. Quick GeGLU has a gate.
void TestMegatronMeaning::windowsAndGates()
{
    const auto window = [&](const std::string &options) { return with(options).scenario.model->attentionWindow; };
    QCOMPARE(window("--window-size 127,0 --window-attn-skip-freq 2"), std::optional(AttentionWindow{128, 2}));
    QCOMPARE(window("--window-size '(127, 0)' --window-attn-skip-freq 6"), std::optional(AttentionWindow{128, 1, 6}));
    QCOMPARE(window("--window-size 127 0"), std::optional(AttentionWindow{128, 1}));
    QCOMPARE(window("--window-size 127,0 --window-attn-skip-freq '[1,0]*12'"), std::optional(AttentionWindow{128, 2}));
    QCOMPARE(window("--window-attn-skip-freq 2"), std::optional<AttentionWindow>());
    const Imported quick = with("--quick-geglu --ffn-hidden-size 2880");
    QVERIFY(quick.scenario.model->gatedFfn);
    QCOMPARE(quick.scenario.model->activation, std::string("gelu"));
    QVERIFY(!with("").scenario.model->gatedFfn);
}

// Counted in each chunk: 24 / (4 x 3) = 2 layers a chunk; 1 of each of 3 chunks are 3, 5 of each are all 6.
void TestMegatronMeaning::blockRecompute()
{
    const std::string block = "--pipeline-model-parallel-size 4 --recompute-granularity full --recompute-method block --recompute-num-layers ";
    const auto layers = [&](const std::string &rest) { return with(block + rest).scenario.training->recompute->layers; };
    QCOMPARE(layers("1 --num-layers-per-virtual-pipeline-stage 2"), 3);
    QCOMPARE(layers("5 --num-layers-per-virtual-pipeline-stage 2"), 6);
    QCOMPARE(layers("1"), 1);
    QCOMPARE(with("--moe-layer-recompute --num-experts 8").scenario.training->recompute->modules, (std::vector<std::string>{"moe"}));
}

void TestMegatronMeaning::otherKinds_data()
{
    QTest::addColumn<QString>("command");
    QTest::addColumn<QString>("what");
    const auto row = [](const char *command, std::string_view what) {
        QTest::newRow(command) << QString::fromLatin1(command) << QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()));
    };
    row("pretrain_t5.py --encoder-seq-length 512 --decoder-seq-length 128", feature::kEncoderDecoder);
    row("pretrain_t5.py --encoder-num-layers 12 --decoder-num-layers 12", feature::kEncoderDecoder);
    row("pretrain_mamba.py", feature::kStateSpace);
    row("pretrain_hybrid.py --hybrid-layer-pattern M-M*", feature::kStateSpace);
    row("pretrain_gpt.py --is-hybrid-model --hybrid-attention-ratio 0.1", feature::kStateSpace);
    row("pretrain_gpt.py --experimental-attention-variant gated_delta_net --linear-attention-freq 4", feature::kLinearAttention);
    row("tools/retro/pretrain_retro.py", feature::kRetrieval);
    row("pretrain_vision_classify.py --patch-dim 16", feature::kVision);
    row("pretrain_gpt.py --heterogeneous-layers-config-path x.json", feature::kUnlikeLayers);
}

void TestMegatronMeaning::otherKinds()
{
    QFETCH(const QString, command);
    QFETCH(const QString, what);
    for (const std::string &model : {kModel, std::string("--hidden-size 1024 --num-attention-heads 16 ")}) {
        const auto refused = result("torchrun --nproc_per_node 8 " + command.toStdString() + " " + model + "--bf16");
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().code, ErrorCode::ImportNotSimulated);
        QCOMPARE(refused.error().arguments.front(), Argument(what.toStdString()));
    }
}

void TestMegatronMeaning::bothWaysAndImages()
{
    QVERIFY(!with("", "torchrun --nproc_per_node 8 pretrain_bert.py ").scenario.training->causalAttention);
    // A folder's name is no program's, and "predict" holds no "ict".
    QVERIFY(with("", "torchrun --nproc_per_node 8 /data/t5/bert/predict_gpt.py ").scenario.training->causalAttention);
    const Imported images = with("--seq-length 576 --decoder-seq-length 8192 --language-model-type x --vision-model-type y", "torchrun train.py ");
    QCOMPARE(images.scenario.training->sequenceLength, 8192);
    QVERIFY(says(images, NoticeCode::NotSimulated, "--vision-model-type"));
}

// arguments.py: params_dtype is torch.float unless an option changes it.
void TestMegatronMeaning::precision()
{
    const auto refused = result("torchrun --nproc_per_node 8 pretrain_gpt.py " + kModel);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, ErrorCode::ImportNotSimulated);
    QCOMPARE(refused.error().arguments.front(), Argument(std::string(feature::kFp32)));
    for (const char *option : {"--bf16", "--fp16", "--fp8-format hybrid"}) QVERIFY(result("torchrun --nproc_per_node 8 pretrain_gpt.py " + kModel + option).ok());
    // DeepSpeed's configuration may say it.
    const auto deepSpeed = result("deepspeed --num_gpus 8 pretrain_gpt.py --deepspeed " + kModel);
    QVERIFY(deepSpeed.ok() && says(deepSpeed.value(), NoticeCode::DefaultTaken, "/training/precision"));
}

// Megatron-Core is the default of Megatron-LM; older kernels take marks of older code.
void TestMegatronMeaning::profiles_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<QString>("profile");
    QTest::newRow("plain") << "" << "nemo24";
    QTest::newRow("checkpoints of today") << "--ckpt-format torch_dist --use-distributed-optimizer" << "nemo24";
    QTest::newRow("said") << "--use-mcore-models" << "nemo24";
    QTest::newRow("DDP of 2022") << "--DDP-impl local" << "megatron22";
    QTest::newRow("checkpoints of 2021") << "--activations-checkpoint-method uniform" << "megatron22";
    QTest::newRow("flash attention of 2023") << "--use-flash-attn" << "megatron23";
    QTest::newRow("both") << "--use-flash-attn --use-mcore-models" << "nemo24";
    QTest::newRow("DeepSpeed") << "--deepspeed" << "megatron-ds";
    QTest::newRow("DeepSpeed and flash attention") << "--deepspeed --use-flash-attn-v2" << "megatron-ds";
}

void TestMegatronMeaning::profiles()
{
    QFETCH(const QString, options);
    QFETCH(const QString, profile);
    QCOMPARE(with(options.toStdString()).scenario.software->profile, profile.toStdString());
}

void TestMegatronMeaning::gpuTypes_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("accelerator");
    QTest::addColumn<bool>("known");
    QTest::newRow("mi250") << "--gpus-per-node=mi250:8" << "MI250X" << true;
    QTest::newRow("mi355x") << "--gres=gpu:mi355x:8" << "MI355X" << true;
    QTest::newRow("gh200 is no h200") << "--gres=gpu:gh200:4" << "GH200" << true;
    QTest::newRow("h200") << "--gres=gpu:h200:4" << "H200-SXM-141GB" << true;
    QTest::newRow("40 GB") << "--gres=gpu:a100_40:4" << "A100-SXM4-40GB" << true;
    QTest::newRow("40gb") << "--constraint=a100-40gb" << "A100-SXM4-40GB" << true;
    QTest::newRow("80 GB") << "--constraint=gpu&a100-sxm4-80gb" << "A100-SXM4-80GB" << true;
    QTest::newRow("a100") << "--partition=gpu_a100" << "A100-SXM4-80GB" << true;
    QTest::newRow("all") << "--gpus=h100:16" << "H100-SXM5-80GB" << true;
    QTest::newRow("h800") << "--gres=gpu:h800:8" << "H800-SXM-80GB" << true;
    QTest::newRow("a800") << "--gres=gpu:a800:8" << "H100-SXM5-80GB for a800" << false;
    QTest::newRow("v100") << "--constraint=v100-32g" << "H100-SXM5-80GB for v100" << false;
    QTest::newRow("anything between colons") << "--gres=gpu:newchip9:8" << "H100-SXM5-80GB for newchip9" << false;
    QTest::newRow("a number only") << "--gres=gpu:8" << "H100-SXM5-80GB" << true;
    QTest::newRow("no GPU's name") << "--partition=batch100" << "H100-SXM5-80GB" << true;
}

void TestMegatronMeaning::gpuTypes()
{
    QFETCH(const QString, line);
    QFETCH(const QString, accelerator);
    QFETCH(const bool, known);
    const auto imported = result("#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH " + line.toStdString() + "\nsrun python pretrain_gpt.py " + kModel + "--bf16\n");
    QVERIFY(imported.ok());
    const auto &notices = imported.value().notices;
    const auto notice = std::find_if(notices.begin(), notices.end(), [](const Notice &each) { return each.arguments.front() == Argument(std::string("/cluster/accelerator")); });
    QVERIFY(notice != notices.end());
    QCOMPARE(notice->arguments[1], Argument(accelerator.toStdString()));
    QCOMPARE(notice->arguments[2] != Argument(std::string(why::kNotInCatalogue)), known);
}

// "No effect" is for what changes neither time nor memory.
void TestMegatronMeaning::whatBecomesOfOptions_data()
{
    QTest::addColumn<QString>("options");
    QTest::addColumn<int>("code");
    const auto row = [](const char *options, NoticeCode code) { QTest::newRow(options) << QString::fromLatin1(options) << static_cast<int>(code); };
    for (const char *effect : {"--moe-shared-expert-overlap", "--moe-expert-capacity-factor 1.5", "--delay-wgrad-compute", "--use-megatron-fsdp", "--swap-attention",
                               "--overlap-param-gather-with-optimizer-step", "--fine-grained-activation-offloading", "--num-distributed-optimizer-instances 2",
                               "--optimizer muon", "--fp8-multi-head-attention"})
        row(effect, NoticeCode::NotSimulated);
    for (const char *unknown : {"--frobnicate 3", "--some-fork-switch"}) row(unknown, NoticeCode::NotUnderstood);
}

void TestMegatronMeaning::whatBecomesOfOptions()
{
    QFETCH(const QString, options);
    QFETCH(const int, code);
    const std::string text = options.toStdString();
    const Imported import = with(text);
    const bool said = says(import, static_cast<NoticeCode>(code), text) || says(import, static_cast<NoticeCode>(code), text.substr(0, text.find(' ')));
    QVERIFY(said);
    for (const Notice &notice : import.notices) QVERIFY(notice.code != NoticeCode::IgnoredOption);
    for (const char *harmless : {"--lr", "--save", "--tensorboard-dir", "--seed"}) {
        const Imported quiet = with(std::string(harmless) + " 1");
        QVERIFY(!says(quiet, NoticeCode::NotUnderstood, harmless) && !says(quiet, NoticeCode::NotSimulated, harmless));
    }
}

void TestMegatronMeaning::inlineDeepSpeedConfiguration()
{
    const auto imported = result("cat <<EOF > ds.json\n{\"zero_optimization\": {\"stage\": 2}, \"fp16\": {\"enabled\": true}}\nEOF\n"
                                 "deepspeed --num_gpus 8 pretrain_gpt.py --deepspeed --deepspeed_config ds.json " + kModel);
    QVERIFY(imported.ok());
    QCOMPARE(imported.value().scenario.layout->zeroStage, std::optional<std::int64_t>(2));
    QCOMPARE(imported.value().scenario.training->precision, Precision::Fp16);
}

void TestMegatronMeaning::forksOptions()
{
    const Imported mindSpeed = with("--pipeline-model-parallel-size 4 --num-layer-list 5,6,6,7 --multi-head-latent-attention --kv-lora-rank 512 --qk-nope-head-dim 128 "
                                    "--qk-rope-head-dim 64 --num-experts 16 --first-k-dense-replace 1 --n-shared-experts 2 --moe-intermediate-size 1408");
    QCOMPARE(mindSpeed.scenario.layout->layersPerStage, (std::vector<std::int64_t>{5, 6, 6, 7}));
    QCOMPARE(mindSpeed.scenario.model->mla->ropeHeadDim, 64);
    QCOMPARE(mindSpeed.scenario.model->moe->denseLayers, 1);
    QCOMPARE(mindSpeed.scenario.model->moe->sharedExperts, 2);
    QCOMPARE(mindSpeed.scenario.model->moe->expertFfnHidden, 1408);
    const Imported extended = with("--num-experts 16 --tensor-model-parallel-size 2 --expert-model-parallel-size 4 --moe-tp-extend-ep");
    QCOMPARE(extended.scenario.layout->expert, 8);
    QCOMPARE(extended.scenario.layout->expertTensor, 1);
    QVERIFY(says(with("--context-parallel-size 2 --context-parallel-algo ulysses_cp_algo"), NoticeCode::NotSimulated, "--cp-comm-type ulysses_cp_algo"));
}

QTEST_APPLESS_MAIN(TestMegatronMeaning)
#include "tst_megatron_meaning.moc"
