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
/// clos-rail: servers of `gpusPerServer` GPUs on NVSwitches, one NIC a GPU; racks; pods; leaf, spine and core switches.
/// Errors: UnknownName, OutOfRange, NotDivisible.
[[nodiscard]] Result<Blueprint> blueprintFromTemplate(const ClusterParameters &parameters);

} // namespace clusterbeat
