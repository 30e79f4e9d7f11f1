// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The recurrence of static-order simulation (event graphs without an event list): an operation starts when its
// predecessor on the rank and its upstream operation have finished,
//   end[s][k][c] = max(end[s][k-1][c], end[upstream][c] + transfer, gather[s][chunk]) + duration,
// evaluated for all classes of replicas c at once in one topological order. Where replicas share expert groups, they
// wait for one another inside the operation: + peerWait.
#include "model/iteration/trace.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/base/saturated.h"
#include "model/iteration/expert_meetings.h"
#include "model/iteration/replica_classes.h"
#include "model/iteration/speed.h"

#include <algorithm>
#include <optional>

namespace clusterbeat {
namespace {

/// Each is one time for every class of replicas: a few microseconds.
constexpr std::size_t kOperationsBetweenChecks = 64;

/// The parameter all-gathers of the previous step, issued at t = 0 in the order in which the chunks are first used.
/// Without overlap no operation starts before the last of them.
void placeGathers(const IterationPlan &plan, Trace &trace)
{
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        const auto &first = trace.dependencies->firstForward[at(stage)];
        std::vector<std::int32_t> chunks(first.size());
        for (std::size_t c = 0; c < chunks.size(); ++c)
            chunks[c] = static_cast<std::int32_t>(c);
        std::stable_sort(chunks.begin(), chunks.end(), [&](std::int32_t a, std::int32_t b) { return first[at(a)] < first[at(b)]; });
        std::vector<TimeNs> begin(first.size(), 0), end(first.size(), 0);
        TimeNs t = 0;
        for (const std::int32_t chunk : chunks) {
            begin[at(chunk)] = t;
            const ChunkSync sync = plan.syncOf(stage, chunk, trace.nominal);
            t += sync.parameterGather;
            end[at(chunk)] = t - sync.gatherLead;
        }
        if (!plan.overlapData) std::fill(end.begin(), end.end(), t);
        trace.gatherBegin.push_back(std::move(begin));
        trace.gatherEnd.push_back(std::move(end));
    }
}

struct ShapeTimes {
    ShapeTimes() = default;
    explicit ShapeTimes(const OperationShape &of) : total(of.total()), scaling(of.scaling()), attention(of.attention()) {}
    TimeNs total = 0, scaling = 0, attention = 0;
};

/// Of every shape of a plan, added up once: a stage has many operations of few shapes.
class ShapeTimesTable final {
public:
    ShapeTimesTable(const IterationPlan &plan, bool perturbed)
        : m_plan(plan), m_chunks(at(plan.schedule.chunks)), m_delayed(perturbed && plan.links && !plan.links->shapes.empty())
    {
        const std::size_t stages = at(plan.stages()), more = m_delayed ? plan.links->shapes.size() : 0;
        m_times.resize((stages + more) * m_chunks * kKinds);
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const auto &usual = plan.shapesOf(static_cast<OperationKind>(kind));
            for (std::size_t stage = 0; stage < std::min(stages, usual.size()); ++stage)
                fill(stage, kind, usual[stage]);
            for (std::size_t i = 0; i < more; ++i)
                fill(stages + i, kind, plan.links->shapes[i].of(static_cast<OperationKind>(kind)));
        }
    }
    [[nodiscard]] const ShapeTimes &of(std::int32_t stage, std::int32_t replica, const ScheduledOperation &operation) const
    {
        const std::int32_t own = m_delayed ? m_plan.links->shapesOf[m_plan.group(stage, replica)] : kNone;
        return m_times[place(own == kNone ? at(stage) : at(m_plan.stages()) + at(own), at(operation.chunk), static_cast<std::size_t>(operation.kind))];
    }

private:
    static constexpr std::size_t kKinds = 4;
    [[nodiscard]] std::size_t place(std::size_t row, std::size_t chunk, std::size_t kind) const { return (row * m_chunks + chunk) * kKinds + kind; }
    void fill(std::size_t row, std::size_t kind, const std::vector<OperationShape> &ofChunk)
    {
        for (std::size_t chunk = 0; chunk < std::min(m_chunks, ofChunk.size()); ++chunk)
            m_times[place(row, chunk, kind)] = ShapeTimes(ofChunk[chunk]);
    }
    const IterationPlan &m_plan;
    std::size_t m_chunks;
    bool m_delayed;
    std::vector<ShapeTimes> m_times;
};

