// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/replica_classes.h"

#include "model/iteration/speed.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace clusterbeat {
namespace {

/// Equal lists of pauses have one number: lists of thousands are compared, never copied.
class PauseNumbers final {
public:
    explicit PauseNumbers(const IterationPlan &plan) : m_plan(plan) {}
    [[nodiscard]] std::int32_t of(std::size_t position)
    {
        return m_known.try_emplace(&m_plan.pauses[position], static_cast<std::int32_t>(m_known.size())).first->second;
    }

private:
    using List = std::vector<IterationPlan::Pause>;
    struct Before {
        bool operator()(const List *a, const List *b) const
        {
            return std::lexicographical_compare(a->begin(), a->end(), b->begin(), b->end(),
                                                [](const IterationPlan::Pause &left, const IterationPlan::Pause &right) {
                                                    return std::tie(left.operation, left.ns) < std::tie(right.operation, right.ns);
                                                });
        }
    };
    const IterationPlan &m_plan;
    std::map<const List *, std::int32_t, Before> m_known;
};

/// What sets one GPU apart, as numbers.
std::vector<double> descriptor(const IterationPlan &plan, std::size_t position, PauseNumbers &pauses)
{
    std::vector<double> numbers{plan.slowness.empty() ? 1.0 : plan.slowness[position], static_cast<double>(memberCheckpoint(plan, position))};
    for (const IterationPlan::WarmUp &warmUp : plan.warmUp)
        numbers.push_back(warmUp.affected.empty() || warmUp.affected[position] != 0 ? 1.0 : 0.0);
    if (!plan.pauses.empty()) numbers.push_back(static_cast<double>(pauses.of(position)));
    return numbers;
}

/// Groups with the same slowest GPU but other slow ones beside it wait differently inside; so do groups whose members
/// pause, warm up or write apart. The order of the members does not matter.
void appendMembers(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, PauseNumbers &pauses, std::vector<double> &key)
{
    std::vector<std::vector<double>> members;
    const std::int32_t distinct = uniformGroup(plan, stage, replica) ? 1 : plan.groupSize;
    for (std::int32_t member = 0; member < distinct; ++member)
        members.push_back(descriptor(plan, plan.position(stage, replica, member), pauses));
    std::sort(members.begin(), members.end());
    key.push_back(static_cast<double>(members.size()));
    for (const std::vector<double> &member : members) {
        key.push_back(static_cast<double>(member.size()));
        key.insert(key.end(), member.begin(), member.end());
    }
}

/// Whether members can differ in more than speed.
bool hasMemberEffects(const IterationPlan &plan) { return !plan.warmUp.empty() || !plan.pauses.empty() || !plan.checkpoint.empty(); }

void appendData(const IterationPlan &plan, std::int32_t replica, std::vector<double> &key)
{
    if (plan.data.empty()) return;
    const IterationPlan::DataLoading &data = plan.data[static_cast<std::size_t>(replica)];
    key.push_back(static_cast<double>(data.load.size()));
    if (data.load.empty()) return;
    key.push_back(static_cast<double>(data.prefetch));
    for (const TimeNs ns : data.load)
        key.push_back(static_cast<double>(ns));
}

/// [replica], all replicas that it exchanges tokens with, itself too.
std::vector<std::vector<std::int32_t>> peersOf(const IterationPlan &plan)
{
    std::map<std::int32_t, std::vector<std::int32_t>> sets;
    for (std::int32_t replica = 0; replica < plan.replicas; ++replica)
        sets[plan.expertPeers[static_cast<std::size_t>(replica)]].push_back(replica);
    std::vector<std::vector<std::int32_t>> peers;
    for (const std::int32_t number : plan.expertPeers)
        peers.push_back(sets[number]);
    return peers;
}

} // namespace

