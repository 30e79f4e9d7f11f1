// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"
#include "model/cluster/expansion.h"
#include "model/layout/placement.h"
#include "model/network/network_report.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

#include <string>
#include <vector>

namespace clusterbeat {

enum class CollectiveKind : std::uint8_t { AllGather, ReduceScatter, AllReduce, AllToAll };

/// What the collective library and the hardware offer beside rings and trees, of one group.
struct CollectiveFeatures {
    double lowLatencyBytesPerS = 0.0;         ///< most that protocol LL reaches; 0 = not offered
    double nvlsEfficiency = 0.0;              ///< of NVLink, when the NVSwitch reduces; 0 = not offered
    bool inNetwork = false;                   ///< the network's switches reduce (SHARP)
    bool pat = false;                         ///< parallel aggregated trees
    friend bool operator==(const CollectiveFeatures &, const CollectiveFeatures &) = default;
};

/// How the groups of one dimension communicate when they all do so at the same time: rates after max-min sharing of
/// the links of the phase, of the slowest group.
struct GroupPath {
    std::int32_t members = 1;                 ///< ranks of one group
    std::int32_t membersPerDomain = 1;        ///< of them inside one scale-up domain (the smallest count over domains)
    std::int32_t domains = 1;                 ///< scale-up domains that one group spans
    double scaleupBytesPerS = 0.0;            ///< per member inside the domain, protocol efficiency included
    double networkBytesPerS = 0.0;            ///< per member across domains (its share of the server's NICs and of the uplinks), efficiency included
    std::string bottleneck;                   ///< kind of the narrowest link on the inter-domain route
    bool leavesDomain = false;                ///< one domain, but a member without NVLink meets the others over the network
    CollectiveFeatures features;
    double latencyS = 0.0;                    ///< of the links of its longest route; the constants of collectives hold the usual one
    double extraLatencyS = 0.0;               ///< more than that: a message passes it once a pass
    /// Rates by which the algorithm is chosen when they are not its own (a degraded link changes no algorithm); 0 = its own.
    double chosenScaleupBytesPerS = 0.0, chosenNetworkBytesPerS = 0.0;
    friend bool operator==(const GroupPath &, const GroupPath &) = default;
};
struct TransferPath {
    double bytesPerS = 0.0;
    double latencyS = 0.0;
    std::string bottleneck;
};
/// Time of one collective split as people ask for it; waiting for the last peer is neither and comes from the schedule.
struct CollectiveTime {
    double startupS = 0.0;                    ///< α: fixed cost of all steps
    double transferS = 0.0;                   ///< bytes over bandwidth
    CollectiveAlgorithm algorithm = CollectiveAlgorithm::Ring;
    std::string bottleneck;
    CollectiveProtocol protocol = CollectiveProtocol::None;
    [[nodiscard]] double totalS() const { return startupS + transferS; }
};

/// The phases of one layout on one cluster. Built once per structure; unperturbed by speed.
struct NetworkModel {
    GroupPath tensor, context, data;          ///< data: over data * context ranks (gradients)
    GroupPath expert;                         ///< all-to-all of the expert ranks, all pairs of domains at once
    GroupPath expertTensor;                   ///< ranks that split one expert
    GroupPath expertData;                     ///< ranks that hold the same experts (their gradients)
    std::vector<TransferPath> pipeline;       ///< [link * data + replica]: link s is stage s to the next (last to first), then StageMap::links; of its slowest member
    bool connected = true;                    ///< false: some group has no route between its members, and its rate is 0
};

/// Loads the routes of all groups of each phase on the expansion and shares links max-min (progressive filling,
/// Bertsekas & Gallager; fluid over equal-cost paths). A group is a ring in order of its GPUs: inside a domain over
/// NVLink; from domain to domain the first membersPerDomain members send side by side, each through its own NIC to the
/// peer of the same number. Expert groups (models with experts) are runs of expert * expert_tensor ranks of one stage in
/// rank order, expert-tensor innermost; the all-to-all sends from each domain to every other at once, sampled by up to
/// eight shifts of the ring. When the peer's leaf is another one but a GPU of the sender's domain has a NIC on it, the
/// traffic goes to that GPU over NVLink first (PXN). One stage has no transfers: `pipeline` is empty.
/// O(ranks * route length).
[[nodiscard]] NetworkModel networkModel(const ResolvedScenario &scenario, const Expansion &expansion, const Placement &placement,
                                        const CostConstants &constants);

/// What a group over so many domains is offered, by the accelerator's generation, `software` and `cluster`.
[[nodiscard]] CollectiveFeatures collectiveFeatures(const ResolvedScenario &scenario, const CostConstants &constants, std::int32_t domains);

/// Fastest algorithm and protocol, as NCCL's tuning model picks it, for a message of `bytes` (per rank: the full buffer, NCCL's convention:
/// all-gather and reduce-scatter move bytes*(n-1)/n per rank). One member or no bytes: 0, algorithm None.
/// Rates must be positive (NetworkModel::connected). The equations stand above the code.
[[nodiscard]] CollectiveTime collectiveTime(CollectiveKind kind, double bytes, const GroupPath &path, const CostConstants &constants);
/// With the algorithm given (tests, teaching), under its fastest protocol. One that does not apply (tree other than for all-reduce, hierarchical
/// with one domain or one member a domain, a feature that is not there) is answered with ring; all-to-all knows only itself.
[[nodiscard]] CollectiveTime collectiveTimeWith(CollectiveAlgorithm algorithm, CollectiveKind kind, double bytes,
                                                const GroupPath &path, const CostConstants &constants);

} // namespace clusterbeat
