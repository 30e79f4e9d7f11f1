// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/gpu_link_state.h"

#include "model/network/link_state.h"

#include <algorithm>

namespace clusterbeat {
namespace {

bool reaches(const IterationResult &result, const Perturbation &perturbation, GpuIndex gpu)
{
    if (!result.placement) return false;
    const auto gpus = gpusOfTarget(*result.expansion, *result.placement, perturbation.target);
    return gpus.ok() && std::binary_search(gpus.value().begin(), gpus.value().end(), gpu);
}

} // namespace

GpuLinkState gpuLinkState(const IterationResult &result, GpuIndex gpu, LinkDomain domain)
{
    GpuLinkState state;
    if (!result.expansion || !result.expansion->graph) return state;
    state.exist = gpuHasLinks(*result.expansion, gpu, domain);
    if (!state.exist || !result.scenario) return state;
    const std::string path = result.expansion->pathOf(gpu);
    for (const Perturbation &each : result.scenario->perturbations) {
        if (!concernsLinks(each.kind) || each.link.domain != domain) continue;
        const bool own = each.target == path;
        if (!own && !reaches(result, each, gpu)) continue;
        const LinkPerturbation &link = each.link;
        state.shared = state.shared || !own;
        if (!link.to.empty() || link.cables || link.extraLatencyS > 0.0 || link.gbytesPerS.value_or(0.0) > 0.0) state.other = true;
        if (!link.to.empty() || link.cables) continue;
        if (each.kind == PerturbationKind::DeadLink) state.capacity = 0.0;
        else if (each.kind == PerturbationKind::DegradedLink) state.capacity *= link.capacity;
        else state.capacity *= 1.0 - link.share.value_or(0.0);
    }
    return state;
}

} // namespace clusterbeat
