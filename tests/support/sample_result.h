// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <memory>
#include <optional>

namespace clusterbeat {

/// A whole IterationResult from a plan by hand: what views are tested with, without catalogue, costs or network.
struct SampleOptions {
    std::int32_t stages = 4, chunks = 1, microBatches = 8, replicas = 4, tensor = 2;
    double forwardS = 0.010, backwardS = 0.020, tensorS = 0.002, reduceS = 0.030, optimizerS = 0.010;   ///< per chunk
    struct Slow {
        std::int32_t stage = 0, replica = 0, member = 0;
        double speed = 0.7;
    };
    std::optional<Slow> slow;
    std::int32_t serversPerRack = 2, racksPerPod = 192;
};
/// Servers of `tensor` GPUs; ranks in the order tensor, pipeline, data.
[[nodiscard]] std::shared_ptr<const IterationResult> sampleResult(const SampleOptions &options);
/// Llama 3 405B's shape: 16 stages, 8 chunks, 16 micro-batches, 128 replicas of 8.
[[nodiscard]] SampleOptions largeSample();

} // namespace clusterbeat
