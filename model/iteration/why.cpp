// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/why.h"

#include "model/base/index.h"
#include "model/iteration/critical_path.h"
#include "model/iteration/group_timeline.h"
#include "model/iteration/operation_pieces.h"
#include "model/iteration/speed.h"

#include <algorithm>
#include <map>
#include <utility>

namespace clusterbeat {
namespace {

using Group = PathGroup;

class CriticalPath {
public:
    explicit CriticalPath(const Run &run) : m_run(run), m_trace(run.trace) {}

    [[nodiscard]] std::vector<WhyStep> fromEnd()
    {
        // The optimizer that ends last; the slower of two by stage, then replica.
        Group last;
        TimeNs latest = -1;
        for (std::int32_t stage = 0; stage < m_trace.stages; ++stage) {
            for (std::int32_t cls = 0; cls < m_trace.classes; ++cls) {
                const TimeNs end = m_trace.optimizerEnd[at(stage)][at(cls)] - m_trace.originOf(stage, cls);
                if (end <= latest) continue;
                latest = end;
                last = {stage, m_trace.representative[at(cls)]};
            }
        }
        const GroupTimeline timeline(m_run, last.stage, last.replica);
        const TimeNs twinT = m_run.unperturbed().iteration;
        push(WhyKind::IterationEnd, last, kNone, m_trace.iteration, m_run.perturbed() ? m_trace.iteration - twinT : m_trace.iteration);
        visit({last, timeline.optimizerSlot()});
        if (m_run.plan.optimizerSync) followBarrier();
        else followReductions(last.stage);
        return finish();
    }

    [[nodiscard]] std::vector<WhyStep> fromInstant(Group group, std::int32_t member, TimeNs t)
    {
        t = std::clamp<TimeNs>(t, 0, std::max<TimeNs>(0, m_trace.iteration - 1));
        const GroupTimeline timeline(m_run, group.stage, group.replica);
        if (t < timeline.origin()) t += m_trace.iteration;
        const std::int32_t slot = timeline.slotAt(t);
        if (slot == timeline.endSlot()) return fromEnd();
        const bool waiting = t < timeline.start(slot);
        if (slot == timeline.optimizerSlot()) {
            return waiting ? beforeOptimizer(&group, group.stage, t) : inOptimizer(group, member, t);
        }
        if (waiting) {
            followInput(group, slot);
            return finish();
        }
        const Pace pace = paceOf(m_run.plan, group.stage, group.replica, member, slot);
        const Meeting meeting = meetingOf(group, slot);
        const Group peer{group.stage, meeting.longest != group.replica ? meeting.longest : meeting.latest};
        if (peer.replica != group.replica) push(WhyKind::ExpertPeer, peer, slot, t, timeline.peerWait(slot));
        else if (pace.own < pace.slowest || pace.ownPause < pace.longestPause) push(WhyKind::GroupPeer, group, slot, t, timeline.excess(slot));
        else push(WhyKind::Computing, group, slot, t, timeline.end(slot) - timeline.start(slot));
        followOperation(group, slot);
        return finish();
    }

private:
    [[nodiscard]] std::vector<WhyStep> beforeOptimizer(const Group *waiting, std::int32_t stage, TimeNs t)
    {
        if (m_run.plan.optimizerSync) followBarrier(waiting, t);
        else followReductions(stage);
        return finish();
    }

