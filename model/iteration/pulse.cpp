// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/pulse.h"

#include "model/iteration/group_timeline.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>

namespace clusterbeat {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

using Shares = std::array<double, kCategoryCount>;

/// Adds intervals to equal bins; an interval counts in a bin by the part of the bin that it covers.
class BinWriter {
public:
    BinWriter(std::vector<double> &sums, std::int32_t bins, TimeNs duration) : m_sums(sums), m_bins(bins), m_perBin(static_cast<double>(duration) / bins) {}
    void add(TimeNs begin, TimeNs end, const Shares &shares, double weight)
    {
        if (end <= begin) return;
        const double first = static_cast<double>(begin) / m_perBin, last = static_cast<double>(end) / m_perBin;
        for (auto bin = static_cast<std::int32_t>(first); bin < m_bins && bin < last; ++bin) {
            const double covered = std::min(last, bin + 1.0) - std::max(first, static_cast<double>(bin));
            if (covered <= 0.0) continue;
            double *sum = &m_sums[at(bin) * kCategoryCount];
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                sum[c] += weight * covered * shares[c];
        }
    }
    void add(TimeNs begin, TimeNs end, Category category, double weight)
    {
        Shares shares{};
        shares[categoryIndex(category)] = 1.0;
        add(begin, end, shares, weight);
    }

private:
    std::vector<double> &m_sums;
    std::int32_t m_bins;
    double m_perBin;
};

Shares fractions(Shares sum)
{
    double total = 0.0;
    for (const double part : sum)
        total += part;
    for (double &part : sum)
        part = total > 0.0 ? part / total : 0.0;
    return sum;
}

/// Mean shares of the group's members during one operation: collectives inside an operation are folded, area = time.
Shares sharesOfOperation(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t k)
{
    const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(k)];
    const OperationShape &shape = plan.shapeOf(stage, operation);
    Shares sum{};
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
    Shares sum{};
    const double slowest = groupFactor(plan, stage, replica, kOptimizerOperation);
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        forEachPiece(step, memberFactor(plan, stage, replica, member, kOptimizerOperation), slowest,
                     [&](Category category, TimeNs ns, bool) { sum[categoryIndex(category)] += static_cast<double>(ns); });
    return fractions(sum);
}

void addGroup(const Run &run, std::int32_t stage, std::int32_t replica, double weight, BinWriter &writer)
{
    const GroupTimeline timeline(run, stage, replica);
    writer.add(0, timeline.hostAtStart(), Category::Host, weight);
    std::vector<Wait> waits;
    // Without jitter the shares depend on kind and chunk only.
    const bool cached = !jitterAffects(run.plan, stage, replica);
    std::vector<Shares> cache(4 * at(run.plan.schedule.chunks));
    std::vector<std::uint8_t> known(cache.size(), 0);
    for (std::int32_t slot = 0; slot <= timeline.endSlot(); ++slot) {
        timeline.waitBefore(slot, waits);
        TimeNs clock = timeline.waitBegin(slot);
        for (const Wait &wait : waits) {
            writer.add(clock, clock + wait.ns, wait.category, weight);
            clock += wait.ns;
        }
        if (slot == timeline.endSlot()) break;
        if (slot == timeline.optimizerSlot()) {
            writer.add(timeline.start(slot), timeline.end(slot), sharesOfOptimizer(run.plan, stage, replica), weight);
            continue;
        }
        const ScheduledOperation &operation = run.plan.schedule.order[at(stage)][at(slot)];
        const std::size_t key = 4 * at(operation.chunk) + static_cast<std::size_t>(operation.kind);
        if (!cached || !known[key]) {
            cache[key] = sharesOfOperation(run.plan, stage, replica, slot);
            known[key] = 1;
        }
        writer.add(timeline.start(slot), timeline.end(slot), cache[key], weight);
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

std::vector<double> classSums(const Run &run, std::int32_t cls, std::int32_t bins)
{
    std::vector<double> sums(at(bins) * kCategoryCount, 0.0);
    BinWriter writer(sums, bins, std::max<TimeNs>(1, run.trace.iteration));
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        addGroup(run, stage, run.trace.representative[at(cls)], 1.0, writer);
    return sums;
}

} // namespace

ShareBins pulseBins(const Run &run, std::int32_t bins)
{
    std::vector<double> weights(at(run.trace.classes), 0.0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        weights[at(cls)] += 1.0;
    std::vector<double> total(at(bins) * kCategoryCount, 0.0);
    for (std::int32_t cls = 0; cls < run.trace.classes; ++cls) {
        const std::vector<double> sums = classSums(run, cls, bins);
        for (std::size_t i = 0; i < total.size(); ++i)
            total[i] += weights[at(cls)] * sums[i];
    }
    return normalised(total, bins, run.trace.iteration);
}

std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins)
{
    std::vector<ShareBins> result;
    result.reserve(at(run.trace.classes));
    for (std::int32_t cls = 0; cls < run.trace.classes; ++cls)
        result.push_back(normalised(classSums(run, cls, bins), bins, run.trace.iteration));
    return result;
}

} // namespace clusterbeat
