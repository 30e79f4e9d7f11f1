// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/phase.h"

#include "model/base/index.h"
#include "model/base/random.h"

#include <algorithm>
#include <compare>
#include <bit>
#include <tuple>

namespace clusterbeat {

/// PXN: on a rail-optimized network the peer's NIC hangs on another leaf when the numbers differ; then the GPU of the
/// sender's domain on that rail takes over. The sender's own server is asked first, then the rest of its domain, whose
/// GPUs on the rail share the work; but not where they are fewer than those on the sender's own leaf (a domain that
/// reaches into the next pod), for their NICs would carry all the others' traffic.
GpuIndex Phase::senderFor(GpuIndex from, GpuIndex to) const
{
    const std::int32_t wanted = m_fabric.access(to).vertex;
    if (m_fabric.access(from).vertex == wanted) return from;
    const std::int32_t domain = m_expansion.domainOfGpu[at(from)];
    const Container &server = m_expansion.containers[at(m_expansion.serverOfGpu[at(from)])];
    const auto inDomain = [&](GpuIndex gpu) {
        return gpu >= 0 && gpu < m_expansion.gpuCount && m_expansion.domainOfGpu[at(gpu)] == domain;
    };
    if (!m_fabric.hasNvlink(from)) return from;
    const auto on = [&](GpuIndex gpu, std::int32_t vertex) {
        return m_fabric.access(gpu).vertex == vertex && (gpu == from || m_fabric.hasNvlink(gpu));
    };
    const GpuIndex serverEnd = server.firstGpu + server.gpuCount;
    for (GpuIndex gpu = server.firstGpu; gpu < serverEnd; ++gpu)
        if (inDomain(gpu) && on(gpu, wanted)) return gpu;
    GpuIndex begin = from, end = from + 1;
    while (inDomain(begin - 1)) --begin;
    while (inDomain(end)) ++end;
    const std::int32_t own = m_fabric.access(from).vertex;
    std::int32_t peers = 0, onOwnLeaf = 0, number = 0;
    for (GpuIndex gpu = begin; gpu < end; ++gpu) {
        peers += on(gpu, wanted) ? 1 : 0;
        onOwnLeaf += on(gpu, own) ? 1 : 0;
        number += gpu < from && on(gpu, own) ? 1 : 0;
    }
    if (peers == 0 || peers < onOwnLeaf) return from;
    std::int32_t left = number % peers;
    for (GpuIndex gpu = begin; gpu < end; ++gpu)
        if (on(gpu, wanted) && left-- == 0) return gpu;
    return from;
}

void Phase::add(std::int32_t group, GpuIndex from, GpuIndex to)
{
    Flow flow{group, from, from, to, to, -1};
    const bool apart = m_expansion.domainOfGpu[at(from)] != m_expansion.domainOfGpu[at(to)];
    const bool hosts = m_fabric.overHost(from) || m_fabric.overHost(to);
    const bool otherServer = hosts && m_expansion.serverOfGpu[at(from)] != m_expansion.serverOfGpu[at(to)];
    if (apart || otherServer || !m_fabric.hasNvlink(from) || !m_fabric.hasNvlink(to)) {
        flow.arrival = m_fabric.entry(to);
        flow.through = senderFor(m_fabric.entry(from), flow.arrival);
        flow.route = m_fabric.routeOfFlow(flow.through, flow.arrival);
    }
    m_flows.push_back(flow);
}

/// Links that carry the same shares of the same routes (the uplinks of a leaf to all its spines) fill together: one of
/// them stands for all. They are recognised by two independent 64-bit hashes of what they carry.
std::vector<std::vector<LinkUse>> Phase::mergedRoutes() const
{
    std::vector<std::vector<LinkUse>> merged(m_fabric.routeCount());
    std::vector<char> used(merged.size(), 0);
    for (const Flow &flow : m_flows)
        if (flow.route >= 0) used[at(flow.route)] = 1;
    const std::vector<double> &capacities = m_fabric.capacities();
    std::vector<std::uint64_t> first(capacities.size(), 0), second(capacities.size(), 0);
    std::vector<std::int32_t> links;
    for (std::size_t r = 0; r < merged.size(); ++r) {
        if (!used[r]) continue;
        const std::uint64_t name = mixBits(r);
        for (const LinkUse &use : m_fabric.route(static_cast<std::int32_t>(r)).links) {
            if (first[at(use.link)] == 0) links.push_back(use.link);
            const std::uint64_t entry = name ^ std::bit_cast<std::uint64_t>(use.weight);
            first[at(use.link)] = mixBits(first[at(use.link)] ^ entry) | 1U;
            second[at(use.link)] = mixBits(second[at(use.link)] + entry);
        }
    }
    struct Key {
        std::uint64_t first, second;
        double capacity;
        std::int32_t link;
        auto operator<=>(const Key &) const = default;
    };
    std::vector<Key> keys;
    keys.reserve(links.size());
    for (const std::int32_t link : links)
        keys.push_back({first[at(link)], second[at(link)], capacities[at(link)], link});
    std::sort(keys.begin(), keys.end());
    std::vector<char> stands(capacities.size(), 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const Key &own = keys[i], &before = keys[i == 0 ? 0 : i - 1];
        stands[at(own.link)] = i == 0 || before.first != own.first || before.second != own.second || before.capacity != own.capacity;
    }
    for (std::size_t r = 0; r < merged.size(); ++r)
        if (used[r])
            for (const LinkUse &use : m_fabric.route(static_cast<std::int32_t>(r)).links)
                if (stands[at(use.link)]) merged[r].push_back(use);
    return merged;
}

void Phase::addUses(const Flow &flow, const std::vector<std::vector<LinkUse>> &routes, FlowTable &table) const
{
    const bool nvlinkOnly = flow.route < 0;
    if (nvlinkOnly || flow.through != flow.from) {
        table.use(m_fabric.nvlinkOut(flow.from), 1.0);
        table.use(m_fabric.nvlinkIn(nvlinkOnly ? flow.to : flow.through), 1.0);
    }
    if (nvlinkOnly) return;
    if (flow.arrival != flow.to) {
        table.use(m_fabric.nvlinkOut(flow.arrival), 1.0);
        table.use(m_fabric.nvlinkIn(flow.to), 1.0);
    }
    const Access &out = m_fabric.access(flow.through), &in = m_fabric.access(flow.arrival);
    for (std::int32_t i = 0; i < out.linkCount; ++i)
        table.use(out.out[i], 1.0);
    for (std::int32_t i = 0; i < in.linkCount; ++i)
        table.use(in.in[i], 1.0);
    for (const LinkUse &use : routes[at(flow.route)])
        table.use(use.link, use.weight);
}

std::vector<GroupRates> Phase::solve(std::size_t groups) const
{
    const auto routes = mergedRoutes();
    FlowTable table;
    table.rowEnd.reserve(m_flows.size());
    table.uses.reserve(8 * m_flows.size());
    for (const Flow &flow : m_flows) {
        addUses(flow, routes, table);
        table.endFlow();
    }
    const MaxMinRates solved = maxMinRates(table, m_fabric.capacities());
    std::vector<GroupRates> result(groups);
    for (std::size_t i = 0; i < m_flows.size(); ++i) {
        const Flow &flow = m_flows[i];
        GroupRates &group = result[at(flow.group)];
        if (flow.route < 0) {
            if (solved.rates[i] < group.nvlinkBytesPerS) {
                group.nvlinkBytesPerS = solved.rates[i];
                group.limitingNvlink = solved.limiting[i];
            }
            group.latencyS = std::max(group.latencyS, m_fabric.nvlinkLatencyS(flow.from, flow.to));
            continue;
        }
        const Route &route = m_fabric.route(flow.route);
        const double rate = route.exists ? solved.rates[i] : 0.0;
        if (rate < group.networkBytesPerS) {
            group.networkBytesPerS = rate;
            group.limitingLink = solved.limiting[i];
        }
        double latency = m_fabric.access(flow.through).latencyS + route.latencyS + m_fabric.access(flow.arrival).latencyS;
        if (flow.through != flow.from) latency += m_fabric.nvlinkLatencyS(flow.from, flow.through);
        if (flow.arrival != flow.to) latency += m_fabric.nvlinkLatencyS(flow.arrival, flow.to);
        group.latencyS = std::max(group.latencyS, latency);
    }
    return result;
}

} // namespace clusterbeat
