// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"
#include "model/iteration/speed.h"

#include <utility>

namespace clusterbeat {

[[nodiscard]] constexpr bool isExposedCommunication(Category category)
{
    return category == Category::ExposedTp || category == Category::ExposedCp || category == Category::ExposedEp ||
           category == Category::ExposedPp || category == Category::ExposedDp;
}

/// How long the pieces of one GPU are: its own and its group's slowest factor of compute, the factor of attention work
/// in the micro-batch, the pauses of the host before the operation, and what its experts' peers in other replicas take
/// longer.
struct Pace {
    double own = 1.0, slowest = 1.0, attention = 1.0;
    TimeNs ownPause = 0, longestPause = 0, peers = 0;
};
[[nodiscard]] inline Pace paceOf(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member, std::int32_t operation)
{
    if (!plan.perturbed()) return {};
    return {memberFactor(plan, stage, replica, member, operation), groupFactor(plan, stage, replica, operation),
            attentionFactor(plan, stage, replica, operation), memberPause(plan, plan.position(stage, replica, member), operation),
            groupPause(plan, stage, replica, operation)};
}

/// Calls piece(category, ns, isGroupWait) for what one GPU does during an operation of its group, in order: the
/// pause of its host and the wait for the longest one, its own compute at its own pace, and before every collective and
/// at the end the wait for the slowest member (straggler wait); before the first exchange of tokens with other GPUs'
/// experts, all at once, the wait for those in other replicas. Rounded cumulatively, so that all members' pieces sum to
/// the same duration. O(segments).
template <typename Piece>
void forEachPiece(const OperationShape &shape, const Pace &pace, Piece &&piece)
{
    if (pace.ownPause > 0) piece(Category::Host, pace.ownPause, false);
    if (pace.longestPause > pace.ownPause) piece(Category::StragglerWait, pace.longestPause - pace.ownPause, true);
    TimeNs peers = pace.peers;
    TimeNs attention = 0;   // nominal, so far
    TimeNs nominal = 0, behind = 0;    // compute so far; time that the slowest member has needed more since they last met
    const auto meet = [&] {
        if (behind > 0) piece(Category::StragglerWait, behind, true);
        behind = 0;
    };
    for (const Segment &segment : shape.segments) {
        if (scalesWithSpeed(segment.category)) {
            const TimeNs longer = attentionGrowth(attention + segment.attention, pace.attention) - attentionGrowth(attention, pace.attention);
            const TimeNs work = segment.ns + longer;
            attention += segment.attention;
            const TimeNs slowest = scaled(nominal + work, pace.slowest) - scaled(nominal, pace.slowest);
            const TimeNs own = scaled(nominal + work, pace.own) - scaled(nominal, pace.own);
            nominal += work;
            // Rounding may give a faster member a nanosecond more in one segment; nobody waits a negative time.
            const TimeNs ns = own < slowest ? own : slowest;
            behind += slowest - ns;
            if (ns > 0) piece(segment.category, ns, false);
            continue;
        }
        if (isExposedCommunication(segment.category)) meet();
        if (peers > 0 && segment.category == Category::ExposedEp) piece(Category::StragglerWait, std::exchange(peers, 0), true);
        if (segment.ns > 0) piece(segment.category, segment.ns, false);
    }
    meet();
}

/// The same for the optimizer step and the checkpoint that it ends with: members wait for one another before each.
template <typename Piece>
void forEachOptimizerPiece(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member, Piece &&piece)
{
    const TimeNs nominal = plan.optimizer.empty() ? 0 : plan.optimizer[static_cast<std::size_t>(stage)];
    forEachPiece(OperationShape{{{Category::Optimizer, nominal}}}, paceOf(plan, stage, replica, member, kOptimizerOperation), piece);
    if (plan.checkpoint.empty()) return;
    const TimeNs own = memberCheckpoint(plan, plan.position(stage, replica, member)), longest = groupCheckpoint(plan, stage, replica);
    if (own > 0) piece(Category::CheckpointStall, own, false);
    if (longest > own) piece(Category::StragglerWait, longest - own, true);
}

} // namespace clusterbeat