void ReplicaClasses::splitByPeers(const std::vector<std::vector<std::int32_t>> &peers)
{
    const std::vector<std::int32_t> before = std::move(m_classOfReplica);
    const std::vector<std::uint8_t> fixed = std::move(m_fixed);
    const std::vector<double> factor = std::move(m_factor);
    m_classOfReplica.clear(), m_representatives.clear(), m_fixed.clear(), m_factor.clear();
    std::map<std::pair<std::int32_t, std::vector<std::int32_t>>, std::int32_t> known;
    for (std::size_t replica = 0; replica < before.size(); ++replica) {
        std::vector<std::int32_t> classes;
        for (const std::int32_t peer : peers[replica])
            classes.push_back(before[static_cast<std::size_t>(peer)]);
        std::sort(classes.begin(), classes.end());
        const auto [entry, isNew] = known.try_emplace({before[replica], std::move(classes)}, count());
        m_classOfReplica.push_back(entry->second);
        if (!isNew) continue;
        m_representatives.push_back(static_cast<std::int32_t>(replica));
        const std::size_t first = static_cast<std::size_t>(before[replica]) * m_stages;
        for (std::size_t i = first; i < first + m_stages; ++i) {
            m_fixed.push_back(fixed[i]);
            m_factor.push_back(factor[i]);
        }
    }
}

void ReplicaClasses::findCoupled(const std::vector<std::vector<std::int32_t>> &peers)
{
    std::set<std::vector<std::int32_t>> sets;
    for (const std::int32_t representative : m_representatives) {
        std::set<std::int32_t> classes;
        for (const std::int32_t peer : peers[static_cast<std::size_t>(representative)])
            classes.insert(m_classOfReplica[static_cast<std::size_t>(peer)]);
        if (classes.size() > 1) sets.emplace(classes.begin(), classes.end());
    }
    m_coupled.assign(sets.begin(), sets.end());
}

ReplicaClasses::ReplicaClasses(const IterationPlan &plan, bool perturbed, bool share) : m_stages(static_cast<std::size_t>(plan.stages()))
{
    std::map<std::vector<double>, std::int32_t> known;
    PauseNumbers pauses(plan);
    for (std::int32_t replica = 0; replica < plan.replicas; ++replica) {
        std::vector<double> key, factors(m_stages, 1.0);
        std::vector<std::uint8_t> fixed(m_stages, 1);
        bool random = false;
        for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
            const auto s = static_cast<std::size_t>(stage);
            if (perturbed && variesByOperation(plan, stage, replica)) fixed[s] = 0;
            else if (perturbed && !plan.slowness.empty()) factors[s] = groupFactor(plan, stage, replica, 0);
            random = random || (perturbed && jitterAffects(plan, stage, replica));
            if (perturbed && !random && (hasMemberEffects(plan) || !uniformGroup(plan, stage, replica))) appendMembers(plan, stage, replica, pauses, key);
            key.push_back(static_cast<double>(plan.transferOf(stage, replica, !perturbed)));
            if (perturbed && plan.links && !plan.links->shapes.empty()) key.push_back(plan.links->shapesOf[plan.group(stage, replica)]);
            key.push_back(factors[s]);
        }
        const std::size_t links = plan.transfer.size() / static_cast<std::size_t>(plan.replicas);
        for (std::size_t link = m_stages; link < links; ++link) // of a custom schedule's table
            key.push_back(static_cast<double>(plan.transferOf(static_cast<std::int32_t>(link), replica, !perturbed)));
        if (perturbed) appendData(plan, replica, key);
        if (perturbed && !plan.attention.empty() && !plan.attention[static_cast<std::size_t>(replica)].empty()) random = true;
        if (random || !share) key.push_back(static_cast<double>(replica));
        const auto [entry, isNew] = known.try_emplace(std::move(key), count());
        m_classOfReplica.push_back(entry->second);
        if (!isNew) continue;
        m_representatives.push_back(replica);
        m_fixed.insert(m_fixed.end(), fixed.begin(), fixed.end());
        m_factor.insert(m_factor.end(), factors.begin(), factors.end());
    }
    if (!perturbed || plan.expertPeers.empty() || count() == 1) return;
    const std::vector<std::vector<std::int32_t>> peers = peersOf(plan);
    if (share) splitByPeers(peers);
    findCoupled(peers);
}

} // namespace clusterbeat
