// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/enum_names.h"
#include "model/scenario/section_io.h"

namespace clusterbeat
{
namespace
{

/// Builds an object member by member; put() leaves out what equals the default.
class ObjectWriter final
{
public:
    void always(std::string_view key, JsonValue value) { m_object.set(key, std::move(value)); }
    void put(std::string_view key, std::int64_t value, std::int64_t fallback)
    {
        if (value != fallback) always(key, JsonValue::ofInteger(value));
    }
    void put(std::string_view key, double value, double fallback)
    {
        if (value != fallback) always(key, JsonValue::ofNumber(value));
    }
    void put(std::string_view key, bool value, bool fallback)
    {
        if (value != fallback) always(key, JsonValue::ofBool(value));
    }
    void put(std::string_view key, const std::string &value, const std::string &fallback)
    {
        if (value != fallback) always(key, JsonValue::ofString(value));
    }
    void put(std::string_view key, const std::optional<std::int64_t> &value)
    {
        if (value) always(key, JsonValue::ofInteger(*value));
    }
    void put(std::string_view key, const std::optional<double> &value)
    {
        if (value) always(key, JsonValue::ofNumber(*value));
    }
    void put(std::string_view key, const std::optional<bool> &value)
    {
        if (value) always(key, JsonValue::ofBool(*value));
    }
    void put(std::string_view key, const std::optional<std::string> &value)
    {
        if (value) always(key, JsonValue::ofString(*value));
    }
    template <typename Table, typename Enum> void name(std::string_view key, const Table &table, Enum value)
    {
        always(key, JsonValue::ofString(std::string(nameOf(table, value))));
    }
    template <typename Table, typename Enum>
    void name(std::string_view key, const Table &table, const std::optional<Enum> &value)
    {
        if (value) name(key, table, *value);
    }
    /// A sub-object, unless nothing in it differs from the default.
    void part(std::string_view key, ObjectWriter part)
    {
        if (!part.m_object.members.empty()) always(key, part.take());
    }
    [[nodiscard]] JsonValue take() { return std::move(m_object); }

private:
    JsonValue m_object = JsonValue::object();
};

JsonValue integers(const std::vector<std::int64_t> &values)
{
    JsonValue array = JsonValue::array();
    for (const std::int64_t value : values)
        array.items.push_back(JsonValue::ofInteger(value));
    return array;
}

JsonValue writeMoe(const MoeShape &moe)
{
    ObjectWriter out;
    out.always("experts", JsonValue::ofInteger(moe.experts));
    out.always("top_k", JsonValue::ofInteger(moe.topK));
    out.put("shared_experts", moe.sharedExperts, std::int64_t{0});
    out.always("expert_ffn_hidden", JsonValue::ofInteger(moe.expertFfnHidden));
    out.put("dense_layers", moe.denseLayers, std::int64_t{0});
    out.put("every", moe.every, std::int64_t{1});
    return out.take();
}

JsonValue writeMla(const MlaShape &mla)
{
    ObjectWriter out;
    out.put("q_lora_rank", mla.qLoraRank, std::int64_t{0});
    out.always("kv_lora_rank", JsonValue::ofInteger(mla.kvLoraRank));
    out.always("nope_head_dim", JsonValue::ofInteger(mla.nopeHeadDim));
    out.always("rope_head_dim", JsonValue::ofInteger(mla.ropeHeadDim));
    out.always("v_head_dim", JsonValue::ofInteger(mla.vHeadDim));
    return out.take();
}

JsonValue writeRecompute(const Recompute &recompute)
{
    if (recompute.mode != RecomputeMode::Layers && recompute.mode != RecomputeMode::Modules)
        return JsonValue::ofString(std::string(nameOf(kRecomputeNames, recompute.mode)));
    ObjectWriter out;
    if (recompute.mode == RecomputeMode::Layers) {
        out.always("layers", JsonValue::ofInteger(recompute.layers));
    } else {
        JsonValue modules = JsonValue::array();
        for (const std::string &module : recompute.modules)
            modules.items.push_back(JsonValue::ofString(module));
        out.always("modules", std::move(modules));
    }
    return out.take();
}

} // namespace

JsonValue writeModel(const ModelSection &model)
{
    const ModelSection fallback;
    ObjectWriter out;
    out.always("layers", JsonValue::ofInteger(model.layers));
    out.always("hidden", JsonValue::ofInteger(model.hidden));
    out.put("ffn_hidden", model.ffnHidden, fallback.ffnHidden);
    out.always("heads", JsonValue::ofInteger(model.heads));
    out.put("kv_heads", model.kvHeads, fallback.kvHeads);
    out.put("head_dim", model.headDim, fallback.headDim);
    out.always("vocab", JsonValue::ofInteger(model.vocab));
    out.put("gated_ffn", model.gatedFfn, fallback.gatedFfn);
    out.put("activation", model.activation, fallback.activation);
    out.put("tied_embeddings", model.tiedEmbeddings, fallback.tiedEmbeddings);
    out.put("parallel_block", model.parallelBlock, fallback.parallelBlock);
    if (model.attentionWindow) {
        ObjectWriter window;
        window.always("size", JsonValue::ofInteger(model.attentionWindow->size));
        window.put("every", model.attentionWindow->every, std::int64_t{1});
        window.put("global_every", model.attentionWindow->globalEvery, std::int64_t{0});
        if (!model.attentionWindow->globalLayers.empty())
            window.always("global_layers", integers(model.attentionWindow->globalLayers));
        out.always("attention_window", window.take());
    }
    out.put("mtp_layers", model.mtpLayers, fallback.mtpLayers);
    if (model.moe) out.always("moe", writeMoe(*model.moe));
    if (model.mla) out.always("mla", writeMla(*model.mla));
    return out.take();
}

JsonValue writeTraining(const TrainingSection &training)
{
    const TrainingSection fallback;
    ObjectWriter out;
    out.always("sequence_length", JsonValue::ofInteger(training.sequenceLength));
    out.always("global_batch", JsonValue::ofInteger(training.globalBatch));
    out.always("micro_batch", JsonValue::ofInteger(training.microBatch));
    if (training.precision != fallback.precision) out.name("precision", kPrecisionNames, training.precision);
    out.name("attention_precision", kPrecisionNames, training.attentionPrecision);
    out.put("causal_attention", training.causalAttention, fallback.causalAttention);
    if (training.recompute) out.always("recompute", writeRecompute(*training.recompute));
    out.put("optimizer", training.optimizer, fallback.optimizer);
    out.put("optimizer_offload", training.optimizerOffload, fallback.optimizerOffload);
    out.put("offload_layers", training.offloadLayers, fallback.offloadLayers);
    out.put("gradient_bytes", training.gradientBytes);
    out.put("parameter_gather_bytes", training.parameterGatherBytes);
    out.name("reduce_every", kReduceEveryNames, training.reduceEvery);
    out.put("optimizer_sync", training.optimizerSync);
    if (training.documents) {
        ObjectWriter documents;
        documents.always("mean", JsonValue::ofNumber(training.documents->mean));
        documents.put("sigma", training.documents->sigma, 0.0);
        documents.put("masked", training.documents->masked, false);
        out.always("documents", documents.take());
    }
    out.put("routing_imbalance", training.routingImbalance);
    return out.take();
}

JsonValue writeLayout(const LayoutSection &layout)
{
    ObjectWriter out;
    out.always("tensor", JsonValue::ofInteger(layout.tensor));
    out.always("pipeline", JsonValue::ofInteger(layout.pipeline));
    if (layout.virtualPipeline == 0)
        out.always("virtual_pipeline", JsonValue::ofString("max"));
    else
        out.put("virtual_pipeline", layout.virtualPipeline);
    out.put("context", layout.context, std::int64_t{1});
    out.put("expert", layout.expert, std::int64_t{1});
    out.put("expert_tensor", layout.expertTensor, std::int64_t{1});
    out.put("data", layout.data);
    out.put("sequence_parallel", layout.sequenceParallel);
    out.put("zero_stage", layout.zeroStage);
    out.put("shard_group", layout.shardGroup);
    out.name("schedule", kScheduleNames, layout.schedule);
    out.put("activation_limit", layout.activationLimit);
    out.put("micro_batch_group", layout.microBatchGroup);
    if (!layout.scheduleOrders.empty()) {
        JsonValue orders = JsonValue::array();
        for (const auto &row : layout.scheduleOrders) {
            JsonValue cells = JsonValue::array();
            for (const std::string &cell : row)
                cells.items.push_back(JsonValue::ofString(cell));
            orders.items.push_back(std::move(cells));
        }
        out.always("schedule_orders", std::move(orders));
    }
    if (!layout.layersPerStage.empty()) out.always("layers_per_stage", integers(layout.layersPerStage));
    out.put("embedding_as_layer", layout.embeddingAsLayer);
    out.put("head_as_layer", layout.headAsLayer);
    out.put("mtp_stage", layout.mtpStage);
    out.name("context_exchange", kContextExchangeNames, layout.contextExchange);
    if (layout.order) {
        JsonValue order = JsonValue::array();
        for (const Dimension dimension : *layout.order)
            order.items.push_back(JsonValue::ofString(std::string(nameOf(kDimensionNames, dimension))));
        out.always("order", std::move(order));
    }
    ObjectWriter overlap;
    overlap.put("data", layout.overlapData);
    overlap.put("pipeline", layout.overlapPipeline);
    out.part("overlap", std::move(overlap));
    return out.take();
}

JsonValue writeSoftware(const SoftwareSection &software)
{
    ObjectWriter out;
    out.always("profile", JsonValue::ofString(software.profile));
    out.name("attention_kernel", kAttentionKernelNames, software.attentionKernel);
    out.put("elementwise_factor", software.elementwiseFactor);
    out.put("tensor_overlap", software.tensorOverlap);
    out.name("cuda_graphs", kCudaGraphsNames, software.cudaGraphs);
    out.put("fused_cross_entropy", software.fusedCrossEntropy);
    out.put("fp8_recipe", software.fp8Recipe);
    out.put("moe_dispatcher", software.moeDispatcher);
    out.put("expert_overlap", software.expertOverlap);
    out.put("token_drop", software.tokenDrop);
    out.put("expert_activation_fused", software.expertActivationFused);
    out.put("grouped_matmul_fused", software.groupedMatmulFused);
    out.put("nvls", software.nvls);
    out.put("pat", software.pat);
    out.name("fsdp", kFsdpNames, software.fsdp);
    out.put("power_limit_w", software.powerLimitW);
    return out.take();
}

namespace
{

void writeLinkPerturbation(const Perturbation &perturbation, ObjectWriter &out)
{
    const LinkPerturbation &link = perturbation.link;
    out.always("target", JsonValue::ofString(perturbation.target));
    out.name("link", kLinkDomainNames, link.domain);
    out.put("to", link.to, std::string());
    if (perturbation.kind == PerturbationKind::DegradedLink) {
        out.always("capacity", JsonValue::ofNumber(link.capacity));
        out.put("extra_latency_s", link.extraLatencyS, 0.0);
    }
    out.put("cables", link.cables);
    out.put("share", link.share);
    out.put("gbytes_per_s", link.gbytesPerS);
}

void writeTimingPerturbation(const Perturbation &perturbation, ObjectWriter &out)
{
    const TimingPerturbation &timing = perturbation.timing, fallback;
    out.put("target", perturbation.target, std::string());
    switch (perturbation.kind) {
    case PerturbationKind::GcPause:
        out.always("pause_s", JsonValue::ofNumber(timing.pauseS));
        out.always("every_s", JsonValue::ofNumber(timing.everyS));
        out.put("aligned", timing.aligned, fallback.aligned);
        break;
    case PerturbationKind::DocumentImbalance:
        if (!timing.drawDocuments) out.always("sigma", JsonValue::ofNumber(perturbation.sigma));
        break;
    case PerturbationKind::SlowData:
        out.always("wait_s", JsonValue::ofNumber(timing.waitS));
        out.put("sigma_s", timing.waitSigmaS, fallback.waitSigmaS);
        out.put("prefetch", timing.prefetch, fallback.prefetch);
        break;
    case PerturbationKind::Checkpoint:
        out.put("stall_s", timing.stallS);
        break;
    case PerturbationKind::SlowStorage:
        out.always("speed", JsonValue::ofNumber(perturbation.speed));
        break;
    case PerturbationKind::WarmUp:
        if (timing.microBatches > 0) out.put("micro_batches", timing.microBatches, std::int64_t{0});
        else out.always("operations", JsonValue::ofInteger(timing.operations));
        out.always("speed", JsonValue::ofNumber(perturbation.speed));
        break;
    default:
        out.always("sigma", JsonValue::ofNumber(perturbation.sigma));
        if (perturbation.distribution != JitterDistribution::Normal) out.name("distribution", kDistributionNames, perturbation.distribution);
        break;
    }
    out.put("seed", perturbation.seed, std::int64_t{0});
}

} // namespace

JsonValue writePerturbations(const PerturbationList &perturbations)
{
    JsonValue list = JsonValue::array();
    for (const Perturbation &perturbation : perturbations) {
        ObjectWriter out;
        out.name("kind", kPerturbationNames, perturbation.kind);
        if (perturbation.kind == PerturbationKind::SlowGpu) {
            out.always("target", JsonValue::ofString(perturbation.target));
            out.always("speed", JsonValue::ofNumber(perturbation.speed));
        } else if (concernsLinks(perturbation.kind)) {
            writeLinkPerturbation(perturbation, out);
        } else {
            writeTimingPerturbation(perturbation, out);
        }
        out.put("enabled", perturbation.enabled, true);
        list.items.push_back(out.take());
    }
    return list;
}

JsonValue writeCampaign(const CampaignSection &campaign)
{
    const CampaignSection fallback;
    ObjectWriter out, rates, checkpoint, restart, storage, power;
    out.put("days", campaign.days, fallback.days);
    out.put("training_tokens", campaign.trainingTokens, fallback.trainingTokens);
    rates.put("per_gpu_day", campaign.failuresPerGpuDay, fallback.failuresPerGpuDay);
    out.part("failure_rates", std::move(rates));
    checkpoint.put("interval_s", campaign.checkpointIntervalS, fallback.checkpointIntervalS);
    checkpoint.put("write_s", campaign.checkpointWriteS, fallback.checkpointWriteS);
    out.part("checkpoint", std::move(checkpoint));
    out.put("spares", campaign.spares);
    restart.put("duration_s", campaign.restartS, fallback.restartS);
    out.part("restart", std::move(restart));
    storage.put("gbytes_per_s", campaign.storageGbytesPerS);
    out.part("storage", std::move(storage));
    power.put("pue", campaign.pue, fallback.pue);
    power.put("host_w_per_gpu", campaign.hostWPerGpu, fallback.hostWPerGpu);
    out.part("power", std::move(power));
    return out.take();
}

JsonValue writePrices(const PricesSection &prices)
{
    ObjectWriter out;
    out.put("gpu_hour_usd", prices.gpuHourUsd, PricesSection{}.gpuHourUsd);
    return out.take();
}

namespace
{

JsonValue writeAccelerator(const Accelerator &a)
{
    ObjectWriter out;
    out.always("name", JsonValue::ofString(a.name));
    out.always("peak_bf16_tflops", JsonValue::ofNumber(a.peakBf16Tflops));
    out.put("peak_fp8_tflops", a.peakFp8Tflops);
    out.put("peak_fp4_tflops", a.peakFp4Tflops);
    out.always("hbm_gb", JsonValue::ofNumber(a.hbmGb));
    out.always("hbm_tbytes_per_s", JsonValue::ofNumber(a.hbmTbytesPerS));
    out.always("scaleup_gbytes_per_s", JsonValue::ofNumber(a.scaleupGbytesPerS));
    out.always("scaleup_domain", JsonValue::ofInteger(a.scaleupDomain));
    out.put("nic_gbps", a.nicGbps, 0.0);
    out.put("tdp_w", a.tdpW, 0.0);
    out.put("measured_matmul_bf16_tflops", a.measuredMatmulBf16Tflops);
    out.put("measured_matmul_fp8_tflops", a.measuredMatmulFp8Tflops);
    out.put("price_low_usd", a.priceLowUsd);
    out.put("price_high_usd", a.priceHighUsd);
    out.put("price_source", a.priceSource, std::string());
    out.put("source", a.source, std::string());
    out.put("confidence", a.confidence, std::string());
    out.put("note", a.note, std::string());
    return out.take();
}

JsonValue writeBlueprint(const Blueprint &blueprint)
{
    JsonValue nodes = JsonValue::array();
    for (const BlueprintNode &node : blueprint.nodes) {
        ObjectWriter out, position;
        out.always("id", JsonValue::ofString(node.id));
        out.name("kind", kNodeKindNames, node.kind);
        out.put("name", node.name, std::string());
        out.put("parent", node.parent, std::string());
        out.put("count", node.count, std::int64_t{1});
        out.put("limit", node.limit, std::int64_t{0});
        position.put("x", node.x, 0.0);
        position.put("y", node.y, 0.0);
        out.part("position", std::move(position));
        nodes.items.push_back(out.take());
    }
    JsonValue links = JsonValue::array();
    for (const BlueprintLink &link : blueprint.links) {
        ObjectWriter out;
        out.always("id", JsonValue::ofString(link.id));
        out.always("from", JsonValue::ofString(link.from));
        out.always("to", JsonValue::ofString(link.to));
        if (link.pattern != LinkPattern::All) out.name("pattern", kLinkPatternNames, link.pattern);
        out.put("cables", link.cables, 1.0);
        out.always("gbps", JsonValue::ofNumber(link.gbps));
        out.put("latency_s", link.latencyS, 0.0);
        links.items.push_back(out.take());
    }
    JsonValue result = JsonValue::object();
    result.set("nodes", std::move(nodes));
    result.set("links", std::move(links));
    return result;
}

} // namespace

JsonValue writeCluster(const ClusterSection &cluster)
{
    ObjectWriter out;
    if (!cluster.blueprint) out.always("template", JsonValue::ofString(cluster.templateName));
    if (cluster.accelerator)
        out.always("accelerator", writeAccelerator(*cluster.accelerator));
    else
        out.put("accelerator", cluster.acceleratorName, std::string());
    out.put("gpus", cluster.gpus, std::int64_t{0});
    out.put("gpus_per_server", cluster.gpusPerServer);
    out.put("scaleup_domain", cluster.scaleupDomain);
    out.put("gpus_used_per_domain", cluster.gpusUsedPerDomain);
    out.put("nic_gbps_per_gpu", cluster.nicGbpsPerGpu);
    out.put("servers_per_rack", cluster.serversPerRack);
    out.put("racks_per_pod", cluster.racksPerPod);
    out.put("leaf", cluster.leaf);
    out.put("pod_oversubscription", cluster.podOversubscription);
    out.put("core_oversubscription", cluster.coreOversubscription);
    out.put("in_network_reduction", cluster.inNetworkReduction);
    out.put("ecmp", cluster.ecmp);
    out.put("ecmp_paths", cluster.ecmpPaths);
    out.put("ecmp_seed", cluster.ecmpSeed);
    out.put("link_latency_s", cluster.linkLatencyS);
    if (cluster.blueprint) out.always("blueprint", writeBlueprint(*cluster.blueprint));
    if (!cluster.exceptions.empty()) {
        JsonValue exceptions = JsonValue::array();
        for (const ClusterException &exception : cluster.exceptions) {
            ObjectWriter item;
            item.always("target", JsonValue::ofString(exception.target));
            item.always("kind", JsonValue::ofString(exception.kind));
            item.put("part", exception.part, std::string());
            item.put("cables", exception.cables, std::int64_t{0});
            exceptions.items.push_back(item.take());
        }
        out.always("exceptions", std::move(exceptions));
    }
    return out.take();
}

} // namespace clusterbeat
