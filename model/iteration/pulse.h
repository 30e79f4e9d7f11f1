// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"

#include <cstdint>
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
/// One per replica class (trace.classOfReplica maps), over the stages and members of a replica.
[[nodiscard]] std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins);

} // namespace clusterbeat
