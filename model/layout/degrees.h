// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/layout/schedule.h"
#include "model/scenario/scenario.h"

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace clusterbeat {

/// The parallel layout with all defaults filled in.
struct Degrees {
    std::int64_t tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, expertTensor = 1, data = 1;
    bool sequenceParallel = false;
    std::int64_t zeroStage = 1;
    std::int64_t shardGroup = 1;                       ///< ranks that one FSDP shard spans
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    std::vector<std::int64_t> layersPerChunk;          ///< modelChunks() entries in model order; chunkIndex() says which is whose
    std::array<Dimension, 5> order{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline};
    bool overlapData = false, overlapPipeline = false;
    ContextExchange contextExchange = ContextExchange::AllGather;
    std::int64_t mtpChunk = -1;                        ///< chunk, in model order, of the prediction modules; -1 = the last
    double activationLimit = 1.0;                      ///< zb-auto: live activations in units of p
    std::int64_t microBatchGroup = 0;                  ///< interleaved: micro-batches that a chunk runs in a row; 0 = p
    std::shared_ptr<const PipelineSchedule> custom;    ///< the file's own order, when schedule is Custom

    [[nodiscard]] std::int64_t ranks() const { return tensor * pipeline * context * data; }
    /// GPUs that run one stage of one replica in lock-step (tensor * context).
    [[nodiscard]] std::int64_t groupSize() const { return tensor * context; }
    [[nodiscard]] PipelineFlow flow() const { return custom ? custom->flow : flowOf(schedule); }
    [[nodiscard]] bool splitsBackward() const { return custom ? splitsBackwardIn(*custom) : clusterbeat::splitsBackward(schedule); }
    /// Chunks that the model is cut into: pipeline * virtualPipeline, or pipeline when each stage holds two copies.
    [[nodiscard]] std::int64_t modelChunks() const
    {
        return pipeline * (flow() == PipelineFlow::Bidirectional ? 1 : virtualPipeline);
    }
    /// Place of a rank's chunk in the model's order: c·p + s, or as the schedule's V, two directions or table say.
    [[nodiscard]] std::int64_t chunkIndex(std::int64_t stage, std::int64_t chunk) const
    {
        if (custom && custom->map) return custom->map->parts[static_cast<std::size_t>(stage * virtualPipeline + chunk)];
        return modelIndex(flow(), static_cast<std::int32_t>(pipeline),
                          {static_cast<std::int32_t>(stage), static_cast<std::int32_t>(chunk)});
    }
    [[nodiscard]] std::int64_t chunkLayers(std::int64_t stage, std::int64_t chunk) const
    {
        return layersPerChunk[static_cast<std::size_t>(chunkIndex(stage, chunk))];
    }
};

} // namespace clusterbeat
