// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

namespace clusterbeat {

/// What the perturbations of a result make of the links of one domain at a GPU.
struct GpuLinkState {
    bool exist = false;
    double capacity = 1.0;      ///< share of the nominal capacity that is left, of all perturbations together; 0 = dead
    /// Something acts that is not one figure for all of these links: some cables, one end, a latency, a load in GB/s.
    bool other = false;
    bool shared = false;        ///< a perturbation with another target reaches this GPU too
};
/// O(GPUs) for every perturbation of links.
[[nodiscard]] GpuLinkState gpuLinkState(const IterationResult &result, GpuIndex gpu, LinkDomain domain);

} // namespace clusterbeat
