// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/fabric.h"
#include "model/network/network_model.h"
#include "model/network/phase_groups.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clusterbeat {

/// All groups of one dimension while they communicate at the same time.
struct CollectivePhase {
    std::size_t groupSize = 0;                ///< members of one; 0 = the dimension is not used
    std::vector<GpuIndex> gpus;               ///< group after group, each in order of domain and GPU
    std::vector<GroupPath> paths;             ///< by group
    std::vector<std::int32_t> limitingLink;   ///< by group: the fabric's link that holds its slowest flow, or kNone
};
/// The phases of one layout group by group; NetworkModel has the slowest group of each.
struct NetworkPhases {
    CollectivePhase tensor, context, data, expert, expertTensor, expertData;
    std::vector<StageMap::Link> links;        ///< stage s to the next (last to first), then those of a custom schedule
    std::vector<TransferPath> pipeline;       ///< [link * data + replica]
    std::vector<std::int32_t> pipelineLink;   ///< limiting links of those
};
/// Every rank must have a GPU. Complexity and rules as networkModel().
[[nodiscard]] NetworkPhases networkPhases(const ResolvedScenario &scenario, const Expansion &expansion,
                                          const Placement &placement, const CostConstants &constants, Fabric &fabric);
/// The group that sets the pace: of rings the slowest; of all-to-alls the slowest of those over the most domains. The phase
/// must have groups.
[[nodiscard]] std::size_t slowestGroup(const CollectivePhase &phase, GroupOf kind);
/// The slowest group of each dimension.
[[nodiscard]] NetworkModel slowestOf(const NetworkPhases &phases, const ResolvedScenario &scenario,
                                     const CostConstants &constants);

/// What a ring over the group reaches.
[[nodiscard]] double ringRate(const GroupPath &path);

} // namespace clusterbeat
