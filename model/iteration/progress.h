// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>
#include <functional>

namespace clusterbeat {

/// Steps of one simulation, in order: what a progress display names.
enum class SimulationStage : std::uint8_t { Resolve, Expand, Place, Costs, Network, Execute, Attribute };
/// Called with the stage that starts and permille done. May be empty.
using ProgressSink = std::function<void(SimulationStage, int)>;

} // namespace clusterbeat
