// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/blueprint.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clusterbeat {

/// Every parameter of a cluster with its default filled in (scenario/resolve.h does that).
struct ClusterParameters {
    std::string templateName = "clos-rail";
    std::int64_t gpus = 0;
    std::int64_t gpusPerServer = 8;
    std::int64_t scaleupDomain = 8;          ///< GPUs joined by NVLink
    std::int64_t gpusUsedPerDomain = 8;
    std::int64_t serversPerRack = 4;
    std::int64_t racksPerPod = 32;
    std::string leaf = "rail";               ///< "rail" | "rack"
    double nicGbps = 400.0;                  ///< per GPU
    double scaleupGbytesPerS = 450.0;        ///< per GPU, one way
    double podOversubscription = 1.0;
    double coreOversubscription = 1.0;
    double linkLatencyS = 0.5e-6;            ///< one cable and switch hop
};

/// Names of the templates, in the order in which they are listed to people.
[[nodiscard]] std::vector<std::string> clusterTemplateNames();
/// clos-rail, a folded Clos network (Clos 1953) of servers on NVSwitches with one NIC a GPU:
/// - site > pod > rack > server > GPU; the numbers follow from `gpus`, the last pod, rack and server may hold fewer.
/// - A scale-up domain is one server (4 NVSwitches for 8 GPUs), or, when `scaleupDomain` is a multiple of
///   `gpusPerServer`, one rack, which then has scaleupDomain/gpusPerServer servers whatever serversPerRack says
///   (NVL72: 9 switch trays); 1 = no NVLink.
/// - leaf "rail": NIC i of every server of a pod on a leaf of rail i, at most kLeafDownPorts servers a leaf;
///   leaf "rack": one leaf in each rack. One server needs no leaf, unless its GPUs have no NVLink.
/// - Every leaf reaches every spine of its pod: one spine for each NIC-speed cable of a leaf's uplinks, at most
///   kMostSpines; uplinks carry what a full leaf's NICs inject / podOversubscription. One leaf needs no spine.
/// - Spine j of every pod reaches core j (a plane of its own): uplinks of a full pod carry what its NICs inject /
///   coreOversubscription. One pod needs no core. Bundles have fractional cables.
/// Errors: UnknownName, OutOfRange, NotDivisible, TooManyGpus.
inline constexpr std::int64_t kLeafDownPorts = 32;   ///< half of a 64-port switch
inline constexpr std::int64_t kMostSpines = 32;
[[nodiscard]] Result<Blueprint> blueprintFromTemplate(const ClusterParameters &parameters);

} // namespace clusterbeat
