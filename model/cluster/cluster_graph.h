// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/blueprint.h"

#include <boost/graph/adjacency_list.hpp>

#include <cstdint>
#include <string>
#include <vector>

/// For .cpp files only: Boost's headers are slow to compile.
namespace clusterbeat {

/// What a link is for, from the kinds of its ends.
enum class LinkKind : std::uint8_t { NvLink, Pcie, NicLeaf, LeafSpine, SpineCore, Other };

struct VertexProperties {
    NodeKind kind = NodeKind::Gpu;
    std::int32_t node = 0;      ///< index of the blueprint's node
    std::int32_t container = 0; ///< index into Expansion::containers
    std::int32_t replica = 0;   ///< within the container
};
struct EdgeProperties {
    double cables = 1.0;
    double gbps = 0.0; ///< of one cable, one direction
    double latencyS = 0.0;
    LinkKind kind = LinkKind::Other;
};

/// The edge list is a vector: 10^5 list nodes would cost more than the rest of the expansion.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, VertexProperties, EdgeProperties,
                                    boost::no_property, boost::vecS>;

/// Vertex i is GPU i for i < gpuCount; the other vertices follow in the order of the blueprint's nodes.
/// Neither copied nor moved: the graph's half edges point into it.
struct ClusterGraph {
    explicit ClusterGraph(std::size_t vertices) : graph(vertices) {}
    ClusterGraph(const ClusterGraph &) = delete;
    ClusterGraph &operator=(const ClusterGraph &) = delete;

    Graph graph;
    std::vector<std::string> nodeIds; ///< of the blueprint's nodes
};

} // namespace clusterbeat
