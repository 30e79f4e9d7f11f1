// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// Operation number that stands for the optimizer step in random keys.
inline constexpr std::int32_t kOptimizerOperation = -2;

/// ns * factor, rounded to the clock; factor 1 is exact.
[[nodiscard]] TimeNs scaled(TimeNs ns, double factor);

/// How much longer than nominal the compute of one GPU's operation takes: 1/speed, times 1 + sigma*N(0,1) for every
/// jitter that affects it (never below 1/20). Pure function of the plan.
[[nodiscard]] double memberFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member,
                                  std::int32_t operation);
/// Of the group: the slowest member's, since the members meet at every collective. O(group).
[[nodiscard]] double groupFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);
/// The slowest member's and the mean factor of operations 0 … n-1 of a group.
struct GroupFactors {
    std::vector<double> slowest, mean;
};
[[nodiscard]] GroupFactors groupFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operations);
/// The member that groupFactor() waits for; the first one on a tie.
[[nodiscard]] std::int32_t slowestMember(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);

/// Whether random jitter affects any GPU of a stage of a replica (its factors then differ from operation to operation).
[[nodiscard]] bool jitterAffects(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);
/// Whether all GPUs of the group run alike, so that nobody waits inside it.
[[nodiscard]] bool uniformGroup(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);

} // namespace clusterbeat
