// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/fabric.h"

#include "model/base/index.h"
#include "model/base/units.h"
#include "model/cluster/cluster_graph.h"
#include "model/network/link_state.h"

#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

/// Of what other traffic leaves; never nothing of a link that is alive.
constexpr double kLowestCapacity = 1e-4;

/// One direction of a link with what a state makes of it.
struct LivingLink {
    double alive = 1.0, bytesPerS = 0.0, latencyS = 0.0;
};
LivingLink livingLink(const EdgeProperties &link, std::size_t number, double efficiency, const LinkState *state)
{
    const double nominal = bytesPerSecondFromGbps(link.cables * link.gbps) * efficiency;
    if (!state) return {1.0, nominal, link.latencyS};
    const double alive = state->alive[number] * nominal;
    const double free = alive * state->capacity[number] - state->loadBytesPerS[number];
    return {state->alive[number], std::max(free, kLowestCapacity * alive), link.latencyS + state->latencyS[number]};
}

/// Height in the Clos network; 0 = does not carry network traffic.
int tierOf(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Gpu: return 1;
    case NodeKind::Nic: return 2;
    case NodeKind::Leaf: return 3;
    case NodeKind::Spine: return 4;
    case NodeKind::Core: return 5;
    default: return 0;
    }
}

/// Place of a link in the numbering: from the GPU outwards, so that of links that fill together the nearest is named.
std::size_t classOf(LinkKind kind) { return kind == LinkKind::SpineCore ? 2 : kind == LinkKind::LeafSpine ? 1 : 0; }

} // namespace

Fabric::Fabric(const Expansion &expansion, const CostConstants &constants, const LinkState *state, const Ecmp &ecmp)
    : m_ecmp(ecmp), m_gpus(expansion.gpuCount)
{
    readGraph(*expansion.graph, constants, state && !state->nominal() ? state : nullptr);
    findAccess();
    findEntries(expansion);
    const std::size_t vertices = m_upEnd.size();
    m_depthUp.assign(vertices, kNone);
    m_depthDown.assign(vertices, kNone);
    m_amount.assign(vertices, 0.0);
    m_cables.assign(vertices, 0.0);
    m_leads.assign(vertices, 0);
    if (state && !state->nominal() && state->hostBytesPerS > 0.0) findHostWays(expansion, *state);
}

void Fabric::findHostWays(const Expansion &expansion, const LinkState &state)
{
    std::vector<GpuIndex> cutOff;
    for (GpuIndex gpu = 0; gpu < m_gpus; ++gpu) {
        if (hasNvlink(gpu) || m_changedNvlink[at(gpu)] == kNone) continue;
        const Container &server = expansion.containers[at(expansion.serverOfGpu[at(gpu)])];
        for (GpuIndex peer = server.firstGpu; peer < server.firstGpu + server.gpuCount; ++peer) {
            if (routeExists(entry(gpu), entry(peer)) && routeExists(entry(peer), entry(gpu))) continue;
            cutOff.push_back(gpu);
            break;
        }
    }
    if (!cutOff.empty()) m_overHost.assign(at(m_gpus), 0);
    for (const GpuIndex gpu : cutOff) {
        m_overHost[at(gpu)] = 1;
        m_capacity[at(gpu)] = m_capacity[at(m_gpus + gpu)] = state.hostBytesPerS;
    }
}

bool Fabric::routeExists(GpuIndex from, GpuIndex to)
{
    return m_routes[at(routeBetween(m_access[at(from)].vertex, m_access[at(to)].vertex))].exists;
}

