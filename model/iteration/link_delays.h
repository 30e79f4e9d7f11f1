// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/expansion.h"
#include "model/iteration/plan.h"
#include "model/layout/placement.h"
#include "model/network/network_phases.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

#include <memory>
#include <optional>

namespace clusterbeat {

/// Where the delays come from, kept while the structure stays: the phases with every link as it should be.
struct NominalNetwork {
    NetworkPhases phases;
    NetworkModel slowest;
};
[[nodiscard]] NominalNetwork nominalNetwork(const ResolvedScenario &scenario, const Expansion &expansion,
                                            const Placement &placement, const CostConstants &constants);

/// What the link perturbations of a list do to the durations of a plan; null when nothing. Every phase is shared out again
/// with the links as they are; the groups whose rate or way changed get their own durations. Order, algorithms and, unless
/// links are dead, routes stay. A dimension's collectives run at the rate of its slowest group: a group slower than that
/// runs at its own, and nothing gets faster, but for transfers between stages, which each have their own rate.
/// Errors: those of linkState(); NotConnected at /perturbations/i/target of the first dead link after which two ranks of
/// a group cannot reach each other. O(ranks * route length) and the costs of the stages touched.
[[nodiscard]] Result<std::shared_ptr<const LinkDelays>>
linkDelays(const PerturbationList &perturbations, const ResolvedScenario &scenario, const Expansion &expansion,
           const Placement &placement, const CostConstants &constants, const NominalNetwork &nominal,
           const IterationPlan &plan);

} // namespace clusterbeat
