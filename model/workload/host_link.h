// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"
#include "model/workload/parameters.h"

namespace clusterbeat
{

/// A GPU's way to its host's memory: achieved bytes per second, one way, and its share of the host memory's bandwidth.
struct HostLink {
    double bytesPerS = 0.0;
    double memoryBytesPerS = 0.0;
};
/// By the accelerator's name: PCIe and DDR of the vendor's usual server, or NVLink-C2C and LPDDR of a superchip; the
/// table stands in the code with its sources.
[[nodiscard]] HostLink hostLink(const Accelerator &accelerator);

/// Optimizer step in the host (ZeRO-Offload, Ren et al. 2021) for the `shard` parameters that a rank updates: their
/// gradients to the host; then Adam at the speed of the host's memory, while the updated 16-bit parameters return.
[[nodiscard]] double hostOptimizerSeconds(const ResolvedScenario &scenario, double shard);

/// Does the layer, counted over its stage's chunks, keep its activations in the host between forward and backward?
[[nodiscard]] bool keepsActivationsInHost(const ResolvedScenario &scenario, std::int64_t indexInStage);
/// Copy of one layer's kept activations of one micro-batch, one way.
[[nodiscard]] double activationCopySeconds(const ResolvedScenario &scenario, std::int64_t layer,
                                           std::int64_t indexInStage);

} // namespace clusterbeat