    /// Inside the optimizer step and the checkpoint after it: what the rank does at t, and who makes it take that long.
    [[nodiscard]] std::vector<WhyStep> inOptimizer(Group group, std::int32_t member, TimeNs t)
    {
        struct Piece {
            Category category = Category::Optimizer;
            TimeNs begin = 0, ns = 0;
        };
        const GroupTimeline timeline(m_run, group.stage, group.replica);
        const IterationPlan &plan = m_run.plan;
        const TimeNs stall = groupCheckpoint(plan, group.stage, group.replica), stallBegin = timeline.end(timeline.optimizerSlot()) - stall;
        Piece here{Category::Optimizer, timeline.start(timeline.optimizerSlot()), 0};
        TimeNs next = here.begin;
        forEachOptimizerPiece(plan, group.stage, group.replica, member, [&](Category category, TimeNs ns, bool) {
            if (next <= t) here = {category, next, ns};
            next += ns;
        });
        const bool groupWait = here.category == Category::StragglerWait;
        if (stall > 0 && t >= stallBegin) {
            if (groupWait) push(WhyKind::GroupPeer, group, kNone, here.begin, here.ns);
            push(WhyKind::Checkpoint, group, kNone, stallBegin, groupWait ? stall : here.ns);
            m_steps.back().member = groupWait ? longestWriting(plan, group) : member;
            return std::move(m_steps);
        }
        const Pace pace = paceOf(plan, group.stage, group.replica, member, kOptimizerOperation);
        const bool pausing = here.category == Category::Host || (groupWait && t < timeline.start(timeline.optimizerSlot()) + pace.longestPause);
        if (groupWait || !pausing) {
            push(groupWait ? WhyKind::GroupPeer : WhyKind::Computing, group, kNone, here.begin, here.ns);
            m_steps.back().member = member;
        }
        if (pausing) {
            push(WhyKind::HostPause, group, kNone, here.begin, groupWait ? pace.longestPause : here.ns);
            m_steps.back().member = groupWait ? longestPausing(plan, group, kOptimizerOperation) : member;
            return std::move(m_steps);
        }
        const TimeNs slower = timeline.excess(timeline.optimizerSlot()) - stall - pace.longestPause;
        if (groupWait || (slower > 0 && pace.own == pace.slowest)) {
            const CauseRoot root = paceCause(m_run.plan, group, kOptimizerOperation);
            push(root.kind, group, kNone, here.begin, groupWait ? std::max(slower, here.ns) : slower);
            m_steps.back().member = root.member;
            m_steps.back().speed = root.speed;
            return std::move(m_steps);
        }
        // At its own pace: what delayed its begin, if anything was slow; the work of a pipeline stage says nothing here.
        std::vector<WhyStep> steps = beforeOptimizer(nullptr, group.stage, t);
        if (steps.back().kind == WhyKind::MostWork) steps.resize(1);
        return steps;
    }

    void push(WhyKind kind, Group group, std::int32_t operation, TimeNs when, TimeNs ns, std::int32_t stagesPassed = 0)
    {
        WhyStep step;
        step.kind = kind;
        step.stage = group.stage;
        step.replica = group.replica;
        step.operation = operation;
        step.at = when;
        step.ns = ns;
        step.stagesPassed = stagesPassed;
        m_steps.push_back(step);
    }

    void visit(PathOperation node)
    {
        const GroupTimeline timeline(m_run, node.group.stage, node.group.replica);
        node.excess = timeline.excess(node.slot) + timeline.dataWait(node.slot);
        node.work = timeline.end(node.slot) - timeline.start(node.slot) - timeline.peerWait(node.slot);
        const TimeNs communication = node.slot < operationsOf(node.group) ? communicationExcess(node.group, node.slot) : 0;
        node.excess -= communication;
        m_path.push_back(node);
        visitLink(node.group, node.slot, communication);
    }

    /// How much longer the collectives inside an operation take on slow links.
    [[nodiscard]] TimeNs communicationExcess(Group group, std::int32_t slot) const
    {
        const IterationPlan &plan = m_run.plan;
        if (!plan.links) return 0;
        const ScheduledOperation &operation = plan.schedule.order[at(group.stage)][at(slot)];
        return plan.shapeOf(group.stage, group.replica, operation).total() - plan.shapeOf(group.stage, operation).total();
    }

    void visitLink(Group group, std::int32_t slot, TimeNs excess)
    {
        if (excess > 0) m_path.push_back({group, slot, excess, 0, m_run.plan.links->shapesCause[m_run.plan.group(group.stage, group.replica)]});
    }

    /// A reduction or gather of a stage.
    void visitSync(Group group, std::int32_t slot, TimeNs excess)
    {
        if (m_run.plan.links && excess > 0) m_path.push_back({group, slot, excess, 0, m_run.plan.links->syncCause[at(group.stage)]});
    }

    /// From the gradient-norm barrier to the stage whose gradients came last, to the replica that held them up.
    void followBarrier(const Group *waiting = nullptr, TimeNs when = 0)
    {
        std::int32_t lastStage = 0;
        for (std::int32_t stage = 1; stage < m_trace.stages; ++stage)
            if (endOfReductions(stage) > endOfReductions(lastStage)) lastStage = stage;
        if (waiting && when < endOfReductions(waiting->stage)) {
            // Its own stage's reduction is still to come.
            lastStage = waiting->stage;
        } else if (m_trace.stages > 1) {
            const Group shown = waiting ? *waiting : Group{lastStage, 0};
            const TimeNs barrier = m_trace.optimizerBegin.front();
            push(WhyKind::Barrier, shown, kNone, barrier, barrier - m_run.unperturbed().optimizerBegin.front());
        }
        followReductions(lastStage);
    }

