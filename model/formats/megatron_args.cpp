// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_args.h"

#include "model/base/integers.h"
#include "model/formats/megatron_cluster.h"
#include "model/formats/megatron_launch.h"
#include "model/formats/megatron_options.h"
#include "model/formats/shell_words.h"
#include "model/scenario/enum_names.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kGpt2Vocabulary = 50257;
constexpr std::int64_t kDefaultSequence = 8192;

std::int64_t roundedUp(std::int64_t value, std::int64_t multiple) { return saturatingProduct((value - 1) / multiple + 1, multiple); }

/// Where several values of one kind are read: keeps the first thing that is missing.
class Reader {
public:
    Reader(MegatronOptions &options, ImportNotes &notes, const ShellScript &script) : m_options(options), m_notes(notes), m_script(script) {}

    std::int64_t required(std::string_view name)
    {
        const auto value = m_options.integer({name});
        if (!value && !m_missing) m_missing = missingOption("--" + std::string(name), m_options.words(), m_script, m_notes.file());
        return value.value_or(1);
    }
    std::int64_t orDefault(MegatronOptions::Names names, std::int64_t fallback, std::string_view key, std::string_view reason = why::kMegatron)
    {
        const auto value = m_options.integer(names);
        if (!value) m_notes.defaultTaken(key, fallback, reason);
        return value.value_or(fallback);
    }
    [[nodiscard]] std::optional<Error> error() const { return m_options.error() ? m_options.error() : m_missing; }

    MegatronOptions &m_options;
    ImportNotes &m_notes;

private:
    const ShellScript &m_script;
    std::optional<Error> m_missing;
};

void readExperts(Reader &reader, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    const auto experts = options.integer({"num-experts", "num-moe-experts"});
    if (!experts || *experts < 2) return;
    MoeShape moe;
    moe.experts = *experts;
    moe.topK = reader.orDefault({"moe-router-topk", "topk"}, 2, "/model/moe/top_k");
    moe.expertFfnHidden = reader.orDefault({"moe-ffn-hidden-size"}, model.ffnHidden, "/model/moe/expert_ffn_hidden");
    if (const auto shared = options.integer({"moe-shared-expert-intermediate-size"})) moe.sharedExperts = std::max<std::int64_t>(1, *shared / moe.expertFfnHidden);
    const std::string frequency = options.text({"moe-layer-freq"});
    const bool number = !frequency.empty() && frequency.size() < 6 && frequency.find_first_not_of("0123456789") == std::string::npos;
    if (number) {
        moe.every = std::max(1, std::stoi(frequency));
    } else if (const std::size_t dense = frequency.find("[0]*"); dense != std::string::npos) {
        // "([0]*3+[1]*58)": so many dense layers first, then experts in every layer.
        std::int64_t layers = 0;
        for (std::size_t i = dense + 4; i < frequency.size() && frequency[i] >= '0' && frequency[i] <= '9'; ++i)
            layers = std::min<std::int64_t>(layers * 10 + (frequency[i] - '0'), model.layers);
        moe.denseLayers = layers;
    }
    model.moe = moe;
}

void readAttention(Reader &reader, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    // Megatron-LM's default is one query group, but only once grouped-query attention is asked for.
    if (options.has({"group-query-attention"})) model.kvHeads = reader.orDefault({"num-query-groups"}, 1, "/model/kv_heads");
    else model.kvHeads = reader.orDefault({"num-key-value-heads"}, model.heads, "/model/kv_heads");
    if (options.has({"multi-latent-attention"})) {
        MlaShape mla;
        mla.qLoraRank = options.integer({"q-lora-rank"}).value_or(0);
        mla.kvLoraRank = reader.orDefault({"kv-lora-rank"}, 32, "/model/mla/kv_lora_rank");
        mla.nopeHeadDim = reader.orDefault({"qk-head-dim"}, 128, "/model/mla/nope_head_dim");
        mla.ropeHeadDim = reader.orDefault({"qk-pos-emb-head-dim"}, 64, "/model/mla/rope_head_dim");
        mla.vHeadDim = reader.orDefault({"v-head-dim"}, 128, "/model/mla/v_head_dim");
        model.mla = mla;
        model.headDim = mla.nopeHeadDim + mla.ropeHeadDim;
        return;
    }
    const std::int64_t headDim = std::max<std::int64_t>(1, model.hidden / std::max<std::int64_t>(1, model.heads));
    model.headDim = reader.orDefault({"kv-channels"}, headDim, "/model/head_dim");
}

