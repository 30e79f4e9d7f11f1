// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <cstdint>
#include <string>

namespace clusterbeat {

/// What makes two runs alike for the error of a prediction: the hardware, the model's kind and size, the layout and the
/// few software flags that decide which parts of the cost model are at work.
struct RunFeatures {
    std::string accelerator;
    double peakBf16Tflops = 0.0, hbmTbytesPerS = 0.0;
    std::int64_t scaleupDomain = 8;
    Precision precision = Precision::Bf16;
    double parameters = 0.0;
    std::int64_t experts = 0;               ///< 0 = dense
    std::int64_t gpus = 1, sequence = 1;    ///< GPUs of the layout; tokens
    std::int64_t tensor = 1, pipeline = 1, context = 1, expert = 1;
    bool shardedParameters = false;         ///< ZeRO 3 / FSDP
    AttentionKernel attentionKernel = AttentionKernel::CuDnn;
    double elementwiseFactor = 1.0;
    bool tensorOverlap = false, dataOverlap = false;
    CudaGraphs cudaGraphs = CudaGraphs::None;
    friend bool operator==(const RunFeatures &, const RunFeatures &) = default;
};
[[nodiscard]] RunFeatures featuresOf(const ResolvedScenario &scenario);

/// How unlike two runs are: a sum over the features, in units of "another precision step" (bf16 to fp8) = 1. A size
/// counts by the logarithm of its ratio (a doubling of GPUs, sequence or a degree 0.25, of parameters 0.5), a kind by
/// being another one (experts 2, sharded parameters 1, a software flag 0.25, another accelerator 0.25 beside its ratios
/// of speed). Symmetric, 0 for equal features. The weights are a judgement, no fit: tests/model/validation checks that
/// the bands that follow hold for runs left out.
[[nodiscard]] double distanceOf(const RunFeatures &a, const RunFeatures &b);

} // namespace clusterbeat
