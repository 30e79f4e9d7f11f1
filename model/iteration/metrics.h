// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

namespace clusterbeat {

/// Fills result.metrics, pulse, powerW, replicaShares, why and slowest from result.run and the sections before it.
/// O(operations * classes).
void summarise(IterationResult &result, double scheduleBubble, const std::stop_token &stop = {});

/// Dense peak of the training precision, TFLOP/s: what `mfu` is a share of.
[[nodiscard]] double densePeakTflops(const Accelerator &accelerator, Precision precision);

} // namespace clusterbeat
