// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/scenario.h"

#include <tuple>

namespace clusterbeat
{
namespace
{

auto plainFields(const ClusterSection &c)
{
    return std::tie(c.templateName, c.acceleratorName, c.accelerator, c.gpus, c.gpusPerServer, c.scaleupDomain,
                    c.gpusUsedPerDomain, c.nicGbpsPerGpu, c.serversPerRack, c.racksPerPod, c.leaf,
                    c.podOversubscription, c.coreOversubscription, c.linkLatencyS, c.inNetworkReduction, c.ecmp, c.ecmpPaths,
                    c.ecmpSeed, c.exceptions);
}

template <typename T> bool sameValue(const std::shared_ptr<const T> &a, const std::shared_ptr<const T> &b)
{
    return a == b || (a && b && *a == *b);
}

} // namespace

bool operator==(const ClusterSection &a, const ClusterSection &b)
{
    return plainFields(a) == plainFields(b) && sameValue(a.blueprint, b.blueprint);
}

bool hasEffect(const Perturbation &perturbation)
{
    if (!perturbation.enabled) return false;
    const LinkPerturbation &link = perturbation.link;
    const TimingPerturbation &timing = perturbation.timing;
    switch (perturbation.kind) {
    case PerturbationKind::SlowGpu: return perturbation.speed < 1.0;
    case PerturbationKind::Jitter: return perturbation.sigma > 0.0;
    case PerturbationKind::DegradedLink: return link.capacity < 1.0 || link.extraLatencyS > 0.0;
    case PerturbationKind::DeadLink: return true;
    case PerturbationKind::GcPause: return timing.pauseS > 0.0;
    case PerturbationKind::DocumentImbalance: return perturbation.sigma > 0.0 || timing.drawDocuments;
    case PerturbationKind::SlowData: return timing.waitS > 0.0;
    case PerturbationKind::Checkpoint: return timing.stallS.value_or(1.0) > 0.0;
    case PerturbationKind::SlowStorage: return perturbation.speed < 1.0;
    case PerturbationKind::WarmUp: return perturbation.speed < 1.0 && (timing.operations > 0 || timing.microBatches > 0);
    case PerturbationKind::CompetingTraffic: return link.share.value_or(0.0) > 0.0 || link.gbytesPerS.value_or(0.0) > 0.0;
    }
    return false;
}

bool sameContent(const Scenario &a, const Scenario &b)
{
    return a.name == b.name && a.notes == b.notes && sameValue(a.model, b.model) && sameValue(a.training, b.training) &&
           sameValue(a.layout, b.layout) && sameValue(a.software, b.software) && sameValue(a.cluster, b.cluster) &&
           sameValue(a.perturbations, b.perturbations) && sameValue(a.campaign, b.campaign) &&
           sameValue(a.prices, b.prices);
}

} // namespace clusterbeat
