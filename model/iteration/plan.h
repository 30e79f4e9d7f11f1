// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"
#include "model/iteration/category.h"
#include "model/layout/schedule.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace clusterbeat {

class JitterTables;

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
    friend bool operator==(const OperationShape &, const OperationShape &) = default;
};

/// Durations of the data-parallel collectives of one chunk on one stage (all replicas take part).
struct ChunkSync {
    TimeNs parameterGather = 0;    ///< all-gather that gates the chunk's first forward; 0 = none
    TimeNs gradientReduce = 0;     ///< reduce-scatter or all-reduce after the chunk's last backward
    // A chunk of several buckets: its first forward starts when the first have come, its reduction when the first are
    // ready. With overlap only; below the durations above, so that the last bucket stays outside.
    TimeNs gatherLead = 0;         ///< the first forward may start this long before the gather's end
    TimeNs reduceLead = 0;         ///< the reduction may start this long before the end of the last backward
    friend bool operator==(const ChunkSync &, const ChunkSync &) = default;
};

/// Durations that slow, loaded or dead links change. A group is a stage of a replica: stage * replicas + replica.
struct LinkDelays {
    struct Shapes {
        std::vector<OperationShape> forward, backward, inputGradient, weightGradient; ///< by chunk
        [[nodiscard]] const std::vector<OperationShape> &of(OperationKind kind) const
        {
            switch (kind) {
            case OperationKind::Forward: return forward;
            case OperationKind::InputGradient: return inputGradient;
            case OperationKind::WeightGradient: return weightGradient;
            case OperationKind::Backward: break;
            }
            return backward;
        }
        friend bool operator==(const Shapes &, const Shapes &) = default;
    };
    /// What a delay comes from.
    struct Cause {
        std::int32_t perturbation = 0;      ///< of ResolvedScenario::perturbations
        std::string link;                   ///< "nic of pod.2/rack.84/server.1/gpu.5"
        std::int32_t stage = -1, replica = -1, member = -1; ///< of the GPU at its end; -1: between switches, or a spare's
        friend bool operator==(const Cause &, const Cause &) = default;
    };
    std::vector<TimeNs> transfer;                       ///< as IterationPlan::transfer; empty = the same
    std::vector<std::vector<ChunkSync>> sync;           ///< [stage][chunk]; empty = as IterationPlan::sync
    std::vector<Shapes> shapes;
    std::vector<std::int32_t> shapesOf;                 ///< by group: index into shapes, kNone = the plan's
    std::vector<Cause> causes;
    std::vector<std::int32_t> transferCause;            ///< as transfer: index into causes, kNone = not longer
    std::vector<std::int32_t> shapesCause;              ///< by group likewise
    std::vector<std::int32_t> syncCause;                ///< by stage
    /// Transfers that got faster because others leave them room, with the link that holds them now.
    struct Gain {
        std::int32_t from = 0, to = 0, replica = 0;   ///< stages
        std::string link;
    };
    std::vector<Gain> gains;

    [[nodiscard]] bool empty() const { return transfer.empty() && sync.empty() && shapes.empty(); }
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
    std::vector<std::int32_t> expertPeers;                  ///< [replica]: those of one number exchange tokens with one another's experts; empty = none do

    // Perturbations; empty = none. "By position" is (stage * replicas + replica) * groupSize + member.
    std::vector<double> slowness;                           ///< by position; 1 = nominal, 1/speed
    struct Jitter {
        double sigma = 0.0;
        std::uint64_t seed = 0;
        std::vector<std::uint8_t> affected;                 ///< by position; empty = every GPU
        JitterDistribution distribution = JitterDistribution::Normal;
        std::shared_ptr<const JitterTables> tables = nullptr;   ///< of these values; null: the same bits, slower
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
    std::shared_ptr<const LinkDelays> links;                ///< null = every link as it should be

    [[nodiscard]] bool perturbed() const
    {
        return !slowness.empty() || !jitter.empty() || !warmUp.empty() || !pauses.empty() || !attention.empty() || !data.empty() ||
               !checkpoint.empty() || links;
    }
    [[nodiscard]] std::size_t position(std::int32_t stage, std::int32_t replica, std::int32_t member) const
    {
        return static_cast<std::size_t>((static_cast<std::int64_t>(stage) * replicas + replica) * groupSize + member);
    }
    [[nodiscard]] std::size_t group(std::int32_t stage, std::int32_t replica) const
    {
        return static_cast<std::size_t>(stage) * static_cast<std::size_t>(replicas) + static_cast<std::size_t>(replica);
    }
    /// As the links are, or with `nominal` as they should be.
    [[nodiscard]] TimeNs transferOf(std::int32_t link, std::int32_t replica, bool nominal = false) const
    {
        const bool delayed = !nominal && links && !links->transfer.empty();
        const std::vector<TimeNs> &times = delayed ? links->transfer : transfer;
        return times.empty() ? 0 : times[group(link, replica)];
    }
    [[nodiscard]] ChunkSync syncOf(std::int32_t stage, std::int32_t chunk, bool nominal = false) const
    {
        const auto &all = !nominal && links && !links->sync.empty() ? links->sync : sync;
        return all.empty() ? ChunkSync{} : all[static_cast<std::size_t>(stage)][static_cast<std::size_t>(chunk)];
    }
    [[nodiscard]] std::int32_t stages() const { return schedule.stages; }
    [[nodiscard]] std::int64_t ranks() const { return static_cast<std::int64_t>(stages()) * replicas * groupSize; }
    [[nodiscard]] const OperationShape &shapeOf(std::int32_t stage, const ScheduledOperation &operation) const
    {
        return shapesOf(operation.kind)[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation.chunk)];
    }
    /// The shapes that slow links give a group, or null.
    [[nodiscard]] const LinkDelays::Shapes *delayedShapes(std::int32_t stage, std::int32_t replica) const
    {
        if (!links || links->shapes.empty()) return nullptr;
        const std::int32_t index = links->shapesOf[group(stage, replica)];
        return index < 0 ? nullptr : &links->shapes[static_cast<std::size_t>(index)];
    }
    /// As the links are; the other one as they should be.
    [[nodiscard]] const OperationShape &shapeOf(std::int32_t stage, std::int32_t replica, const ScheduledOperation &operation) const
    {
        const LinkDelays::Shapes *delayed = delayedShapes(stage, replica);
        return delayed ? delayed->of(operation.kind)[static_cast<std::size_t>(operation.chunk)] : shapeOf(stage, operation);
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
