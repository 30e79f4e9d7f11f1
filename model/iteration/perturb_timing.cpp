// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/perturb_timing.h"

#include "model/base/index.h"
#include "model/base/random.h"
#include "model/base/saturated.h"
#include "model/iteration/host_pauses.h"
#include "model/workload/documents.h"

#include <algorithm>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::uint64_t kDocumentPurpose = 0x646f63756d656e01ULL;
constexpr std::uint64_t kDataPurpose = 0x64617461776f0001ULL;
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
    HostPauses pauses(plan, twin);
    pauses.add(perturbation, positions);
    pauses.place(plan);
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
