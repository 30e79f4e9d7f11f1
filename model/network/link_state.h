// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/expansion.h"
#include "model/layout/placement.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace clusterbeat {

/// What perturbations do to the cables, by number of the link in the expansion's graph. All vectors are empty when
/// nothing is perturbed.
struct LinkState {
    std::vector<double> alive;              ///< share of the cables that are not dead; 0 = the link is gone
    std::vector<double> capacity;           ///< factor of what is alive: degraded, or left over by other traffic
    std::vector<double> loadBytesPerS;      ///< other traffic beside that, each direction
    std::vector<double> latencyS;           ///< more than nominal
    /// The last perturbation of the link, or kNone: counted over those that have an effect, as in ResolvedScenario.
    std::vector<std::int32_t> cause;

    std::vector<std::int32_t> changedOfGpu; ///< by GPU: one of the changed links on it or its NICs, or kNone
    std::int32_t changed = kNone;           ///< the first changed link at all
    double hostBytesPerS = 0.0;             ///< each way, of a GPU to those of its server through the host; 0 = no such way

    [[nodiscard]] bool nominal() const { return cause.empty(); }
};

/// One link of the target, with the end that the target named.
struct TargetLink {
    std::int32_t link = 0, device = 0;
};
/// Links of one domain at a target: a member path (GPU, NIC, switch, container) or a query of gpusOfTarget(). nvlink, pcie:
/// of the named GPUs, NICs or NVSwitches. nic: between the NICs of the named GPUs (or the named NICs or switches) and
/// the network. uplink: from the named switches to the tier above; of a switch at the top, its links down. `to` keeps
/// only links whose other end it names. Ascending by link. Errors: UnknownTarget, NoSuchLink; their pointer is "/target",
/// "/to" or "/link". O(devices + links).
[[nodiscard]] Result<std::vector<TargetLink>> linksOfTarget(const Expansion &expansion, const Placement &placement,
                                                            const std::string &target, LinkDomain domain,
                                                            const std::string &to = {});

/// Whether a GPU, or a NIC of it, ends a link of the domain. O(links of the GPU).
[[nodiscard]] bool gpuHasLinks(const Expansion &expansion, GpuIndex gpu, LinkDomain domain);

/// The effect of all link perturbations of a list together: capacities multiply, loads and latencies add; targets are
/// checked for those without effect too. Errors with the place below /perturbations/i: those of linksOfTarget(), and
/// OutOfRange for more dead cables than a member has or a load that leaves nothing. `hostBytesPerS`: LinkState's.
[[nodiscard]] Result<LinkState> linkState(const PerturbationList &perturbations, const Expansion &expansion,
                                          const Placement &placement, double hostBytesPerS = 0.0);

} // namespace clusterbeat
