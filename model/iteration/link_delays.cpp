// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/link_delays.h"

#include "model/base/index.h"
#include "model/network/link_name.h"
#include "model/network/link_state.h"
#include "model/workload/costs.h"
#include "model/workload/host_link.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace clusterbeat {
namespace {

/// Shares of links are sums of many flows: what differs by less is the same.
constexpr double kSameRate = 1e-9;
constexpr double kSameLatencyS = 1e-12;

bool lower(double now, double then) { return now < then * (1.0 - kSameRate); }
bool differ(double a, double b) { return std::abs(a - b) > kSameRate * std::max(std::abs(a), std::abs(b)); }

enum Phases : std::size_t { kTensor, kContext, kExpert, kExpertTensor, kData, kExpertData, kPhases };
constexpr std::array<GroupPath NetworkModel::*, kPhases> kPathOf{&NetworkModel::tensor,       &NetworkModel::context,
                                                                 &NetworkModel::expert,       &NetworkModel::expertTensor,
                                                                 &NetworkModel::data,         &NetworkModel::expertData};
constexpr std::array<CollectivePhase NetworkPhases::*, kPhases> kPhaseOf{
    &NetworkPhases::tensor,       &NetworkPhases::context, &NetworkPhases::expert,
    &NetworkPhases::expertTensor, &NetworkPhases::data,    &NetworkPhases::expertData};

/// The dimension's path as one group has it, when that is worse than the slowest group's without perturbations.
std::optional<GroupPath> worsened(const GroupPath &usual, const GroupPath &then, const GroupPath &now)
{
    GroupPath path = usual;
    bool worse = false;
    if (lower(now.scaleupBytesPerS, then.scaleupBytesPerS) && lower(now.scaleupBytesPerS, usual.scaleupBytesPerS)) {
        path.scaleupBytesPerS = now.scaleupBytesPerS;
        worse = true;
    }
    if (usual.domains > 1 && now.domains > 1 && lower(now.networkBytesPerS, then.networkBytesPerS) &&
        lower(now.networkBytesPerS, usual.networkBytesPerS)) {
        path.networkBytesPerS = now.networkBytesPerS;
        worse = true;
    }
    if (now.latencyS > then.latencyS + kSameLatencyS) {
        path.extraLatencyS = now.latencyS - then.latencyS;
        worse = true;
    }
    if (!worse) return std::nullopt;
    path.bottleneck = now.bottleneck;
    path.leavesDomain = now.leavesDomain;
    path.chosenScaleupBytesPerS = usual.scaleupBytesPerS;
    path.chosenNetworkBytesPerS = usual.networkBytesPerS;
    return path;
}

/// The slower of two, for a rank group that takes part in several groups of a dimension.
GroupPath slower(const GroupPath &a, const GroupPath &b)
{
    GroupPath path = b.scaleupBytesPerS * b.networkBytesPerS < a.scaleupBytesPerS * a.networkBytesPerS ? b : a;
    path.scaleupBytesPerS = std::min(a.scaleupBytesPerS, b.scaleupBytesPerS);
    path.networkBytesPerS = std::min(a.networkBytesPerS, b.networkBytesPerS);
    path.extraLatencyS = std::max(a.extraLatencyS, b.extraLatencyS);
    path.leavesDomain = a.leavesDomain || b.leavesDomain;
    return path;
}

using OwnPaths = std::array<std::optional<GroupPath>, kPhases>;

/// A stage of a replica that some slow group runs through.
struct Touched {
    OwnPaths paths;
    std::int32_t cause = kNone;
};

struct Input {
    const ResolvedScenario &scenario;
    const Expansion &expansion;
    const Placement &placement;
    const CostConstants &constants;
    const NominalNetwork &nominal;
    const IterationPlan &plan;
};

class DelayBuilder final {
public:
    DelayBuilder(const Input &input, const LinkState &state, const Fabric &fabric, const NetworkPhases &now)
        : m_in(input), m_state(state), m_fabric(fabric), m_now(now), m_network(input.nominal.slowest)
    {
        m_delays.shapesCause.assign(at(m_in.plan.stages()) * at(m_in.plan.replicas), kNone);
        m_delays.shapesOf = m_delays.shapesCause;
        m_delays.transferCause.assign(now.pipeline.size(), kNone);
        m_delays.syncCause.assign(at(m_in.plan.stages()), kNone);
    }

