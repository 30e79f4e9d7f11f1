// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"

#include <QtTest>

#include <algorithm>

using namespace clusterbeat;

/// Scripts and configs of the shapes that are published, written for these tests; expected values are read off them by
/// hand, with Megatron-LM's documented defaults.
class TestImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void recognises_data();
    void recognises();
    void slurmScriptOfAHundredBillion();
    void arraysAndAWorldThatGrows();
    void conditionalEightBillion();
    void plainArgumentList();
    void interleavedStages();
    void unevenStages();
    void megatronErrors_data();
    void megatronErrors();
    void unresolvedValueIsSaid();
    void expertsAreRead();
    void hostileInputEnds_data();
    void hostileInputEnds();

private:
    Imported imported(const std::string &text, const std::string &name = "train.sh");
    bool says(const Imported &import, NoticeCode code, const std::vector<std::string> &arguments) const;

    Catalogue m_catalogue;
};

namespace {

std::string textOf(const Argument &argument)
{
    if (const auto *text = std::get_if<std::string>(&argument)) return *text;
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return std::to_string(*integer);
    return std::to_string(std::get<double>(argument));
}

// Launched through a string of strings, as on a Slurm cluster with DeepSpeed.
constexpr const char *kSlurmScript = R"(#!/bin/bash
#SBATCH --job-name=big
#SBATCH --constraint=a100
#SBATCH --nodes=12
#SBATCH --gres=gpu:8                 # GPUs
set -x -e
source $WORKDIR/start
NNODES=$SLURM_NNODES
GPUS=8
TP=4
PP=6
MBS=2  # was 1
WIDTH=8192
OPT=" \
    --optimizer adam \
    --lr 6e-5 \
    "
# for a short run:
#    --exit-duration-in-mins 100 \
GPT=" \
    --pp-partition-method 'type:transformer|embedding' \
    --num-layers 46 \
    --hidden-size $WIDTH \
    --num-attention-heads 64 \
    --seq-length 2048 \
    --micro-batch-size $MBS \
    --rampup-batch-size 16 16 1_000_000 \
    --global-batch-size 1_024 \
    --bf16 \
    --checkpoint-activations \
    --pad-vocab-size-to 250880 \
    $OPT \
    "
ZERO=0
cat <<EOT > ds.json
{ "train_batch_size": $MBS, "unbalanced: ' }
EOT
DS=" --deepspeed --deepspeed_config ds.$SLURM_JOB_ID.json --zero-stage ${ZERO} "
export LAUNCHER="python -u -m torch.distributed.run \
    --nproc_per_node $GPUS \
    --nnodes $NNODES \
    --rdzv_endpoint $HOST:6000 \
    "
export CMD=" \
    `pwd`/pretrain_gpt.py \
    --tensor-model-parallel-size $TP \
    --pipeline-model-parallel-size $PP \
    $GPT \
    $DS \
    "
echo $CMD
srun --wait=60 --jobid $SLURM_JOB_ID bash -c "$LAUNCHER --node_rank \$SLURM_PROCID $CMD" 2>&1 | tee -a log.txt
)";

constexpr const char *kArrayScript = R"(#!/bin/bash
export CUDA_DEVICE_MAX_CONNECTIONS=1
GPUS_PER_NODE=8
NUM_NODES=1
WORLD_SIZE=$(($GPUS_PER_NODE*$NUM_NODES))
VOCAB=$1 #<path>
RUN=(
    --nproc_per_node $GPUS_PER_NODE
    --nnodes $NUM_NODES
)
MODEL=(
    --num-layers 24
    --hidden-size 6144
    --num-attention-heads 48
    --seq-length 2048
    --attention-backend auto # (flash/fused)
)
TRAIN=(
    --micro-batch-size 1
    --global-batch-size 96
    --step-batch-size-schedule "0:16 2.4B:96"
    --fp16
    --lr 6.0e-5
    --frobnicate 3
)
PARALLEL=(
	--tensor-model-parallel-size 8
	--pipeline-model-parallel-size 4
)
DATA=(
    --vocab-file $VOCAB
    --split 949,50,1
)
torchrun ${RUN[@]} pretrain_gpt.py \
    ${MODEL[@]} \
    ${TRAIN[@]} \
    ${PARALLEL[@]} \
    ${DATA[@]}
)";

