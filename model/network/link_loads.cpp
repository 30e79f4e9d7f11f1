// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/link_loads.h"

#include "model/base/index.h"

#include <algorithm>

namespace clusterbeat {
namespace {

/// Flows between the same two leaves take the same way: they are added up before the way is walked.
struct RouteLoad {
    std::int32_t route = 0;
    LinkLoad load;
};

std::vector<RouteLoad> routeLoads(const std::vector<Phase::Flow> &flows, const std::vector<LinkLoad> &loads)
{
    std::vector<RouteLoad> sums;
    for (std::size_t i = 0; i < flows.size(); ++i)
        if (flows[i].route >= 0) sums.push_back({flows[i].route, loads[i]});
    std::stable_sort(sums.begin(), sums.end(), [](const RouteLoad &a, const RouteLoad &b) {
        return a.route != b.route ? a.route < b.route : a.load.source < b.load.source;
    });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (kept > 0 && sums[kept - 1].route == sums[i].route && sums[kept - 1].load.source == sums[i].load.source)
            sums[kept - 1].load.share += sums[i].load.share;
        else
            sums[kept++] = sums[i];
    }
    sums.resize(kept);
    return sums;
}

/// use(link, load) for every link of every flow, always in the same order.
template <typename Use>
void forEachUse(const Fabric &fabric, const std::vector<Phase::Flow> &flows, const std::vector<LinkLoad> &loads,
                const std::vector<RouteLoad> &routes, Use &&use)
{
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const Phase::Flow &flow = flows[i];
        const auto overNvlink = [&](GpuIndex from, GpuIndex to) {
            use(fabric.nvlinkOut(from), loads[i]);
            use(fabric.nvlinkIn(to), loads[i]);
        };
        if (flow.route < 0) {
            overNvlink(flow.from, flow.to);
            continue;
        }
        if (flow.through != flow.from) overNvlink(flow.from, flow.through);
        if (flow.arrival != flow.to) overNvlink(flow.arrival, flow.to);
        const Fabric::AccessChain out = fabric.accessChain(flow.through), in = fabric.accessChain(flow.arrival);
        for (std::int32_t k = 0; k < out.count; ++k) use(out.out[k], loads[i]);
        for (std::int32_t k = 0; k < in.count; ++k) use(in.out[k] + 1, loads[i]);
    }
    for (const RouteLoad &sum : routes)
        for (const LinkUse &link : fabric.route(sum.route).links) use(link.link, LinkLoad{sum.load.source, sum.load.share * link.weight});
}

} // namespace

void LinkLoadBuilder::add(GpuIndex from, GpuIndex to, LinkLoad load)
{
    m_phase.add(0, from, to);
    m_loads.push_back(load);
}

LinkLoads LinkLoadBuilder::build() const
{
    const std::vector<RouteLoad> routes = routeLoads(m_phase.flows(), m_loads);
    const std::size_t links = m_fabric.capacities().size();
    std::vector<std::size_t> next(links + 1, 0);
    forEachUse(m_fabric, m_phase.flows(), m_loads, routes, [&](std::int32_t link, const LinkLoad &) { ++next[at(link) + 1]; });
    for (std::size_t link = 0; link < links; ++link) next[link + 1] += next[link];
    std::vector<LinkLoad> uses(next[links]);
    forEachUse(m_fabric, m_phase.flows(), m_loads, routes, [&](std::int32_t link, const LinkLoad &load) { uses[next[at(link)]++] = load; });

    LinkLoads result;
    result.end.reserve(links);
    result.loads.reserve(uses.size());
    std::size_t begin = 0;
    for (std::size_t link = 0; link < links; ++link) {
        const auto first = uses.begin() + static_cast<std::ptrdiff_t>(begin), last = uses.begin() + static_cast<std::ptrdiff_t>(next[link]);
        const auto before = [](const LinkLoad &a, const LinkLoad &b) { return a.source < b.source; };
        if (!std::is_sorted(first, last, before)) std::stable_sort(first, last, before);
        const std::size_t own = result.loads.size();
        for (auto each = first; each != last; ++each) {
            if (result.loads.size() > own && result.loads.back().source == each->source) result.loads.back().share += each->share;
            else result.loads.push_back(*each);
        }
        result.end.push_back(result.loads.size());
        begin = next[link];
    }
    return result;
}

} // namespace clusterbeat