    [[nodiscard]] TimeNs endOfReductions(std::int32_t stage) const { return m_trace.reduceEnd[at(stage)][at(m_trace.reduceOrder[at(stage)].back())]; }

    void followReductions(std::int32_t stage)
    {
        const auto &order = m_trace.reduceOrder[at(stage)];
        // Back along the stream to the first reduction of the unbroken run: it waited for a replica, not for the stream.
        std::size_t i = order.size() - 1;
        while (i > 0 && m_trace.reduceBegin[at(stage)][at(order[i])] == m_trace.reduceEnd[at(stage)][at(order[i - 1])]) --i;
        const std::int32_t chunk = order[i];
        const std::int32_t slot = m_run.plan.overlapData ? m_trace.dependencies->lastBackward[at(stage)][at(chunk)]
                                                         : static_cast<std::int32_t>(m_run.plan.schedule.order[at(stage)].size()) - 1;
        Group late{stage, 0};
        TimeNs latest = -1;
        for (std::int32_t cls = 0; cls < m_trace.classes; ++cls) {
            const TimeNs end = m_trace.finishOf(stage, slot, cls);
            if (end <= latest) continue;
            latest = end;
            late.replica = m_trace.representative[at(cls)];
        }
        if (m_run.plan.replicas > 1) {
            const TimeNs twin = m_run.unperturbed().reduceBegin[at(stage)][at(chunk)];
            push(WhyKind::GradientReduce, late, slot, m_trace.reduceBegin[at(stage)][at(chunk)], m_trace.reduceBegin[at(stage)][at(chunk)] - twin);
        }
        TimeNs slower = 0;
        for (; i < order.size(); ++i)
            slower += m_run.plan.syncOf(stage, order[i]).gradientReduce - m_run.plan.syncOf(stage, order[i], true).gradientReduce;
        visitSync(late, slot, slower);
        followOperation(late, slot);
    }

    /// One Pipeline step for the wait before a slot, then on along the path.
    void followInput(Group group, std::int32_t slot)
    {
        const GroupTimeline timeline(m_run, group.stage, group.replica);
        push(WhyKind::Pipeline, group, slot, timeline.start(slot), timeline.start(slot) - timeline.waitBegin(slot));
        if (timeline.dataWait(slot) > 0) {
            // The data came last: where the stage was before does not matter.
            m_steps.back().kind = WhyKind::DataLoading;
            m_steps.back().ns = timeline.dataWait(slot);
        } else if (step(group, slot)) {
            followOperation(group, slot);
        } else {
            m_steps.back().kind = WhyKind::ParameterGather;
        }
    }

    /// The operation that decided when this one could start; false at the beginning of the iteration.
    bool step(Group &group, std::int32_t &slot)
    {
        const std::int32_t cls = m_trace.classOfReplica[at(group.replica)];
        const TimeNs start = startOfOperation(m_run.plan, m_trace, group.stage, slot, cls);
        const InputArrival input = lastInput(m_run.plan, m_trace, group.stage, slot, cls);
        if (input.from.exists() && input.from.stage != group.stage && input.arrived == start &&
            previousEnd(m_run.plan, m_trace, group.stage, slot, cls) < start) {
            group.stage = input.from.stage;
            slot = m_trace.dependencies->completesWith[at(group.stage)][at(input.from.operation)];
            visitTransfer(group, slot, input);
            return true;
        }
        const bool waitsForData = dataWaitOf(m_run.plan, m_trace, group.stage, slot, cls) > 0;
        const bool waitsForParameters = !waitsForData && previousEnd(m_run.plan, m_trace, group.stage, slot, cls) < start;
        if (waitsForParameters) {
            const auto chunk = at(m_run.plan.schedule.order[at(group.stage)][at(slot)].chunk);
            visitSync(group, slot, m_trace.gatherEnd[at(group.stage)][chunk] - m_run.unperturbed().gatherEnd[at(group.stage)][chunk]);
        }
        if (slot == 0 || waitsForParameters) return false;
        --slot;
        return true;
    }

