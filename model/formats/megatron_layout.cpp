// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/megatron_layout.h"

#include "model/base/integers.h"
#include "model/formats/layer_pattern.h"
#include "model/formats/megatron_cluster.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostParts = 100'000;

/// Chunks per rank; Megatron-LM's older flag counts layers per chunk.
std::int64_t readChunks(MegatronReader &reader, std::int64_t layers, std::int64_t pipeline, std::optional<Error> &error)
{
    MegatronOptions &options = reader.m_options;
    const auto stages = options.integer({"num-virtual-stages-per-pipeline-rank", "virtual-pipeline-model-parallel-size"});
    const auto perChunk = options.integer({"num-layers-per-virtual-pipeline-stage"});
    if (pipeline == 1) return 1;
    if (stages) return *stages;
    if (!perChunk) return 1;
    if (layers % saturatingProduct(pipeline, *perChunk) == 0) return layers / saturatingProduct(pipeline, *perChunk);
    error = Error{ErrorCode::NotDivisible, {reader.m_notes.file(), "--num-layers-per-virtual-pipeline-stage", 0, 0},
                  {std::string("--num-layers"), layers, std::string("pipeline * layers per chunk"), saturatingProduct(pipeline, *perChunk)}};
    return 1;
}

/// Parts of the model by name, part i in chunk i / pipeline of stage i % pipeline. True when the file says it.
bool readNamedParts(MegatronReader &reader, const ModelSection &model, LayoutSection &layout, std::optional<Error> &error)
{
    const std::string text = reader.m_options.text({"pipeline-model-parallel-layout"});
    if (text.empty()) return false;
    const auto parts = readStageLayout(text);
    if (!parts) {
        reader.m_notes.notSimulated("--pipeline-model-parallel-layout");
        return false;
    }
    const auto count = static_cast<std::int64_t>(parts->layers.size());
    const std::int64_t sum = std::accumulate(parts->layers.begin(), parts->layers.end(), std::int64_t{0});
    const Place place{reader.m_notes.file(), "--pipeline-model-parallel-layout", 0, 0};
    if (count % layout.pipeline != 0)
        error = Error{ErrorCode::NotDivisible, place, {std::string("parts"), count, std::string("--pipeline-model-parallel-size"), layout.pipeline}};
    else if (sum != model.layers)
        error = Error{ErrorCode::Contradiction, place, {std::string("layers in it"), sum, std::string("--num-layers"), model.layers}};
    if (error || layout.pipeline == 1) return true;
    layout.layersPerStage = parts->layers;
    const std::int64_t chunks = count / layout.pipeline;
    if (chunks > 1) layout.virtualPipeline = chunks;
    // A prediction module may have a stage of its own behind the last layer; with that layer is the default.
    const auto predictions = static_cast<std::int64_t>(parts->predictionPart.value_or(0));
    if (model.mtpLayers > 0 && parts->predictionPart && parts->layers[*parts->predictionPart] == 0 && predictions / layout.pipeline == chunks - 1)
        layout.mtpStage = predictions % layout.pipeline;
    return true;
}

/// MindSpeed-LLM's list of the layers of each stage.
bool readListedStages(MegatronReader &reader, std::int64_t layers, LayoutSection &layout)
{
    const std::string text = reader.m_options.text({"num-layer-list"});
    if (text.empty() || layout.pipeline == 1) return false;
    const auto list = readPythonList("[" + text + "]");
    const bool fits = list && static_cast<std::int64_t>(list->items.size()) == layout.pipeline &&
                      std::accumulate(list->items.begin(), list->items.end(), std::int64_t{0}) == layers;
    if (fits) layout.layersPerStage = list->items;
    else reader.m_notes.notUnderstood("--num-layer-list " + text.substr(0, 80));
    return fits;
}

void readStages(MegatronReader &reader, std::int64_t layers, LayoutSection &layout)
{
    MegatronOptions &options = reader.m_options;
    if (readListedStages(reader, layers, layout)) return;
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
    const bool interleaved = layout.virtualPipeline.value_or(1) > 1;
    if (ends > 0 && layout.pipeline > 1 && (!even || interleaved)) reader.m_notes.notSimulated("--decoder-first-pipeline-num-layers");
    if (layout.pipeline == 1 || chunks > std::min(layers + 2, kMostParts) || !even || (ends > 0 && interleaved)) return;
    layout.layersPerStage.assign(static_cast<std::size_t>(chunks), chunks > ends ? inner / (chunks - ends) : 0);
    if (first) layout.layersPerStage.front() = *first;
    if (last) layout.layersPerStage.back() = *last;
}

