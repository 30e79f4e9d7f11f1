// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_report.h"
#include "model/workload/traffic.h"

#include <array>
#include <vector>

namespace clusterbeat {

/// Seconds that a rank's collectives inside the passes of one chunk keep its wires busy for one micro-batch, by Dimension,
/// whether something runs meanwhile or not. Transfers between stages, gathers and reductions of a whole chunk are not inside.
struct PassSeconds {
    std::array<double, 5> forward{}, backward{};
};

/// [stage * chunks + chunk]. The busy seconds of the dimension's report, shared out by the bytes that each pass sends: the
/// collectives of one dimension are alike. O(stages * chunks * layers).
[[nodiscard]] std::vector<PassSeconds> passSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                                   const NetworkModel &network,
                                                   const std::vector<DimensionReport> &reports);

} // namespace clusterbeat
