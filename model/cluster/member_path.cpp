// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/devices.h"

#include "model/base/index.h"
#include "model/cluster/cluster_graph.h"
#include "model/cluster/expansion.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace clusterbeat {
namespace {

struct Segment {
    std::string_view id;
    std::int32_t replica = 0;
};

/// "rack.17"; nullopt unless the number is written as the program writes it.
std::optional<Segment> parseSegment(std::string_view text)
{
    const std::size_t dot = text.rfind('.');
    if (dot == std::string_view::npos || dot == 0) return std::nullopt;
    const std::string_view digits = text.substr(dot + 1);
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return std::nullopt;
    Segment segment{text.substr(0, dot), 0};
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), segment.replica);
    if (code != std::errc() || end != digits.data() + digits.size() || segment.replica < 0) return std::nullopt;
    return segment;
}

std::optional<std::vector<Segment>> parsePath(std::string_view path)
{
    std::vector<Segment> segments;
    while (true) {
        const std::size_t slash = path.find('/');
        const auto segment = parseSegment(path.substr(0, slash));
        if (!segment) return std::nullopt;
        segments.push_back(*segment);
        if (slash == std::string_view::npos) return segments;
        path.remove_prefix(slash + 1);
    }
}

/// Does the path from the site to this container end with these segments?
bool endsWith(const Expansion &expansion, std::int32_t container, const std::vector<Segment> &segments,
              std::size_t count)
{
    for (std::size_t i = count; i-- > 0;) {
        if (container <= 0) return false;
        const Container &c = expansion.containers[at(container)];
        if (c.replica != segments[i].replica || c.nodeId != segments[i].id) return false;
        container = c.parent;
    }
    return true;
}

/// GPUs whose own last segment is `segments.back()`, inside containers that end with the rest.
void addNamedGpus(const Expansion &expansion, const std::vector<Segment> &segments, std::vector<GpuIndex> &found)
{
    const Graph &graph = expansion.graph->graph;
    const Segment &last = segments.back();
    std::int32_t container = kNone;
    bool inside = false;
    for (GpuIndex gpu = 0; gpu < expansion.gpuCount; ++gpu) {
        if (expansion.serverOfGpu[at(gpu)] != container) {
            container = expansion.serverOfGpu[at(gpu)];
            inside = endsWith(expansion, container, segments, segments.size() - 1);
        }
        if (!inside) continue;
        const VertexProperties &vertex = graph[at(gpu)];
        if (vertex.replica == last.replica && expansion.graph->nodeIds[at(vertex.node)] == last.id)
            found.push_back(gpu);
    }
}

Error unknownTarget(std::string_view path)
{
    Error error;
    error.code = ErrorCode::UnknownTarget;
    error.arguments = {std::string(path)};
    return error;
}

} // namespace

std::string Expansion::pathOfContainer(std::int32_t container) const
{
    if (container <= 0 || at(container) >= containers.size()) return "**";
    std::string path;
    for (; container > 0; container = containers[at(container)].parent) {
        const Container &c = containers[at(container)];
        path = c.nodeId + "." + std::to_string(c.replica) + (path.empty() ? "" : "/") + path;
    }
    return path;
}

std::string Expansion::pathOf(GpuIndex gpu) const
{
    if (gpu < 0 || gpu >= gpuCount) return {};
    return pathOfDevice(*this, gpu);
}

std::vector<std::int32_t> Expansion::containersOfKind(NodeKind kind) const
{
    std::vector<std::int32_t> found;
    for (std::size_t c = 0; c < containers.size(); ++c)
        if (containers[c].kind == kind) found.push_back(static_cast<std::int32_t>(c));
    return found;
}

std::int32_t Expansion::containerOf(GpuIndex gpu, NodeKind kind) const
{
    if (gpu < 0 || gpu >= gpuCount) return kNone;
    std::int32_t container = serverOfGpu[at(gpu)];
    while (container != kNone && containers[at(container)].kind != kind)
        container = containers[at(container)].parent;
    return container;
}

namespace {

constexpr std::string_view kEverythingInside = "/**";

bool meansInside(std::string_view path)
{
    return path.size() > kEverythingInside.size() && path.ends_with(kEverythingInside);
}

} // namespace

Result<std::vector<GpuIndex>> gpusAtPath(const Expansion &expansion, std::string_view path)
{
    std::vector<GpuIndex> found;
    if (path == "**") {
        found.resize(at(expansion.gpuCount));
        std::iota(found.begin(), found.end(), 0);
        return found;
    }
    const bool inside = meansInside(path);
    const auto segments = parsePath(inside ? path.substr(0, path.size() - kEverythingInside.size()) : path);
    if (!segments) return unknownTarget(path);
    for (std::size_t c = 1; c < expansion.containers.size(); ++c) {
        if (!endsWith(expansion, static_cast<std::int32_t>(c), *segments, segments->size())) continue;
        for (std::int32_t i = 0; i < expansion.containers[c].gpuCount; ++i)
            found.push_back(expansion.containers[c].firstGpu + i);
    }
    if (found.empty() && !inside) addNamedGpus(expansion, *segments, found);
    if (found.empty()) return unknownTarget(path);
    std::sort(found.begin(), found.end()); // levels may interleave when a name is used at two depths
    return found;
}

std::string pathOfDevice(const Expansion &expansion, std::int32_t device)
{
    if (device < 0 || device >= expansion.vertexCount) return {};
    const VertexProperties &vertex = expansion.graph->graph[at(device)];
    const std::string own = expansion.graph->nodeIds[at(vertex.node)] + "." + std::to_string(vertex.replica);
    return vertex.container == 0 ? own : expansion.pathOfContainer(vertex.container) + "/" + own;
}

Result<std::vector<std::int32_t>> devicesAtPath(const Expansion &expansion, std::string_view path)
{
    std::vector<std::int32_t> found;
    if (path == "**") {
        found.resize(at(expansion.vertexCount));
        std::iota(found.begin(), found.end(), 0);
        return found;
    }
    const bool inside = meansInside(path);
    const auto segments = parsePath(inside ? path.substr(0, path.size() - kEverythingInside.size()) : path);
    if (!segments) return unknownTarget(path);
    // Parents come before their children.
    std::vector<char> within(expansion.containers.size(), 0), around(expansion.containers.size(), 0);
    for (std::size_t c = 1; c < within.size(); ++c) {
        const auto container = static_cast<std::int32_t>(c);
        within[c] = within[at(expansion.containers[c].parent)] != 0 ||
                    endsWith(expansion, container, *segments, segments->size());
        around[c] = endsWith(expansion, container, *segments, segments->size() - 1);
    }
    around[0] = segments->size() == 1;
    const Segment &last = segments->back();
    const Graph &graph = expansion.graph->graph;
    const bool containers = std::find(within.begin(), within.end(), 1) != within.end();
    for (std::int32_t device = 0; device < expansion.vertexCount; ++device) {
        const VertexProperties &vertex = graph[at(device)];
        const bool named = containers ? within[at(vertex.container)] != 0
                                      : !inside && around[at(vertex.container)] != 0 && vertex.replica == last.replica &&
                                            expansion.graph->nodeIds[at(vertex.node)] == last.id;
        if (named) found.push_back(device);
    }
    if (found.empty()) return unknownTarget(path);
    return found;
}

} // namespace clusterbeat