    LinkDelays build()
    {
        delayTransfers();
        for (std::size_t phase = 0; phase < kPhases; ++phase)
            touchGroups(phase);
        for (const auto &[group, touched] : m_touched)
            delayShapes(group, touched);
        delaySync();
        return std::move(m_delays);
    }

private:
    /// The changed link that holds a flow; where another one holds it now, that of a GPU of the group.
    std::int32_t causeOf(std::int32_t limiting, const std::vector<GpuIndex> &gpus)
    {
        std::int32_t link = m_fabric.graphLinkOf(limiting);
        if (link == kNone || m_state.cause[at(link)] == kNone) {
            const auto touched = std::find_if(gpus.begin(), gpus.end(), [&](GpuIndex gpu) { return m_state.changedOfGpu[at(gpu)] != kNone; });
            link = touched != gpus.end() ? m_state.changedOfGpu[at(*touched)] : m_state.changed;
        }
        const auto [known, isNew] = m_causeOfLink.try_emplace(link, static_cast<std::int32_t>(m_delays.causes.size()));
        if (!isNew) return known->second;
        LinkDelays::Cause cause;
        cause.perturbation = m_state.cause[at(link)];
        cause.link = graphLinkName(m_in.expansion, link);
        const GpuIndex gpu = gpuOfGraphLink(m_in.expansion, link);
        if (gpu != kNone && m_in.placement.rankOfGpu[at(gpu)] != kNone) {
            const RankCoordinates &c = m_in.placement.coordinates[at(m_in.placement.rankOfGpu[at(gpu)])];
            cause.stage = c.pipeline;
            cause.replica = c.data;
            cause.member = c.member;
        }
        m_delays.causes.push_back(std::move(cause));
        return known->second;
    }

    /// Both ends of a transfer.
    [[nodiscard]] std::vector<GpuIndex> gpusOfTransfer(StageMap::Link link, std::int32_t replica) const
    {
        std::vector<GpuIndex> gpus;
        for (const std::int32_t end : {link.from, link.to})
            for (std::int32_t member = 0; member < m_in.plan.groupSize; ++member)
                gpus.push_back(m_in.placement.gpuOfRank[at(m_in.placement.rankAt(end, replica, member))]);
        return gpus;
    }

    void delayTransfers()
    {
        const std::vector<TransferPath> &then = m_in.nominal.phases.pipeline;
        bool any = false;
        for (std::size_t i = 0; i < then.size(); ++i) {
            const TransferPath &now = m_now.pipeline[i];
            if (!differ(now.bytesPerS, then[i].bytesPerS) && std::abs(now.latencyS - then[i].latencyS) <= kSameLatencyS) continue;
            m_network.pipeline[i] = now;
            m_changedTransfers.push_back(i);
            any = true;
        }
        if (!any) return;
        std::vector<TimeNs> times = transferTimes(m_in.scenario, m_in.constants, m_network);
        for (const std::size_t i : m_changedTransfers) {
            const StageMap::Link link = m_now.links[i / at(m_in.plan.replicas)];
            const std::int32_t replica = static_cast<std::int32_t>(i) % m_in.plan.replicas;
            if (times[i] > m_in.plan.transfer[i]) m_delays.transferCause[i] = causeOf(m_now.pipelineLink[i], gpusOfTransfer(link, replica));
            if (times[i] < m_in.plan.transfer[i])
                m_delays.gains.push_back({link.from, link.to, replica, linkName(m_in.expansion, m_fabric, m_now.pipelineLink[i])});
        }
        if (times != m_in.plan.transfer) m_delays.transfer = std::move(times);
    }

