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

/// GPUs of every group of one dimension, group after group, each in order of domain and GPU.
struct Groups {
    std::size_t size = 0; ///< members of one
    std::vector<GpuIndex> gpus;
    [[nodiscard]] std::size_t count() const { return size == 0 ? 0 : gpus.size() / size; }
};

enum class GroupOf { Tensor, Context, Data, Expert, ExpertTensor, ExpertData };

std::size_t groupSize(GroupOf kind, const Placement &p, const Degrees &degrees)
{
    const std::size_t tensor = at(p.tensor), context = at(p.context), data = at(p.data);
    switch (kind) {
    case GroupOf::Tensor: return tensor;
    case GroupOf::Context: return context;
    case GroupOf::Data: return data * context;
    case GroupOf::Expert: return at(degrees.expert);
    case GroupOf::ExpertTensor: return at(degrees.expertTensor);
    case GroupOf::ExpertData: return tensor * context * data / at(degrees.expert * degrees.expertTensor);
    }
    return 1;
}

/// Expert groups cut the ranks of a stage, in rank order, into runs of expert * expert_tensor.
Groups groupsOf(GroupOf kind, const Placement &p, const Degrees &degrees, const Expansion &expansion)
{
    const std::size_t tensor = at(p.tensor), context = at(p.context), data = at(p.data), pipeline = at(p.pipeline);
    Groups groups;
    groups.size = groupSize(kind, p, degrees);
    if (groups.size <= 1) return groups;
    const std::size_t ofStage = tensor * context * data, ranks = ofStage * pipeline;
    const std::size_t split = at(degrees.expertTensor), run = at(degrees.expert) * split;
    groups.gpus.assign(ranks, kNone);
    std::vector<std::size_t> next(ranks / groups.size, 0), seen(pipeline, 0);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const RankCoordinates &c = p.coordinates[rank];
        const std::size_t stage = at(c.pipeline), number = seen[stage]++;
        std::size_t group = 0;
        switch (kind) {
        case GroupOf::Tensor: group = (stage * data + at(c.data)) * context + at(c.context); break;
        case GroupOf::Context: group = (stage * data + at(c.data)) * tensor + at(c.tensor); break;
        case GroupOf::Data: group = stage * tensor + at(c.tensor); break;
        case GroupOf::Expert: group = (stage * (ofStage / run) + number / run) * split + number % split; break;
        case GroupOf::ExpertTensor: group = (stage * ofStage + number) / split; break;
        case GroupOf::ExpertData: group = stage * run + number % run; break;
        }
        groups.gpus[group * groups.size + next[group]++] = p.gpuOfRank[rank];
    }
    const auto before = [&](GpuIndex a, GpuIndex b) {
        const std::int32_t domainA = expansion.domainOfGpu[at(a)], domainB = expansion.domainOfGpu[at(b)];
        return domainA != domainB ? domainA < domainB : a < b;
    };
    for (auto begin = groups.gpus.begin(); begin != groups.gpus.end();) {
        const auto end = begin + static_cast<std::ptrdiff_t>(groups.size);
        if (!std::is_sorted(begin, end, before)) std::sort(begin, end, before);
        begin = end;
    }
    return groups;
}

/// Where the members of one group sit: ends of the runs of one domain each.
struct Runs {
    std::vector<std::size_t> end;
    std::size_t smallest = 0;
};

Runs runsOf(const GpuIndex *gpus, std::size_t size, const Expansion &expansion)
{
    Runs runs;
    runs.smallest = size;
    std::size_t begin = 0;
    for (std::size_t i = 1; i <= size; ++i) {
        if (i < size && expansion.domainOfGpu[at(gpus[i])] == expansion.domainOfGpu[at(gpus[begin])]) continue;
        runs.end.push_back(i);
        runs.smallest = std::min(runs.smallest, i - begin);
        begin = i;
    }
    return runs;
}

/// A ring inside every domain, and side by side from domain to domain. With several rings each starts at another
/// member, so the link from a domain's last member to its first is used as well.
void addRing(std::int32_t group, const GpuIndex *gpus, const Runs &runs, Phase &phase)
{
    std::size_t begin = 0;
    for (std::size_t d = 0; d < runs.end.size(); ++d) {
        const std::size_t end = runs.end[d];
        for (std::size_t i = begin; i < end && end - begin > 1; ++i)
            phase.add(group, gpus[i], gpus[i + 1 < end ? i + 1 : begin]);
        const std::size_t nextBegin = d + 1 < runs.end.size() ? end : 0;
        for (std::size_t k = 0; k < runs.smallest && runs.end.size() > 1; ++k)
            phase.add(group, gpus[begin + k], gpus[nextBegin + k]);
        begin = end;
    }
}

