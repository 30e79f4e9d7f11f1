// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <string>

namespace clusterbeat {

enum class CollectiveAlgorithm : std::uint8_t { None, Ring, Tree, Hierarchical, PointToPoint, AllToAll };

/// What one parallel dimension communicates in one iteration, of the busiest rank.
struct DimensionReport {
    Dimension dimension = Dimension::Tensor;
    double bytesPerGpu = 0.0;                  ///< sent by one GPU and iteration
    double busyS = 0.0;                        ///< on the communication stream
    double exposedS = 0.0;                     ///< mean over ranks, from the breakdown
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::None;
    std::string bottleneck;                    ///< kind of the slowest link: "nvlink", "nic", "leaf-spine", "spine-core", "" = none
};

} // namespace clusterbeat
