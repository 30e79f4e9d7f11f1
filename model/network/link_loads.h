// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/phase.h"

#include <cstdint>
#include <span>
#include <vector>

namespace clusterbeat {

/// What a link carries of one source of traffic: `share` times the source's bytes.
struct LinkLoad {
    std::int32_t source = 0;
    double share = 0.0;
    friend bool operator==(const LinkLoad &, const LinkLoad &) = default;
};
/// By link of the fabric, each source once, ascending.
struct LinkLoads {
    std::vector<std::size_t> end;
    std::vector<LinkLoad> loads;

    [[nodiscard]] std::size_t links() const { return end.size(); }
    [[nodiscard]] std::span<const LinkLoad> of(std::size_t link) const
    {
        const std::size_t begin = link == 0 ? 0 : end[link - 1];
        return {loads.data() + begin, end[link] - begin};
    }
};

/// Adds up what flows put on every link that they pass, by the ways of Phase: over NVLink inside a domain, else through
/// PCIe, NIC and the equal-cost ways of the network.
class LinkLoadBuilder final {
public:
    LinkLoadBuilder(Fabric &fabric, const Expansion &expansion) : m_fabric(fabric), m_phase(fabric, expansion) {}
    void add(GpuIndex from, GpuIndex to, LinkLoad load);
    /// O(flows + routes * links of a route).
    [[nodiscard]] LinkLoads build() const;

private:
    Fabric &m_fabric;
    Phase m_phase;
    std::vector<LinkLoad> m_loads; ///< by flow
};

} // namespace clusterbeat
