// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_notes.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <memory>

namespace clusterbeat {

/// One H100 server on template auto: where the search starts.
[[nodiscard]] std::shared_ptr<const ClusterSection> smallestCluster();

/// For a file without training facts: fills gpus, layout and recompute with the smallest world of whole servers whose
/// memory suffices; in it recomputing as little as possible, then the fewest GPUs per replica, then tensor before
/// pipeline, tensor inside a server. With experts, of those that recompute least the fastest: experts are spread over a
/// power of two of ranks that divides them; beyond 4,096 GPUs the smallest such power. The rest of the scenario must be set and within the file format's ranges. Worlds are powers of two up to
/// 65,536 GPUs with at most 256 stages. Where a model cannot be resolved, or none of these fits, its mixed-precision
/// states (18 bytes a parameter, Korthikanti et al. 2022) decide, and an Approximation says so.
void chooseSmallestLayout(Scenario &scenario, const Catalogue &catalogue, ImportNotes &notes);

} // namespace clusterbeat