    void touchGroups(std::size_t number)
    {
        const CollectivePhase &then = m_in.nominal.phases.*kPhaseOf[number], &now = m_now.*kPhaseOf[number];
        for (std::size_t g = 0; g < then.paths.size(); ++g) {
            const auto path = worsened(m_in.nominal.slowest.*kPathOf[number], then.paths[g], now.paths[g]);
            if (!path) continue;
            const auto first = then.gpus.begin() + static_cast<std::ptrdiff_t>(g * then.groupSize);
            const std::int32_t cause = causeOf(now.limitingLink[g], {first, first + static_cast<std::ptrdiff_t>(then.groupSize)});
            for (std::size_t i = g * then.groupSize; i < (g + 1) * then.groupSize; ++i) {
                const RankCoordinates &c = m_in.placement.coordinates[at(m_in.placement.rankOfGpu[at(then.gpus[i])])];
                Touched &touched = m_touched[m_in.plan.group(c.pipeline, c.data)];
                std::optional<GroupPath> &own = touched.paths[number];
                own = own ? slower(*own, *path) : *path;
                if (touched.cause == kNone) touched.cause = cause;
                if ((number == kData || number == kExpertData) && m_delays.syncCause[at(c.pipeline)] == kNone)
                    m_delays.syncCause[at(c.pipeline)] = cause;
            }
        }
    }

    /// The network as a group finds it.
    void enter(const OwnPaths &paths)
    {
        for (std::size_t phase = 0; phase < kPhases; ++phase)
            m_network.*kPathOf[phase] = paths[phase] ? *paths[phase] : m_in.nominal.slowest.*kPathOf[phase];
    }

    void delayShapes(std::size_t group, const Touched &touched)
    {
        const auto stage = static_cast<std::int32_t>(group) / m_in.plan.replicas;
        std::vector<Known> &ofStage = m_known[stage];
        const auto same = [&](const Known &known) { return known.paths == touched.paths; };
        auto known = std::find_if(ofStage.begin(), ofStage.end(), same);
        if (known == ofStage.end()) {
            enter(touched.paths);
            WorkloadCosts costs = stageCosts(m_in.scenario, m_in.constants, m_network, stage);
            LinkDelays::Shapes shapes{std::move(costs.forward[0]), std::move(costs.backward[0]), {}, {}};
            if (!costs.inputGradient.empty()) {
                shapes.inputGradient = std::move(costs.inputGradient[0]);
                shapes.weightGradient = std::move(costs.weightGradient[0]);
            }
            std::int32_t index = kNone;
            if (!(shapes == usualShapes(stage))) {
                index = static_cast<std::int32_t>(m_delays.shapes.size());
                m_delays.shapes.push_back(std::move(shapes));
            }
            known = ofStage.insert(ofStage.end(), {touched.paths, index});
        }
        if (known->shapes == kNone) return;
        m_delays.shapesOf[group] = known->shapes;
        m_delays.shapesCause[group] = touched.cause;
    }

    [[nodiscard]] LinkDelays::Shapes usualShapes(std::int32_t stage) const
    {
        const IterationPlan &plan = m_in.plan;
        LinkDelays::Shapes shapes{plan.forward[at(stage)], plan.backward[at(stage)], {}, {}};
        if (!plan.inputGradient.empty()) {
            shapes.inputGradient = plan.inputGradient[at(stage)];
            shapes.weightGradient = plan.weightGradient[at(stage)];
        }
        return shapes;
    }

    /// Collectives of all replicas, behind passes of the usual length; and the tied embedding's sum between the ends.
    void delaySync()
    {
        const std::int32_t last = m_in.plan.stages() - 1;
        const std::size_t wrapAround = m_in.plan.group(last, 0);
        const bool tied = m_in.scenario.model.tiedEmbeddings &&
                          std::find(m_changedTransfers.begin(), m_changedTransfers.end(), wrapAround) != m_changedTransfers.end();
        std::vector<std::vector<ChunkSync>> sync = m_in.plan.sync;
        for (std::int32_t stage = 0; stage <= last; ++stage) {
            const bool end = tied && (stage == 0 || stage == last);
            if (m_delays.syncCause[at(stage)] == kNone && !end) continue;
            OwnPaths worst;
            for (std::int32_t replica = 0; replica < m_in.plan.replicas; ++replica) {
                const auto touched = m_touched.find(m_in.plan.group(stage, replica));
                if (touched == m_touched.end()) continue;
                for (const Phases phase : {kData, kExpertData})
                    if (const auto &own = touched->second.paths[phase])
                        worst[phase] = worst[phase] ? slower(*worst[phase], *own) : *own;
            }
            enter(worst);
            sync[at(stage)] = stageCosts(m_in.scenario, m_in.constants, m_network, stage).sync[0];
            if (end && m_delays.syncCause[at(stage)] == kNone) m_delays.syncCause[at(stage)] = m_delays.transferCause[wrapAround];
        }
        if (sync != m_in.plan.sync) m_delays.sync = std::move(sync);
    }

