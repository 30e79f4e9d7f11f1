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

/// The waits between operations too.
CategoryTimes timesOutsideOperations(const Run &run, std::int32_t stage, std::int32_t replica, const TwinWaits *twin)
{
    CategoryTimes times = fixedTimesOfGroup(run, stage, replica);
    walkGroup(
        run, stage, replica, twin, [&](const Wait &wait, TimeNs) { times[categoryIndex(wait.category)] += wait.ns; },
        [](std::int32_t, TimeNs, TimeNs) {});
    return times;
}

CategoryTimes timesOfShape(const OperationShape &shape, const Pace &pace)
{
    CategoryTimes times{};
    forEachPiece(shape, pace, [&](Category category, TimeNs ns, bool) { times[categoryIndex(category)] += ns; });
    return times;
}

CategoryTimes timesOfOptimizer(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    CategoryTimes times{};
    forEachOptimizerPiece(plan, stage, replica, member, [&](Category category, TimeNs ns, bool) { times[categoryIndex(category)] += ns; });
    return times;
}

struct OperationCount {
    ScheduledOperation operation;
    std::int64_t count = 0;
};

/// How often each kind of each chunk occurs.
std::vector<OperationCount> countOperations(const std::vector<ScheduledOperation> &order)
{
    constexpr std::size_t kinds = 4;
    std::vector<OperationCount> counts;
    std::vector<std::int32_t> place; // by chunk and kind
    for (const ScheduledOperation &operation : order) {
        const std::size_t key = at(operation.chunk) * kinds + static_cast<std::size_t>(operation.kind);
        if (key >= place.size()) place.resize(key + 1, kNone);
        if (place[key] == kNone) {
            place[key] = static_cast<std::int32_t>(counts.size());
            counts.push_back({operation, 0});
        }
        ++counts[at(place[key])].count;
    }
    return counts;
}

/// What a member does inside the operations of its group.
CategoryTimes timesInOperations(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    CategoryTimes times{};
    const auto &order = plan.schedule.order[at(stage)];
    if (plan.perturbed() && variesByOperation(plan, stage, replica)) {
        for (std::size_t k = 0; k < order.size(); ++k)
            add(times, timesOfShape(plan.shapeOf(stage, replica, order[k]), paceOf(plan, stage, replica, member, static_cast<std::int32_t>(k))));
    } else {
        // The pace does not depend on the operation: one evaluation for each kind and chunk.
        const Pace pace = paceOf(plan, stage, replica, member, 0);
        for (const OperationCount &count : countOperations(order)) {
            const CategoryTimes one = timesOfShape(plan.shapeOf(stage, replica, count.operation), pace);
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                times[c] += one[c] * count.count;
        }
    }
    add(times, timesOfOptimizer(plan, stage, replica, member));
    return times;
}

/// Sums over a group's operations of one kind and chunk.
struct VaryingSum {
    std::int64_t count = 0;
    double mean = 0.0, attention = 0.0;   ///< of the members' mean factors, and of these times what the documents add
};

/// Sum over the members of a group whose pace varies.
CategoryTimes varyingTimes(const Run &run, const ShapePartTable &table, std::int32_t stage, std::int32_t replica)
{
    const IterationPlan &plan = run.plan;
    const auto &order = plan.schedule.order[at(stage)];
    const GroupFactors &factors = run.trace.factors[at(stage)][at(run.trace.classOfReplica[at(replica)])];
    std::vector<VaryingSum> sums(table.keys());
    TimeNs total = 0, pauses = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
        const auto operation = static_cast<std::int32_t>(k);
        const std::size_t key = table.keyOf(order[k]);
        const ShapeParts &shape = table.of(plan, stage, replica, key);
        const double documents = attentionFactor(plan, stage, replica, operation);
        VaryingSum &sum = sums[key];
        ++sum.count;
        sum.mean += factors.mean[k];
        sum.attention += factors.mean[k] * (documents - 1.0);
        const auto scaling = static_cast<TimeNs>(shape.scaling), attention = static_cast<TimeNs>(shape.attention);
        total += static_cast<TimeNs>(shape.fixed) + scaled(scaling + attentionGrowth(attention, documents), factors.slowest[k]);
        if (factors.pause.empty()) continue;
        total += factors.pause[k];
        pauses += factors.pauseSum[k];
    }
    std::array<double, kCategoryCount> ofMember{};
    for (std::size_t key = 0; key < sums.size(); ++key)
        for (const ShapePart &part : table.of(plan, stage, replica, key).parts)
            ofMember[part.category] += part.scaling * sums[key].mean + part.attention * sums[key].attention +
                                       part.fixed * static_cast<double>(sums[key].count);
    CategoryTimes times{};
    times[categoryIndex(Category::Host)] = pauses;
    TimeNs named = pauses;
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const TimeNs ns = scaled(1, ofMember[c] * plan.groupSize);
        times[c] += ns;
        named += ns;
    }
    // The rest is the wait for the slowest member; where all run alike, rounding.
    const Category rest = uniformGroup(plan, stage, replica) ? Category::Forward : Category::StragglerWait;
    times[categoryIndex(rest)] += total * plan.groupSize - named;
    return times;
}

} // namespace

