// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/peer_wait.h"

#include "model/base/index.h"
#include "model/iteration/group_timeline.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>
#include <array>
#include <optional>

namespace clusterbeat {
namespace {

constexpr std::size_t kDimensions = 5;
using Sums = std::array<double, kDimensions>;   ///< by Dimension, nanoseconds

std::size_t indexOf(Dimension dimension) { return static_cast<std::size_t>(dimension); }

std::optional<Dimension> dimensionOf(Category category)
{
    switch (category) {
    case Category::ExposedTp: return Dimension::Tensor;
    case Category::ExposedCp: return Dimension::Context;
    case Category::ExposedEp: return Dimension::Expert;
    case Category::ExposedDp: return Dimension::Data;
    case Category::ExposedPp: return Dimension::Pipeline;
    default: return std::nullopt;
    }
}

/// A shape's compute by the collective that its members meet for after it.
struct WorkBefore {
    Sums scaling{}, attention{};
    std::size_t next = 0;     ///< the collective after the operation's end
};

WorkBefore workBefore(const OperationShape &shape, Dimension innermost)
{
    WorkBefore work;
    double scaling = 0.0, attention = 0.0;
    const auto meet = [&](std::size_t dimension) {
        work.scaling[dimension] += scaling;
        work.attention[dimension] += attention;
        scaling = attention = 0.0;
    };
    std::optional<Dimension> first;
    for (const Segment &segment : shape.segments) {
        if (scalesWithSpeed(segment.category)) {
            scaling += static_cast<double>(segment.ns);
            attention += static_cast<double>(segment.attention);
        } else if (const auto dimension = dimensionOf(segment.category)) {
            meet(indexOf(*dimension));
            if (!first) first = dimension;
        }
    }
    work.next = indexOf(first.value_or(innermost));
    meet(work.next);
    return work;
}

/// Of one group, all members together, or one of them.
class GroupWaits {
public:
    GroupWaits(const Run &run, Dimension innermost, std::int32_t stage, std::int32_t replica, std::int32_t member = kNone)
        : m_run(run), m_plan(run.plan), m_innermost(innermost), m_stage(stage), m_replica(replica), m_member(member),
          m_members(member == kNone ? run.plan.groupSize : 1), m_class(run.trace.classOfReplica[at(replica)])
    {
    }

    [[nodiscard]] Sums sums()
    {
        if (m_plan.perturbed() && !uniformGroup(m_plan, m_stage, m_replica)) addMembers();
        addPeers();
        addReductions();
        addTransfers();
        return m_sums;
    }

private:
    void addMembers()
    {
        const auto &order = m_plan.schedule.order[at(m_stage)];
        const bool varies = variesByOperation(m_plan, m_stage, m_replica);
        double slowest = 1.0, mean = 0.0;
        for (std::int32_t member = 0; member < m_plan.groupSize && !varies; ++member)
            if (m_member == kNone || m_member == member) mean += memberFactor(m_plan, m_stage, m_replica, member, 0) / m_members;
        if (!varies) slowest = groupFactor(m_plan, m_stage, m_replica, 0);
        std::vector<std::optional<WorkBefore>> known(4 * at(m_plan.schedule.chunks));   // by kind and chunk
        for (std::size_t k = 0; k < order.size(); ++k) {
            auto &work = known[4 * at(order[k].chunk) + static_cast<std::size_t>(order[k].kind)];
            if (!work) work = workBefore(m_plan.shapeOf(m_stage, m_replica, order[k]), m_innermost);
            double documents = 1.0;
            if (varies) {
                const GroupFactors &factors = m_run.trace.factors[at(m_stage)][at(m_class)];
                slowest = factors.slowest[k];
                const auto operation = static_cast<std::int32_t>(k);
                mean = m_member == kNone ? factors.mean[k] : memberFactor(m_plan, m_stage, m_replica, m_member, operation);
                documents = attentionFactor(m_plan, m_stage, m_replica, operation);
                if (!factors.pause.empty()) m_sums[work->next] += static_cast<double>(factors.pause[k] * m_members - pausesBefore(factors, k));
            }
            const double behind = std::max(0.0, slowest - mean) * m_members;
            for (std::size_t d = 0; d < kDimensions && behind > 0.0; ++d)
                m_sums[d] += behind * (work->scaling[d] + work->attention[d] * (documents - 1.0));
        }
    }

    [[nodiscard]] TimeNs pausesBefore(const GroupFactors &factors, std::size_t k) const
    {
        return m_member == kNone ? factors.pauseSum[k] : memberPause(m_plan, m_plan.position(m_stage, m_replica, m_member), static_cast<std::int32_t>(k));
    }

