// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/random.h"
#include "tests/model/iteration/plans.h"

namespace clusterbeat {

/// Experts in some of the operations, with groups over two replicas, neighbours or every other one.
template <typename Draw>
void addExperts(IterationPlan &plan, Draw &&draw)
{
    for (auto *shapes : {&plan.forward, &plan.backward, &plan.inputGradient})
        for (auto &stage : *shapes)
            for (OperationShape &shape : stage)
                if (draw(0, 3) != 0) shape.segments.insert(shape.segments.begin() + 2, {Category::ExposedEp, draw(1, 30)});
    const std::int64_t apart = draw(1, 2);
    for (std::int32_t replica = 0; replica < plan.replicas; ++replica)
        plan.expertPeers.push_back(apart == 1 ? replica / 2 : replica % 2);
}

/// Plans of every kind for properties: uneven stages, collectives, host time, both overlaps, experts' peers.
inline IterationPlan randomPlan(std::uint64_t seed)
{
    std::uint64_t counter = 0;
    const auto draw = [&](std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(randomBits(seed, counter++) % static_cast<std::uint64_t>(high - low + 1));
    };
    const auto kind = static_cast<ScheduleKind>(draw(0, 8));
    const int p = kind == ScheduleKind::DualPipe ? 2 * static_cast<int>(draw(1, 2)) : static_cast<int>(draw(1, 4));
    const int v = prescribedChunks(kind).value_or(kind == ScheduleKind::Interleaved ? static_cast<int>(draw(1, 3)) : 1);
    const int m = static_cast<int>(draw(fewestMicroBatches(kind, p), 9 + fewestMicroBatches(kind, p))) / 2 * 2 + (kind == ScheduleKind::DualPipe ? 0 : 1);
    IterationPlan plan = simplePlan(kind, p, v, m, 1, 1, static_cast<int>(draw(1, 4)), static_cast<int>(draw(1, 3)));
    plan.inputGradient = plan.weightGradient = plan.backward;
    for (auto *shapes : {&plan.forward, &plan.backward, &plan.inputGradient, &plan.weightGradient})
        for (auto &stage : *shapes)
            for (OperationShape &shape : stage)
                shape.segments = {{Category::ExposedTp, draw(0, 30)}, {shapes == &plan.forward ? Category::Forward : shapes == &plan.weightGradient ? Category::WeightGradient : Category::Backward, draw(1, 900)},
                                  {Category::ExposedTp, draw(0, 30)}, {Category::Recompute, draw(0, 300)}, {Category::Host, draw(0, 5)}};
    for (auto *shapes : {&plan.forward, &plan.backward, &plan.inputGradient})
        for (auto &stage : *shapes)
            for (OperationShape &shape : stage)
                for (Segment &segment : shape.segments)
                    if (scalesWithSpeed(segment.category)) segment.attention = draw(0, segment.ns);
    for (int s = 0; s < p; ++s) {
        plan.optimizer.push_back(draw(0, 50));
        plan.hostAtStart.push_back(draw(0, 20));
        plan.sync.emplace_back();
        for (int c = 0; c < v; ++c)
            plan.sync.back().push_back({draw(0, 200), draw(0, 700)});
        for (int r = 0; r < plan.replicas; ++r)
            plan.transfer.push_back(draw(0, 40));
    }
    plan.overlapData = draw(0, 1) == 1;
    plan.overlapPipeline = draw(0, 1) == 1;
    plan.optimizerSync = draw(0, 2) != 0;
    if (draw(0, 2) == 0) addExperts(plan, draw);
    return plan;
}

/// Slow GPUs, and by the seed jitter, warm-up, pauses, documents, slow data and checkpoints on some of the ranks.
inline void perturb(IterationPlan &plan, std::uint64_t seed)
{
    std::uint64_t counter = 1000;
    const auto draw = [&](std::uint64_t count) { return randomBits(seed, counter++) % count; };
    const auto ranks = static_cast<std::size_t>(plan.ranks());
    const auto some = [&] {
        std::vector<std::uint8_t> affected(ranks);
        for (std::uint8_t &flag : affected)
            flag = draw(2) == 0;
        return affected;
    };
    plan.slowness = allNominal(plan);
    for (std::uint64_t i = 0; i < 3; ++i)
        plan.slowness[randomBits(seed, i) % plan.slowness.size()] = 1.0 + static_cast<double>(randomBits(seed, i + 10) % 100) / 50.0;
    if (seed % 3 == 0) plan.jitter.push_back({0.05, seed, {}});
    if (draw(3) == 0) plan.jitter.push_back({0.2, seed + 1, some(), static_cast<JitterDistribution>(draw(3))});
    if (draw(3) == 0) plan.warmUp.push_back({1.0 + static_cast<double>(draw(20)) / 10.0, static_cast<std::int32_t>(draw(5)), static_cast<std::int32_t>(draw(3)), some()});
    if (draw(2) == 0) {
        plan.pauses.resize(ranks);
        for (std::size_t position = 0; position < ranks; ++position) {
            const auto &order = plan.schedule.order[position / static_cast<std::size_t>(plan.groupSize) / static_cast<std::size_t>(plan.replicas)];
            for (std::size_t k = 0; k < order.size(); ++k)
                if (draw(5) == 0) plan.pauses[position].push_back({static_cast<std::int32_t>(k), static_cast<TimeNs>(1 + draw(300))});
            if (draw(3) == 0) plan.pauses[position].push_back({kOptimizerOperation, static_cast<TimeNs>(1 + draw(300))});
        }
    }
    if (draw(2) == 0) {
        plan.attention.resize(static_cast<std::size_t>(plan.replicas));
        for (std::vector<double> &replica : plan.attention)
            for (int m = 0; m < plan.schedule.microBatches && (m > 0 || draw(2) == 0); ++m)
                replica.push_back(static_cast<double>(draw(40)) / 10.0);
    }
    if (draw(2) == 0) {
        plan.data.resize(static_cast<std::size_t>(plan.replicas));
        for (IterationPlan::DataLoading &data : plan.data) {
            data.prefetch = static_cast<std::int32_t>(draw(4));
            for (int m = 0; m < plan.schedule.microBatches && plan.replicas > 1; ++m)
                data.load.push_back(static_cast<TimeNs>(draw(2000)));
        }
    }
    if (draw(3) == 0) {
        for (std::size_t position = 0; position < ranks; ++position)
            plan.checkpoint.push_back(static_cast<TimeNs>(draw(2) * draw(500)));
    }
}

} // namespace clusterbeat
