// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/megatron_model.h"

#include <optional>
#include <string_view>

namespace clusterbeat {

/// Degrees of parallelism. Experts are split as tensor is unless the options say otherwise (Megatron-LM's
/// `expert_tensor_parallel_size`); in Megatron-DeepSpeed only when asked to.
[[nodiscard]] LayoutSection readMegatronDegrees(MegatronReader &reader);

/// The smallest world of these degrees: pipeline * lcm(tensor * context, expert * expert tensor), for Megatron-LM's
/// process groups divide it by either. Saturates.
[[nodiscard]] std::int64_t smallestMegatronWorld(const LayoutSection &layout);

/// Chunks, schedule, layers of the stages, sharding, exchange and overlap. `script` is the file's text, for DeepSpeed's
/// configuration where it is written inside. Errors NotDivisible for --num-layers-per-virtual-pipeline-stage and
/// --pipeline-model-parallel-layout.
[[nodiscard]] std::optional<Error> readMegatronLayout(MegatronReader &reader, const ModelSection &model, std::string_view script,
                                                      LayoutSection &layout);

} // namespace clusterbeat
