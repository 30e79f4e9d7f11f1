// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/sharding.h"

#include <algorithm>

namespace clusterbeat {
namespace {

// DeepSpeed of 2021 gathered tensor by tensor; 12 of them in a GPT layer (assumed by the calibration).
constexpr double kDeepSpeedCollectivesPerLayer = 12.0;

// The part of the data-parallel group that one FSDP shard spans: neighbours first, so whole domains.
GroupPath shardPath(const GroupPath &data, std::int64_t shardGroup)
{
    GroupPath path = data;
    if (shardGroup <= 0 || shardGroup >= data.members) return path;
    path.members = static_cast<std::int32_t>(shardGroup);
    path.membersPerDomain = std::min(data.membersPerDomain, path.members);
    path.domains = std::max(1, path.members / std::max(1, path.membersPerDomain));
    return path;
}

// The replicas of one shard: one member of each shard group, over the network when groups fill domains.
GroupPath replicaPath(const GroupPath &data, std::int64_t shardGroup)
{
    GroupPath path = data;
    path.members = static_cast<std::int32_t>(data.members / std::max<std::int64_t>(shardGroup, 1));
    path.membersPerDomain =
        std::max(1, data.membersPerDomain / static_cast<std::int32_t>(std::max<std::int64_t>(shardGroup, 1)));
    path.domains = std::max(1, path.members / path.membersPerDomain);
    return path;
}

} // namespace

double optimizerShards(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    if (degrees.zeroStage == 0) return 1.0;
    const double replicas = static_cast<double>(degrees.data * degrees.context);
    if (degrees.zeroStage == 3 && degrees.shardGroup > 1)
        return std::min(replicas, static_cast<double>(degrees.shardGroup));
    return replicas;
}

std::int64_t gradientBytes(const ResolvedScenario &scenario)
{
    return scenario.training.gradientBytes.value_or(scenario.software.gradientBytes);
}

std::int64_t parameterGatherBytes(const ResolvedScenario &scenario)
{
    return scenario.training.parameterGatherBytes.value_or(scenario.software.parameterGatherBytes);
}

double gradientReductions(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    if (scenario.training.reduceEvery.value_or(ReduceEvery::ChunkEnd) == ReduceEvery::MicroBatch ||
        degrees.zeroStage == 3)
        return static_cast<double>(scenario.microBatches);
    if (degrees.zeroStage < 2 || degrees.virtualPipeline == 1) return 1.0;
    return static_cast<double>((scenario.microBatches + degrees.pipeline - 1) / degrees.pipeline);
}

ShardCollectives shardCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                  const NetworkModel &network, double parameters)
{
    ShardCollectives shard;
    if (scenario.degrees.zeroStage != 3 || network.data.members <= 1) return shard;
    shard.active = true;
    shard.overlapped = scenario.degrees.overlapData && scenario.software.fsdp != FsdpFlavour::DeepSpeed;
    const bool early = scenario.software.fsdp == FsdpFlavour::Fsdp1 || scenario.software.fsdp == FsdpFlavour::Xla;
    shard.contention = early ? constants.fsdp1Contention : constants.overlapContention;

    const std::int64_t group = std::llround(optimizerShards(scenario));
    const GroupPath path = shardPath(network.data, group);
    const double gatherBytes = parameters * static_cast<double>(parameterGatherBytes(scenario));
    const double reduceBytes = parameters * static_cast<double>(gradientBytes(scenario));
    CollectiveTime gather = collectiveTime(CollectiveKind::AllGather, gatherBytes, path, constants);
    CollectiveTime reduce = collectiveTime(CollectiveKind::ReduceScatter, reduceBytes, path, constants);
    if (scenario.software.fsdp == FsdpFlavour::DeepSpeed) {
        gather.startupS *= kDeepSpeedCollectivesPerLayer;
        reduce.startupS *= kDeepSpeedCollectivesPerLayer;
    }
    shard.gather = gather.totalS();
    shard.reduce = reduce.totalS();
    if (group < network.data.members) {
        const GroupPath replicas = replicaPath(network.data, group);
        const double share = reduceBytes / static_cast<double>(group);
        shard.reduce += collectiveTime(CollectiveKind::AllReduce, share, replicas, constants).totalS();
    }
    return shard;
}

// Gradients: all-reduce without ZeRO, else reduce-scatter; the updated parameters are gathered back.
SyncSeconds chunkSyncSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                             const NetworkModel &network, double parameters)
{
    SyncSeconds sync;
    if (scenario.degrees.zeroStage == 3 || network.data.members <= 1 || !(parameters > 0.0)) return sync;
    const double bytes = parameters * static_cast<double>(gradientBytes(scenario));
    if (scenario.degrees.zeroStage == 0) {
        sync.reduce = collectiveTime(CollectiveKind::AllReduce, bytes, network.data, constants).totalS();
        return sync;
    }
    sync.reduce = collectiveTime(CollectiveKind::ReduceScatter, bytes, network.data, constants).totalS();
    sync.gather =
        collectiveTime(CollectiveKind::AllGather, parameters * static_cast<double>(parameterGatherBytes(scenario)),
                       network.data, constants)
            .totalS();
    return sync;
}

} // namespace clusterbeat
