// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/custom_schedule.h"
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/resolve_parts.h"
#include "model/workload/parameters.h"

#include <algorithm>
#include <numeric>

namespace clusterbeat
{
namespace
{

std::optional<Error> resolveDegrees(const LayoutSection &layout, ResolvedScenario &resolved)
{
    Degrees &d = resolved.degrees;
    d.tensor = layout.tensor;
    d.pipeline = layout.pipeline;
    d.context = layout.context;
    d.expert = layout.expert;
    d.expertTensor = layout.expertTensor;
    d.contextExchange = layout.contextExchange.value_or(ContextExchange::AllGather);
    const std::int64_t usable = usableGpus(resolved.cluster);
    const std::int64_t replica = d.tensor * d.pipeline * d.context; // at most 10^18 by the reader's ranges
    d.data = layout.data.value_or(std::max<std::int64_t>(1, usable / replica));
    const bool exceeds = replica > usable || d.data > usable / replica;
    if (exceeds) {
        constexpr std::int64_t kHighest = std::int64_t{1} << 53;
        const std::int64_t product = d.data > kHighest / replica ? kHighest : replica * d.data;
        return ruleError(ErrorCode::DegreesExceedGpus, layout.data ? "/layout/data" : "/layout",
                         {product, usable, d.tensor, d.pipeline, d.context, d.data});
    }
    if (d.ranks() < resolved.cluster.gpus)
        resolved.notices.push_back({NoticeCode::DegreesBelowGpus,
                                    Place{{}, "/layout", 0, 0},
                                    {d.ranks(), resolved.cluster.gpus, resolved.cluster.gpus - d.ranks()}});
    return std::nullopt;
}

std::optional<Error> divides(const char *what, std::int64_t value, const char *by, std::int64_t divisor,
                             const char *pointer)
{
    if (value % divisor == 0) return std::nullopt;
    return ruleError(ErrorCode::NotDivisible, pointer, {std::string(what), value, std::string(by), divisor});
}

/// Tensor parallelism splits heads and the FFN; sequence parallelism splits the sequence (Korthikanti et al. 2022).
/// Fewer KV heads than tensor ranks are copied, several ranks to each.
std::optional<Error> checkTensor(const LayoutSection &layout, ResolvedScenario &resolved)
{
    Degrees &d = resolved.degrees;
    const ModelSection &model = resolved.model;
    d.sequenceParallel = layout.sequenceParallel.value_or(d.tensor > 1) && d.tensor > 1;
    if (auto error = divides("heads", model.heads, "tensor", d.tensor, "/layout/tensor")) return error;
    const bool denseLayers = !model.moe || model.moe->denseLayers > 0 || model.moe->every > 1;
    if (denseLayers)
        if (auto error = divides("ffn_hidden", model.ffnHidden, "tensor", d.tensor, "/layout/tensor")) return error;
    auto error = model.kvHeads >= d.tensor ? divides("kv_heads", model.kvHeads, "tensor", d.tensor, "/layout/tensor")
                                           : divides("tensor", d.tensor, "kv_heads", model.kvHeads, "/layout/tensor");
    if (error) return error;
    if (!d.sequenceParallel) return std::nullopt;
    return divides("sequence_length", resolved.training.sequenceLength, "tensor", d.tensor, "/layout/tensor");
}

/// Context parallelism splits every sequence. Experts fold over tensor, context and data ranks of a stage (Liu et al.
/// 2025): expert * expert_tensor of them hold all experts of a layer once.
std::optional<Error> checkContextAndExperts(const ResolvedScenario &resolved)
{
    const Degrees &d = resolved.degrees;
    const ModelSection &model = resolved.model;
    if (d.context > 1 && d.contextExchange == ContextExchange::Ring &&
        resolved.software.attentionKernel == AttentionKernel::Unfused)
        return ruleError(ErrorCode::Contradiction, "/layout/context_exchange",
                         {std::string("context_exchange"), std::string("ring"),
                          std::string("software.attention_kernel"), std::string("unfused")});
    const std::int64_t split = d.context * (d.sequenceParallel ? d.tensor : 1);
    if (d.context > 1) {
        const std::int64_t sequence = resolved.training.sequenceLength;
        if (auto error = divides("sequence_length", sequence, d.sequenceParallel ? "context * tensor" : "context",
                                 split, "/layout/context"))
            return error;
    }
    if (!model.moe) {
        if (d.expert > 1)
            return ruleError(ErrorCode::Contradiction, "/layout/expert",
                             {std::string("expert"), d.expert, std::string("model.moe"), std::string("none")});
        if (d.expertTensor > 1)
            return ruleError(ErrorCode::Contradiction, "/layout/expert_tensor",
                             {std::string("expert_tensor"), d.expertTensor, std::string("model.moe"),
                              std::string("none")});
        return std::nullopt;
    }
    if (auto error = divides("experts", model.moe->experts, "expert", d.expert, "/layout/expert")) return error;
    if (auto error = divides("expert_ffn_hidden", model.moe->expertFfnHidden, "expert_tensor", d.expertTensor,
                             "/layout/expert_tensor"))
        return error;
    return divides("tensor * context * data", d.tensor * d.context * d.data, "expert * expert_tensor",
                   d.expert * d.expertTensor, "/layout/expert");
}

/// "max" is one layer a chunk, embedding and head counted as layers where that divides.
std::int64_t mostChunks(std::int64_t layers, std::int64_t pipeline)
{
    if (pipeline == 1) return 1;
    if ((layers + 2) % pipeline == 0) return (layers + 2) / pipeline;
    return (layers + pipeline - 1) / pipeline;
}

std::string scheduleName(ScheduleKind kind) { return std::string(nameOf(kScheduleNames, kind)); }

/// The file's own order: as many ranks as stages, chunks as it has them.
std::optional<Error> resolveCustom(const LayoutSection &layout, Degrees &d)
{
    d.custom.reset();
    if (d.schedule != ScheduleKind::Custom && layout.scheduleOrders.empty()) return std::nullopt;
    const std::string pointer = "/layout/schedule_orders";
    if (d.schedule != ScheduleKind::Custom)
        return ruleError(ErrorCode::Contradiction, pointer,
                         {std::string("schedule_orders"), static_cast<std::int64_t>(layout.scheduleOrders.size()),
                          std::string("schedule"), scheduleName(d.schedule)});
    if (layout.scheduleOrders.empty()) return ruleError(ErrorCode::MissingKey, pointer, {std::string("schedule_orders")});
    if (static_cast<std::int64_t>(layout.scheduleOrders.size()) != d.pipeline)
        return ruleError(ErrorCode::Contradiction, pointer,
                         {std::string("schedule_orders"), static_cast<std::int64_t>(layout.scheduleOrders.size()),
                          std::string("pipeline"), d.pipeline});
    auto schedule = customSchedule(layout.scheduleOrders, pointer);
    if (!schedule.ok()) return schedule.error();
    d.custom = std::make_shared<const PipelineSchedule>(std::move(schedule).value());
    d.virtualPipeline = layout.virtualPipeline.value_or(d.custom->chunks);
    return std::nullopt;
}

/// Chunks that the schedule has, when that is not the user's choice.
std::int64_t chunksOf(const Degrees &d) { return d.custom ? d.custom->chunks : prescribedChunks(d.schedule).value_or(1); }

std::optional<Error> resolveSchedule(const LayoutSection &layout, ResolvedScenario &resolved)
{
    Degrees &d = resolved.degrees;
    d.schedule = layout.schedule.value_or(ScheduleKind::Interleaved);
    d.virtualPipeline = layout.virtualPipeline.value_or(prescribedChunks(d.schedule).value_or(1));
    if (auto error = resolveCustom(layout, d)) return error;
    if (d.splitsBackward() && d.pipeline == 1)
        return ruleError(ErrorCode::Contradiction, "/layout/schedule",
                         {std::string("schedule"), scheduleName(d.schedule), std::string("pipeline"), d.pipeline});
    if (d.schedule == ScheduleKind::DualPipe && d.pipeline % 2 != 0)
        return ruleError(ErrorCode::NotDivisible, "/layout/pipeline",
                         {std::string("pipeline"), d.pipeline, std::string("the two directions of dualpipe"), std::int64_t{2}});
    if (d.virtualPipeline == 0) d.virtualPipeline = mostChunks(resolved.model.layers, d.pipeline);
    if (d.virtualPipeline > 1 && d.pipeline == 1)
        return ruleError(ErrorCode::Contradiction, "/layout/virtual_pipeline",
                         {std::string("virtual_pipeline"), d.virtualPipeline, std::string("pipeline"), d.pipeline});
    if (d.schedule == ScheduleKind::Interleaved && d.virtualPipeline == 1) d.schedule = ScheduleKind::OneFOneB;
    if (layout.activationLimit && d.schedule != ScheduleKind::ZbAuto)
        return ruleError(ErrorCode::Contradiction, "/layout/activation_limit",
                         {std::string("activation_limit"), *layout.activationLimit, std::string("schedule"), scheduleName(d.schedule)});
    d.activationLimit = layout.activationLimit.value_or(1.0);
    if (d.schedule != ScheduleKind::Interleaved && d.virtualPipeline != chunksOf(d))
        return ruleError(ErrorCode::Contradiction, "/layout/virtual_pipeline",
                         {std::string("schedule"), std::string(nameOf(kScheduleNames, d.schedule)),
                          std::string("virtual_pipeline"), d.virtualPipeline});
    if (layout.microBatchGroup && d.schedule != ScheduleKind::Interleaved)
        return ruleError(ErrorCode::Contradiction, "/layout/micro_batch_group",
                         {std::string("micro_batch_group"), *layout.microBatchGroup, std::string("schedule"), scheduleName(d.schedule)});
    d.microBatchGroup = layout.microBatchGroup.value_or(0);
    return std::nullopt;
}

std::optional<Error> checkExplicitSplit(const std::vector<std::int64_t> &split, const ResolvedScenario &resolved)
{
    const std::int64_t chunks = resolved.degrees.modelChunks();
    if (static_cast<std::int64_t>(split.size()) != chunks)
        return ruleError(ErrorCode::Contradiction, "/layout/layers_per_stage",
                         {std::string("layers_per_stage"), static_cast<std::int64_t>(split.size()),
                          std::string("pipeline * virtual_pipeline"), chunks});
    const std::int64_t sum = std::accumulate(split.begin(), split.end(), std::int64_t{0});
    if (sum == resolved.model.layers) return std::nullopt;
    return ruleError(ErrorCode::Contradiction, "/layout/layers_per_stage",
                     {std::string("layers_per_stage"), sum, std::string("model.layers"), resolved.model.layers});
}

/// Prediction modules on a stage of their choice: in its last chunk, behind the model's last layer, so that only the
/// output layer comes after them.
std::optional<Error> resolvePredictionStage(const LayoutSection &layout, ResolvedScenario &resolved)
{
    Degrees &d = resolved.degrees;
    d.mtpChunk = -1;
    if (!layout.mtpStage) return std::nullopt;
    const std::int64_t stage = *layout.mtpStage;
    if (resolved.model.mtpLayers == 0)
        return ruleError(ErrorCode::Contradiction, "/layout/mtp_stage",
                         {std::string("mtp_stage"), stage, std::string("model.mtp_layers"), std::int64_t{0}});
    if (stage >= d.pipeline)
        return ruleError(ErrorCode::OutOfRange, "/layout/mtp_stage",
                         {std::to_string(stage), std::int64_t{0}, d.pipeline - 1});
    if (d.flow() == PipelineFlow::Bidirectional || d.flow() == PipelineFlow::Mapped)
        return ruleError(ErrorCode::Contradiction, "/layout/mtp_stage",
                         {std::string("mtp_stage"), stage, std::string("schedule"), scheduleName(d.schedule)});
    d.mtpChunk = d.chunkIndex(stage, d.virtualPipeline - 1);
    const std::vector<std::int64_t> &split = layout.layersPerStage;
    for (auto i = static_cast<std::size_t>(d.mtpChunk) + 1; i < split.size(); ++i)
        if (split[i] > 0)
            return ruleError(ErrorCode::Contradiction, "/layout/mtp_stage",
                             {std::string("mtp_stage"), stage, "layers_per_stage/" + std::to_string(i), split[i]});
    return std::nullopt;
}

/// Spreads layers as evenly as possible over the chunks, where embedding and head may count as one layer each. The odd
/// ones go to inner chunks first, then to the first: the last, which has the output layer and the loss, stays short.
std::vector<std::int64_t> balancedSplit(std::int64_t layers, std::int64_t chunks, bool embeddingAsLayer,
                                        bool headAsLayer)
{
    std::vector<std::int64_t> own(static_cast<std::size_t>(chunks), 0); // what a chunk carries besides layers
    own.front() += embeddingAsLayer ? 1 : 0;
    own.back() += headAsLayer ? 1 : 0;
    const std::int64_t items = layers + own.front() + (chunks > 1 ? own.back() : 0);
    const std::int64_t even = items / chunks;
    std::vector<std::int64_t> split(own.size());
    std::int64_t left = layers;
    for (std::size_t i = 0; i < own.size(); ++i) {
        split[i] = std::max<std::int64_t>(0, even - own[i]);
        left -= split[i];
    }
    const auto giveOne = [&](std::size_t i) {
        if (left <= 0 || split[i] + own[i] > even) return;
        ++split[i];
        --left;
    };
    for (std::size_t i = 1; i + 1 < own.size(); ++i)
        giveOne(i);
    giveOne(0);
    giveOne(own.size() - 1);
    return split;
}

/// Output layer and loss in units of an MoE layer: FLOPs, but an MoE layer takes about 1.6 times what its own would
/// (all-to-all, permutation, launches).
double headInLayers(const ModelSection &model)
{
    constexpr double kFlopsShare = 0.6;
    const double active = layerParameters(model, model.layers - 1).matmulActive();
    return active > 0.0 ? kFlopsShare * vocabularyParameters(model) / active : 0.0;
}

/// MoE models in flexible pipelines: each layer goes to the stage with the least work so far (the first of equals), in
/// it to the chunk with the least; the last chunk carries the head and the prediction modules.
std::vector<std::int64_t> flexibleSplit(const ModelSection &model, const Degrees &d)
{
    const std::int64_t lastWithLayers = d.mtpChunk < 0 ? d.modelChunks() - 1 : d.mtpChunk;
    const double head = headInLayers(model);
    const auto chunks = static_cast<std::size_t>(d.modelChunks());
    std::vector<std::int64_t> split(chunks, 0);
    std::vector<double> ofChunk(chunks, 0.0), ofStage(static_cast<std::size_t>(d.pipeline), 0.0);
    const double modules = static_cast<double>(model.mtpLayers);
    const bool apart = lastWithLayers + 1 < d.modelChunks();
    ofChunk.back() = head + modules * (apart ? head : 1.0 + head);
    if (apart) ofChunk[static_cast<std::size_t>(lastWithLayers)] = modules;
    const auto indexOf = [&](std::size_t stage, std::int64_t chunk) {
        return static_cast<std::size_t>(d.chunkIndex(static_cast<std::int64_t>(stage), chunk));
    };
    for (std::size_t stage = 0; stage < ofStage.size(); ++stage)
        for (std::int64_t chunk = 0; chunk < d.virtualPipeline; ++chunk)
            ofStage[stage] += ofChunk[indexOf(stage, chunk)];
    const auto lighter = [&](std::size_t stage, std::size_t index, std::size_t thanStage, std::size_t than) {
        if (stage != thanStage) return ofStage[stage] < ofStage[thanStage];
        return ofChunk[index] < ofChunk[than];
    };
    for (std::int64_t layer = 0; layer < model.layers; ++layer) {
        std::size_t chosenStage = 0, chosen = chunks;
        for (std::size_t stage = 0; stage < ofStage.size(); ++stage)
            for (std::int64_t chunk = 0; chunk < d.virtualPipeline; ++chunk) {
                const std::size_t index = indexOf(stage, chunk);
                if (index > static_cast<std::size_t>(lastWithLayers)) continue;
                if (chosen != chunks && !lighter(stage, index, chosenStage, chosen)) continue;
                chosenStage = stage;
                chosen = index;
            }
        ++split[chosen];
        ofChunk[chosen] += 1.0;
        ofStage[chosenStage] += 1.0;
    }
    return split;
}

std::optional<Error> resolveSplit(const LayoutSection &layout, ResolvedScenario &resolved)
{
    Degrees &d = resolved.degrees;
    const std::int64_t layers = resolved.model.layers;
    if (!layout.layersPerStage.empty()) {
        d.layersPerChunk = layout.layersPerStage;
        return checkExplicitSplit(layout.layersPerStage, resolved);
    }
    const std::int64_t chunks = d.modelChunks();
    if (chunks > layers + 2)
        return ruleError(ErrorCode::OutOfRange, d.virtualPipeline > 1 ? "/layout/virtual_pipeline" : "/layout/pipeline",
                         {std::to_string(d.virtualPipeline > 1 ? d.virtualPipeline : d.pipeline), std::int64_t{1},
                          d.virtualPipeline > 1 ? std::max<std::int64_t>(1, (layers + 2) / d.pipeline) : layers + 2});
    const bool flexible = d.pipeline > 1 && d.flow() != PipelineFlow::Bidirectional;
    if (resolved.model.moe && flexible && !layout.embeddingAsLayer && !layout.headAsLayer) {
        d.layersPerChunk = flexibleSplit(resolved.model, d);
        return std::nullopt;
    }
    if (d.mtpChunk >= 0 && d.mtpChunk < chunks - 1) {
        d.layersPerChunk = balancedSplit(layers, d.mtpChunk + 1, layout.embeddingAsLayer.value_or(false), false);
        d.layersPerChunk.resize(static_cast<std::size_t>(chunks), 0);
        return std::nullopt;
    }
    const bool both = chunks > 1 && (layers + 2) % chunks == 0;
    d.layersPerChunk =
        balancedSplit(layers, chunks, layout.embeddingAsLayer.value_or(both), layout.headAsLayer.value_or(both));
    return std::nullopt;
}

std::optional<Error> resolveSharding(const LayoutSection &layout, Degrees &d)
{
    const std::int64_t replicas = d.data * d.context;
    d.zeroStage = layout.zeroStage.value_or(1);
    d.shardGroup = layout.shardGroup.value_or(replicas);
    if (d.shardGroup == replicas) return std::nullopt;
    if (d.zeroStage != 3)
        return ruleError(ErrorCode::Contradiction, "/layout/shard_group",
                         {std::string("shard_group"), d.shardGroup, std::string("zero_stage"), d.zeroStage});
    if (d.shardGroup < 2 || d.shardGroup > replicas)
        return ruleError(ErrorCode::OutOfRange, "/layout/shard_group",
                         {std::to_string(d.shardGroup), std::int64_t{2}, replicas});
    return divides("data * context", replicas, "shard_group", d.shardGroup, "/layout/shard_group");
}

// Megatron-LM (core/pipeline_parallel/schedules.py) raises where 0 < M mod N < p, N micro-batches a group, p by default:
// the stages would wait for a smaller last group.
std::optional<Error> checkGroup(const Degrees &d, std::int64_t microBatches)
{
    if (d.schedule != ScheduleKind::Interleaved || d.virtualPipeline <= 1) return std::nullopt;
    const std::int64_t given = d.microBatchGroup;
    const std::int64_t group = given > 0 ? given : d.pipeline, last = microBatches % group;
    const std::string pointer = "/layout/micro_batch_group";
    // Full groups of at least p always run (a test tries them all up to p = 9); of smaller ones some do.
    const bool whole = last == 0 || last >= d.pipeline;
    if (whole && (group >= d.pipeline || groupExecutable(static_cast<std::int32_t>(d.pipeline), static_cast<std::int32_t>(d.virtualPipeline),
                                                         static_cast<std::int32_t>(microBatches), static_cast<std::int32_t>(group))))
        return std::nullopt;
    if (group < d.pipeline) return ruleError(ErrorCode::OutOfRange, pointer, {std::to_string(group), d.pipeline, microBatches});
    const std::string count = "micro-batches in the last group";
    if (given > 0) return ruleError(ErrorCode::Contradiction, pointer, {std::string("micro_batch_group"), group, count, last});
    return ruleError(ErrorCode::Contradiction, "/training/global_batch", {count, last, std::string("pipeline"), d.pipeline});
}

std::optional<Error> resolveBatch(ResolvedScenario &resolved)
{
    const TrainingSection &training = resolved.training;
    Degrees &d = resolved.degrees;
    const std::int64_t together = d.data * training.microBatch;
    if (training.globalBatch % together != 0)
        return ruleError(ErrorCode::BatchNotDivisible, "/training/global_batch", {training.globalBatch, together});
    resolved.microBatches = training.globalBatch / together;
    if (d.custom && d.custom->microBatches != resolved.microBatches)
        return ruleError(ErrorCode::Contradiction, "/training/global_batch",
                         {std::string("global_batch / (data * micro_batch)"), resolved.microBatches,
                          std::string("micro-batches of schedule_orders"), std::int64_t{d.custom->microBatches}});
    const std::int64_t fewest = fewestMicroBatches(d.schedule, static_cast<std::int32_t>(d.pipeline));
    if (resolved.microBatches < fewest)
        return ruleError(ErrorCode::OutOfRange, "/training/global_batch",
                         {std::to_string(training.globalBatch), together * fewest, training.globalBatch * fewest});
    if (d.schedule == ScheduleKind::DualPipe && resolved.microBatches % 2 != 0)
        return ruleError(ErrorCode::BatchNotDivisible, "/training/global_batch", {training.globalBatch, 2 * together});
    d.microBatchGroup = std::min(d.microBatchGroup, resolved.microBatches);
    // Forward and the two halves of the backward of every chunk, micro-batch and replica.
    const std::int64_t perMicroBatch = (d.splitsBackward() ? 3 : 2) * d.pipeline * d.virtualPipeline;
    const std::int64_t most = std::max<std::int64_t>(1, std::min(kMaxOperations / (perMicroBatch * d.data), kMaxScheduleOperations / perMicroBatch));
    if (resolved.microBatches > most)
        return ruleError(ErrorCode::OutOfRange, "/training/global_batch",
                         {std::to_string(training.globalBatch), together, together * most});
    return checkGroup(d, resolved.microBatches);
}

/// What a recomputed module needs of the model; Megatron-Core's names.
std::optional<Error> checkModule(const std::string &module, std::size_t index, const ModelSection &model)
{
    const bool latent = module == "mla_up_proj";
    const bool experts = module == "moe" || module == "moe_act" || module == "shared_experts";
    const bool shared = module == "shared_experts";
    std::string lacks;
    if (latent && !model.mla) lacks = "model.mla";
    else if (experts && !model.moe) lacks = "model.moe";
    else if (shared && model.moe->sharedExperts == 0) lacks = "model.moe.shared_experts";
    if (lacks.empty()) return std::nullopt;
    return ruleError(ErrorCode::Contradiction, "/training/recompute/modules/" + std::to_string(index),
                     {std::string("recompute.modules"), module, lacks, std::string(shared && model.moe ? "0" : "none")});
}

/// Recompute and offload speak of layers and modules that the model has.
std::optional<Error> checkKeptActivations(const ResolvedScenario &resolved)
{
    const TrainingSection &training = resolved.training;
    const std::int64_t layers = resolved.model.layers;
    if (training.offloadLayers > layers)
        return ruleError(ErrorCode::OutOfRange, "/training/offload_layers",
                         {std::to_string(training.offloadLayers), std::int64_t{0}, layers});
    if (!training.recompute) return std::nullopt;
    const Recompute &recompute = *training.recompute;
    if (recompute.mode == RecomputeMode::Layers && recompute.layers > layers)
        return ruleError(ErrorCode::OutOfRange, "/training/recompute/layers",
                         {std::to_string(recompute.layers), std::int64_t{0}, layers});
    for (std::size_t i = 0; i < recompute.modules.size(); ++i)
        if (auto error = checkModule(recompute.modules[i], i, resolved.model)) return error;
    return std::nullopt;
}

} // namespace

std::int64_t usableGpus(const ClusterParameters &cluster)
{
    const std::int64_t rest = cluster.gpus % cluster.scaleupDomain;
    return cluster.gpus / cluster.scaleupDomain * cluster.gpusUsedPerDomain + std::min(rest, cluster.gpusUsedPerDomain);
}

std::optional<Error> resolveLayout(const Scenario &scenario, ResolvedScenario &resolved)
{
    const LayoutSection &layout = *scenario.layout;
    if (auto error = resolveDegrees(layout, resolved)) return error;
    if (auto error = checkTensor(layout, resolved)) return error;
    if (auto error = checkContextAndExperts(resolved)) return error;
    if (auto error = resolveSchedule(layout, resolved)) return error;
    if (auto error = resolvePredictionStage(layout, resolved)) return error;
    if (auto error = resolveSplit(layout, resolved)) return error;
    if (auto error = resolveSharding(layout, resolved.degrees)) return error;
    if (auto error = checkKeptActivations(resolved)) return error;
    if (layout.order) resolved.degrees.order = *layout.order;
    resolved.degrees.overlapData = resolved.software.dataOverlap;
    resolved.degrees.overlapPipeline = resolved.software.pipelineOverlap;
    return resolveBatch(resolved);
}

} // namespace clusterbeat
