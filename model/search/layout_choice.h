// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace clusterbeat
{

/// What a layout search decides. Everything else of a scenario stays as it is.
struct LayoutChoice {
    std::int64_t tensor = 1, pipeline = 1, virtualPipeline = 1, context = 1, expert = 1, data = 1;
    std::int64_t microBatch = 1, zeroStage = 1;
    ScheduleKind schedule = ScheduleKind::OneFOneB;
    RecomputeMode recompute = RecomputeMode::None;
    std::int64_t recomputeLayers = 0; ///< of each stage, RecomputeMode::Layers
    std::int64_t expertTensor = 1;
    std::int64_t shardGroup = 0;      ///< ranks that one ZeRO-3 shard spans; 0 = all
    friend bool operator==(const LayoutChoice &, const LayoutChoice &) = default;
};

/// The scenario with that layout. Keys that only made sense with another one (layers_per_stage, activation_limit,
/// mtp_stage) go back to their defaults; order, overlap, sequence_parallel, context_exchange and what counts
/// as a layer stay. Perturbations are dropped: a layout is chosen for a healthy cluster.
[[nodiscard]] Scenario withLayout(const Scenario &scenario, const LayoutChoice &choice);

/// Resolves many layouts of one scenario: the model, the software and the cluster are resolved once.
class LayoutResolver
{
public:
    /// The first rule that no layout can keep, or what the simulator does not compute, is an error.
    [[nodiscard]] static Result<LayoutResolver> make(const Scenario &scenario, const Catalogue &catalogue);

    [[nodiscard]] const ResolvedScenario &base() const { return m_base; }
    [[nodiscard]] const Scenario &scenario() const { return m_scenario; }
    /// GPUs that a layout may use.
    [[nodiscard]] std::int64_t usableGpus() const;
    /// As resolve(withLayout(scenario, choice)), into `resolved`, a copy of base() or an earlier result; false when a
    /// rule of the file format is broken.
    [[nodiscard]] bool resolveInto(const LayoutChoice &choice, ResolvedScenario &resolved) const;

private:
    LayoutResolver(Scenario scenario, ResolvedScenario base) : m_scenario(std::move(scenario)), m_base(std::move(base))
    {
    }
    Scenario m_scenario;
    ResolvedScenario m_base;
};

} // namespace clusterbeat