    void addPeers()
    {
        if (m_run.trace.peerWait.empty()) return;
        TimeNs ns = 0;
        for (std::int32_t k = 0; k < static_cast<std::int32_t>(m_plan.schedule.order[at(m_stage)].size()); ++k)
            ns += m_run.trace.peerWaitOf(m_stage, k, m_class);
        m_sums[indexOf(Dimension::Expert)] += static_cast<double>(ns * m_members);
    }

    void addReductions()
    {
        const Trace &trace = m_run.trace;
        TimeNs free = 0;    // the stream's earlier reductions are done
        for (const std::int32_t chunk : trace.reduceOrder[at(m_stage)]) {
            const ChunkSync sync = m_plan.syncOf(m_stage, chunk);
            const std::int32_t k = m_plan.overlapData ? trace.dependencies->lastBackward[at(m_stage)][at(chunk)]
                                                      : static_cast<std::int32_t>(m_plan.schedule.order[at(m_stage)].size()) - 1;
            const TimeNs ready = trace.finishOf(m_stage, k, m_class) - (m_plan.overlapData ? sync.reduceLead : 0);
            const TimeNs begin = trace.reduceBegin[at(m_stage)][at(chunk)];
            if (sync.gradientReduce > 0) m_sums[indexOf(Dimension::Data)] += static_cast<double>((begin - std::max(ready, free)) * m_members);
            free = trace.reduceEnd[at(m_stage)][at(chunk)];
        }
    }

    void addTransfers()
    {
        const GroupTimeline timeline(m_run, m_stage, m_replica);
        const Dependencies &dependencies = *m_run.trace.dependencies;
        for (std::int32_t k = 0; k < timeline.operations(); ++k) {
            const InputArrival input = lastInput(m_plan, m_run.trace, m_stage, k, m_class);
            if (!input.from.exists() || input.from.stage == m_stage) continue;
            TimeNs sent = input.sent;
            if (!m_plan.overlapPipeline) {
                // The sender's operation ends with the transfer.
                const std::int32_t completes = dependencies.completesWith[at(input.from.stage)][at(input.from.operation)];
                sent -= sendDuration(m_plan, input.from.stage, m_replica, m_plan.schedule.order[at(input.from.stage)][at(completes)]);
            }
            m_sums[indexOf(Dimension::Pipeline)] += static_cast<double>(std::max<TimeNs>(0, sent - timeline.waitBegin(k)) * m_members);
        }
    }

    const Run &m_run;
    const IterationPlan &m_plan;
    Dimension m_innermost;
    std::int32_t m_stage, m_replica;
    std::int32_t m_member, m_members;   ///< kNone: all of the group; how many are summed
    std::int32_t m_class;
    Sums m_sums{};
};

} // namespace

double &PeerWaits::of(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Tensor: return tensor;
    case Dimension::Context: return context;
    case Dimension::Expert: return expert;
    case Dimension::Data: return data;
    case Dimension::Pipeline: break;
    }
    return pipeline;
}

namespace {

Dimension innermostOf(const Degrees &degrees)
{
    return degrees.tensor > 1 ? Dimension::Tensor : degrees.context > 1 ? Dimension::Context : Dimension::Expert;
}

} // namespace

PeerWaits peerWaitsOf(const IterationResult &result) { return peerWaits(result.run, innermostOf(result.scenario->degrees)); }

PeerWaits peerWaitsOfRank(const IterationResult &result, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    const Sums sums = GroupWaits(result.run, innermostOf(result.scenario->degrees), stage, replica, member).sums();
    PeerWaits waits;
    for (std::size_t d = 0; d < kDimensions; ++d)
        waits.of(static_cast<Dimension>(d)) = sums[d] / 1e9;
    return waits;
}

PeerWaits peerWaits(const Run &run, Dimension innermost)
{
    std::vector<std::int64_t> replicasOfClass(at(run.trace.classes), 0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        ++replicasOfClass[at(cls)];
    PeerWaits waits;
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        for (std::int32_t cls = 0; cls < run.trace.classes; ++cls) {
            const Sums sums = GroupWaits(run, innermost, stage, run.trace.representative[at(cls)]).sums();
            for (std::size_t d = 0; d < kDimensions; ++d)
                waits.of(static_cast<Dimension>(d)) += sums[d] * static_cast<double>(replicasOfClass[at(cls)]);
        }
    for (std::size_t d = 0; d < kDimensions; ++d)
        waits.of(static_cast<Dimension>(d)) /= static_cast<double>(run.plan.ranks()) * 1e9;
    return waits;
}

} // namespace clusterbeat