constexpr const char *kConditionalScript = R"(#!/bin/bash
TOKENIZER=${1:-"MOCK"}
GPUS_PER_NODE=8
DTYPE="fp8"
TP=1
MODEL=(
    --use-mcore-models
    --num-layers 32
    --hidden-size 4096
    --ffn-hidden-size 14336
    --num-attention-heads 32
    --group-query-attention
    --num-query-groups 8
    --kv-channels 128
    --seq-length 8192
    --swiglu
    --attention-backend fused
    --untie-embeddings-and-output-weights
)
TRAIN=(
    --micro-batch-size 1
    --global-batch-size 128
    --bf16
    --grad-reduce-in-bf16
    --cross-entropy-loss-fusion
)
TYPE=()
if [[ "$DTYPE" == "fp8" ]]; then
    TYPE+=(
        "--fp8-format hybrid"
        "--fp8-param-gather"
    )
fi
PARALLEL=(
    --tensor-model-parallel-size $TP
    # --pipeline-model-parallel-size 4
    --sequence-parallel
)
DDP=(--use-distributed-optimizer --overlap-grad-reduce --overlap-param-gather)
TRAIN+=("${DDP[@]}")
if [[ "$TOKENIZER" == "MOCK" ]] || [[ -z "$TOKENIZER" ]]; then
    DATA=("--tokenizer-type NullTokenizer" "--vocab-size 128256" "--split '99,1,0'")
else
    DATA=("--vocab-size 1000")
fi
if [ ! -f pretrain_gpt.py ]; then
    echo "not found"
    exit 1
fi
torchrun --nproc_per_node $GPUS_PER_NODE --nnodes 1 pretrain_gpt.py ${MODEL[@]} ${TRAIN[@]} ${TYPE[@]} ${PARALLEL[@]} ${DATA[@]}
)";

const std::string kList = "--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1 --bf16 ";

} // namespace

void TestImport::initTestCase()
{
    auto catalogue = loadCatalogue();
    QVERIFY(catalogue.ok());
    m_catalogue = std::move(catalogue).value();
}

Imported TestImport::imported(const std::string &text, const std::string &name)
{
    auto result = importForeign(text, name, m_catalogue);
    if (!result.ok()) {
        QTest::qFail(qPrintable(QStringLiteral("import failed with code %1").arg(static_cast<int>(result.error().code))), __FILE__, __LINE__);
        return {};
    }
    return std::move(result).value();
}

bool TestImport::says(const Imported &import, NoticeCode code, const std::vector<std::string> &arguments) const
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        if (notice.code != code || notice.arguments.size() < arguments.size()) return false;
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (textOf(notice.arguments[i]) != arguments[i]) return false;
        }
        return true;
    });
}

void TestImport::recognises_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("format"); // -1: none
    QTest::newRow("config") << QStringLiteral("\n {\"model_type\": \"llama\"}") << static_cast<int>(ForeignFormat::HuggingFaceConfig);
    QTest::newRow("gpt2 config") << QStringLiteral("{\"n_layer\": 12}") << static_cast<int>(ForeignFormat::HuggingFaceConfig);
    QTest::newRow("script") << QString::fromUtf8(kArrayScript) << static_cast<int>(ForeignFormat::MegatronArguments);
    QTest::newRow("arguments") << QString::fromStdString(kList) << static_cast<int>(ForeignFormat::MegatronArguments);
    QTest::newRow("a scenario") << QStringLiteral("{\"clusterbeat\": 1, \"model\": {\"hidden_size\": 1}}") << -1;
    QTest::newRow("other JSON") << QStringLiteral("{\"a\": 1}") << -1;
    QTest::newRow("prose") << QStringLiteral("hello") << -1;
    QTest::newRow("nothing") << QString() << -1;
}

void TestImport::recognises()
{
    QFETCH(QString, text);
    QFETCH(int, format);
    const auto found = recogniseFormat(text.toStdString());
    QCOMPARE(found ? static_cast<int>(*found) : -1, format);
}

