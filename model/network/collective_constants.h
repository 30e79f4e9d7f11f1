// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <string_view>
#include <vector>

namespace clusterbeat {

/// Latencies of one algorithm under one protocol: once a collective, and of a step over NVLink or the network.
struct ProtocolLatency {
    double baseS = 0, nvlinkHopS = 0, netHopS = 0;
};

/// Largest bandwidth of protocol LL, on one, two and more domains.
struct LowLatencyCaps {
    double oneBytesPerS = 0, twoBytesPerS = 0, moreBytesPerS = 0;
};

/// NCCL's tuning model: what it assumes of every algorithm and protocol when it picks the fastest. Each figure with
/// unit, meaning and source in resources/catalogue/collectives.json.
struct CollectiveConstants {
    ProtocolLatency ringSimple, ringLl128, ringLl;
    ProtocolLatency treeSimple, treeLl128, treeLl;
    double ll128BandwidthFraction = 0, llRingBandwidthFraction = 0, llTreeBandwidthFraction = 0;
    double ll128TreeFractionOneDomain = 0, ll128TreeFractionMoreDomains = 0, treeBandwidthFraction = 0;
    LowLatencyCaps llAmpere, llHopper, llBlackwell;
    double nvlsLatencyS = 0, nvlsTreeBaseS = 0, nvlsTreeNetHopS = 0;
    double nvlsEfficiencyHopper = 0, nvlsEfficiencyBlackwell = 0;
    double inNetworkLatencyS = 0, inNetworkBandwidthFraction = 0;
    double patBaseS = 0, patNetHopS = 0, patRankS = 0, patBandwidthFraction = 0;

    /// The same with every latency times `factor` (0: transfers only, for lower bounds).
    [[nodiscard]] CollectiveConstants withLatenciesTimes(double factor) const;
};

/// A figure by the name that collectives.json gives it; null = no such name.
[[nodiscard]] double *collectiveConstant(CollectiveConstants &constants, std::string_view name);
[[nodiscard]] std::vector<std::string_view> collectiveConstantNames();

} // namespace clusterbeat