void Fabric::readGraph(const ClusterGraph &cluster, const CostConstants &constants, const LinkState *state)
{
    const Graph &graph = cluster.graph;
    const std::size_t vertices = boost::num_vertices(graph);
    std::vector<double> nvlink(at(m_gpus), 0.0), nvlinkCables(at(m_gpus), 0.0);
    m_nvlinkLatency.assign(at(m_gpus), 0.0);
    struct Up {
        std::int32_t lower, upper, number;
        const EdgeProperties *link;
    };
    if (state) m_changedNvlink.assign(at(m_gpus), kNone);
    std::int32_t number = kNone;
    std::vector<Up> ups;
    std::array<std::size_t, 3> inClass{};
    m_upEnd.assign(vertices, 0);
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        const EdgeProperties &link = graph[edge];
        const auto a = boost::source(edge, graph), b = boost::target(edge, graph);
        ++number;
        if (link.kind == LinkKind::NvLink) {
            const LivingLink living = livingLink(link, at(number), constants.nvlinkEfficiency, state);
            const double cables = link.cables * living.alive;
            const bool direct = graph[a].kind == graph[b].kind;
            for (const auto end : {a, b}) {
                if (graph[end].kind != NodeKind::Gpu) continue;
                nvlink[end] += living.bytesPerS;
                nvlinkCables[end] += cables;
                m_nvlinkLatency[end] += cables * living.latencyS * (direct ? 0.5 : 1.0);
                if (state && state->cause[at(number)] != kNone) m_changedNvlink[end] = number;
            }
            continue;
        }
        const int tierA = tierOf(graph[a].kind), tierB = tierOf(graph[b].kind);
        if (tierA == 0 || tierB == 0 || tierA == tierB) continue;
        const auto lower = tierA < tierB ? a : b, upper = tierA < tierB ? b : a;
        ups.push_back({static_cast<std::int32_t>(lower), static_cast<std::int32_t>(upper), number, &link});
        ++inClass[classOf(link.kind)];
        if (!state || state->alive[at(number)] > 0.0) ++m_upEnd[lower];
    }
    m_capacity.assign(2 * (at(m_gpus) + ups.size()), 0.0);
    m_latency.assign(m_capacity.size(), 0.0);
    m_graphLink.assign(ups.size(), kNone);
    m_lower = m_upper = m_graphLink;
    for (std::size_t gpu = 0; gpu < at(m_gpus); ++gpu) {
        m_capacity[gpu] = m_capacity[at(m_gpus) + gpu] = nvlink[gpu];
        if (nvlinkCables[gpu] > 0.0) m_nvlinkLatency[gpu] /= nvlinkCables[gpu];
    }
    m_firstLeafSpine = 2 * (m_gpus + static_cast<std::int32_t>(inClass[0]));
    m_firstSpineCore = m_firstLeafSpine + 2 * static_cast<std::int32_t>(inClass[1]);

    std::array<std::int32_t, 3> next{2 * m_gpus, m_firstLeafSpine, m_firstSpineCore};
    std::size_t total = 0;
    for (std::size_t &end : m_upEnd) {
        const std::size_t count = end;
        end = total;
        total += count;
    }
    m_up.resize(total);
    for (const Up &up : ups) {
        std::int32_t &link = next[classOf(up.link->kind)];
        const LivingLink living = livingLink(*up.link, at(up.number), constants.nicEfficiency, state);
        for (const std::int32_t direction : {link, link + 1}) {
            m_capacity[at(direction)] = living.bytesPerS;
            m_latency[at(direction)] = living.latencyS;
        }
        m_graphLink[at(link) / 2 - at(m_gpus)] = up.number;
        m_lower[at(link) / 2 - at(m_gpus)] = up.lower;
        m_upper[at(link) / 2 - at(m_gpus)] = up.upper;
        if (living.alive > 0.0) m_up[m_upEnd[at(up.lower)]++] = {link, up.upper, up.link->cables * living.alive};
        link += 2;
    }
    m_isSwitch.resize(vertices);
    for (std::size_t v = 0; v < vertices; ++v)
        m_isSwitch[v] = tierOf(graph[v].kind) >= tierOf(NodeKind::Leaf);
}

/// A NIC of one GPU only: of its PCIe slot and its cable the narrower one stands for both.
void Fabric::findAccess()
{
    std::vector<std::int32_t> below(m_upEnd.size(), 0);
    for (const UpLink &up : m_up)
        ++below[at(up.to)];
    m_access.resize(at(m_gpus));
    for (GpuIndex gpu = 0; gpu < m_gpus; ++gpu) {
        Access &access = m_access[at(gpu)];
        access.vertex = gpu;
        while (!m_isSwitch[at(access.vertex)] && at(access.linkCount) < Access::kMostLinks) {
            const std::size_t begin = access.vertex == 0 ? 0 : m_upEnd[at(access.vertex) - 1];
            if (m_upEnd[at(access.vertex)] - begin != 1) break;
            const UpLink &up = m_up[begin];
            const bool onlyUser = access.linkCount == 1 && below[at(access.vertex)] == 1;
            if (onlyUser && m_capacity[at(up.link)] <= m_capacity[at(access.out[0])]) access.linkCount = 0;
            if (access.linkCount == 0 || !onlyUser) {
                access.out[access.linkCount] = up.link;
                access.in[access.linkCount] = up.link + 1;
                ++access.linkCount;
            }
            access.latencyS += m_latency[at(up.link)];
            access.vertex = up.to;
        }
    }
}

