// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/replica_classes.h"

#include "model/iteration/speed.h"

#include <algorithm>
#include <map>

namespace clusterbeat {
namespace {

/// Groups with the same slowest GPU but other slow ones beside it wait differently inside.
void appendMemberFactors(const IterationPlan &plan, std::int32_t stage, std::int32_t replica, std::vector<double> &key)
{
    if (uniformGroup(plan, stage, replica)) return;
    const auto first = plan.slowness.begin() + static_cast<std::ptrdiff_t>(plan.position(stage, replica, 0));
    std::vector<double> factors(first, first + plan.groupSize);
    std::sort(factors.begin(), factors.end());
    key.insert(key.end(), factors.begin(), factors.end());
}

} // namespace

ReplicaClasses::ReplicaClasses(const IterationPlan &plan, bool perturbed, bool share) : m_stages(static_cast<std::size_t>(plan.stages()))
{
    std::map<std::vector<double>, std::int32_t> known;
    for (std::int32_t replica = 0; replica < plan.replicas; ++replica) {
        std::vector<double> key, factors(m_stages, 1.0);
        std::vector<std::uint8_t> fixed(m_stages, 1);
        bool random = false;
        for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
            const auto s = static_cast<std::size_t>(stage);
            if (perturbed && jitterAffects(plan, stage, replica)) {
                fixed[s] = 0;
                random = true;
            } else if (perturbed && !plan.slowness.empty()) {
                factors[s] = groupFactor(plan, stage, replica, 0);
                appendMemberFactors(plan, stage, replica, key);
            }
            key.push_back(static_cast<double>(plan.transferOf(stage, replica)));
            key.push_back(factors[s]);
        }
        const std::size_t links = plan.transfer.size() / static_cast<std::size_t>(plan.replicas);
        for (std::size_t link = m_stages; link < links; ++link) // of a custom schedule's table
            key.push_back(static_cast<double>(plan.transferOf(static_cast<std::int32_t>(link), replica)));
        if (random || !share) key.push_back(static_cast<double>(replica));
        const auto [entry, isNew] = known.try_emplace(std::move(key), count());
        m_classOfReplica.push_back(entry->second);
        if (!isNew) continue;
        m_representatives.push_back(replica);
        m_fixed.insert(m_fixed.end(), fixed.begin(), fixed.end());
        m_factor.insert(m_factor.end(), factors.begin(), factors.end());
    }
}

} // namespace clusterbeat
