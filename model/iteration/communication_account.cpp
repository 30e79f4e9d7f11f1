// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/communication_account.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/iteration/attribution.h"
#include "model/iteration/group_timeline.h"
#include "model/iteration/operation_pieces.h"
#include "model/iteration/peer_wait.h"

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr std::size_t kKinds = 4;
constexpr double kNs = 1e9;

std::size_t indexOf(Dimension dimension) { return static_cast<std::size_t>(dimension); }

double exposedInside(const OperationShape &shape, Category category)
{
    double ns = 0.0;
    for (const Segment &segment : shape.segments)
        if (segment.category == category) ns += static_cast<double>(segment.ns);
    return ns;
}

/// Calls each(begin, end) for the parts of an interval inside the window [origin, origin + iteration), moved into it by whole
/// iterations: what lies outside belongs to the iteration before or after, which is the same.
template <typename Each>
void forWindow(const GroupTimeline &timeline, TimeNs iteration, TimeNs begin, TimeNs end, Each &&each)
{
    const TimeNs origin = timeline.origin();
    for (const TimeNs shift : {-iteration, TimeNs{0}, iteration}) {
        const TimeNs b = std::max(begin + shift, origin), e = std::min(end + shift, origin + iteration);
        if (e > b) each(b, e);
    }
}

} // namespace

Category exposedCategory(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Tensor: return Category::ExposedTp;
    case Dimension::Context: return Category::ExposedCp;
    case Dimension::Expert: return Category::ExposedEp;
    case Dimension::Data: return Category::ExposedDp;
    case Dimension::Pipeline: break;
    }
    return Category::ExposedPp;
}

/// A rank, or with member kNone the mean rank of its group.
struct CommunicationAccount::Group {
    Group(const Run &run, std::int32_t stageOf, std::int32_t replicaOf, std::int32_t memberOf)
        : timeline(run, stageOf, replicaOf), stage(stageOf), replica(replicaOf), member(memberOf), cls(run.trace.classOfReplica[at(replicaOf)]),
          varies(run.plan.perturbed() && variesByOperation(run.plan, stageOf, replicaOf))
    {
        if (varies || !run.plan.perturbed()) return;
        factor = 0.0;
        const IterationPlan &plan = run.plan;
        if (member != kNone) factor = memberFactor(plan, stage, replica, member, 0);
        for (std::int32_t m = 0; m < plan.groupSize && member == kNone; ++m)
            factor += memberFactor(plan, stage, replica, m, 0) / plan.groupSize;
    }
    GroupTimeline timeline;
    std::int32_t stage, replica, member, cls;
    bool varies;
    double factor = 1.0;
};

CommunicationAccount::CommunicationAccount(const IterationResult &result) : m_result(result), m_parts(result.run.plan) { fillHidden(); }

// Of a split backward the input gradient's compute comes first; what does not fit behind it runs behind the weight gradient.
void CommunicationAccount::fillHidden()
{
    const IterationPlan &plan = m_result.run.plan;
    const std::size_t chunks = at(plan.schedule.chunks);
    m_hidden.assign(at(plan.stages()) * chunks * kKinds, {});
    if (m_result.passes.size() < at(plan.stages()) * chunks) return;
    const auto fill = [&](std::size_t place, std::int32_t stage, std::size_t chunk, const std::array<double, kDimensionCount> &busyS,
                          std::initializer_list<OperationKind> kinds) {
        for (const Dimension dimension : {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data}) {
            double rest = busyS[indexOf(dimension)] * kNs;
            for (const OperationKind kind : kinds) {
                const auto &shapes = plan.shapesOf(kind);
                if (at(stage) < shapes.size() && chunk < shapes[at(stage)].size())
                    rest -= exposedInside(shapes[at(stage)][chunk], exposedCategory(dimension));
            }
            for (const OperationKind kind : kinds) {
                const auto &shapes = plan.shapesOf(kind);
                if (at(stage) >= shapes.size() || chunk >= shapes[at(stage)].size()) continue;
                const double compute = static_cast<double>(shapes[at(stage)][chunk].scaling());
                const double hidden = std::clamp(rest, 0.0, compute);
                m_hidden[place + static_cast<std::size_t>(kind)][indexOf(dimension)] = hidden;
                rest -= hidden;
            }
        }
    };
    const bool split = splitsBackwardIn(plan.schedule);
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage)
        for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
            const PassSeconds &pass = m_result.passes[at(stage) * chunks + chunk];
            const std::size_t place = (at(stage) * chunks + chunk) * kKinds;
            fill(place, stage, chunk, pass.forward, {OperationKind::Forward});
            fill(place, stage, chunk, pass.backward, {OperationKind::Backward});
            if (split) fill(place, stage, chunk, pass.backward, {OperationKind::InputGradient, OperationKind::WeightGradient});
        }
}

