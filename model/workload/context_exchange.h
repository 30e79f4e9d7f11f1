// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"
#include "model/workload/layer_cost.h"

namespace clusterbeat
{

/// Keys and values of the whole sequence on one tensor rank, one layer and micro-batch: 2·n·c·(keys + values) bytes.
[[nodiscard]] double contextExchangeBytes(const ResolvedScenario &scenario);

/// One exchange of the forward: an all-gather, or the c − 1 steps of the ring; seconds without any overlap.
[[nodiscard]] CollectiveTime contextExchangeTime(const ResolvedScenario &scenario, const CostConstants &constants,
                                                 const NetworkModel &network);

/// How long the exchange of one layer keeps its wires busy in each pass, and the part of it that no bytes cause; seconds.
struct ContextBusy {
    double forward = 0.0, backward = 0.0, forwardStartup = 0.0, backwardStartup = 0.0;
};
[[nodiscard]] ContextBusy contextBusy(const ResolvedScenario &scenario, const CostConstants &constants,
                                      const NetworkModel &network);

/// What the attention of one layer waits for whatever the compute, and what may run behind it. 0 with one context rank.
struct ContextSeconds {
    double forward = 0.0, backward = 0.0; ///< exposed
    double hiddenForward = 0.0, hiddenBackward = 0.0; ///< behind the attention half, if that is long enough
    bool contends = false; ///< the hidden part slows the compute (else the calibrated share is net of it)
};
[[nodiscard]] ContextSeconds contextSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                            const NetworkModel &network, const LayerBlocks &blocks);

/// Bytes of keys, values and their gradients beyond a rank's own, while one layer's backward runs.
[[nodiscard]] double contextBufferBytes(const ResolvedScenario &scenario);

} // namespace clusterbeat