CategoryTimes fixedTimesOfGroup(const Run &run, std::int32_t stage, std::int32_t replica)
{
    CategoryTimes times{};
    times[categoryIndex(Category::Host)] += GroupTimeline(run, stage, replica).hostAtStart();
    const std::int32_t cls = run.trace.classOfReplica[at(replica)], operations = static_cast<std::int32_t>(run.plan.schedule.order[at(stage)].size());
    for (std::int32_t k = 0; k < operations && !run.trace.peerWait.empty(); ++k)
        times[categoryIndex(Category::StragglerWait)] += run.trace.peerWaitOf(stage, k, cls);
    if (run.plan.overlapPipeline) return times;
    for (const ScheduledOperation &operation : run.plan.schedule.order[at(stage)])
        if (sendsOutput(run.plan.schedule, stage, operation))
            times[categoryIndex(Category::ExposedPp)] += sendDuration(run.plan, stage, replica, operation);
    return times;
}

std::optional<ShapePartTable> partsForVaryingPace(const IterationPlan &plan)
{
    const bool varies = !plan.jitter.empty() || !plan.warmUp.empty() || !plan.pauses.empty() || !plan.attention.empty();
    return varies ? std::optional<ShapePartTable>(plan) : std::nullopt;
}

CategoryTimes timesInsideGroup(const Run &run, const ShapePartTable *parts, std::int32_t stage, std::int32_t replica)
{
    const IterationPlan &plan = run.plan;
    CategoryTimes sum{};
    if (parts && variesByOperation(plan, stage, replica)) {
        sum = varyingTimes(run, *parts, stage, replica);
        for (std::int32_t member = 0; member < plan.groupSize; ++member)
            add(sum, timesOfOptimizer(plan, stage, replica, member));
        return sum;
    }
    const bool uniform = !plan.perturbed() || uniformGroup(plan, stage, replica);
    for (std::int32_t member = 0; member < (uniform ? 1 : plan.groupSize); ++member)
        add(sum, timesInOperations(plan, stage, replica, member));
    for (std::size_t c = 0; c < kCategoryCount && uniform; ++c)
        sum[c] *= plan.groupSize;
    return sum;
}

CategoryTimes categoryTimes(const Run &run, std::int32_t stage, std::int32_t replica, std::int32_t member)
{
    const std::int32_t twinClass = run.unperturbed().classOfReplica[at(replica)];
    const TwinWaits twin = run.perturbed() ? twinWaits(run, stage, twinClass) : TwinWaits{};
    CategoryTimes times = timesOutsideOperations(run, stage, replica, run.perturbed() ? &twin : nullptr);
    add(times, timesInOperations(run.plan, stage, replica, member));
    return times;
}

std::array<double, kCategoryCount> meanOfClasses(const Run &run, const std::vector<CategoryTimes> &ofClass)
{
    std::vector<std::int64_t> replicasOfClass(ofClass.size(), 0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        ++replicasOfClass[at(cls)];
    CategoryTimes sum{};
    for (std::size_t cls = 0; cls < ofClass.size(); ++cls)
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sum[c] += ofClass[cls][c] * replicasOfClass[cls];
    std::array<double, kCategoryCount> mean{};
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        mean[c] = static_cast<double>(sum[c]) / static_cast<double>(run.plan.ranks()) / 1e9;
    return mean;
}

std::array<double, kCategoryCount> meanBreakdown(const Run &run, const std::stop_token &stop)
{
    // Integer sums first, so that neither the order of addition nor the threads can show.
    const TwinWaitTable twins(run);
    const std::optional<ShapePartTable> parts = partsForVaryingPace(run.plan);
    std::vector<CategoryTimes> ofClass(at(run.trace.classes), CategoryTimes{});
    parallelFor(ofClass.size(), threadsForClasses(ofClass.size(), run.plan), [&](std::size_t cls) {
        const std::int32_t replica = run.trace.representative[cls];
        for (std::int32_t stage = 0; stage < run.plan.stages() && !stop.stop_requested(); ++stage) {
            const CategoryTimes outside = timesOutsideOperations(run, stage, replica, twins.of(stage, replica));
            add(ofClass[cls], timesInsideGroup(run, parts ? &*parts : nullptr, stage, replica));
            for (std::int32_t member = 0; member < run.plan.groupSize; ++member)
                add(ofClass[cls], outside);
        }
    });
    return meanOfClasses(run, ofClass);
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
        for (const OperationCount &each : countOperations(bare.schedule.order[at(stage)]))
            work += bare.shapeOf(stage, each.operation).total() * each.count;
        idle += static_cast<double>(trace.iteration - work) / static_cast<double>(trace.iteration);
    }
    return idle / bare.stages();
}

} // namespace clusterbeat
