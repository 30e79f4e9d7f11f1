// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/schedule.h"

#include "model/layout/dependencies.h"
#include "model/layout/dualpipe.h"
#include "model/layout/zero_bubble.h"

#include <algorithm>

namespace clusterbeat {
namespace {

using Order = std::vector<ScheduledOperation>;

/// Forward order of (chunk, micro-batch): groups of micro-batches, each group once through every chunk (Narayanan et al.
/// 2021, section 2.2: groups of p; Grattafiori et al. 2024, section 3.3.2: of any number). With one chunk this is 0 … m-1.
Order forwardOrder(std::int32_t chunks, std::int32_t microBatches, std::int32_t group)
{
    Order order;
    order.reserve(static_cast<std::size_t>(chunks) * static_cast<std::size_t>(microBatches));
    for (std::int32_t first = 0; first < microBatches; first += group) {
        const std::int32_t last = first + std::min(group, microBatches - first);
        for (std::int32_t chunk = 0; chunk < chunks; ++chunk)
            for (std::int32_t microBatch = first; microBatch < last; ++microBatch)
                order.push_back({OperationKind::Forward, chunk, microBatch});
    }
    return order;
}

/// `warmup` forwards, then one forward and one backward in turn, then the remaining backwards. The backwards visit
/// the chunks in the opposite order.
Order oneForwardOneBackward(const Order &forwards, std::int32_t chunks, std::size_t warmup)
{
    Order order;
    order.reserve(2 * forwards.size());
    warmup = std::min(warmup, forwards.size());
    const auto backward = [&](std::size_t k) {
        const ScheduledOperation &f = forwards[k];
        return ScheduledOperation{OperationKind::Backward, chunks - 1 - f.chunk, f.microBatch};
    };
    for (std::size_t k = 0; k < warmup; ++k)
        order.push_back(forwards[k]);
    for (std::size_t k = warmup; k < forwards.size(); ++k) {
        order.push_back(forwards[k]);
        order.push_back(backward(k - warmup));
    }
    for (std::size_t k = forwards.size() - warmup; k < forwards.size(); ++k)
        order.push_back(backward(k));
    return order;
}

std::size_t warmupForwards(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t group, std::int32_t stage)
{
    // 1F1B: p-1-s. Interleaved: 2(p-1-s) + (v-1)N with groups of N, Megatron-LM's count (Narayanan et al. 2021, N = p).
    const auto below = static_cast<std::size_t>(stages - 1 - stage);
    if (kind == ScheduleKind::OneFOneB || chunks == 1) return below;
    return 2 * below + static_cast<std::size_t>(chunks - 1) * static_cast<std::size_t>(group);
}

PipelineSchedule makeUnsplit(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches,
                             std::int32_t givenGroup)
{
    PipelineSchedule schedule{stages, chunks, microBatches, {}, PipelineFlow::Loop, nullptr};
    const std::int32_t group = givenGroup > 0 ? givenGroup : stages;
    const Order forwards = forwardOrder(chunks, microBatches, group);
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        const std::size_t warmup = kind == ScheduleKind::GPipe
                                       ? forwards.size()
                                       : warmupForwards(kind, stages, chunks, group, stage);
        schedule.order.push_back(oneForwardOneBackward(forwards, chunks, warmup));
    }
    return schedule;
}

PipelineSchedule makeUnchecked(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches,
                               const ScheduleHints &hints)
{
    switch (kind) {
    case ScheduleKind::ZbH1: return zeroBubbleHandcrafted(stages, microBatches, 1);
    case ScheduleKind::ZbH2: return zeroBubbleHandcrafted(stages, microBatches, 2);
    case ScheduleKind::ZbV: return zeroBubbleV(stages, microBatches);
    case ScheduleKind::ZbAuto: return searchedSchedule(stages, microBatches, hints);
    case ScheduleKind::DualPipe: return dualPipe(stages, microBatches);
    case ScheduleKind::DualPipeV: return dualPipeV(stages, microBatches);
    case ScheduleKind::GPipe:
    case ScheduleKind::OneFOneB:
    case ScheduleKind::Interleaved:
    case ScheduleKind::Custom: break;
    }
    return makeUnsplit(kind, stages, chunks, microBatches, hints.microBatchGroup);
}

std::optional<ChunkPlace> placeOfPart(const PipelineSchedule &schedule, ChunkPlace place, std::int32_t step)
{
    const StageMap &map = *schedule.map;
    const std::int32_t part = map.parts[static_cast<std::size_t>(place.stage * schedule.chunks + place.chunk)] + step;
    if (part < 0 || part >= static_cast<std::int32_t>(map.places.size())) return std::nullopt;
    return map.places[static_cast<std::size_t>(part)];
}

} // namespace

