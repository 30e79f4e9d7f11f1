// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/pulse.h"

#include "model/base/index.h"
#include "model/base/parallel.h"
#include "model/iteration/attribution.h"
#include "model/iteration/group_walk.h"
#include "model/iteration/operation_pieces.h"

#include <algorithm>
#include <optional>

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

/// How a group that varies runs one operation.
struct VaryingPace {
    double mean = 1.0, slowest = 1.0, documents = 1.0;
    double meanPause = 0.0, longestPause = 0.0, blockingSend = 0.0;
};

VaryingPace varyingPace(const IterationPlan &plan, const GroupFactors &factors, std::int32_t stage, std::int32_t replica, std::int32_t k)
{
    VaryingPace pace{factors.mean[at(k)], factors.slowest[at(k)], attentionFactor(plan, stage, replica, k)};
    if (!factors.pause.empty()) {
        pace.meanPause = static_cast<double>(factors.pauseSum[at(k)]) / plan.groupSize;
        pace.longestPause = static_cast<double>(factors.pause[at(k)]);
    }
    if (!plan.overlapPipeline) pace.blockingSend = static_cast<double>(sendDuration(plan, stage, replica, plan.schedule.order[at(stage)][at(k)]));
    return pace;
}

/// Of an operation whose pace varies, from the group's mean and slowest factor.
void varyingShares(const ShapeParts &shape, const VaryingPace &pace, Shares &out)
{
    out.clear();
    const double work = shape.scaling + shape.attention * (pace.documents - 1.0);
    const double total = shape.fixed + pace.blockingSend + work * pace.slowest + pace.longestPause;
    if (total <= 0.0) return;
    for (const ShapePart &part : shape.parts)
        out.push_back({part.category, (part.fixed + (part.scaling + part.attention * (pace.documents - 1.0)) * pace.mean) / total});
    const double waits = (pace.slowest > pace.mean ? work * (pace.slowest - pace.mean) : 0.0) + pace.longestPause - pace.meanPause;
    if (waits > 0.0) out.push_back({categoryIndex(Category::StragglerWait), waits / total});
    if (pace.meanPause > 0.0) out.push_back({categoryIndex(Category::Host), pace.meanPause / total});
    if (pace.blockingSend > 0.0) out.push_back({categoryIndex(Category::ExposedPp), pace.blockingSend / total});
}

/// Mean shares of the group's members during one operation: collectives inside an operation are folded, area = time.
Shares sharesOfOperation(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t k)
{
    const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(k)];
    const OperationShape &shape = plan.shapeOf(stage, replica, operation);
    Sums sum{};
    const std::int32_t distinct = !plan.perturbed() || uniformGroup(plan, stage, replica) ? 1 : plan.groupSize;
    for (std::int32_t member = 0; member < distinct; ++member)
        forEachPiece(shape, paceOf(plan, stage, replica, member, k),
                     [&](Category category, TimeNs ns, bool) { sum[categoryIndex(category)] += static_cast<double>(ns); });
    if (!plan.overlapPipeline && sendsOutput(plan.schedule, stage, operation))
        sum[categoryIndex(Category::ExposedPp)] += static_cast<double>(sendDuration(plan, stage, replica, operation)) * distinct;
    return fractions(sum);
}

/// Of an operation of which `peers` are a wait for other replicas' experts.
Shares withPeers(Shares shares, TimeNs peers, TimeNs duration)
{
    const double wait = static_cast<double>(peers) / static_cast<double>(duration);
    for (Share &share : shares)
        share.share *= 1.0 - wait;
    shares.push_back({categoryIndex(Category::StragglerWait), wait});
    return shares;
}

Shares sharesOfOptimizer(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    Sums sum{};
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        forEachOptimizerPiece(plan, stage, replica, member,
                              [&](Category category, TimeNs ns, bool) { sum[categoryIndex(category)] += static_cast<double>(ns); });
    return fractions(sum);
}

/// What a pass over all groups needs.
struct Pass {
    explicit Pass(const Run &r) : run(r), twins(r), parts(partsForVaryingPace(r.plan)) {}
    const Run &run;
    TwinWaitTable twins;
    std::optional<ShapePartTable> parts;
};

