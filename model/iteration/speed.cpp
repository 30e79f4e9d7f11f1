// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/speed.h"

#include "model/iteration/jitter.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

bool affects(const std::vector<std::uint8_t> &affected, std::size_t position)
{
    return affected.empty() || affected[position] != 0;
}

bool isWarmingUp(const IterationPlan &plan, const IterationPlan::WarmUp &warmUp, std::int32_t stage, std::int32_t operation)
{
    if (operation < 0) return false;
    const auto &order = plan.schedule.order[static_cast<std::size_t>(stage)];
    return operation < warmUp.operations || order[static_cast<std::size_t>(operation)].microBatch < warmUp.microBatches;
}

/// Of one GPU without its draws.
double baseFactor(const IterationPlan &plan, std::int32_t stage, std::size_t position, std::int32_t operation)
{
    double factor = plan.slowness.empty() ? 1.0 : plan.slowness[position];
    for (const IterationPlan::WarmUp &warmUp : plan.warmUp)
        if (affects(warmUp.affected, position) && isWarmingUp(plan, warmUp, stage, operation)) factor *= warmUp.slowness;
    return factor;
}

/// The draws of all jitters that affect a group.
std::vector<GroupDraws> drawsOf(const IterationPlan &plan, std::int32_t stage, std::int32_t replica)
{
    std::vector<GroupDraws> draws;
    for (const IterationPlan::Jitter &jitter : plan.jitter) {
        GroupDraws ofJitter(plan, jitter, stage, replica);
        if (ofJitter.count() > 0) draws.push_back(ofJitter);
    }
    return draws;
}

bool alikeWithoutDraws(const IterationPlan &plan, std::size_t a, std::size_t b)
{
    if (!plan.slowness.empty() && plan.slowness[a] != plan.slowness[b]) return false;
    return std::all_of(plan.warmUp.begin(), plan.warmUp.end(), [&](const IterationPlan::WarmUp &warmUp) {
        return affects(warmUp.affected, a) == affects(warmUp.affected, b);
    });
}

/// Whether the slowest member's draw is the group's: one jitter at most, on members that are alike without it.
bool oneDrawTells(const IterationPlan &plan, std::size_t first, std::size_t jitters)
{
    if (jitters > 1) return false;
    for (std::size_t member = 1; member < static_cast<std::size_t>(plan.groupSize); ++member)
        if (!alikeWithoutDraws(plan, first, first + member)) return false;
    return true;
}

