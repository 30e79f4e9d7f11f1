// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The recurrence of static-order simulation (event graphs without an event list): an operation starts when its
// predecessor on the rank and its upstream operation have finished,
//   end[s][k][c] = max(end[s][k-1][c], end[upstream][c] + transfer, gather[s][chunk]) + duration,
// evaluated for all classes of replicas c at once in one topological order.
#include "model/iteration/trace.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
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
            const ChunkSync sync = plan.sync.empty() ? ChunkSync{} : plan.sync[at(stage)][at(chunk)];
            t += sync.parameterGather;
            end[at(chunk)] = t - sync.gatherLead;
        }
        if (!plan.overlapData) std::fill(end.begin(), end.end(), t);
        trace.gatherBegin.push_back(std::move(begin));
        trace.gatherEnd.push_back(std::move(end));
    }
}

/// Durations of one operation for every class.
void operationDurations(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t k, const ReplicaClasses &classes,
                        bool perturbed, std::vector<TimeNs> &durations)
{
    const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(k)];
    const OperationShape &shape = plan.shapeOf(stage, operation);
    const TimeNs total = shape.total(), scaling = shape.scaling();
    const bool blocksOnSend = !plan.overlapPipeline && sendsOutput(plan.schedule, stage, operation);
    for (std::int32_t c = 0; c < trace.classes; ++c) {
        const std::int32_t replica = trace.representative[at(c)];
        TimeNs duration = total;
        if (perturbed) {
            const double factor = classes.fixedFactor(stage, c) ? classes.factor(stage, c) : trace.jitterFactors[at(stage)][at(c)].slowest[at(k)];
            duration += scaled(scaling, factor) - scaling;
        }
        if (blocksOnSend) duration += sendDuration(plan, stage, replica, operation);
        durations[at(c)] = duration;
    }
}

/// All random factors of the run, drawn once.
void drawJitter(const IterationPlan &plan, const ReplicaClasses &classes, const std::stop_token &stop, Trace &trace)
{
    trace.jitterFactors.assign(at(trace.stages), std::vector<GroupFactors>(at(trace.classes)));
    if (plan.jitter.empty() || classes.count() == 0) return;
    parallelFor(at(trace.stages), plan.threads, [&](std::size_t s) {
        const auto stage = static_cast<std::int32_t>(s);
        for (std::int32_t c = 0; c < trace.classes; ++c) {
            if (classes.fixedFactor(stage, c) || stop.stop_requested()) continue;
            trace.jitterFactors[s][at(c)] =
                groupFactors(plan, stage, trace.representative[at(c)], static_cast<std::int32_t>(plan.schedule.order[s].size()));
        }
    });
}

void executeOperations(const IterationPlan &plan, const ReplicaClasses &classes, bool perturbed, const std::stop_token &stop, Trace &trace)
{
    const std::size_t count = at(trace.classes);
    for (std::int32_t stage = 0; stage < trace.stages; ++stage)
        trace.finish.emplace_back(plan.schedule.order[at(stage)].size() * count, 0);
    std::vector<TimeNs> durations(count);
    std::size_t done = 0;
    for (const OperationRef &ref : trace.dependencies->order) {
        if (done++ % kOperationsBetweenChecks == 0 && stop.stop_requested()) return;
        operationDurations(plan, trace, ref.stage, ref.operation, classes, perturbed, durations);
        TimeNs *const end = &trace.finish[at(ref.stage)][at(ref.operation) * count];
        for (std::size_t c = 0; c < count; ++c)
            end[c] = startOfOperation(plan, trace, ref.stage, ref.operation, static_cast<std::int32_t>(c)) + durations[c];
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
            const ChunkSync sync = plan.sync.empty() ? ChunkSync{} : plan.sync[at(stage)][at(chunk)];
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
                duration = scaled(nominal, factor);
            }
            ends[at(c)] = trace.optimizerBegin[at(stage)] + duration;
            trace.iteration = std::max(trace.iteration, ends[at(c)] - trace.originOf(stage, c));
        }
        trace.optimizerEnd.push_back(std::move(ends));
    }
}

Trace execute(const IterationPlan &plan, bool perturbed, bool share, const std::stop_token &stop)
{
    Trace trace;
    trace.stages = plan.stages();
    trace.dependencies = std::make_shared<const Dependencies>(dependenciesOf(plan.schedule));
    const ReplicaClasses classes(plan, perturbed, share);
    trace.classes = classes.count();
    trace.classOfReplica = classes.classOfReplica();
    trace.representative = classes.representatives();
    placeGathers(plan, trace);
    drawJitter(plan, classes, stop, trace);
    if (stop.stop_requested()) return trace;
    executeOperations(plan, classes, perturbed, stop, trace);
    if (stop.stop_requested()) return trace;
    placeReductions(plan, trace);
    const bool needsOrigins = perturbed && !plan.optimizerSync;
    const std::optional<Trace> unperturbed = needsOrigins ? std::optional(execute(plan, false, share, stop)) : std::nullopt;
    placeOrigins(plan, unperturbed ? &*unperturbed : nullptr, trace);
    executeOptimizers(plan, classes, perturbed, trace);
    return trace;
}

} // namespace

TimeNs OperationShape::total() const
{
    TimeNs sum = 0;
    for (const Segment &segment : segments)
        sum += segment.ns;
    return sum;
}

TimeNs OperationShape::scaling() const
{
    TimeNs sum = 0;
    for (const Segment &segment : segments)
        sum += scalesWithSpeed(segment.category) ? segment.ns : 0;
    return sum;
}

TimeNs sendDuration(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, const ScheduledOperation &operation)
{
    const std::int32_t link = linkOf(plan.schedule, stage, operation);
    return link == kNone ? 0 : plan.transferOf(link, replica);
}

InputArrival arrivalOf(const IterationPlan &plan, const Trace &trace, std::int32_t stage, OperationRef input, std::int32_t cls)
{
    if (!input.exists()) return {};
    InputArrival arrival{input, 0, 0};
    const std::int32_t completes = trace.dependencies->completesWith[at(input.stage)][at(input.operation)];
    arrival.sent = arrival.arrived = trace.finishOf(input.stage, completes, cls);
    const std::int32_t link = trace.dependencies->link[at(input.stage)][at(input.operation)];
    if (plan.overlapPipeline && link != kNone && input.stage != stage) arrival.arrived += plan.transferOf(link, trace.representative[at(cls)]);
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

TimeNs startOfOperation(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    TimeNs t = std::max(previousEnd(plan, trace, stage, operation, cls), lastInput(plan, trace, stage, operation, cls).arrived);
    const ScheduledOperation &scheduled = plan.schedule.order[at(stage)][at(operation)];
    if (scheduled.kind == OperationKind::Forward) t = std::max(t, trace.gatherEnd[at(stage)][at(scheduled.chunk)]);
    return t;
}

Trace executePlan(const IterationPlan &plan, bool share, const std::stop_token &stop) { return execute(plan, plan.perturbed(), share, stop); }

Trace executeUnperturbed(const IterationPlan &plan, bool share, const std::stop_token &stop) { return execute(plan, false, share, stop); }

Run runPlan(IterationPlan plan, std::shared_ptr<const Trace> twin)
{
    Run run;
    run.plan = std::move(plan);
    run.trace = executePlan(run.plan);
    if (run.plan.perturbed()) run.twin = twin ? std::move(twin) : std::make_shared<const Trace>(executeUnperturbed(run.plan));
    return run;
}

} // namespace clusterbeat
