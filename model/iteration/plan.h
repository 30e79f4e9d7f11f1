// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"
#include "model/iteration/category.h"
#include "model/layout/schedule.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// A piece of an operation on the compute stream, in order.
struct Segment {
    Category category = Category::Forward;
    TimeNs ns = 0;
    friend bool operator==(const Segment &, const Segment &) = default;
};
/// What one operation does on an undisturbed GPU: e.g. all-gather, attention, reduce-scatter, all-gather, MLP, …
struct OperationShape {
    std::vector<Segment> segments;

    [[nodiscard]] TimeNs total() const;
    /// The part that a slow GPU lengthens.
    [[nodiscard]] TimeNs scaling() const;
};

/// Durations of the data-parallel collectives of one chunk on one stage (all replicas take part).
struct ChunkSync {
    TimeNs parameterGather = 0;    ///< all-gather that gates the chunk's first forward; 0 = none
    TimeNs gradientReduce = 0;     ///< reduce-scatter or all-reduce after the chunk's last backward
    // A chunk of several buckets: its first forward starts when the first have come, its reduction when the first are
    // ready. With overlap only; below the durations above, so that the last bucket stays outside.
    TimeNs gatherLead = 0;         ///< the first forward may start this long before the gather's end
    TimeNs reduceLead = 0;         ///< the reduction may start this long before the end of the last backward
};

/// Everything the simulator needs, durations fixed: it knows neither transformers nor networks. A plan made by hand
/// is how the simulator is tested. Dependencies follow from the schedule: the forward of (chunk c, stage s) needs the
/// forward of the previous position in the model (c, s-1), or (c-1, p-1) for s = 0; the backward the next one, and
/// its own forward.
struct IterationPlan {
    PipelineSchedule schedule;
    std::int32_t replicas = 1;
    std::int32_t groupSize = 1;                             ///< GPUs that run one stage of one replica in lock-step
    std::vector<std::vector<OperationShape>> forward;       ///< [stage][chunk]
    std::vector<std::vector<OperationShape>> backward;      ///< [stage][chunk]
    std::vector<std::vector<OperationShape>> inputGradient; ///< [stage][chunk], for schedules that split the backward
    std::vector<std::vector<OperationShape>> weightGradient;///< [stage][chunk]
    std::vector<std::vector<ChunkSync>> sync;               ///< [stage][chunk]
    std::vector<TimeNs> optimizer;                          ///< [stage], compute of the optimizer step
    std::vector<TimeNs> hostAtStart;                        ///< [stage], fixed host time before the first operation
    std::vector<TimeNs> transfer;                           ///< [link * replicas + replica]: activations from stage `link` to the next (p-1 -> 0 for interleaving), then over StageMap::links
    bool overlapData = true;                                ///< gather and reduce behind compute; else the reduce starts after the last backward
    bool optimizerSync = true;                              ///< a barrier before the optimizer (gradient norm); else post-validation (Qi et al. 2023): every rank's window starts with its own first operation
    std::size_t threads = 0;                                ///< most threads of a pass over the plan, 0 = as many as the processor has; no result depends on it
    bool overlapPipeline = true;                            ///< else the sender's compute stream is busy for the transfer

    // perturbations of speed; empty = none
    std::vector<double> slowness;                           ///< by position (stage * replicas + replica) * groupSize + member; 1 = nominal, 1/speed
    struct Jitter {
        double sigma = 0.0;
        std::uint64_t seed = 0;
        std::vector<std::uint8_t> affected;                 ///< by position; empty = every GPU
    };
    std::vector<Jitter> jitter;

    [[nodiscard]] bool perturbed() const { return !slowness.empty() || !jitter.empty(); }
    [[nodiscard]] std::size_t position(std::int32_t stage, std::int32_t replica, std::int32_t member) const
    {
        return static_cast<std::size_t>((static_cast<std::int64_t>(stage) * replicas + replica) * groupSize + member);
    }
    [[nodiscard]] TimeNs transferOf(std::int32_t link, std::int32_t replica) const
    {
        return transfer.empty() ? 0 : transfer[static_cast<std::size_t>(link) * static_cast<std::size_t>(replicas) + static_cast<std::size_t>(replica)];
    }
    [[nodiscard]] std::int32_t stages() const { return schedule.stages; }
    [[nodiscard]] std::int64_t ranks() const { return static_cast<std::int64_t>(stages()) * replicas * groupSize; }
    [[nodiscard]] const OperationShape &shapeOf(std::int32_t stage, const ScheduledOperation &operation) const
    {
        return shapesOf(operation.kind)[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation.chunk)];
    }
    [[nodiscard]] const std::vector<std::vector<OperationShape>> &shapesOf(OperationKind kind) const
    {
        switch (kind) {
        case OperationKind::Forward: return forward;
        case OperationKind::InputGradient: return inputGradient;
        case OperationKind::WeightGradient: return weightGradient;
        case OperationKind::Backward: break;
        }
        return backward;
    }
};

} // namespace clusterbeat
