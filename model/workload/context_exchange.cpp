// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/context_exchange.h"

#include "model/workload/layer_blocks.h"

#include <algorithm>
#include <limits>

namespace clusterbeat
{
namespace
{

double ranksOf(const ResolvedScenario &scenario)
{
    return static_cast<double>(scenario.degrees.context);
}

double blockBytes(const ResolvedScenario &scenario)
{
    return 2.0 * tokensPerGroup(scenario) * widthsOf(scenario).keyValue;
}

bool isRing(const ResolvedScenario &scenario)
{
    return scenario.degrees.contextExchange == ContextExchange::Ring;
}

/// Neighbours of a ring in order of their GPUs. All step together, so its slowest hop sets the pace: the one from
/// domain to domain goes through the NIC of its single sender.
struct RingStep {
    double latencyS = 0.0;
    double bytesPerS = std::numeric_limits<double>::infinity();
    const GroupPath *path = nullptr;
    [[nodiscard]] double seconds(double bytes) const { return latencyS + bytes / bytesPerS; }
};

RingStep ringStep(const CostConstants &constants, const GroupPath &path)
{
    RingStep step;
    step.path = &path;
    if (path.members <= 1) return step;
    step.latencyS = constants.pointToPointLatencyS;
    if (path.membersPerDomain > 1) step.bytesPerS = path.scaleupBytesPerS;
    if (path.domains > 1) step.bytesPerS = std::min(step.bytesPerS, path.networkBytesPerS);
    return step;
}

double exposed(double transfer, double compute)
{
    return std::max(0.0, transfer - compute);
}

// Ring attention (Liu, Zaharia, Abbeel 2023): in step i of c a rank works on one block of keys and values while the
// next arrives. With two chunks a rank, one from each end of the sequence, causal steps are equally long (Brandon et
// al. 2023). The backward starts with the block at which the forward ended and walks the ring once more: keys and
// values travel in its first c − 1 steps, the gradients of the block before in its last c − 1 (TransformerEngine), so
// both together in the steps between.
ContextSeconds ringSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                           const NetworkModel &network, const LayerBlocks &blocks)
{
    const double c = ranksOf(scenario);
    const RingStep step = ringStep(constants, network.context);
    const double one = step.seconds(blockBytes(scenario));
    const double both = step.seconds(2.0 * blockBytes(scenario));
    const double forward = blocks.attentionForward.attention / c;
    const double backward = blocks.attentionBackward.attention / c;
    ContextSeconds seconds;
    seconds.contends = true;
    seconds.forward = (c - 1.0) * exposed(one, forward);
    seconds.hiddenForward = (c - 1.0) * one - seconds.forward;
    seconds.backward = 2.0 * exposed(one, backward) + (c - 2.0) * exposed(both, backward);
    seconds.hiddenBackward = 2.0 * one + (c - 2.0) * both - seconds.backward;
    return seconds;
}

} // namespace

double contextExchangeBytes(const ResolvedScenario &scenario)
{
    return blockBytes(scenario) * ranksOf(scenario);
}

// All-gather (Llama Team 2024, section 3.3.2): every rank receives (c − 1)/c of the keys and values of the sequence.
CollectiveTime contextExchangeTime(const ResolvedScenario &scenario, const CostConstants &constants,
                                   const NetworkModel &network)
{
    if (scenario.degrees.context <= 1) return {};
    if (!isRing(scenario))
        return collectiveTime(CollectiveKind::AllGather, contextExchangeBytes(scenario), network.context, constants);
    const double steps = ranksOf(scenario) - 1.0;
    const RingStep step = ringStep(constants, network.context);
    CollectiveTime time;
    time.startupS = steps * step.latencyS;
    time.transferS = steps * blockBytes(scenario) / step.bytesPerS;
    time.algorithm = CollectiveAlgorithm::PointToPoint;
    time.bottleneck = network.context.domains > 1 ? network.context.bottleneck : "nvlink";
    return time;
}

// A step of the ring's backward that carries keys, values and gradients starts up once for both.
ContextBusy contextBusy(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    const CollectiveTime time = contextExchangeTime(scenario, constants, network);
    ContextBusy busy{time.totalS(), 2.0 * time.totalS(), time.startupS, 2.0 * time.startupS};
    if (!isRing(scenario) || scenario.degrees.context <= 1) return busy;
    const double saved = (ranksOf(scenario) - 2.0) * ringStep(constants, network.context).latencyS;
    busy.backward -= saved;
    busy.backwardStartup -= saved;
    return busy;
}

// The all-gather's backward gathers again and scatters the gradients; a calibrated part of each shows.
ContextSeconds contextSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                              const NetworkModel &network, const LayerBlocks &blocks)
{
    if (scenario.degrees.context <= 1) return {};
    if (isRing(scenario)) return ringSeconds(scenario, constants, network, blocks);
    ContextSeconds seconds;
    const double whole = contextExchangeTime(scenario, constants, network).totalS();
    seconds.forward = constants.contextExposed * whole;
    seconds.backward = 2.0 * seconds.forward;
    seconds.hiddenForward = whole - seconds.forward;
    seconds.hiddenBackward = 2.0 * seconds.hiddenForward;
    return seconds;
}

// Ring: the block at work and the one that arrives, each with its gradient. All-gather: the whole sequence's and the
// gradients that the scatter sums.
double contextBufferBytes(const ResolvedScenario &scenario)
{
    if (scenario.degrees.context <= 1) return 0.0;
    const double blocks = isRing(scenario) ? 2.0 : ranksOf(scenario);
    return 2.0 * blocks * blockBytes(scenario);
}

} // namespace clusterbeat
