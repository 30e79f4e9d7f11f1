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

bool affects(const IterationPlan::Jitter &jitter, std::size_t position)
{
    return jitter.affected.empty() || jitter.affected[position] != 0;
}

double factorAt(const IterationPlan &plan, std::size_t position, std::int32_t operation)
{
    double factor = plan.slowness.empty() ? 1.0 : plan.slowness[position];
    for (const IterationPlan::Jitter &jitter : plan.jitter) {
        if (!affects(jitter, position)) continue;
        const std::uint64_t stream = randomStream({jitter.seed, position, kJitterPurpose});
        const double normal = randomNormal(stream, static_cast<std::uint64_t>(static_cast<std::int64_t>(operation)));
        factor *= std::max(kLowestJitterFactor, 1.0 + jitter.sigma * normal);
    }
    return factor;
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
    return factorAt(plan, plan.position(stage, replica, member), operation);
}

double groupFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    if (!plan.perturbed()) return 1.0;
    const std::size_t first = plan.position(stage, replica, 0);
    const auto members = static_cast<std::size_t>(plan.groupSize);
    if (plan.jitter.empty()) return *std::max_element(&plan.slowness[first], &plan.slowness[first] + members);
    double slowest = 0.0;
    for (std::size_t position = first; position < first + members; ++position)
        slowest = std::max(slowest, factorAt(plan, position, operation));
    return slowest;
}

GroupFactors groupFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operations)
{
    const auto count = static_cast<std::size_t>(operations), members = static_cast<std::size_t>(plan.groupSize);
    const std::size_t first = plan.position(stage, replica, 0);
    GroupFactors factors{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
    std::vector<double> own(count);
    for (std::size_t position = first; position < first + members; ++position) {
        std::fill(own.begin(), own.end(), plan.slowness.empty() ? 1.0 : plan.slowness[position]);
        for (const IterationPlan::Jitter &jitter : plan.jitter) {
            if (!affects(jitter, position)) continue;
            const std::uint64_t stream = randomStream({jitter.seed, position, kJitterPurpose});
            for (std::size_t k = 0; k < count; ++k)
                own[k] *= std::max(kLowestJitterFactor, 1.0 + jitter.sigma * randomNormal(stream, k));
        }
        for (std::size_t k = 0; k < count; ++k) {
            factors.slowest[k] = std::max(factors.slowest[k], own[k]);
            factors.mean[k] += own[k] / static_cast<double>(members);
        }
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

bool jitterAffects(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    const std::size_t first = plan.position(stage, replica, 0);
    for (const IterationPlan::Jitter &jitter : plan.jitter) {
        for (std::size_t member = 0; member < static_cast<std::size_t>(plan.groupSize); ++member)
            if (affects(jitter, first + member)) return true;
    }
    return false;
}

bool uniformGroup(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    if (plan.groupSize == 1) return true;
    if (jitterAffects(plan, stage, replica)) return false;
    if (plan.slowness.empty()) return true;
    const double *first = &plan.slowness[plan.position(stage, replica, 0)];
    return std::all_of(first, first + plan.groupSize, [&](double s) { return s == *first; });
}

} // namespace clusterbeat
