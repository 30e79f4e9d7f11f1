// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/attribution.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/iteration/group_walk.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>


namespace clusterbeat {
namespace {

void add(CategoryTimes &sum, const CategoryTimes &part)
{
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        sum[c] += part[c];
}

/// The waits between operations and the sends that block the compute stream: the same for all members of a group.
CategoryTimes timesOutsideOperations(const Run &run, std::int32_t stage, std::int32_t replica, const TwinWaits *twin)
{
    CategoryTimes times{};
    times[categoryIndex(Category::Host)] += GroupTimeline(run, stage, replica).hostAtStart();
    walkGroup(
        run, stage, replica, twin, [&](const Wait &wait, TimeNs) { times[categoryIndex(wait.category)] += wait.ns; },
        [](std::int32_t, TimeNs, TimeNs) {});
    if (!run.plan.overlapPipeline) {
        for (const ScheduledOperation &operation : run.plan.schedule.order[at(stage)])
            if (sendsOutput(run.plan.schedule, stage, operation))
                times[categoryIndex(Category::ExposedPp)] += sendDuration(run.plan, stage, replica, operation);
    }
    return times;
}

CategoryTimes timesOfShape(const OperationShape &shape, double ownFactor, double slowestFactor)
{
    CategoryTimes times{};
    forEachPiece(shape, ownFactor, slowestFactor, [&](Category category, TimeNs ns, bool) { times[categoryIndex(category)] += ns; });
    return times;
}

CategoryTimes timesOfOptimizer(const IterationPlan &plan, std::int32_t stage, double ownFactor, double slowestFactor)
{
    CategoryTimes times{};
    const TimeNs nominal = plan.optimizer.empty() ? 0 : plan.optimizer[at(stage)];
    times[categoryIndex(Category::Optimizer)] = scaled(nominal, ownFactor);
    times[categoryIndex(Category::StragglerWait)] = scaled(nominal, slowestFactor) - scaled(nominal, ownFactor);
    return times;
}

struct OperationCount {
    ScheduledOperation operation;
    std::int64_t count = 0;
};

/// How often each kind of each chunk occurs.
std::vector<OperationCount> countOperations(const std::vector<ScheduledOperation> &order)
{
    std::vector<OperationCount> counts;
    for (const ScheduledOperation &operation : order) {
        const auto same = std::find_if(counts.begin(), counts.end(), [&](const OperationCount &count) {
            return count.operation.kind == operation.kind && count.operation.chunk == operation.chunk;
        });
        if (same == counts.end()) counts.push_back({operation, 1});
        else ++same->count;
    }
    return counts;
}

/// What a member does inside the operations of its group.
CategoryTimes timesInOperations(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    CategoryTimes times{};
    const auto &order = plan.schedule.order[at(stage)];
    if (jitterAffects(plan, stage, replica)) {
        for (std::size_t k = 0; k < order.size(); ++k) {
            const auto operation = static_cast<std::int32_t>(k);
            add(times, timesOfShape(plan.shapeOf(stage, order[k]), memberFactor(plan, stage, replica, member, operation),
                                    groupFactor(plan, stage, replica, operation)));
        }
    } else {
        // The factors do not depend on the operation: one evaluation for each kind and chunk.
        const double own = memberFactor(plan, stage, replica, member, 0), slowest = groupFactor(plan, stage, replica, 0);
        for (const OperationCount &count : countOperations(order)) {
            const CategoryTimes one = timesOfShape(plan.shapeOf(stage, count.operation), own, slowest);
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                times[c] += one[c] * count.count;
        }
    }
    add(times, timesOfOptimizer(plan, stage, memberFactor(plan, stage, replica, member, kOptimizerOperation),
                                groupFactor(plan, stage, replica, kOptimizerOperation)));
    return times;
}

/// Sum over the members of a group with random jitter, from the mean factors: within half a nanosecond an operation
/// and member of the sum of their own rounded times, and with the same total.
CategoryTimes jitteredTimes(const Run &run, std::int32_t stage, std::int32_t replica)
{
    const IterationPlan &plan = run.plan;
    const auto &order = plan.schedule.order[at(stage)];
    const GroupFactors &factors = run.trace.jitterFactors[at(stage)][at(run.trace.classOfReplica[at(replica)])];
    std::array<double, kCategoryCount> sum{};
    TimeNs total = 0;
    for (const OperationCount &kind : countOperations(order)) {
        const OperationShape &shape = plan.shapeOf(stage, kind.operation);
        const TimeNs scaling = shape.scaling(), fixed = shape.total() - scaling;
        double mean = 0.0;
        for (std::size_t k = 0; k < order.size(); ++k) {
            if (order[k].kind != kind.operation.kind || order[k].chunk != kind.operation.chunk) continue;
            mean += factors.mean[k];
            total += fixed + scaled(scaling, factors.slowest[k]);
        }
        for (const Segment &segment : shape.segments)
            sum[categoryIndex(segment.category)] += static_cast<double>(segment.ns) * (scalesWithSpeed(segment.category) ? mean : static_cast<double>(kind.count));
    }
    CategoryTimes times{};
    TimeNs named = 0;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        times[c] = scaled(1, sum[c] * plan.groupSize);
        named += times[c];
    }
    times[categoryIndex(Category::StragglerWait)] += total * plan.groupSize - named;
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        add(times, timesOfOptimizer(plan, stage, memberFactor(plan, stage, replica, member, kOptimizerOperation),
                                    groupFactor(plan, stage, replica, kOptimizerOperation)));
    return times;
}

/// Sum over the members of one group.
CategoryTimes timesOfGroup(const Run &run, std::int32_t stage, std::int32_t replica, const CategoryTimes &outside)
{
    CategoryTimes sum{};
    if (jitterAffects(run.plan, stage, replica)) {
        sum = jitteredTimes(run, stage, replica);
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sum[c] += outside[c] * run.plan.groupSize;
        return sum;
    }
    if (!run.plan.perturbed() || uniformGroup(run.plan, stage, replica)) {
        CategoryTimes one = timesInOperations(run.plan, stage, replica, 0);
        add(one, outside);
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sum[c] = one[c] * run.plan.groupSize;
        return sum;
    }
    for (std::int32_t member = 0; member < run.plan.groupSize; ++member) {
        add(sum, timesInOperations(run.plan, stage, replica, member));
        add(sum, outside);
    }
    return sum;
}

} // namespace