/// Durations of one operation for every class.
void operationDurations(const IterationPlan &plan, const Trace &trace, const ShapeTimesTable &shapes, std::int32_t stage, std::int32_t k,
                        const ReplicaClasses &classes, bool perturbed, std::vector<TimeNs> &durations)
{
    const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(k)];
    const bool blocksOnSend = !plan.overlapPipeline && sendsOutput(plan.schedule, stage, operation);
    for (std::int32_t c = 0; c < trace.classes; ++c) {
        const std::int32_t replica = trace.representative[at(c)];
        const ShapeTimes &times = shapes.of(stage, replica, operation);
        TimeNs duration = times.total;
        if (perturbed && classes.fixedFactor(stage, c)) {
            duration += scaled(times.scaling, classes.factor(stage, c)) - times.scaling;
        } else if (perturbed) {
            const GroupFactors &factors = trace.factors[at(stage)][at(c)];
            const TimeNs longer = attentionGrowth(times.attention, attentionFactor(plan, stage, replica, k));
            duration += scaled(times.scaling + longer, factors.slowest[at(k)]) - times.scaling;
            if (!factors.pause.empty()) duration += factors.pause[at(k)];
        }
        if (blocksOnSend) duration += sendDuration(plan, stage, replica, operation, trace.nominal);
        durations[at(c)] = duration;
    }
}

/// All factors that differ from operation to operation, drawn once.
void drawFactors(const IterationPlan &plan, const ReplicaClasses &classes, const std::stop_token &stop, Trace &trace)
{
    trace.factors.assign(at(trace.stages), std::vector<GroupFactors>(at(trace.classes)));
    const bool varies = !plan.jitter.empty() || !plan.warmUp.empty() || !plan.pauses.empty() || !plan.attention.empty();
    if (!varies || classes.count() == 0) return;
    const MemberMean mean = memberMeanOf(plan);
    parallelFor(at(trace.stages), plan.threads, [&](std::size_t s) {
        const auto stage = static_cast<std::int32_t>(s);
        for (std::int32_t c = 0; c < trace.classes; ++c) {
            if (classes.fixedFactor(stage, c) || stop.stop_requested()) continue;
            trace.factors[s][at(c)] =
                groupFactors(plan, stage, trace.representative[at(c)], static_cast<std::int32_t>(plan.schedule.order[s].size()), mean);
        }
    });
}

/// The micro-batches that a stage reads from the data loader, in its order: forwards without input from another stage.
void findLoads(const IterationPlan &plan, Trace &trace)
{
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        const auto &order = plan.schedule.order[at(stage)];
        std::vector<std::int32_t> index(order.size(), kNone);
        std::int32_t loads = 0;
        for (std::size_t k = 0; k < order.size(); ++k)
            if (order[k].kind == OperationKind::Forward && !previousInModel(plan.schedule, {stage, order[k].chunk})) index[k] = loads++;
        trace.loadIndex.push_back(std::move(index));
        trace.dataReady.emplace_back(at(loads) * at(trace.classes), 0);
    }
}

