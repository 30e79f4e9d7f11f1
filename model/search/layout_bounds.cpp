// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/layout_bounds.h"

#include "model/base/index.h"
#include "model/network/fabric.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace clusterbeat
{
namespace
{

TimeNs transferOf(const WorkloadCosts &costs, const Degrees &degrees, std::int64_t stage)
{
    TimeNs fastest = std::numeric_limits<TimeNs>::max();
    for (std::int64_t replica = 0; replica < degrees.data; ++replica)
        fastest = std::min(fastest, costs.transfer[at(stage * degrees.data + replica)]);
    return fastest;
}

/// One micro-batch through all chunks of a stage.
TimeNs workPerMicroBatch(const WorkloadCosts &costs, std::size_t stage)
{
    TimeNs work = 0;
    const bool split = !costs.inputGradient.empty();
    for (std::size_t chunk = 0; chunk < costs.forward[stage].size(); ++chunk) {
        work += costs.forward[stage][chunk].total();
        if (split)
            work += costs.inputGradient[stage][chunk].total() + costs.weightGradient[stage][chunk].total();
        else
            work += costs.backward[stage][chunk].total();
    }
    return work;
}

/// What a reduction needs at least after the stage's last backward, whichever chunk comes last.
TimeNs shortestReduction(const std::vector<ChunkSync> &sync, bool overlapped)
{
    TimeNs shortest = std::numeric_limits<TimeNs>::max();
    for (const ChunkSync &chunk : sync)
        shortest = std::min(shortest, chunk.gradientReduce - (overlapped ? chunk.reduceLead : 0));
    return sync.empty() ? 0 : std::max<TimeNs>(0, shortest);
}

/// Layouts with the same operations' durations when communication takes no time.
LayoutChoice costKey(LayoutChoice choice)
{
    choice.zeroStage = choice.zeroStage == 3 ? 3 : choice.zeroStage == 0 ? 0 : 1;
    return choice;
}

/// Cuts a stage's order behind the operation after its most live activations.
void cutBehindPeak(std::vector<ScheduledOperation> &order)
{
    std::int32_t live = 0, most = 0;
    std::size_t end = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k].kind == OperationKind::Forward && ++live > most) {
            most = live;
            end = k + 1;
        }
        if (order[k].kind == OperationKind::Backward || order[k].kind == OperationKind::WeightGradient) --live;
    }
    order.resize(std::min(order.size(), end + 1));
}

} // namespace

TimeNs iterationLowerBound(const ResolvedScenario &scenario, const WorkloadCosts &costs)
{
    const Degrees &degrees = scenario.degrees;
    const bool split = !costs.inputGradient.empty();
    const bool barrier = scenario.training.optimizerSync.value_or(true);
    const bool twoWays = degrees.flow() == PipelineFlow::Bidirectional;
    const bool travels = degrees.overlapPipeline && !costs.transfer.empty();
    const std::int64_t passes = twoWays ? scenario.microBatches / 2 : scenario.microBatches;
    TimeNs fill = 0, drain = 0, bound = 0, optimizer = 0;
    for (std::size_t stage = 0; stage < costs.forward.size(); ++stage) {
        const TimeNs begin = std::max(costs.hostAtStart[stage], barrier && !twoWays ? fill : 0);
        TimeNs end = begin + workPerMicroBatch(costs, stage) * passes;
        // Whole backwards end with chunk 0's, whose gradients go on to the stage before.
        if (split || twoWays)
            end += shortestReduction(costs.sync[stage], degrees.overlapData);
        else
            end += drain + shortestReduction(costs.sync.front(), degrees.overlapData);
        if (!barrier) end += split || twoWays ? costs.optimizer[stage] : costs.optimizer.front();
        bound = std::max(bound, end);
        optimizer = std::max(optimizer, costs.optimizer[stage]);
        if (stage + 1 == costs.forward.size()) break;
        const TimeNs transfer = travels ? transferOf(costs, degrees, static_cast<std::int64_t>(stage)) : 0;
        if (stage == 0) fill = costs.hostAtStart.front();
        fill += costs.forward[stage].front().total() + transfer;
        if (!split) drain += costs.backward[stage].front().total() + transfer;
    }
    return bound + (barrier ? optimizer : 0);
}

FastestLinks fastestLinks(const Expansion &expansion, const CostConstants &constants)
{
    const Fabric fabric(expansion, constants);
    const auto capacity = [&](std::int32_t link) { return fabric.capacities()[at(link)]; };
    FastestLinks links;
    std::vector<std::int32_t> inDomain(at(expansion.domainCount), 0);
    bool known = true;
    for (GpuIndex gpu = 0; gpu < expansion.gpuCount; ++gpu) {
        links.nvlinkBytesPerS = std::max(links.nvlinkBytesPerS, capacity(fabric.nvlinkOut(gpu)));
        links.largestDomain = std::max(links.largestDomain, ++inDomain[at(expansion.domainOfGpu[at(gpu)])]);
        const Access &access = fabric.access(gpu);
        double narrowest = std::numeric_limits<double>::infinity();
        for (std::int32_t i = 0; i < access.linkCount; ++i)
            narrowest = std::min(narrowest, capacity(access.out[i]));
        known = known && access.linkCount > 0;
        links.networkBytesPerS = std::max(links.networkBytesPerS, narrowest);
    }
    if (!known) links.networkBytesPerS = 0.0;
    return links;
}

