// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/dependencies.h"

#include <algorithm>
#include <tuple>

namespace clusterbeat {
namespace {

/// Index in its stage's order of every forward and of every operation that makes the input gradient, by (chunk, micro-batch).
class OperationIndex {
public:
    explicit OperationIndex(const PipelineSchedule &schedule)
        : m_chunks(static_cast<std::size_t>(schedule.chunks)), m_microBatches(static_cast<std::size_t>(schedule.microBatches))
    {
        for (const auto &order : schedule.order) {
            std::vector<std::int32_t> index(2 * m_chunks * m_microBatches, kNone);
            for (std::size_t k = 0; k < order.size(); ++k)
                if (order[k].kind != OperationKind::WeightGradient)
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
    const ChunkPlace place{stage, operation.chunk};
    switch (operation.kind) {
    case OperationKind::Forward:
        if (const auto from = previousInModel(schedule, place)) return index.find(from->stage, OperationKind::Forward, from->chunk, operation.microBatch);
        return {};
    case OperationKind::Backward:
    case OperationKind::InputGradient:
        if (const auto from = nextInModel(schedule, place)) return index.find(from->stage, OperationKind::Backward, from->chunk, operation.microBatch);
        return index.find(stage, OperationKind::Forward, operation.chunk, operation.microBatch);
    case OperationKind::WeightGradient: return index.find(stage, OperationKind::InputGradient, operation.chunk, operation.microBatch);
    }
    return {};
}

/// Advances every stage as far as its next operation's input is ready, stage by stage, until nothing moves.
std::vector<OperationRef> executionOrder(const PipelineSchedule &schedule, const Dependencies &dependencies)
{
    std::vector<OperationRef> order;
    order.reserve(dependencies.operations);
    std::vector<std::int32_t> next(static_cast<std::size_t>(schedule.stages), 0);
    bool moved = true;
    while (moved) {
        moved = false;
        for (std::int32_t stage = 0; stage < schedule.stages; ++stage) {
            auto &k = next[static_cast<std::size_t>(stage)];
            const auto missing = [&](const OperationRef &input) {
                if (!input.exists()) return false;
                const auto from = static_cast<std::size_t>(input.stage);
                return next[from] <= dependencies.completesWith[from][static_cast<std::size_t>(input.operation)];
            };
            const auto &inputs = dependencies.upstream[static_cast<std::size_t>(stage)];
            const auto &partners = dependencies.partnerUpstream[static_cast<std::size_t>(stage)];
            while (static_cast<std::size_t>(k) < inputs.size()) {
                if (missing(inputs[static_cast<std::size_t>(k)]) || missing(partners[static_cast<std::size_t>(k)])) break;
                order.push_back({stage, k});
                ++k;
                moved = true;
            }
        }
    }
    return order;
}

bool before(const StageMap::Link &a, const StageMap::Link &b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); }

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
        std::vector<OperationRef> upstream(order.size()), partner(order.size());
        std::vector<std::int32_t> completesWith(order.size()), link(order.size());
        std::vector<std::int32_t> firstForward(chunks, kNone), lastBackward(chunks, kNone);
        for (std::size_t k = 0; k < order.size(); ++k) {
            const auto operation = static_cast<std::int32_t>(k);
            const auto chunk = static_cast<std::size_t>(order[k].chunk);
            upstream[k] = upstreamOf(schedule, index, stage, order[k]);
            link[k] = linkOf(schedule, stage, order[k]);
            const bool joined = order[k].joinsNext && k + 1 < order.size();
            completesWith[k] = joined ? operation + 1 : operation;
            if (joined) partner[k] = upstreamOf(schedule, index, stage, order[k + 1]);
            if (upstream[k].exists() && upstream[k].stage != stage)
                result.downstream[static_cast<std::size_t>(upstream[k].stage)][static_cast<std::size_t>(upstream[k].operation)] = {stage, operation};
            if (order[k].kind == OperationKind::Forward && firstForward[chunk] == kNone) firstForward[chunk] = operation;
            if (order[k].kind == OperationKind::Backward || order[k].kind == OperationKind::WeightGradient) lastBackward[chunk] = operation;
        }
        result.operations += order.size();
        result.upstream.push_back(std::move(upstream));
        result.partnerUpstream.push_back(std::move(partner));
        result.completesWith.push_back(std::move(completesWith));
        result.link.push_back(std::move(link));
        result.firstForward.push_back(std::move(firstForward));
        result.lastBackward.push_back(std::move(lastBackward));
    }
    result.order = executionOrder(schedule, result);
    return result;
}

std::int32_t destinationOf(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation)
{
    if (operation.kind == OperationKind::WeightGradient) return kNone;
    const ChunkPlace place{stage, operation.chunk};
    const auto to = operation.kind == OperationKind::Forward ? nextInModel(schedule, place) : previousInModel(schedule, place);
    return to && to->stage != stage ? to->stage : kNone;
}

std::int32_t linkOf(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation)
{
    const std::int32_t to = destinationOf(schedule, stage, operation);
    if (to == kNone) return kNone;
    if (to == (stage + 1) % schedule.stages) return stage;
    if (!schedule.map || stage == (to + 1) % schedule.stages) return to;
    const StageMap::Link link{std::min(stage, to), std::max(stage, to)};
    const auto &links = schedule.map->links;
    return schedule.stages + static_cast<std::int32_t>(std::lower_bound(links.begin(), links.end(), link, before) - links.begin());
}

bool sendsOutput(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation)
{
    return destinationOf(schedule, stage, operation) != kNone;
}

} // namespace clusterbeat
