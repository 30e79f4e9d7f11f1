// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <string>

namespace clusterbeat
{

/// What a training stack does and does not do: the flags that decide costs and overlap. A profile is a named set of
/// these, never a constant for one run.
struct SoftwareFlags {
    AttentionKernel attentionKernel = AttentionKernel::CuDnn;
    double elementwiseFactor = 1.0; ///< multiplier on memory-bound traffic (fused 1, Megatron 2021-22 1.5, eager 2)
    bool tensorOverlap = false;     ///< TP collectives hidden behind matmuls (userbuffers, async TP)
    bool tensorDeferred =
        true; ///< the backward's TP collectives run behind the weight gradient (Megatron since late 2021)
    bool dataOverlap = false;             ///< gradient and parameter collectives behind compute
    bool pipelineOverlap = false;         ///< asynchronous point-to-point
    FsdpFlavour fsdp = FsdpFlavour::None; ///< used when zero_stage is 3
    bool gradientAllReduce = false; ///< ZeRO 1 that reduces whole gradients on every rank (DeepSpeed's bf16 optimizer)
    std::int64_t gradientBytes = 4;
    std::int64_t parameterGatherBytes = 2;
    double crossEntropyBytesPerLogit = 40.0;
    CudaGraphs cudaGraphs = CudaGraphs::None;
    std::string fp8Recipe = "delayed";
    std::string moeDispatcher = "alltoall";
    bool expertOverlap = false;
    bool tokenDrop = false;
    bool expertActivationFused = true;
    bool groupedMatmulFused = false;
    bool nvls = false; ///< all-reduce in the NVSwitch (NCCL_NVLS_ENABLE), where the generation has it
    bool pat = false;  ///< NCCL 2.23 and later: all-gather and reduce-scatter as parallel aggregated trees
    double accumulationBytesPerParameter =
        0.0;                  ///< traffic of fp32 gradient accumulation beside bf16 gradients, not fused
    double powerLimitW = 0.0; ///< 0 = the accelerator's TDP
    double iterationHostS = 0.0; ///< more of every iteration than CostConstants::iterationHostS
};

struct SoftwareProfile {
    std::string name;
    std::string title;
    std::string source;
    SoftwareFlags flags;
};

} // namespace clusterbeat
