// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/schedule.h"

#include "model/layout/dependencies.h"

#include <algorithm>

namespace clusterbeat {
namespace {

using Order = std::vector<ScheduledOperation>;

/// Forward order of (chunk, micro-batch): groups of p micro-batches, each group once through every chunk
/// (Narayanan et al. 2021, section 2.2). With one chunk this is 0 … m-1.
Order forwardOrder(std::int32_t stages, std::int32_t chunks, std::int32_t microBatches)
{
    Order order;
    order.reserve(static_cast<std::size_t>(chunks) * static_cast<std::size_t>(microBatches));
    for (std::int32_t first = 0; first < microBatches; first += stages) {
        const std::int32_t last = std::min(first + stages, microBatches);
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

std::int32_t warmupForwards(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t stage)
{
    // 1F1B: p-1-s. Interleaved: 2(p-1-s) + (v-1)p, Megatron-LM's count (Narayanan et al. 2021).
    if (kind == ScheduleKind::OneFOneB || chunks == 1) return stages - 1 - stage;
    return 2 * (stages - 1 - stage) + (chunks - 1) * stages;
}

} // namespace

bool scheduleSupported(ScheduleKind kind)
{
    return kind == ScheduleKind::GPipe || kind == ScheduleKind::OneFOneB || kind == ScheduleKind::Interleaved;
}

PipelineSchedule makeSchedule(ScheduleKind kind, std::int32_t stages, std::int32_t chunks, std::int32_t microBatches)
{
    PipelineSchedule schedule{stages, chunks, microBatches, {}};
    const Order forwards = forwardOrder(stages, chunks, microBatches);
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        const std::size_t warmup = kind == ScheduleKind::GPipe
                                       ? forwards.size()
                                       : static_cast<std::size_t>(warmupForwards(kind, stages, chunks, stage));
        schedule.order.push_back(oneForwardOneBackward(forwards, chunks, warmup));
    }
    // A last group of fewer than p micro-batches can leave the stages waiting for each other; then all forwards go
    // first, which can always be executed.
    if (!dependenciesOf(schedule).executable()) return makeSchedule(ScheduleKind::GPipe, stages, chunks, microBatches);
    return schedule;
}

std::vector<std::int32_t> peakLiveActivations(const PipelineSchedule &schedule)
{
    std::vector<std::int32_t> peaks;
    for (const Order &order : schedule.order) {
        std::int32_t live = 0, peak = 0;
        for (const ScheduledOperation &operation : order) {
            live += operation.kind == OperationKind::Forward ? 1 : -1;
            peak = std::max(peak, live);
        }
        peaks.push_back(peak);
    }
    return peaks;
}

} // namespace clusterbeat
