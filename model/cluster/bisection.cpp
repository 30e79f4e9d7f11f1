// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/bisection.h"

#include "model/base/index.h"
#include "model/base/random.h"
#include "model/cluster/cluster_graph.h"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/boykov_kolmogorov_max_flow.hpp>
#include <boost/range/iterator_range.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace clusterbeat {
namespace {

/// Whole kbit/s, so that flows are exact and the same everywhere.
using Capacity = std::int64_t;
constexpr double kUnitsPerGbps = 1e6;
constexpr double kMostUnits = 1e12; ///< of one link: a sum over kMostEdges of them still fits

struct Cable {
    std::int32_t a = 0, b = 0;
    Capacity capacity = 0;
};
/// Undirected; vertices 0 … fixed-1 stay as they are.
struct FlowNetwork {
    std::int32_t fixed = 0, vertices = 0;
    std::vector<Cable> cables;
};

void mergeParallel(std::vector<Cable> &cables)
{
    for (Cable &cable : cables)
        if (cable.a > cable.b) std::swap(cable.a, cable.b);
    std::sort(cables.begin(), cables.end(), [](const Cable &x, const Cable &y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
    std::size_t kept = 0;
    for (const Cable &cable : cables) {
        if (cable.a == cable.b || cable.a < 0 || cable.capacity == 0) continue;
        if (kept > 0 && cables[kept - 1].a == cable.a && cables[kept - 1].b == cable.b) cables[kept - 1].capacity += cable.capacity;
        else cables[kept++] = cable;
    }
    cables.resize(kept);
}

/// The same network after `to` has renamed its vertices; kNone drops one.
FlowNetwork renamed(const FlowNetwork &network, const std::vector<std::int32_t> &to, std::int32_t fixed, std::int32_t vertices)
{
    FlowNetwork result{fixed, vertices, {}};
    result.cables.reserve(network.cables.size());
    for (const Cable &cable : network.cables)
        if (to[at(cable.a)] != kNone && to[at(cable.b)] != kNone) result.cables.push_back({to[at(cable.a)], to[at(cable.b)], cable.capacity});
    mergeParallel(result.cables);
    return result;
}

/// Of all minimum cuts the one nearest to the source is unique, so vertices that may change places lie on the same side of
/// it: they count as one. Those with the same cables to the same neighbours are such; found by two hashes of those.
std::optional<FlowNetwork> withoutTwins(const FlowNetwork &network)
{
    std::vector<std::uint64_t> first(at(network.vertices), 0), second(at(network.vertices), 0);
    for (const Cable &cable : network.cables)
        for (const auto &[own, other] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
            // A sum does not depend on the order.
            const std::uint64_t entry = mixBits(mixBits(at(other)) ^ static_cast<std::uint64_t>(cable.capacity));
            first[at(own)] += entry;
            second[at(own)] += mixBits(entry);
        }
    std::vector<std::int32_t> to(at(network.vertices));
    std::iota(to.begin(), to.end(), 0);
    std::unordered_map<std::uint64_t, std::int32_t> known; // looked up only
    std::int32_t next = network.fixed;
    for (std::int32_t v = network.fixed; v < network.vertices; ++v) {
        const auto [found, isNew] = known.emplace(mixBits(mixBits(first[at(v)]) + second[at(v)]), next);
        to[at(v)] = found->second;
        next += isNew ? 1 : 0;
    }
    if (next == network.vertices) return std::nullopt;
    return renamed(network, to, network.fixed, next);
}

/// A vertex with two cables passes on what the narrower one carries; one with a single cable, nothing.
std::optional<FlowNetwork> withoutPassages(const FlowNetwork &network)
{
    struct Ends {
        std::int32_t degree = 0, neighbours[2] = {kNone, kNone};
        Capacity narrower = 0;
    };
    std::vector<Ends> ends(at(network.vertices));
    for (const Cable &cable : network.cables)
        for (const auto &[own, other] : {std::pair(cable.a, cable.b), std::pair(cable.b, cable.a)}) {
            Ends &each = ends[at(own)];
            if (each.degree < 2) each.neighbours[each.degree] = other;
            each.narrower = each.degree == 0 ? cable.capacity : std::min(each.narrower, cable.capacity);
            ++each.degree;
        }
    FlowNetwork shorter = network;
    std::vector<std::int32_t> to(at(network.vertices), kNone);
    std::vector<char> stays(at(network.vertices), 0); // one of two neighbours that could both go waits for the next round
    std::iota(to.begin(), to.begin() + network.fixed, 0);
    std::int32_t next = network.fixed;
    for (std::int32_t v = network.fixed; v < network.vertices; ++v) {
        const Ends &each = ends[at(v)];
        if (each.degree > 2 || stays[at(v)]) {
            to[at(v)] = next++;
            continue;
        }
        for (std::int32_t i = 0; i < each.degree; ++i) stays[at(each.neighbours[i])] = 1;
        if (each.degree == 2) shorter.cables.push_back({each.neighbours[0], each.neighbours[1], each.narrower});
    }
    if (next == network.vertices) return std::nullopt;
    return renamed(shorter, to, network.fixed, next);
}

FlowNetwork reduced(FlowNetwork network)
{
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (auto *step : {withoutTwins, withoutPassages})
            if (auto after = step(network)) {
                network = std::move(*after);
                smaller = true;
            }
    }
    return network;
}

using FlowTraits = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
struct FlowVertex {
    FlowTraits::edge_descriptor predecessor;
    boost::default_color_type color = boost::white_color;
    Capacity distance = 0;
};
struct FlowEdge {
    Capacity capacity = 0, residual = 0;
    FlowTraits::edge_descriptor reverse;
};
using FlowGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, FlowVertex, FlowEdge>;

/// Between vertices 0 and 1.
Capacity maximumFlow(const FlowNetwork &network)
{
    FlowGraph graph(at(network.vertices));
    for (const Cable &cable : network.cables) {
        const auto there = boost::add_edge(at(cable.a), at(cable.b), FlowEdge{cable.capacity, 0, {}}, graph).first;
        const auto back = boost::add_edge(at(cable.b), at(cable.a), FlowEdge{cable.capacity, 0, {}}, graph).first;
        graph[there].reverse = back;
        graph[back].reverse = there;
    }
    return boost::boykov_kolmogorov_max_flow(graph, boost::get(&FlowEdge::capacity, graph), boost::get(&FlowEdge::residual, graph),
                                             boost::get(&FlowEdge::reverse, graph), boost::get(&FlowVertex::predecessor, graph),
                                             boost::get(&FlowVertex::color, graph), boost::get(&FlowVertex::distance, graph),
                                             boost::get(boost::vertex_index, graph), std::size_t{0}, std::size_t{1});
}

/// All GPUs of a container of the tier as one vertex; other GPUs are gone.
FlowNetwork networkOf(const Expansion &expansion, const std::vector<std::int32_t> &containers)
{
    const Graph &graph = expansion.graph->graph;
    std::vector<std::int32_t> vertexOf(boost::num_vertices(graph), kNone);
    FlowNetwork network{static_cast<std::int32_t>(containers.size()), static_cast<std::int32_t>(containers.size()), {}};
    for (std::size_t i = 0; i < containers.size(); ++i) {
        const Container &container = expansion.containers[at(containers[i])];
        std::fill_n(vertexOf.begin() + container.firstGpu, container.gpuCount, static_cast<std::int32_t>(i));
    }
    for (std::size_t v = at(expansion.gpuCount); v < vertexOf.size(); ++v) vertexOf[v] = network.vertices++;
    network.cables.reserve(boost::num_edges(graph));
    for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
        const std::int32_t a = vertexOf[boost::source(edge, graph)], b = vertexOf[boost::target(edge, graph)];
        const double units = std::min(kMostUnits, graph[edge].cables * graph[edge].gbps * kUnitsPerGbps);
        if (a != kNone && b != kNone) network.cables.push_back({a, b, static_cast<Capacity>(std::llround(units))});
    }
    mergeParallel(network.cables);
    return reduced(std::move(network));
}

/// Every way to take half of `count` (rounded down), each once: the first goes to the first half when both are as large.
std::vector<std::uint32_t> halves(std::int32_t count)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t mask = 0; mask < 1U << count; ++mask)
        if (std::popcount(mask) == count / 2 && (count % 2 != 0 || (mask & 1U) != 0)) found.push_back(mask);
    return found;
}