const std::array<double, kDimensionCount> &CommunicationAccount::hiddenInside(std::int32_t stage, const ScheduledOperation &operation) const
{
    return m_hidden[(at(stage) * at(m_result.run.plan.schedule.chunks) + at(operation.chunk)) * kKinds + static_cast<std::size_t>(operation.kind)];
}

/// Compute of an operation or of the optimizer step, nanoseconds.
double CommunicationAccount::computeOf(const Group &group, std::int32_t slot) const
{
    const IterationPlan &plan = m_result.run.plan;
    const bool optimizer = slot == group.timeline.optimizerSlot();
    if (slot > group.timeline.optimizerSlot()) return 0.0;
    double factor = group.factor, documents = 1.0;
    if (group.varies) {
        const std::int32_t operation = optimizer ? kOptimizerOperation : slot;
        if (group.member != kNone) factor = memberFactor(plan, group.stage, group.replica, group.member, operation);
        else if (!optimizer) factor = m_result.run.trace.factors[at(group.stage)][at(group.cls)].mean[at(slot)];
        if (!optimizer) documents = attentionFactor(plan, group.stage, group.replica, operation);
    }
    const double length = static_cast<double>(group.timeline.end(slot) - group.timeline.start(slot));
    if (optimizer) return std::min(length, plan.optimizer.empty() ? 0.0 : static_cast<double>(plan.optimizer[at(group.stage)]) * factor);
    const ScheduledOperation &operation = plan.schedule.order[at(group.stage)][at(slot)];
    const ShapeParts &parts = m_parts.of(plan, group.stage, group.replica, m_parts.keyOf(operation));
    return std::min(length, (parts.scaling + parts.attention * (documents - 1.0)) * factor);
}

double CommunicationAccount::behindCompute(const Group &group, TimeNs begin, TimeNs end) const
{
    double hidden = 0.0;
    const GroupTimeline &timeline = group.timeline;
    forWindow(timeline, m_result.run.trace.iteration, begin, end, [&](TimeNs b, TimeNs e) {
        for (std::int32_t slot = timeline.slotAt(b); slot <= timeline.optimizerSlot() && timeline.start(slot) < e; ++slot) {
            const TimeNs from = timeline.start(slot), to = timeline.end(slot);
            const TimeNs both = std::min(e, to) - std::max(b, from);
            if (both > 0) hidden += computeOf(group, slot) * (static_cast<double>(both) / static_cast<double>(to - from));
        }
    });
    return hidden;
}

// An input is there when its operation begins, so only operations before it run meanwhile: no search. What reaches beyond the
// rank's window takes the general way.
double CommunicationAccount::behindBefore(const Group &group, std::int32_t operation, TimeNs begin, TimeNs end) const
{
    const GroupTimeline &timeline = group.timeline;
    if (end <= begin) return 0.0;
    if (begin < timeline.origin()) return behindCompute(group, begin, end);
    double hidden = 0.0;
    for (std::int32_t slot = operation - 1; slot >= 0 && timeline.end(slot) > begin; --slot) {
        const TimeNs from = timeline.start(slot), to = timeline.end(slot), both = std::min(end, to) - std::max(begin, from);
        if (both > 0) hidden += computeOf(group, slot) * (static_cast<double>(both) / static_cast<double>(to - from));
    }
    return hidden;
}

template <typename Each>
void CommunicationAccount::forSync(const Group &group, Each &&each) const
{
    const Run &run = m_result.run;
    for (std::int32_t chunk = 0; chunk < run.plan.schedule.chunks; ++chunk) {
        const TimeNs gather = run.trace.gatherBegin[at(group.stage)][at(chunk)];
        each(gather, gather + run.plan.syncOf(group.stage, chunk).parameterGather);
        each(run.trace.reduceBegin[at(group.stage)][at(chunk)], run.trace.reduceEnd[at(group.stage)][at(chunk)]);
    }
}

