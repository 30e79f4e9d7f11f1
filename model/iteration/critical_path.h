// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/why.h"

#include <cstdint>
#include <vector>

/// The critical path that a *why* walks back, and which of the causes on it weighs most.
namespace clusterbeat {

/// One stage of one replica.
struct PathGroup {
    std::int32_t stage = 0, replica = 0;
    friend auto operator<=>(const PathGroup &, const PathGroup &) = default;
};

/// A node of the critical path: an operation of a group, with the time that it lost against the twin.
struct PathOperation {
    PathGroup group;
    std::int32_t slot = 0;
    TimeNs excess = 0, work = 0;
    std::int32_t link = kNone;          ///< index into LinkDelays::causes: the excess of a communication
};

/// What made a group slow, and the member that it waited for.
struct CauseRoot {
    WhyKind kind = WhyKind::Jitter;
    std::int32_t member = 0;
    double speed = 1.0; ///< SlowGpu
};

/// What cost the group most on the path. O(path).
[[nodiscard]] CauseRoot causeOf(const Run &run, const std::vector<PathOperation> &path, PathGroup group,
                                std::int32_t operation);
/// Of its compute alone: a slow GPU, warm-up or jitter.
[[nodiscard]] CauseRoot paceCause(const IterationPlan &plan, PathGroup group, std::int32_t operation);
/// Member with the longest pause in an operation, and with the longest checkpoint; the first one on a tie. O(group).
[[nodiscard]] std::int32_t longestPausing(const IterationPlan &plan, PathGroup group, std::int32_t operation);
[[nodiscard]] std::int32_t longestWriting(const IterationPlan &plan, PathGroup group);

} // namespace clusterbeat
