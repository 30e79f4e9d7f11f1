// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

namespace clusterbeat {

/// What collectives and transfers wait for their last peer to arrive, by dimension: mean over all ranks, seconds of one
/// iteration. With the start-up cost and the transfer (DimensionReport) that is what a profiler shows as one kernel.
struct PeerWaits {
    double tensor = 0.0, context = 0.0, expert = 0.0, data = 0.0, pipeline = 0.0;
    [[nodiscard]] double &of(Dimension dimension);
    [[nodiscard]] double of(Dimension dimension) const { return PeerWaits(*this).of(dimension); }
};

/// Tensor, context, expert: the members of a group wait before each collective for the slowest one; what they wait at an
/// operation's end, or for a host's pause before it, belongs to the collective that comes next, taken to be the first of
/// an operation like it, or without any of `innermost`. Expert also: for the experts' peers in other replicas. 0 when nothing is perturbed.
/// Data: from when a rank's gradients are ready and its earlier reductions done until the last replica's are; collectives
/// inside operations (FSDP) meet the group's own members only.
/// Pipeline: from when a stage could take an input until its sender has finished, so the transfer itself is no part of it;
/// the schedule's bubble is.
/// Of groups whose pace varies within half a nanosecond an operation. O(operations * classes).
[[nodiscard]] PeerWaits peerWaits(const Run &run, Dimension innermost = Dimension::Tensor);
/// The same of a result, with its layout's innermost dimension: the first of tensor, context, expert above 1.
[[nodiscard]] PeerWaits peerWaitsOf(const IterationResult &result);

/// What one rank waits; the mean over all ranks is the one above.
[[nodiscard]] PeerWaits peerWaitsOfRank(const IterationResult &result, std::int32_t stage, std::int32_t replica, std::int32_t member);

} // namespace clusterbeat
