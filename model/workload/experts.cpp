// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/experts.h"

#include "model/base/math.h"
#include "model/workload/layer_blocks.h"

#include <algorithm>

namespace clusterbeat
{
namespace
{

// Steps that a dispatch or combine adds to its transfer (permutation's metadata, barrier, kernel): three collectives'
// latency. Share of the forwarding inside a domain that shows beside the network (calibration of 2026-11, 2.4).
constexpr double kAllToAllSteps = 3.0;
constexpr double kForwardingShown = 0.5;
// Memory traffic of routed rows: permute, unpermute and their copies per hidden element, activation per expert width;
// the backward moves twice as much.
constexpr double kRoutedHiddenBytes = 16.0;
constexpr double kRoutedWidthBytes = 6.0;
constexpr double kRoutedBackward = 2.0;

double real(std::int64_t value)
{
    return static_cast<double>(value);
}

bool narrow(const ResolvedScenario &scenario)
{
    return scenario.training.precision == Precision::Fp8 || scenario.training.precision == Precision::Fp4;
}

// Unfused grouped matmuls of narrow types lose part of the rate to quantised, padded and separately launched rows.
MatmulRate groupedRate(const ResolvedScenario &scenario, const CostConstants &k, const GpuRates &rates)
{
    MatmulRate rate = rates.matmul;
    if (narrow(scenario) && !scenario.software.groupedMatmulFused) rate.flopsPerS *= k.groupedMatmulEfficiencyFp8;
    return rate;
}

void addRoutedExperts(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &k,
                      const GpuRates &rates)
{
    const ExpertLoad load = expertLoad(scenario);
    if (!(load.rows > 0.0)) return;
    const double h = real(scenario.model.hidden);
    const double up = (scenario.model.gatedFfn ? 2.0 : 1.0) * load.width;
    const MatmulRate rate = groupedRate(scenario, k, rates);
    const double rows = load.rows / load.experts;
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(rows, up, h, rate, load.experts));
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(rows, h, load.width, rate, load.experts));
    // A fused grouped MLP applies the activation and casts in its matmuls' epilogues.
    const bool fused = scenario.software.groupedMatmulFused;
    const double traffic = load.rows * (kRoutedHiddenBytes * h + (fused ? 0.0 : kRoutedWidthBytes * load.width));
    const double dropped = scenario.software.tokenDrop ? k.tokenDropFactor * (kRoutedHiddenBytes * h + kRoutedWidthBytes * load.width) * load.rows : 0.0;
    const double moved = (k.moeMemoryFactor * traffic + dropped) / rates.hbmBytesPerS;
    // A graph of the whole iteration fixes every size, so tensors saved for as many rows as came are copied to pages and back.
    const bool paged = scenario.software.cudaGraphs == CudaGraphs::Full && !scenario.software.tokenDrop;
    const double stash = paged ? k.pagedStashFactor * 2.0 * load.rows * (h + up + load.width) / rates.hbmBytesPerS : 0.0;
    const double unfused = fused || scenario.software.expertActivationFused
                               ? 0.0
                               : k.unfusedExpertActivationBytes * load.rows * load.width / rates.hbmBytesPerS;
    blocks.mlpForward.elementwise += moved + stash + unfused / (1.0 + kRoutedBackward);
    blocks.mlpBackward.elementwise += kRoutedBackward * (moved + unfused / (1.0 + kRoutedBackward)) + stash;
    const double elements = fused ? 0.0 : load.rows * (2.0 * h + up + load.width);
    const double cast = 0.5 * rates.castBytesPerElement * elements / rates.hbmBytesPerS;
    blocks.mlpForward.cast += cast;
    blocks.mlpBackward.cast += cast;
}

// Dense MLPs beside the routed ones, as wide as one routed expert each, split over tensor ranks.
void addSharedExperts(LayerBlocks &blocks, const ResolvedScenario &scenario, const GpuRates &rates, const Widths &w)
{
    const MoeShape &moe = *scenario.model.moe;
    if (moe.sharedExperts <= 0) return;
    const double width = real(moe.sharedExperts * moe.expertFfnHidden) / w.t;
    const double up = (scenario.model.gatedFfn ? 2.0 : 1.0) * width;
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(w.n, up, w.h, rates.matmul));
    addLinear(blocks.mlpForward, blocks.mlpBackward, linearSeconds(w.n, w.h, width, rates.matmul));
    const double activation =
        scenario.software.elementwiseFactor * (scenario.model.gatedFfn ? 6.0 : 4.0) * width * w.n / rates.hbmBytesPerS;
    blocks.mlpForward.elementwise += activation;
    blocks.mlpBackward.elementwise += kElementwiseBackward * activation;
    const double cast = 0.5 * rates.castBytesPerElement * w.n * (2.0 * w.h + up + width) / rates.hbmBytesPerS;
    blocks.mlpForward.cast += cast;
    blocks.mlpBackward.cast += cast;
}

} // namespace

void addExpertHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &constants,
                   const GpuRates &rates)
{
    const Widths w = widthsOf(scenario);
    // The router works in 16 bits on the rank's own share of the sequence.
    addLinear(blocks.mlpForward, blocks.mlpBackward,
              linearSeconds(w.n / w.sequenceShare, real(scenario.model.moe->experts), w.h, rates.matmul16));
    const double norms = scenario.software.elementwiseFactor * 10.0 * w.h / w.sequenceShare * w.n / rates.hbmBytesPerS;
    blocks.mlpForward.elementwise += norms;
    blocks.mlpBackward.elementwise += kElementwiseBackward * norms;
    addSharedExperts(blocks, scenario, rates, w);
    addRoutedExperts(blocks, scenario, constants, rates);
}