/// "pod.0 to pod.2, pod.4": runs of neighbours.
std::string namesOf(const Expansion &expansion, const std::vector<std::int32_t> &containers, const std::vector<char> &inFirst, bool first)
{
    std::string names;
    for (std::size_t i = 0; i < containers.size(); ++i) {
        if ((inFirst[i] != 0) != first) continue;
        std::size_t last = i;
        while (last + 1 < containers.size() && inFirst[last + 1] == inFirst[i]) ++last;
        if (!names.empty()) names += ", ";
        names += expansion.pathOfContainer(containers[i]);
        if (last > i) names += (last == i + 1 ? ", " : " to ") + expansion.pathOfContainer(containers[last]);
        i = last;
    }
    return names;
}

class Tier final {
public:
    Tier(const Expansion &expansion, NodeKind kind) : m_expansion(expansion), m_kind(kind), m_containers(expansion.containersOfKind(kind))
    {
        std::erase_if(m_containers, [&](std::int32_t c) { return expansion.containers[at(c)].gpuCount == 0; });
    }

    [[nodiscard]] std::optional<Bisection> narrowest()
    {
        std::optional<Bisection> best;
        for (std::size_t begin = 0; begin < m_containers.size();) {
            std::size_t end = begin;
            while (end < m_containers.size() && parentOf(end) == parentOf(begin)) ++end;
            if (end - begin >= 2) cutChildren(begin, end, best);
            begin = end;
        }
        return best;
    }

private:
    [[nodiscard]] std::int32_t parentOf(std::size_t i) const { return m_expansion.containers[at(m_containers[i])].parent; }