// 12 servers x 8 = 96 GPUs, TP 4, PP 6: data 4. (46 + 2) / 6 = 8 layers a stage with embedding and head as layers.
void TestImport::slurmScriptOfAHundredBillion()
{
    const Imported import = imported(kSlurmScript);
    const Scenario &s = import.scenario;
    QCOMPARE(s.model->layers, 46);
    QCOMPARE(s.model->hidden, 8192);
    QCOMPARE(s.model->ffnHidden, 4 * 8192);
    QCOMPARE(s.model->heads, 64);
    QCOMPARE(s.model->kvHeads, 64);
    QCOMPARE(s.model->headDim, 128);
    QCOMPARE(s.model->vocab, 250880);
    QVERIFY(!s.model->gatedFfn);
    QVERIFY(s.model->tiedEmbeddings);
    QCOMPARE(s.training->sequenceLength, 2048);
    QCOMPARE(s.training->globalBatch, 1024);
    QCOMPARE(s.training->microBatch, 2);
    QVERIFY(s.training->precision == Precision::Bf16);
    QVERIFY(s.training->recompute && s.training->recompute->mode == RecomputeMode::Full);
    QCOMPARE(s.layout->tensor, 4);
    QCOMPARE(s.layout->pipeline, 6);
    QCOMPARE(s.layout->sequenceParallel, std::optional(false));
    QCOMPARE(s.layout->zeroStage, std::optional<std::int64_t>(1)); // stage 0 with bf16 is DeepSpeed's sharding BF16 optimizer
    QCOMPARE(s.cluster->gpus, 96);
    QCOMPARE(s.cluster->acceleratorName, std::string("A100-SXM4-80GB"));
    QCOMPARE(s.software->profile, std::string("megatron-ds"));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/model/ffn_hidden", "32768"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/layout/context", "1"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/cluster/accelerator", "A100-SXM4-80GB"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/software/profile", "megatron-ds"}));
    QVERIFY(says(import, NoticeCode::NotSimulated, {"--rampup-batch-size"}));
    QVERIFY(!says(import, NoticeCode::NotUnderstood, {"--lr"}));
    const auto resolved = resolve(s, m_catalogue);
    QVERIFY(resolved.ok());
    QCOMPARE(resolved.value().degrees.data, 4);
    QCOMPARE(resolved.value().microBatches, 1024 / (4 * 2));
    // The scenario survives its own file format, notes included.
    const auto again = readScenario(writeScenario(s), m_catalogue);
    QVERIFY(again.ok());
    QVERIFY(sameContent(again.value(), s));
    QVERIFY(again.value().notes.find("/layout/context = 1") != std::string::npos);
}

// TP 8 x PP 4 = 32 GPUs, the script's world has 8. GPT-2's 50,257 tokens padded to a multiple of 128 x 8 = 1,024: 51,200.
void TestImport::arraysAndAWorldThatGrows()
{
    const Imported import = imported(kArrayScript);
    const Scenario &s = import.scenario;
    QCOMPARE(s.model->layers, 24);
    QCOMPARE(s.model->hidden, 6144);
    QCOMPARE(s.model->vocab, 51200);
    QCOMPARE(s.training->globalBatch, 96);
    QVERIFY(s.training->precision == Precision::Fp16);
    QCOMPARE(s.training->gradientBytes, std::optional<std::int64_t>(2));
    QCOMPARE(s.layout->tensor, 8);
    QCOMPARE(s.layout->pipeline, 4);
    QCOMPARE(s.layout->data, std::optional<std::int64_t>(1));
    QCOMPARE(s.layout->layersPerStage, std::vector<std::int64_t>(4, 6));
    QCOMPARE(s.cluster->gpus, 32);
    QVERIFY(says(import, NoticeCode::WorldGrown, {"8", "32"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/model/vocab", "51200"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/cluster/accelerator", "H100-SXM5-80GB", "not in the file"}));
    QVERIFY(says(import, NoticeCode::NotUnderstood, {"--frobnicate"}));
    QVERIFY(says(import, NoticeCode::NotSimulated, {"--step-batch-size-schedule"}));
    const auto resolved = resolve(s, m_catalogue);
    QVERIFY(resolved.ok());
    QCOMPARE(resolved.value().microBatches, 96);
}