/// Zero-bubble schedules of their authors' fork and of Megatron-DeepSpeed; DualPipe-V of MindSpeed.
std::optional<ScheduleKind> readSchedule(MegatronReader &reader, std::int64_t pipeline)
{
    MegatronOptions &options = reader.m_options;
    const auto pending = options.text({"zero-bubble-max-pending-backward"});
    const bool v = options.has({"zero-bubble-v-schedule", "enable-1f1b-v"});
    const bool zeroBubble = options.has({"enable-zero-bubble", "enable-zbh1-pipeline", "enable-zbh1-exact-semantics"});
    const std::string method = options.text({"schedules-method", "pipeline-schedule-method"});
    if (pipeline == 1) return std::nullopt;
    if (method == "dualpipev") return ScheduleKind::DualPipeV;
    if (!method.empty()) reader.m_notes.notSimulated("--schedules-method " + method.substr(0, 40));
    if (v) {
        if (options.text({"zero-bubble-v-schedule-mem-setup"}).find_first_not_of("zb") != std::string::npos)
            reader.m_notes.notSimulated("--zero-bubble-v-schedule-mem-setup");
        return ScheduleKind::ZbV;
    }
    if (!zeroBubble) return std::nullopt;
    // As many backward passes may wait as there are stages (H1), or twice as many (H2).
    const auto most = pending.empty() ? std::nullopt : readPythonList(pending);
    if (most && most->number) return *most->number > pipeline ? ScheduleKind::ZbH2 : ScheduleKind::ZbH1;
    if (options.has({"enable-zbh1-pipeline", "enable-zbh1-exact-semantics"})) return ScheduleKind::ZbH1;
    reader.m_notes.defaultTaken("/layout/schedule", "zb-h1", why::kNotInFile);
    return ScheduleKind::ZbH1;
}

/// Megatron-Core passes keys and values around a ring unless told to gather them.
void readContextExchange(MegatronReader &reader, LayoutSection &layout)
{
    const std::string type = reader.m_options.text({"cp-comm-type", "context-parallel-algo"});
    const auto ulysses = reader.m_options.integer({"ulysses-degree-in-cp", "ds-sequence-parallel-size"});
    if (ulysses && *ulysses > 1) reader.m_notes.notSimulated("all-to-all over the context ranks");
    if (layout.context <= 1) return;
    if (type == "all_gather") layout.contextExchange = ContextExchange::AllGather;
    else layout.contextExchange = ContextExchange::Ring;
    if (!type.empty() && type != "all_gather" && type != "p2p" && type != "megatron_cp_algo")
        reader.m_notes.notSimulated("--cp-comm-type " + type.substr(0, 40));
    if (type.empty()) reader.m_notes.defaultTaken("/layout/context_exchange", "ring", why::kMegatron);
}

/// The stage in DeepSpeed's configuration, where the script writes it: "zero_optimization": { "stage": 1
std::optional<std::int64_t> inlineZeroStage(std::string_view script)
{
    constexpr std::string_view kSection = "\"zero_optimization\"", kStage = "\"stage\"";
    const std::size_t section = script.find(kSection);
    if (section == std::string_view::npos) return std::nullopt;
    const std::size_t stage = script.find(kStage, section);
    if (stage == std::string_view::npos || stage > script.find('}', section)) return std::nullopt;
    const std::size_t value = script.find_first_not_of(": \t", stage + kStage.size());
    if (value == std::string_view::npos || script[value] < '0' || script[value] > '3') return std::nullopt;
    return script[value] - '0';
}

