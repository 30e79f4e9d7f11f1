// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"
#include "model/network/network_model.h"

#include <vector>

namespace clusterbeat {

/// Bytes that one GPU sends at a stage boundary for one micro-batch: 2·n·h/t.
[[nodiscard]] double boundaryBytes(const ResolvedScenario &scenario);

/// What follows such a transfer over NVLink when sequence parallelism does not split the activations already: the
/// gather of the tensor ranks' shares (Narayanan et al. 2021, section 4.1).
struct TransferGather {
    double seconds = 0.0, startupS = 0.0;
};
[[nodiscard]] TransferGather transferGather(const ResolvedScenario &scenario, const CostConstants &constants,
                                            const NetworkModel &network);

/// What the boundary behind `stage` carries in units of that, mean over its chunks: behind a prediction module's own
/// stage its output travels to the output layer beside the model's.
[[nodiscard]] double boundaryLoad(const ResolvedScenario &scenario, std::int64_t stage);

/// Tensor, data and pipeline, and where used context and expert: bytes that the busiest GPU sends in one iteration and
/// the seconds that its communication streams are busy, of these the start-up and the transfer, waiting for peers not
/// counted. `transfer` as in WorkloadCosts.
/// Degrees of 1 report zeros.
[[nodiscard]] std::vector<DimensionReport> communicationReports(const ResolvedScenario &scenario,
                                                                const CostConstants &constants,
                                                                const NetworkModel &network,
                                                                const std::vector<TimeNs> &transfer);

} // namespace clusterbeat