/// The transfers that a rank receives, when they run behind compute.
template <typename Each>
void CommunicationAccount::forArrivals(const Group &group, Each &&each) const
{
    const Run &run = m_result.run;
    const Dependencies &dependencies = *run.trace.dependencies;
    for (std::size_t k = 0; k < run.plan.schedule.order[at(group.stage)].size() && run.plan.overlapPipeline; ++k)
        for (const OperationRef input : {dependencies.upstream[at(group.stage)][k], dependencies.partnerUpstream[at(group.stage)][k]}) {
            if (!input.exists() || input.stage == group.stage) continue;
            const std::int32_t completes = dependencies.completesWith[at(input.stage)][at(input.operation)];
            const std::int32_t link = dependencies.link[at(input.stage)][at(input.operation)];
            const TimeNs sent = run.trace.finishOf(input.stage, completes, group.cls);
            each(static_cast<std::int32_t>(k), sent, sent + (link == kNone ? 0 : run.plan.transferOf(link, group.replica)));
        }
}

CommunicationAccount::Streams CommunicationAccount::syncOf(const Group &group) const
{
    Streams streams;
    forSync(group, [&](TimeNs begin, TimeNs end) {
        if (end <= begin) return;
        streams.busyNs += static_cast<double>(end - begin);
        streams.hiddenNs += behindCompute(group, begin, end);
    });
    return streams;
}

CommunicationAccount::Streams CommunicationAccount::transfersOf(const Group &group) const
{
    const IterationPlan &plan = m_result.run.plan;
    Streams streams;
    if (!plan.overlapPipeline)
        for (const ScheduledOperation &operation : plan.schedule.order[at(group.stage)])
            if (sendsOutput(plan.schedule, group.stage, operation))
                streams.busyNs += static_cast<double>(sendDuration(plan, group.stage, group.replica, operation));
    forArrivals(group, [&](std::int32_t operation, TimeNs begin, TimeNs end) {
        streams.busyNs += static_cast<double>(end - begin);
        streams.hiddenNs += behindBefore(group, operation, begin, end);
    });
    return streams;
}

double CommunicationAccount::hiddenBetween(std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs begin, TimeNs end) const
{
    const Group group(m_result.run, stage, replica, member);
    const GroupTimeline &timeline = group.timeline;
    const TimeNs iteration = m_result.run.trace.iteration;
    double hidden = 0.0;
    forWindow(timeline, iteration, begin, end, [&](TimeNs b, TimeNs e) {
        for (std::int32_t slot = timeline.slotAt(b); slot < timeline.operations() && timeline.start(slot) < e; ++slot) {
            const TimeNs from = timeline.start(slot), to = timeline.end(slot), both = std::min(e, to) - std::max(b, from);
            if (both <= 0) continue;
            for (const double ns : hiddenInside(stage, m_result.run.plan.schedule.order[at(stage)][at(slot)]))
                hidden += ns * (static_cast<double>(both) / static_cast<double>(to - from));
        }
        const auto stream = [&, b, e](TimeNs from, TimeNs to) {
            forWindow(timeline, iteration, from, to, [&](TimeNs inFrom, TimeNs inTo) {
                if (std::min(e, inTo) > std::max(b, inFrom)) hidden += behindCompute(group, std::max(b, inFrom), std::min(e, inTo));
            });
        };
        forSync(group, stream);
        forArrivals(group, [&](std::int32_t, TimeNs from, TimeNs to) { stream(from, to); });
    });
    return hidden;
}

// The same for all members of a group: what scales with a GPU's speed is compute.
std::array<double, kDimensionCount> CommunicationAccount::exposedOf(const Group &group) const
{
    const IterationPlan &plan = m_result.run.plan;
    CategoryTimes waited{};
    std::vector<Wait> waits;
    for (std::int32_t slot = 0; slot <= group.timeline.endSlot(); ++slot) {
        group.timeline.waitBefore(slot, waits);
        for (const Wait &wait : waits) waited[categoryIndex(wait.category)] += wait.ns;
    }
    const CategoryTimes fixed = fixedTimesOfGroup(m_result.run, group.stage, group.replica);
    std::array<double, kCategoryCount> ns{};
    for (std::size_t c = 0; c < kCategoryCount; ++c) ns[c] = static_cast<double>(waited[c] + fixed[c]);
    for (const ScheduledOperation &operation : plan.schedule.order[at(group.stage)])
        for (const ShapePart &part : m_parts.of(plan, group.stage, group.replica, m_parts.keyOf(operation)).parts) ns[part.category] += part.fixed;
    std::array<double, kDimensionCount> exposed{};
    for (std::size_t d = 0; d < kDimensionCount; ++d) exposed[d] = ns[categoryIndex(exposedCategory(static_cast<Dimension>(d)))];
    return exposed;
}