void readVocabulary(Reader &reader, std::int64_t tensor, ModelSection &model)
{
    MegatronOptions &options = reader.m_options;
    ImportNotes &notes = reader.m_notes;
    const bool gpt2 = options.has({"vocab-file", "merge-file"}) || options.text({"tokenizer-type"}) == "GPT2BPETokenizer";
    const auto padded = options.integer({"padded-vocab-size", "pad-vocab-size-to"});
    const auto plain = options.integer({"vocab-size"});
    if (padded) {
        model.vocab = *padded;
        return;
    }
    // The embedding is cut evenly over the tensor-parallel ranks, so the vocabulary is padded to a multiple.
    const std::int64_t multiple = saturatingProduct(options.integer({"make-vocab-size-divisible-by"}).value_or(128), tensor);
    model.vocab = roundedUp(plain.value_or(kGpt2Vocabulary), multiple);
    if (!plain) notes.defaultTaken("/model/vocab", model.vocab, gpt2 ? why::kGpt2Vocabulary : why::kNotInFile);
    else if (model.vocab != *plain) notes.defaultTaken("/model/vocab", model.vocab, why::kPadded);
}

ModelSection readModel(Reader &reader, std::int64_t tensor)
{
    MegatronOptions &options = reader.m_options;
    ModelSection model;
    model.layers = reader.required("num-layers");
    model.hidden = reader.required("hidden-size");
    model.heads = reader.required("num-attention-heads");
    model.gatedFfn = options.has({"swiglu"});
    model.activation = model.gatedFfn ? "silu" : options.has({"squared-relu"}) ? "relu2" : "gelu";
    // Two thirds of 4 h keep a gated block's parameters; Megatron-LM rounds them down to a multiple of 64.
    const std::int64_t ffn = model.gatedFfn ? saturatingProduct(8, model.hidden) / 3 / 64 * 64 : saturatingProduct(4, model.hidden);
    model.ffnHidden = reader.orDefault({"ffn-hidden-size"}, std::max<std::int64_t>(1, ffn), "/model/ffn_hidden");
    readAttention(reader, model);
    model.tiedEmbeddings = !options.has({"untie-embeddings-and-output-weights"});
    readVocabulary(reader, tensor, model);
    readExperts(reader, model);
    model.mtpLayers = options.integer({"mtp-num-layers"}, 0).value_or(0);
    return model;
}

/// Megatron-Core's selective recompute names modules, the attention core unless told otherwise.
Recompute readModules(MegatronOptions &options, ImportNotes &notes)
{
    Recompute recompute{RecomputeMode::Selective, 0, {}};
    for (const std::string &module : options.list({"recompute-modules"})) {
        if (std::find(kRecomputeModules.begin(), kRecomputeModules.end(), module) == kRecomputeModules.end()) {
            notes.ignored("--recompute-modules " + module.substr(0, 40));
            continue;
        }
        recompute.mode = RecomputeMode::Modules;
        recompute.modules.push_back(module);
    }
    return recompute;
}

Recompute readRecompute(MegatronOptions &options, ImportNotes &notes)
{
    const std::string granularity = options.text({"recompute-granularity"});
    const std::string method = options.text({"recompute-method", "activations-checkpoint-method"});
    const auto layers = options.integer({"recompute-num-layers", "checkpoint-num-layers"});
    const bool full = granularity == "full" || options.has({"checkpoint-activations", "activations-checkpoint-method"});
    if (full && method == "block" && layers) return {RecomputeMode::Layers, *layers, {}};
    if (full) return {RecomputeMode::Full, 0, {}};
    if (granularity == "selective" || options.has({"recompute-activations"})) return readModules(options, notes);
    return {};
}

