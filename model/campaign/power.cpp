// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/campaign/power.h"

namespace clusterbeat {

std::vector<float> clusterPowerW(const ShareBins &pulse, const ResolvedScenario &scenario)
{
    const double limit = scenario.software.powerLimitW > 0.0 ? scenario.software.powerLimitW : scenario.accelerator.tdpW;
    const auto ranks = static_cast<double>(scenario.degrees.ranks());
    const auto spares = static_cast<double>(scenario.cluster.gpus) - ranks;
    const CampaignSection &campaign = scenario.campaign;
    std::vector<float> watts;
    watts.reserve(static_cast<std::size_t>(pulse.bins));
    for (std::int32_t bin = 0; bin < pulse.bins; ++bin) {
        double computing = 0.0;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            if (scalesWithSpeed(static_cast<Category>(c))) computing += static_cast<double>(pulse.at(bin, static_cast<Category>(c)));
        const double gpus = ranks * limit * (computing + (1.0 - computing) * kWaitingPowerShare) + spares * limit * kIdlePowerShare;
        watts.push_back(static_cast<float>((gpus + (ranks + spares) * campaign.hostWPerGpu) * campaign.pue));
    }
    return watts;
}

} // namespace clusterbeat