    void cutChildren(std::size_t begin, std::size_t end, std::optional<Bisection> &best)
    {
        if (!m_network) m_network = networkOf(m_expansion, m_containers);
        const auto count = static_cast<std::int32_t>(end - begin);
        std::vector<char> inFirst(end - begin, 0);
        if (count > kMostPartsToTry) {
            std::fill_n(inFirst.begin(), count / 2, char{1});
            return consider(begin, inFirst, best);
        }
        for (const std::uint32_t mask : halves(count)) {
            for (std::int32_t i = 0; i < count; ++i) inFirst[at(i)] = static_cast<char>(mask >> i & 1U);
            consider(begin, inFirst, best);
        }
    }

    void consider(std::size_t begin, const std::vector<char> &inFirst, std::optional<Bisection> &best)
    {
        std::vector<std::int32_t> to(at(m_network->vertices), kNone);
        std::int64_t gpus[2] = {0, 0};
        for (std::size_t i = 0; i < inFirst.size(); ++i) {
            const std::int32_t side = inFirst[i] ? 0 : 1;
            to[begin + i] = side;
            gpus[side] += m_expansion.containers[at(m_containers[begin + i])].gpuCount;
        }
        std::int32_t next = 2;
        for (std::int32_t v = m_network->fixed; v < m_network->vertices; ++v) to[at(v)] = next++;
        const Capacity flow = maximumFlow(reduced(renamed(*m_network, to, 2, next)));
        Bisection found{m_kind, static_cast<double>(flow) / kUnitsPerGbps / 8.0, std::min(gpus[0], gpus[1]), {}};
        if (best && best->perGpu() <= found.perGpu()) return;
        const std::vector<std::int32_t> children(m_containers.begin() + static_cast<std::ptrdiff_t>(begin),
                                                 m_containers.begin() + static_cast<std::ptrdiff_t>(begin + inFirst.size()));
        found.cut = namesOf(m_expansion, children, inFirst, true) + " | " + namesOf(m_expansion, children, inFirst, false);
        best = std::move(found);
    }

    const Expansion &m_expansion;
    NodeKind m_kind;
    std::vector<std::int32_t> m_containers; ///< in order, so that those of one parent are neighbours
    std::optional<FlowNetwork> m_network;
};

} // namespace

std::vector<Bisection> bisections(const Expansion &expansion)
{
    std::vector<Bisection> found;
    for (const NodeKind kind : {NodeKind::Pod, NodeKind::Rack, NodeKind::Server}) {
        if (kind == NodeKind::Server && !expansion.containersOfKind(NodeKind::Rack).empty()) break;
        if (auto narrowest = Tier(expansion, kind).narrowest()) found.push_back(std::move(*narrowest));
    }
    return found;
}

} // namespace clusterbeat
