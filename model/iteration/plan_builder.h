// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/iteration/plan.h"
#include "model/layout/placement.h"
#include "model/scenario/resolve.h"
#include "model/workload/costs.h"

#include <optional>

namespace clusterbeat {

/// The unperturbed plan: schedule and durations.
[[nodiscard]] IterationPlan buildPlan(const ResolvedScenario &scenario, const WorkloadCosts &costs);

/// Adds slowness and jitter. Targets are checked for every perturbation of the list, also for those without effect
/// (speed 1, sigma 0, disabled), which add nothing. Error UnknownTarget at /perturbations/i/target.
[[nodiscard]] std::optional<Error> perturbPlan(IterationPlan &plan, const PerturbationList &perturbations, const Expansion &expansion,
                                               const Placement &placement);

} // namespace clusterbeat
