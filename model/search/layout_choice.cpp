// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/layout_choice.h"

#include "model/scenario/resolve_parts.h"

namespace clusterbeat
{

Scenario withLayout(const Scenario &scenario, const LayoutChoice &choice)
{
    auto layout = std::make_shared<LayoutSection>();
    layout->tensor = choice.tensor;
    layout->pipeline = choice.pipeline;
    layout->context = choice.context;
    layout->expert = choice.expert;
    layout->virtualPipeline = choice.virtualPipeline;
    layout->data = choice.data;
    layout->expertTensor = choice.expertTensor;
    layout->zeroStage = choice.zeroStage;
    if (choice.shardGroup > 0) layout->shardGroup = choice.shardGroup;
    layout->schedule = choice.schedule;
    const LayoutSection &given = *scenario.layout;
    layout->sequenceParallel = given.sequenceParallel;
    layout->embeddingAsLayer = given.embeddingAsLayer;
    layout->headAsLayer = given.headAsLayer;
    layout->contextExchange = given.contextExchange;
    layout->order = given.order;
    layout->overlapData = given.overlapData;
    layout->overlapPipeline = given.overlapPipeline;
    auto training = std::make_shared<TrainingSection>(*scenario.training);
    training->microBatch = choice.microBatch;
    training->recompute = Recompute{choice.recompute, choice.recomputeLayers, {}};
    Scenario result = scenario;
    result.layout = std::move(layout);
    result.training = std::move(training);
    result.perturbations = std::make_shared<const PerturbationList>();
    return result;
}

Result<LayoutResolver> LayoutResolver::make(const Scenario &scenario, const Catalogue &catalogue)
{
    // One GPU holds some copy of any model; whether it fits is not a rule.
    Scenario single = withLayout(scenario, LayoutChoice{});
    auto resolved = resolve(single, catalogue);
    if (!resolved.ok()) return resolved.error();
    return LayoutResolver(std::move(single), std::move(resolved).value());
}

std::int64_t LayoutResolver::usableGpus() const
{
    return clusterbeat::usableGpus(m_base.cluster);
}

bool LayoutResolver::resolveInto(const LayoutChoice &choice, ResolvedScenario &resolved) const
{
    const Scenario scenario = withLayout(m_scenario, choice);
    if (refuseUnsupported(scenario)) return false;
    resolved.training.microBatch = choice.microBatch;
    resolved.training.recompute = scenario.training->recompute;
    resolved.notices.clear();
    return !resolveLayout(scenario, resolved).has_value();
}

} // namespace clusterbeat
