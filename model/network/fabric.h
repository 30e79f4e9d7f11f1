// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"
#include "model/network/ecmp.h"
#include "model/network/max_min.h"
#include "model/scenario/catalogue.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace clusterbeat {

/// Fluid route between two vertices: every link in its direction with the share of the traffic that takes it.
struct Route {
    std::vector<LinkUse> links;
    double latencyS = 0.0; ///< mean over the shares
    bool exists = false;
};

/// How a GPU enters the network: the links up to the first switch (or to where the way forks), which all its traffic
/// takes.
struct Access {
    static constexpr std::size_t kMostLinks = 2;
    std::int32_t vertex = -1; ///< where routes begin and end
    std::int32_t linkCount = 0;
    std::int32_t out[kMostLinks] = {}, in[kMostLinks] = {};
    double latencyS = 0.0;
};

struct LinkState;

/// The expansion's graph as directed links with the capacity that payload gets, numbered from the GPU outwards:
/// NVLink out of and into each GPU (the sum of its cables; NVSwitches do not block), then PCIe and NIC, leaf-spine,
/// spine-core. Routes go up through NIC, leaf, spine and core as far as needed and down again, split over equal-cost
/// ways in proportion to their cables; links inside one tier are not used. A GPU without a NIC that works enters through
/// the next GPU's of its server, else of its domain, over NVLink. A state changes capacities and latencies and takes dead
/// links out; the numbers of links stay.
class Fabric final {
public:
    Fabric(const Expansion &expansion, const CostConstants &constants, const LinkState *state = nullptr,
           const Ecmp &ecmp = {});

    [[nodiscard]] const std::vector<double> &capacities() const { return m_capacity; } ///< bytes/s by link
    /// "nvlink", "nic", "leaf-spine", "spine-core"
    [[nodiscard]] const char *kindOf(std::int32_t link) const;
    [[nodiscard]] std::int32_t nvlinkOut(GpuIndex gpu) const { return gpu; }
    [[nodiscard]] std::int32_t nvlinkIn(GpuIndex gpu) const { return m_gpus + gpu; }
    [[nodiscard]] double nvlinkLatencyS(GpuIndex from, GpuIndex to) const;
    [[nodiscard]] const Access &access(GpuIndex gpu) const { return m_access[static_cast<std::size_t>(gpu)]; }
    /// Every link of that way, outwards; the one back in is link + 1. Access leaves out a PCIe slot or cable that the
    /// other one holds anyhow.
    struct AccessChain {
        std::int32_t count = 0, out[Access::kMostLinks] = {};
    };
    [[nodiscard]] AccessChain accessChain(GpuIndex gpu) const;
    /// The GPU whose NIC carries this one's traffic: itself, or the nearest that can; itself when none can.
    [[nodiscard]] GpuIndex entry(GpuIndex gpu) const { return m_entry[static_cast<std::size_t>(gpu)]; }
    [[nodiscard]] bool hasNvlink(GpuIndex gpu) const { return m_capacity[static_cast<std::size_t>(gpu)] > 0.0; }
    /// Its NVLink is dead and no network joins its server's GPUs: it meets them over PCIe and the host, which then stand
    /// in for its NVLink.
    [[nodiscard]] bool overHost(GpuIndex gpu) const { return !m_overHost.empty() && m_overHost[static_cast<std::size_t>(gpu)] != 0; }
    /// The link of the expansion's graph; of NVLinks the one that a perturbation changed, else kNone.
    [[nodiscard]] std::int32_t graphLinkOf(std::int32_t link) const;

    /// Index of the route between two access vertices; found once and kept.
    [[nodiscard]] std::int32_t routeBetween(std::int32_t from, std::int32_t to);
    /// The route of a flow from one GPU's access to another's: that, or with hashing the flow's own part of it. Cables of
    /// one link count as one way. A dead link moves only the flows that took it.
    [[nodiscard]] std::int32_t routeOfFlow(GpuIndex from, GpuIndex to);
    [[nodiscard]] const Route &route(std::int32_t index) const { return m_routes[static_cast<std::size_t>(index)]; }
    [[nodiscard]] std::size_t routeCount() const { return m_routes.size(); }

private:
    struct UpLink {
        std::int32_t link = 0, to = 0; ///< the way down again is link + 1
        double cables = 0.0;
    };
    struct Hop {
        std::int32_t lower = 0;
        UpLink up;
    };
    using Levels = std::vector<std::vector<Hop>>;

    void readGraph(const ClusterGraph &graph, const CostConstants &constants, const LinkState *state);
    void findAccess();
    void findEntries(const Expansion &expansion);
    [[nodiscard]] bool routeExists(GpuIndex from, GpuIndex to);
    void findHostWays(const Expansion &expansion, const LinkState &state);
    bool climb(std::vector<std::int32_t> &level, Levels &levels, std::vector<std::int32_t> &depth);
    Route search(std::int32_t from, std::int32_t to);
    std::vector<std::int32_t> meet(const std::vector<std::int32_t> &level,
                                   const std::vector<std::int32_t> &other) const;
    void spread(const Levels &up, const Levels &down, const std::vector<std::int32_t> &meeting, std::int32_t from,
                Route &route);
    void take(std::int32_t link, double share, Route &route) const;
    [[nodiscard]] std::int32_t endOf(std::int32_t link) const;
    [[nodiscard]] Route hashed(const Route &even, std::int32_t from, std::int32_t to, std::uint64_t flow) const;

    Ecmp m_ecmp;
    std::int32_t m_gpus = 0;
    std::vector<double> m_capacity, m_latency;
    std::int32_t m_firstLeafSpine = 0, m_firstSpineCore = 0;
    std::vector<double> m_nvlinkLatency;
    std::vector<std::int32_t> m_graphLink;   ///< by pair of links above the NVLinks
    std::vector<std::int32_t> m_lower, m_upper; ///< ends of those
    std::vector<std::int32_t> m_changedNvlink; ///< by GPU; empty without a state
    std::vector<std::size_t> m_upEnd; ///< by vertex
    std::vector<UpLink> m_up;
    std::vector<Access> m_access;
    std::vector<GpuIndex> m_entry; ///< by GPU
    std::vector<char> m_overHost;  ///< by GPU; empty without any
    std::vector<char> m_isSwitch; ///< by vertex
    std::vector<Route> m_routes;
    std::unordered_map<std::uint64_t, std::int32_t> m_routeOf, m_routeOfFlow; ///< looked up only, never walked
    // Scratch of one search, by vertex, clean between searches.
    std::vector<std::int32_t> m_depthUp, m_depthDown, m_touched;
    std::vector<double> m_amount, m_cables;
    std::vector<char> m_leads;
};

} // namespace clusterbeat
