// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/group_timeline.h"

#include "model/base/index.h"

#include <algorithm>

namespace clusterbeat {
namespace {

void append(std::vector<Wait> &out, Category category, TimeNs ns, EventKind endedBy)
{
    if (ns <= 0) return;
    if (!out.empty() && out.back().category == category) {
        out.back().ns += ns;
        out.back().endedBy = endedBy;
    } else {
        out.push_back({category, ns, endedBy});
    }
}

} // namespace

GroupTimeline::GroupTimeline(const Run &run, std::int32_t stage, std::int32_t replica)
    : m_run(&run), m_stage(stage), m_class(run.trace.classOfReplica[at(replica)]),
      m_twinClass(run.unperturbed().classOfReplica[at(replica)]),
      m_operations(static_cast<std::int32_t>(run.plan.schedule.order[at(stage)].size()))
{
}

TimeNs GroupTimeline::hostAtStart() const { return m_run->plan.hostAtStart.empty() ? 0 : m_run->plan.hostAtStart[at(m_stage)]; }

TimeNs GroupTimeline::start(const Trace &trace, std::int32_t cls, std::int32_t slot) const
{
    if (slot < m_operations) return startOfOperation(m_run->plan, trace, m_stage, slot, cls);
    return slot == m_operations ? trace.optimizerBegin[at(m_stage)] : trace.originOf(m_stage, cls) + trace.iteration;
}

TimeNs GroupTimeline::end(const Trace &trace, std::int32_t cls, std::int32_t slot) const
{
    if (slot < m_operations) return trace.finishOf(m_stage, slot, cls);
    return slot == m_operations ? trace.optimizerEnd[at(m_stage)][at(cls)] : trace.originOf(m_stage, cls) + trace.iteration;
}

TimeNs GroupTimeline::waitBegin(const Trace &trace, std::int32_t cls, std::int32_t slot) const
{
    return slot == 0 ? trace.originOf(m_stage, cls) + hostAtStart() : end(trace, cls, slot - 1);
}

std::int32_t GroupTimeline::slotAt(TimeNs t) const
{
    std::int32_t low = 0, high = m_operations + 1;
    while (low < high) {
        const std::int32_t middle = low + (high - low) / 2;
        if (end(middle) > t) high = middle;
        else low = middle + 1;
    }
    return low;
}

void GroupTimeline::composeInput(const Trace &trace, std::int32_t cls, std::int32_t slot, TimeNs gap, std::vector<Wait> &out) const
{
    const IterationPlan &plan = m_run->plan;
    const InputArrival input = lastInput(plan, trace, m_stage, slot, cls);
    if (waitBegin(trace, cls, slot) + gap > input.arrived) {
        // The parameters came last; their stream has been busy since the iteration began.
        append(out, Category::ExposedDp, gap, EventKind::GatherEnd);
        return;
    }
    const TimeNs exposed = std::min(gap, input.arrived - input.sent);
    append(out, Category::Bubble, gap - exposed, EventKind::OperationEnd);
    append(out, Category::ExposedPp, exposed, EventKind::Arrival);
}

void GroupTimeline::composeBarrier(const Trace &trace, TimeNs from, std::vector<Wait> &out) const
{
    TimeNs t = from;
    for (const std::int32_t chunk : trace.reduceOrder[at(m_stage)]) {
        const TimeNs begin = trace.reduceBegin[at(m_stage)][at(chunk)], end = trace.reduceEnd[at(m_stage)][at(chunk)];
        if (end <= t) continue;
        append(out, Category::Bubble, begin - t, EventKind::OperationEnd);
        t = std::max(t, begin);
        append(out, Category::ExposedDp, end - t, EventKind::ReduceEnd);
        t = end;
    }
    append(out, Category::Bubble, trace.optimizerBegin[at(m_stage)] - t, EventKind::Barrier);
}

void GroupTimeline::compose(const Trace &trace, std::int32_t cls, std::int32_t slot, std::vector<Wait> &out) const
{
    const TimeNs begin = waitBegin(trace, cls, slot);
    const TimeNs gap = start(trace, cls, slot) - begin - dataWait(trace, cls, slot);
    if (gap <= 0) return;
    if (slot < m_operations) composeInput(trace, cls, slot, gap, out);
    else if (slot == m_operations) composeBarrier(trace, begin, out);
    else append(out, Category::Bubble, gap, EventKind::IterationEnd);
}

void GroupTimeline::waitBefore(std::int32_t slot, std::vector<Wait> &out) const
{
    const TimeNs data = dataWait(slot), gap = start(slot) - waitBegin(slot) - data;
    const TimeNs twinGap = m_run->perturbed() ? twinWaitBefore(slot, out) : gap;
    if (gap <= twinGap) {
        ownWaitBefore(slot, out);
    } else {
        const Wait own = ownGrowth(slot, gap - twinGap);
        append(out, Category::StragglerWait, gap - twinGap - own.ns, slot == endSlot() ? EventKind::IterationEnd
                                                                     : slot == optimizerSlot() ? EventKind::Barrier : EventKind::OperationEnd);
        append(out, own.category, own.ns, own.endedBy);
    }
    append(out, Category::DataWait, data, EventKind::DataReady);
}

Wait GroupTimeline::ownGrowth(std::int32_t slot, TimeNs longer) const
{
    const IterationPlan &plan = m_run->plan;
    if (!plan.links || slot > optimizerSlot()) return {};
    const Trace &trace = m_run->trace;
    Wait own;
    if (slot == optimizerSlot()) {
        own = {Category::ExposedDp, 0, EventKind::ReduceEnd};
        if (trace.reduceEnd[at(m_stage)][at(trace.reduceOrder[at(m_stage)].back())] < start(slot)) return {};
        for (std::int32_t chunk = 0; chunk < plan.schedule.chunks; ++chunk)
            own.ns += plan.syncOf(m_stage, chunk).gradientReduce - plan.syncOf(m_stage, chunk, true).gradientReduce;
    } else if (const InputArrival input = lastInput(plan, trace, m_stage, slot, m_class); start(slot) - dataWait(slot) > input.arrived) {
        const auto chunk = at(plan.schedule.order[at(m_stage)][at(slot)].chunk);
        own = {Category::ExposedDp, trace.gatherEnd[at(m_stage)][chunk] - m_run->unperturbed().gatherEnd[at(m_stage)][chunk], EventKind::GatherEnd};
    } else if (input.arrived > input.sent) {
        const std::int32_t link = trace.dependencies->link[at(input.from.stage)][at(input.from.operation)], replica = trace.representative[at(m_class)];
        own = {Category::ExposedPp, plan.transferOf(link, replica) - plan.transferOf(link, replica, true), EventKind::Arrival};
    }
    own.ns = std::clamp<TimeNs>(own.ns, 0, longer);
    return own;
}

void GroupTimeline::ownWaitBefore(std::int32_t slot, std::vector<Wait> &out) const
{
    out.clear();
    compose(m_run->trace, m_class, slot, out);
}

TimeNs GroupTimeline::twinWaitBefore(std::int32_t slot, std::vector<Wait> &out) const
{
    out.clear();
    const Trace &twin = m_run->unperturbed();
    compose(twin, m_twinClass, slot, out);
    return start(twin, m_twinClass, slot) - waitBegin(twin, m_twinClass, slot);
}

TimeNs GroupTimeline::excess(std::int32_t slot) const
{
    const Trace &twin = m_run->unperturbed();
    return (end(slot) - start(slot)) - peerWait(slot) - (end(twin, m_twinClass, slot) - start(twin, m_twinClass, slot));
}

TimeNs GroupTimeline::lateness(std::int32_t slot) const
{
    return start(slot) - start(m_run->unperturbed(), m_twinClass, slot);
}

} // namespace clusterbeat
