// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace clusterbeat {

/// Backward computes both gradients at once; schedules that split it have InputGradient (B) and WeightGradient (W).
enum class OperationKind : std::uint8_t { Forward, Backward, InputGradient, WeightGradient };

struct ScheduledOperation {
    OperationKind kind = OperationKind::Forward;
    std::int32_t chunk = 0;
    std::int32_t microBatch = 0;
    bool joinsNext = false;   ///< runs together with the operation after it: both inputs before, both outputs after the pair
    friend bool operator==(const ScheduledOperation &, const ScheduledOperation &) = default;
};

/// How the model's layers run through (stage, chunk). Loop: chunk after chunk, each over stages 0 … p-1. V: chunk 0
/// down the stages, chunk 1 back up. Bidirectional: two copies of the model, chunk 0 down and chunk 1 up, each with
/// half of the micro-batches. Mapped: as a table says (custom schedules).
enum class PipelineFlow : std::uint8_t { Loop, V, Bidirectional, Mapped };

struct ChunkPlace {
    std::int32_t stage = 0, chunk = 0;
    friend bool operator==(const ChunkPlace &, const ChunkPlace &) = default;
};
/// Where each part of the model runs when no rule says it.
struct StageMap {
    struct Link {
        std::int32_t from = 0, to = 0;    ///< stages, from < to; both directions use it
        friend bool operator==(const Link &, const Link &) = default;
    };
    std::vector<ChunkPlace> places;       ///< in the order of the model
    std::vector<std::int32_t> parts;      ///< [stage * chunks + chunk], the inverse
    std::vector<Link> links;              ///< between stages that are not neighbours; numbered from the number of stages on
};

/// The static order of one iteration's operations on every stage: order[stage][k].
struct PipelineSchedule {
    std::int32_t stages = 1, chunks = 1, microBatches = 1;
    std::vector<std::vector<ScheduledOperation>> order;
    PipelineFlow flow = PipelineFlow::Loop;
    std::shared_ptr<const StageMap> map;      ///< of PipelineFlow::Mapped

    /// Micro-batches that each chunk processes: all, or half of them when bidirectional.
    [[nodiscard]] std::int32_t microBatchesPerChunk() const { return flow == PipelineFlow::Bidirectional ? microBatches / 2 : microBatches; }
};

/// Where the activations go next, and come from; nothing after the last layers and before the first.
[[nodiscard]] std::optional<ChunkPlace> nextInModel(const PipelineSchedule &schedule, ChunkPlace place);
[[nodiscard]] std::optional<ChunkPlace> previousInModel(const PipelineSchedule &schedule, ChunkPlace place);
/// Index of (stage, chunk) in the order of the model's layers, 0 … p·v-1 (both copies alike when bidirectional); not
/// for Mapped, whose table has it.
[[nodiscard]] std::int32_t modelIndex(PipelineFlow flow, std::int32_t stages, ChunkPlace place);
[[nodiscard]] PipelineFlow flowOf(ScheduleKind kind);
/// Whether the backward pass is split into input and weight gradients (at least in part).
[[nodiscard]] bool splitsBackward(ScheduleKind kind);
[[nodiscard]] bool splitsBackwardIn(const PipelineSchedule &schedule);

/// Times of one chunk and micro-batch that searched orders are made for, and their memory limit.
struct ScheduleHints {
    std::int64_t forwardNs = 1, inputGradientNs = 1, weightGradientNs = 1, transferNs = 0;
    double activationLimit = 1.0;   ///< zb-auto: live activations in units of p (1 = as 1F1B: ZB-1p; 2 = ZB-2p)
    std::int32_t microBatchGroup = 0; ///< interleaved: micro-batches that a chunk runs in a row; 0 = p
};

/// The order of a kind. GPipe (Huang et al. 2019), 1F1B (Narayanan et al. 2019), interleaved 1F1B (Narayanan et al. 2021;
/// in groups of p micro-batches, or of any number: Grattafiori et al. 2024, section 3.3.2; the last group may be smaller), ZB-H1, ZB-H2, ZB-V and searched orders
/// (Qi et al. 2023), DualPipe and DualPipeV (DeepSeek-AI 2024). A shape that a kind is not defined for (see
/// fewestMicroBatches) gives the nearest executable order. `Custom` has no order here: layout/custom_schedule.h.
[[nodiscard]] PipelineSchedule makeSchedule(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches,
                                            const ScheduleHints &hints = {});
/// Whether interleaved 1F1B with groups of `group` micro-batches can be run as it is: groups of fewer than p, or a last
/// one of fewer, mostly cannot (Megatron-LM refuses them).
[[nodiscard]] bool groupExecutable(std::int32_t stages, std::int32_t chunks, std::int32_t microBatches, std::int32_t group);
/// Smallest number of micro-batches that the kind is defined for (DualPipe 2p and even, DualPipeV 2p, else 1).
[[nodiscard]] std::int32_t fewestMicroBatches(ScheduleKind kind, std::int32_t stages);
/// Chunks per rank that the kind prescribes (V shapes and DualPipe 2, 1F1B and ZB-H 1), or nothing.
[[nodiscard]] std::optional<std::int32_t> prescribedChunks(ScheduleKind kind);

/// Most chunk activations alive at once on each stage (forward done, the chunk's last gradient not yet), counted along
/// the order.
[[nodiscard]] std::vector<std::int32_t> peakLiveActivations(const PipelineSchedule &schedule);

} // namespace clusterbeat
