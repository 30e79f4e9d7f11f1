// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/blueprint.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// A checked blueprint with its references as indices. kNone as a container stands for the added site.
struct BlueprintIndex {
    struct Link {
        std::int32_t from = 0, to = 0;
        std::int32_t common = -1; ///< deepest container node around both, kNone = the added site
    };
    std::vector<std::int32_t> parent;    ///< by node; kNone at the top
    std::vector<std::int64_t> instances; ///< by node: over the whole cluster, limits applied, saturating
    std::vector<Link> links;             ///< by link
    std::int32_t site = -1;              ///< the only node at the top when it is one site, else kNone
};

[[nodiscard]] constexpr bool isContainer(NodeKind kind)
{
    return kind == NodeKind::Site || kind == NodeKind::Pod || kind == NodeKind::Rack || kind == NodeKind::Server;
}

/// Checks everything that expand() documents except the number of links. Allocates nothing that grows with counts.
/// Error places are pointers below /cluster/blueprint. O(nodes * depth + links * depth).
[[nodiscard]] Result<BlueprintIndex> indexBlueprint(const Blueprint &blueprint);

} // namespace clusterbeat
