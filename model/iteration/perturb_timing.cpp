// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/perturb_timing.h"

#include "model/base/index.h"
#include "model/base/random.h"
#include "model/base/saturated.h"
#include "model/workload/documents.h"

#include <algorithm>
#include <map>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::uint64_t kPausePurpose = 0x6763706175736501ULL;
constexpr std::uint64_t kDocumentPurpose = 0x646f63756d656e01ULL;
constexpr std::uint64_t kDataPurpose = 0x64617461776f0001ULL;
constexpr std::uint64_t kAllHosts = ~std::uint64_t{0};
constexpr double kMostWarmUpSlowness = 1e4;
/// Attention of one micro-batch over the mean: no draw is longer.
constexpr double kMostAttention = 1e3;
constexpr double kLongestLoadS = 1e6;

struct StageReplica {
    std::int32_t stage = 0, replica = 0;
};

StageReplica placeOf(const IterationPlan &plan, std::size_t position)
{
    const std::size_t group = position / at(plan.groupSize);
    return {static_cast<std::int32_t>(group / at(plan.replicas)), static_cast<std::int32_t>(group % at(plan.replicas))};
}

std::vector<std::size_t> replicasOf(const IterationPlan &plan, const std::vector<std::size_t> &positions)
{
    std::vector<std::uint8_t> holds(at(plan.replicas), 0);
    for (const std::size_t position : positions)
        holds[at(placeOf(plan, position).replica)] = 1;
    std::vector<std::size_t> replicas;
    for (std::size_t replica = 0; replica < holds.size(); ++replica)
        if (holds[replica] != 0) replicas.push_back(replica);
    return replicas;
}

/// Instants phase + n * every, n any integer.
struct Instants {
    TimeNs phase = 0, every = 1;
    /// Index of the first instant at or after t.
    [[nodiscard]] TimeNs firstFrom(TimeNs t) const
    {
        const TimeNs distance = t - phase;
        return distance >= 0 ? (distance + every - 1) / every : -(-distance / every);
    }
    [[nodiscard]] TimeNs at(TimeNs index) const { return phase + index * every; }
};

/// Nanoseconds that pauses add to a slot [start, end) that follows a wait since `free`.
TimeNs pausesOfSlot(const Instants &instants, TimeNs pause, TimeNs free, TimeNs start, TimeNs end)
{
    const TimeNs first = instants.firstFrom(start);
    const TimeNs inside = (instants.firstFrom(end) - first) * pause;
    const TimeNs before = instants.at(first - 1);   // pauses are shorter than their distance: at most the last outlasts the wait
    return inside + (before >= free ? std::max<TimeNs>(0, before + pause - start) : 0);
}

/// What runs between which instants in the unperturbed run, after a wait since `free`.
struct Slot {
    std::int32_t operation = 0;
    TimeNs free = 0, start = 0, end = 0;
};

std::vector<Slot> slotsOf(const IterationPlan &plan, const Trace &twin, std::int32_t stage, std::int32_t cls)
{
    std::vector<Slot> slots;
    const auto operations = static_cast<std::int32_t>(plan.schedule.order[at(stage)].size());
    TimeNs free = twin.originOf(stage, cls);   // earlier pauses lengthened the iteration before
    for (std::int32_t k = 0; k < operations; ++k) {
        const TimeNs end = twin.finishOf(stage, k, cls);
        slots.push_back({k, free, startOfOperation(plan, twin, stage, k, cls), end});
        free = end;
    }
    slots.push_back({kOptimizerOperation, free, twin.optimizerBegin[at(stage)], twin.optimizerEnd[at(stage)][at(cls)]});
    return slots;
}

/// Replaces `list`.
void pausesOf(const std::vector<Slot> &slots, const Instants &instants, TimeNs pause, std::vector<IterationPlan::Pause> &list)
{
    list.clear();
    for (const Slot &slot : slots)
        if (const TimeNs ns = pausesOfSlot(instants, pause, slot.free, slot.start, slot.end); ns > 0) list.push_back({slot.operation, ns});
}

/// Adds one rank's pauses to those it has; both in the rank's order, the optimizer last.
void mergePauses(std::vector<IterationPlan::Pause> &list, const std::vector<IterationPlan::Pause> &more)
{
    std::vector<IterationPlan::Pause> merged;
    const auto rank = [](const IterationPlan::Pause &pause) { return static_cast<std::uint32_t>(pause.operation); };   // -2 is last
    std::merge(list.begin(), list.end(), more.begin(), more.end(), std::back_inserter(merged),
               [&](const IterationPlan::Pause &a, const IterationPlan::Pause &b) { return rank(a) < rank(b); });
    list.clear();
    for (const IterationPlan::Pause &pause : merged) {
        if (!list.empty() && list.back().operation == pause.operation) list.back().ns = saturatedSum(list.back().ns, pause.ns);
        else list.push_back(pause);
    }
}

std::vector<std::uint8_t> affectedFlags(const IterationPlan &plan, const std::vector<std::size_t> &positions)
{
    if (positions.size() == static_cast<std::size_t>(plan.ranks())) return {};
    std::vector<std::uint8_t> affected(static_cast<std::size_t>(plan.ranks()), 0);
    for (const std::size_t position : positions)
        affected[position] = 1;
    return affected;
}

} // namespace

