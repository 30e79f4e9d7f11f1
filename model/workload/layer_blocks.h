// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/workload/layer_cost.h"
#include "model/workload/matmul.h"

namespace clusterbeat {

/// Widths on one tensor rank, elements a token; the names are the paper symbols (t, h, a·d, k·d, f).
struct Widths {
    double n = 0, t = 0, h = 0;
    double query = 0, keyValue = 0; ///< a·d/t and 2·k·d/t; with MLA the decompressed a·d_qk/t and a·(d_qk + d_v)/t
    double value = 0;               ///< outputs of the attention core
    double ffn = 0, upOutputs = 0;
    double sequenceShare = 1; ///< t with sequence parallelism, else 1: how far norms and residuals are split
};
[[nodiscard]] Widths widthsOf(const ResolvedScenario &scenario);

/// Adds a linear layer of `outputs` and `inputs` over `rows` to both passes of a block.
void addLinear(BlockSeconds &forward, BlockSeconds &backward, const LinearSeconds &seconds);

/// Projections, attention core, memory-bound operations and casts of layer `layer`'s attention half.
void addAttentionHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &constants,
                      const GpuRates &rates, std::int64_t layer);
/// The MLP half of a dense layer.
void addDenseHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const GpuRates &rates);
/// The MLP half of a layer with experts: router, shared and routed experts, permutation (workload/experts.h).
void addExpertHalf(LayerBlocks &blocks, const ResolvedScenario &scenario, const CostConstants &constants,
                   const GpuRates &rates);

/// Forward of MLA's up projections on one GPU; 0 without MLA.
[[nodiscard]] double latentUpSeconds(const ResolvedScenario &scenario, const GpuRates &rates);

/// Forward of one of a layer's norms: read and write; and of a half's norm, dropout and residual together.
[[nodiscard]] double normSeconds(const ResolvedScenario &scenario, const GpuRates &rates);
[[nodiscard]] double normAndResidualSeconds(const ResolvedScenario &scenario, const GpuRates &rates);

/// Compute of layer `layer` on one GPU.
[[nodiscard]] LayerBlocks layerBlocks(const ResolvedScenario &scenario, const CostConstants &constants,
                                      std::int64_t layer);

/// Backward over forward traffic of memory-bound operations: calibration of 2026-11.
inline constexpr double kElementwiseBackward = 1.8;

} // namespace clusterbeat
