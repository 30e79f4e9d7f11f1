// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Everything that is not stored in the trace but derived from it: spans, communication, states at an instant.
#include "model/iteration/group_timeline.h"

#include "model/base/index.h"
#include "model/iteration/operation_pieces.h"
#include "model/iteration/trace.h"

#include <algorithm>

namespace clusterbeat {
namespace {

Category categoryOf(OperationKind kind)
{
    if (kind == OperationKind::Forward) return Category::Forward;
    return kind == OperationKind::WeightGradient ? Category::WeightGradient : Category::Backward;
}

/// Appends spans one after the other from a running clock.
class SpanWriter {
public:
    SpanWriter(TimeNs clock, std::vector<Span> &out) : m_clock(clock), m_out(out) {}
    void add(Category category, TimeNs ns, std::int32_t operation, EventKind endedBy)
    {
        if (ns <= 0) return;
        m_out.push_back({m_clock, m_clock + ns, category, operation, endedBy});
        m_clock += ns;
    }

private:
    TimeNs m_clock;
    std::vector<Span> &m_out;
};

void writeOperation(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, std::int32_t k, SpanWriter &writer)
{
    const ScheduledOperation &operation = run.plan.schedule.order[at(stage)][at(k)];
    Pace pace = paceOf(run.plan, stage, replica, member, k);
    pace.peers = run.trace.peerWaitOf(stage, k, run.trace.classOfReplica[at(replica)]);
    forEachPiece(run.plan.shapeOf(stage, replica, operation), pace, [&](Category category, TimeNs ns, bool wait) {
        writer.add(category, ns, k, wait ? EventKind::GroupPeer : EventKind::OperationEnd);
    });
    if (!run.plan.overlapPipeline && sendsOutput(run.plan.schedule, stage, operation))
        writer.add(Category::ExposedPp, sendDuration(run.plan, stage, replica, operation), k, EventKind::Arrival);
}

void writeOptimizer(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, SpanWriter &writer)
{
    forEachOptimizerPiece(run.plan, stage, replica, member, [&](Category category, TimeNs ns, bool wait) {
        writer.add(category, ns, kNone,
                   wait ? EventKind::GroupPeer : category == Category::CheckpointStall ? EventKind::CheckpointWritten : EventKind::OperationEnd);
    });
}

/// Spans of the slots that overlap [from, to), in the group's own window; write(slot, writer) writes a slot's work.
template <typename WriteSlot>
void walkWindow(const GroupTimeline &timeline, TimeNs from, TimeNs to, std::vector<Span> &out, WriteSlot &&writeSlot)
{
    const TimeNs hostEnd = timeline.origin() + timeline.hostAtStart();
    if (from < hostEnd) SpanWriter(timeline.origin(), out).add(Category::Host, timeline.hostAtStart(), kNone, EventKind::OperationEnd);
    std::vector<Wait> waits;
    for (std::int32_t slot = timeline.slotAt(from); slot <= timeline.endSlot() && timeline.waitBegin(slot) < to; ++slot) {
        timeline.waitBefore(slot, waits);
        SpanWriter waitWriter(timeline.waitBegin(slot), out);
        for (const Wait &wait : waits)
            waitWriter.add(wait.category, wait.ns, kNone, wait.endedBy);
        if (slot == timeline.endSlot()) break;
        SpanWriter writer(timeline.start(slot), out);
        writeSlot(timeline, slot, writer);
    }
}

/// Moves what lies beyond the iteration to its beginning, cutting what crosses the end.
void wrap(std::vector<Span> &spans, TimeNs iteration)
{
    const std::size_t count = spans.size();
    for (std::size_t i = 0; i < count; ++i) {
        if (spans[i].end <= iteration) continue;
        Span early = spans[i];
        early.begin = std::max<TimeNs>(0, early.begin - iteration);
        early.end -= iteration;
        if (spans[i].begin >= iteration) {
            spans[i] = early;
            continue;
        }
        spans[i].end = iteration;
        spans.push_back(early);
    }
    std::sort(spans.begin(), spans.end(), [](const Span &a, const Span &b) { return a.begin < b.begin; });
}

template <typename WriteSlot>
void walk(const Run &run, std::int32_t stage, std::int32_t replica, TimeNs from, TimeNs to, std::vector<Span> &out, WriteSlot &&writeSlot)
{
    out.clear();
    if (to <= from) return;
    const GroupTimeline timeline(run, stage, replica);
    const TimeNs iteration = run.trace.iteration;
    walkWindow(timeline, from, to, out, writeSlot);
    if (timeline.origin() > 0) {
        if (from < timeline.origin()) walkWindow(timeline, from + iteration, std::min(to, timeline.origin()) + iteration, out, writeSlot);
        wrap(out, iteration);
        // The two walks may both have met the span that crosses the end.
        out.erase(std::unique(out.begin(), out.end(), [](const Span &a, const Span &b) { return a.begin == b.begin && a.end == b.end; }), out.end());
    }
    const auto outside = [&](const Span &span) { return span.end <= from || span.begin >= to; };
    out.erase(std::remove_if(out.begin(), out.end(), outside), out.end());
}

} // namespace

void spansOfRank(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs from, TimeNs to, std::vector<Span> &out)
{
    walk(run, stage, replica, from, to, out, [&](const GroupTimeline &timeline, std::int32_t slot, SpanWriter &writer) {
        if (slot == timeline.optimizerSlot()) writeOptimizer(run, stage, replica, member, writer);
        else writeOperation(run, stage, replica, member, slot, writer);
    });
}

void spansOfGroup(const Run &run, std::int32_t stage, std::int32_t replica, TimeNs from, TimeNs to, std::vector<Span> &out)
{
    walk(run, stage, replica, from, to, out, [&](const GroupTimeline &timeline, std::int32_t slot, SpanWriter &writer) {
        const TimeNs ns = timeline.end(slot) - timeline.start(slot);
        if (slot == timeline.optimizerSlot()) {
            // Members begin a checkpoint together: the group's is the longest of theirs, at the end.
            const TimeNs stall = run.plan.checkpoint.empty() ? 0 : std::min(ns, groupCheckpoint(run.plan, stage, replica));
            writer.add(Category::Optimizer, ns - stall, kNone, EventKind::OperationEnd);
            writer.add(Category::CheckpointStall, stall, kNone, EventKind::CheckpointWritten);
        } else writer.add(categoryOf(run.plan.schedule.order[at(stage)][at(slot)].kind), ns, slot, EventKind::OperationEnd);
    });
}

std::vector<CommunicationSpan> communicationOfGroup(const Run &run, std::int32_t stage, std::int32_t replica)
{
    std::vector<CommunicationSpan> spans;
    const Trace &trace = run.trace;
    const auto add = [&](TimeNs begin, TimeNs end, CommunicationKind kind, std::int32_t chunk, std::int32_t microBatch) {
        if (end > begin) spans.push_back({begin, end, kind, chunk, microBatch});
    };
    for (std::int32_t chunk = 0; chunk < run.plan.schedule.chunks; ++chunk) {
        const auto c = at(chunk);
        const TimeNs gather = run.plan.syncOf(stage, chunk).parameterGather;
        add(trace.gatherBegin[at(stage)][c], trace.gatherBegin[at(stage)][c] + gather, CommunicationKind::ParameterGather, chunk, kNone);
        add(trace.reduceBegin[at(stage)][c], trace.reduceEnd[at(stage)][c], CommunicationKind::GradientReduce, chunk, kNone);
    }
    const std::int32_t cls = trace.classOfReplica[at(replica)];
    const auto &order = run.plan.schedule.order[at(stage)];
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (!sendsOutput(run.plan.schedule, stage, order[k])) continue;
        const TimeNs sent = sendDuration(run.plan, stage, replica, order[k]);
        const TimeNs end = trace.finishOf(stage, static_cast<std::int32_t>(k), cls);
        const TimeNs begin = run.plan.overlapPipeline ? end : end - sent;
        add(begin, begin + sent, order[k].kind == OperationKind::Forward ? CommunicationKind::SendForward : CommunicationKind::SendBackward,
            order[k].chunk, order[k].microBatch);
    }
    const TimeNs iteration = std::max<TimeNs>(1, trace.iteration);
    const std::size_t count = spans.size();
    for (std::size_t i = 0; i < count && !run.plan.optimizerSync; ++i) {
        if (spans[i].end <= iteration) continue;
        CommunicationSpan early = spans[i];
        early.begin = std::max<TimeNs>(0, early.begin - iteration);
        early.end -= iteration;
        if (spans[i].begin < iteration) {
            spans[i].end = iteration;
            spans.push_back(early);
        } else {
            spans[i] = early;
        }
    }
    std::sort(spans.begin(), spans.end(), [](const CommunicationSpan &a, const CommunicationSpan &b) {
        return a.begin != b.begin ? a.begin < b.begin : a.kind < b.kind;
    });
    return spans;
}