/// What the shapes of a group's operations say: exposed and hidden collectives.
CommunicationAccount::Sums CommunicationAccount::insideOf(const Group &group) const
{
    const IterationPlan &plan = m_result.run.plan;
    Sums sums;
    std::vector<double> counts(m_parts.keys(), 0.0);
    std::vector<const ScheduledOperation *> first(m_parts.keys(), nullptr);
    for (const ScheduledOperation &operation : plan.schedule.order[at(group.stage)]) {
        const std::size_t key = m_parts.keyOf(operation);
        counts[key] += 1.0;
        first[key] = &operation;
    }
    for (std::size_t key = 0; key < counts.size(); ++key) {
        if (!first[key]) continue;
        const auto &inside = hiddenInside(group.stage, *first[key]);
        for (std::size_t d = 0; d < kDimensionCount; ++d) sums.hidden[d] += counts[key] * inside[d];
        for (const ShapePart &part : m_parts.of(plan, group.stage, group.replica, key).parts)
            for (std::size_t d = 0; d < kDimensionCount; ++d)
                if (part.category == categoryIndex(exposedCategory(static_cast<Dimension>(d)))) sums.busy[d] += counts[key] * part.fixed;
    }
    for (std::size_t d = 0; d < kDimensionCount; ++d) sums.busy[d] += sums.hidden[d];
    return sums;
}

CommunicationAccount::Sums CommunicationAccount::sumsOf(const Group &group) const
{
    Sums sums = insideOf(group);
    const auto add = [&](Dimension dimension, const Streams &streams) {
        sums.busy[indexOf(dimension)] += streams.busyNs;
        sums.hidden[indexOf(dimension)] += streams.hiddenNs;
    };
    add(Dimension::Data, syncOf(group));
    add(Dimension::Pipeline, transfersOf(group));
    return sums;
}

namespace {

/// A wait that the unperturbed run has too keeps its category, wherever the reduction lies now: exposed time comes first.
CommunicationTimes partsOf(double busy, double hidden, double exposed)
{
    CommunicationTimes times;
    times.busyS = std::max(busy, exposed) / kNs;
    times.exposedS = exposed / kNs;
    times.hiddenS = std::min(hidden, std::max(busy, exposed) - exposed) / kNs;
    times.idleS = std::max(0.0, times.busyS - times.hiddenS - times.exposedS);
    return times;
}

} // namespace

// Collectives of a dimension are alike, so their start-up is the same part of each rank's time.
void CommunicationAccount::addStartup(DimensionTimes &times) const
{
    for (CommunicationTimes &each : times) each.transferS = each.busyS;
    for (const DimensionReport &report : m_result.communication) {
        CommunicationTimes &each = times[indexOf(report.dimension)];
        each.startupS = report.busyS > 0.0 ? each.busyS * (report.startupS / report.busyS) : 0.0;
        each.transferS = each.busyS - each.startupS;
    }
}

DimensionTimes CommunicationAccount::ofRank(std::int32_t stage, std::int32_t replica, std::int32_t member) const
{
    const Group group(m_result.run, stage, replica, member);
    const Sums sums = sumsOf(group);
    const std::array<double, kDimensionCount> exposed = exposedOf(group);
    DimensionTimes times{};
    for (std::size_t d = 0; d < kDimensionCount; ++d) times[d] = partsOf(sums.busy[d], sums.hidden[d], exposed[d]);
    addStartup(times);
    const PeerWaits waits = peerWaitsOfRank(m_result, stage, replica, member);
    for (std::size_t d = 0; d < kDimensionCount; ++d) times[d].peerWaitS = waits.of(static_cast<Dimension>(d));
    return times;
}

