// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/dependencies.h"

namespace clusterbeat {
namespace {

/// Index of every operation in its stage's order, by (kind, chunk, micro-batch).
class OperationIndex {
public:
    explicit OperationIndex(const PipelineSchedule &schedule)
        : m_chunks(static_cast<std::size_t>(schedule.chunks)), m_microBatches(static_cast<std::size_t>(schedule.microBatches))
    {
        for (const auto &order : schedule.order) {
            std::vector<std::int32_t> index(2 * m_chunks * m_microBatches, kNone);
            for (std::size_t k = 0; k < order.size(); ++k)
                index[slot(order[k].kind, order[k].chunk, order[k].microBatch)] = static_cast<std::int32_t>(k);
            m_index.push_back(std::move(index));
        }
    }
    [[nodiscard]] OperationRef find(std::int32_t stage, OperationKind kind, std::int32_t chunk, std::int32_t microBatch) const
    {
        return {stage, m_index[static_cast<std::size_t>(stage)][slot(kind, chunk, microBatch)]};
    }

private:
    [[nodiscard]] std::size_t slot(OperationKind kind, std::int32_t chunk, std::int32_t microBatch) const
    {
        const std::size_t block = kind == OperationKind::Forward ? 0 : m_chunks;
        return (block + static_cast<std::size_t>(chunk)) * m_microBatches + static_cast<std::size_t>(microBatch);
    }
    std::size_t m_chunks, m_microBatches;
    std::vector<std::vector<std::int32_t>> m_index;
};

OperationRef upstreamOf(const PipelineSchedule &schedule, const OperationIndex &index, std::int32_t stage,
                        const ScheduledOperation &operation)
{
    const std::int32_t last = schedule.stages - 1;
    if (operation.kind == OperationKind::Forward) {
        if (stage > 0) return index.find(stage - 1, OperationKind::Forward, operation.chunk, operation.microBatch);
        if (operation.chunk > 0) return index.find(last, OperationKind::Forward, operation.chunk - 1, operation.microBatch);
        return {};
    }
    if (stage < last) return index.find(stage + 1, OperationKind::Backward, operation.chunk, operation.microBatch);
    if (operation.chunk < schedule.chunks - 1) return index.find(0, OperationKind::Backward, operation.chunk + 1, operation.microBatch);
    return index.find(stage, OperationKind::Forward, operation.chunk, operation.microBatch);
}

/// Advances every stage as far as its next operation's input is ready, stage by stage, until nothing moves.
std::vector<OperationRef> executionOrder(const PipelineSchedule &schedule, const std::vector<std::vector<OperationRef>> &upstream,
                                         std::size_t operations)
{
    std::vector<OperationRef> order;
    order.reserve(operations);
    std::vector<std::int32_t> next(static_cast<std::size_t>(schedule.stages), 0);
    bool moved = true;
    while (moved) {
        moved = false;
        for (std::int32_t stage = 0; stage < schedule.stages; ++stage) {
            auto &k = next[static_cast<std::size_t>(stage)];
            const auto &inputs = upstream[static_cast<std::size_t>(stage)];
            while (static_cast<std::size_t>(k) < inputs.size()) {
                const OperationRef input = inputs[static_cast<std::size_t>(k)];
                if (input.exists() && next[static_cast<std::size_t>(input.stage)] <= input.operation) break;
                order.push_back({stage, k});
                ++k;
                moved = true;
            }
        }
    }
    return order;
}

} // namespace

Dependencies dependenciesOf(const PipelineSchedule &schedule)
{
    Dependencies result;
    const OperationIndex index(schedule);
    const auto chunks = static_cast<std::size_t>(schedule.chunks);
    for (const auto &order : schedule.order)
        result.downstream.emplace_back(order.size());
    for (std::int32_t stage = 0; stage < schedule.stages; ++stage) {
        const auto &order = schedule.order[static_cast<std::size_t>(stage)];
        std::vector<OperationRef> upstream(order.size());
        std::vector<std::int32_t> firstForward(chunks, kNone), lastBackward(chunks, kNone);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const auto operation = static_cast<std::int32_t>(k);
            const auto chunk = static_cast<std::size_t>(order[k].chunk);
            upstream[k] = upstreamOf(schedule, index, stage, order[k]);
            if (upstream[k].exists() && upstream[k].stage != stage)
                result.downstream[static_cast<std::size_t>(upstream[k].stage)][static_cast<std::size_t>(upstream[k].operation)] = {stage, operation};
            if (order[k].kind == OperationKind::Forward && firstForward[chunk] == kNone) firstForward[chunk] = operation;
            if (order[k].kind == OperationKind::Backward) lastBackward[chunk] = operation;
        }
        result.operations += order.size();
        result.upstream.push_back(std::move(upstream));
        result.firstForward.push_back(std::move(firstForward));
        result.lastBackward.push_back(std::move(lastBackward));
    }
    result.order = executionOrder(schedule, result.upstream, result.operations);
    return result;
}

bool sendsOutput(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation)
{
    if (schedule.stages == 1) return false;
    if (operation.kind == OperationKind::Forward) return !(stage == schedule.stages - 1 && operation.chunk == schedule.chunks - 1);
    return !(stage == 0 && operation.chunk == 0);
}

} // namespace clusterbeat
