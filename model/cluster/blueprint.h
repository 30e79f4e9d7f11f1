// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace clusterbeat {

/// What a person draws: a few dozen nodes with counts, and link patterns between them. Templates return one,
/// the expansion knows only these.
enum class NodeKind : std::uint8_t { Site, Pod, Rack, Server, Gpu, NvSwitch, Nic, Leaf, Spine, Core, Storage };
enum class LinkPattern : std::uint8_t { All, OneToOne, Rail, Stripe };

struct BlueprintNode {
    std::string id;                 ///< [a-z0-9-]+, unique, never changed by renaming
    NodeKind kind = NodeKind::Server;
    std::string name;               ///< shown; may be translated when it equals the kind's default
    std::string parent;             ///< id of the containing node, "" at the top
    std::int64_t count = 1;         ///< replicas inside one parent
    std::int64_t limit = 0;         ///< 0 or the total number over the whole cluster: the last parents hold fewer
    double x = 0.0, y = 0.0;        ///< position on the canvas
    friend bool operator==(const BlueprintNode &, const BlueprintNode &) = default;
};
/// Cables from every instance of `from` to instances of `to` that share the deepest common container.
/// Instances are numbered inside that container. all: to each (from == to: each pair once); one_to_one: equal numbers;
/// rail: `to` holds b blocks of n, n the number of `from` in one parent; the parents are cut into b equal runs, and
/// number i of a parent in run k goes to number i + n*k of `to`; stripe: i to i mod count.
struct BlueprintLink {
    std::string id, from, to;
    LinkPattern pattern = LinkPattern::All;
    double cables = 1.0;            ///< per pair; fractional = a share of a bundle (oversubscription)
    double gbps = 0.0;              ///< of one cable, one direction, 10^9 bit/s
    double latencyS = 0.0;
    friend bool operator==(const BlueprintLink &, const BlueprintLink &) = default;
};
struct Blueprint {
    std::vector<BlueprintNode> nodes;
    std::vector<BlueprintLink> links;
    friend bool operator==(const Blueprint &, const Blueprint &) = default;
};

} // namespace clusterbeat
