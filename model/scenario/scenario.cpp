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
                    c.podOversubscription, c.coreOversubscription, c.linkLatencyS, c.exceptions);
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

bool sameContent(const Scenario &a, const Scenario &b)
{
    return a.name == b.name && a.notes == b.notes && sameValue(a.model, b.model) && sameValue(a.training, b.training) &&
           sameValue(a.layout, b.layout) && sameValue(a.software, b.software) && sameValue(a.cluster, b.cluster) &&
           sameValue(a.perturbations, b.perturbations) && sameValue(a.campaign, b.campaign) &&
           sameValue(a.prices, b.prices);
}

} // namespace clusterbeat