    struct Known {
        OwnPaths paths;
        std::int32_t shapes = kNone;
    };
    const Input &m_in;
    const LinkState &m_state;
    const Fabric &m_fabric;
    const NetworkPhases &m_now;
    NetworkModel m_network;
    LinkDelays m_delays;
    std::vector<std::size_t> m_changedTransfers;
    std::map<std::int32_t, std::int32_t> m_causeOfLink;
    std::map<std::size_t, Touched> m_touched; // by group
    std::map<std::int32_t, std::vector<Known>> m_known; // by stage
};

bool connected(const Input &in, const LinkState &state)
{
    Fabric fabric(in.expansion, in.constants, &state, in.scenario.ecmp);
    return slowestOf(networkPhases(in.scenario, in.expansion, in.placement, in.constants, fabric), in.scenario, in.constants)
        .connected;
}

/// The first dead link of the list after which the layout is torn. More dead links never join it again, so halving finds
/// it: O(log n) networks.
Error notConnected(const Input &in, const PerturbationList &perturbations)
{
    std::vector<std::size_t> dead;
    for (std::size_t i = 0; i < perturbations.size(); ++i)
        if (perturbations[i].kind == PerturbationKind::DeadLink && perturbations[i].enabled) dead.push_back(i);
    const auto torn = [&](std::size_t count) {
        PerturbationList some = perturbations;
        for (std::size_t i = count; i < dead.size(); ++i)
            some[dead[i]].enabled = false;
        const auto state = linkState(some, in.expansion, in.placement, hostLink(in.scenario.accelerator).bytesPerS);
        return !state.ok() || !connected(in, state.value());
    };
    std::size_t joined = 0, apart = dead.size();
    while (apart > joined + 1) {
        const std::size_t middle = joined + (apart - joined) / 2;
        (torn(middle) ? apart : joined) = middle;
    }
    const std::size_t culprit = dead.empty() ? 0 : dead[apart - 1];
    Error error{ErrorCode::NotConnected, {}, {perturbations[culprit].target}};
    error.place.pointer = "/perturbations/" + std::to_string(culprit) + "/target";
    return error;
}

} // namespace

NominalNetwork nominalNetwork(const ResolvedScenario &scenario, const Expansion &expansion, const Placement &placement,
                              const CostConstants &constants)
{
    Fabric fabric(expansion, constants, nullptr, scenario.ecmp);
    NominalNetwork nominal{networkPhases(scenario, expansion, placement, constants, fabric), {}};
    nominal.slowest = slowestOf(nominal.phases, scenario, constants);
    return nominal;
}

Result<std::shared_ptr<const LinkDelays>> linkDelays(const PerturbationList &perturbations, const ResolvedScenario &scenario,
                                                     const Expansion &expansion, const Placement &placement,
                                                     const CostConstants &constants, const NominalNetwork &nominal,
                                                     const IterationPlan &plan)
{
    const Input input{scenario, expansion, placement, constants, nominal, plan};
    const auto state = linkState(perturbations, expansion, placement, hostLink(scenario.accelerator).bytesPerS);
    if (!state.ok()) return state.error();
    if (state.value().nominal()) return std::shared_ptr<const LinkDelays>();
    Fabric fabric(expansion, constants, &state.value(), scenario.ecmp);
    const NetworkPhases now = networkPhases(scenario, expansion, placement, constants, fabric);
    if (!slowestOf(now, scenario, constants).connected) return notConnected(input, perturbations);
    LinkDelays delays = DelayBuilder(input, state.value(), fabric, now).build();
    if (delays.empty()) return std::shared_ptr<const LinkDelays>();
    return std::shared_ptr<const LinkDelays>(std::make_shared<const LinkDelays>(std::move(delays)));
}

} // namespace clusterbeat