void TestImport::conditionalEightBillion()
{
    const Imported import = imported(kConditionalScript, "/x/train_h100_fp8.sh");
    const Scenario &s = import.scenario;
    QCOMPARE(s.name, std::string("train_h100_fp8"));
    QCOMPARE(s.model->ffnHidden, 14336);
    QCOMPARE(s.model->kvHeads, 8);
    QCOMPARE(s.model->headDim, 128);
    QCOMPARE(s.model->vocab, 128256); // = 1002 x 128: nothing to pad
    QVERIFY(s.model->gatedFfn);
    QVERIFY(!s.model->tiedEmbeddings);
    QVERIFY(s.training->precision == Precision::Fp8);
    QCOMPARE(s.training->gradientBytes, std::optional<std::int64_t>(2));
    QCOMPARE(s.training->parameterGatherBytes, std::optional<std::int64_t>(1));
    QCOMPARE(s.layout->tensor, 1);
    QCOMPARE(s.layout->pipeline, 1);
    QCOMPARE(s.layout->sequenceParallel, std::optional(false)); // asked for, but there is one tensor rank
    QCOMPARE(s.layout->zeroStage, std::optional<std::int64_t>(1));
    QCOMPARE(s.layout->overlapData, std::optional(true));
    QVERIFY(s.software->attentionKernel == AttentionKernel::CuDnn);
    QCOMPARE(s.software->fusedCrossEntropy, std::optional(true));
    QCOMPARE(s.cluster->gpus, 8);
    QCOMPARE(s.cluster->acceleratorName, std::string("H100-SXM5-80GB"));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/cluster/accelerator", "H100-SXM5-80GB", "from the file's name"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/layout/pipeline", "1"}));
    // The check for the training script guards nothing that matters here.
    QVERIFY(!says(import, NoticeCode::ConditionGuessed, {"[ ! -f pretrain_gpt.py ]"}));
    const auto resolved = resolve(s, m_catalogue);
    QVERIFY(resolved.ok());
    QCOMPARE(resolved.value().degrees.data, 8);
}

// One option a line, = and _ spellings, no launcher: the world is one replica.
void TestImport::plainArgumentList()
{
    const Imported import = imported("--num-layers=8\n--hidden_size 1024\n--num-attention-heads 16\n--seq-length 1024 --bf16\n# comment\n"
                                     "--micro-batch-size 2\n--tensor-model-parallel-size 2\n--sequence-parallel\n--recompute-activations\n--swiglu\n");
    const Scenario &s = import.scenario;
    QCOMPARE(s.model->layers, 8);
    QCOMPARE(s.model->hidden, 1024);
    QCOMPARE(s.model->ffnHidden, 2688); // 8/3 x 1024 = 2730, down to a multiple of 64
    QCOMPARE(s.cluster->gpus, 2);
    QCOMPARE(s.layout->data, std::optional<std::int64_t>(1));
    QCOMPARE(s.layout->sequenceParallel, std::optional(true));
    QCOMPARE(s.training->globalBatch, 2); // micro batch x data
    QVERIFY(s.training->recompute && s.training->recompute->mode == RecomputeMode::Selective);
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/training/global_batch", "2"}));
    QVERIFY(!says(import, NoticeCode::DefaultTaken, {"/training/precision"}));
    QVERIFY(says(import, NoticeCode::DefaultTaken, {"/cluster/gpus", "2"}));
}

