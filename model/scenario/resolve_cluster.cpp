// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/blueprint_index.h"
#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/object_reader.h"
#include "model/scenario/resolve_parts.h"

#include <algorithm>
#include <bit>

namespace clusterbeat
{
namespace
{

Result<Accelerator> findAccelerator(const ClusterSection &section, const Catalogue &catalogue)
{
    if (section.accelerator) return *section.accelerator;
    const std::string name = section.acceleratorName.empty() ? kDefaultAccelerator : section.acceleratorName;
    if (const Accelerator *known = catalogue.accelerator(name)) return *known;
    std::vector<std::string_view> names;
    for (const Accelerator &accelerator : catalogue.accelerators)
        names.push_back(accelerator.name);
    return ruleError(ErrorCode::UnknownName, "/cluster/accelerator",
                     unknownNameArguments(name, "accelerator", names));
}

/// The tensor cores must know the precision of the matmuls.
std::optional<Error> checkPrecision(Precision precision, const Accelerator &accelerator)
{
    const bool missing = (precision == Precision::Fp8 && !accelerator.peakFp8Tflops) ||
                         (precision == Precision::Fp4 && !accelerator.peakFp4Tflops);
    if (!missing) return std::nullopt;
    return ruleError(ErrorCode::Contradiction, "/training/precision",
                     {std::string("training.precision"), std::string(precision == Precision::Fp8 ? "fp8" : "fp4"),
                      std::string("cluster.accelerator"), accelerator.name});
}

/// Attention in fp8 takes a kernel that has it (FlashAttention 3, cuDNN) and tensor cores for it.
std::optional<Error> checkAttentionPrecision(const ResolvedScenario &resolved)
{
    if (resolved.training.attentionPrecision != Precision::Fp8) return std::nullopt;
    const auto contradicts = [](const char *key, std::string value) {
        return ruleError(ErrorCode::Contradiction, "/training/attention_precision",
                         {std::string("training.attention_precision"), std::string("fp8"), std::string(key),
                          std::move(value)});
    };
    const AttentionKernel kernel = resolved.software.attentionKernel;
    if (kernel != AttentionKernel::Fa3 && kernel != AttentionKernel::CuDnn)
        return contradicts("software.attention_kernel", std::string(nameOf(kAttentionKernelNames, kernel)));
    if (!resolved.accelerator.peakFp8Tflops) return contradicts("cluster.accelerator", resolved.accelerator.name);
    return std::nullopt;
}

/// GPUs in one chassis: the whole NVLink domain up to 16; a larger domain is built of trays of four (GB200 NVL72: 18 x
/// 4). Without a scale-up network eight share a chassis.
std::int64_t usualGpusPerServer(std::int64_t domain)
{
    if (domain == 1) return 8;
    if (domain <= 16) return domain;
    return domain % 4 == 0 ? 4 : 1;
}

/// A server of sixteen with one NVLink network exists (DGX-2, a2-megagpu-16g, Atlas A3); beyond, domains are racks.
constexpr std::int64_t kWidestServer = 16;
/// Narrower networks join pairs or fours of cards by bridges, whatever the server's size.
constexpr std::int64_t kWholeServerDomain = 8;

/// NVLink ends at the server, unless the accelerator is sold in racks that it joins (NVL72, NVL32, supernodes).
std::int64_t usualDomain(std::int64_t ofAccelerator, std::optional<std::int64_t> gpusPerServer)
{
    if (!gpusPerServer || ofAccelerator > kWidestServer) return ofAccelerator;
    const bool wholeServer = ofAccelerator >= kWholeServerDomain && *gpusPerServer <= kWidestServer;
    return wholeServer ? *gpusPerServer : std::min(ofAccelerator, *gpusPerServer);
}

/// Several domains give a power of two of each (64 of 72), so that degrees divide; all of each where the GPUs are whole
/// domains and no whole number of such powers.
std::int64_t usedOfEach(std::int64_t gpus, std::int64_t domain)
{
    if (gpus <= domain) return domain;
    const auto power = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(domain)));
    return gpus % domain == 0 && gpus % power != 0 ? domain : power;
}

