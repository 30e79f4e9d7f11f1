// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/units.h"
#include "model/iteration/category.h"
#include "model/iteration/plan.h"
#include "model/iteration/speed.h"
#include "model/layout/dependencies.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace clusterbeat {

using CategoryTimes = std::array<TimeNs, kCategoryCount>;

/// Finish times only; everything else is derived. Replicas that provably behave alike share one class.
struct Trace {
    std::int32_t stages = 0, classes = 0;
    bool nominal = true;                             ///< executed without perturbations
    std::vector<std::int32_t> classOfReplica;
    std::vector<std::int32_t> representative;        ///< the first replica of each class
    std::shared_ptr<const Dependencies> dependencies;
    std::vector<std::vector<TimeNs>> finish;         ///< [stage][operation * classes + class]
    std::vector<std::vector<TimeNs>> peerWait;       ///< as finish: part of the operation that its experts' peers in other replicas take longer; empty when none wait
    std::vector<std::vector<GroupFactors>> factors;  ///< [stage][class], of classes that vary by operation; else empty vectors
    std::vector<std::vector<std::int32_t>> loadIndex;          ///< [stage][operation], its place in the order of the data loader, kNone without input data; empty when data never wait
    std::vector<std::vector<TimeNs>> dataReady;      ///< [stage][load index * classes + class], when the micro-batch's data are loaded
    /// [stage][chunk], same for every replica; the end is when the chunk's first forward may start.
    std::vector<std::vector<TimeNs>> gatherBegin, gatherEnd;
    /// [stage][chunk]; begin: all replicas ready (less the lead) and the stream free.
    std::vector<std::vector<TimeNs>> reduceBegin, reduceEnd;
    std::vector<std::vector<std::int32_t>> reduceOrder;        ///< [stage] chunks in the order of the communication stream
    std::vector<TimeNs> optimizerBegin;              ///< [stage]: end of the gradient-norm exchange of all stages, or without optimizer_sync of the stage's own reductions
    std::vector<std::vector<TimeNs>> origin;         ///< [stage][class], begin of the rank's window; 0 with optimizer_sync
    std::vector<std::vector<TimeNs>> optimizerEnd;   ///< [stage][class]
    TimeNs iteration = 0;                            ///< length of every rank's window: it is [origin, origin + iteration)

    [[nodiscard]] TimeNs originOf(std::int32_t stage, std::int32_t cls) const { return origin[static_cast<std::size_t>(stage)][static_cast<std::size_t>(cls)]; }
    [[nodiscard]] TimeNs peerWaitOf(std::int32_t stage, std::int32_t operation, std::int32_t cls) const
    {
        if (peerWait.empty()) return 0;
        return peerWait[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation) * static_cast<std::size_t>(classes) +
                                                         static_cast<std::size_t>(cls)];
    }
    [[nodiscard]] TimeNs finishOf(std::int32_t stage, std::int32_t operation, std::int32_t cls) const
    {
        return finish[static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation) * static_cast<std::size_t>(classes) +
                                                       static_cast<std::size_t>(cls)];
    }
};

/// What ended an interval of waiting.
enum class EventKind : std::uint8_t { None, OperationEnd, Arrival, GatherEnd, ReduceEnd, Barrier, GroupPeer, IterationEnd, DataReady, CheckpointWritten };

/// A piece of a rank's compute stream; [begin, end), consecutive spans touch, they cover [0, iteration). Without
/// optimizer_sync the ranks run staggered: what lies beyond the iteration is shown at its beginning, where the same
/// operations of the iteration before end.
struct Span {
    TimeNs begin = 0, end = 0;
    Category category = Category::Bubble;
    std::int32_t operation = kNone;                  ///< index into schedule.order[stage], kNone for waits and the optimizer
    EventKind endedBy = EventKind::None;
};
/// A collective or transfer on a communication stream of one stage of one replica.
enum class CommunicationKind : std::uint8_t { ParameterGather, GradientReduce, SendForward, SendBackward };
struct CommunicationSpan {
    TimeNs begin = 0, end = 0;
    CommunicationKind kind = CommunicationKind::GradientReduce;
    std::int32_t chunk = 0;
    std::int32_t microBatch = kNone;
};

/// A run of the iteration together with its unperturbed twin.
struct Run {
    IterationPlan plan;
    Trace trace;
    std::shared_ptr<const Trace> twin;               ///< null when nothing is perturbed: the trace is its own twin

    [[nodiscard]] bool perturbed() const { return twin != nullptr; }
    [[nodiscard]] const Trace &unperturbed() const { return twin ? *twin : trace; }
};

/// Executes the plan in static schedule order. O(operations * classes). Needs an executable schedule (makeSchedule's
/// always are). `share` = false simulates every replica by itself (a test: the result is the same).
/// `twin`, when given, is the unperturbed trace of the same plan. Once `stop` is requested the trace is unfinished and of
/// no use.
[[nodiscard]] Trace executePlan(const IterationPlan &plan, bool share = true, const std::stop_token &stop = {}, const Trace *twin = nullptr);
/// The same without slowness and jitter.
[[nodiscard]] Trace executeUnperturbed(const IterationPlan &plan, bool share = true, const std::stop_token &stop = {});
/// The plan and its twin, if anything is perturbed. `twin`, when given, is the unperturbed trace of the same plan.
[[nodiscard]] Run runPlan(IterationPlan plan, std::shared_ptr<const Trace> twin = nullptr);

/// Time that one operation's output is on the wire, as the links are or (nominal) should be.
[[nodiscard]] TimeNs sendDuration(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, const ScheduledOperation &operation,
                                  bool nominal = false);
/// An operation's input: from which operation, when its sender had finished, when it was there (0 without one).
struct InputArrival {
    OperationRef from;
    TimeNs sent = 0, arrived = 0;
};
/// The input that came last (a joined pair has two).
[[nodiscard]] InputArrival lastInput(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls);
/// When the operation before it on the rank (or the host's fixed time) ended.
[[nodiscard]] TimeNs previousEnd(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls);
/// The part of the wait before an operation that is for its data alone: everything else it needs was there before.
[[nodiscard]] TimeNs dataWaitOf(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls);
[[nodiscard]] TimeNs startOfOperation(const IterationPlan &plan, const Trace &trace, std::int32_t stage, std::int32_t operation, std::int32_t cls);

/// Spans of a rank in [from, to), clipped to nothing: spans that overlap the range are returned whole.
/// O(log operations + spans returned * segments).
void spansOfRank(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member, TimeNs from, TimeNs to,
                 std::vector<Span> &out);
/// One span per operation (category of its kind; the operation's whole duration) and the waits between; for lanes.
void spansOfGroup(const Run &run, std::int32_t stage, std::int32_t replica, TimeNs from, TimeNs to, std::vector<Span> &out);
[[nodiscard]] std::vector<CommunicationSpan> communicationOfGroup(const Run &run, std::int32_t stage, std::int32_t replica);

/// Category of every rank position at an instant: out[(stage * replicas + replica) * groupSize + member].
void statesAt(const Run &run, TimeNs t, std::span<std::uint8_t> out);

/// Sums of one rank over the iteration; they add up to trace.iteration exactly.
[[nodiscard]] CategoryTimes categoryTimes(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member);

} // namespace clusterbeat
