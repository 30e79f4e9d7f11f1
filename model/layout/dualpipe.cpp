// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/dualpipe.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

/// Builds one rank's order in the eight phases of DualPipe. `depth` is the rank's distance from the fold (the middle
/// of the pipeline, or the last rank of a V) counted in ranks, `index` its distance from the entrance; both kinds
/// share the phases and differ in these and in the number of micro-batches of a direction.
class PhaseWriter {
public:
    /// near = the chunk that this rank feeds first (0), far = the other one (1); swapped on the second half.
    PhaseWriter(std::int32_t depth, std::int32_t index, std::int32_t perDirection, bool secondHalf)
        : m_depth(depth), m_index(index), m_perDirection(perDirection), m_swap(secondHalf)
    {
    }

    std::vector<ScheduledOperation> write(std::int32_t overlapped)
    {
        for (std::int32_t i = 0; i < 2 * m_depth; ++i)
            forward(0);
        for (std::int32_t i = 0; i < m_index + 1; ++i) {
            forward(0);
            forward(1);
        }
        for (std::int32_t i = 0; i < m_depth; ++i) {
            gradient(1, true);
            weight();
            forward(1);
        }
        for (std::int32_t i = 0; i < overlapped; ++i) {
            // Next to the fold the very first backward needs the forward just before it.
            pair(0, 1, !(i == 0 && m_depth == 0));
            pair(1, 0, true);
        }
        for (std::int32_t i = 0; i < m_depth; ++i) {
            gradient(1, false);
            pair(1, 0, true);
        }
        writeDrain();
        return std::move(m_order);
    }

private:
    /// The last gradients: from the middle of the phase on they are split, so that the others do not wait for weights.
    void writeDrain()
    {
        const std::int32_t count = m_index + 1;
        bool split = false;
        for (std::int32_t i = 0; i < count; ++i) {
            if (i == count / 2 && m_index % 2 == 1) split = true;
            gradient(1, split);
            if (i == count / 2 && m_index % 2 == 0) split = true;
            gradient(0, split);
        }
        for (std::int32_t i = 0; i < m_depth; ++i) {
            weight();
            gradient(0, true);
        }
        for (std::int32_t i = 0; i < count; ++i)
            weight();
    }
    [[nodiscard]] std::int32_t chunkOf(std::int32_t side) const { return m_swap ? 1 - side : side; }
    void forward(std::int32_t side)
    {
        auto &next = m_nextForward[static_cast<std::size_t>(side)];
        if (next < m_perDirection) m_order.push_back({OperationKind::Forward, chunkOf(side), next++});
    }
    void pair(std::int32_t forwardSide, std::int32_t gradientSide, bool joined)
    {
        const std::size_t before = m_order.size();
        forward(forwardSide);
        gradient(gradientSide, false);
        if (m_order.size() == before + 2) m_order[before].joinsNext = joined;
    }
    void gradient(std::int32_t side, bool split)
    {
        auto &next = m_nextGradient[static_cast<std::size_t>(side)];
        if (next >= m_perDirection) return;
        m_order.push_back({split ? OperationKind::InputGradient : OperationKind::Backward, chunkOf(side), next});
        if (split) m_pendingWeights.push_back({OperationKind::WeightGradient, chunkOf(side), next});
        ++next;
    }
    void weight()
    {
        if (m_doneWeights < m_pendingWeights.size()) m_order.push_back(m_pendingWeights[m_doneWeights++]);
    }

    std::int32_t m_depth, m_index, m_perDirection;
    bool m_swap;
    std::array<std::int32_t, 2> m_nextForward{}, m_nextGradient{};
    std::vector<ScheduledOperation> m_order, m_pendingWeights;
    std::size_t m_doneWeights = 0;
};

} // namespace

PipelineSchedule dualPipe(std::int32_t stages, std::int32_t microBatches)
{
    PipelineSchedule schedule{stages, 2, microBatches, {}, PipelineFlow::Bidirectional, nullptr};
    const std::int32_t half = stages / 2, perDirection = microBatches / 2;
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        const std::int32_t index = std::min(stage, stages - 1 - stage), depth = half - 1 - index;
        PhaseWriter writer(depth, index, perDirection, stage >= half);
        schedule.order.push_back(writer.write(perDirection - stages + index + 1));
    }
    return schedule;
}

PipelineSchedule dualPipeV(std::int32_t stages, std::int32_t microBatches)
{
    PipelineSchedule schedule{stages, 2, microBatches, {}, PipelineFlow::V, nullptr};
    for (std::int32_t stage = 0; stage < stages; ++stage) {
        const std::int32_t depth = stages - 1 - stage;
        PhaseWriter writer(depth, stage, microBatches, false);
        schedule.order.push_back(writer.write(microBatches - 2 * stages + stage + 1));
    }
    return schedule;
}

} // namespace clusterbeat
