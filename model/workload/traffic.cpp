// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/traffic.h"

#include "model/workload/context_exchange.h"
#include "model/workload/experts.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

namespace clusterbeat {
namespace {

double real(std::int64_t value) { return static_cast<double>(value); }

/// A ring's gather or scatter moves this share of the buffer past each rank.
double ringShare(double members) { return members > 1.0 ? (members - 1.0) / members : 0.0; }

/// An all-reduce, in buffers.
double allReduceShare(double members, bool inSwitch) { return inSwitch && members > 1.0 ? 1.0 : 2.0 * ringShare(members); }

bool addsInSwitch(CollectiveAlgorithm algorithm)
{
    return algorithm == CollectiveAlgorithm::Nvls || algorithm == CollectiveAlgorithm::NvlsTree || algorithm == CollectiveAlgorithm::InNetwork;
}

/// Dispatch and combine of one layer and pass.
struct ExpertBytes {
    double inside = 0.0, across = 0.0, split = 0.0;
};
ExpertBytes expertBytes(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    ExpertBytes bytes;
    if (!scenario.model.moe) return bytes;
    const ExpertLoad load = expertLoad(scenario);
    if (network.expert.members > 1) {
        const AllToAllTime time = expertAllToAll(scenario, constants, network);
        bytes.across = 2.0 * time.acrossBytes;
        bytes.inside = 2.0 * (time.bytes - time.acrossBytes);
    }
    bytes.split = 2.0 * 2.0 * load.rows * real(scenario.model.hidden) * ringShare(real(network.expertTensor.members));
    return bytes;
}

void add(PassBytes &to, double bytes, double forward, double backward)
{
    to.forward += forward * bytes;
    to.backward += backward * bytes;
}

/// Layer by layer, for one micro-batch.
void addLayers(ChunkTraffic &traffic, const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
               std::int64_t stage, std::int64_t chunk)
{
    const Degrees &degrees = scenario.degrees;
    const TensorCollectives tensor = tensorCollectives(scenario, constants, network);
    const double members = real(degrees.tensor);
    const double whole = 2.0 * tokensPerGroup(scenario) * real(scenario.model.hidden);
    const double one = whole * (addsInSwitch(tensor.algorithm) ? 0.5 * allReduceShare(members, true) : ringShare(members));
    const double exchange = degrees.context > 1 ? contextExchangeBytes(scenario) * ringShare(real(degrees.context)) : 0.0;
    const ExpertBytes expert = expertBytes(scenario, constants, network);
    std::int64_t inStage = 0;
    for (std::int64_t before = 0; before < chunk; ++before) inStage += degrees.chunkLayers(stage, before);
    const std::int64_t first = firstLayerOfChunk(degrees, stage, chunk);
    for (std::int64_t i = 0; i < degrees.chunkLayers(stage, chunk); ++i, ++inStage) {
        const LayerRecompute recompute = recomputeOf(scenario, inStage);
        const RepeatedCollectives repeats = repeatedCollectives(scenario, first + i, recompute);
        const double blocks = tensorBlocksOf(scenario, first + i);
        const double again = repeats.all ? blocks : repeats.mlpTensor ? 1.0 : 0.0;
        if (members > 1.0)
            add(traffic.tensor, one, blocks * tensor.perBlockForward, blocks * tensor.perBlockBackward + again * tensor.perBlockForward);
        // Keys and values again, and their gradients.
        add(traffic.context, exchange, 1.0, recompute == LayerRecompute::Full ? 3.0 : 2.0);
        if (!isMoeLayer(scenario.model, first + i)) continue;
        const double passes = repeats.all || repeats.experts ? 2.0 : 1.0;
        add(traffic.expertInside, expert.inside, 1.0, passes);
        add(traffic.expertAcross, expert.across, 1.0, passes);
        add(traffic.expertTensor, expert.split, 1.0, passes);
    }
}

/// ZeRO-3: parameters before each pass, gradients after the backward; then the sum over the groups that shard alike.
void addShards(PassBytes &shards, PassBytes &replicas, const ResolvedScenario &scenario, double parameters, double group, double members)
{
    const double gather = parameters * real(parameterGatherBytes(scenario)) * ringShare(group);
    const double gradients = parameters * real(gradientBytes(scenario));
    add(shards, 1.0, gather, gather + gradients * ringShare(group));
    add(replicas, 1.0, 0.0, gradients / group * allReduceShare(members / group, false));
}

struct SyncBytes {
    double gather = 0.0, reduce = 0.0;
};
SyncBytes syncBytes(const ResolvedScenario &scenario, const CostConstants &constants, const GroupPath &path, double parameters)
{
    if (path.members <= 1 || !(parameters > 0.0)) return {};
    const double members = real(path.members), gradients = parameters * real(gradientBytes(scenario));
    SyncBytes bytes;
    if (scenario.degrees.zeroStage > 0) bytes.gather = parameters * real(parameterGatherBytes(scenario)) * ringShare(members);
    bytes.reduce = gradients * ringShare(members);
    if (gradientCollective(scenario) == CollectiveKind::AllReduce) {
        const CollectiveTime time = collectiveTime(CollectiveKind::AllReduce, gradients, path, constants);
        bytes.reduce = gradients * allReduceShare(members, addsInSwitch(time.algorithm));
    }
    return bytes;
}

} // namespace

ChunkTraffic chunkTraffic(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network, std::int64_t stage,
                          std::int64_t chunk)
{
    ChunkTraffic traffic;
    addLayers(traffic, scenario, constants, network, stage, chunk);
    const HeldParameters held = chunkParameters(scenario, stage, chunk).held();
    if (scenario.degrees.zeroStage == 3) {
        if (network.data.members > 1)
            addShards(traffic.dense, traffic.denseReplicas, scenario, held.dense, optimizerShards(scenario), real(network.data.members));
        if (network.expertData.members > 1)
            addShards(traffic.experts, traffic.expertReplicas, scenario, held.experts, expertShards(scenario), real(network.expertData.members));
        return traffic;
    }
    const SyncBytes dense = syncBytes(scenario, constants, network.data, held.dense);
    const SyncBytes experts = syncBytes(scenario, constants, network.expertData, held.experts);
    traffic.gather = dense.gather;
    traffic.reduce = dense.reduce;
    traffic.expertGather = experts.gather;
    traffic.expertReduce = experts.reduce;
    // Only the last reduction has a time of its own; those before run behind the passes.
    const double early = (gradientReductions(scenario) - 1.0) / real(scenario.microBatches);
    traffic.dense.backward = early * dense.reduce;
    traffic.experts.backward = early * experts.reduce;
    return traffic;
}

} // namespace clusterbeat