Fabric::AccessChain Fabric::accessChain(GpuIndex gpu) const
{
    AccessChain chain;
    for (std::int32_t vertex = gpu; vertex != m_access[at(gpu)].vertex;) {
        const UpLink &up = m_up[vertex == 0 ? 0 : m_upEnd[at(vertex) - 1]];
        chain.out[chain.count++] = up.link;
        vertex = up.to;
    }
    return chain;
}

void Fabric::findEntries(const Expansion &expansion)
{
    const auto works = [&](GpuIndex gpu) {
        const auto v = at(m_access[at(gpu)].vertex);
        return m_isSwitch[v] || m_upEnd[v] > (v == 0 ? 0 : m_upEnd[v - 1]);
    };
    m_entry.resize(at(m_gpus));
    std::vector<std::vector<GpuIndex>> workers; // by domain, made when a whole server is cut off
    for (GpuIndex gpu = 0; gpu < m_gpus; ++gpu) {
        m_entry[at(gpu)] = gpu;
        if (works(gpu) || !hasNvlink(gpu)) continue;
        const std::int32_t domain = expansion.domainOfGpu[at(gpu)];
        const auto helps = [&](GpuIndex peer) {
            return expansion.domainOfGpu[at(peer)] == domain && hasNvlink(peer) && works(peer);
        };
        // The ones after it first, so that several of a server spread over the others.
        const Container &server = expansion.containers[at(expansion.serverOfGpu[at(gpu)])];
        for (GpuIndex i = 1; i < server.gpuCount && m_entry[at(gpu)] == gpu; ++i) {
            const GpuIndex peer = server.firstGpu + (gpu - server.firstGpu + i) % server.gpuCount;
            if (helps(peer)) m_entry[at(gpu)] = peer;
        }
        if (m_entry[at(gpu)] != gpu) continue;
        if (workers.empty()) {
            workers.resize(at(expansion.domainCount));
            for (GpuIndex peer = 0; peer < m_gpus; ++peer)
                if (hasNvlink(peer) && works(peer)) workers[at(expansion.domainOfGpu[at(peer)])].push_back(peer);
        }
        const std::vector<GpuIndex> &able = workers[at(domain)];
        if (!able.empty()) m_entry[at(gpu)] = able[at(gpu) % able.size()];
    }
}

std::int32_t Fabric::graphLinkOf(std::int32_t link) const
{
    if (link < 0) return kNone;
    if (link >= 2 * m_gpus) return m_graphLink[at(link) / 2 - at(m_gpus)];
    return m_changedNvlink.empty() ? kNone : m_changedNvlink[at(link % m_gpus)];
}

const char *Fabric::kindOf(std::int32_t link) const
{
    if (link < 2 * m_gpus) return overHost(link % m_gpus) ? "pcie" : "nvlink";
    if (link < m_firstLeafSpine) return "nic";
    return link < m_firstSpineCore ? "leaf-spine" : "spine-core";
}

double Fabric::nvlinkLatencyS(GpuIndex from, GpuIndex to) const
{
    return m_nvlinkLatency[at(from)] + m_nvlinkLatency[at(to)];
}

