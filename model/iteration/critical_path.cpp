// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/critical_path.h"

#include "model/base/index.h"
#include "model/iteration/group_timeline.h"
#include "model/iteration/speed.h"

#include <algorithm>

namespace clusterbeat {
namespace {

template <typename Value>
std::int32_t longestMember(const IterationPlan &plan, PathGroup group, Value &&value)
{
    const auto of = [&](std::int32_t member) { return value(plan.position(group.stage, group.replica, member)); };
    std::int32_t longest = 0;
    for (std::int32_t member = 1; member < plan.groupSize; ++member)
        if (of(member) > of(longest)) longest = member;
    return longest;
}

} // namespace

std::int32_t longestPausing(const IterationPlan &plan, PathGroup group, std::int32_t operation)
{
    return longestMember(plan, group,
                         [&](std::size_t position) { return memberPause(plan, position, operation); });
}

std::int32_t longestWriting(const IterationPlan &plan, PathGroup group)
{
    return longestMember(plan, group, [&](std::size_t position) { return memberCheckpoint(plan, position); });
}

CauseRoot paceCause(const IterationPlan &plan, PathGroup group, std::int32_t operation)
{
    const std::int32_t member = slowestMember(plan, group.stage, group.replica, operation);
    const double slowness =
        plan.slowness.empty() ? 1.0 : plan.slowness[plan.position(group.stage, group.replica, member)];
    const bool warms = !jitterAffects(plan, group.stage, group.replica) && !plan.warmUp.empty();
    const WhyKind unnamed = warms ? WhyKind::WarmUp : WhyKind::Jitter;
    return {slowness > 1.0 ? WhyKind::SlowGpu : unnamed, member, 1.0 / slowness};
}

CauseRoot causeOf(const Run &run, const std::vector<PathOperation> &path, PathGroup group, std::int32_t operation)
{
    const IterationPlan &plan = run.plan;
    const auto &order = plan.schedule.order[at(group.stage)];
    const GroupTimeline timeline(run, group.stage, group.replica);
    TimeNs pause = 0, longestPause = -1, documents = 0, data = 0, checkpoint = 0, all = 0;
    std::int32_t pausedAt = operation;
    for (const PathOperation &node : path) {
        if (node.group != group || node.link != kNone) continue;
        const bool inSchedule = at(node.slot) < order.size();
        const std::int32_t k = inSchedule ? node.slot : kOptimizerOperation;
        const TimeNs here = groupPause(plan, group.stage, group.replica, k);
        if (here > longestPause) pausedAt = k;
        longestPause = std::max(longestPause, here);
        pause += here;
        all += node.excess;
        if (!inSchedule) {
            checkpoint += groupCheckpoint(plan, group.stage, group.replica);
            continue;
        }
        data += timeline.dataWait(k);
        const TimeNs attention = plan.shapeOf(group.stage, group.replica, order[at(k)]).attention();
        documents += attentionGrowth(attention, attentionFactor(plan, group.stage, group.replica, k));
    }
    const TimeNs pace = all - pause - documents - data - checkpoint;
    const TimeNs most = std::max({pace, pause, documents, data, checkpoint});
    if (most == pace) return paceCause(plan, group, operation);
    if (most == pause) return {WhyKind::HostPause, longestPausing(plan, group, pausedAt), 1.0};
    if (most == checkpoint) return {WhyKind::Checkpoint, longestWriting(plan, group), 1.0};
    return {most == data ? WhyKind::DataLoading : WhyKind::Documents, 0, 1.0};
}

} // namespace clusterbeat
