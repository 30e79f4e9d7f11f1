// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/link_report.h"

#include "model/base/index.h"
#include "model/base/random.h"
#include "model/cluster/cluster_graph.h"
#include "model/iteration/link_traffic.h"
#include "model/network/link_loads.h"
#include "model/network/link_name.h"
#include "model/network/link_state.h"
#include "model/network/network_phases.h"
#include "model/workload/host_link.h"
#include "model/workload/sharding.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace clusterbeat {
namespace {

constexpr std::size_t kMostBusiest = 8;
/// Sums over the same flows in another order.
constexpr double kSameBytes = 1e-9;
constexpr std::array<const char *, 5> kKinds{"nvlink", "pcie", "nic", "leaf-spine", "spine-core"};
enum KindIndex : std::size_t { kNvlink, kPcie, kNic, kLeafSpine, kSpineCore };

/// Links that carry the same and have the same capacity.
struct LinkClass {
    std::int32_t first = 0;
    std::int64_t count = 0;
    double mean = 0.0;
};

class Reporter final {
public:
    Reporter(const IterationResult &result, const CostConstants &constants, std::int32_t bins)
        : m_result(result), m_scenario(*result.scenario), m_expansion(*result.expansion), m_placement(*result.placement),
          m_fabric(m_expansion, constants, stateOf(result), m_scenario.ecmp),
          m_phases(networkPhases(m_scenario, m_expansion, m_placement, constants, m_fabric)),
          m_traffic(result, constants, slowestOf(m_phases, m_scenario, constants), bins), m_bins(bins), m_builder(m_fabric, m_expansion)
    {
    }

    LinkReport report()
    {
        addFlows();
        m_loads = m_builder.build();
        m_binS = toSeconds(std::max<TimeNs>(1, m_result.iteration())) / m_bins;
        LinkReport report;
        report.bins = m_bins;
        findKinds();
        findClasses();
        findPods();
        for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
            if (LinkReport::Kind each = kindReport(kind); each.links > 0) report.kinds.push_back(std::move(each));
        addBusiest(report);
        nameBottlenecks(report);
        return report;
    }

private:
    /// The state lives as long as the fabric's constructor needs it.
    const LinkState *stateOf(const IterationResult &result)
    {
        auto state = linkState(result.scenario->perturbations, *result.expansion, *result.placement,
                               hostLink(result.scenario->accelerator).bytesPerS);
        if (!state.ok() || state.value().nominal()) return nullptr;
        m_state = std::move(state).value();
        return &m_state;
    }

    void flow(Carrier carrier, GpuIndex from, GpuIndex to, double share)
    {
        const RankCoordinates &c = m_placement.coordinates[at(m_placement.rankOfGpu[at(from)])];
        const std::int32_t source = m_traffic.sourceOf(carrier, c.pipeline, c.data);
        if (source != kNone && share > 0.0) m_builder.add(from, to, {source, share});
    }

    void addRings(Carrier carrier, const PhaseGroups &groups)
    {
        for (std::size_t g = 0; g < groups.count() && groups.size > 1; ++g) {
            const GpuIndex *gpus = &groups.gpus[g * groups.size];
            forEachRingFlow(gpus, domainRuns(gpus, groups.size, m_expansion),
                            [&](GpuIndex from, GpuIndex to, const FlowShare &share) { flow(carrier, from, to, share.share); });
        }
    }
    [[nodiscard]] PhaseGroups groups(GroupOf kind) const { return groupsOf(kind, m_placement, m_scenario.degrees, m_expansion); }

    /// Keys and values that pass from neighbour to neighbour take one ring only.
    void addContext()
    {
        const PhaseGroups context = groups(GroupOf::Context);
        if (m_scenario.degrees.contextExchange != ContextExchange::Ring) return addRings(Carrier::Context, context);
        for (std::size_t i = 0; i < context.gpus.size() && context.size > 1; ++i)
            flow(Carrier::Context, context.gpus[i], context.gpus[(i + 1) % context.size == 0 ? i + 1 - context.size : i + 1], 1.0);
    }

    /// ZeRO-3 inside shard groups: neighbours in the order of the group; those of the same number in each hold the same shard.
    void addData(Carrier carrier, Carrier replicas, const PhaseGroups &data, double shards)
    {
        const auto shard = static_cast<std::size_t>(shards);
        if (m_scenario.degrees.zeroStage != 3 || shard == 0 || shard >= data.size || data.size % shard != 0) return addRings(carrier, data);
        addRings(carrier, {shard, data.gpus});
        PhaseGroups alike{data.size / shard, std::vector<GpuIndex>(data.gpus.size())};
        for (std::size_t i = 0; i < data.gpus.size(); ++i) {
            const std::size_t inGroup = i % data.size;
            alike.gpus[i - inGroup + inGroup % shard * alike.size + inGroup / shard] = data.gpus[i];
        }
        addRings(replicas, alike);
    }

