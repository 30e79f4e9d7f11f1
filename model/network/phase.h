// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/fabric.h"

#include <limits>
#include <vector>

namespace clusterbeat {

/// What a group of flows that run at the same time as the others of a phase gets.
struct GroupRates {
    double nvlinkBytesPerS = std::numeric_limits<double>::infinity();  ///< slowest flow inside a domain
    double networkBytesPerS = std::numeric_limits<double>::infinity(); ///< slowest flow between domains; 0 = no route
    double latencyS = 0.0;                                             ///< longest route
    std::int32_t limitingLink = -1;                                    ///< of the slowest flow between domains
    std::int32_t limitingNvlink = -1;                                  ///< of the slowest flow inside a domain
};

/// All flows of one phase. Add them, then solve once.
class Phase final {
public:
    Phase(Fabric &fabric, const Expansion &expansion) : m_fabric(fabric), m_expansion(expansion) {}

    /// Over NVLink inside a domain, else through the network; there too when an end's NVLink is dead.
    void add(std::int32_t group, GpuIndex from, GpuIndex to);
    [[nodiscard]] std::vector<GroupRates> solve(std::size_t groups) const;

    struct Flow {
        std::int32_t group = 0;
        GpuIndex from = 0, through = 0, arrival = 0, to = 0; ///< `through` sends to the network, `arrival` receives
        std::int32_t route = -1;                ///< -1 = NVLink only
    };
    [[nodiscard]] const std::vector<Flow> &flows() const { return m_flows; } ///< in the order of add()

private:
    [[nodiscard]] GpuIndex senderFor(GpuIndex from, GpuIndex to) const;
    [[nodiscard]] std::vector<std::vector<LinkUse>> mergedRoutes() const;
    void addUses(const Flow &flow, const std::vector<std::vector<LinkUse>> &routes, FlowTable &table) const;

    Fabric &m_fabric;
    const Expansion &m_expansion;
    std::vector<Flow> m_flows;
};

} // namespace clusterbeat
