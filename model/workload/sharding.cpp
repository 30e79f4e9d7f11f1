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

// Gather and reduction of `parameters` in shards over `group` of the ranks of `data`, and over its replicas.
struct ShardSeconds {
    double gather = 0.0, reduce = 0.0, gatherStartup = 0.0, reduceStartup = 0.0;
};
ShardSeconds shardSeconds(const ResolvedScenario &scenario, const CostConstants &constants, const GroupPath &data,
                          std::int64_t group, double parameters)
{
    if (data.members <= 1 || !(parameters > 0.0)) return {};
    const GroupPath path = shardPath(data, group);
    const double gatherBytes = parameters * static_cast<double>(parameterGatherBytes(scenario));
    const double reduceBytes = parameters * static_cast<double>(gradientBytes(scenario));
    CollectiveTime gather = collectiveTime(CollectiveKind::AllGather, gatherBytes, path, constants);
    CollectiveTime reduce = collectiveTime(CollectiveKind::ReduceScatter, reduceBytes, path, constants);
    if (scenario.software.fsdp == FsdpFlavour::DeepSpeed) {
        gather.startupS *= kDeepSpeedCollectivesPerLayer;
        reduce.startupS *= kDeepSpeedCollectivesPerLayer;
    }
    ShardSeconds seconds{gather.totalS(), reduce.totalS(), gather.startupS, reduce.startupS};
    if (group < data.members) {
        const double share = reduceBytes / static_cast<double>(group);
        const CollectiveTime across =
            collectiveTime(CollectiveKind::AllReduce, share, replicaPath(data, group), constants);
        seconds.reduce += across.totalS();
        seconds.reduceStartup += across.startupS;
    }
    return seconds;
}

// Gradients: all-reduce without ZeRO, else reduce-scatter; the updated parameters are gathered back.
void addSync(SyncSeconds &sync, const ResolvedScenario &scenario, const CostConstants &constants, const GroupPath &path,
             double parameters)
{
    if (path.members <= 1 || !(parameters > 0.0)) return;
    const double bytes = parameters * static_cast<double>(gradientBytes(scenario));
    const CollectiveTime reduce = collectiveTime(gradientCollective(scenario), bytes, path, constants);
    sync.reduce += reduce.totalS();
    sync.reduceStartup += reduce.startupS;
    if (scenario.degrees.zeroStage == 0) return;
    const double gathered = parameters * static_cast<double>(parameterGatherBytes(scenario));
    const CollectiveTime gather = collectiveTime(CollectiveKind::AllGather, gathered, path, constants);
    sync.gather += gather.totalS();
    sync.gatherStartup += gather.startupS;
}

} // namespace

CollectiveKind gradientCollective(const ResolvedScenario &scenario)
{
    const std::int64_t stage = scenario.degrees.zeroStage;
    const bool whole = stage == 0 || (stage == 1 && scenario.software.gradientAllReduce);
    return whole ? CollectiveKind::AllReduce : CollectiveKind::ReduceScatter;
}

double expertReplicas(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    const double stage = static_cast<double>(degrees.tensor * degrees.context * degrees.data);
    return std::max(1.0, stage / static_cast<double>(degrees.expert * degrees.expertTensor));
}

double expertShards(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    if (degrees.zeroStage == 0) return 1.0;
    if (degrees.zeroStage == 3 && degrees.shardGroup > 1)
        return std::min(expertReplicas(scenario), static_cast<double>(degrees.shardGroup));
    return expertReplicas(scenario);
}

double optimizerParameters(const ResolvedScenario &scenario, const HeldParameters &held)
{
    return held.dense / optimizerShards(scenario) + held.experts / expertShards(scenario);
}

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

bool reducesEveryBackward(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    return scenario.training.reduceEvery.value_or(ReduceEvery::ChunkEnd) == ReduceEvery::MicroBatch ||
           degrees.zeroStage == 3 || (degrees.zeroStage == 2 && degrees.virtualPipeline == 1);
}