LayoutBounds::LayoutBounds(const CostConstants &constants, const FastestLinks &links)
    : m_constants(constants), m_withoutStartUp(constants), m_links(links)
{
    // Fewer, larger steps may start up less often than the assumed ones: only the transfer bounds every algorithm.
    for (double CostConstants::*cost :
         {&CostConstants::collectiveLatencyNvlinkS, &CostConstants::pointToPointLatencyS})
        m_withoutStartUp.*cost = 0.0;
    m_withoutStartUp.collectives = constants.collectives.withLatenciesTimes(0.0);
}

// With NVLink at least twice as fast as the network, no algorithm gains from leaving a domain or from domains with
// fewer members: a ring is as fast as the slower of the two, and the hierarchical one moves at least half of what it
// moves between domains d - 1 times out of d. Otherwise, and where switches reduce, communication counts for nothing.
GroupPath LayoutBounds::pathOf(const ResolvedScenario &scenario, std::int64_t members) const
{
    GroupPath path;
    const bool ordered = m_links.networkBytesPerS > 0.0 && 2.0 * m_links.networkBytesPerS <= m_links.nvlinkBytesPerS;
    const bool switchesReduce = scenario.software.nvls || scenario.inNetworkReduction;
    if (members <= 1 || !ordered || switchesReduce) return path;
    path.members = static_cast<std::int32_t>(members);
    path.membersPerDomain = std::min(path.members, m_links.largestDomain);
    path.domains = (path.members + m_links.largestDomain - 1) / m_links.largestDomain;
    path.scaleupBytesPerS = m_links.nvlinkBytesPerS;
    path.networkBytesPerS = m_links.networkBytesPerS;
    return path;
}

NetworkModel LayoutBounds::networkOf(const ResolvedScenario &scenario) const
{
    NetworkModel network;
    network.tensor = pathOf(scenario, scenario.degrees.tensor);
    network.context = pathOf(scenario, scenario.degrees.context);
    return network;
}

TimeNs LayoutBounds::familyTime(const LayoutChoice &choice, const LayoutResolver &resolver,
                                ResolvedScenario &scratch) const
{
    // One stage, and the fewest replicas that can hold the experts: more GPUs only slow each other down.
    LayoutChoice whole;
    whole.tensor = choice.tensor;
    whole.context = choice.context;
    whole.expert = choice.expert;
    whole.expertTensor = choice.expertTensor;
    const std::int64_t experts = choice.expert * choice.expertTensor;
    whole.data = experts / std::gcd(experts, choice.tensor * choice.context);
    whole.microBatch = choice.microBatch;
    // Some layers recomputed are at least none.
    whole.recompute = choice.recompute == RecomputeMode::Layers ? RecomputeMode::None : choice.recompute;
    if (!resolver.resolveInto(whole, scratch)) return 0;
    const WorkloadCosts costs = workloadCosts(scratch, m_withoutStartUp, networkOf(scratch));
    // The mean stage of m micro-batches and p stages does m/p of it; m/p = batch / (micro-batch·d·p), and d·p is at
    // most GPUs / (t·c).
    const double share = static_cast<double>(scratch.training.globalBatch) *
                         static_cast<double>(choice.tensor * choice.context) /
                         (static_cast<double>(choice.microBatch) * static_cast<double>(resolver.usableGpus()));
    // A split backward rounds more segments to the clock.
    constexpr double kRounding = 0.999;
    return static_cast<TimeNs>(kRounding * share * static_cast<double>(workPerMicroBatch(costs, 0)));
}

TimeNs LayoutBounds::time(const LayoutChoice &choice, const ResolvedScenario &scenario)
{
    const LayoutChoice key = costKey(choice);
    if (!m_costs || !(m_costsOf == key)) {
        NetworkModel network = networkOf(scenario);
        // Experts split the gradients' groups in a way of their own.
        if (!scenario.model.moe) network.data = pathOf(scenario, scenario.degrees.data * scenario.degrees.context);
        auto costs = std::make_shared<WorkloadCosts>(workloadCosts(scenario, m_withoutStartUp, network));
        costs->transfer.clear(); // activations between stages take no time here, whatever their route
        m_costs = std::move(costs);
        m_costsOf = key;
    }
    return iterationLowerBound(scenario, *m_costs);
}

const PipelineSchedule &LayoutBounds::warmUp(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    const std::int64_t filling = std::max<std::int64_t>(
        2 * degrees.pipeline, fewestMicroBatches(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline)));
    const std::int64_t microBatches = std::min(scenario.microBatches, filling);
    const auto [entry, isNew] =
        m_warmUps.try_emplace({degrees.schedule, degrees.pipeline, degrees.virtualPipeline, microBatches});
    if (!isNew) return entry->second;
    PipelineSchedule schedule =
        makeSchedule(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline),
                     static_cast<std::int32_t>(degrees.virtualPipeline), static_cast<std::int32_t>(microBatches));
    for (std::size_t stage = 0; stage < schedule.order.size(); ++stage) {
        if (stage == 0 || stage + 1 == schedule.order.size())
            cutBehindPeak(schedule.order[stage]);
        else
            schedule.order[stage].clear();
    }
    return entry->second = std::move(schedule);
}

Bytes LayoutBounds::memory(const ResolvedScenario &scenario)
{
    Bytes most = 0;
    for (const StageMemory &stage : stageMemory(scenario, m_constants, warmUp(scenario)))
        most = std::max(most, stage.peak.total());
    return most;
}

} // namespace clusterbeat