// 48 layers, PP 4: 3 layers per virtual stage = 4 chunks a rank; the newer flag counts chunks itself.
void TestImport::interleavedStages()
{
    const std::string base = "--num-layers 48 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1 --bf16 "
                             "--pipeline-model-parallel-size 4 ";
    QCOMPARE(imported(base + "--num-layers-per-virtual-pipeline-stage 3").scenario.layout->virtualPipeline, std::optional<std::int64_t>(4));
    QCOMPARE(imported(base + "--num-virtual-stages-per-pipeline-rank 6").scenario.layout->virtualPipeline, std::optional<std::int64_t>(6));
    QCOMPARE(imported(base).scenario.layout->virtualPipeline, std::optional<std::int64_t>());
    // Megatron's group is the pipeline's size unless the option says more; without chunks it means nothing.
    const std::string chunks = base + "--num-virtual-stages-per-pipeline-rank 6 ", group = "--microbatch-group-size-per-virtual-pipeline-stage ";
    QCOMPARE(imported(chunks).scenario.layout->microBatchGroup, std::optional<std::int64_t>());
    QCOMPARE(imported(chunks + group + "8").scenario.layout->microBatchGroup, std::optional<std::int64_t>(8));
    QCOMPARE(imported(base + group + "8").scenario.layout->microBatchGroup, std::optional<std::int64_t>());
    const auto wrong = importForeign(base + "--num-layers-per-virtual-pipeline-stage 5", "a", m_catalogue);
    QVERIFY(!wrong.ok());
    QVERIFY(wrong.error().code == ErrorCode::NotDivisible);
}

// 30 layers, PP 4, 6 in the first and 8 in the last stage: (30 - 6 - 8) / 2 = 8 in the others.
void TestImport::unevenStages()
{
    const Imported import = imported("--num-layers 30 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 --micro-batch-size 1 --bf16 "
                                     "--pipeline-model-parallel-size 4 --decoder-first-pipeline-num-layers 6 --decoder-last-pipeline-num-layers 8");
    QCOMPARE(import.scenario.layout->layersPerStage, (std::vector<std::int64_t>{6, 8, 8, 8}));
}

void TestImport::megatronErrors_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QString>("argument");
    const auto row = [](const char *name, const std::string &text, ErrorCode code, const char *argument) {
        QTest::newRow(name) << QString::fromStdString(text) << static_cast<int>(code) << QString::fromUtf8(argument);
    };
    row("no heads", "--num-layers 8 --hidden-size 1024", ErrorCode::ImportMissing, "--num-attention-heads");
    row("no layers", "torchrun x.py --hidden-size 1024 --num-attention-heads 8", ErrorCode::ImportMissing, "--num-layers");
    row("only mentioned", "# --num-layers 8\necho --num-layers 8\n", ErrorCode::ImportMissing, "--num-layers");
    row("text for a number", kList + "--global-batch-size many", ErrorCode::NotAnInteger, "many");
    row("half a layer", "--num-layers 2.5 --hidden-size 8 --num-attention-heads 1", ErrorCode::NotAnInteger, "2.5");
    row("zero", kList + "--tensor-model-parallel-size 0", ErrorCode::OutOfRange, "0");
    row("negative", kList + "--pipeline-model-parallel-size -4", ErrorCode::OutOfRange, "-4");
    row("beyond everything", kList + "--global-batch-size 99999999999999999999999", ErrorCode::OutOfRange, "99999999999999999999999");
    row("value missing", kList + "--global-batch-size", ErrorCode::ImportMissing, "--global-batch-size");
    row("too many GPUs", kList + "--tensor-model-parallel-size 100000000 --pipeline-model-parallel-size 1000000000", ErrorCode::TooManyGpus, "100000000000000000");
    // Every product of two options that each pass: named, not wrapped round.
    row("all degrees", kList + "--tensor-model-parallel-size 999999999 --pipeline-model-parallel-size 999999999 --context-parallel-size 999999999", ErrorCode::TooManyGpus, "9223372036854775807");
    row("quote left open", "torchrun \"--num-layers 8", ErrorCode::ScriptSyntax, "closing quote or bracket");
}

void TestImport::megatronErrors()
{
    QFETCH(QString, text);
    QFETCH(int, code);
    QFETCH(QString, argument);
    const auto result = importForeign(text.toStdString(), "args.txt", m_catalogue, ForeignFormat::MegatronArguments);
    QVERIFY(!result.ok());
    QCOMPARE(static_cast<int>(result.error().code), code);
    QCOMPARE(QString::fromStdString(textOf(result.error().arguments.at(0))), argument);
    QCOMPARE(result.error().place.file, std::string("args.txt"));
}