double gradientReductions(const ResolvedScenario &scenario)
{
    const Degrees &degrees = scenario.degrees;
    if (reducesEveryBackward(scenario)) return static_cast<double>(scenario.microBatches);
    if (degrees.zeroStage < 2) return 1.0;
    return static_cast<double>((scenario.microBatches + degrees.pipeline - 1) / degrees.pipeline);
}

ShardCollectives shardCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                  const NetworkModel &network, const HeldParameters &held)
{
    ShardCollectives shard;
    if (scenario.degrees.zeroStage != 3 || network.data.members <= 1) return shard;
    shard.active = true;
    shard.overlapped = scenario.degrees.overlapData && scenario.software.fsdp != FsdpFlavour::DeepSpeed;
    const bool early = scenario.software.fsdp == FsdpFlavour::Fsdp1 || scenario.software.fsdp == FsdpFlavour::Xla;
    shard.contention = early ? constants.fsdp1Contention : constants.overlapContention;
    if (scenario.software.fsdp == FsdpFlavour::Fsdp2) {
        const double hbm = scenario.accelerator.hbmTbytesPerS * 1e12 * constants.hbmEfficiency;
        shard.copyForward = constants.shardCopyForwardBytes * held.total() / hbm;
        shard.copyBackward = constants.shardCopyBackwardBytes * held.total() / hbm;
    }
    shard.wires = wiresOf(network.data);
    const ShardSeconds dense =
        shardSeconds(scenario, constants, network.data, std::llround(optimizerShards(scenario)), held.dense);
    const ShardSeconds experts =
        shardSeconds(scenario, constants, network.expertData, std::llround(expertShards(scenario)), held.experts);
    shard.gather = dense.gather + experts.gather;
    shard.reduce = dense.reduce + experts.reduce;
    shard.gatherStartup = dense.gatherStartup + experts.gatherStartup;
    shard.reduceStartup = dense.reduceStartup + experts.reduceStartup;
    // What disturbs compute is the traffic in memory, so a slow wire disturbs it less.
    const double gathered = held.total() * static_cast<double>(parameterGatherBytes(scenario));
    if (shard.gather > 0.0)
        shard.contention *= std::min(1.0, gathered / shard.gather / constants.contentionBytesPerS);
    return shard;
}

SyncSeconds chunkSyncSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                             const NetworkModel &network, const HeldParameters &held)
{
    SyncSeconds sync;
    if (scenario.degrees.zeroStage == 3) return sync;
    addSync(sync, scenario, constants, network.data, held.dense);
    addSync(sync, scenario, constants, network.expertData, held.experts);
    return sync;
}

// The two copies sit on ranks of the same number of the first and last stage: the way of the pipeline's wrap-around.
double tiedEmbeddingSeconds(const ResolvedScenario &scenario, const CostConstants &constants,
                            const NetworkModel &network)
{
    const Degrees &degrees = scenario.degrees;
    const bool mapped = degrees.flow() == PipelineFlow::Mapped;
    const bool apart = mapped ? degrees.custom->map->places.front().stage != degrees.custom->map->places.back().stage
                              : degrees.pipeline > 1 && degrees.flow() == PipelineFlow::Loop;
    if (!scenario.model.tiedEmbeddings || !apart || network.pipeline.empty()) return 0.0;
    const TransferPath &path = network.pipeline[static_cast<std::size_t>((degrees.pipeline - 1) * degrees.data)];
    const double shard = degrees.zeroStage >= 2 ? optimizerShards(scenario) : 1.0;
    const double bytes = vocabularyParameters(scenario.model) / static_cast<double>(degrees.tensor) *
                         static_cast<double>(gradientBytes(scenario)) / shard;
    return path.bytesPerS > 0.0 ? bytes / path.bytesPerS + constants.collectives.ringSimple.baseS + path.latencyS : 0.0;
}

} // namespace clusterbeat
