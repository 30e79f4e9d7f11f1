// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/flag_costs.h"

namespace clusterbeat
{

/// A value that cannot be had, and why.
[[nodiscard]] FlagAlternative refusedAlternative(std::string json, Error error);

/// Simulates variants of one scenario and says what each of them changes. Stages that a variant shares with the ones
/// before it are not computed again.
class VariantSimulator final
{
public:
    explicit VariantSimulator(const Catalogue &catalogue, const std::stop_token &stop = {})
        : m_catalogue(catalogue), m_stop(stop)
    {
    }
    /// The scenario that the others are compared with.
    [[nodiscard]] SimulationOutcome start(const Scenario &scenario);
    /// A whole scenario under the name `json`; nothing when cancelled. After a start() that had a result.
    [[nodiscard]] std::optional<FlagAlternative> with(std::string json, const Scenario &variant);

private:
    const Catalogue &m_catalogue;
    std::stop_token m_stop;
    StageCache m_cache;
    std::shared_ptr<const IterationResult> m_now;
};

} // namespace clusterbeat
