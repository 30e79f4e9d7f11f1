// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/result_json.h"

#include "model/iteration/link_json.h"
#include "model/iteration/communication_account.h"

#include <nlohmann/json.hpp>

#include <string_view>

namespace clusterbeat {
namespace {

using Json = nlohmann::ordered_json;

std::string_view nameOf(WhyKind kind)
{
    switch (kind) {
    case WhyKind::IterationEnd: return "iteration_end";
    case WhyKind::Barrier: return "barrier";
    case WhyKind::GradientReduce: return "gradient_reduce";
    case WhyKind::Pipeline: return "pipeline";
    case WhyKind::GroupPeer: return "group_peer";
    case WhyKind::ExpertPeer: return "expert_peer";
    case WhyKind::Computing: return "computing";
    case WhyKind::ParameterGather: return "parameter_gather";
    case WhyKind::SlowGpu: return "slow_gpu";
    case WhyKind::Jitter: return "jitter";
    case WhyKind::HostPause: return "host_pause";
    case WhyKind::Documents: return "documents";
    case WhyKind::DataLoading: return "data_loading";
    case WhyKind::Checkpoint: return "checkpoint";
    case WhyKind::WarmUp: return "warm_up";
    case WhyKind::SlowLink: return "slow_link";
    case WhyKind::MostWork: return "most_work";
    }
    return "";
}

std::string_view nameOf(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return "forward";
    case OperationKind::Backward: return "backward";
    case OperationKind::InputGradient: return "input_gradient";
    case OperationKind::WeightGradient: return "weight_gradient";
    }
    return "";
}

std::string_view nameOf(Slowest::Reason reason)
{
    switch (reason) {
    case Slowest::Reason::MostWork: return "most_work";
    case Slowest::Reason::SlowGpu: return "slow_gpu";
    case Slowest::Reason::Jitter: return "jitter";
    case Slowest::Reason::HostPause: return "host_pause";
    case Slowest::Reason::Documents: return "documents";
    case Slowest::Reason::DataLoading: return "data_loading";
    case Slowest::Reason::Checkpoint: return "checkpoint";
    case Slowest::Reason::WarmUp: return "warm_up";
    case Slowest::Reason::SlowLink: return "slow_link";
    }
    return "";
}

std::string_view nameOf(CollectiveAlgorithm algorithm)
{
    switch (algorithm) {
    case CollectiveAlgorithm::None: return "none";
    case CollectiveAlgorithm::Ring: return "ring";
    case CollectiveAlgorithm::Tree: return "tree";
    case CollectiveAlgorithm::Hierarchical: return "hierarchical";
    case CollectiveAlgorithm::PointToPoint: return "point_to_point";
    case CollectiveAlgorithm::AllToAll: return "all_to_all";
    case CollectiveAlgorithm::Nvls: return "nvls";
    case CollectiveAlgorithm::NvlsTree: return "nvls_tree";
    case CollectiveAlgorithm::InNetwork: return "in_network";
    case CollectiveAlgorithm::Pat: return "pat";
    }
    return "";
}

std::string_view nameOf(CollectiveProtocol protocol)
{
    switch (protocol) {
    case CollectiveProtocol::None: return "none";
    case CollectiveProtocol::Simple: return "simple";
    case CollectiveProtocol::Ll128: return "ll128";
    case CollectiveProtocol::Ll: return "ll";
    }
    return "";
}

Json breakdown(const std::array<double, kCategoryCount> &seconds)
{
    Json json = Json::object();
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        json[std::string(kCategoryKeys[c])] = seconds[c];
    return json;
}

Json memoryParts(const MemoryParts &parts)
{
    return {{"parameters", parts.parameters}, {"gradients", parts.gradients}, {"optimizer", parts.optimizer},
            {"activations", parts.activations}, {"buffers", parts.buffers}, {"total", parts.total()}};
}

Json memory(const IterationResult &result)
{
    const MemoryReport &report = result.memory;
    Json json = memoryParts(report.peak);
    json["capacity"] = report.capacity;
    json["fits"] = report.fits;
    json["rank"] = report.rank;
    json["at_s"] = toSeconds(report.at);
    json["overflow"] = nullptr;
    if (const auto &over = report.overflow)
        json["overflow"] = {{"rank", over->rank},
                            {"gpu", result.expansion->pathOf(result.placement->gpuOfRank[static_cast<std::size_t>(over->rank)])},
                            {"at_s", toSeconds(over->at)},
                            {"bytes", over->bytes}};
    json["by_stage"] = Json::array();
    for (const StageMemory &stage : *report.byStage)
        json["by_stage"].push_back(memoryParts(stage.peak));
    return json;
}

Json communication(const IterationResult &result)
{
    Json json = Json::object();
    const CommunicationSummary summary = CommunicationAccount(result).summary();
    for (const DimensionReport &report : result.communication) {
        const CommunicationTimes &mean = summary.mean[static_cast<std::size_t>(report.dimension)];
        json[std::string(nameOf(report.dimension))] = {{"bytes_per_gpu", report.bytesPerGpu}, {"busy_s", report.busyS},
                                                       {"startup_s", report.startupS}, {"transfer_s", report.transferS},
                                                       {"peer_wait_s", mean.peerWaitS}, {"mean_busy_s", mean.busyS},
                                                       {"hidden_s", mean.hiddenS}, {"exposed_s", report.exposedS},
                                                       {"idle_s", mean.idleS}, {"algorithm", nameOf(report.algorithm)}, {"protocol", nameOf(report.protocol)},
                                                       {"bottleneck", report.bottleneck}};
    }
    return json;
}

Json operation(const IterationResult &result, const WhyStep &step)
{
    if (step.operation < 0) return nullptr;
    const ScheduledOperation &o = result.run.plan.schedule.order[static_cast<std::size_t>(step.stage)][static_cast<std::size_t>(step.operation)];
    return {{"kind", nameOf(o.kind)}, {"chunk", o.chunk}, {"micro_batch", o.microBatch}};
}

Json why(const IterationResult &result)
{
    Json json = Json::array();
    const auto gpuOf = [&](const WhyStep &step) {
        const RankIndex rank = result.placement->rankAt(step.stage, step.replica, step.member);
        return result.expansion->pathOf(result.placement->gpuOfRank[static_cast<std::size_t>(rank)]);
    };
    for (std::size_t i = 0; i < result.why.size(); ++i) {
        const WhyStep &step = result.why[i];
        const bool root = i + 1 == result.why.size();
        Json entry{{"kind", nameOf(step.kind)}, {"gpu", gpuOf(step)}, {"rank", result.placement->rankAt(step.stage, step.replica, step.member)},
                   {"stage", step.stage}, {"replica", step.replica}, {"operation", operation(result, step)}, {"at_s", toSeconds(step.at)},
                   {"seconds", toSeconds(step.ns)}};
        if (step.kind == WhyKind::SlowGpu) entry["speed"] = step.speed;
        if (step.kind == WhyKind::SlowLink) entry["link"] = result.run.plan.links->causes[static_cast<std::size_t>(step.link)].link;
        entry["caused_by"] = root ? Json(nullptr) : Json(gpuOf(result.why[i + 1]));
        json.push_back(std::move(entry));
    }
    return json;
}

/// Transfers that a slow link made faster, for the others leave them room.
Json gains(const LinkDelays &links)
{
    Json json = Json::array();
    for (const LinkDelays::Gain &gain : links.gains)
        json.push_back({{"from_stage", gain.from}, {"to_stage", gain.to}, {"replica", gain.replica}, {"bottleneck_link", gain.link}});
    return json;
}

Json accuracy(const IterationResult &result, const ReferenceTable &references)
{
    const ErrorBand band = errorBand(featuresOf(*result.scenario), references);
    Json relatives = Json::array();
    for (const Relative &relative : band.relatives)
        relatives.push_back({{"id", references.runs[relative.run].id}, {"distance", relative.distance}, {"time_error", relative.error}});
    const double seconds = toSeconds(result.unperturbedIteration);
    return {{"error_band", {band.low, band.high}},
            {"typical_error", band.typical},
            {"measured_s", {seconds / (1.0 + band.high), seconds / (1.0 + band.low)}},
            {"extrapolated", band.extrapolated},
            {"relatives", std::move(relatives)}};
}

} // namespace