/// When the loader has an operation's micro-batch: it loads one after the other into `prefetch` places, all full when
/// the iteration begins, and goes on as soon as a place is free, that is when the compute stream takes a micro-batch.
/// Without places it loads when the operation before has ended.
class DataLoader {
public:
    DataLoader(const IterationPlan &plan, Trace &trace) : m_plan(plan), m_trace(trace)
    {
        for (const std::vector<TimeNs> &ready : trace.dataReady)
            m_taken.emplace_back(ready.size(), 0);
    }
    void load(std::int32_t stage, std::int32_t k)
    {
        const std::int32_t index = m_trace.loadIndex[at(stage)][at(k)];
        for (std::int32_t c = 0; index != kNone && c < m_trace.classes; ++c) {
            const IterationPlan::DataLoading &data = m_plan.data[at(m_trace.representative[at(c)])];
            if (data.load.empty() || (data.prefetch > 0 && index < data.prefetch)) continue;
            const TimeNs work = data.load[at(m_plan.schedule.order[at(stage)][at(k)].microBatch)];
            const TimeNs begin = data.prefetch == 0 ? previousEnd(m_plan, m_trace, stage, k, c)
                                                    : std::max(index > 0 ? m_trace.dataReady[at(stage)][entry(index - 1, c)] : 0,
                                                               m_taken[at(stage)][entry(index - data.prefetch, c)]);
            m_trace.dataReady[at(stage)][entry(index, c)] = begin + work;
        }
    }
    void take(std::int32_t stage, std::int32_t k, std::int32_t c, TimeNs start)
    {
        const std::int32_t index = m_trace.loadIndex[at(stage)][at(k)];
        if (index != kNone) m_taken[at(stage)][entry(index, c)] = start;
    }

private:
    [[nodiscard]] std::size_t entry(std::int32_t index, std::int32_t c) const { return at(index) * at(m_trace.classes) + at(c); }
    const IterationPlan &m_plan;
    Trace &m_trace;
    std::vector<std::vector<TimeNs>> m_taken;   ///< as dataReady
};

void executeOperations(const IterationPlan &plan, const ReplicaClasses &classes, bool perturbed, const Trace *twin,
                       const std::stop_token &stop, Trace &trace)
{
    const std::size_t count = at(trace.classes);
    for (std::int32_t stage = 0; stage < trace.stages; ++stage)
        trace.finish.emplace_back(plan.schedule.order[at(stage)].size() * count, 0);
    const bool loads = perturbed && !plan.data.empty();
    if (loads) findLoads(plan, trace);
    DataLoader loader(plan, trace);
    ExpertMeetings meetings(plan, classes.coupled(), twin, trace);
    const ShapeTimesTable shapes(plan, perturbed);
    std::vector<TimeNs> durations(count);
    std::size_t done = 0;
    for (const OperationRef &ref : trace.dependencies->order) {
        if (done++ % kOperationsBetweenChecks == 0 && stop.stop_requested()) return;
        operationDurations(plan, trace, shapes, ref.stage, ref.operation, classes, perturbed, durations);
        TimeNs *const end = &trace.finish[at(ref.stage)][at(ref.operation) * count];
        if (loads) loader.load(ref.stage, ref.operation);
        for (std::size_t c = 0; c < count; ++c) {
            const TimeNs start = startOfOperation(plan, trace, ref.stage, ref.operation, static_cast<std::int32_t>(c));
            if (loads) loader.take(ref.stage, ref.operation, static_cast<std::int32_t>(c), start);
            end[c] = start + durations[c];
        }
        meetings.meet(ref.stage, ref.operation, durations, end);
    }
}

/// Gradient reductions: one communication stream a stage, in the order of the chunks' last backwards. A collective
/// starts when the slowest replica has arrived.
void placeReductions(const IterationPlan &plan, Trace &trace)
{
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        const auto &last = trace.dependencies->lastBackward[at(stage)];
        std::vector<std::int32_t> chunks(last.size());
        for (std::size_t c = 0; c < chunks.size(); ++c)
            chunks[c] = static_cast<std::int32_t>(c);
        std::stable_sort(chunks.begin(), chunks.end(), [&](std::int32_t a, std::int32_t b) { return last[at(a)] < last[at(b)]; });
        std::vector<TimeNs> begin(last.size(), 0), end(last.size(), 0);
        TimeNs free = 0;
        for (const std::int32_t chunk : chunks) {
            const std::int32_t k = plan.overlapData ? last[at(chunk)] : static_cast<std::int32_t>(plan.schedule.order[at(stage)].size()) - 1;
            const ChunkSync sync = plan.syncOf(stage, chunk, trace.nominal);
            const TimeNs lead = plan.overlapData ? sync.reduceLead : 0;
            for (std::int32_t c = 0; c < trace.classes; ++c)
                free = std::max(free, trace.finishOf(stage, k, c) - lead);
            begin[at(chunk)] = free;
            free += sync.gradientReduce;
            end[at(chunk)] = free;
        }
        trace.optimizerBegin.push_back(free);
        trace.reduceBegin.push_back(std::move(begin));
        trace.reduceEnd.push_back(std::move(end));
        trace.reduceOrder.push_back(std::move(chunks));
    }
    if (!plan.optimizerSync) return;
    const TimeNs barrier = *std::max_element(trace.optimizerBegin.begin(), trace.optimizerBegin.end());
    std::fill(trace.optimizerBegin.begin(), trace.optimizerBegin.end(), barrier);
}

