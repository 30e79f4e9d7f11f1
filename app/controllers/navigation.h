// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace clusterbeat {

/// The GPU that a search names: a member path, a query of the scenario file ("stage:7 replica:41"), a rank's number
/// ("5219", "rank 5219"), or a path as it is shown ("pod 2 / rack 84 / server 1 / GPU 5"). The first one when it names
/// several; nullopt when none. In words: "stage 0" or "s0", "replica 1" or "DP 1", "GPU 7", "slow GPU".
[[nodiscard]] std::optional<GpuIndex> findGpu(const IterationResult &result, const QString &search);

/// What findGpu() takes in words, to complete what is typed.
[[nodiscard]] QStringList searchExamples(const IterationResult &result);

} // namespace clusterbeat