std::optional<ChunkPlace> nextInModel(const PipelineSchedule &schedule, ChunkPlace place)
{
    if (schedule.map) return placeOfPart(schedule, place, 1);
    const std::int32_t last = schedule.stages - 1;
    const bool up = schedule.flow != PipelineFlow::Loop && place.chunk == 1;
    if (up) return place.stage > 0 ? std::optional(ChunkPlace{place.stage - 1, place.chunk}) : std::nullopt;
    if (place.stage < last) return ChunkPlace{place.stage + 1, place.chunk};
    if (schedule.flow == PipelineFlow::Bidirectional || place.chunk + 1 >= schedule.chunks) return std::nullopt;
    return schedule.flow == PipelineFlow::V ? ChunkPlace{last, 1} : ChunkPlace{0, place.chunk + 1};
}

std::optional<ChunkPlace> previousInModel(const PipelineSchedule &schedule, ChunkPlace place)
{
    if (schedule.map) return placeOfPart(schedule, place, -1);
    const std::int32_t last = schedule.stages - 1;
    const bool up = schedule.flow != PipelineFlow::Loop && place.chunk == 1;
    if (up) {
        if (place.stage < last) return ChunkPlace{place.stage + 1, place.chunk};
        return schedule.flow == PipelineFlow::V ? std::optional(ChunkPlace{last, 0}) : std::nullopt;
    }
    if (place.stage > 0) return ChunkPlace{place.stage - 1, place.chunk};
    if (schedule.flow != PipelineFlow::Loop || place.chunk == 0) return std::nullopt;
    return ChunkPlace{last, place.chunk - 1};
}

std::int32_t modelIndex(PipelineFlow flow, std::int32_t stages, ChunkPlace place)
{
    if (flow == PipelineFlow::Loop || place.chunk == 0) return place.chunk * stages + place.stage;
    return flow == PipelineFlow::V ? 2 * stages - 1 - place.stage : stages - 1 - place.stage;
}

PipelineFlow flowOf(ScheduleKind kind)
{
    if (kind == ScheduleKind::ZbV || kind == ScheduleKind::DualPipeV) return PipelineFlow::V;
    return kind == ScheduleKind::DualPipe ? PipelineFlow::Bidirectional : PipelineFlow::Loop;
}

bool splitsBackward(ScheduleKind kind)
{
    return !(kind == ScheduleKind::GPipe || kind == ScheduleKind::OneFOneB || kind == ScheduleKind::Interleaved);
}

bool splitsBackwardIn(const PipelineSchedule &schedule)
{
    for (const Order &order : schedule.order)
        for (const ScheduledOperation &operation : order)
            if (operation.kind == OperationKind::InputGradient) return true;
    return false;
}

std::int32_t fewestMicroBatches(ScheduleKind kind, std::int32_t stages)
{
    return kind == ScheduleKind::DualPipe || kind == ScheduleKind::DualPipeV ? 2 * stages : 1;
}

std::optional<std::int32_t> prescribedChunks(ScheduleKind kind)
{
    switch (kind) {
    case ScheduleKind::ZbV:
    case ScheduleKind::DualPipe:
    case ScheduleKind::DualPipeV: return 2;
    case ScheduleKind::OneFOneB:
    case ScheduleKind::ZbH1:
    case ScheduleKind::ZbH2:
    case ScheduleKind::ZbAuto: return 1;
    case ScheduleKind::GPipe:
    case ScheduleKind::Interleaved:
    case ScheduleKind::Custom: return std::nullopt;
    }
    return std::nullopt;
}

PipelineSchedule makeSchedule(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches,
                              const ScheduleHints &hints)
{
    PipelineSchedule schedule = makeUnchecked(kind, stages, chunks, microBatches, hints);
    // A last group of fewer than p micro-batches can leave the stages waiting for each other; then all forwards go
    // first, which can always be executed.
    if (!dependenciesOf(schedule).executable()) return makeUnsplit(ScheduleKind::GPipe, stages, chunks, microBatches, 0);
    return schedule;
}

bool groupExecutable(std::int32_t stages, std::int32_t chunks, std::int32_t microBatches, std::int32_t group)
{
    return dependenciesOf(makeUnsplit(ScheduleKind::Interleaved, stages, chunks, microBatches, group)).executable();
}

std::vector<std::int32_t> peakLiveActivations(const PipelineSchedule &schedule)
{
    std::vector<std::int32_t> peaks;
    for (const Order &order : schedule.order) {
        std::int32_t live = 0, peak = 0;
        for (const ScheduledOperation &operation : order) {
            if (operation.kind == OperationKind::Forward) ++live;
            else if (operation.kind != OperationKind::InputGradient) --live;
            peak = std::max(peak, live);
        }
        peaks.push_back(peak);
    }
    return peaks;
}

} // namespace clusterbeat
