// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/network_model.h"
#include "model/workload/overlap.h"
#include "model/workload/rates.h"

#include <cstdint>

namespace clusterbeat {

/// Compute of half a layer (attention or MLP) on one GPU, seconds.
struct BlockSeconds {
    double matmul = 0.0, attention = 0.0, elementwise = 0.0, cast = 0.0, accumulation = 0.0;
    double weightMatmul = 0.0; ///< part of `matmul`, in a backward: the weight gradient
    [[nodiscard]] double compute() const { return matmul + attention + elementwise + cast + accumulation; }
    /// What schedules that split the backward may do later: weight gradient and its accumulation.
    [[nodiscard]] double weightGradient() const { return weightMatmul + accumulation; }
};
struct LayerBlocks {
    BlockSeconds attentionForward, mlpForward, attentionBackward, mlpBackward;
};

struct TensorCollectives {
    double single = 0.0; ///< one all-gather or reduce-scatter of the block's activations
    double allReduce = 0.0; ///< one all-reduce of them: twice that, or faster in the NVSwitch
    double singleStartup = 0.0, allReduceStartup = 0.0; ///< their parts that no bytes cause
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::Ring;
    double perBlockForward = 0.0, perBlockBackward = 0.0; ///< how many of them a block runs
    BlockCollectives forward, backward; ///< demands of one block, see settle()
};

/// FSDP (ZeRO-3) of one layer: parameter all-gather and gradient reduce-scatter over the shard group.
struct ShardCollectives {
    double gather = 0.0, reduce = 0.0; ///< seconds of one layer
    double gatherStartup = 0.0, reduceStartup = 0.0; ///< of these: the start-up cost
    double contention = 0.0;           ///< compute lost per second of hidden communication
    double copyForward = 0.0, copyBackward = 0.0;    ///< out of and into the flat buffers of FSDP2
    Wires wires;
    bool overlapped = true;
    bool active = false;
};

/// What a recomputing backward repeats of the forward's collectives.
struct RepeatedCollectives {
    bool all = false;       ///< full recompute
    bool mlpTensor = false; ///< tensor-parallel ones of the MLP's half
    bool experts = false;   ///< dispatch and combine
};

/// One layer and micro-batch on one GPU, everything by segment.
struct LayerSegments {
    LayerBlocks blocks;
    PassCommunication forward, backward, repeated;            ///< settled; `repeated` is the recompute's
    OverlapRoom forwardRoom, backwardRoom, repeatedRoom;      ///< compute that nothing runs behind yet
    double shardForward = 0.0, shardBackward = 0.0;           ///< exposed FSDP
    double contentionForward = 0.0, contentionBackward = 0.0; ///< compute lost to hidden communication
    double hostForward = 0.0, hostBackward = 0.0;             ///< launches that the GPU waits for
    double recomputeAttention = 0.0, recomputeMlp = 0.0;      ///< compute
    double copyForward = 0.0, copyBackward = 0.0;             ///< exposed copies of offloaded activations
    RepeatedCollectives repeats;
    double documentForward = 0.0, documentBackward = 0.0;     ///< part of attention's compute that grows with documents
    bool parallelBlock = false;
    bool hasExperts = false;
    double tensorBlocks = 2.0;                                ///< halves with tensor-parallel collectives

    [[nodiscard]] double forwardGpu() const;  ///< without host time
    [[nodiscard]] double backwardGpu() const; ///< recompute included
};

enum class LayerRecompute : std::uint8_t { None, Selective, Full };

/// Tokens of one micro-batch that one GPU group works on: s·b/c.
[[nodiscard]] double tokensPerGroup(const ResolvedScenario &scenario);
/// Blocks of a layer with tensor-parallel collectives: 2; 1 when attention and MLP share them, or when the MLP's half
/// has routed experts only, which take the tokens as sequence parallelism leaves them.
[[nodiscard]] double tensorBlocksOf(const ResolvedScenario &scenario, std::int64_t layer);
[[nodiscard]] TensorCollectives tensorCollectives(const ResolvedScenario &scenario, const CostConstants &constants,
                                                  const NetworkModel &network);
[[nodiscard]] LayerSegments layerSegments(const ResolvedScenario &scenario, const CostConstants &constants,
                                          const NetworkModel &network, std::int64_t layer, LayerRecompute recompute);

/// Output layer with cross entropy, and input embedding, on one GPU.
struct HeadSeconds {
    double forward = 0.0, inputGradient = 0.0, weightGradient = 0.0;
    [[nodiscard]] double backward() const { return inputGradient + weightGradient; }
};
[[nodiscard]] HeadSeconds headSeconds(const ResolvedScenario &scenario, const CostConstants &constants);
[[nodiscard]] HeadSeconds embeddingSeconds(const ResolvedScenario &scenario, const CostConstants &constants);

} // namespace clusterbeat