std::string resultJson(const IterationResult &result, const ReferenceTable *references, const CostConstants *constants)
{
    const Metrics &m = result.metrics;
    Json json;
    json["iteration_s"] = m.iterationS;
    json["unperturbed_iteration_s"] = toSeconds(result.unperturbedIteration);
    json["tokens_per_s"] = m.tokensPerS;
    json["model_tflops_per_gpu"] = m.modelTflopsPerGpu;
    json["mfu"] = m.mfu;
    json["hfu"] = m.hfu;
    json["flops_convention"] = "6N + causal attention over the dense peak of the training precision; N = matmul parameters touched";
    json["mfu_no_attention"] = m.mfuNoAttention;
    json["mfu_noncausal"] = m.mfuNoncausal;
    json["mfu_bf16_peak"] = m.mfuBf16Peak;
    json["gpus"] = m.gpus;
    json["cluster_gpus"] = m.clusterGpus;
    json["bubble_fraction"] = m.bubbleFraction;
    json["breakdown_s"] = breakdown(m.breakdownS);
    json["memory_bytes"] = memory(result);
    json["communication"] = communication(result);
    if (constants != nullptr) {
        addLinks(json, linkReport(result, *constants), result);
        addCluster(json, *result.expansion);
    }
    json["usd_per_million_tokens"] = m.usdPerMillionTokens;
    json["average_power_w"] = m.averagePowerW;
    json["goodput_estimate"] = m.goodput;
    json["slowest"] = {{"rank", result.slowest.rank}, {"gpu", result.expansion->pathOf(result.slowest.gpu)}, {"reason", nameOf(result.slowest.reason)}};
    if (result.slowest.reason == Slowest::Reason::SlowGpu) json["slowest"]["speed"] = result.slowest.speed;
    if (result.slowest.reason == Slowest::Reason::SlowLink) json["slowest"]["link"] = result.slowest.link;
    json["why"] = why(result);
    if (const auto &links = result.run.plan.links; links && !links->gains.empty()) json["gains"] = gains(*links);
    if (references != nullptr) json["accuracy"] = accuracy(result, *references);
    json["simulated"] = {{"ranks", m.gpus}, {"distinct_ranks", m.distinctRanks}, {"operations", m.operations}};
    return json.dump(2) + "\n";
}

} // namespace clusterbeat
