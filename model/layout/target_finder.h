// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/layout/placement.h"

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace clusterbeat {

/// gpusOfTarget() for lists of thousands of targets: the same answers, with an index of whole paths after the first few,
/// and each query once. Expansion and placement outlive it.
class TargetFinder final {
public:
    TargetFinder(const Expansion &expansion, const Placement &placement) : m_expansion(expansion), m_placement(placement) {}

    using Gpus = std::shared_ptr<const std::vector<GpuIndex>>;
    [[nodiscard]] Result<Gpus> find(const std::string &target);
    /// Steps so far, about 4 ns each.
    [[nodiscard]] double work() const { return m_work; }

private:
    void makeIndex();
    [[nodiscard]] Gpus indexed(const std::string &target);

    const Expansion &m_expansion;
    const Placement &m_placement;
    double m_work = 0.0;
    int m_asked = 0;
    bool m_indexed = false;
    std::unordered_map<std::string, GpuIndex> m_gpuOfPath;
    std::unordered_map<std::string, std::int32_t> m_containerOfPath;
    std::map<std::string, Gpus> m_known;
    std::size_t m_kept = 0;
};

} // namespace clusterbeat
