// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/campaign/goodput.h"

#include "model/base/math.h"

namespace clusterbeat {

double estimatedGoodput(const CampaignSection &campaign, std::int64_t gpus)
{
    // Daly 2006 ("A higher order estimate of the optimum checkpoint interval"), eq. 13 for the wall time of a solve
    // time T_s: T_w = M e^{R/M} (e^{(tau+delta)/M} - 1) T_s / tau.
    const double failuresPerSecond = campaign.failuresPerGpuDay * static_cast<double>(gpus) / 86400.0;
    const double interval = campaign.checkpointIntervalS, write = campaign.checkpointWriteS;
    if (!(interval > 0.0)) return 0.0;
    if (!(failuresPerSecond > 0.0)) return interval / (interval + write);
    const double mtbf = 1.0 / failuresPerSecond;
    const double wallPerInterval = mtbf * exactExp(campaign.restartS / mtbf) * (exactExp((interval + write) / mtbf) - 1.0);
    return wallPerInterval > 0.0 ? interval / wallPerInterval : 0.0;
}

} // namespace clusterbeat
