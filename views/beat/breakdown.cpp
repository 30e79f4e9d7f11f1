// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/breakdown.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clusterbeat {

std::vector<std::int64_t> largestRemainder(std::span<const double> parts, double quantum)
{
    std::vector<std::int64_t> units(parts.size(), 0);
    std::vector<double> remainders(parts.size(), 0.0);
    double total = 0.0;
    std::int64_t given = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const double exact = std::isfinite(parts[i]) && parts[i] > 0.0 ? parts[i] / quantum : 0.0;
        units[i] = static_cast<std::int64_t>(std::floor(exact));
        remainders[i] = exact - std::floor(exact);
        total += exact;
        given += units[i];
    }
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    const auto missing = static_cast<std::size_t>(std::max<std::int64_t>(0, static_cast<std::int64_t>(std::floor(total + 0.5)) - given));
    for (std::size_t i = 0; i < std::min(missing, order.size()); ++i) ++units[order[i]];
    return units;
}

double iterationsOfRun(const IterationResult &result)
{
    if (!result.scenario) return 0.0;
    const TrainingSection &training = result.scenario->training;
    const double batchTokens = static_cast<double>(training.globalBatch) * static_cast<double>(training.sequenceLength);
    return batchTokens > 0.0 ? result.scenario->campaign.trainingTokens / batchTokens : 0.0;
}

double usdOverRun(const IterationResult &result, double seconds)
{
    if (!result.scenario) return 0.0;
    return seconds * iterationsOfRun(result) * static_cast<double>(result.metrics.clusterGpus) * result.scenario->prices.gpuHourUsd / 3600.0;
}

HeldUp heldUp(const IterationResult &result)
{
    HeldUp held;
    if (!result.placement) return held;
    const Trace &trace = result.run.trace;
    const double duration = toSeconds(result.iteration());
    std::vector<double> waitOfClass;
    for (const ShareBins &shares : result.replicaShares) {
        double sum = 0.0;
        for (std::int32_t bin = 0; bin < shares.bins; ++bin) sum += static_cast<double>(shares.at(bin, Category::StragglerWait));
        waitOfClass.push_back(shares.bins > 0 ? sum / shares.bins * duration : 0.0);
    }
    std::int32_t culprit = kNone;
    const bool slow = result.slowest.reason == Slowest::Reason::SlowGpu || result.slowest.reason == Slowest::Reason::SlowLink;
    if (slow && result.slowest.rank >= 0 &&
        static_cast<std::size_t>(result.slowest.rank) < result.placement->coordinates.size())
        culprit = result.placement->coordinates[static_cast<std::size_t>(result.slowest.rank)].data;
    double sum = 0.0;
    for (std::size_t replica = 0; replica < trace.classOfReplica.size(); ++replica) {
        const auto cls = static_cast<std::size_t>(trace.classOfReplica[replica]);
        if (static_cast<std::int32_t>(replica) == culprit || cls >= waitOfClass.size() || waitOfClass[cls] <= 0.005 * duration) continue;
        ++held.replicas;
        sum += waitOfClass[cls];
    }
    held.gpus = static_cast<std::int64_t>(held.replicas) * trace.stages * result.run.plan.groupSize;
    held.meanWaitS = held.replicas > 0 ? sum / held.replicas : 0.0;
    return held;
}

} // namespace clusterbeat
