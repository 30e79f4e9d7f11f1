// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_args.h"

#include "model/base/integers.h"
#include "model/formats/megatron_cluster.h"
#include "model/formats/megatron_launch.h"
#include "model/formats/megatron_layout.h"
#include "model/formats/megatron_model.h"
#include "model/formats/megatron_options.h"
#include "model/formats/shell_words.h"
#include "model/scenario/enum_names.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kDefaultSequence = 8192;

/// Megatron-Core's selective recompute names modules, the attention core unless told otherwise.
Recompute readModules(MegatronOptions &options, ImportNotes &notes)
{
    Recompute recompute{RecomputeMode::Selective, 0, {}};
    for (const std::string &module : options.list({"recompute-modules"})) {
        if (std::find(kRecomputeModules.begin(), kRecomputeModules.end(), module) == kRecomputeModules.end()) {
            notes.notSimulated("--recompute-modules " + module.substr(0, 40));
            continue;
        }
        recompute.mode = RecomputeMode::Modules;
        recompute.modules.push_back(module);
    }
    return recompute;
}

/// `chunks` and `chunkLayers` of a stage: Megatron-Core counts the layers to recompute in each chunk.
Recompute readRecompute(MegatronOptions &options, ImportNotes &notes, std::int64_t chunks, std::int64_t chunkLayers)
{
    const std::string granularity = options.text({"recompute-granularity"});
    const std::string method = options.text({"recompute-method", "activations-checkpoint-method"});
    const auto layers = options.integer({"recompute-num-layers", "checkpoint-num-layers"});
    const bool full = granularity == "full" || options.has({"checkpoint-activations", "activations-checkpoint-method"});
    if (full && method == "block" && layers) return {RecomputeMode::Layers, saturatingProduct(chunks, std::min(*layers, chunkLayers)), {}};
    if (full) return {RecomputeMode::Full, 0, {}};
    if (granularity == "selective" || options.has({"recompute-activations"})) return readModules(options, notes);
    if (options.has({"moe-layer-recompute"})) return {RecomputeMode::Modules, 0, {"moe"}};
    return {};
}

/// Parameters are fp32 unless an option says otherwise. DeepSpeed's configuration may say it instead, and so may options
/// that are in a variable of the job's environment.
std::optional<Error> readPrecision(MegatronReader &reader, std::string_view script, TrainingSection &training)
{
    MegatronOptions &options = reader.m_options;
    const bool fp16 = options.has({"fp16"});
    const bool bf16 = options.has({"bf16"});
    training.precision = fp16 ? Precision::Fp16 : Precision::Bf16;
    if (options.has({"fp4-format"})) training.precision = Precision::Fp4;
    else if (options.has({"fp8-format", "fp8-hybrid", "fp8-e4m3"})) training.precision = Precision::Fp8;
    if (bf16 || fp16 || training.precision != Precision::Bf16) return std::nullopt;
    if (!reader.m_deepSpeed && !options.hasUnresolved())
        return Error{ErrorCode::ImportNotSimulated, {reader.m_notes.file(), "", 0, 0}, {std::string(feature::kFp32), std::string("no --bf16 or --fp16"), std::string("--bf16")}};
    const std::size_t said = script.find("\"fp16\"");
    if (said != std::string_view::npos && script.substr(said, 60).find("true") != std::string_view::npos) training.precision = Precision::Fp16;
    else reader.m_notes.defaultTaken("/training/precision", "bf16", why::kNotInFile);
    return std::nullopt;
}

TrainingSection readTraining(MegatronReader &reader, MegatronKind kind, std::int64_t replicas)
{
    MegatronOptions &options = reader.m_options;
    ImportNotes &notes = reader.m_notes;
    TrainingSection training;
    const auto positions = options.integer({"max-position-embeddings"});
    const bool twoSequences = kind == MegatronKind::VisionLanguage && options.has({"decoder-seq-length"});
    if (twoSequences && options.has({"seq-length"})) notes.notSimulated("--seq-length"); // the image part's
    if (twoSequences) training.sequenceLength = options.integer({"decoder-seq-length"}).value_or(1);
    else training.sequenceLength = reader.orDefault({"seq-length", "encoder-seq-length"}, positions.value_or(kDefaultSequence),
                                               "/training/sequence_length", why::kNotInFile);
    training.microBatch = reader.orDefault({"micro-batch-size", "batch-size"}, 1, "/training/micro_batch", why::kNotInFile);
    training.globalBatch = reader.orDefault({"global-batch-size"}, saturatingProduct(training.microBatch, replicas), "/training/global_batch");
    if (kind == MegatronKind::Bidirectional) {
        training.causalAttention = false;
        notes.defaultTaken("/training/causal_attention", "false", why::kBidirectional);
    }
    const std::string optimizer = options.text({"optimizer"});
    if (!optimizer.empty() && optimizer != "adam") notes.notSimulated("--optimizer " + optimizer.substr(0, 40));
    training.optimizerOffload = options.has({"optimizer-cpu-offload", "cpu-optimizer"});
    training.offloadLayers = options.integer({"cpu-offloading-num-layers"}, 0).value_or(0);
    return training;
}

