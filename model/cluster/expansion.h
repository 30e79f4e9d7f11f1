// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/result.h"
#include "model/cluster/blueprint.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

struct ClusterGraph;    ///< the Boost.Graph adjacency_list; defined in cluster/cluster_graph.h, for .cpp files only

inline constexpr std::int64_t kMostGpus = 262'144;       ///< of one cluster
/// Links of one expansion, about 250 bytes each in the graph and the fabric; 262,144 GPUs in servers of eight have 1.6
/// million.
inline constexpr std::int64_t kMostEdges = 2'500'000;

/// One instance of a container node (site, pod, rack, server). GPUs of a container are contiguous in GpuIndex order, and so are its children.
struct Container {
    NodeKind kind = NodeKind::Site;
    std::string nodeId;             ///< of the blueprint node
    std::int32_t replica = 0;       ///< within its parent
    std::int32_t parent = kNone;    ///< index into Expansion::containers
    std::int32_t firstChild = 0, childCount = 0;
    GpuIndex firstGpu = 0;
    std::int32_t gpuCount = 0;
};

/// The real cluster: every container and GPU by index, and every GPU, NIC, switch and cable in the graph.
/// Containers are ordered breadth-first: all pods, then all racks, then all servers (only kinds that hold GPUs);
/// index 0 is the site (one without an id is added when the drawing has not exactly one node at the top).
struct Expansion {
    std::vector<Container> containers;
    std::int32_t gpuCount = 0;
    std::vector<std::int32_t> serverOfGpu;     ///< container index
    std::vector<std::int32_t> domainOfGpu;     ///< scale-up domain: GPUs joined by NVLink; numbered in order of their first GPU
    std::int32_t domainCount = 0;
    std::shared_ptr<const ClusterGraph> graph;
    std::int64_t vertexCount = 0, edgeCount = 0;

    /// "pod.3/rack.17/server.1/gpu.5"
    [[nodiscard]] std::string pathOf(GpuIndex gpu) const;
    /// "pod.3/rack.17"; the site is "**", the path of all GPUs.
    [[nodiscard]] std::string pathOfContainer(std::int32_t container) const;
    /// Container indices of one kind, in order.
    [[nodiscard]] std::vector<std::int32_t> containersOfKind(NodeKind kind) const;
    /// The container of that kind around a GPU, or kNone.
    [[nodiscard]] std::int32_t containerOf(GpuIndex gpu, NodeKind kind) const;
};

/// GPUs named by a member path, ascending ("pod.2/rack.84/server.1/gpu.5", or a container's path for all its GPUs,
/// with or without "/**"; "**" for all; the end of a path names every member that ends so: "rack.17/**" is rack 17 of
/// each pod). Error UnknownTarget: malformed, or nothing is called so. O(containers + GPUs). rank:, stage:, random: queries need a placement: see layout/placement.h.
[[nodiscard]] Result<std::vector<GpuIndex>> gpusAtPath(const Expansion &expansion, std::string_view path);

/// Expands a blueprint. Errors, with the JSON pointer of the node or link: TooManyGpus (before anything is allocated),
/// OutOfRange (a count below 1, more than kMostEdges links, a bad number, no GPU at all), UnknownName (dangling id),
/// DuplicateKey, WrongType (an id outside [a-z0-9-]+), Contradiction (a cycle of parents; a parent that is no
/// container; a link that ends at a container). O(vertices + edges).
[[nodiscard]] Result<std::shared_ptr<const Expansion>> expand(const Blueprint &blueprint);

} // namespace clusterbeat
