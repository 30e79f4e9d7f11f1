// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/network_phases.h"

#include "model/base/index.h"
#include "model/network/phase.h"
#include "model/workload/rates.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clusterbeat {
namespace {

GroupPath pathOf(std::size_t size, const DomainRuns &runs, const GroupRates &rates, const Fabric &fabric)
{
    GroupPath path;
    path.members = static_cast<std::int32_t>(size);
    path.membersPerDomain = static_cast<std::int32_t>(runs.smallest);
    path.domains = static_cast<std::int32_t>(runs.end.size());
    path.latencyS = rates.latencyS;
    if (std::isfinite(rates.nvlinkBytesPerS)) path.scaleupBytesPerS = rates.nvlinkBytesPerS;
    if (path.domains > 1) {
        path.networkBytesPerS = rates.networkBytesPerS;
        // No NVLink of the group is alive: its members meet inside their domains as they do between them.
        if (path.membersPerDomain > 1 && !std::isfinite(rates.nvlinkBytesPerS)) path.scaleupBytesPerS = rates.networkBytesPerS;
        if (rates.limitingLink != kNone) path.bottleneck = fabric.kindOf(rates.limitingLink);
        return path;
    }
    path.bottleneck = rates.limitingNvlink == kNone ? "nvlink" : fabric.kindOf(rates.limitingNvlink);
    path.leavesDomain = path.bottleneck != "nvlink"; // over PCIe, when an NVLink is dead
    if (rates.networkBytesPerS < rates.nvlinkBytesPerS) {
        // Members whose NVLink is dead meet the others over the network.
        path.scaleupBytesPerS = rates.networkBytesPerS;
        path.leavesDomain = true;
        if (rates.limitingLink != kNone) path.bottleneck = fabric.kindOf(rates.limitingLink);
    }
    return path;
}

enum class Traffic { Ring, AllToAll };

/// An all-to-all inside a domain: every member sends and receives at its NVLink's rate, whatever the pairs; without one
/// at its NIC's.
void useOwnLinks(const GpuIndex *gpus, std::size_t size, const Fabric &fabric, GroupPath &path)
{
    path.scaleupBytesPerS = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < size; ++i) {
        double capacity = fabric.capacities()[at(fabric.nvlinkOut(gpus[i]))];
        const Access &access = fabric.access(gpus[i]);
        if (!fabric.hasNvlink(gpus[i]) && size > 1 && path.domains < path.members)
            for (std::int32_t k = 0; k < access.linkCount; ++k)
                capacity = k == 0 ? fabric.capacities()[at(access.out[k])]
                                  : std::min(capacity, fabric.capacities()[at(access.out[k])]);
        path.scaleupBytesPerS = std::min(path.scaleupBytesPerS, capacity);
    }
}

CollectivePhase phaseOf(PhaseGroups groups, Traffic traffic, Fabric &fabric, const Expansion &expansion)
{
    CollectivePhase result;
    if (groups.count() == 0) return result;
    const std::size_t size = groups.size, count = groups.count();
    Phase phase(fabric, expansion);
    std::vector<DomainRuns> runs(count);
    for (std::size_t g = 0; g < count; ++g) {
        const GpuIndex *gpus = &groups.gpus[g * size];
        runs[g] = domainRuns(gpus, size, expansion);
        const auto add = [&](GpuIndex from, GpuIndex to, const FlowShare &) { phase.add(static_cast<std::int32_t>(g), from, to); };
        if (traffic == Traffic::Ring) forEachRingFlow(gpus, runs[g], add);
        else forEachAllToAllFlow(gpus, runs[g], add);
    }
    const std::vector<GroupRates> rates = phase.solve(count);
    result.paths.reserve(count);
    for (std::size_t g = 0; g < count; ++g) {
        GroupPath path = pathOf(size, runs[g], rates[g], fabric);
        if (traffic == Traffic::AllToAll) {
            // A member's flows to the sampled domains share its NIC.
            path.networkBytesPerS *= static_cast<double>(shiftsOf(runs[g]));
            useOwnLinks(&groups.gpus[g * size], size, fabric, path);
        }
        const bool network = path.domains > 1 ? rates[g].limitingLink != kNone
                                              : rates[g].networkBytesPerS < rates[g].nvlinkBytesPerS;
        result.limitingLink.push_back(network ? rates[g].limitingLink : rates[g].limitingNvlink);
        result.paths.push_back(std::move(path));
    }
    result.groupSize = size;
    result.gpus = std::move(groups.gpus);
    return result;
}