    void visitTransfer(Group from, std::int32_t slot, const InputArrival &input)
    {
        const std::int32_t link = m_trace.dependencies->link[at(input.from.stage)][at(input.from.operation)];
        if (!m_run.plan.links || link == kNone) return;
        const TimeNs excess = m_run.plan.transferOf(link, from.replica) - m_run.plan.transferOf(link, from.replica, true);
        if (excess > 0) m_path.push_back({from, slot, excess, 0, m_run.plan.links->transferCause[m_run.plan.group(link, from.replica)]});
    }

    void followOperation(Group group, std::int32_t slot)
    {
        do {
            passPeers(group, slot);
        } while (step(group, slot));
    }

    /// Who holds an operation up where replicas exchange tokens: the one that runs it longest, and the one that began it
    /// latest against the unperturbed run; the group itself when it is no other.
    struct Meeting {
        std::int32_t longest = 0, latest = 0;
    };
    [[nodiscard]] Meeting meetingOf(Group group, std::int32_t slot) const
    {
        Meeting meeting{group.replica, group.replica};
        const GroupTimeline own(m_run, group.stage, group.replica);
        if (own.peerWait(slot) == 0) return meeting;
        const std::vector<std::int32_t> &peers = m_run.plan.expertPeers;
        TimeNs longest = own.excess(slot), latest = own.lateness(slot);
        for (std::int32_t replica = 0; replica < m_run.plan.replicas; ++replica) {
            if (peers[at(replica)] != peers[at(group.replica)]) continue;
            const GroupTimeline other(m_run, group.stage, replica);
            if (other.excess(slot) > longest) {
                longest = other.excess(slot);
                meeting.longest = replica;
            }
            if (other.lateness(slot) > latest) {
                latest = other.lateness(slot);
                meeting.latest = replica;
            }
        }
        return meeting;
    }

    /// Visits an operation where it ran longest and goes on where it began latest.
    void passPeers(Group &group, std::int32_t slot)
    {
        const Meeting meeting = meetingOf(group, slot);
        for (const std::int32_t other : {meeting.longest, meeting.latest})
            if (other != group.replica)
                m_crossings.push_back({{group.stage, other}, slot, GroupTimeline(m_run, group.stage, group.replica).peerWait(slot), 0});
        visit({{group.stage, meeting.longest}, slot});
        group.replica = meeting.latest;
    }

    /// What explains the path: the link or the group that lost most against the twin, else the group that works most on
    /// it; with the operation where most of that is.
    struct Culprit {
        Group group;
        std::int32_t slot = 0, link = kNone;
        TimeNs excess = 0;
    };
    [[nodiscard]] Culprit culprit() const
    {
        std::map<std::pair<std::int32_t, Group>, std::pair<TimeNs, TimeNs>> sums;   // a link wherever it is met
        const auto keyOf = [](const PathOperation &node) { return std::pair(node.link, node.link == kNone ? node.group : Group{}); };
        for (const PathOperation &node : m_path) {
            auto &sum = sums[keyOf(node)];
            sum.first += node.excess;
            sum.second += node.work;
        }
        // Whole sums: a group may lose in one operation and gain more in another.
        TimeNs excess = 0;
        for (const auto &[key, sum] : sums)
            excess = std::max(excess, sum.first);
        std::pair<std::int32_t, Group> best;
        TimeNs most = -1;
        for (const auto &[key, sum] : sums) {
            const TimeNs value = excess > 0 ? sum.first : sum.second;
            if (value <= most) continue;
            most = value;
            best = key;
        }
        const PathOperation *heaviest = nullptr;
        for (const PathOperation &node : m_path)
            if (keyOf(node) == best && (!heaviest || node.excess > heaviest->excess)) heaviest = &node;
        return {heaviest->group, heaviest->slot, best.first, excess > 0 ? most : 0};
    }

    [[nodiscard]] std::vector<WhyStep> finish()
    {
        // Nothing computes before the parameters are there: that wait is its own root.
        if (m_path.empty()) return std::move(m_steps);
        const Culprit found = culprit();
        addPipelineStep(found.group);
        addExpertStep(found.group);
        if (found.link == kNone) addRoot(found.group, found.slot, found.excess);
        else addLinkRoot(found);
        return std::move(m_steps);
    }