TrainingSection readTraining(Reader &reader, bool deepSpeed, std::int64_t replicas)
{
    MegatronOptions &options = reader.m_options;
    ImportNotes &notes = reader.m_notes;
    TrainingSection training;
    const auto positions = options.integer({"max-position-embeddings"});
    training.sequenceLength = reader.orDefault({"seq-length", "encoder-seq-length"}, positions.value_or(kDefaultSequence),
                                               "/training/sequence_length", why::kNotInFile);
    training.microBatch = reader.orDefault({"micro-batch-size", "batch-size"}, 1, "/training/micro_batch", why::kNotInFile);
    training.globalBatch = reader.orDefault({"global-batch-size"}, saturatingProduct(training.microBatch, replicas), "/training/global_batch");
    const bool bf16 = options.has({"bf16"});
    const bool fp16 = options.has({"fp16"});
    if (options.has({"fp4-format"})) training.precision = Precision::Fp4;
    else if (options.has({"fp8-format", "fp8-hybrid", "fp8-e4m3"})) training.precision = Precision::Fp8;
    else training.precision = fp16 ? Precision::Fp16 : Precision::Bf16;
    if (!bf16 && !fp16 && training.precision == Precision::Bf16) notes.defaultTaken("/training/precision", "bf16", why::kNotInFile);
    training.recompute = readRecompute(options, notes);
    const std::string optimizer = options.text({"optimizer"});
    if (!optimizer.empty() && optimizer != "adam") notes.ignored("--optimizer " + optimizer.substr(0, 40));
    training.optimizerOffload = options.has({"optimizer-cpu-offload", "cpu-optimizer"});
    training.offloadLayers = options.integer({"cpu-offloading-num-layers"}, 0).value_or(0);

    // Megatron-LM accumulates and reduces bf16 gradients in fp32 unless told otherwise, fp16 ones in fp16.
    const bool fp32 = options.has({"accumulate-allreduce-grads-in-fp32"}) || training.precision != Precision::Fp16;
    const bool half = options.has({"grad-reduce-in-bf16"});
    if (!deepSpeed) training.gradientBytes = fp32 && !half ? 4 : 2;
    if (options.has({"fp8-param-gather"})) training.parameterGatherBytes = 1;
    return training;
}

/// Chunks per rank; Megatron-LM's older flag counts layers per chunk.
std::int64_t readChunks(Reader &reader, std::int64_t layers, std::int64_t pipeline, std::optional<Error> &error)
{
    MegatronOptions &options = reader.m_options;
    const auto stages = options.integer({"num-virtual-stages-per-pipeline-rank"});
    const auto perChunk = options.integer({"num-layers-per-virtual-pipeline-stage"});
    if (pipeline == 1) return 1;
    if (stages) return *stages;
    if (!perChunk) return 1;
    if (layers % saturatingProduct(pipeline, *perChunk) == 0) return layers / saturatingProduct(pipeline, *perChunk);
    error = Error{ErrorCode::NotDivisible, {reader.m_notes.file(), "--num-layers-per-virtual-pipeline-stage", 0, 0},
                  {std::string("--num-layers"), layers, std::string("pipeline * layers per chunk"), saturatingProduct(pipeline, *perChunk)}};
    return 1;
}

void readStages(MegatronOptions &options, std::int64_t layers, LayoutSection &layout)
{
    const std::int64_t chunks = saturatingProduct(layout.pipeline, layout.virtualPipeline.value_or(1));
    const bool partitioned = options.text({"pp-partition-method"}).find("embedding") != std::string::npos;
    const bool embedding = options.has({"account-for-embedding-in-pipeline-split"}) || partitioned;
    const bool head = options.has({"account-for-loss-in-pipeline-split"}) || partitioned;
    const auto first = options.integer({"decoder-first-pipeline-num-layers"});
    const auto last = options.integer({"decoder-last-pipeline-num-layers"});
    if (embedding || head) {
        layout.embeddingAsLayer = embedding;
        layout.headAsLayer = head;
        return;
    }
    const std::int64_t ends = (first ? 1 : 0) + (last ? 1 : 0);
    const std::int64_t inner = layers - first.value_or(0) - last.value_or(0);
    const bool even = chunks > ends ? inner >= 0 && inner % (chunks - ends) == 0 : inner == 0;
    if (layout.pipeline == 1 || chunks > layers + 2 || !even || (ends > 0 && layout.virtualPipeline.value_or(1) > 1)) return;
    layout.layersPerStage.assign(static_cast<std::size_t>(chunks), chunks > ends ? inner / (chunks - ends) : 0);
    if (first) layout.layersPerStage.front() = *first;
    if (last) layout.layersPerStage.back() = *last;
}

