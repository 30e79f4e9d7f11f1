// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <string>

namespace clusterbeat {

/// Hierarchical: rings across domains and inside one after the other. Nvls: the NVSwitch reduces; NvlsTree: and trees
/// between domains. InNetwork: the network's switches reduce. Pat: parallel aggregated trees.
enum class CollectiveAlgorithm : std::uint8_t {
    None,
    Ring,
    Tree,
    Hierarchical,
    PointToPoint,
    AllToAll,
    Nvls,
    NvlsTree,
    InNetwork,
    Pat
};
/// NCCL's ways to signal that data has arrived: flags in every 8 (Ll) or 128 bytes (Ll128), or once a chunk (Simple).
enum class CollectiveProtocol : std::uint8_t { None, Simple, Ll128, Ll };

/// What one parallel dimension communicates in one iteration, of the busiest rank. Waiting for the last peer is no part
/// of it: it comes from the schedule (peerWaits() in model/iteration/peer_wait.h).
struct DimensionReport {
    Dimension dimension = Dimension::Tensor;
    double bytesPerGpu = 0.0;                  ///< sent by one GPU and iteration
    double busyS = 0.0;                        ///< on the communication stream: startupS + transferS, exactly
    double startupS = 0.0;                     ///< α: the fixed cost of all its operations' steps
    double transferS = 0.0;                    ///< bytes over bandwidth
    double exposedS = 0.0;                     ///< mean over ranks, from the breakdown
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::None;
    CollectiveProtocol protocol = CollectiveProtocol::None;
    std::string bottleneck;                    ///< kind of the slowest link: "nvlink", "nic", "leaf-spine", "spine-core", "" = none
};

} // namespace clusterbeat
