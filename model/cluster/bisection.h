// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clusterbeat {

/// What passes between two halves of a container's children at most, in each direction at once.
struct Bisection {
    NodeKind tier = NodeKind::Pod;   ///< of the children
    double gbytesPerS = 0.0;         ///< of the cables, without protocol
    std::int64_t gpus = 0;           ///< of the half with fewer
    std::string cut;                 ///< "pod.0 to pod.2 | pod.3 to pod.5"
    [[nodiscard]] double perGpu() const { return gpus > 0 ? gbytesPerS / static_cast<double>(gpus) : 0.0; }
};

inline constexpr std::int32_t kMostPartsToTry = 8;

/// The narrowest bisection of each tier, per GPU of its smaller half: pods of the site, racks of a pod, and servers where
/// there are no racks. Maximum flow (Boykov & Kolmogorov 2004) between the GPUs of both halves over all cables; GPUs outside
/// do not forward. Up to kMostPartsToTry children are halved in every way; of more the first half goes against the
/// rest. Devices with the same cables to the same neighbours count as one and those between two others as a cable,
/// which changes no smallest cut. A tier without two children anywhere is left out. O(links log links + cuts of what is left).
[[nodiscard]] std::vector<Bisection> bisections(const Expansion &expansion);

} // namespace clusterbeat
