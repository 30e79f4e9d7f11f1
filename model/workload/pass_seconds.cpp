// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/pass_seconds.h"

#include <algorithm>

namespace clusterbeat {
namespace {

void add(PassSeconds &seconds, const DimensionReport &report, const PassBytes &bytes)
{
    if (!(report.bytesPerGpu > 0.0)) return;
    const double perByte = report.busyS / report.bytesPerGpu;
    const auto dimension = static_cast<std::size_t>(report.dimension);
    seconds.forward[dimension] += perByte * bytes.forward;
    seconds.backward[dimension] += perByte * bytes.backward;
}

} // namespace

std::vector<PassSeconds> passSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                                     const NetworkModel &network, const std::vector<DimensionReport> &reports)
{
    std::vector<PassSeconds> passes;
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage)
        for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
            const ChunkTraffic traffic = chunkTraffic(scenario, constants, network, stage, chunk);
            PassSeconds &seconds = passes.emplace_back();
            for (const DimensionReport &report : reports) switch (report.dimension) {
                case Dimension::Tensor: add(seconds, report, traffic.tensor); break;
                case Dimension::Context: add(seconds, report, traffic.context); break;
                case Dimension::Expert:
                    add(seconds, report, traffic.expertInside);
                    add(seconds, report, traffic.expertAcross);
                    break;
                case Dimension::Data:
                    add(seconds, report, traffic.dense);
                    add(seconds, report, traffic.experts);
                    break;
                case Dimension::Pipeline: break;
                }
        }
    return passes;
}

} // namespace clusterbeat