void TestImport::unresolvedValueIsSaid()
{
    const Imported import = imported("torchrun --nproc_per_node 8 --nnodes $SLURM_NNODES x.py " + kList + "--global-batch-size ${GBS} --save $DIR $EXTRA");
    QVERIFY(says(import, NoticeCode::UnresolvedVariable, {"SLURM_NNODES"}));
    QVERIFY(says(import, NoticeCode::UnresolvedVariable, {"GBS"}));
    QVERIFY(says(import, NoticeCode::UnresolvedVariable, {"EXTRA"})); // could hold any option
    QVERIFY(!says(import, NoticeCode::UnresolvedVariable, {"DIR"}));  // a path
    QCOMPARE(import.scenario.cluster->gpus, 8);
    QCOMPARE(import.scenario.training->globalBatch, 8); // micro batch x data
    const Imported guessed = imported("if [ -f x ]; then TP=2; else TP=4; fi\ntorchrun x.py " + kList + "--tensor-model-parallel-size $TP");
    QCOMPARE(guessed.scenario.layout->tensor, 2);
    QVERIFY(says(guessed, NoticeCode::ConditionGuessed, {"[ -f x ]", "true"}));
}

void TestImport::expertsAreRead()
{
    const Imported import = imported(kList + "--num-experts 64 --moe-router-topk 6 --moe-ffn-hidden-size 512 --moe-layer-freq '([0]*1+[1]*7)' "
                                               "--moe-shared-expert-intermediate-size 1024 --expert-model-parallel-size 4");
    QCOMPARE(import.scenario.model->moe, std::optional(MoeShape{64, 6, 2, 512, 1, 1}));
    QCOMPARE(import.scenario.layout->expert, 4);
}

// Every outcome but a crash or an endless loop is fine; the text is tried in both formats.
void TestImport::hostileInputEnds_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray();
    QTest::newRow("zeros") << QByteArray(1'000'000, '\0');
    QTest::newRow("deep JSON") << QByteArray("{\"model_type\":").append(QByteArray("[").repeated(1'000'000));
    QTest::newRow("long option") << "--num-layers " + QByteArray("9").repeated(1'000'000);
    QTest::newRow("many options") << QByteArray("--num-layers 8 ") + QByteArray("--x y ").repeated(100'000);
    QTest::newRow("many different options") << [] {
        QByteArray text("--num-layers 8 --hidden-size 8 --num-attention-heads 1 ");
        for (int i = 0; i < 20'000; ++i)
            text += "--x" + QByteArray::number(i) + " $V" + QByteArray::number(i) + ' ';
        return text;
    }();
    QTest::newRow("largest shape") << QByteArray("{\"num_hidden_layers\": 1000000000, \"hidden_size\": 1000000000, \"num_attention_heads\": 1000000000, "
                                                 "\"vocab_size\": 1000000000}");
    // The largest numbers that a scenario file may hold.
    QTest::newRow("largest readable shape") << QByteArray("{\"num_hidden_layers\": 10000, \"hidden_size\": 1000000, \"num_attention_heads\": 65536, "
                                                          "\"vocab_size\": 100000000}");
    QTest::newRow("deep and narrow") << QByteArray("{\"num_hidden_layers\": 10000, \"hidden_size\": 8192, \"num_attention_heads\": 64, \"vocab_size\": 1000}");
    QTest::newRow("largest arguments") << QByteArray("--num-layers 1000000000 --hidden-size 1000000000 --num-attention-heads 1000000000 "
                                                     "--pipeline-model-parallel-size 1000000 --micro-batch-size 1000000000 --nnodes 9999999 "
                                                     "--nproc-per-node 1000000000");
    QTest::newRow("control characters") << QByteArray("torchrun --num-layers \x01X\x02 --hidden-size \x01 \x02");
}

void TestImport::hostileInputEnds()
{
    QFETCH(QByteArray, text);
    for (const ForeignFormat format : {ForeignFormat::HuggingFaceConfig, ForeignFormat::MegatronArguments}) {
        const auto result = importForeign(text.toStdString(), "hostile", m_catalogue, format);
        if (result.ok()) QVERIFY(result.value().notices.size() <= 1000);
        else QCOMPARE(result.error().place.file, std::string("hostile"));
    }
}

QTEST_APPLESS_MAIN(TestImport)
#include "tst_import.moc"
