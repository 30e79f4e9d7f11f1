// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/metrics.h"

#include "model/campaign/goodput.h"
#include "model/campaign/power.h"
#include "model/iteration/attribution.h"
#include "model/iteration/speed.h"

#include <algorithm>
#include <numeric>

namespace clusterbeat {
namespace {

void addEfficiency(const ResolvedScenario &scenario, Metrics &metrics)
{
    const ModelFlops flops = modelFlops(scenario.model, scenario.training);
    const double tokens = static_cast<double>(scenario.training.globalBatch) * static_cast<double>(scenario.training.sequenceLength);
    const double tokensPerGpuSecond = metrics.iterationS > 0.0 ? tokens / metrics.iterationS / static_cast<double>(metrics.gpus) : 0.0;
    const double peak = densePeakTflops(scenario.accelerator, scenario.training.precision) * 1e12;
    const auto share = [&](double flopsPerToken, double ofPeak) { return ofPeak > 0.0 ? flopsPerToken * tokensPerGpuSecond / ofPeak : 0.0; };
    metrics.tokensPerS = tokensPerGpuSecond * static_cast<double>(metrics.gpus);
    metrics.modelTflopsPerGpu = flops.perTokenCausal * tokensPerGpuSecond / 1e12;
    metrics.mfu = share(flops.perTokenCausal, peak);
    metrics.hfu = share(flops.perTokenHardware, peak);
    metrics.mfuNoAttention = share(flops.perTokenNoAttention, peak);
    metrics.mfuNoncausal = share(flops.perTokenNoncausal, peak);
    metrics.mfuBf16Peak = share(flops.perTokenCausal, scenario.accelerator.peakBf16Tflops * 1e12);
}

std::int64_t distinctRanks(const Run &run)
{
    std::int64_t count = 0;
    for (const std::int32_t replica : run.trace.representative)
        for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
            count += !run.plan.perturbed() || uniformGroup(run.plan, stage, replica) ? 1 : run.plan.groupSize;
    return count;
}

Slowest::Reason reasonOf(WhyKind root)
{
    switch (root) {
    case WhyKind::SlowGpu: return Slowest::Reason::SlowGpu;
    case WhyKind::Jitter: return Slowest::Reason::Jitter;
    case WhyKind::HostPause: return Slowest::Reason::HostPause;
    case WhyKind::Documents: return Slowest::Reason::Documents;
    case WhyKind::DataLoading: return Slowest::Reason::DataLoading;
    case WhyKind::Checkpoint: return Slowest::Reason::Checkpoint;
    case WhyKind::WarmUp: return Slowest::Reason::WarmUp;
    case WhyKind::SlowLink: return Slowest::Reason::SlowLink;
    default: return Slowest::Reason::MostWork;
    }
}

Slowest slowestOf(const IterationResult &result)
{
    Slowest slowest;
    const WhyStep &root = result.why.back();
    slowest.rank = result.placement->rankAt(root.stage, root.replica, root.member);
    slowest.gpu = result.placement->gpuOfRank[static_cast<std::size_t>(slowest.rank)];
    slowest.speed = root.speed;
    slowest.reason = reasonOf(root.kind);
    if (root.link != kNone) slowest.link = result.run.plan.links->causes[static_cast<std::size_t>(root.link)].link;
    return slowest;
}

double exposedSeconds(Dimension dimension, const std::array<double, kCategoryCount> &breakdown)
{
    switch (dimension) {
    case Dimension::Tensor: return breakdown[categoryIndex(Category::ExposedTp)];
    case Dimension::Context: return breakdown[categoryIndex(Category::ExposedCp)];
    case Dimension::Expert: return breakdown[categoryIndex(Category::ExposedEp)];
    case Dimension::Data: return breakdown[categoryIndex(Category::ExposedDp)];
    case Dimension::Pipeline: return breakdown[categoryIndex(Category::ExposedPp)];
    }
    return 0.0;
}

} // namespace

double densePeakTflops(const Accelerator &accelerator, Precision precision)
{
    if (precision == Precision::Fp8 && accelerator.peakFp8Tflops) return *accelerator.peakFp8Tflops;
    if (precision == Precision::Fp4 && accelerator.peakFp4Tflops) return *accelerator.peakFp4Tflops;
    return accelerator.peakBf16Tflops;
}

void summarise(IterationResult &result, double scheduleBubble, const std::stop_token &stop)
{
    const ResolvedScenario &scenario = *result.scenario;
    const Run &run = result.run;
    Metrics &metrics = result.metrics;
    metrics.iterationS = toSeconds(run.trace.iteration);
    metrics.gpus = run.plan.ranks();
    metrics.clusterGpus = result.expansion->gpuCount;
    metrics.bubbleFraction = scheduleBubble;
    metrics.distinctRanks = distinctRanks(run);
    for (const auto &order : run.plan.schedule.order)
        metrics.operations += static_cast<std::int64_t>(order.size()) * run.plan.replicas;
    addEfficiency(scenario, metrics);
    const double usdPerSecond = static_cast<double>(metrics.clusterGpus) * scenario.prices.gpuHourUsd / 3600.0;
    metrics.usdPerIteration = usdPerSecond * metrics.iterationS;
    metrics.usdPerMillionTokens = metrics.tokensPerS > 0.0 ? usdPerSecond / metrics.tokensPerS * 1e6 : 0.0;
    metrics.goodput = estimatedGoodput(scenario.campaign, metrics.clusterGpus);
    BinnedRun binned = binRun(run, kPulseBins, kPulseBins / kReplicaBins, stop);
    metrics.breakdownS = binned.breakdownS;
    result.pulse = std::move(binned.pulse);
    result.replicaShares = std::move(binned.replicas);
    result.powerW = clusterPowerW(result.pulse, scenario);
    metrics.averagePowerW = std::accumulate(result.powerW.begin(), result.powerW.end(), 0.0) / static_cast<double>(result.powerW.size());
    result.why = whyThisLong(run);
    result.slowest = slowestOf(result);
    for (DimensionReport &report : result.communication)
        report.exposedS = exposedSeconds(report.dimension, metrics.breakdownS);
}

RankPosition positionOf(const IterationResult &result, RankIndex rank)
{
    const RankCoordinates &c = result.placement->coordinates[static_cast<std::size_t>(rank)];
    return {c.pipeline, c.data, c.member};
}

void gpuStatesAt(const IterationResult &result, TimeNs t, std::vector<std::uint8_t> &out)
{
    std::vector<std::uint8_t> byPosition(static_cast<std::size_t>(result.run.plan.ranks()));
    statesAt(result.run, t, byPosition);
    out.assign(static_cast<std::size_t>(result.expansion->gpuCount), kUnusedState);
    const Placement &placement = *result.placement;
    for (std::size_t position = 0; position < byPosition.size(); ++position) {
        const RankIndex rank = placement.rankOfPosition[position];
        out[static_cast<std::size_t>(placement.gpuOfRank[static_cast<std::size_t>(rank)])] = byPosition[position];
    }
}

CategoryTimes categoryTimesOfRank(const IterationResult &result, RankIndex rank)
{
    const RankPosition position = positionOf(result, rank);
    return categoryTimes(result.run, position.stage, position.replica, position.member);
}

} // namespace clusterbeat