/// Every stage to the next one, then those that only a custom schedule's table connects.
std::vector<StageMap::Link> pipelineLinks(const Degrees &degrees, std::int32_t stages)
{
    std::vector<StageMap::Link> links;
    for (std::int32_t stage = 0; stage < stages; ++stage)
        links.push_back({stage, (stage + 1) % stages});
    if (degrees.custom && degrees.custom->map)
        links.insert(links.end(), degrees.custom->map->links.begin(), degrees.custom->map->links.end());
    return links;
}

void addPipeline(const Placement &p, const Degrees &degrees, Fabric &fabric, const Expansion &expansion,
                 const CostConstants &constants, NetworkPhases &phases)
{
    if (p.pipeline == 1) return;
    phases.links = pipelineLinks(degrees, p.pipeline);
    std::vector<TransferPath> paths(phases.links.size() * at(p.data));
    Phase phase(fabric, expansion);
    const std::int32_t members = p.groupSize();
    for (std::size_t link = 0; link < phases.links.size(); ++link)
        for (std::int32_t replica = 0; replica < p.data; ++replica)
            for (std::int32_t member = 0; member < members; ++member) {
                const RankIndex from = p.rankAt(phases.links[link].from, replica, member);
                const RankIndex to = p.rankAt(phases.links[link].to, replica, member);
                phase.add(static_cast<std::int32_t>(link) * p.data + replica, p.gpuOfRank[at(from)], p.gpuOfRank[at(to)]);
            }
    const std::vector<GroupRates> rates = phase.solve(paths.size());
    phases.pipelineLink.assign(paths.size(), kNone);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const bool network = rates[i].networkBytesPerS <= rates[i].nvlinkBytesPerS;
        paths[i].bytesPerS = network ? rates[i].networkBytesPerS : rates[i].nvlinkBytesPerS;
        paths[i].latencyS = constants.pointToPointLatencyS + rates[i].latencyS;
        phases.pipelineLink[i] = network ? rates[i].limitingLink : rates[i].limitingNvlink;
        if (!network)
            paths[i].bottleneck = "nvlink";
        else if (rates[i].limitingLink != kNone)
            paths[i].bottleneck = fabric.kindOf(rates[i].limitingLink);
    }
    phases.pipeline = std::move(paths);
}

template <typename Rate>
std::size_t slowestBy(const CollectivePhase &phase, Rate &&rate, bool widestFirst)
{
    std::size_t slowest = 0;
    for (std::size_t g = 1; g < phase.paths.size(); ++g) {
        const GroupPath &path = phase.paths[g], &worst = phase.paths[slowest];
        const bool wider = path.domains > worst.domains;
        const bool slower = rate(path) < rate(worst);
        if (widestFirst ? wider || (path.domains == worst.domains && slower) : slower || (rate(path) == rate(worst) && wider)) slowest = g;
    }
    return slowest;
}

GroupPath slowestPath(const CollectivePhase &phase, GroupOf kind)
{
    return phase.paths.empty() ? GroupPath{} : phase.paths[slowestGroup(phase, kind)];
}

} // namespace