double factorAt(const IterationPlan &plan, const std::vector<GroupDraws> &draws, std::int32_t stage, std::size_t first,
                std::int32_t member, std::int32_t operation)
{
    double factor = baseFactor(plan, stage, first + static_cast<std::size_t>(member), operation);
    for (const GroupDraws &each : draws)
        factor *= each.of(member, operation);
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
    if (!plan.checkpoint.empty() && plan.checkpoint[a] != plan.checkpoint[b]) return false;
    if (!plan.pauses.empty() && !samePauses(plan.pauses[a], plan.pauses[b])) return false;
    return alikeWithoutDraws(plan, a, b);
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

/// The slowest and the mean factor from every member's own.
void addMembers(const IterationPlan &plan, const std::vector<GroupDraws> &draws, std::int32_t stage, std::size_t first, GroupFactors &factors)
{
    const auto members = static_cast<std::size_t>(plan.groupSize);
    std::vector<double> own(members);
    for (std::size_t k = 0; k < factors.slowest.size(); ++k) {
        const auto operation = static_cast<std::int32_t>(k);
        for (std::size_t member = 0; member < members; ++member)
            own[member] = baseFactor(plan, stage, first + member, operation);
        for (const GroupDraws &each : draws)
            each.multiply(operation, own);
        for (const double factor : own) {
            factors.slowest[k] = std::max(factors.slowest[k], factor);
            factors.mean[k] += factor / static_cast<double>(members);
        }
    }
}

/// The same from one draw an operation; the mean is that of the other members on average, given the slowest.
void addSlowest(const IterationPlan &plan, const GroupDraws &draws, std::int32_t stage, std::size_t first, GroupFactors &factors)
{
    const double members = static_cast<double>(plan.groupSize), affected = static_cast<double>(draws.count());
    const bool isAll = draws.count() == static_cast<std::size_t>(plan.groupSize);
    for (std::size_t k = 0; k < factors.slowest.size(); ++k) {
        const double base = baseFactor(plan, stage, first, static_cast<std::int32_t>(k));
        const GroupDraws::Expected drawn = draws.expected(static_cast<std::int32_t>(k));
        factors.slowest[k] = base * (isAll ? drawn.slowest : std::max(1.0, drawn.slowest));
        factors.mean[k] = base * (drawn.slowest + (affected - 1.0) * drawn.others + (members - affected)) / members;
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
    return factorAt(plan, drawsOf(plan, stage, replica), stage, plan.position(stage, replica, 0), member, operation);
}

double groupFactor(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    if (!plan.perturbed()) return 1.0;
    const std::size_t first = plan.position(stage, replica, 0);
    const auto members = static_cast<std::size_t>(plan.groupSize);
    if (plan.jitter.empty() && plan.warmUp.empty())
        return plan.slowness.empty() ? 1.0 : *std::max_element(&plan.slowness[first], &plan.slowness[first] + members);
    const std::vector<GroupDraws> draws = drawsOf(plan, stage, replica);
    if (oneDrawTells(plan, first, draws.size())) {
        const double base = baseFactor(plan, stage, first, operation);
        if (draws.empty()) return base;
        const double slowest = draws.front().slowest(operation);
        return base * (draws.front().count() == members ? slowest : std::max(1.0, slowest));
    }
    double slowest = 0.0;
    for (std::int32_t member = 0; member < plan.groupSize; ++member)
        slowest = std::max(slowest, factorAt(plan, draws, stage, first, member, operation));
    return slowest;
}

GroupFactors groupFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operations, MemberMean mean)
{
    const auto count = static_cast<std::size_t>(operations), members = static_cast<std::size_t>(plan.groupSize);
    const std::size_t first = plan.position(stage, replica, 0);
    GroupFactors factors{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0), {}, {}};
    for (std::size_t position = first; position < first + members; ++position)
        addPauses(plan, position, count, factors);
    const std::vector<GroupDraws> draws = drawsOf(plan, stage, replica);
    const bool oneTells = oneDrawTells(plan, first, draws.size());
    if (oneTells && draws.empty()) {
        for (std::size_t k = 0; k < count; ++k)
            factors.slowest[k] = factors.mean[k] = baseFactor(plan, stage, first, static_cast<std::int32_t>(k));
    } else if (oneTells && mean == MemberMean::Expected && draws.front().hasTable()) {
        addSlowest(plan, draws.front(), stage, first, factors);
    } else {
        addMembers(plan, draws, stage, first, factors);
    }
    return factors;
}

MemberMean memberMeanOf(const IterationPlan &plan)
{
    constexpr std::int64_t most = 65536;
    std::int64_t operations = 0;
    for (const auto &order : plan.schedule.order)
        operations += static_cast<std::int64_t>(order.size());
    return operations * plan.replicas * plan.groupSize > most ? MemberMean::Expected : MemberMean::Exact;
}

std::int32_t slowestMember(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::int32_t operation)
{
    const std::vector<GroupDraws> draws = drawsOf(plan, stage, replica);
    const std::size_t first = plan.position(stage, replica, 0);
    const auto factorOf = [&](std::int32_t member) { return factorAt(plan, draws, stage, first, member, operation); };
    std::int32_t slowest = 0;
    double factor = factorOf(0);
    for (std::int32_t member = 1; member < plan.groupSize; ++member) {
        const double f = factorOf(member);
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
    const auto place = [](std::int32_t each) { return static_cast<std::uint32_t>(each); }; // the optimizer, -2, is last
    const std::vector<IterationPlan::Pause> &list = plan.pauses[position];
    const auto found = std::lower_bound(list.begin(), list.end(), operation, [&](const IterationPlan::Pause &pause, std::int32_t wanted) {
        return place(pause.operation) < place(wanted);
    });
    return found != list.end() && found->operation == operation ? found->ns : 0;
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
