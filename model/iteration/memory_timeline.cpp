// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/memory_timeline.h"

#include "model/base/index.h"

#include <algorithm>

namespace clusterbeat {
namespace {

bool isForward(const Run &run, std::int32_t stage, std::int32_t operation)
{
    return run.plan.schedule.order[at(stage)][at(operation)].kind == OperationKind::Forward;
}

/// When the level of OperationMemory::during is reached.
TimeNs reachedAt(const Run &run, std::int32_t stage, std::int32_t operation, std::int32_t cls)
{
    if (isForward(run, stage, operation)) return run.trace.finishOf(stage, operation, cls);
    return startOfOperation(run.plan, run.trace, stage, operation, cls);
}

/// What lies beyond the iteration is shown at its beginning.
TimeNs insideIteration(const Run &run, TimeNs t) { return t > run.trace.iteration ? t - run.trace.iteration : t; }

std::optional<MemoryOverflow> firstOverflow(const std::vector<StageMemory> &byStage, Bytes capacity, const Run &run, const Placement &placement)
{
    std::optional<MemoryOverflow> first;
    const auto consider = [&](std::int32_t stage, std::int32_t replica, TimeNs at, Bytes total) {
        if (!first || at < first->at) first = MemoryOverflow{placement.rankAt(stage, replica, 0), at, total - capacity};
    };
    for (std::size_t s = 0; s < byStage.size(); ++s) {
        const auto stage = static_cast<std::int32_t>(s);
        const auto &operations = byStage[s].operations;
        if (byStage[s].idle.total() > capacity) {
            consider(stage, 0, 0, byStage[s].idle.total());
            continue;
        }
        const auto over = std::find_if(operations.begin(), operations.end(),
                                       [&](const OperationMemory &o) { return o.during.total() > capacity; });
        if (over == operations.end()) continue;
        const auto operation = static_cast<std::int32_t>(over - operations.begin());
        for (std::int32_t cls = 0; cls < run.trace.classes; ++cls)
            consider(stage, run.trace.representative[at(cls)], insideIteration(run, reachedAt(run, stage, operation, cls)), over->during.total());
    }
    return first;
}

/// Joins a step with a lower one at the same instant, and equal neighbours. A level that is reached at an instant and left
/// at the same one stays, as the peak that it may be.
void append(std::vector<MemoryStep> &steps, TimeNs at, const MemoryParts &parts)
{
    if (!steps.empty() && steps.back().at == at && steps.back().parts.total() <= parts.total()) steps.back().parts = parts;
    else steps.push_back({at, parts});
    if (steps.size() > 1 && steps[steps.size() - 2].parts == parts) steps.pop_back();
}

} // namespace

void memoryOverTime(const IterationResult &result, std::int32_t stage, std::int32_t replica, std::vector<MemoryStep> &out)
{
    out.clear();
    const auto &byStage = result.memory.byStage;
    if (!byStage || at(stage) >= byStage->size()) return;
    const Run &run = result.run;
    const StageMemory &memory = (*byStage)[at(stage)];
    const std::int32_t cls = run.trace.classOfReplica[at(replica)];
    std::vector<MemoryStep> steps;
    append(steps, 0, memory.idle);
    for (std::size_t k = 0; k < memory.operations.size(); ++k) {
        const auto operation = static_cast<std::int32_t>(k);
        if (!isForward(run, stage, operation)) append(steps, reachedAt(run, stage, operation, cls), memory.operations[k].during);
        append(steps, run.trace.finishOf(stage, operation, cls), memory.operations[k].after);
    }
    append(steps, run.trace.optimizerBegin[at(stage)], memory.idle);
    const TimeNs end = run.trace.iteration;
    const auto beyond = std::find_if(steps.begin(), steps.end(), [&](const MemoryStep &step) { return step.at >= end; });
    // The level at the end goes on at the beginning, until the rank's own first step.
    if (beyond != steps.end()) append(out, 0, (beyond - 1)->parts);
    for (auto step = beyond; step != steps.end(); ++step)
        append(out, step->at - end, step->parts);
    for (auto step = steps.begin() + (beyond != steps.end() ? 1 : 0); step < beyond; ++step)
        append(out, step->at, step->parts);
}

MemoryReport memoryReport(std::shared_ptr<const std::vector<StageMemory>> byStage, Bytes capacity, const Run &run, const Placement &placement)
{
    MemoryReport report;
    report.capacity = capacity;
    std::int32_t fullest = 0;
    for (std::size_t stage = 1; stage < byStage->size(); ++stage)
        if ((*byStage)[stage].peak.total() > (*byStage)[at(fullest)].peak.total()) fullest = static_cast<std::int32_t>(stage);
    const StageMemory &stage = (*byStage)[at(fullest)];
    report.peak = stage.peak;
    report.fits = report.peak.total() <= capacity;
    report.rank = placement.rankAt(fullest, 0, 0);
    report.at = insideIteration(run, run.trace.finishOf(fullest, stage.operation, run.trace.classOfReplica.front()));
    if (!report.fits) report.overflow = firstOverflow(*byStage, capacity, run, placement);
    report.byStage = std::move(byStage);
    return report;
}

} // namespace clusterbeat