/// Without the barrier a rank's iteration begins when its first input is there (less the host's fixed time), or would
/// be there in the unperturbed run: a delay of the first operation must not look like a later beginning.
void placeOrigins(const IterationPlan &plan, const Trace *unperturbed, Trace &trace)
{
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        std::vector<TimeNs> origins(at(trace.classes), 0);
        const TimeNs host = plan.hostAtStart.empty() ? 0 : plan.hostAtStart[at(stage)];
        for (std::int32_t c = 0; c < trace.classes && !plan.optimizerSync; ++c) {
            origins[at(c)] = std::max<TimeNs>(0, lastInput(plan, trace, stage, 0, c).arrived - host);
            if (unperturbed)
                origins[at(c)] = std::min(origins[at(c)], unperturbed->originOf(stage, unperturbed->classOfReplica[at(trace.representative[at(c)])]));
        }
        trace.origin.push_back(std::move(origins));
    }
}

void executeOptimizers(const IterationPlan &plan, const ReplicaClasses &classes, bool perturbed, Trace &trace)
{
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        std::vector<TimeNs> ends(at(trace.classes));
        const TimeNs nominal = plan.optimizer.empty() ? 0 : plan.optimizer[at(stage)];
        for (std::int32_t c = 0; c < trace.classes; ++c) {
            TimeNs duration = nominal;
            if (perturbed) {
                const double factor = classes.fixedFactor(stage, c)
                                          ? classes.factor(stage, c)
                                          : groupFactor(plan, stage, trace.representative[at(c)], kOptimizerOperation);
                const std::int32_t replica = trace.representative[at(c)];
                duration = scaled(nominal, factor) + groupPause(plan, stage, replica, kOptimizerOperation) + groupCheckpoint(plan, stage, replica);
            }
            ends[at(c)] = trace.optimizerBegin[at(stage)] + duration;
            trace.iteration = std::max(trace.iteration, ends[at(c)] - trace.originOf(stage, c));
        }
        trace.optimizerEnd.push_back(std::move(ends));
    }
}

Trace execute(const IterationPlan &plan, bool perturbed, bool share, const std::stop_token &stop, const Trace *twin = nullptr)
{
    Trace trace;
    trace.stages = plan.stages();
    trace.nominal = !perturbed;
    trace.dependencies = std::make_shared<const Dependencies>(dependenciesOf(plan.schedule));
    const ReplicaClasses classes(plan, perturbed, share);
    trace.classes = classes.count();
    trace.classOfReplica = classes.classOfReplica();
    trace.representative = classes.representatives();
    placeGathers(plan, trace);
    drawFactors(plan, classes, stop, trace);
    if (stop.stop_requested()) return trace;
    std::optional<Trace> unperturbed;
    if (perturbed && !twin && (!plan.optimizerSync || !classes.coupled().empty())) twin = &unperturbed.emplace(execute(plan, false, share, stop));
    if (stop.stop_requested()) return trace;
    executeOperations(plan, classes, perturbed, twin, stop, trace);
    if (stop.stop_requested()) return trace;
    placeReductions(plan, trace);
    placeOrigins(plan, perturbed ? twin : nullptr, trace);
    executeOptimizers(plan, classes, perturbed, trace);
    return trace;
}

} // namespace

TimeNs OperationShape::total() const
{
    TimeNs sum = 0;
    for (const Segment &segment : segments)
        sum = saturatedSum(sum, segment.ns);
    return sum;
}

