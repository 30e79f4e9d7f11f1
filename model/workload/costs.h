// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"
#include "model/network/network_model.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"
#include "model/workload/pass_seconds.h"

#include <vector>

namespace clusterbeat {

/// Durations of all operations of one iteration, from the equations of the calibrated cost model (each stands above
/// its code with the source). No schedule, no waiting: the simulator executes those.
struct WorkloadCosts {
    std::vector<std::vector<OperationShape>> forward;  ///< [stage][chunk]
    std::vector<std::vector<OperationShape>> backward; ///< [stage][chunk], recompute included as its own segments
    std::vector<std::vector<OperationShape>> inputGradient,
        weightGradient;                       ///< [stage][chunk], only for schedules that split the backward
    std::vector<std::vector<ChunkSync>> sync; ///< [stage][chunk]
    std::vector<TimeNs> optimizer;            ///< [stage]
    std::vector<TimeNs> hostAtStart;          ///< [stage]
    std::vector<TimeNs> transfer;             ///< [link * data + replica], as in NetworkModel::pipeline
    std::vector<DimensionReport>
        communication; ///< bytes, busy seconds, algorithm, bottleneck; exposed filled in after simulation
    std::vector<PassSeconds> passes; ///< [stage * chunks + chunk]
};

/// Costs of every stage and chunk. `layersPerChunk` may be uneven; the first chunk of stage 0 has the embedding, the
/// last chunk of the last stage the output layer and loss.
[[nodiscard]] WorkloadCosts workloadCosts(const ResolvedScenario &scenario, const CostConstants &constants,
                                          const NetworkModel &network);

/// The same of one stage, as [0]; communication and transfers are left out.
[[nodiscard]] WorkloadCosts stageCosts(const ResolvedScenario &scenario, const CostConstants &constants,
                                       const NetworkModel &network, std::int64_t stage);
/// Only the transfers.
[[nodiscard]] std::vector<TimeNs> transferTimes(const ResolvedScenario &scenario, const CostConstants &constants,
                                                const NetworkModel &network);

/// One of the model's layers (the first), one micro-batch, on one GPU, seconds: for tests against published layer times
/// and golden rows. Without the growth of compute at scale; `recompute` of the backward includes its repeated
/// collectives.
struct LayerSeconds {
    double matmul = 0, attention = 0, elementwise = 0, cast = 0, tensorExposed = 0, recompute = 0, host = 0;
    double contention = 0; ///< compute lost to communication behind it
    double sharding = 0;   ///< exposed FSDP collectives
    double contextExposed = 0, expertExposed = 0;
    [[nodiscard]] double total() const
    {
        return matmul + attention + elementwise + cast + tensorExposed + recompute + host + contention + sharding +
               contextExposed + expertExposed;
    }
};
struct LayerCost {
    LayerSeconds forward, backward;
    double headForward = 0, headBackward = 0; ///< output layer and cross entropy
};
[[nodiscard]] LayerCost layerCost(const ResolvedScenario &scenario, const CostConstants &constants,
                                  const NetworkModel &network, std::int64_t layer = 0);

} // namespace clusterbeat