CollectiveFeatures collectiveFeatures(const ResolvedScenario &scenario, const CostConstants &constants,
                                      std::int32_t domains)
{
    const CollectiveConstants &c = constants.collectives;
    const GpuGeneration generation = generationOf(scenario.accelerator);
    const LowLatencyCaps &caps = generation == GpuGeneration::Blackwell ? c.llBlackwell
                                 : generation == GpuGeneration::Hopper  ? c.llHopper
                                                                        : c.llAmpere;
    CollectiveFeatures features;
    features.lowLatencyBytesPerS = domains <= 1   ? caps.oneBytesPerS
                                   : domains == 2 ? caps.twoBytesPerS
                                                  : caps.moreBytesPerS;
    if (scenario.software.nvls && generation == GpuGeneration::Hopper) features.nvlsEfficiency = c.nvlsEfficiencyHopper;
    if (scenario.software.nvls && generation == GpuGeneration::Blackwell)
        features.nvlsEfficiency = c.nvlsEfficiencyBlackwell;
    features.inNetwork = scenario.inNetworkReduction;
    features.pat = scenario.software.pat;
    return features;
}

double ringRate(const GroupPath &path)
{
    if (path.domains == 1) return path.scaleupBytesPerS;
    const double across = path.membersPerDomain * path.networkBytesPerS;
    return path.membersPerDomain > 1 ? std::min(path.scaleupBytesPerS, across) : across;
}

std::size_t slowestGroup(const CollectivePhase &phase, GroupOf kind)
{
    if (kind != GroupOf::Expert) return slowestBy(phase, ringRate, false);
    const auto rate = [](const GroupPath &path) { return path.domains > 1 ? path.networkBytesPerS : path.scaleupBytesPerS; };
    return slowestBy(phase, rate, true);
}

NetworkPhases networkPhases(const ResolvedScenario &scenario, const Expansion &expansion, const Placement &placement,
                            const CostConstants &constants, Fabric &fabric)
{
    NetworkPhases phases;
    const auto phaseFor = [&](GroupOf kind) {
        const Traffic traffic = kind == GroupOf::Expert ? Traffic::AllToAll : Traffic::Ring;
        return phaseOf(groupsOf(kind, placement, scenario.degrees, expansion), traffic, fabric, expansion);
    };
    phases.tensor = phaseFor(GroupOf::Tensor);
    phases.context = phaseFor(GroupOf::Context);
    phases.data = phaseFor(GroupOf::Data);
    if (scenario.model.moe) {
        phases.expert = phaseFor(GroupOf::Expert);
        phases.expertTensor = phaseFor(GroupOf::ExpertTensor);
        phases.expertData = phaseFor(GroupOf::ExpertData);
    }
    addPipeline(placement, scenario.degrees, fabric, expansion, constants, phases);
    return phases;
}

NetworkModel slowestOf(const NetworkPhases &phases, const ResolvedScenario &scenario, const CostConstants &constants)
{
    NetworkModel model;
    model.tensor = slowestPath(phases.tensor, GroupOf::Tensor);
    model.context = slowestPath(phases.context, GroupOf::Context);
    model.data = slowestPath(phases.data, GroupOf::Data);
    model.expert = slowestPath(phases.expert, GroupOf::Expert);
    model.expertTensor = slowestPath(phases.expertTensor, GroupOf::ExpertTensor);
    model.expertData = slowestPath(phases.expertData, GroupOf::ExpertData);
    model.pipeline = phases.pipeline;
    for (GroupPath *path :
         {&model.tensor, &model.context, &model.data, &model.expert, &model.expertTensor, &model.expertData}) {
        path->features = collectiveFeatures(scenario, constants, path->domains);
        if (path->members > 1 && !(ringRate(*path) > 0.0)) model.connected = false;
    }
    for (const TransferPath &path : model.pipeline)
        if (!(path.bytesPerS > 0.0)) model.connected = false;
    return model;
}

NetworkModel networkModel(const ResolvedScenario &scenario, const Expansion &expansion, const Placement &placement,
                          const CostConstants &constants)
{
    const bool placed =
        std::find(placement.gpuOfRank.begin(), placement.gpuOfRank.end(), kNone) == placement.gpuOfRank.end();
    if (!placed) {
        NetworkModel model;
        model.connected = false;
        return model;
    }
    Fabric fabric(expansion, constants, nullptr, scenario.ecmp);
    return slowestOf(networkPhases(scenario, expansion, placement, constants, fabric), scenario, constants);
}

} // namespace clusterbeat