TimeNs OperationShape::scaling() const
{
    TimeNs sum = 0;
    for (const Segment &segment : segments)
        sum = saturatedSum(sum, scalesWithSpeed(segment.category) ? segment.ns : 0);
    return sum;
}

TimeNs OperationShape::attention() const
{
    TimeNs sum = 0;
    for (const Segment &segment : segments)
        sum = saturatedSum(sum, scalesWithSpeed(segment.category) ? segment.attention : 0);
    return sum;
}

TimeNs sendDuration(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, const ScheduledOperation &operation, bool nominal)
{
    const std::int32_t link = linkOf(plan.schedule, stage, operation);
    return link == kNone ? 0 : plan.transferOf(link, replica, nominal);
}

InputArrival arrivalOf(const IterationPlan &plan, const Trace &trace, std::int32_t stage, OperationRef input, std::int32_t cls)
{
    if (!input.exists()) return {};
    InputArrival arrival{input, 0, 0};
    const std::int32_t completes = trace.dependencies->completesWith[at(input.stage)][at(input.operation)];
    arrival.sent = arrival.arrived = trace.finishOf(input.stage, completes, cls);
    const std::int32_t link = trace.dependencies->link[at(input.stage)][at(input.operation)];
    if (plan.overlapPipeline && link != kNone && input.stage != stage) arrival.arrived += plan.transferOf(link, trace.representative[at(cls)], trace.nominal);
    return arrival;
}

InputArrival lastInput(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    const InputArrival own = arrivalOf(plan, trace, stage, trace.dependencies->upstream[at(stage)][at(operation)], cls);
    const OperationRef partner = trace.dependencies->partnerUpstream[at(stage)][at(operation)];
    // A pair's own forward may be the partner's input; it is inside the pair.
    if (!partner.exists() || (partner.stage == stage && partner.operation >= operation)) return own;
    const InputArrival other = arrivalOf(plan, trace, stage, partner, cls);
    return other.arrived > own.arrived ? other : own;
}

TimeNs previousEnd(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    if (operation > 0) return trace.finishOf(stage, operation - 1, cls);
    return plan.hostAtStart.empty() ? 0 : plan.hostAtStart[at(stage)];
}

namespace {

/// When everything that an operation needs but its data is there.
TimeNs readyWithoutData(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    TimeNs t = std::max(previousEnd(plan, trace, stage, operation, cls), lastInput(plan, trace, stage, operation, cls).arrived);
    const ScheduledOperation &scheduled = plan.schedule.order[at(stage)][at(operation)];
    if (scheduled.kind == OperationKind::Forward) t = std::max(t, trace.gatherEnd[at(stage)][at(scheduled.chunk)]);
    return t;
}

TimeNs dataReadyOf(const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    if (trace.dataReady.empty()) return 0;
    const std::int32_t index = trace.loadIndex[at(stage)][at(operation)];
    return index == kNone ? 0 : trace.dataReady[at(stage)][at(index) * at(trace.classes) + at(cls)];
}

} // namespace

TimeNs dataWaitOf(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    const TimeNs ready = dataReadyOf(trace, stage, operation, cls);
    return ready == 0 ? 0 : std::max<TimeNs>(0, ready - readyWithoutData(plan, trace, stage, operation, cls));
}

TimeNs startOfOperation(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    return std::max(readyWithoutData(plan, trace, stage, operation, cls), dataReadyOf(trace, stage, operation, cls));
}

Trace executePlan(const IterationPlan &plan, bool share, const std::stop_token &stop, const Trace *twin)
{
    return execute(plan, plan.perturbed(), share, stop, twin);
}

Trace executeUnperturbed(const IterationPlan &plan, bool share, const std::stop_token &stop) { return execute(plan, false, share, stop); }

Run runPlan(IterationPlan plan, std::shared_ptr<const Trace> twin)
{
    Run run;
    run.plan = std::move(plan);
    if (run.plan.perturbed()) run.twin = twin ? std::move(twin) : std::make_shared<const Trace>(executeUnperturbed(run.plan));
    run.trace = executePlan(run.plan, true, {}, run.twin.get());
    return run;
}

} // namespace clusterbeat
