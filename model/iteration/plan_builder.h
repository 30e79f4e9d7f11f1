// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/iteration/perturb_timing.h"
#include "model/layout/placement.h"
#include "model/scenario/resolve.h"
#include "model/workload/costs.h"

#include <optional>

namespace clusterbeat {

/// The unperturbed plan: schedule and durations.
[[nodiscard]] IterationPlan buildPlan(const ResolvedScenario &scenario, const WorkloadCosts &costs);

/// A bound on the iteration: everything one after the other at the slowest GPU's speed. Above kLongestIterationS the
/// clock (integer nanoseconds) is not safe, and nothing so long is a training iteration.
[[nodiscard]] double longestSeconds(const IterationPlan &plan);
inline constexpr double kLongestIterationS = 1e9;
/// The part of that bound which is known before there is a schedule: all passes of all stages, one after the other.
[[nodiscard]] double longestPassesSeconds(const WorkloadCosts &costs, std::int64_t microBatches);
/// Means over the ranks come from exact sums; above this their nanoseconds do not fit into an integer.
[[nodiscard]] double longestSummableSeconds(std::int64_t ranks);

/// Adds what the list of perturbations does to GPUs, hosts and data. Targets are checked for every perturbation of the list, also for those without effect
/// (speed 1, sigma 0, disabled), which add nothing. Error UnknownTarget at /perturbations/i/target, and timingError().
[[nodiscard]] std::optional<Error> perturbPlan(IterationPlan &plan, const PerturbationList &perturbations, const Expansion &expansion,
                                               const Placement &placement, const PerturbationBase &base);

} // namespace clusterbeat