    void addExperts()
    {
        const PhaseGroups experts = groups(GroupOf::Expert);
        for (std::size_t g = 0; g < experts.count() && experts.size > 1; ++g) {
            const GpuIndex *gpus = &experts.gpus[g * experts.size];
            const DomainRuns runs = domainRuns(gpus, experts.size, m_expansion);
            // Whichever pairs exchange inside a domain, each member's NVLink carries its bytes out and as many in.
            std::size_t begin = 0;
            for (const std::size_t end : runs.end) {
                for (std::size_t i = begin; i < end && end - begin > 1; ++i)
                    flow(Carrier::ExpertInside, gpus[i], gpus[i + 1 < end ? i + 1 : begin], 1.0);
                begin = end;
            }
            forEachAllToAllFlow(gpus, runs, [&](GpuIndex from, GpuIndex to, const FlowShare &share) { flow(Carrier::ExpertAcross, from, to, share.share); });
        }
        addRings(Carrier::ExpertTensor, groups(GroupOf::ExpertTensor));
        addData(Carrier::ExpertData, Carrier::ExpertReplicas, groups(GroupOf::ExpertData), expertShards(m_scenario));
    }

    void addTransfers()
    {
        for (std::int32_t stage = 0; stage < m_placement.pipeline; ++stage)
            for (const std::int32_t to : m_traffic.destinationsOf(stage))
                for (std::int32_t replica = 0; replica < m_placement.data; ++replica) {
                    const std::int32_t source = m_traffic.transferSource(stage, to, replica);
                    for (std::int32_t member = 0; member < m_placement.groupSize() && source != kNone; ++member)
                        m_builder.add(m_placement.gpuOfRank[at(m_placement.rankAt(stage, replica, member))],
                                      m_placement.gpuOfRank[at(m_placement.rankAt(to, replica, member))], {source, 1.0});
                }
    }

    void addFlows()
    {
        addRings(Carrier::Tensor, groups(GroupOf::Tensor));
        addContext();
        addData(Carrier::Data, Carrier::Replicas, groups(GroupOf::Data), optimizerShards(m_scenario));
        if (m_scenario.model.moe) addExperts();
        addTransfers();
    }

    void findKinds()
    {
        std::vector<LinkKind> kindOfGraphLink;
        const Graph &graph = m_expansion.graph->graph;
        kindOfGraphLink.reserve(boost::num_edges(graph));
        for (const auto edge : boost::make_iterator_range(boost::edges(graph))) kindOfGraphLink.push_back(graph[edge].kind);
        m_kind.resize(m_loads.links());
        for (std::size_t link = 0; link < m_kind.size(); ++link) {
            const auto number = static_cast<std::int32_t>(link);
            const bool nvlink = number < 2 * m_expansion.gpuCount;
            const LinkKind kind = nvlink ? LinkKind::NvLink : kindOfGraphLink[at(m_fabric.graphLinkOf(number))];
            const bool host = nvlink && m_fabric.overHost(number % m_expansion.gpuCount);
            m_kind[link] = static_cast<std::uint8_t>(host                            ? kPcie
                                                     : nvlink                        ? kNvlink
                                                     : kind == LinkKind::Pcie        ? kPcie
                                                     : kind == LinkKind::LeafSpine   ? kLeafSpine
                                                     : kind == LinkKind::SpineCore   ? kSpineCore
                                                                                     : kNic);
        }
    }

    /// Found by a hash of what they carry, in the order of their first link.
    void findClasses()
    {
        std::unordered_map<std::uint64_t, std::size_t> known; // looked up only
        m_classOf.assign(m_loads.links(), kNone);
        for (std::size_t link = 0; link < m_loads.links(); ++link) {
            if (m_loads.of(link).empty() || !(m_fabric.capacities()[link] > 0.0)) continue;
            std::uint64_t hash = mixBits(std::bit_cast<std::uint64_t>(m_fabric.capacities()[link]) + m_kind[link]);
            for (const LinkLoad &load : m_loads.of(link))
                hash = mixBits(mixBits(hash ^ std::bit_cast<std::uint64_t>(load.share)) + at(load.source));
            const auto [found, isNew] = known.emplace(hash, m_classes.size());
            if (isNew) m_classes.push_back({static_cast<std::int32_t>(link), 0, 0.0});
            ++m_classes[found->second].count;
            m_classOf[link] = static_cast<std::int32_t>(found->second);
        }
        m_usages.reserve(m_classes.size());
        for (LinkClass &each : m_classes) {
            m_usages.push_back(usageOf(at(each.first)));
            each.mean = m_usages.back().mean;
        }
    }

