// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/scenario/catalogue.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clusterbeat {

inline constexpr std::size_t kDimensions = 5; ///< of enum Dimension
inline constexpr std::int32_t kLinkBins = 64;

/// What one or several links carry in one iteration. Utilisation is over the capacity that payload gets.
struct LinkUsage {
    double bytes = 0.0;
    std::array<double, kDimensions> byDimension{}; ///< by Dimension
    double mean = 0.0, peak = 0.0;                 ///< utilisation: over the iteration, and of the fullest bin
    std::vector<double> overTime;                  ///< utilisation by bin
};

/// Links of the cluster after one iteration, each direction a link of its own.
struct LinkReport {
    struct Kind {
        std::string kind;                          ///< "nvlink", "pcie", "nic", "leaf-spine", "spine-core"
        std::int64_t links = 0;                    ///< that have a capacity
        LinkUsage usage;                           ///< of all together; `peak` of the link that is fullest in a bin
        std::string busiest;                       ///< the first link with the most bytes; "" without traffic
        double busiestBytes = 0.0;
        /// Mean utilisation of those at each pod, in the order of the expansion's pods: of the lower end where the ends differ.
        std::vector<double> meanOfPod;
    };
    struct Link {
        std::string name, kind;
        std::int64_t alike = 1;                    ///< links of the kind that carry as much
        LinkUsage usage;
        GpuIndex gpu = kNone;                      ///< its own, or one below it
    };
    std::int32_t bins = 0;
    std::vector<Kind> kinds;                       ///< from the GPU outwards; those that the cluster has
    std::vector<Link> busiest;                     ///< highest mean utilisation first, one of those alike
    std::array<std::string, kDimensions> bottleneck; ///< by Dimension: the link that holds the slowest group's slowest flow; "" unused
};

/// Derived from the trace: the bytes of every collective and transfer, put on the links of its flows and spread over its
/// time. Phases are shared out each by itself, so where two overlap on a link its utilisation may pass 1.
/// Every rank must have a GPU. O(links + flows + operations * classes).
[[nodiscard]] LinkReport linkReport(const IterationResult &result, const CostConstants &constants, std::int32_t bins = kLinkBins);

} // namespace clusterbeat
