// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/speed.h"

#include "model/base/random.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr std::uint64_t kJitterPurpose = 0x6a69747465720001ULL;
constexpr double kLowestJitterFactor = 0.05;

bool affects(const std::vector<std::uint8_t> &affected, std::size_t position)
{
    return affected.empty() || affected[position] != 0;
}

double drawn(const IterationPlan::Jitter &jitter, std::uint64_t stream, std::uint64_t counter)
{
    switch (jitter.distribution) {
    case JitterDistribution::Lognormal: return std::max(kLowestJitterFactor, randomLognormal(stream, counter, jitter.sigma));
    case JitterDistribution::Exponential: return std::max(kLowestJitterFactor, 1.0 + jitter.sigma * (randomExponential(stream, counter) - 1.0));
    case JitterDistribution::Normal: break;
    }
    return std::max(kLowestJitterFactor, 1.0 + jitter.sigma * randomNormal(stream, counter));
}

/// factors[k] *= drawn(k) for all k; the usual distribution in loops without a branch.
void multiplyByDraws(const IterationPlan::Jitter &jitter, std::uint64_t stream, std::vector<double> &factors, std::vector<double> &normals)
{
    if (jitter.distribution != JitterDistribution::Normal) {
        for (std::size_t k = 0; k < factors.size(); ++k)
            factors[k] *= drawn(jitter, stream, k);
        return;
    }
    randomNormals(stream, normals);
    for (std::size_t k = 0; k < factors.size(); ++k)
        factors[k] *= std::max(kLowestJitterFactor, 1.0 + jitter.sigma * normals[k]);
}

bool isWarmingUp(const IterationPlan &plan, const IterationPlan::WarmUp &warmUp, std::int32_t stage, std::int32_t operation)
{
    if (operation < 0) return false;
    const auto &order = plan.schedule.order[static_cast<std::size_t>(stage)];
    return operation < warmUp.operations || order[static_cast<std::size_t>(operation)].microBatch < warmUp.microBatches;
}

double factorAt(const IterationPlan &plan, std::int32_t stage, std::size_t position, std::int32_t operation)
{
    double factor = plan.slowness.empty() ? 1.0 : plan.slowness[position];
    for (const IterationPlan::WarmUp &warmUp : plan.warmUp)
        if (affects(warmUp.affected, position) && isWarmingUp(plan, warmUp, stage, operation)) factor *= warmUp.slowness;
    for (const IterationPlan::Jitter &jitter : plan.jitter) {
        if (!affects(jitter.affected, position)) continue;
        const std::uint64_t stream = randomStream({jitter.seed, position, kJitterPurpose});
        factor *= drawn(jitter, stream, static_cast<std::uint64_t>(static_cast<std::int64_t>(operation)));
    }
    return factor;
}

template <typename Affected>
bool affectsAny(const IterationPlan &plan, const std::vector<Affected> &list, std::int32_t stage, std::int32_t replica)
{
    const std::size_t first = plan.position(stage, replica, 0);
    for (const Affected &each : list)
        for (std::size_t member = 0; member < static_cast<std::size_t>(plan.groupSize); ++member)
            if (affects(each.affected, first + member)) return true;
    return false;
}

bool samePauses(const std::vector<IterationPlan::Pause> &a, const std::vector<IterationPlan::Pause> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const IterationPlan::Pause &left, const IterationPlan::Pause &right) {
        return left.operation == right.operation && left.ns == right.ns;
    });
}

bool sameMembers(const IterationPlan &plan, std::size_t a, std::size_t b)
{
    if (!plan.slowness.empty() && plan.slowness[a] != plan.slowness[b]) return false;
    if (!plan.checkpoint.empty() && plan.checkpoint[a] != plan.checkpoint[b]) return false;
    if (!plan.pauses.empty() && !samePauses(plan.pauses[a], plan.pauses[b])) return false;
    return std::all_of(plan.warmUp.begin(), plan.warmUp.end(), [&](const IterationPlan::WarmUp &warmUp) {
        return affects(warmUp.affected, a) == affects(warmUp.affected, b);
    });
}

void addPauses(const IterationPlan &plan, std::size_t position, std::size_t count, GroupFactors &factors)
{
    if (plan.pauses.empty() || plan.pauses[position].empty()) return;
    factors.pause.resize(count, 0);
    factors.pauseSum.resize(count, 0);
    for (const IterationPlan::Pause &pause : plan.pauses[position]) {
        if (pause.operation < 0) continue;
        const auto k = static_cast<std::size_t>(pause.operation);
        factors.pause[k] = std::max(factors.pause[k], pause.ns);
        factors.pauseSum[k] += pause.ns;
    }
}

} // namespace

TimeNs scaled(TimeNs ns, double factor)
{
    if (factor == 1.0) return ns;
    return static_cast<TimeNs>(std::floor(static_cast<double>(ns) * factor + 0.5));
}

double memberFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t member, std::int32_t operation)
{
    if (!plan.perturbed()) return 1.0;
    return factorAt(plan, stage, plan.position(stage, replica, member), operation);
}

double groupFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    if (!plan.perturbed()) return 1.0;
    const std::size_t first = plan.position(stage, replica, 0);
    const auto members = static_cast<std::size_t>(plan.groupSize);
    if (plan.jitter.empty() && plan.warmUp.empty())
        return plan.slowness.empty() ? 1.0 : *std::max_element(&plan.slowness[first], &plan.slowness[first] + members);
    double slowest = 0.0;
    for (std::size_t position = first; position < first + members; ++position)
        slowest = std::max(slowest, factorAt(plan, stage, position, operation));
    return slowest;
}

GroupFactors groupFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operations)
{
    const auto count = static_cast<std::size_t>(operations), members = static_cast<std::size_t>(plan.groupSize);
    const std::size_t first = plan.position(stage, replica, 0);
    GroupFactors factors{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0), {}, {}};
    std::vector<double> own(count), normals(count);
    // Exact in place of the division when the group is a power of two, and several times as fast.
    const double share = 1.0 / static_cast<double>(members);
    const bool isExact = (members & (members - 1)) == 0;
    for (std::size_t position = first; position < first + members; ++position) {
        std::fill(own.begin(), own.end(), plan.slowness.empty() ? 1.0 : plan.slowness[position]);
        for (const IterationPlan::WarmUp &warmUp : plan.warmUp)
            for (std::size_t k = 0; k < count && affects(warmUp.affected, position); ++k)
                if (isWarmingUp(plan, warmUp, stage, static_cast<std::int32_t>(k))) own[k] *= warmUp.slowness;
        for (const IterationPlan::Jitter &jitter : plan.jitter) {
            if (!affects(jitter.affected, position)) continue;
            multiplyByDraws(jitter, randomStream({jitter.seed, position, kJitterPurpose}), own, normals);
        }
        addPauses(plan, position, count, factors);
        for (std::size_t k = 0; k < count; ++k)
            factors.slowest[k] = std::max(factors.slowest[k], own[k]);
        for (std::size_t k = 0; k < count && isExact; ++k)
            factors.mean[k] += own[k] * share;
        for (std::size_t k = 0; k < count && !isExact; ++k)
            factors.mean[k] += own[k] / static_cast<double>(members);
    }
    return factors;
}

std::int32_t slowestMember(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    std::int32_t slowest = 0;
    double factor = memberFactor(plan, stage, replica, 0, operation);
    for (std::int32_t member = 1; member < plan.groupSize; ++member) {
        const double f = memberFactor(plan, stage, replica, member, operation);
        if (f > factor) {
            factor = f;
            slowest = member;
        }
    }
    return slowest;
}

TimeNs memberPause(const IterationPlan &plan, std::size_t position, std::int32_t operation)
{
    if (plan.pauses.empty()) return 0;
    for (const IterationPlan::Pause &pause : plan.pauses[position])
        if (pause.operation == operation) return pause.ns;
    return 0;
}

TimeNs groupPause(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    TimeNs longest = 0;
    const std::size_t first = plan.position(stage, replica, 0);
    for (std::size_t member = 0; member < static_cast<std::size_t>(plan.groupSize) && !plan.pauses.empty(); ++member)
        longest = std::max(longest, memberPause(plan, first + member, operation));
    return longest;
}

TimeNs memberCheckpoint(const IterationPlan &plan, std::size_t position) { return plan.checkpoint.empty() ? 0 : plan.checkpoint[position]; }

TimeNs groupCheckpoint(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    if (plan.checkpoint.empty()) return 0;
    const TimeNs *first = &plan.checkpoint[plan.position(stage, replica, 0)];
    return *std::max_element(first, first + plan.groupSize);
}

double attentionFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    if (plan.attention.empty() || operation < 0) return 1.0;
    const std::vector<double> &factors = plan.attention[static_cast<std::size_t>(replica)];
    if (factors.empty()) return 1.0;
    const auto &order = plan.schedule.order[static_cast<std::size_t>(stage)];
    return factors[static_cast<std::size_t>(order[static_cast<std::size_t>(operation)].microBatch)];
}

bool jitterAffects(const IterationPlan &plan, std::int32_t stage, std::int32_t replica) { return affectsAny(plan, plan.jitter, stage, replica); }

bool variesByOperation(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    if (!plan.attention.empty() && !plan.attention[static_cast<std::size_t>(replica)].empty()) return true;
    const std::size_t first = plan.position(stage, replica, 0);
    for (std::size_t member = 0; member < static_cast<std::size_t>(plan.groupSize) && !plan.pauses.empty(); ++member)
        if (!plan.pauses[first + member].empty()) return true;
    return jitterAffects(plan, stage, replica) || affectsAny(plan, plan.warmUp, stage, replica);
}

bool uniformGroup(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    if (plan.groupSize == 1) return true;
    if (jitterAffects(plan, stage, replica)) return false;
    const std::size_t first = plan.position(stage, replica, 0);
    for (std::size_t member = 1; member < static_cast<std::size_t>(plan.groupSize); ++member)
        if (!sameMembers(plan, first, first + member)) return false;
    return true;
}

} // namespace clusterbeat