/// Bins of one group; returns its members' summed times.
CategoryTimes addGroup(const Pass &pass, std::int32_t stage, std::int32_t replica, BinWriter &writer)
{
    const Run &run = pass.run;
    const IterationPlan &plan = run.plan;
    const GroupTimeline timeline(run, stage, replica);
    const std::int32_t cls = run.trace.classOfReplica[at(replica)];
    writer.add(timeline.origin(), timeline.origin() + timeline.hostAtStart(), Category::Host);
    const GroupFactors *varying = pass.parts && variesByOperation(plan, stage, replica)
                                      ? &run.trace.factors[at(stage)][at(cls)] : nullptr;
    std::vector<Shares> cache(varying ? 0 : 4 * at(plan.schedule.chunks));   // by kind and chunk
    Shares drawn;
    const auto sharesOf = [&](std::int32_t slot) -> const Shares & {
        const ScheduledOperation &operation = plan.schedule.order[at(stage)][at(slot)];
        if (varying) {
            varyingShares(pass.parts->of(plan, stage, replica, pass.parts->keyOf(operation)), varyingPace(plan, *varying, stage, replica, slot), drawn);
            return drawn;
        }
        const std::size_t key = 4 * at(operation.chunk) + static_cast<std::size_t>(operation.kind);
        if (cache[key].empty()) cache[key] = sharesOfOperation(plan, stage, replica, slot);
        return cache[key];
    };
    CategoryTimes outside = fixedTimesOfGroup(run, stage, replica);
    walkGroup(
        run, stage, replica, pass.twins.of(stage, replica),
        [&](const Wait &wait, TimeNs begin) {
            writer.add(begin, begin + wait.ns, wait.category);
            outside[categoryIndex(wait.category)] += wait.ns;
        },
        [&](std::int32_t slot, TimeNs begin, TimeNs end) {
            if (slot == timeline.optimizerSlot()) writer.add(begin, end, sharesOfOptimizer(plan, stage, replica));
            else if (const TimeNs peers = run.trace.peerWaitOf(stage, slot, cls); peers > 0) writer.add(begin, end, withPeers(sharesOf(slot), peers, end - begin));
            else writer.add(begin, end, sharesOf(slot));
        });
    CategoryTimes times = timesInsideGroup(run, pass.parts ? &*pass.parts : nullptr, stage, replica);
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        times[c] += outside[c] * plan.groupSize;
    return times;
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
std::vector<double> merged(const std::vector<double> &sums, std::size_t count)
{
    std::vector<double> result(sums.size() / count, 0.0);
    for (std::size_t bin = 0; bin < result.size() / kCategoryCount; ++bin)
        for (std::size_t part = 0; part < count; ++part)
            for (std::size_t c = 0; c < kCategoryCount; ++c)
                result[bin * kCategoryCount + c] += sums[(bin * count + part) * kCategoryCount + c];
    return result;
}

CategoryTimes addClass(const Pass &pass, std::int32_t cls, std::int32_t bins, std::vector<double> &sums)
{
    const Run &run = pass.run;
    sums.assign(at(bins) * kCategoryCount, 0.0);
    BinWriter writer(sums, bins, std::max<TimeNs>(1, run.trace.iteration));
    CategoryTimes times{};
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage) {
        const CategoryTimes ofGroup = addGroup(pass, stage, run.trace.representative[at(cls)], writer);
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            times[c] += ofGroup[c];
    }
    return times;
}

} // namespace

ShareBins pulseBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).pulse; }

std::vector<ShareBins> replicaBins(const Run &run, std::int32_t bins) { return binRun(run, bins, 1).replicas; }

BinnedRun binRun(const Run &run, std::int32_t pulse, std::int32_t perReplicaBin, const std::stop_token &stop)
{
    std::vector<double> weights(at(run.trace.classes), 0.0);
    for (const std::int32_t cls : run.trace.classOfReplica)
        weights[at(cls)] += 1.0;
    const Pass pass(run);
    BinnedRun result;
    result.replicas.resize(weights.size());
    std::vector<CategoryTimes> times(weights.size(), CategoryTimes{});
    std::vector<double> total(at(pulse) * kCategoryCount, 0.0);
    // A block of classes at a time: their sums are kept only until they are added, in order.
    std::vector<std::vector<double>> block;
    for (std::size_t first = 0; first < weights.size() && !stop.stop_requested(); first += kClassesAtATime) {
        block.resize(std::min(kClassesAtATime, weights.size() - first));
        parallelFor(block.size(), threadsForClasses(block.size(), run.plan), [&](std::size_t i) {
            times[first + i] = addClass(pass, static_cast<std::int32_t>(first + i), pulse, block[i]);
            result.replicas[first + i] = normalised(merged(block[i], at(perReplicaBin)), pulse / perReplicaBin, run.trace.iteration);
        });
        for (std::size_t i = 0; i < block.size(); ++i)
            for (std::size_t c = 0; c < total.size(); ++c)
                total[c] += weights[first + i] * block[i][c];
    }
    result.pulse = normalised(total, pulse, run.trace.iteration);
    result.breakdownS = meanOfClasses(run, times);
    return result;
}

} // namespace clusterbeat
