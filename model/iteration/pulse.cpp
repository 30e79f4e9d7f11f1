// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/pulse.h"

#include "model/iteration/group_timeline.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>

namespace clusterbeat {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

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

/// Of an operation with random jitter, from the group's mean and slowest factor.
void jitteredShares(const OperationShape &shape, TimeNs blockingSend, double mean, double slowest, Shares &out)
{
    Sums sums{};
    double scaling = 0.0;
    for (const Segment &segment : shape.segments) {
        const bool scales = scalesWithSpeed(segment.category);
        sums[categoryIndex(segment.category)] += static_cast<double>(segment.ns) * (scales ? mean : 1.0);
        if (scales) scaling += static_cast<double>(segment.ns);
    }
    sums[categoryIndex(Category::ExposedPp)] += static_cast<double>(blockingSend);
    sums[categoryIndex(Category::StragglerWait)] += scaling * std::max(0.0, slowest - mean);
    out = fractions(sums);
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

void addGroup(const Run &run, std::int32_t stage, std::int32_t replica, BinWriter &writer)
{
    const GroupTimeline timeline(run, stage, replica);
    writer.add(timeline.origin(), timeline.origin() + timeline.hostAtStart(), Category::Host);
    std::vector<Wait> waits;
    const bool jitter = jitterAffects(run.plan, stage, replica);
    // Without jitter the shares depend on kind and chunk only.
    std::vector<Shares> cache(4 * at(run.plan.schedule.chunks));
    Shares drawn;
    for (std::int32_t slot = 0; slot <= timeline.endSlot(); ++slot) {
        timeline.waitBefore(slot, waits);
        TimeNs clock = timeline.waitBegin(slot);
        for (const Wait &wait : waits) {
            writer.add(clock, clock + wait.ns, wait.category);
            clock += wait.ns;
        }
        if (slot == timeline.endSlot()) break;
        if (slot == timeline.optimizerSlot()) {
            writer.add(timeline.start(slot), timeline.end(slot), sharesOfOptimizer(run.plan, stage, replica));
            continue;
        }
        const ScheduledOperation &operation = run.plan.schedule.order[at(stage)][at(slot)];
        if (jitter) {
            const GroupFactors &factors = run.trace.jitterFactors[at(stage)][at(run.trace.classOfReplica[at(replica)])];
            const TimeNs send = run.plan.overlapPipeline ? 0 : sendDuration(run.plan, stage, replica, operation);
            jitteredShares(run.plan.shapeOf(stage, operation), send, factors.mean[at(slot)], factors.slowest[at(slot)], drawn);
            writer.add(timeline.start(slot), timeline.end(slot), drawn);
            continue;
        }
        Shares &shares = cache[4 * at(operation.chunk) + static_cast<std::size_t>(operation.kind)];
        if (shares.empty()) shares = sharesOfOperation(run.plan, stage, replica, slot);
        writer.add(timeline.start(slot), timeline.end(slot), shares);
    }
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

std::vector<double> classSums(const Run &run, std::int32_t cls, std::int32_t bins)
{
    std::vector<double> sums(at(bins) * kCategoryCount, 0.0);
    BinWriter writer(sums, bins, std::max<TimeNs>(1, run.trace.iteration));
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        addGroup(run, stage, run.trace.representative[at(cls)], writer);
    return sums;
}

} // namespace

ShareBins pulseBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).pulse; }

std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).replicas; }

BinnedRun binRun(const Run &run, std::int32_t pulse, std::int32_t perReplicaBin)
{
    std::vector<double> weights(at(run.trace.classes), 0.0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        weights[at(cls)] += 1.0;
    BinnedRun result;
    std::vector<double> total(at(pulse) * kCategoryCount, 0.0);
    for (std::int32_t cls = 0; cls < run.trace.classes; ++cls) {
        const std::vector<double> sums = classSums(run, cls, pulse);
        for (std::size_t i = 0; i < total.size(); ++i)
            total[i] += weights[at(cls)] * sums[i];
        result.replicas.push_back(normalised(merged(sums, perReplicaBin), pulse / perReplicaBin, run.trace.iteration));
    }
    result.pulse = normalised(total, pulse, run.trace.iteration);
    return result;
}

} // namespace clusterbeat