void addPauses(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const Trace &twin)
{
    const TimeNs every = toNs(perturbation.timing.everyS), pause = toNs(perturbation.timing.pauseS);
    if (pause <= 0) return;
    if (plan.pauses.empty()) plan.pauses.resize(static_cast<std::size_t>(plan.ranks()));
    std::map<std::pair<std::int32_t, std::int32_t>, std::vector<Slot>> slots;   // by stage and class
    std::vector<IterationPlan::Pause> own;
    for (const std::size_t position : positions) {
        const std::uint64_t host = perturbation.timing.aligned ? kAllHosts : position;
        const double phase = randomUniform(randomStream({static_cast<std::uint64_t>(perturbation.seed), host, kPausePurpose}), 0);
        const Instants instants{static_cast<TimeNs>(phase * static_cast<double>(every)), every};
        const StageReplica place = placeOf(plan, position);
        const std::int32_t cls = twin.classOfReplica[at(place.replica)];
        std::vector<Slot> &known = slots[{place.stage, cls}];
        if (known.empty()) known = slotsOf(plan, twin, place.stage, cls);
        pausesOf(known, instants, pause, own);
        mergePauses(plan.pauses[position], own);
    }
}

void addDocuments(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const TrainingSection &training)
{
    if (plan.attention.empty()) plan.attention.resize(at(plan.replicas));
    const auto count = static_cast<std::size_t>(plan.schedule.microBatches);
    for (const std::size_t replica : replicasOf(plan, positions)) {
        std::vector<double> &factors = plan.attention[replica];
        if (factors.empty()) factors.assign(count, 1.0);
        for (std::size_t m = 0; m < count; ++m) {
            const std::uint64_t stream = randomStream({static_cast<std::uint64_t>(perturbation.seed), replica * count + m, kDocumentPurpose});
            const double factor = perturbation.timing.drawDocuments ? drawnAttention(training, stream) : randomLognormal(stream, 0, perturbation.sigma);
            factors[m] = std::min(factors[m] * factor, kMostAttention);
        }
    }
}

void addSlowData(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    const TimingPerturbation &timing = perturbation.timing;
    if (plan.data.empty()) plan.data.resize(at(plan.replicas));
    const auto count = static_cast<std::size_t>(plan.schedule.microBatches);
    const auto prefetch = static_cast<std::int32_t>(timing.prefetch);
    for (const std::size_t replica : replicasOf(plan, positions)) {
        IterationPlan::DataLoading &data = plan.data[replica];
        data.prefetch = data.load.empty() ? prefetch : std::min(data.prefetch, prefetch);
        if (data.load.empty()) data.load.assign(count, 0);
        for (std::size_t m = 0; m < count; ++m) {
            const std::uint64_t stream = randomStream({static_cast<std::uint64_t>(perturbation.seed), replica * count + m, kDataPurpose});
            const double spread = timing.waitSigmaS > 0.0 ? randomLognormal(stream, 0, timing.waitSigmaS / timing.waitS) : 1.0;
            data.load[m] = saturatedSum(data.load[m], toNs(std::min(timing.waitS * spread, kLongestLoadS)));
        }
    }
}

void addCheckpoint(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const CampaignSection &campaign)
{
    const TimeNs stall = toNs(perturbation.timing.stallS.value_or(campaign.checkpointWriteS));
    if (stall <= 0) return;
    if (plan.checkpoint.empty()) plan.checkpoint.assign(static_cast<std::size_t>(plan.ranks()), 0);
    for (const std::size_t position : positions)
        plan.checkpoint[position] = saturatedSum(plan.checkpoint[position], stall);
}

void addWarmUp(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    constexpr std::int64_t most = 1 << 30;
    plan.warmUp.push_back({std::min(1.0 / perturbation.speed, kMostWarmUpSlowness),
                           static_cast<std::int32_t>(std::min(perturbation.timing.operations, most)),
                           static_cast<std::int32_t>(std::min(perturbation.timing.microBatches, most)), affectedFlags(plan, positions)});
}

void slowStorage(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    if (plan.checkpoint.empty()) return;
    for (const std::size_t position : positions)
        plan.checkpoint[position] = static_cast<TimeNs>(
            std::min(static_cast<double>(plan.checkpoint[position]) / perturbation.speed, static_cast<double>(kMostTimeNs)));
}

std::optional<Error> timingError(const PerturbationList &perturbations, const TrainingSection &training)
{
    const bool writes = std::any_of(perturbations.begin(), perturbations.end(), [](const Perturbation &each) {
        return each.kind == PerturbationKind::Checkpoint && each.enabled;
    });
    const bool masked = training.documents && training.documents->masked;
    for (std::size_t i = 0; i < perturbations.size(); ++i) {
        const Perturbation &each = perturbations[i];
        const std::string pointer = "/perturbations/" + std::to_string(i);
        if (!each.enabled) continue;
        if (each.kind == PerturbationKind::SlowStorage && !writes)
            return Error{ErrorCode::Contradiction, Place{{}, pointer + "/kind", 0, 0},
                         {std::string("kind"), std::string("slow_storage"), std::string("kind = checkpoint"), std::string("none")}};
        if (each.kind == PerturbationKind::DocumentImbalance && each.timing.drawDocuments && !masked)
            return Error{ErrorCode::MissingKey, Place{{}, pointer + "/sigma", 0, 0}, {std::string("sigma")}};
    }
    return std::nullopt;
}

} // namespace clusterbeat
