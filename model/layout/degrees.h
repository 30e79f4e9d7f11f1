// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <vector>

namespace clusterbeat {

/// The parallel layout with all defaults filled in.
struct Degrees {
    std::int64_t tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, expertTensor = 1, data = 1;
    bool sequenceParallel = false;
    std::int64_t zeroStage = 1;
    std::int64_t shardGroup = 1;                       ///< ranks that one FSDP shard spans
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::vector<std::int64_t> layersPerChunk;          ///< pipeline*virtualPipeline entries in model order (chunk c of stage s at c*pipeline+s)
    std::array<Dimension, 5> order{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline};
    bool overlapData = false, overlapPipeline = false;

    [[nodiscard]] std::int64_t ranks() const { return tensor * pipeline * context * data; }
    /// GPUs that run one stage of one replica in lock-step (tensor * context).
    [[nodiscard]] std::int64_t groupSize() const { return tensor * context; }
    [[nodiscard]] std::int64_t chunkLayers(std::int64_t stage, std::int64_t chunk) const
    {
        return layersPerChunk[static_cast<std::size_t>(chunk * pipeline + stage)];
    }
};

} // namespace clusterbeat