/// A job that one domain holds may take all of it.
std::int64_t usualGpusUsed(const Scenario &scenario, const ClusterParameters &cluster)
{
    const LayoutSection &layout = *scenario.layout;
    const double job = layout.data ? static_cast<double>(layout.tensor) * static_cast<double>(layout.pipeline) *
                                         static_cast<double>(layout.context) * static_cast<double>(*layout.data)
                                   : static_cast<double>(cluster.gpus);
    if (job <= static_cast<double>(cluster.scaleupDomain)) return cluster.scaleupDomain;
    return usedOfEach(cluster.gpus, cluster.scaleupDomain);
}

/// GPUs that stand there so that a job may use `gpus`: by the cluster alone, whatever the job takes. The last domain
/// holds only what is still needed.
std::int64_t builtGpus(const ClusterSection &section, std::int64_t domain)
{
    const std::int64_t used = section.gpusUsedPerDomain.value_or(usedOfEach(section.gpus, domain));
    return section.gpus / used * domain + section.gpus % used;
}

std::optional<Error> checkUsed(const Scenario &scenario, ClusterParameters &cluster)
{
    cluster.gpusUsedPerDomain = scenario.cluster->gpusUsedPerDomain.value_or(usualGpusUsed(scenario, cluster));
    if (cluster.gpusUsedPerDomain <= cluster.scaleupDomain) return std::nullopt;
    return ruleError(ErrorCode::OutOfRange, "/cluster/gpus_used_per_domain",
                     {std::to_string(cluster.gpusUsedPerDomain), std::int64_t{1}, cluster.scaleupDomain});
}

std::optional<Error> fromTemplate(const Scenario &scenario, ResolvedScenario &resolved)
{
    const ClusterSection &section = *scenario.cluster;
    ClusterParameters &cluster = resolved.cluster;
    if (section.gpus == 0) return ruleError(ErrorCode::MissingKey, "/cluster/gpus", {std::string("gpus")});
    if (section.gpus > kMaxGpus) return ruleError(ErrorCode::TooManyGpus, "/cluster/gpus", {section.gpus, kMaxGpus});
    // The usual fabric is a rail-optimised Clos for every accelerator so far.
    cluster.templateName = section.templateName == "auto" ? "clos-rail" : section.templateName;
    cluster.gpus = section.gpus;
    cluster.scaleupDomain = section.scaleupDomain.value_or(usualDomain(resolved.accelerator.scaleupDomain, section.gpusPerServer));
    cluster.gpusPerServer = section.gpusPerServer.value_or(usualGpusPerServer(cluster.scaleupDomain));
    cluster.nicGbps = section.nicGbpsPerGpu.value_or(resolved.accelerator.nicGbps);
    if (cluster.nicGbps == 0.0)
        return ruleError(ErrorCode::MissingKey, "/cluster/nic_gbps_per_gpu", {std::string("nic_gbps_per_gpu")});
    cluster.scaleupGbytesPerS = resolved.accelerator.scaleupGbytesPerS;
    cluster.serversPerRack = section.serversPerRack.value_or(cluster.serversPerRack);
    cluster.racksPerPod = section.racksPerPod.value_or(cluster.racksPerPod);
    cluster.leaf = section.leaf.value_or(cluster.leaf);
    cluster.podOversubscription = section.podOversubscription.value_or(cluster.podOversubscription);
    cluster.coreOversubscription = section.coreOversubscription.value_or(cluster.coreOversubscription);
    cluster.linkLatencyS = section.linkLatencyS.value_or(cluster.linkLatencyS);
    if (auto error = checkUsed(scenario, cluster)) return error;
    cluster.gpus = builtGpus(section, cluster.scaleupDomain);
    if (cluster.gpus > kMaxGpus) return ruleError(ErrorCode::TooManyGpus, "/cluster/gpus", {cluster.gpus, kMaxGpus});
    auto blueprint = blueprintFromTemplate(cluster);
    if (!blueprint.ok()) return blueprint.error();
    resolved.blueprint = std::move(blueprint).value();
    return std::nullopt;
}

