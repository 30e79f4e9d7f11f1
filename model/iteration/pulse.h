// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"

#include <array>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace clusterbeat {

/// Shares of GPUs per category over equal time bins; no pixels, no colours. share[bin * kCategoryCount + category],
/// each bin sums to 1.
struct ShareBins {
    std::int32_t bins = 0;
    TimeNs duration = 0;
    std::vector<float> share;
    [[nodiscard]] float at(std::int32_t bin, Category category) const
    {
        return share[static_cast<std::size_t>(bin) * kCategoryCount + categoryIndex(category)];
    }
};
inline constexpr std::int32_t kPulseBins = 1024;
inline constexpr std::int32_t kReplicaBins = 512;

/// Over all ranks.
[[nodiscard]] ShareBins pulseBins(const Run &run, std::int32_t bins);
/// One per replica class, over the stages and members of a replica.
[[nodiscard]] std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins);
struct BinnedRun {
    ShareBins pulse;                   ///< over all ranks
    std::vector<ShareBins> replicas;   ///< one per replica class (trace.classOfReplica maps), over a replica's stages and members
    std::array<double, kCategoryCount> breakdownS{};   ///< meanBreakdown(), from the same pass
};
/// `pulse` bins, and for the replicas one bin for every `perReplicaBin` of them. O(operations * classes).
[[nodiscard]] BinnedRun binRun(const Run &run, std::int32_t pulse, std::int32_t perReplicaBin, const std::stop_token &stop = {});

} // namespace clusterbeat
