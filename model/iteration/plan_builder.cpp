// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/plan_builder.h"

#include <algorithm>

namespace clusterbeat {
namespace {

std::size_t positionOf(const IterationPlan &plan, const Placement &placement, RankIndex rank)
{
    const RankCoordinates &c = placement.coordinates[static_cast<std::size_t>(rank)];
    return plan.position(c.pipeline, c.data, c.member);
}

constexpr double kMostSlowness = 1e4;
/// No draw of a double's uniform is further out.
constexpr double kMostNormal = 9.0;

void addSlowGpu(IterationPlan &plan, const Perturbation &perturbation, const std::vector<RankIndex> &ranks, const Placement &placement)
{
    if (plan.slowness.empty()) plan.slowness.assign(static_cast<std::size_t>(plan.ranks()), 1.0);
    for (const RankIndex rank : ranks) {
        // Several perturbations of one GPU multiply, down to the lowest speed that one of them may have.
        double &slowness = plan.slowness[positionOf(plan, placement, rank)];
        slowness = std::min(slowness / perturbation.speed, kMostSlowness);
    }
}

void addJitter(IterationPlan &plan, const Perturbation &perturbation, const std::vector<RankIndex> &ranks, const Placement &placement)
{
    IterationPlan::Jitter jitter{perturbation.sigma, static_cast<std::uint64_t>(perturbation.seed), {}};
    if (static_cast<std::int64_t>(ranks.size()) < plan.ranks()) {
        jitter.affected.assign(static_cast<std::size_t>(plan.ranks()), 0);
        for (const RankIndex rank : ranks)
            jitter.affected[positionOf(plan, placement, rank)] = 1;
    }
    plan.jitter.push_back(std::move(jitter));
}

// Searched orders are made for the times of a chunk in the middle of the model.
ScheduleHints scheduleHints(const ResolvedScenario &scenario, const WorkloadCosts &costs)
{
    ScheduleHints hints;
    hints.activationLimit = scenario.degrees.activationLimit;
    hints.microBatchGroup = static_cast<std::int32_t>(scenario.degrees.microBatchGroup);
    if (costs.inputGradient.empty()) return hints;
    const std::size_t middle = costs.forward.size() / 2;
    hints.forwardNs = costs.forward[middle].front().total();
    hints.inputGradientNs = costs.inputGradient[middle].front().total();
    hints.weightGradientNs = costs.weightGradient[middle].front().total();
    if (!costs.transfer.empty()) hints.transferNs = costs.transfer.front();
    return hints;
}

} // namespace

IterationPlan buildPlan(const ResolvedScenario &scenario, const WorkloadCosts &costs)
{
    const Degrees &degrees = scenario.degrees;
    IterationPlan plan;
    plan.schedule = degrees.custom ? *degrees.custom
                                   : makeSchedule(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline),
                                                  static_cast<std::int32_t>(degrees.virtualPipeline),
                                                  static_cast<std::int32_t>(scenario.microBatches), scheduleHints(scenario, costs));
    plan.replicas = static_cast<std::int32_t>(degrees.data);
    plan.groupSize = static_cast<std::int32_t>(degrees.groupSize());
    plan.forward = costs.forward;
    plan.backward = costs.backward;
    plan.inputGradient = costs.inputGradient;
    plan.weightGradient = costs.weightGradient;
    plan.sync = costs.sync;
    plan.optimizer = costs.optimizer;
    plan.hostAtStart = costs.hostAtStart;
    plan.transfer = costs.transfer;
    plan.optimizerSync = scenario.training.optimizerSync.value_or(true);
    plan.overlapData = degrees.overlapData;
    plan.overlapPipeline = degrees.overlapPipeline;
    return plan;
}

double longestSeconds(const IterationPlan &plan)
{
    const double slowest = plan.slowness.empty() ? 1.0 : *std::max_element(plan.slowness.begin(), plan.slowness.end());
    double jitter = 1.0, ns = 0.0;
    for (const IterationPlan::Jitter &random : plan.jitter)
        jitter *= 1.0 + kMostNormal * random.sigma;
    TimeNs transfer = 0;
    for (const TimeNs t : plan.transfer)
        transfer = std::max(transfer, t);
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
        const auto s = static_cast<std::size_t>(stage);
        for (const ScheduledOperation &operation : plan.schedule.order[s]) {
            double operationNs = static_cast<double>(transfer);
            for (const Segment &segment : plan.shapeOf(stage, operation).segments)
                operationNs += static_cast<double>(segment.ns);
            ns += operationNs * slowest * jitter;
        }
        for (const ChunkSync &sync : plan.sync[s])
            ns += static_cast<double>(sync.parameterGather) + static_cast<double>(sync.gradientReduce);
        ns += (static_cast<double>(plan.optimizer[s]) + static_cast<double>(plan.hostAtStart[s])) * slowest * jitter;
    }
    return ns / 1e9;
}

std::optional<Error> perturbPlan(IterationPlan &plan, const PerturbationList &perturbations, const Expansion &expansion,
                                 const Placement &placement)
{
    for (std::size_t i = 0; i < perturbations.size(); ++i) {
        const Perturbation &perturbation = perturbations[i];
        if (concernsLinks(perturbation.kind)) {
            Error error{ErrorCode::UnsupportedFeature, {}, {std::string("perturbations.kind"), std::string()}};
            error.place.pointer = "/perturbations/" + std::to_string(i) + "/kind";
            if (perturbation.enabled) return error;
            continue;
        }
        const bool everywhere = perturbation.kind == PerturbationKind::Jitter && perturbation.target.empty();
        const auto gpus = gpusOfTarget(expansion, placement, everywhere ? "**" : std::string_view(perturbation.target));
        if (!gpus.ok()) {
            Error error = gpus.error();
            error.place.pointer = "/perturbations/" + std::to_string(i) + "/target";
            return error;
        }
        if (!hasEffect(perturbation)) continue;
        std::vector<RankIndex> ranks;
        for (const GpuIndex gpu : gpus.value())
            if (placement.rankOfGpu[static_cast<std::size_t>(gpu)] != kNone) ranks.push_back(placement.rankOfGpu[static_cast<std::size_t>(gpu)]);
        if (ranks.empty()) continue;
        if (perturbation.kind == PerturbationKind::SlowGpu) addSlowGpu(plan, perturbation, ranks, placement);
        else addJitter(plan, perturbation, ranks, placement);
    }
    return std::nullopt;
}

} // namespace clusterbeat
