// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/collective_constants.h"

namespace clusterbeat {
namespace {

struct Field {
    std::string_view name;
    double &(*of)(CollectiveConstants &);
};
constexpr Field kFields[] = {
    {"ring_simple_base_s", [](CollectiveConstants &c) -> double & { return c.ringSimple.baseS; }},
    {"ring_simple_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.ringSimple.nvlinkHopS; }},
    {"ring_simple_net_hop_s", [](CollectiveConstants &c) -> double & { return c.ringSimple.netHopS; }},
    {"ring_ll128_base_s", [](CollectiveConstants &c) -> double & { return c.ringLl128.baseS; }},
    {"ring_ll128_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.ringLl128.nvlinkHopS; }},
    {"ring_ll128_net_hop_s", [](CollectiveConstants &c) -> double & { return c.ringLl128.netHopS; }},
    {"ring_ll_base_s", [](CollectiveConstants &c) -> double & { return c.ringLl.baseS; }},
    {"ring_ll_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.ringLl.nvlinkHopS; }},
    {"ring_ll_net_hop_s", [](CollectiveConstants &c) -> double & { return c.ringLl.netHopS; }},
    {"tree_simple_base_s", [](CollectiveConstants &c) -> double & { return c.treeSimple.baseS; }},
    {"tree_simple_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.treeSimple.nvlinkHopS; }},
    {"tree_simple_net_hop_s", [](CollectiveConstants &c) -> double & { return c.treeSimple.netHopS; }},
    {"tree_ll128_base_s", [](CollectiveConstants &c) -> double & { return c.treeLl128.baseS; }},
    {"tree_ll128_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.treeLl128.nvlinkHopS; }},
    {"tree_ll128_net_hop_s", [](CollectiveConstants &c) -> double & { return c.treeLl128.netHopS; }},
    {"tree_ll_base_s", [](CollectiveConstants &c) -> double & { return c.treeLl.baseS; }},
    {"tree_ll_nvlink_hop_s", [](CollectiveConstants &c) -> double & { return c.treeLl.nvlinkHopS; }},
    {"tree_ll_net_hop_s", [](CollectiveConstants &c) -> double & { return c.treeLl.netHopS; }},
    {"ll128_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.ll128BandwidthFraction; }},
    {"ll_ring_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.llRingBandwidthFraction; }},
    {"ll_tree_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.llTreeBandwidthFraction; }},
    {"ll128_tree_fraction_one_domain", [](CollectiveConstants &c) -> double & { return c.ll128TreeFractionOneDomain; }},
    {"ll128_tree_fraction_more_domains", [](CollectiveConstants &c) -> double & { return c.ll128TreeFractionMoreDomains; }},
    {"tree_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.treeBandwidthFraction; }},
    {"ll_cap_ampere_one_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llAmpere.oneBytesPerS; }},
    {"ll_cap_ampere_two_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llAmpere.twoBytesPerS; }},
    {"ll_cap_ampere_more_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llAmpere.moreBytesPerS; }},
    {"ll_cap_hopper_one_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llHopper.oneBytesPerS; }},
    {"ll_cap_hopper_two_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llHopper.twoBytesPerS; }},
    {"ll_cap_hopper_more_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llHopper.moreBytesPerS; }},
    {"ll_cap_blackwell_one_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llBlackwell.oneBytesPerS; }},
    {"ll_cap_blackwell_two_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llBlackwell.twoBytesPerS; }},
    {"ll_cap_blackwell_more_bytes_per_s", [](CollectiveConstants &c) -> double & { return c.llBlackwell.moreBytesPerS; }},
    {"nvls_latency_s", [](CollectiveConstants &c) -> double & { return c.nvlsLatencyS; }},
    {"nvls_tree_base_s", [](CollectiveConstants &c) -> double & { return c.nvlsTreeBaseS; }},
    {"nvls_tree_net_hop_s", [](CollectiveConstants &c) -> double & { return c.nvlsTreeNetHopS; }},
    {"nvls_efficiency_hopper", [](CollectiveConstants &c) -> double & { return c.nvlsEfficiencyHopper; }},
    {"nvls_efficiency_blackwell", [](CollectiveConstants &c) -> double & { return c.nvlsEfficiencyBlackwell; }},
    {"in_network_latency_s", [](CollectiveConstants &c) -> double & { return c.inNetworkLatencyS; }},
    {"in_network_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.inNetworkBandwidthFraction; }},
    {"pat_base_s", [](CollectiveConstants &c) -> double & { return c.patBaseS; }},
    {"pat_net_hop_s", [](CollectiveConstants &c) -> double & { return c.patNetHopS; }},
    {"pat_rank_s", [](CollectiveConstants &c) -> double & { return c.patRankS; }},
    {"pat_bandwidth_fraction", [](CollectiveConstants &c) -> double & { return c.patBandwidthFraction; }},
};

} // namespace

CollectiveConstants CollectiveConstants::withLatenciesTimes(double factor) const
{
    CollectiveConstants scaled = *this;
    for (ProtocolLatency *latency : {&scaled.ringSimple, &scaled.ringLl128, &scaled.ringLl, &scaled.treeSimple,
                                     &scaled.treeLl128, &scaled.treeLl}) {
        latency->baseS *= factor;
        latency->nvlinkHopS *= factor;
        latency->netHopS *= factor;
    }
    for (double *latency : {&scaled.nvlsLatencyS, &scaled.nvlsTreeBaseS, &scaled.nvlsTreeNetHopS,
                            &scaled.inNetworkLatencyS, &scaled.patBaseS, &scaled.patNetHopS, &scaled.patRankS})
        *latency *= factor;
    return scaled;
}

double *collectiveConstant(CollectiveConstants &constants, std::string_view name)
{
    for (const Field &field : kFields)
        if (field.name == name) return &field.of(constants);
    return nullptr;
}

std::vector<std::string_view> collectiveConstantNames()
{
    std::vector<std::string_view> names;
    for (const Field &field : kFields)
        names.push_back(field.name);
    return names;
}

} // namespace clusterbeat
