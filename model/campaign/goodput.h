// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

namespace clusterbeat {

/// Expected share of wall time that trains, closed form (an estimate; the campaign itself is not simulated):
/// Daly 2006, eq. 13: T_wall/T_s = M e^{R/M} (e^{(τ+δ)/M} − 1)/τ with τ the interval, δ the write, R the restart and
/// M = 1/(gpus · rate) the mean time between failures. 0 … 1.
[[nodiscard]] double estimatedGoodput(const CampaignSection &campaign, std::int64_t gpus);

} // namespace clusterbeat