    void findPods()
    {
        const std::vector<std::int32_t> pods = m_expansion.containersOfKind(NodeKind::Pod);
        m_pods = pods.size();
        m_pod.assign(m_loads.links(), kNone);
        if (pods.empty()) return;
        std::vector<std::int32_t> podOf(m_expansion.containers.size(), kNone);
        for (std::size_t i = 0; i < podOf.size(); ++i) {
            auto container = static_cast<std::int32_t>(i);
            while (container != kNone && m_expansion.containers[at(container)].kind != NodeKind::Pod) container = m_expansion.containers[at(container)].parent;
            const auto pod = std::find(pods.begin(), pods.end(), container);
            if (container != kNone && pod != pods.end()) podOf[i] = static_cast<std::int32_t>(pod - pods.begin());
        }
        const Graph &graph = m_expansion.graph->graph;
        std::vector<std::int32_t> podOfEdge;
        podOfEdge.reserve(boost::num_edges(graph));
        for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
            const VertexProperties &a = graph[boost::source(edge, graph)], &b = graph[boost::target(edge, graph)];
            podOfEdge.push_back(podOf[at((a.kind <= b.kind ? a : b).container)]);
        }
        for (std::size_t link = 0; link < m_pod.size(); ++link) {
            const auto number = static_cast<std::int32_t>(link);
            const bool nvlink = number < 2 * m_expansion.gpuCount;
            m_pod[link] = nvlink ? podOf[at(m_expansion.serverOfGpu[at(number % m_expansion.gpuCount)])] : podOfEdge[at(m_fabric.graphLinkOf(number))];
        }
    }

    [[nodiscard]] std::vector<double> meanOfPods(std::size_t kind) const
    {
        std::vector<double> carried(m_pods, 0.0), capacity(m_pods, 0.0);
        for (std::size_t link = 0; link < m_kind.size(); ++link) {
            if (m_kind[link] != kind || m_pod[link] == kNone || !(m_fabric.capacities()[link] > 0.0)) continue;
            capacity[at(m_pod[link])] += m_fabric.capacities()[link];
            if (m_classOf[link] != kNone) carried[at(m_pod[link])] += m_fabric.capacities()[link] * m_classes[at(m_classOf[link])].mean;
        }
        for (std::size_t pod = 0; pod < m_pods; ++pod) carried[pod] = capacity[pod] > 0.0 ? carried[pod] / capacity[pod] : 0.0;
        return carried;
    }

    [[nodiscard]] LinkUsage usageOf(std::size_t link) const
    {
        LinkUsage usage;
        usage.overTime.assign(at(m_bins), 0.0);
        const double inBin = m_fabric.capacities()[link] * m_binS;
        for (const LinkLoad &load : m_loads.of(link)) {
            const TrafficSource &source = m_traffic.sources()[at(load.source)];
            usage.bytes += load.share * source.bytes;
            usage.byDimension[static_cast<std::size_t>(source.dimension)] += load.share * source.bytes;
            for (std::size_t bin = 0; bin < source.bins.size(); ++bin) usage.overTime[bin] += load.share * source.bins[bin] / inBin;
        }
        usage.mean = usage.bytes / (inBin * m_bins);
        usage.peak = *std::max_element(usage.overTime.begin(), usage.overTime.end());
        return usage;
    }

