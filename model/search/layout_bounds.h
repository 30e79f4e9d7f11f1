// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/layout_choice.h"
#include "model/workload/costs.h"
#include "model/workload/memory.h"

#include <map>
#include <tuple>

namespace clusterbeat
{

/// Never above the iteration of a plan with these costs: every stage has its own work to do, cannot begin before the
/// first activations have come through the stages before it, and where the backward is whole its last gradients still
/// travel back to the first stage. O(stages * chunks).
[[nodiscard]] TimeNs iterationLowerBound(const ResolvedScenario &scenario, const WorkloadCosts &costs);

/// What no transfer in the cluster can be faster than.
struct FastestLinks {
    double nvlinkBytesPerS = 0.0;   ///< of one GPU to its domain
    double networkBytesPerS = 0.0;  ///< of one GPU to other domains; 0 = not known
    std::int32_t largestDomain = 1; ///< GPUs
};
[[nodiscard]] FastestLinks fastestLinks(const Expansion &expansion, const CostConstants &constants);

/// Bounds that neither solve the network nor execute anything. One object per thread: it keeps what neighbouring
/// layouts share.
class LayoutBounds
{
public:
    LayoutBounds(const CostConstants &constants, const FastestLinks &links);
    /// Of every layout that has this one's tensor, context and expert degree, micro-batch and recompute: the work of
    /// all layers, spread evenly over all usable GPUs.
    [[nodiscard]] TimeNs familyTime(const LayoutChoice &choice, const LayoutResolver &resolver,
                                    ResolvedScenario &scratch) const;
    /// iterationLowerBound() with transfers that have the fastest links to themselves, in groups that fill whole
    /// domains, without start-up cost; transfers of other kinds take no time.
    [[nodiscard]] TimeNs time(const LayoutChoice &choice, const ResolvedScenario &scenario);
    /// The peak of the first and the last stage, counted only up to where most activations are alive, over no more
    /// micro-batches than fill the pipeline: never above stageMemory()'s peak.
    [[nodiscard]] Bytes memory(const ResolvedScenario &scenario);

private:
    [[nodiscard]] const PipelineSchedule &warmUp(const ResolvedScenario &scenario);
    [[nodiscard]] GroupPath pathOf(const ResolvedScenario &scenario, std::int64_t members) const;
    [[nodiscard]] NetworkModel networkOf(const ResolvedScenario &scenario) const;

    const CostConstants &m_constants;
    CostConstants m_withoutStartUp;
    FastestLinks m_links;
    LayoutChoice m_costsOf;
    std::shared_ptr<const WorkloadCosts> m_costs;
    std::map<std::tuple<ScheduleKind, std::int64_t, std::int64_t, std::int64_t>, PipelineSchedule> m_warmUps;
};

} // namespace clusterbeat
