// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <optional>
#include <string>

/// The steps of resolve(), in the order in which they run. Each fills its part of the result from the scenario and the
/// parts filled before, or returns the first rule that is broken.
namespace clusterbeat
{

[[nodiscard]] inline Error ruleError(ErrorCode code, std::string pointer, std::vector<Argument> arguments)
{
    return Error{code, Place{{}, std::move(pointer), 0, 0}, std::move(arguments)};
}

/// Keys that the file format has and the simulator does not compute yet: refused, never ignored.
[[nodiscard]] std::optional<Error> refuseUnsupported(const Scenario &scenario);
[[nodiscard]] std::optional<Error> resolveModel(const Scenario &scenario, ResolvedScenario &resolved);
[[nodiscard]] std::optional<Error> resolveSoftware(const Scenario &scenario, const Catalogue &catalogue,
                                                   ResolvedScenario &resolved);
[[nodiscard]] std::optional<Error> resolveCluster(const Scenario &scenario, const Catalogue &catalogue,
                                                  ResolvedScenario &resolved);
/// GPUs that a layout may use: of each scale-up domain the first gpusUsedPerDomain.
[[nodiscard]] std::int64_t usableGpus(const ClusterParameters &cluster);
[[nodiscard]] std::optional<Error> resolveLayout(const Scenario &scenario, ResolvedScenario &resolved);

} // namespace clusterbeat
