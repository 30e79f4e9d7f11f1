// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/layout_evaluator.h"

#include "model/iteration/attribution.h"
#include "model/iteration/metrics.h"
#include "model/iteration/plan_builder.h"
#include "model/search/layout_bounds.h"
#include "model/search/parallel.h"

#include <algorithm>

namespace clusterbeat
{

void LayoutEvaluator::solveNetworks(const std::vector<LayoutChoice> &choices, unsigned threads,
                                    const std::stop_token &stop)
{
    std::vector<std::pair<NetworkModel *, LayoutChoice>> missing;
    for (const LayoutChoice &choice : choices) {
        const auto [entry, isNew] = m_networks.try_emplace(keyOf(choice));
        if (isNew) missing.emplace_back(&entry->second, choice);
    }
    forEachIndex(missing.size(), threads, 1, stop, [&](unsigned, std::size_t i) {
        ResolvedScenario resolved = m_resolver.base();
        if (!m_resolver.resolveInto(missing[i].second, resolved)) return;
        const Placement placement =
            place(resolved.degrees, m_expansion, resolved.cluster.gpusUsedPerDomain, resolved.cluster.scaleupDomain);
        *missing[i].first = networkModel(resolved, m_expansion, placement, m_constants);
    });
}

std::optional<LayoutEvaluator::Prepared> LayoutEvaluator::prepare(const LayoutChoice &choice,
                                                                  ResolvedScenario &scratch) const
{
    const auto network = m_networks.find(keyOf(choice));
    if (network == m_networks.end() || !network->second.connected || !m_resolver.resolveInto(choice, scratch))
        return std::nullopt;
    Prepared prepared{0, workloadCosts(scratch, m_constants, network->second)};
    prepared.lowerBound = iterationLowerBound(scratch, prepared.costs);
    return prepared;
}

IterationPlan LayoutEvaluator::plan(const Prepared &prepared, const ResolvedScenario &scratch) const
{
    return buildPlan(scratch, prepared.costs);
}

MemoryParts LayoutEvaluator::memory(const ResolvedScenario &scratch, const PipelineSchedule &schedule) const
{
    MemoryParts fullest;
    for (const StageMemory &stage : stageMemory(scratch, m_constants, schedule))
        if (stage.peak.total() > fullest.total()) fullest = stage.peak;
    return fullest;
}

LayoutDetail LayoutEvaluator::detail(const LayoutChoice &choice, ResolvedScenario &scratch) const
{
    LayoutDetail detail;
    detail.capacity = m_capacity;
    const auto prepared = prepare(choice, scratch);
    if (!prepared) return detail;
    Run run;
    run.plan = plan(*prepared, scratch);
    run.trace = executePlan(run.plan);
    detail.iteration = run.trace.iteration;
    detail.breakdownS = meanBreakdown(run);
    detail.memory = memory(scratch, run.plan.schedule);
    detail.gpus = run.plan.ranks();
    const double seconds = toSeconds(detail.iteration);
    const double tokens =
        static_cast<double>(scratch.training.globalBatch) * static_cast<double>(scratch.training.sequenceLength);
    const double tokensPerGpuSecond = seconds > 0.0 ? tokens / seconds / static_cast<double>(detail.gpus) : 0.0;
    const double peak = densePeakTflops(scratch.accelerator, scratch.training.precision) * 1e12;
    detail.tokensPerS = tokensPerGpuSecond * static_cast<double>(detail.gpus);
    detail.mfu =
        peak > 0.0 ? modelFlops(scratch.model, scratch.training).perTokenCausal * tokensPerGpuSecond / peak : 0.0;
    return detail;
}

} // namespace clusterbeat
