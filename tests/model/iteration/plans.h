// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

namespace clusterbeat {

/// A plan by hand: every chunk the same, forward and backward of one segment each, no communication.
inline IterationPlan simplePlan(ScheduleKind kind, int stages, int chunks, int microBatches, TimeNs forward, TimeNs backward,
                                int replicas = 1, int groupSize = 1)
{
    IterationPlan plan;
    plan.schedule = makeSchedule(kind, stages, chunks, microBatches);
    plan.replicas = replicas;
    plan.groupSize = groupSize;
    const auto s = static_cast<std::size_t>(stages), c = static_cast<std::size_t>(chunks);
    plan.forward.assign(s, std::vector<OperationShape>(c, OperationShape{{{Category::Forward, forward}}}));
    plan.backward.assign(s, std::vector<OperationShape>(c, OperationShape{{{Category::Backward, backward}}}));
    return plan;
}

inline std::vector<double> allNominal(const IterationPlan &plan) { return std::vector<double>(static_cast<std::size_t>(plan.ranks()), 1.0); }

} // namespace clusterbeat
