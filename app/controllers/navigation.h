// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <QString>

#include <optional>

namespace clusterbeat {

/// The GPU that a search names: a member path, a query of the scenario file ("stage:7 replica:41"), a rank's number
/// ("5219", "rank 5219"), or a path as it is shown ("pod 2 / rack 84 / server 1 / GPU 5"). The first one when it names
/// several; nullopt when none.
[[nodiscard]] std::optional<GpuIndex> findGpu(const IterationResult &result, const QString &search);

} // namespace clusterbeat
