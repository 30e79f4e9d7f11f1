// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

namespace clusterbeat {

/// Fills result.metrics, pulse, powerW, replicaShares, why and slowest from result.run and the sections before it.
/// O(operations * classes).
void summarise(IterationResult &result, double scheduleBubble, const std::stop_token &stop = {});

/// The rank with the largest peak and the instant of that peak.
[[nodiscard]] MemoryReport memoryReport(std::vector<StageMemory> byStage, Bytes capacity, const Run &run, const Placement &placement);

/// Dense peak of the training precision, TFLOP/s: what `mfu` is a share of.
[[nodiscard]] double densePeakTflops(const Accelerator &accelerator, Precision precision);

} // namespace clusterbeat