LayoutSection readDegrees(Reader &reader)
{
    MegatronOptions &options = reader.m_options;
    LayoutSection layout;
    layout.tensor = reader.orDefault({"tensor-model-parallel-size", "model-parallel-size"}, 1, "/layout/tensor");
    layout.pipeline = reader.orDefault({"pipeline-model-parallel-size"}, 1, "/layout/pipeline");
    layout.context = reader.orDefault({"context-parallel-size"}, 1, "/layout/context");
    layout.expert = options.integer({"expert-model-parallel-size"}).value_or(1);
    layout.expertTensor = options.integer({"expert-tensor-parallel-size"}).value_or(1);
    return layout;
}

/// Megatron-Core passes keys and values around a ring unless told to gather them.
void readContextExchange(Reader &reader, LayoutSection &layout)
{
    const std::string type = reader.m_options.text({"cp-comm-type"});
    if (layout.context <= 1) return;
    if (type == "all_gather") layout.contextExchange = ContextExchange::AllGather;
    else if (type.empty() || type == "p2p") layout.contextExchange = ContextExchange::Ring;
    else reader.m_notes.ignored("--cp-comm-type " + type.substr(0, 40));
    if (type.empty()) reader.m_notes.defaultTaken("/layout/context_exchange", "ring", why::kMegatron);
}

void readLayout(Reader &reader, bool deepSpeed, LayoutSection &layout)
{
    MegatronOptions &options = reader.m_options;
    // Sequence parallelism splits over the tensor ranks: with one there is nothing to split.
    layout.sequenceParallel = options.has({"sequence-parallel"}) && layout.tensor > 1;
    const auto stage = options.integer({"zero-stage"}, 0);
    const std::string sharding = options.text({"data-parallel-sharding-strategy"});
    const bool distributed = options.has({"use-distributed-optimizer"});
    if (sharding == "optim-grads-params" || sharding == "optim_grads_params" || options.has({"use-torch-fsdp2"})) layout.zeroStage = 3;
    else layout.zeroStage = std::min<std::int64_t>(3, stage.value_or(distributed ? 1 : 0));
    if (deepSpeed && layout.zeroStage == 0 && options.has({"bf16"})) {
        layout.zeroStage = 1;
        reader.m_notes.defaultTaken("/layout/zero_stage", 1, why::kDeepSpeedBf16);
    } else if (!stage && !distributed && sharding.empty() && layout.zeroStage == 0) {
        reader.m_notes.defaultTaken("/layout/zero_stage", 0, why::kMegatron);
    }
    if (!deepSpeed) layout.overlapData = options.has({"overlap-grad-reduce"});
    if (!deepSpeed && layout.pipeline > 1)
        layout.overlapPipeline = layout.virtualPipeline.value_or(1) > 1 && !options.has({"no-overlap-p2p-communication"});
    const auto group = options.integer({"microbatch-group-size-per-virtual-pipeline-stage"});
    if (group && layout.virtualPipeline.value_or(1) > 1 && *group != layout.pipeline) layout.microBatchGroup = *group;
    if (options.has({"use-tp-pp-dp-mapping"}))
        layout.order = std::array{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
}

/// The stack by its flags: Megatron-DeepSpeed says so, Megatron-Core brought transformer engine, fp8 and overlap flags.
SoftwareSection readSoftware(Reader &reader, bool deepSpeed)
{
    MegatronOptions &options = reader.m_options;
    SoftwareSection software;
    const bool core = options.has({"use-mcore-models", "attention-backend", "fp8-format", "overlap-grad-reduce", "overlap-param-gather",
                                   "tp-comm-overlap", "transformer-impl", "context-parallel-size", "cross-entropy-loss-fusion"});
    const bool flash = options.has({"use-flash-attn", "use-flash-attn-v2"});
    software.profile = deepSpeed ? "megatron-ds" : core ? "nemo24" : flash ? "megatron23" : "megatron22";
    reader.m_notes.defaultTaken("/software/profile", software.profile, why::kInferred);

    const std::string backend = options.text({"attention-backend"});
    if (backend == "flash" || (flash && software.profile != "megatron23")) software.attentionKernel = AttentionKernel::Fa2;
    if (backend == "fused") software.attentionKernel = AttentionKernel::CuDnn;
    if (backend == "unfused" || backend == "local") software.attentionKernel = AttentionKernel::Unfused;
    if (options.has({"cross-entropy-loss-fusion"})) software.fusedCrossEntropy = true;
    if (core && !deepSpeed) software.tensorOverlap = options.has({"tp-comm-overlap"});
    if (options.has({"external-cuda-graph", "enable-cuda-graph", "cuda-graph-impl"})) software.cudaGraphs = CudaGraphs::Partial;
    if (options.text({"cuda-graph-scope"}) == "full_iteration") software.cudaGraphs = CudaGraphs::Full;
    const std::string recipe = options.text({"fp8-recipe"});
    if (recipe == "delayed" || recipe == "mxfp8") software.fp8Recipe = recipe;
    if (recipe == "tensorwise") software.fp8Recipe = "current";
    if (recipe == "blockwise") software.fp8Recipe = "rowwise";
    if (options.has({"moe-enable-deepep"})) software.moeDispatcher = "deepep";
    else if (options.text({"moe-token-dispatcher-type"}) == "alltoall") software.moeDispatcher = "alltoall";
    if (options.has({"overlap-moe-expert-parallel-comm"})) software.expertOverlap = true;
    return software;
}

} // namespace

