// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/link_name.h"

#include "model/base/index.h"
#include "model/cluster/cluster_graph.h"
#include "model/cluster/devices.h"

#include <boost/range/iterator_range.hpp>

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace clusterbeat {
namespace {

/// The only GPU on a NIC, or kNone.
std::int32_t onlyGpuOf(const Graph &graph, std::size_t nic)
{
    std::int32_t gpu = kNone;
    for (const auto edge : boost::make_iterator_range(boost::out_edges(nic, graph))) {
        const auto other = boost::target(edge, graph);
        if (graph[other].kind != NodeKind::Gpu) continue;
        if (gpu != kNone) return kNone;
        gpu = static_cast<std::int32_t>(other);
    }
    return gpu;
}

struct Ends {
    std::size_t lower, upper;
};
Ends endsOf(const Graph &graph, std::int32_t number)
{
    const auto edge = *std::next(boost::edges(graph).first, number);
    Ends ends{boost::source(edge, graph), boost::target(edge, graph)};
    if (graph[ends.lower].kind > graph[ends.upper].kind) std::swap(ends.lower, ends.upper);
    return ends;
}

const char *kindName(const Graph &graph, const Ends &ends)
{
    if (graph[ends.lower].kind == NodeKind::NvSwitch || graph[ends.upper].kind <= NodeKind::NvSwitch) return "nvlink";
    if (graph[ends.lower].kind <= NodeKind::Nic) return "nic";
    return graph[ends.upper].kind == NodeKind::Core ? "spine-core" : "leaf-spine";
}

GpuIndex gpuAt(const Graph &graph, const Ends &ends)
{
    if (graph[ends.lower].kind == NodeKind::Gpu) return static_cast<GpuIndex>(ends.lower);
    return graph[ends.lower].kind == NodeKind::Nic ? onlyGpuOf(graph, ends.lower) : kNone;
}

std::string nameOf(const Expansion &expansion, const Ends &ends, std::string_view outside, std::string_view between)
{
    const Graph &graph = expansion.graph->graph;
    const std::string kind = kindName(graph, ends);
    const GpuIndex gpu = gpuAt(graph, ends);
    if (gpu != kNone) return kind + " of " + expansion.pathOf(gpu) + std::string(outside);
    const std::string lower = pathOfDevice(expansion, static_cast<std::int32_t>(ends.lower));
    if (graph[ends.lower].kind <= NodeKind::Nic) return kind + " of " + lower + std::string(outside);
    return kind + " " + lower + " to " + pathOfDevice(expansion, static_cast<std::int32_t>(ends.upper)) + std::string(between);
}

} // namespace

std::string linkName(const Expansion &expansion, const Fabric &fabric, std::int32_t link, LinkDirection direction)
{
    if (link < 0) return {};
    const bool shown = direction == LinkDirection::Shown;
    if (link < 2 * expansion.gpuCount)
        return "nvlink of " + expansion.pathOf(link % expansion.gpuCount) +
               (shown ? link < expansion.gpuCount ? " out" : " in" : "");
    const bool up = link % 2 == 0;
    const Ends ends = endsOf(expansion.graph->graph, fabric.graphLinkOf(link));
    return nameOf(expansion, ends, shown ? up ? " out" : " in" : "", shown ? up ? " up" : " down" : "");
}

GpuIndex gpuBelowLink(const Expansion &expansion, const Fabric &fabric, std::int32_t link)
{
    if (link < 0) return kNone;
    if (link < 2 * expansion.gpuCount) return link % expansion.gpuCount;
    const Graph &graph = expansion.graph->graph;
    std::vector<std::size_t> level{endsOf(graph, fabric.graphLinkOf(link)).lower};
    std::vector<bool> seen(boost::num_vertices(graph));
    seen[level.front()] = true;
    while (!level.empty()) {
        std::vector<std::size_t> below;
        GpuIndex first = kNone;
        for (const std::size_t vertex : level) {
            if (graph[vertex].kind == NodeKind::Gpu && (first == kNone || static_cast<GpuIndex>(vertex) < first)) first = static_cast<GpuIndex>(vertex);
            for (const auto edge : boost::make_iterator_range(boost::out_edges(vertex, graph))) {
                const std::size_t next = boost::target(edge, graph);
                if (seen[next] || graph[next].kind >= graph[vertex].kind) continue;
                seen[next] = true;
                below.push_back(next);
            }
        }
        if (first != kNone) return first;
        level = std::move(below);
    }
    return kNone;
}

GpuIndex gpuOfLink(const Expansion &expansion, const Fabric &fabric, std::int32_t link)
{
    if (link < 0) return kNone;
    if (link < 2 * expansion.gpuCount) return link % expansion.gpuCount;
    return gpuOfGraphLink(expansion, fabric.graphLinkOf(link));
}

std::string graphLinkName(const Expansion &expansion, std::int32_t link)
{
    if (link < 0) return {};
    return nameOf(expansion, endsOf(expansion.graph->graph, link), "", "");
}

GpuIndex gpuOfGraphLink(const Expansion &expansion, std::int32_t link)
{
    return link < 0 ? kNone : gpuAt(expansion.graph->graph, endsOf(expansion.graph->graph, link));
}

} // namespace clusterbeat
