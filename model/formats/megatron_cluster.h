// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_notes.h"
#include "model/formats/megatron_options.h"
#include "model/formats/shell_words.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

namespace clusterbeat {

/// Degrees beyond this are a mistake in the file, not a cluster.
inline constexpr std::int64_t kMostMegatronGpus = 1'000'000;

/// GPUs by the launcher's options, else the #SBATCH lines, else WORLD_SIZE, else 0 (unknown); accelerator by the
/// #SBATCH constraint, else the file's name, else H100. Everything that is not an option is said.
[[nodiscard]] ClusterSection readMegatronCluster(const ShellScript &script, MegatronOptions &options,
                                                 const Catalogue &catalogue, ImportNotes &notes);

/// A world below the smallest of the degrees becomes that; it is said.
void growWorld(std::int64_t smallest, std::int64_t perReplica, ClusterSection &cluster, LayoutSection &layout, ImportNotes &notes);

} // namespace clusterbeat