    void addLinkRoot(const Culprit &found)
    {
        const std::int32_t slot = found.slot < operationsOf(found.group) ? found.slot : kNone;
        push(WhyKind::SlowLink, found.group, slot, GroupTimeline(m_run, found.group.stage, found.group.replica).start(found.slot), found.excess);
        WhyStep &step = m_steps.back();
        step.link = found.link;
        const LinkDelays::Cause &cause = m_run.plan.links->causes[at(found.link)];
        if (cause.stage == kNone) return;
        if (step.stage != cause.stage) step.operation = kNone;
        step.stage = cause.stage;
        step.replica = cause.replica;
        step.member = cause.member;
    }

    /// How the delay travelled from the culprit's stage to where the walk left the pipeline.
    void addPipelineStep(Group root)
    {
        std::int32_t passed = 0;
        const PathOperation *first = nullptr, *previous = nullptr;
        for (const PathOperation &node : m_path) {
            if (node.slot >= operationsOf(node.group)) continue;    // the optimizer comes after the barrier
            if (previous && previous->group.replica == node.group.replica && previous->group.stage != node.group.stage) ++passed;
            if (node.group == root) break;
            if (!first) first = &node;
            previous = &node;
        }
        if (!first || first->group.replica != root.replica) return;
        if (!m_steps.empty() && m_steps.back().kind == WhyKind::Pipeline) {
            m_steps.back().stagesPassed = passed;
            return;
        }
        const GroupTimeline timeline(m_run, first->group.stage, first->group.replica);
        push(WhyKind::Pipeline, first->group, first->slot, timeline.end(first->slot), timeline.lateness(first->slot), passed);
    }

    /// Where the walk came to the culprit's replica through an expert all-to-all.
    void addExpertStep(Group root)
    {
        if (!m_steps.empty() && m_steps.back().kind == WhyKind::ExpertPeer) return;
        for (const PathOperation &crossing : m_crossings) {
            if (crossing.group.replica != root.replica) continue;
            const GroupTimeline timeline(m_run, crossing.group.stage, crossing.group.replica);
            push(WhyKind::ExpertPeer, crossing.group, crossing.slot, timeline.start(crossing.slot), crossing.excess);
            return;
        }
    }

    [[nodiscard]] std::int32_t operationsOf(Group group) const { return static_cast<std::int32_t>(m_run.plan.schedule.order[at(group.stage)].size()); }

    void addRoot(Group group, std::int32_t slot, TimeNs excess)
    {
        const GroupTimeline timeline(m_run, group.stage, group.replica);
        const std::int32_t operation = slot < operationsOf(group) ? slot : kOptimizerOperation;
        const TimeNs when = timeline.start(slot);
        if (excess <= 0) {
            push(WhyKind::MostWork, group, slot < operationsOf(group) ? slot : kNone, when, workOf(group));
            return;
        }
        const CauseRoot root = causeOf(m_run, m_path, group, operation);
        if (m_run.plan.groupSize > 1 && isOneGpu(root.kind) && (m_steps.empty() || m_steps.back().kind != WhyKind::GroupPeer))
            push(WhyKind::GroupPeer, group, slot < operationsOf(group) ? slot : kNone, when, timeline.excess(slot));
        push(root.kind, group, slot < operationsOf(group) ? slot : kNone, when, excess);
        m_steps.back().member = root.member;
        m_steps.back().speed = root.speed;
    }

    static bool isOneGpu(WhyKind kind) { return kind == WhyKind::SlowGpu || kind == WhyKind::HostPause; }

    [[nodiscard]] TimeNs workOf(Group group) const
    {
        TimeNs work = 0;
        for (const PathOperation &node : m_path)
            if (node.group == group) work += node.work;
        return work;
    }

    const Run &m_run;
    const Trace &m_trace;
    std::vector<PathOperation> m_path;
    std::vector<PathOperation> m_crossings;     ///< to another replica, and the wait there
    std::vector<WhyStep> m_steps;
};

} // namespace

std::vector<WhyStep> whyWaiting(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs t)
{
    return CriticalPath(run).fromInstant({stage, replica}, member, t);
}

std::vector<WhyStep> whyThisLong(const Run &run) { return CriticalPath(run).fromEnd(); }

} // namespace clusterbeat
