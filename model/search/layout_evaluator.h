// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "model/search/layout_choice.h"
#include "model/workload/costs.h"
#include "model/workload/memory.h"

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <tuple>
#include <vector>

namespace clusterbeat
{

/// One layout, exactly as simulate() has it.
struct LayoutDetail {
    TimeNs iteration = 0;
    std::array<double, kCategoryCount> breakdownS{};
    MemoryParts memory; ///< of the fullest rank at its fullest instant
    Bytes capacity = 0;
    double mfu = 0.0, tokensPerS = 0.0;
    std::int64_t gpus = 0; ///< in the layout
};

/// Evaluates layouts of one scenario on one expansion by simulate()'s own stages, without what only views need. The
/// network of equal degrees is solved once. const functions may run on several threads.
class LayoutEvaluator
{
public:
    LayoutEvaluator(const LayoutResolver &resolver, const CostConstants &constants, const Expansion &expansion)
        : m_resolver(resolver), m_constants(constants), m_expansion(expansion),
          m_capacity(usableMemory(resolver.base().accelerator, constants))
    {
    }
    [[nodiscard]] Bytes capacity() const { return m_capacity; }

    /// Solves the networks that these layouts need and that are not known yet.
    void solveNetworks(const std::vector<LayoutChoice> &choices, unsigned threads, const std::stop_token &stop);

    /// Costs and plan; nullopt when the cluster cannot carry the layout. Its network must have been solved.
    struct Prepared {
        TimeNs lowerBound = 0;
        WorkloadCosts costs;
    };
    [[nodiscard]] std::optional<Prepared> prepare(const LayoutChoice &choice, ResolvedScenario &scratch) const;
    [[nodiscard]] IterationPlan plan(const Prepared &prepared, const ResolvedScenario &scratch) const;
    [[nodiscard]] MemoryParts memory(const ResolvedScenario &scratch, const PipelineSchedule &schedule) const;
    /// Everything; the layout's network must have been solved and connected.
    [[nodiscard]] LayoutDetail detail(const LayoutChoice &choice, ResolvedScenario &scratch) const;

private:
    using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t>;
    [[nodiscard]] static Key keyOf(const LayoutChoice &c)
    {
        return {c.tensor, c.context, c.expert, c.expertTensor, c.pipeline, c.data};
    }

    const LayoutResolver &m_resolver;
    const CostConstants &m_constants;
    const Expansion &m_expansion;
    Bytes m_capacity;
    std::map<Key, NetworkModel> m_networks;
};

} // namespace clusterbeat