double sharedExpertSeconds(const ResolvedScenario &scenario, const GpuRates &rates)
{
    LayerBlocks blocks;
    addSharedExperts(blocks, scenario, rates, widthsOf(scenario));
    return blocks.mlpForward.compute();
}

// The activation is a kernel of its own here, whatever the forward fused it with.
double expertActivationSeconds(const ResolvedScenario &scenario, const CostConstants &k, const GpuRates &rates)
{
    const ExpertLoad load = expertLoad(scenario);
    const double elements = load.rows * load.width / rates.hbmBytesPerS;
    const bool unfused = !scenario.software.groupedMatmulFused && !scenario.software.expertActivationFused;
    return elements * (k.moeMemoryFactor * kRoutedWidthBytes + 0.5 * rates.castBytesPerElement +
                       (unfused ? k.unfusedExpertActivationBytes / (1.0 + kRoutedBackward) : 0.0));
}

ExpertLoad expertLoad(const ResolvedScenario &scenario)
{
    ExpertLoad load;
    if (!scenario.model.moe) return load;
    const MoeShape &moe = *scenario.model.moe;
    const Degrees &degrees = scenario.degrees;
    load.imbalance = scenario.software.tokenDrop ? 1.0 : scenario.training.routingImbalance.value_or(1.0);
    load.tokens = tokensPerGroup(scenario) / real(degrees.tensor);
    load.rows = load.imbalance * load.tokens * real(moe.topK) * real(degrees.expertTensor);
    load.experts = real(moe.experts) / real(degrees.expert);
    load.width = real(moe.expertFfnHidden) / real(degrees.expertTensor);
    return load;
}

// With even routing a rank that holds 1/r of the experts gets a token of k independent choices with probability
// 1 − (1 − 1/r)^k.
double dispatchCopies(double topK, double ranks, bool deduplicated)
{
    if (ranks <= 1.0) return 0.0;
    const double perExpert = topK * (ranks - 1.0) / ranks;
    if (!deduplicated) return perExpert;
    return std::min(perExpert, ranks * (1.0 - exactPow(1.0 - 1.0 / ranks, topK)));
}

// Calibration of 2026-11, section 2.4. Inside one domain every copy goes over NVLink. Across N domains what is meant
// for other domains goes through the NIC, once per domain when deduplicated, and is spread inside the domain over
// NVLink, partly at the same time.
AllToAllTime expertAllToAll(const ResolvedScenario &scenario, const CostConstants &constants,
                            const NetworkModel &network)
{
    AllToAllTime time;
    const GroupPath &path = network.expert;
    if (!scenario.model.moe || path.members <= 1) return time;
    const ExpertLoad load = expertLoad(scenario);
    const double topK = real(scenario.model.moe->topK);
    const bool deduplicated = scenario.software.moeDispatcher != "alltoall";
    const double copyBytes = load.imbalance * load.tokens * 2.0 * real(scenario.model.hidden);
    const double scaleup = path.scaleupBytesPerS * constants.allToAllEfficiency / constants.nvlinkEfficiency;
    time.startupS = kAllToAllSteps * constants.collectiveLatencyNvlinkS;
    if (path.domains <= 1) {
        time.bytes = copyBytes * dispatchCopies(topK, real(path.members), deduplicated);
        time.scaleupS = time.bytes / scaleup;
        return time;
    }
    const double domains = real(path.domains);
    const double toDomains = deduplicated
                                 ? domains * (1.0 - exactPow(1.0 - 1.0 / domains, topK)) * (domains - 1.0) / domains
                                 : topK * (domains - 1.0) / domains;
    const double inside = copyBytes * topK / domains;
    time.acrossBytes = copyBytes * toDomains;
    time.bytes = time.acrossBytes + inside;
    time.networkS =
        copyBytes * toDomains / (path.networkBytesPerS * constants.allToAllEfficiency / constants.nicEfficiency);
    if (scaleup > 0.0) time.scaleupS = kForwardingShown * inside / scaleup;
    return time;
}

// Expert tensor parallelism gathers the dispatched rows and scatters the results over the ranks that share an expert.
BlockCollectives expertCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                   const NetworkModel &network)
{
    BlockCollectives collectives;
    if (!scenario.model.moe) return collectives;
    const double hidden = scenario.software.expertOverlap ? constants.expertOverlapHidden : 0.0;
    const double one = expertAllToAll(scenario, constants, network).totalS();
    collectives.before = collectives.after = (1.0 - hidden) * one;
    collectives.hidden = 2.0 * hidden * one;
    if (network.expertTensor.members > 1) {
        const double bytes = 2.0 * expertLoad(scenario).rows * real(scenario.model.hidden);
        const double split = collectiveTime(CollectiveKind::AllGather, bytes, network.expertTensor, constants).totalS();
        collectives.before += split;
        collectives.after += split;
    }
    return collectives;
}

double expertHostSeconds(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const bool graph = scenario.software.cudaGraphs == CudaGraphs::Full;
    double host = constants.hostMoeLayerS;
    // A fused grouped matmul inside a graph launches once, however many experts there are; 16-bit experts need no
    // quantisation kernels, half of the launches.
    if (!(graph && scenario.software.groupedMatmulFused))
        host += constants.hostPerExpertS * expertLoad(scenario).experts * (narrow(scenario) ? 1.0 : 0.5);
    if (graph) return host * constants.fullGraphHostFactor;
    // Overlap launches the same kernels for two micro-batches in turn: no more of them. Narrow types quantise again for
    // the weight gradients, which it takes out of the backward.
    return scenario.software.expertOverlap && narrow(scenario) ? host * constants.hostExpertOverlapFactor : host;
}

} // namespace clusterbeat