CommunicationSummary CommunicationAccount::summary(const std::stop_token &stop) const
{
    const Run &run = m_result.run;
    CommunicationSummary summary;
    summary.fullestRank.fill(kNone);
    std::vector<double> replicasOfClass(at(run.trace.classes), 0.0);
    for (const std::int32_t cls : run.trace.classOfReplica) replicasOfClass[at(cls)] += 1.0;
    const double groups = static_cast<double>(run.plan.stages()) * run.plan.replicas;
    const std::size_t stages = at(run.plan.stages());
    std::vector<Sums> ofGroup(at(run.trace.classes) * stages);
    parallelFor(at(run.trace.classes), run.plan.threads, [&](std::size_t cls) {
        for (std::size_t stage = 0; stage < stages && !stop.stop_requested(); ++stage)
            ofGroup[cls * stages + stage] = sumsOf(Group(run, static_cast<std::int32_t>(stage), run.trace.representative[cls], kNone));
    });
    Sums mean;
    std::array<RankPosition, kDimensionCount> fullest{};
    std::array<double, kDimensionCount> most{};
    for (std::size_t cls = 0; cls < at(run.trace.classes); ++cls)
        for (std::size_t stage = 0; stage < stages; ++stage)
            for (std::size_t d = 0; d < kDimensionCount; ++d) {
                const Sums &sums = ofGroup[cls * stages + stage];
                mean.busy[d] += sums.busy[d] * replicasOfClass[cls] / groups;
                mean.hidden[d] += sums.hidden[d] * replicasOfClass[cls] / groups;
                if (sums.busy[d] <= most[d]) continue;
                most[d] = sums.busy[d];
                fullest[d] = {static_cast<std::int32_t>(stage), run.trace.representative[cls], 0};
            }
    const PeerWaits waits = peerWaitsOf(m_result);
    for (std::size_t d = 0; d < kDimensionCount; ++d) {
        const double exposed = m_result.metrics.breakdownS[categoryIndex(exposedCategory(static_cast<Dimension>(d)))] * kNs;
        summary.mean[d] = partsOf(mean.busy[d], mean.hidden[d], exposed);
        summary.mean[d].peerWaitS = waits.of(static_cast<Dimension>(d));
        if (!(most[d] > 0.0) || stop.stop_requested()) continue;
        summary.fullest[d] = ofRank(fullest[d].stage, fullest[d].replica, 0)[d];
        summary.fullestRank[d] = m_result.placement->rankAt(fullest[d].stage, fullest[d].replica, 0);
    }
    addStartup(summary.mean);
    return summary;
}

// From the end of an operation to its receiver's first use: what the receiver waits for it is exposed.
CommunicationShare CommunicationAccount::shareOfSend(std::int32_t stage, std::int32_t replica, std::int32_t member, const CommunicationSpan &span) const
{
    const Run &run = m_result.run;
    const TimeNs length = span.end - span.begin;
    if (!run.plan.overlapPipeline) return {0, length, 0};
    const bool forward = span.kind == CommunicationKind::SendForward;
    const auto &order = run.plan.schedule.order[at(stage)];
    const auto sender = std::find_if(order.begin(), order.end(), [&](const ScheduledOperation &operation) {
        return operation.chunk == span.chunk && operation.microBatch == span.microBatch && (operation.kind == OperationKind::Forward) == forward &&
               sendsOutput(run.plan.schedule, stage, operation);
    });
    if (sender == order.end()) return {0, 0, length};
    const OperationRef to = run.trace.dependencies->downstream[at(stage)][static_cast<std::size_t>(sender - order.begin())];
    if (!to.exists()) return {0, 0, length};
    const Group receiver(run, to.stage, replica, member);
    std::vector<Wait> waits;
    receiver.timeline.waitBefore(to.operation, waits);
    TimeNs exposed = 0;
    for (const Wait &wait : waits)
        if (wait.category == Category::ExposedPp) exposed += wait.ns;
    exposed = std::min(exposed, length);
    const TimeNs hidden = std::min(length - exposed, static_cast<TimeNs>(behindCompute(receiver, span.begin, span.end)));
    return {hidden, exposed, length - exposed - hidden};
}

CommunicationShare CommunicationAccount::shareOf(std::int32_t stage, std::int32_t replica, std::int32_t member, const CommunicationSpan &span) const
{
    if (span.kind == CommunicationKind::SendForward || span.kind == CommunicationKind::SendBackward) return shareOfSend(stage, replica, member, span);
    const Group group(m_result.run, stage, replica, member);
    const TimeNs length = span.end - span.begin;
    TimeNs exposed = 0;
    std::vector<Wait> waits;
    forWindow(group.timeline, m_result.run.trace.iteration, span.begin, span.end, [&](TimeNs b, TimeNs e) {
        for (std::int32_t slot = group.timeline.slotAt(b); slot <= group.timeline.optimizerSlot() && group.timeline.waitBegin(slot) < e; ++slot) {
            group.timeline.waitBefore(slot, waits);
            TimeNs clock = group.timeline.waitBegin(slot);
            for (const Wait &wait : waits) {
                if (wait.category == Category::ExposedDp) exposed += std::max<TimeNs>(0, std::min(e, clock + wait.ns) - std::max(b, clock));
                clock += wait.ns;
            }
        }
    });
    const TimeNs hidden = std::min(length - exposed, static_cast<TimeNs>(behindCompute(group, span.begin, span.end)));
    return {hidden, exposed, length - exposed - hidden};
}

} // namespace clusterbeat
