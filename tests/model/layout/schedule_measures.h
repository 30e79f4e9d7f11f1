// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"
#include "model/layout/schedule.h"

#include <algorithm>

namespace clusterbeat::test {

/// Longest time from a rank's first to its last operation less its work: how the zero-bubble papers count (their
/// optimizer needs no barrier). Also the time from 0, as the others count.
struct Bubble {
    TimeNs ownWindow = 0, fromStart = 0;
};
inline Bubble bubbleOf(const PipelineSchedule &schedule, TimeNs f, TimeNs i, TimeNs w)
{
    IterationPlan plan;
    plan.schedule = schedule;
    const auto shapes = [&](Category category, TimeNs ns) {
        return std::vector<std::vector<OperationShape>>(std::size_t(schedule.stages),
                                                        std::vector<OperationShape>(std::size_t(schedule.chunks), OperationShape{{{category, ns}}}));
    };
    plan.forward = shapes(Category::Forward, f);
    plan.backward = shapes(Category::Backward, i + w);
    plan.inputGradient = shapes(Category::Backward, i);
    plan.weightGradient = shapes(Category::WeightGradient, w);
    const Trace trace = executePlan(plan);
    const TimeNs work = TimeNs{schedule.microBatchesPerChunk()} * schedule.chunks * (f + i + w);
    Bubble bubble;
    for (int stage = 0; stage < schedule.stages; ++stage) {
        const auto last = std::int32_t(schedule.order[std::size_t(stage)].size()) - 1;
        bubble.ownWindow = std::max(bubble.ownWindow, trace.finishOf(stage, last, 0) - startOfOperation(plan, trace, stage, 0, 0) - work);
        bubble.fromStart = std::max(bubble.fromStart, trace.finishOf(stage, last, 0) - work);
    }
    return bubble;
}

inline std::int32_t highestPeak(const PipelineSchedule &schedule)
{
    const auto peaks = peakLiveActivations(schedule);
    return *std::max_element(peaks.begin(), peaks.end());
}

} // namespace clusterbeat::test
