// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/simulate.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace clusterbeat
{

/// Another value of a flag of the training software, and the iteration with it.
struct FlagAlternative {
    std::string json;            ///< the value as the scenario file writes it
    TimeNs change = 0;           ///< iteration with it less iteration as it is
    Bytes memoryChange = 0;      ///< of the fullest rank
    bool fits = true;            ///< memory with it
    std::optional<Error> error;  ///< why the scenario does not run with it; the figures are 0 then
    double throughput = 1.0;     ///< tokens a second with it over tokens a second as it is
    double tokens = 1.0;         ///< the same of the tokens of one iteration
};
struct FlagCost {
    std::string pointer; ///< where the scenario says it, e.g. "/software/tensor_overlap"
    std::string json;    ///< the value in force, from the file or the profile
    std::vector<FlagAlternative> alternatives;
};
struct FlagCosts {
    std::vector<FlagCost> flags; ///< those that mean something for this scenario, in a fixed order
    std::optional<Error> error;  ///< of the scenario as it is
    bool cancelled = false;
};

/// What every flag of the training software costs or saves: the scenario simulated once with each other value, nothing
/// else changed. Flags without a meaning here (expert flags of a dense model) are left out.
/// `permille` of the work done is called between them. O(simulations of about twenty variants); the cluster is expanded once.
[[nodiscard]] FlagCosts flagCosts(const Scenario &scenario, const Catalogue &catalogue, const std::stop_token &stop = {},
                                  const std::function<void(int)> &permille = {});

} // namespace clusterbeat
