// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

namespace clusterbeat {

/// Generations that the calibration tells apart; decided by the accelerator's name.
enum class GpuGeneration : std::uint8_t { Ampere, Hopper, Blackwell, Other };
[[nodiscard]] GpuGeneration generationOf(const Accelerator &accelerator);

/// Sustained matmul rate of one precision: peak x measured ceiling x training factor x power law.
struct MatmulRate {
    double flopsPerS = 0.0;
    double depthElements = 0.0; ///< prologue and epilogue, elements of the inner dimension at this rate
    double sms = 0.0;           ///< multiprocessors that waves of tiles fill; 0 = not known, no wave quantisation
    double hbmBytesPerS = 0.0;
};
struct AttentionRate {
    double forwardFlopsPerS = 0.0, backwardFlopsPerS = 0.0; ///< fused kernels; of causal FLOPs actually done
};
/// Rates of one GPU under training load, per second.
struct GpuRates {
    MatmulRate matmul;   ///< the training precision
    MatmulRate matmul16; ///< bf16 / fp16, for the output layer
    AttentionRate attention;
    double hbmBytesPerS = 0.0;        ///< achievable
    double castBytesPerElement = 0.0; ///< 0 in 16-bit training
};

/// O(1). An accelerator without fp8 or fp4 peaks runs those precisions at its next wider peak.
[[nodiscard]] GpuRates gpuRates(const ResolvedScenario &scenario, const CostConstants &constants);

} // namespace clusterbeat