Result<Scenario> readMegatronArguments(std::string_view text, const Catalogue &catalogue, ImportNotes &notes, const ShellInput &input)
{
    auto script = readShellScript(text, notes.file(), input);
    if (!script.ok()) return script.error();
    MegatronLaunch launch = chooseLaunch(script.value());
    if (launch.words.empty() && script.value().exitLine > 0) { // it ends before the training, for want of arguments: read on
        ShellInput again = input;
        again.ignoreExit = true;
        auto whole = readShellScript(text, notes.file(), again);
        if (whole.ok()) script = std::move(whole);
        launch = chooseLaunch(script.value());
    }
    if (launch.words.empty()) return missingOption("--num-layers", launch.words, script.value(), notes.file());
    noteLaunch(script.value(), launch, notes);

    MegatronOptions options(launch.words, notes);
    Reader reader(options, notes, script.value());
    const bool deepSpeed = options.has({"deepspeed", "deepspeed-config"}) || options.has({"zero-stage"});

    LayoutSection layout = readDegrees(reader);
    const std::int64_t perReplica = saturatingProduct(saturatingProduct(layout.tensor, layout.pipeline), layout.context);
    if (perReplica > kMostMegatronGpus)
        return Error{ErrorCode::TooManyGpus, {notes.file(), "", 0, 0}, {perReplica, kMostMegatronGpus}};
    ModelSection model = readModel(reader, layout.tensor);
    std::optional<Error> error;
    const std::int64_t chunks = readChunks(reader, model.layers, layout.pipeline, error);
    if (chunks > 1) layout.virtualPipeline = chunks;
    readLayout(reader, deepSpeed, layout);
    readContextExchange(reader, layout);
    readStages(options, model.layers, layout);
    SoftwareSection software = readSoftware(reader, deepSpeed);
    ClusterSection cluster = readMegatronCluster(script.value(), options, catalogue, notes);
    growWorld(perReplica, cluster, layout, notes);
    TrainingSection training = readTraining(reader, deepSpeed, std::max<std::int64_t>(1, cluster.gpus / perReplica));
    if (const auto wrong = reader.error()) return *wrong;
    if (error) return *error;
    options.reportIgnored();

    Scenario scenario;
    const std::size_t slash = notes.file().find_last_of("/\\");
    scenario.name = notes.file().substr(slash == std::string::npos ? 0 : slash + 1);
    scenario.model = std::make_shared<const ModelSection>(std::move(model));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    scenario.layout = std::make_shared<const LayoutSection>(std::move(layout));
    scenario.software = std::make_shared<const SoftwareSection>(std::move(software));
    scenario.cluster = std::make_shared<const ClusterSection>(std::move(cluster));
    return scenario;
}

} // namespace clusterbeat
