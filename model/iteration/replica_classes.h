// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

/// Replicas that provably behave alike: the same transfers on every stage boundary, the same slowness, warm-up, pauses
/// and checkpoint of every stage's GPUs, the same data loading, no random jitter and no documents of their own, and
/// experts' peers that are alike as well. They meet the others only in collectives of all replicas, so one of them stands
/// for all. Classes are numbered by their first replica.
class ReplicaClasses {
public:
    ReplicaClasses(const IterationPlan &plan, bool perturbed, bool share);

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(m_representatives.size()); }
    [[nodiscard]] const std::vector<std::int32_t> &classOfReplica() const { return m_classOfReplica; }
    [[nodiscard]] const std::vector<std::int32_t> &representatives() const { return m_representatives; }
    /// Whether the stage's factor is the same for all operations, and that factor.
    [[nodiscard]] bool fixedFactor(std::int32_t stage, std::int32_t cls) const { return m_fixed[index(stage, cls)] != 0; }
    [[nodiscard]] double factor(std::int32_t stage, std::int32_t cls) const { return m_factor[index(stage, cls)]; }
    /// Sets of different classes whose replicas exchange tokens with one another's experts, ascending.
    [[nodiscard]] const std::vector<std::vector<std::int32_t>> &coupled() const { return m_coupled; }

private:
    void splitByPeers(const std::vector<std::vector<std::int32_t>> &peers);
    void findCoupled(const std::vector<std::vector<std::int32_t>> &peers);
    [[nodiscard]] std::size_t index(std::int32_t stage, std::int32_t cls) const
    {
        return static_cast<std::size_t>(cls) * m_stages + static_cast<std::size_t>(stage);
    }
    std::size_t m_stages;
    std::vector<std::int32_t> m_classOfReplica, m_representatives;
    std::vector<std::uint8_t> m_fixed;
    std::vector<double> m_factor;
    std::vector<std::vector<std::int32_t>> m_coupled;
};

} // namespace clusterbeat