    [[nodiscard]] LinkReport::Kind kindReport(std::size_t kind) const
    {
        LinkReport::Kind report;
        report.kind = kKinds[kind];
        report.usage.overTime.assign(at(m_bins), 0.0);
        double capacity = 0.0;
        for (std::size_t link = 0; link < m_kind.size(); ++link) {
            if (m_kind[link] != kind || !(m_fabric.capacities()[link] > 0.0)) continue;
            ++report.links;
            capacity += m_fabric.capacities()[link];
        }
        for (std::size_t c = 0; c < m_classes.size(); ++c) {
            const LinkUsage &each = m_usages[c];
            const auto first = at(m_classes[c].first);
            if (m_kind[first] != kind) continue;
            const double links = static_cast<double>(m_classes[c].count), share = links * m_fabric.capacities()[first] / capacity;
            report.usage.bytes += links * each.bytes;
            for (std::size_t d = 0; d < kDimensions; ++d) report.usage.byDimension[d] += links * each.byDimension[d];
            for (std::size_t bin = 0; bin < each.overTime.size(); ++bin) report.usage.overTime[bin] += share * each.overTime[bin];
            report.usage.mean += share * each.mean;
            report.usage.peak = std::max(report.usage.peak, each.peak);
            if (each.bytes <= report.busiestBytes) continue;
            report.busiestBytes = each.bytes;
            report.busiest = nameOf(m_classes[c].first);
        }
        if (report.links > 0) report.meanOfPod = meanOfPods(kind);
        return report;
    }

    void addBusiest(LinkReport &report) const
    {
        std::vector<std::size_t> order(m_classes.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            const LinkUsage &left = m_usages[a], &right = m_usages[b];
            return std::tuple(-left.mean, kindOf(a), -left.peak, a) < std::tuple(-right.mean, kindOf(b), -right.peak, b);
        });
        for (const std::size_t c : order) {
            const LinkUsage &usage = m_usages[c];
            if (!report.busiest.empty()) {
                LinkReport::Link &last = report.busiest.back();
                if (last.kind == kKinds[kindOf(c)] && last.usage.bytes - usage.bytes <= kSameBytes * usage.bytes) {
                    last.alike += m_classes[c].count;
                    continue;
                }
            }
            if (report.busiest.size() == kMostBusiest) break;
            report.busiest.push_back({nameOf(m_classes[c].first), kKinds[kindOf(c)], m_classes[c].count, usage,
                                      gpuBelowLink(m_expansion, m_fabric, m_classes[c].first)});
        }
    }

    [[nodiscard]] std::uint8_t kindOf(std::size_t linkClass) const { return m_kind[at(m_classes[linkClass].first)]; }
    /// The fabric's names know PCI Express as part of the way to the NIC.
    [[nodiscard]] std::string nameOf(std::int32_t link) const
    {
        std::string name = linkName(m_expansion, m_fabric, link, LinkDirection::Shown);
        return m_kind[at(link)] == kPcie ? kKinds[kPcie] + name.substr(name.find(' ')) : name;
    }

    void nameBottlenecks(LinkReport &report) const
    {
        const auto name = [&](Dimension dimension, std::int32_t link) {
            report.bottleneck[static_cast<std::size_t>(dimension)] = linkName(m_expansion, m_fabric, link);
        };
        const auto group = [&](Dimension dimension, const CollectivePhase &phase, GroupOf kind) {
            if (!phase.paths.empty()) name(dimension, phase.limitingLink[slowestGroup(phase, kind)]);
        };
        group(Dimension::Tensor, m_phases.tensor, GroupOf::Tensor);
        group(Dimension::Context, m_phases.context, GroupOf::Context);
        group(Dimension::Data, m_phases.data, GroupOf::Data);
        group(Dimension::Expert, m_phases.expert, GroupOf::Expert);
        std::size_t slowest = 0;
        for (std::size_t i = 0; i < m_phases.pipeline.size(); ++i)
            if (m_phases.pipeline[i].bytesPerS < m_phases.pipeline[slowest].bytesPerS) slowest = i;
        if (!m_phases.pipeline.empty()) name(Dimension::Pipeline, m_phases.pipelineLink[slowest]);
    }

    const IterationResult &m_result;
    const ResolvedScenario &m_scenario;
    const Expansion &m_expansion;
    const Placement &m_placement;
    LinkState m_state;
    Fabric m_fabric;
    NetworkPhases m_phases;
    LinkTraffic m_traffic;
    std::int32_t m_bins;
    LinkLoadBuilder m_builder;
    LinkLoads m_loads;
    double m_binS = 0.0; ///< seconds of a bin
    std::vector<std::uint8_t> m_kind; ///< by link: KindIndex
    std::vector<std::int32_t> m_pod;  ///< by link: number of its pod, or kNone
    std::size_t m_pods = 0;
    std::vector<std::int32_t> m_classOf; ///< by link, or kNone
    std::vector<LinkClass> m_classes;
    std::vector<LinkUsage> m_usages; ///< by class
};

} // namespace

LinkReport linkReport(const IterationResult &result, const CostConstants &constants, std::int32_t bins)
{
    return Reporter(result, constants, bins).report();
}

} // namespace clusterbeat
