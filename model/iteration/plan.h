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
    TimeNs attention = 0;   ///< of ns: attention proper, which grows with the documents' lengths; compute only
    friend bool operator==(const Segment &, const Segment &) = default;
};
/// Operation number that stands for the optimizer step.
inline constexpr std::int32_t kOptimizerOperation = -2;

/// What one operation does on an undisturbed GPU: e.g. all-gather, attention, reduce-scatter, all-gather, MLP, …
struct OperationShape {
    std::vector<Segment> segments;

    [[nodiscard]] TimeNs total() const;
    /// The part that a slow GPU lengthens.
    [[nodiscard]] TimeNs scaling() const;
    [[nodiscard]] TimeNs attention() const;
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

    // Perturbations; empty = none. "By position" is (stage * replicas + replica) * groupSize + member.
    std::vector<double> slowness;                           ///< by position; 1 = nominal, 1/speed
    struct Jitter {
        double sigma = 0.0;
        std::uint64_t seed = 0;
        std::vector<std::uint8_t> affected;                 ///< by position; empty = every GPU
        JitterDistribution distribution = JitterDistribution::Normal;
    };
    std::vector<Jitter> jitter;
    /// The first operations of the iteration run slower: those before `operations` in the rank's order, or of
    /// micro-batches before `microBatches`.
    struct WarmUp {
        double slowness = 1.0;
        std::int32_t operations = 0, microBatches = 0;
        std::vector<std::uint8_t> affected;                 ///< by position; empty = every GPU
    };
    std::vector<WarmUp> warmUp;
    struct Pause {
        std::int32_t operation = 0;                         ///< the host pauses before it; kOptimizerOperation: before the optimizer step
        TimeNs ns = 0;
    };
    std::vector<std::vector<Pause>> pauses;                 ///< by position, each operation once, in the rank's order
    std::vector<std::vector<double>> attention;             ///< [replica][micro-batch], factor of attention work; an empty replica is nominal
    struct DataLoading {
        std::int32_t prefetch = 2;                          ///< micro-batches loaded ahead, ready when the iteration begins; 0: loaded when needed
        std::vector<TimeNs> load;                           ///< [micro-batch]; empty = always there
    };
    std::vector<DataLoading> data;                          ///< [replica]
    std::vector<TimeNs> checkpoint;                         ///< by position, stall after the optimizer step

    [[nodiscard]] bool perturbed() const
    {
        return !slowness.empty() || !jitter.empty() || !warmUp.empty() || !pauses.empty() || !attention.empty() || !data.empty() ||
               !checkpoint.empty();
    }
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