/// A template's parameter beside a drawn blueprint would have no effect.
std::optional<Error> refuseTemplateParameters(const ClusterSection &section)
{
    const std::pair<const char *, bool> parameters[] = {
        {"gpus_per_server", section.gpusPerServer.has_value()},
        {"nic_gbps_per_gpu", section.nicGbpsPerGpu.has_value()},
        {"servers_per_rack", section.serversPerRack.has_value()},
        {"racks_per_pod", section.racksPerPod.has_value()},
        {"leaf", section.leaf.has_value()},
        {"pod_oversubscription", section.podOversubscription.has_value()},
        {"core_oversubscription", section.coreOversubscription.has_value()},
        {"link_latency_s", section.linkLatencyS.has_value()}};
    for (const auto &[key, given] : parameters)
        if (given)
            return ruleError(ErrorCode::Contradiction, std::string("/cluster/") + key,
                             {std::string(key), std::string("of a template"), std::string("blueprint"), std::string("drawn")});
    return std::nullopt;
}

std::optional<Error> fromBlueprint(const Scenario &scenario, ResolvedScenario &resolved)
{
    const ClusterSection &section = *scenario.cluster;
    if (auto error = refuseTemplateParameters(section)) return error;
    const Blueprint &drawn = *section.blueprint;
    const auto index = indexBlueprint(drawn);
    if (!index.ok()) return index.error();
    const auto instances = [&](std::int32_t node) {
        return node < 0 ? std::int64_t{1} : index.value().instances[static_cast<std::size_t>(node)];
    };
    ClusterParameters &cluster = resolved.cluster;
    cluster.templateName.clear();
    std::int64_t servers = 1, domains = 0;
    for (std::size_t i = 0; i < drawn.nodes.size(); ++i) {
        if (drawn.nodes[i].kind == NodeKind::Gpu) {
            cluster.gpus += index.value().instances[i];
            servers = instances(index.value().parent[i]);
        } else if (drawn.nodes[i].kind == NodeKind::NvSwitch) {
            domains = instances(index.value().parent[i]);
        }
    }
    if (section.gpus != 0 && section.gpus != cluster.gpus)
        return ruleError(ErrorCode::Contradiction, "/cluster/gpus",
                         {std::string("gpus"), section.gpus, std::string("blueprint"), cluster.gpus});
    if (cluster.gpus < 1) return ruleError(ErrorCode::MissingKey, "/cluster/blueprint/nodes", {std::string("gpu")});
    cluster.gpusPerServer = (cluster.gpus + servers - 1) / servers;
    cluster.scaleupDomain = section.scaleupDomain.value_or(domains > 0 ? (cluster.gpus + domains - 1) / domains : 1);
    cluster.nicGbps = resolved.accelerator.nicGbps;
    cluster.scaleupGbytesPerS = resolved.accelerator.scaleupGbytesPerS;
    resolved.blueprint = drawn;
    return checkUsed(scenario, cluster);
}

/// How many ways and which seed say nothing about an even split.
std::optional<Error> resolveEcmp(const ClusterSection &section, Ecmp &ecmp)
{
    const std::string kind = section.ecmp.value_or("even");
    ecmp.hash = kind == "hash";
    for (const auto &[key, given] : {std::pair("ecmp_paths", section.ecmpPaths), std::pair("ecmp_seed", section.ecmpSeed)})
        if (given && !ecmp.hash)
            return ruleError(ErrorCode::Contradiction, std::string("/cluster/") + key,
                             {std::string(key), *given, std::string("ecmp"), kind});
    ecmp.paths = static_cast<std::int32_t>(section.ecmpPaths.value_or(1));
    ecmp.seed = static_cast<std::uint64_t>(section.ecmpSeed.value_or(0));
    return std::nullopt;
}

} // namespace

std::optional<Error> resolveCluster(const Scenario &scenario, const Catalogue &catalogue, ResolvedScenario &resolved)
{
    auto accelerator = findAccelerator(*scenario.cluster, catalogue);
    if (!accelerator.ok()) return accelerator.error();
    resolved.accelerator = std::move(accelerator).value();
    resolved.inNetworkReduction = scenario.cluster->inNetworkReduction.value_or(false);
    if (auto error = resolveEcmp(*scenario.cluster, resolved.ecmp)) return error;
    if (auto error = checkPrecision(resolved.training.precision, resolved.accelerator)) return error;
    if (auto error = checkAttentionPrecision(resolved)) return error;
    return scenario.cluster->blueprint ? fromBlueprint(scenario, resolved) : fromTemplate(scenario, resolved);
}

} // namespace clusterbeat
