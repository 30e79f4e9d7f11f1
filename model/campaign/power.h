// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/pulse.h"
#include "model/scenario/resolve.h"

#include <vector>

namespace clusterbeat {

/// Share of TDP that a GPU draws while it waits for the network or for others: 30 to 50 % less than when computing
/// (OPT and Llama 3 reports on power swings); estimate.
inline constexpr double kWaitingPowerShare = 0.6;
/// A GPU without work (idle H100: about 70 of 700 W).
inline constexpr double kIdlePowerShare = 0.1;

/// Cluster power per bin of the pulse in watts: n (P_gpu + P_host) PUE, GPUs without a rank idle. Estimate.
[[nodiscard]] std::vector<float> clusterPowerW(const ShareBins &pulse, const ResolvedScenario &scenario);

} // namespace clusterbeat