constexpr std::size_t kMostShifts = 8;

std::size_t shiftsOf(const Runs &runs) { return std::min(kMostShifts, runs.end.size() - 1); }

/// All pairs of domains at once: each member of a domain sends to the member of the same number in others, evenly
/// spaced around the ring of domains.
void addAllToAll(std::int32_t group, const GpuIndex *gpus, const Runs &runs, Phase &phase)
{
    const std::size_t domains = runs.end.size(), shifts = shiftsOf(runs);
    for (std::size_t d = 0; d < domains; ++d) {
        const std::size_t begin = d == 0 ? 0 : runs.end[d - 1];
        for (std::size_t s = 0; s < shifts; ++s) {
            const std::size_t to = (d + 1 + s * (domains - 1) / shifts) % domains;
            const std::size_t toBegin = to == 0 ? 0 : runs.end[to - 1];
            for (std::size_t k = 0; k < runs.smallest; ++k) phase.add(group, gpus[begin + k], gpus[toBegin + k]);
        }
    }
}

GroupPath pathOf(std::size_t size, const Runs &runs, const GroupRates &rates, const Fabric &fabric)
{
    GroupPath path;
    path.members = static_cast<std::int32_t>(size);
    path.membersPerDomain = static_cast<std::int32_t>(runs.smallest);
    path.domains = static_cast<std::int32_t>(runs.end.size());
    path.latencyS = rates.latencyS;
    if (std::isfinite(rates.nvlinkBytesPerS)) path.scaleupBytesPerS = rates.nvlinkBytesPerS;
    if (path.domains > 1) {
        path.networkBytesPerS = rates.networkBytesPerS;
        if (rates.limitingLink != kNone) path.bottleneck = fabric.kindOf(rates.limitingLink);
        return path;
    }
    path.bottleneck = "nvlink";
    if (rates.networkBytesPerS < rates.nvlinkBytesPerS) {
        // Members whose NVLink is dead meet the others over the network.
        path.scaleupBytesPerS = rates.networkBytesPerS;
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

CollectivePhase phaseOf(Groups groups, Traffic traffic, Fabric &fabric, const Expansion &expansion)
{
    CollectivePhase result;
    if (groups.count() == 0) return result;
    const std::size_t size = groups.size, count = groups.count();
    Phase phase(fabric, expansion);
    std::vector<Runs> runs(count);
    for (std::size_t g = 0; g < count; ++g) {
        const GpuIndex *gpus = &groups.gpus[g * size];
        runs[g] = runsOf(gpus, size, expansion);
        if (traffic == Traffic::Ring) addRing(static_cast<std::int32_t>(g), gpus, runs[g], phase);
        else addAllToAll(static_cast<std::int32_t>(g), gpus, runs[g], phase);
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

GroupPath slowestRing(const CollectivePhase &phase)
{
    GroupPath slowest;
    for (std::size_t g = 0; g < phase.paths.size(); ++g) {
        const GroupPath &path = phase.paths[g];
        const double rate = ringRate(path), worst = ringRate(slowest);
        if (g == 0 || rate < worst || (rate == worst && path.domains > slowest.domains)) slowest = path;
    }
    return slowest;
}

GroupPath slowestAllToAll(const CollectivePhase &phase)
{
    GroupPath slowest;
    for (std::size_t g = 0; g < phase.paths.size(); ++g) {
        const GroupPath &path = phase.paths[g];
        const double rate = path.domains > 1 ? path.networkBytesPerS : path.scaleupBytesPerS;
        const double worst = slowest.domains > 1 ? slowest.networkBytesPerS : slowest.scaleupBytesPerS;
        if (g == 0 || path.domains > slowest.domains || (path.domains == slowest.domains && rate < worst)) slowest = path;
    }
    return slowest;
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
    model.tensor = slowestRing(phases.tensor);
    model.context = slowestRing(phases.context);
    model.data = slowestRing(phases.data);
    model.expert = slowestAllToAll(phases.expert);
    model.expertTensor = slowestRing(phases.expertTensor);
    model.expertData = slowestRing(phases.expertData);
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
    Fabric fabric(expansion, constants);
    return slowestOf(networkPhases(scenario, expansion, placement, constants, fabric), scenario, constants);
}

} // namespace clusterbeat