std::int32_t Fabric::routeBetween(std::int32_t from, std::int32_t to)
{
    const std::uint64_t key = (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint64_t>(to);
    const auto [found, isNew] = m_routeOf.emplace(key, static_cast<std::int32_t>(m_routes.size()));
    if (isNew) m_routes.push_back(search(from, to));
    return found->second;
}

/// Goes one tier further up from every vertex of `level`; false when nothing is above.
bool Fabric::climb(std::vector<std::int32_t> &level, Levels &levels, std::vector<std::int32_t> &depth)
{
    std::vector<Hop> hops;
    std::vector<std::int32_t> above;
    const auto height = static_cast<std::int32_t>(levels.size()) + 1;
    for (const std::int32_t v : level)
        for (std::size_t i = v == 0 ? 0 : m_upEnd[at(v) - 1]; i < m_upEnd[at(v)]; ++i) {
            std::int32_t &known = depth[at(m_up[i].to)];
            if (known != kNone && known < height) continue; // a shorter way is there
            if (known == kNone) {
                above.push_back(m_up[i].to);
                m_touched.push_back(m_up[i].to);
            }
            known = height;
            hops.push_back({v, m_up[i]});
        }
    level = std::move(above);
    levels.push_back(std::move(hops));
    return !level.empty();
}

/// Of the vertices just reached from one side those that the other side knows too, nearest to it.
std::vector<std::int32_t> Fabric::meet(const std::vector<std::int32_t> &level,
                                       const std::vector<std::int32_t> &other) const
{
    std::vector<std::int32_t> found;
    for (const std::int32_t v : level) {
        if (other[at(v)] == kNone) continue;
        if (!found.empty() && other[at(v)] > other[at(found[0])]) continue;
        if (!found.empty() && other[at(v)] < other[at(found[0])]) found.clear();
        found.push_back(v);
    }
    return found;
}

/// Both ends climb in turn until they meet, so the first meeting is on a shortest way.
Route Fabric::search(std::int32_t from, std::int32_t to)
{
    Route route;
    if (from == to) {
        route.exists = true;
        return route;
    }
    Levels up, down;
    std::vector<std::int32_t> fromLevel{from}, toLevel{to}, meeting;
    m_depthUp[at(from)] = 0;
    m_depthDown[at(to)] = 0;
    m_touched = {from, to};
    bool more = true;
    while (more && meeting.empty()) {
        more = climb(fromLevel, up, m_depthUp);
        meeting = meet(fromLevel, m_depthDown);
        if (!meeting.empty()) break;
        more = climb(toLevel, down, m_depthDown) || more;
        meeting = meet(toLevel, m_depthUp);
    }
    if (!meeting.empty()) {
        up.resize(at(m_depthUp[at(meeting[0])]));
        down.resize(at(m_depthDown[at(meeting[0])]));
        spread(up, down, meeting, from, route);
    }
    for (const std::int32_t v : m_touched)
        m_depthUp[at(v)] = m_depthDown[at(v)] = kNone;
    m_touched.clear();
    return route;
}

/// One unit of traffic from `from` upwards over the hops that lead to a meeting point, and down again.
void Fabric::spread(const Levels &up, const Levels &down, const std::vector<std::int32_t> &meeting, std::int32_t from,
                    Route &route)
{
    route.exists = true;
    for (const std::int32_t v : meeting)
        m_leads[at(v)] = 1;
    for (std::size_t level = up.size(); level-- > 0;)
        for (const Hop &hop : up[level])
            if (m_leads[at(hop.up.to)]) {
                m_leads[at(hop.lower)] = 1;
                m_cables[at(hop.lower)] += hop.up.cables;
            }
    m_amount[at(from)] = 1.0;
    for (const auto &level : up)
        for (const Hop &hop : level) {
            if (!m_leads[at(hop.up.to)] || !m_leads[at(hop.lower)]) continue;
            const double share = m_amount[at(hop.lower)] * hop.up.cables / m_cables[at(hop.lower)];
            m_amount[at(hop.up.to)] += share;
            take(hop.up.link, share, route);
        }
    for (const auto &level : up)
        for (const Hop &hop : level) {
            m_leads[at(hop.lower)] = m_leads[at(hop.up.to)] = 0;
            m_cables[at(hop.lower)] = 0.0;
        }
    for (const auto &level : down)
        for (const Hop &hop : level)
            m_cables[at(hop.up.to)] += hop.up.cables;
    for (std::size_t level = down.size(); level-- > 0;)
        for (const Hop &hop : down[level]) {
            if (m_amount[at(hop.up.to)] == 0.0) continue;
            const double share = m_amount[at(hop.up.to)] * hop.up.cables / m_cables[at(hop.up.to)];
            m_amount[at(hop.lower)] += share;
            take(hop.up.link + 1, share, route);
        }
    for (const Levels *levels : {&up, &down})
        for (const auto &level : *levels)
            for (const Hop &hop : level)
                for (const std::int32_t v : {hop.lower, hop.up.to})
                    m_amount[at(v)] = m_cables[at(v)] = 0.0;
}

void Fabric::take(std::int32_t link, double share, Route &route) const
{
    route.links.push_back({link, share});
    route.latencyS += share * m_latency[at(link)];
}

} // namespace clusterbeat
