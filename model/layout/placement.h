// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/result.h"
#include "model/cluster/expansion.h"
#include "model/layout/degrees.h"

#include <string_view>
#include <vector>

namespace clusterbeat {

/// Coordinates of a rank. `member` = tensor + tensor_degree * context: its number inside the group of GPUs that
/// runs one stage of one replica in lock-step.
struct RankCoordinates {
    std::int32_t tensor = 0, context = 0, pipeline = 0, data = 0, member = 0;
};

/// Which rank sits on which GPU: ranks in the layout's order over GPUs in container order (skipping GPUs beyond
/// gpus_used_per_domain). Bijective on the ranks; GPUs without a rank are unused (spares).
struct Placement {
    std::int32_t tensor = 1, context = 1, pipeline = 1, data = 1;
    std::vector<RankIndex> rankOfGpu;         ///< kNone = unused
    std::vector<GpuIndex> gpuOfRank;
    std::vector<RankCoordinates> coordinates; ///< by rank

    [[nodiscard]] std::int32_t groupSize() const { return tensor * context; }
    [[nodiscard]] RankIndex rankAt(std::int32_t stage, std::int32_t replica, std::int32_t member) const;
    /// Built by place(): index (stage * data + replica) * groupSize + member.
    std::vector<RankIndex> rankOfPosition;
};

/// Ranks beyond the GPUs that gpusUsedPerDomain leaves go to the skipped ones, in order; ranks beyond all GPUs have
/// none (kNone). A domain of the expansion larger than domainSize is cut into runs of it. O(ranks + GPUs).
[[nodiscard]] Placement place(const Degrees &degrees, const Expansion &expansion, std::int64_t gpusUsedPerDomain,
                              std::int64_t domainSize);

/// GPUs, ascending, of a member path (gpusAtPath) or a query: "rank:5219", "stage:7 replica:41", "stage:7", "replica:41",
/// "random:3 seed:7" (distinct GPUs that have a rank; seed 0 when not said). Error UnknownTarget.
[[nodiscard]] Result<std::vector<GpuIndex>> gpusOfTarget(const Expansion &expansion, const Placement &placement,
                                                         std::string_view target);

} // namespace clusterbeat