namespace {

/// State of one member at t, which lies in slot or in the wait before it.
Category stateInSlot(const Run &run, const GroupTimeline &timeline, std::int32_t stage, std::int32_t replica, std::int32_t member,
                     std::int32_t slot, TimeNs t, std::vector<Wait> &waits, std::vector<Span> &spans)
{
    if (t < timeline.origin() + timeline.hostAtStart()) return Category::Host;
    if (t < timeline.start(slot)) {
        timeline.waitBefore(slot, waits);
        TimeNs clock = timeline.waitBegin(slot);
        for (const Wait &wait : waits) {
            clock += wait.ns;
            if (t < clock) return wait.category;
        }
        return Category::Bubble;
    }
    spans.clear();
    SpanWriter writer(timeline.start(slot), spans);
    if (slot == timeline.optimizerSlot()) writeOptimizer(run, stage, replica, member, writer);
    else writeOperation(run, stage, replica, member, slot, writer);
    for (const Span &span : spans)
        if (t < span.end) return span.category;
    return spans.empty() ? Category::Bubble : spans.back().category;
}

} // namespace

void statesAt(const Run &run, TimeNs t, std::span<std::uint8_t> out)
{
    const IterationPlan &plan = run.plan;
    // The last instant belongs to the last span, not to a nameless end.
    t = std::clamp<TimeNs>(t, 0, std::max<TimeNs>(0, run.trace.iteration - 1));
    std::vector<Wait> waits;
    std::vector<Span> spans;
    std::vector<std::int16_t> known(at(run.trace.classes));
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
        std::fill(known.begin(), known.end(), std::int16_t{-1});
        for (std::int32_t replica = 0; replica < plan.replicas; ++replica) {
            const auto cls = at(run.trace.classOfReplica[at(replica)]);
            std::uint8_t *states = &out[plan.position(stage, replica, 0)];
            const bool uniform = !plan.perturbed() || uniformGroup(plan, stage, replica);
            if (uniform && known[cls] >= 0) {
                std::fill(states, states + plan.groupSize, static_cast<std::uint8_t>(known[cls]));
                continue;
            }
            const GroupTimeline timeline(run, stage, replica);
            const TimeNs own = t < timeline.origin() ? t + run.trace.iteration : t;
            const std::int32_t slot = timeline.slotAt(own);
            const std::int32_t distinct = uniform ? 1 : plan.groupSize;
            for (std::int32_t member = 0; member < distinct; ++member)
                states[member] = static_cast<std::uint8_t>(stateInSlot(run, timeline, stage, replica, member, slot, own, waits, spans));
            if (!uniform) continue;
            known[cls] = states[0];
            std::fill(states, states + plan.groupSize, states[0]);
        }
    }
}

} // namespace clusterbeat
