// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/pulse.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/iteration/group_walk.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr std::size_t kClassesAtATime = 32;

/// The few categories of one interval and their shares.
struct Share {
    std::size_t category = 0;
    double share = 0.0;
};
using Shares = std::vector<Share>;

/// Adds intervals to equal bins; an interval counts in a bin by the part of the bin that it covers.
class BinWriter {
public:
    BinWriter(std::vector<double> &sums, std::int32_t bins, TimeNs duration) : m_sums(sums), m_duration(duration), m_bins(bins), m_perBin(static_cast<double>(duration) / bins) {}
    void add(TimeNs begin, TimeNs end, const Shares &shares)
    {
        if (end <= begin) return;
        if (end > m_duration) {
            // Beyond the iteration: the same part of the iteration before, at the beginning.
            add(begin, m_duration, shares);
            add(std::max<TimeNs>(0, begin - m_duration), end - m_duration, shares);
            return;
        }
        const double first = static_cast<double>(begin) / m_perBin, last = static_cast<double>(end) / m_perBin;
        for (auto bin = static_cast<std::int32_t>(first); bin < m_bins && bin < last; ++bin) {
            const double covered = std::min(last, bin + 1.0) - std::max(first, static_cast<double>(bin));
            double *sum = &m_sums[at(bin) * kCategoryCount];
            for (const Share &share : shares)
                sum[share.category] += covered * share.share;
        }
    }
    void add(TimeNs begin, TimeNs end, Category category)
    {
        m_single.front().category = categoryIndex(category);
        add(begin, end, m_single);
    }

private:
    std::vector<double> &m_sums;
    TimeNs m_duration;
    std::int32_t m_bins;
    double m_perBin;
    Shares m_single{{0, 1.0}};
};

using Sums = std::array<double, kCategoryCount>;

Shares fractions(const Sums &sums)
{
    double total = 0.0;
    for (const double part : sums)
        total += part;
    Shares shares;
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        if (sums[c] > 0.0) shares.push_back({c, sums[c] / total});
    return shares;
}

/// What one category takes of a shape: the part that a slow GPU lengthens and the rest.
struct Part {
    std::size_t category = 0;
    double scaling = 0.0, fixed = 0.0;
};

std::vector<Part> partsOf(const OperationShape &shape, TimeNs blockingSend)
{
    Sums scaling{}, fixed{};
    for (const Segment &segment : shape.segments)
        (scalesWithSpeed(segment.category) ? scaling : fixed)[categoryIndex(segment.category)] += static_cast<double>(segment.ns);
    fixed[categoryIndex(Category::ExposedPp)] += static_cast<double>(blockingSend);
    std::vector<Part> parts;
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        if (scaling[c] + fixed[c] > 0.0) parts.push_back({c, scaling[c], fixed[c]});
    return parts;
}

/// Of an operation with random jitter, from the group's mean and slowest factor.
void jitteredShares(const std::vector<Part> &parts, double mean, double slowest, Shares &out)
{
    out.clear();
    double total = 0.0, scaling = 0.0;
    for (const Part &part : parts) {
        scaling += part.scaling;
        total += part.fixed + part.scaling * slowest;
    }
    if (total <= 0.0) return;
    for (const Part &part : parts)
        out.push_back({part.category, (part.fixed + part.scaling * mean) / total});
    if (slowest > mean) out.push_back({categoryIndex(Category::StragglerWait), scaling * (slowest - mean) / total});
}

/// Mean shares of the group's members during one operation: collectives inside an operation are folded, area = time.
Shares sharesOfOperation(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t k)
{
    const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(k)];
    const OperationShape &shape = plan.shapeOf(stage, operation);
    Sums sum{};
    const double slowest = groupFactor(plan, stage, replica, k);
    const std::int32_t distinct = !plan.perturbed() || uniformGroup(plan, stage, replica) ? 1 : plan.groupSize;
    for (std::int32_t member = 0; member < distinct; ++member)
        forEachPiece(shape, memberFactor(plan, stage, replica, member, k), slowest,
                     [&](Category category, TimeNs ns, bool) { sum[categoryIndex(category)] += static_cast<double>(ns); });
    if (!plan.overlapPipeline && sendsOutput(plan.schedule, stage, operation))
        sum[categoryIndex(Category::ExposedPp)] += static_cast<double>(sendDuration(plan, stage, replica, operation)) * distinct;
    return fractions(sum);
}

Shares sharesOfOptimizer(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    const OperationShape step{{{Category::Optimizer, plan.optimizer.empty() ? 0 : plan.optimizer[at(stage)]}}};
    Sums sum{};
    const double slowest = groupFactor(plan, stage, replica, kOptimizerOperation);
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        forEachPiece(step, memberFactor(plan, stage, replica, member, kOptimizerOperation), slowest,
                     [&](Category category, TimeNs ns, bool) { sum[categoryIndex(category)] += static_cast<double>(ns); });
    return fractions(sum);
}