/// After the precision. Megatron-DeepSpeed's are its profile's.
void readGradients(MegatronReader &reader, TrainingSection &training)
{
    MegatronOptions &options = reader.m_options;
    // Megatron-LM accumulates and reduces bf16 gradients in fp32 unless told otherwise, fp16 ones in fp16.
    const bool fp32 = options.has({"accumulate-allreduce-grads-in-fp32"}) || training.precision != Precision::Fp16;
    const bool half = options.has({"grad-reduce-in-bf16"});
    if (!reader.m_deepSpeed) training.gradientBytes = fp32 && !half ? 4 : 2;
    if (options.has({"fp8-param-gather"})) training.parameterGatherBytes = 1;
}

/// The stack by its flags. Megatron-Core's kernels are today's default, so older ones take a flag that only older code has.
std::string profileOf(MegatronOptions &options, bool deepSpeed)
{
    const bool core = options.has({"use-mcore-models", "attention-backend", "fp8-format", "overlap-grad-reduce", "overlap-param-gather",
                                   "tp-comm-overlap", "transformer-impl", "context-parallel-size", "cross-entropy-loss-fusion"});
    const bool flash = options.has({"use-flash-attn", "use-flash-attn-v2"});
    const bool old = options.has({"DDP-impl", "checkpoint-activations", "activations-checkpoint-method", "model-parallel-size",
                                  "checkpoint-num-layers", "no-contiguous-buffers-in-local-ddp", "scaled-upper-triang-masked-softmax-fusion"});
    const bool zeroBubble = options.has({"enable-zero-bubble", "zero-bubble-v-schedule", "enable-zbh1-pipeline"});
    if (deepSpeed) return "megatron-ds";
    if (core) return "nemo24";
    if (flash) return "megatron23";
    return zeroBubble ? "zero-bubble" : old ? "megatron22" : "nemo24";
}

SoftwareSection readSoftware(MegatronReader &reader)
{
    MegatronOptions &options = reader.m_options;
    SoftwareSection software;
    software.profile = profileOf(options, reader.m_deepSpeed);
    const bool core = software.profile == "nemo24";
    const bool flash = options.has({"use-flash-attn", "use-flash-attn-v2"});
    reader.m_notes.defaultTaken("/software/profile", software.profile, why::kInferred);

    const std::string backend = options.text({"attention-backend"});
    if (backend == "flash" || (flash && software.profile != "megatron23")) software.attentionKernel = AttentionKernel::Fa2;
    if (backend == "fused") software.attentionKernel = AttentionKernel::CuDnn;
    if (backend == "unfused" || backend == "local") software.attentionKernel = AttentionKernel::Unfused;
    if (options.has({"cross-entropy-loss-fusion"})) software.fusedCrossEntropy = true;
    if (core) software.tensorOverlap = options.has({"tp-comm-overlap"});
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
    MegatronReader reader(options, notes, script.value());
    const std::string launcher = options.programWords().empty() ? std::string() : options.programWords().front();
    reader.m_deepSpeed = options.has({"deepspeed", "deepspeed-config"}) || options.has({"zero-stage"}) || launcher == "deepspeed";
    const auto kind = megatronKind(options, notes);
    if (!kind.ok()) return kind.error();
    if (kind.value() == MegatronKind::VisionLanguage) notes.notSimulated("--vision-model-type");

    LayoutSection layout = readMegatronDegrees(reader);
    const std::int64_t perReplica = saturatingProduct(saturatingProduct(layout.tensor, layout.pipeline), layout.context);
    const std::int64_t smallest = smallestMegatronWorld(layout);
    if (smallest > kMostMegatronGpus) return Error{ErrorCode::TooManyGpus, {notes.file(), "", 0, 0}, {smallest, kMostMegatronGpus}};
    ModelSection model = readMegatronModel(reader, layout.tensor);
    const std::optional<Error> error = readMegatronLayout(reader, model, text, layout);
    SoftwareSection software = readSoftware(reader);
    ClusterSection cluster = readMegatronCluster(script.value(), options, catalogue, notes);
    growWorld(smallest, perReplica, cluster, layout, notes);
    TrainingSection training = readTraining(reader, kind.value(), std::max<std::int64_t>(1, cluster.gpus / perReplica));
    const std::int64_t chunks = layout.virtualPipeline.value_or(1);
    training.recompute = readRecompute(options, notes, chunks, std::max<std::int64_t>(1, model.layers / saturatingProduct(layout.pipeline, chunks)));
    if (const auto wrong = reader.error()) return *wrong;
    if (error) return *error;
    if (const auto refused = readPrecision(reader, text, training)) return *refused;
    readGradients(reader, training);
    options.report();

    Scenario scenario;
    scenario.name = notes.readableName();
    scenario.model = std::make_shared<const ModelSection>(std::move(model));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    scenario.layout = std::make_shared<const LayoutSection>(std::move(layout));
    scenario.software = std::make_shared<const SoftwareSection>(std::move(software));
    scenario.cluster = std::make_shared<const ClusterSection>(std::move(cluster));
    return scenario;
}

} // namespace clusterbeat
