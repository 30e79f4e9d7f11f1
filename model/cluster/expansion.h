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

/// One instance of a container node. GPUs of a container are contiguous in GpuIndex order, and so are its children.
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
/// index 0 is the site.
struct Expansion {
    std::vector<Container> containers;
    std::int32_t gpuCount = 0;
    std::vector<std::int32_t> serverOfGpu;     ///< container index
    std::shared_ptr<const ClusterGraph> graph;
    std::int64_t vertexCount = 0, edgeCount = 0;

    /// "pod.3/rack.17/server.1/gpu.5"
    [[nodiscard]] std::string pathOf(GpuIndex gpu) const;
    [[nodiscard]] std::string pathOfContainer(std::int32_t container) const;
    /// Container indices of one kind, in order.
    [[nodiscard]] std::vector<std::int32_t> containersOfKind(NodeKind kind) const;
    /// The container of that kind around a GPU, or kNone.
    [[nodiscard]] std::int32_t containerOf(GpuIndex gpu, NodeKind kind) const;
};

/// GPUs named by a member path ("pod.2/rack.84/server.1/gpu.5", or a container's path for all its GPUs,
/// "rack.17/**", "**"); error UnknownTarget. rank:, stage:, random: queries need a placement: see layout/placement.h.
[[nodiscard]] Result<std::vector<GpuIndex>> gpusAtPath(const Expansion &expansion, std::string_view path);

/// Expands a blueprint. Errors: TooManyGpus above 262,144 GPUs, OutOfRange, UnknownName for a dangling id.
/// O(vertices + edges).
[[nodiscard]] Result<std::shared_ptr<const Expansion>> expand(const Blueprint &blueprint);

} // namespace clusterbeat
