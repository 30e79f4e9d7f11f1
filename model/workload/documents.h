// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <cstdint>

namespace clusterbeat {

/// Mean length that a token's attention reaches over, tokens: the sequence, or with masked documents of mean length m
/// and standard deviation d packed into it E(sum of l^2)/s = m + d^2/m, at most the sequence.
[[nodiscard]] double attentionLength(const TrainingSection &training);

/// Attention work of one micro-batch over the mean: its sequences filled with documents of lognormal lengths, the last
/// one cut, sum of l^2 over its expectation s * attentionLength(). Draws from the stream, counters from 0.
/// Needs masked documents. O(documents); beyond 4,096 in a sequence the law of large numbers stands: 1.
[[nodiscard]] double drawnAttention(const TrainingSection &training, std::uint64_t stream);

} // namespace clusterbeat
