// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

namespace clusterbeat {

/// Bytes that a rank sends while it works on one micro-batch.
struct PassBytes {
    double forward = 0.0, backward = 0.0;
};

/// What one rank sends for one chunk of its stage, by the groups that carry it; the volumes of rings (n-1)/n of the
/// buffer for a gather or scatter, twice that for an all-reduce, or the buffer once where a switch adds up. They are those
/// of DimensionReport::bytesPerGpu; beside them the ranks that split an expert gather and scatter its rows, and shard groups
/// add up their gradients.
struct ChunkTraffic {
    PassBytes tensor, context;
    PassBytes expertInside, expertAcross;      ///< inside the domain, and to other domains
    PassBytes expertTensor;
    PassBytes dense, experts;                  ///< ZeRO-3: parameters and gradients over the shard groups; below it reductions behind backward passes
    PassBytes denseReplicas, expertReplicas;   ///< ZeRO-3: gradients over the groups that shard alike
    double gather = 0.0, reduce = 0.0;         ///< of an iteration, over the data groups, below ZeRO-3: what ChunkSync times
    double expertGather = 0.0, expertReduce = 0.0;
};
[[nodiscard]] ChunkTraffic chunkTraffic(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                                        std::int64_t stage, std::int64_t chunk);

} // namespace clusterbeat
