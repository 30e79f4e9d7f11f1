// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/cluster/expansion.h"
#include "model/iteration/pulse.h"
#include "model/iteration/trace.h"
#include "model/iteration/why.h"
#include "model/layout/placement.h"
#include "model/network/network_report.h"
#include "model/scenario/resolve.h"
#include "model/workload/flops.h"
#include "model/workload/memory.h"
#include "model/workload/pass_seconds.h"

#include <memory>
#include <string>
#include <vector>

namespace clusterbeat {

/// Headline figures. `mfu` counts 6N + causal attention over the dense peak of the training precision.
struct Metrics {
    double iterationS = 0.0;
    double tokensPerS = 0.0;
    double modelTflopsPerGpu = 0.0;
    double mfu = 0.0, hfu = 0.0, mfuNoAttention = 0.0, mfuNoncausal = 0.0, mfuBf16Peak = 0.0;
    double bubbleFraction = 0.0;              ///< mean over ranks of (T - work)/T, communication and perturbations aside
    std::array<double, kCategoryCount> breakdownS{};   ///< mean over ranks; sums to iterationS
    double usdPerMillionTokens = 0.0;
    double usdPerIteration = 0.0;
    double averagePowerW = 0.0;               ///< estimate: GPUs at TDP when computing, less when waiting, plus hosts, times PUE
    double goodput = 0.0;                     ///< estimate, share of wall time that trains (campaign/goodput.h)
    std::int64_t gpus = 0, clusterGpus = 0;
    std::int64_t operations = 0, distinctRanks = 0;
};
struct Slowest {
    enum class Reason : std::uint8_t { MostWork, SlowGpu, Jitter, HostPause, Documents, DataLoading, Checkpoint, WarmUp, SlowLink };
    RankIndex rank = 0;
    GpuIndex gpu = 0;
    Reason reason = Reason::MostWork;
    double speed = 1.0;
    std::string link;                         ///< SlowLink: its name; rank and gpu are at its end, or of the group that it slows
};

/// Everything views show and the command line prints. Immutable once built.
struct IterationResult {
    std::shared_ptr<const ResolvedScenario> scenario;
    std::shared_ptr<const Expansion> expansion;
    std::shared_ptr<const Placement> placement;
    Run run;
    Metrics metrics;
    ShareBins pulse;
    std::vector<float> powerW;                ///< per pulse bin, cluster power (estimate)
    std::vector<ShareBins> replicaShares;     ///< per replica class
    MemoryReport memory;
    std::vector<DimensionReport> communication;
    std::vector<PassSeconds> passes;          ///< [stage * chunks + chunk]
    std::vector<WhyStep> why;                 ///< whyThisLong
    Slowest slowest;
    TimeNs unperturbedIteration = 0;
    std::array<double, kCategoryCount> unperturbedBreakdownS{};

    [[nodiscard]] TimeNs iteration() const { return run.trace.iteration; }
};

/// Position of a rank in plan order.
struct RankPosition {
    std::int32_t stage = 0, replica = 0, member = 0;
};
[[nodiscard]] RankPosition positionOf(const IterationResult &result, RankIndex rank);
/// States of every GPU at t: a Category or kUnusedState, by GpuIndex; `out` has expansion->gpuCount elements.
void gpuStatesAt(const IterationResult &result, TimeNs t, std::vector<std::uint8_t> &out);
[[nodiscard]] CategoryTimes categoryTimesOfRank(const IterationResult &result, RankIndex rank);

} // namespace clusterbeat
