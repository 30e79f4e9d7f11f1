// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/host_link.h"

#include "model/workload/activation_memory.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace clusterbeat
{
namespace
{

// Large pinned copies reach about 55 of 63 GB/s on PCIe 5.0 x16 and 26 of 31.5 on 4.0; STREAM about 0.8 of the DRAM's
// peak.
constexpr double kLinkEfficiency = 0.85;
constexpr double kHostMemoryEfficiency = 0.8;

struct Host {
    std::string_view accelerator; ///< prefix of its name
    double linkGbytesPerS;        ///< one way, per GPU
    double memoryGbytesPerS;      ///< per GPU
};
// PCI-SIG: 4.0 x16 31.5 GB/s, 5.0 x16 63 GB/s one way. NVIDIA's data sheets: DGX A100, two sockets of eight DDR4-3200
// channels for 8 GPUs (409.6/8); DGX H100, DDR5-4800 (614.4/8); DGX B200, DDR5-5600 (716.8/8). Grace: NVLink-C2C 450
// GB/s one way and LPDDR5X 512 GB/s, for one GPU in GH200, for two in GB200 and GB300. Others: as DGX H100.
constexpr std::array<Host, 8> kHosts{{{"A100", 31.5, 51.2},
                                      {"A800", 31.5, 51.2},
                                      {"GH200", 450.0, 512.0},
                                      {"GB200", 225.0, 256.0},
                                      {"GB300", 225.0, 256.0},
                                      {"B200", 63.0, 89.6},
                                      {"B300", 63.0, 89.6},
                                      {"MI250X", 31.5, 51.2}}};
constexpr Host kUsualHost{"", 63.0, 76.8};

// Adam reads and writes the fp32 parameter and both moments and writes the 16-bit copy; the gradient comes on top.
constexpr double kAdamHostBytes = 26.0;
constexpr double kParameterBytes = 2.0;

} // namespace

HostLink hostLink(const Accelerator &accelerator)
{
    const auto known = std::find_if(kHosts.begin(), kHosts.end(),
                                    [&](const Host &host) { return accelerator.name.starts_with(host.accelerator); });
    const Host &host = known == kHosts.end() ? kUsualHost : *known;
    return {host.linkGbytesPerS * 1e9 * kLinkEfficiency, host.memoryGbytesPerS * 1e9 * kHostMemoryEfficiency};
}

double hostOptimizerSeconds(const ResolvedScenario &scenario, double shard)
{
    const HostLink link = hostLink(scenario.accelerator);
    const double gradient = static_cast<double>(gradientBytes(scenario));
    const double step = (kAdamHostBytes + gradient) * shard / link.memoryBytesPerS;
    return gradient * shard / link.bytesPerS + std::max(step, kParameterBytes * shard / link.bytesPerS);
}

bool keepsActivationsInHost(const ResolvedScenario &scenario, std::int64_t indexInStage)
{
    return indexInStage < scenario.training.offloadLayers;
}

double activationCopySeconds(const ResolvedScenario &scenario, std::int64_t layer, std::int64_t indexInStage)
{
    return layerActivationBytes(scenario, layer, indexInStage) / hostLink(scenario.accelerator).bytesPerS;
}

} // namespace clusterbeat
