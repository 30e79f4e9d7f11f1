// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// ns * factor, rounded to the clock; factor 1 is exact.
[[nodiscard]] TimeNs scaled(TimeNs ns, double factor);

/// What attention of `ns` takes more in a micro-batch whose documents make it `factor` times the nominal work.
[[nodiscard]] inline TimeNs attentionGrowth(TimeNs ns, double factor) { return scaled(ns, factor) - ns; }

/// How much longer than nominal the compute of one GPU's operation takes: 1/speed, times the warm-up's 1/speed, times
/// for every jitter that affects it its draw (GroupDraws). Pure function of the plan.
[[nodiscard]] double memberFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member,
                                  std::int32_t operation);
/// Of the group: the slowest member's, since the members meet at every collective. O(group).
[[nodiscard]] double groupFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);
/// The slowest member's and the mean factor of operations 0 … n-1 of a group; the longest pause and all members' sum of
/// them before each, empty when nobody pauses.
struct GroupFactors {
    std::vector<double> slowest, mean;
    std::vector<TimeNs> pause, pauseSum;
};
/// Exact: the mean of the members' own factors, every one of them drawn. Expected: where one jitter affects members that
/// are alike otherwise, the slowest member's draw and the mean that the others have on average beside it: n times fewer
/// draws, the same slowest.
enum class MemberMean : std::uint8_t { Exact, Expected };
[[nodiscard]] GroupFactors groupFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operations,
                                        MemberMean mean = MemberMean::Exact);
/// What a whole run of the plan takes: exact up to 65,536 draws.
[[nodiscard]] MemberMean memberMeanOf(const IterationPlan &plan);
/// The member that groupFactor() waits for; the first one on a tie.
[[nodiscard]] std::int32_t slowestMember(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);

/// Pause of one GPU's host before an operation, and the longest of its group.
[[nodiscard]] TimeNs memberPause(const IterationPlan &plan, std::size_t position, std::int32_t operation);
[[nodiscard]] TimeNs groupPause(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);
/// Stall of a checkpoint after the optimizer step: of one GPU, and the longest of its group.
[[nodiscard]] TimeNs memberCheckpoint(const IterationPlan &plan, std::size_t position);
[[nodiscard]] TimeNs groupCheckpoint(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);
/// Factor of attention work in the operation's micro-batch.
[[nodiscard]] double attentionFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation);

/// Whether a stage of a replica runs at a pace that differs from operation to operation (jitter, warm-up, pauses,
/// documents).
[[nodiscard]] bool variesByOperation(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);
/// Whether random jitter affects any GPU of a stage of a replica.
[[nodiscard]] bool jitterAffects(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);
/// Whether all GPUs of the group run alike, so that nobody waits inside it.
[[nodiscard]] bool uniformGroup(const IterationPlan &plan, std::int32_t stage, std::int32_t replica);

} // namespace clusterbeat