CategoryTimes categoryTimes(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    const std::int32_t twinClass = run.unperturbed().classOfReplica[at(replica)];
    const TwinWaits twin = run.perturbed() ? twinWaits(run, stage, twinClass) : TwinWaits{};
    CategoryTimes times = timesOutsideOperations(run, stage, replica, run.perturbed() ? &twin : nullptr);
    add(times, timesInOperations(run.plan, stage, replica, member));
    return times;
}

std::array<double, kCategoryCount> meanBreakdown(const Run &run, const std::stop_token &stop)
{
    std::array<double, kCategoryCount> mean{};
    std::vector<std::int64_t> replicasOfClass(at(run.trace.classes), 0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        ++replicasOfClass[at(cls)];
    // Integer sums first, so that neither the order of addition nor the threads can show.
    const TwinWaitTable twins(run);
    std::vector<CategoryTimes> ofClass(at(run.trace.classes), CategoryTimes{});
    parallelFor(ofClass.size(), threadsForClasses(ofClass.size(), run.plan), [&](std::size_t cls) {
        const std::int32_t replica = run.trace.representative[cls];
        for (std::int32_t stage = 0; stage < run.plan.stages() && !stop.stop_requested(); ++stage)
            add(ofClass[cls], timesOfGroup(run, stage, replica, timesOutsideOperations(run, stage, replica, twins.of(stage, replica))));
    });
    CategoryTimes sum{};
    for (std::size_t cls = 0; cls < ofClass.size(); ++cls)
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sum[c] += ofClass[cls][c] * replicasOfClass[cls];
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        mean[c] = static_cast<double>(sum[c]) / static_cast<double>(run.plan.ranks()) / 1e9;
    return mean;
}

double scheduleBubbleFraction(const IterationPlan &plan)
{
    IterationPlan bare;
    bare.schedule = plan.schedule;
    bare.replicas = 1;
    bare.optimizerSync = plan.optimizerSync;
    const auto stripped = [](const std::vector<std::vector<OperationShape>> &shapes) {
        std::vector<std::vector<OperationShape>> result = shapes;
        for (auto &stage : result)
            for (OperationShape &shape : stage)
                std::erase_if(shape.segments, [](const Segment &segment) { return isExposedCommunication(segment.category); });
        return result;
    };
    bare.forward = stripped(plan.forward);
    bare.backward = stripped(plan.backward);
    bare.inputGradient = stripped(plan.inputGradient);
    bare.weightGradient = stripped(plan.weightGradient);
    const Trace trace = executePlan(bare);
    if (trace.iteration == 0) return 0.0;
    double idle = 0.0;
    for (std::int32_t stage = 0; stage < bare.stages(); ++stage) {
        TimeNs work = 0;
        for (const ScheduledOperation &operation : bare.schedule.order[at(stage)])
            work += bare.shapeOf(stage, operation).total();
        idle += static_cast<double>(trace.iteration - work) / static_cast<double>(trace.iteration);
    }
    return idle / bare.stages();
}

} // namespace clusterbeat