void addGroup(const Run &run, std::int32_t stage, std::int32_t replica, const TwinWaits *twin, BinWriter &writer)
{
    const IterationPlan &plan = run.plan;
    const GroupTimeline timeline(run, stage, replica);
    writer.add(timeline.origin(), timeline.origin() + timeline.hostAtStart(), Category::Host);
    const GroupFactors *jitter =
        jitterAffects(plan, stage, replica) ? &run.trace.jitterFactors[at(stage)][at(run.trace.classOfReplica[at(replica)])] : nullptr;
    // By kind and chunk: the shares, or with jitter what they are made of.
    std::vector<Shares> cache(4 * at(plan.schedule.chunks));
    std::vector<std::vector<Part>> parts(cache.size());
    Shares drawn;
    const auto sharesOf = [&](std::int32_t slot) -> const Shares & {
        const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(slot)];
        const std::size_t key = 4 * at(operation.chunk) + static_cast<std::size_t>(operation.kind);
        if (!jitter) {
            if (cache[key].empty()) cache[key] = sharesOfOperation(plan, stage, replica, slot);
            return cache[key];
        }
        if (parts[key].empty())
            parts[key] = partsOf(plan.shapeOf(stage, operation), plan.overlapPipeline ? 0 : sendDuration(plan, stage, replica, operation));
        jitteredShares(parts[key], jitter->mean[at(slot)], jitter->slowest[at(slot)], drawn);
        return drawn;
    };
    walkGroup(
        run, stage, replica, twin, [&](const Wait &wait, TimeNs begin) { writer.add(begin, begin + wait.ns, wait.category); },
        [&](std::int32_t slot, TimeNs begin, TimeNs end) {
            if (slot == timeline.optimizerSlot()) writer.add(begin, end, sharesOfOptimizer(plan, stage, replica));
            else writer.add(begin, end, sharesOf(slot));
        });
}

ShareBins normalised(const std::vector<double> &sums, std::int32_t bins, TimeNs duration)
{
    ShareBins result{bins, duration, std::vector<float>(sums.size(), 0.0F)};
    for (std::int32_t bin = 0; bin < bins; ++bin) {
        const double *sum = &sums[at(bin) * kCategoryCount];
        double total = 0.0;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            total += sum[c];
        for (std::size_t c = 0; c < kCategoryCount && total > 0.0; ++c)
            result.share[at(bin) * kCategoryCount + c] = static_cast<float>(sum[c] / total);
    }
    return result;
}

/// Sums of `count` neighbouring bins.
std::vector<double> merged(const std::vector<double> &sums, std::int32_t count)
{
    std::vector<double> result(sums.size() / at(count), 0.0);
    for (std::size_t i = 0; i < result.size() * at(count); ++i)
        result[i / kCategoryCount / at(count) * kCategoryCount + i % kCategoryCount] += sums[i];
    return result;
}

std::vector<double> classSums(const Run &run, const TwinWaitTable &twins, std::int32_t cls, std::int32_t bins)
{
    std::vector<double> sums(at(bins) * kCategoryCount, 0.0);
    BinWriter writer(sums, bins, std::max<TimeNs>(1, run.trace.iteration));
    const std::int32_t replica = run.trace.representative[at(cls)];
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        addGroup(run, stage, replica, twins.of(stage, replica), writer);
    return sums;
}

} // namespace

ShareBins pulseBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).pulse; }

std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).replicas; }

BinnedRun binRun(const Run &run, std::int32_t pulse, std::int32_t perReplicaBin, const std::stop_token &stop)
{
    std::vector<double> weights(at(run.trace.classes), 0.0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        weights[at(cls)] += 1.0;
    const TwinWaitTable twins(run);
    BinnedRun result;
    result.replicas.resize(weights.size());
    std::vector<double> total(at(pulse) * kCategoryCount, 0.0);
    // A block of classes at a time: their sums are kept only until they are added, in order.
    std::vector<std::vector<double>> block;
    for (std::size_t first = 0; first < weights.size() && !stop.stop_requested(); first += kClassesAtATime) {
        block.resize(std::min(kClassesAtATime, weights.size() - first));
        parallelFor(block.size(), threadsForClasses(block.size(), run.plan), [&](std::size_t i) {
            block[i] = classSums(run, twins, static_cast<std::int32_t>(first + i), pulse);
            result.replicas[first + i] = normalised(merged(block[i], perReplicaBin), pulse / perReplicaBin, run.trace.iteration);
        });
        for (std::size_t i = 0; i < block.size(); ++i)
            for (std::size_t c = 0; c < total.size(); ++c)
                total[c] += weights[first + i] * block[i][c];
    }
    result.pulse = normalised(total, pulse, run.trace.iteration);
    return result;
}

} // namespace clusterbeat