void readSharding(MegatronReader &reader, std::string_view script, LayoutSection &layout)
{
    MegatronOptions &options = reader.m_options;
    auto stage = options.integer({"zero-stage"}, 0);
    if (!stage && reader.m_deepSpeed) stage = inlineZeroStage(script);
    const std::string sharding = options.text({"data-parallel-sharding-strategy"});
    const bool distributed = options.has({"use-distributed-optimizer"});
    const bool all = sharding == "optim-grads-params" || sharding == "optim_grads_params";
    if (all || options.has({"use-torch-fsdp2"})) layout.zeroStage = 3;
    else if (sharding == "optim-grads" || sharding == "optim_grads") layout.zeroStage = 2;
    else layout.zeroStage = std::min<std::int64_t>(3, stage.value_or(distributed ? 1 : 0));
    if (reader.m_deepSpeed && layout.zeroStage == 0 && options.has({"bf16"})) {
        layout.zeroStage = 1;
        reader.m_notes.defaultTaken("/layout/zero_stage", 1, why::kDeepSpeedBf16);
    } else if (!stage && !distributed && sharding.empty() && layout.zeroStage == 0) {
        reader.m_notes.defaultTaken("/layout/zero_stage", 0, why::kMegatron);
    }
}

} // namespace

LayoutSection readMegatronDegrees(MegatronReader &reader)
{
    MegatronOptions &options = reader.m_options;
    LayoutSection layout;
    layout.tensor = reader.orDefault({"tensor-model-parallel-size", "model-parallel-size"}, 1, "/layout/tensor");
    layout.pipeline = reader.orDefault({"pipeline-model-parallel-size"}, 1, "/layout/pipeline");
    layout.context = reader.orDefault({"context-parallel-size"}, 1, "/layout/context");
    layout.expert = options.integer({"expert-model-parallel-size", "moe-expert-parallel-size"}).value_or(1);
    const auto expertTensor = options.integer({"expert-tensor-parallel-size"});
    const bool experts = options.has({"num-experts", "num-moe-experts"});
    if (options.has({"moe-tp-extend-ep"})) {
        layout.expert = saturatingProduct(layout.expert, layout.tensor);
    } else if (expertTensor) {
        layout.expertTensor = *expertTensor;
    } else if (reader.m_deepSpeed) {
        layout.expertTensor = options.has({"enable-expert-tensor-parallelism"}) ? layout.tensor : 1;
    } else if (experts && layout.tensor > 1) {
        layout.expertTensor = layout.tensor;
        reader.m_notes.defaultTaken("/layout/expert_tensor", layout.tensor, why::kAsTensor);
    }
    return layout;
}

std::int64_t smallestMegatronWorld(const LayoutSection &layout)
{
    const std::int64_t dense = saturatingProduct(layout.tensor, layout.context);
    const std::int64_t experts = saturatingProduct(layout.expert, layout.expertTensor);
    if (dense > kMostMegatronGpus || experts > kMostMegatronGpus) return saturatingProduct(std::max(dense, experts), layout.pipeline);
    return saturatingProduct(layout.pipeline, saturatingProduct(dense / std::gcd(dense, experts), experts));
}

std::optional<Error> readMegatronLayout(MegatronReader &reader, const ModelSection &model, std::string_view script, LayoutSection &layout)
{
    MegatronOptions &options = reader.m_options;
    std::optional<Error> error;
    const std::int64_t chunks = readChunks(reader, model.layers, layout.pipeline, error);
    layout.schedule = readSchedule(reader, layout.pipeline);
    if (chunks > 1 && !layout.schedule) layout.virtualPipeline = chunks;
    if (!readNamedParts(reader, model, layout, error) && !layout.schedule) readStages(reader, model.layers, layout);
    if (layout.schedule && layout.virtualPipeline) layout.schedule.reset();
    // Sequence parallelism splits over the tensor ranks: with one there is nothing to split.
    layout.sequenceParallel = options.has({"sequence-parallel"}) && layout.tensor > 1;
    readSharding(reader, script, layout);
    readContextExchange(reader, layout);
    if (!reader.m_deepSpeed) layout.overlapData = options.has({"overlap-grad-reduce"});
    if (!reader.m_deepSpeed && layout.pipeline > 1)
        layout.overlapPipeline = layout.virtualPipeline.value_or(1) > 1 && !options.has({"no-overlap-p2p-communication"});
    const auto group = options.integer({"microbatch-group-size-per-virtual-pipeline-stage"});
    if (group && layout.virtualPipeline.value_or(1) > 1 && *group != layout.pipeline) layout.microBatchGroup = *group;
    if (options.has({"use-tp-pp-dp-mapping"}))
        layout.order = std::array{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    return error;
}

} // namespace clusterbeat
