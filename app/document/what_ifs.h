// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <string>

namespace clusterbeat {

/// What one click makes of a list of perturbations: pure.
namespace what_ifs {

/// The links of one domain at exactly this target: capacity 0 = dead, 1 = nominal, else that share of the nominal
/// capacity. A latency that was added stays while the links live; other traffic and other targets are not touched.
[[nodiscard]] PerturbationList withLinks(PerturbationList list, const std::string &target, LinkDomain domain, double capacity);

/// Something of this kind is switched on.
[[nodiscard]] bool isActive(const PerturbationList &list, PerturbationKind kind);
/// Off: every perturbation of the kind goes, and a slow storage with the last checkpoint. On: those that are switched
/// off come back, else `usual` is added.
[[nodiscard]] PerturbationList withKind(PerturbationList list, bool on, const Perturbation &usual);

/// What the what-if of a kind adds for the whole run, with the figures that README names. `microBatchS` is what an
/// iteration takes for each of its micro-batches, the measure of a slow loader.
[[nodiscard]] Perturbation usual(PerturbationKind kind, double microBatchS);

} // namespace what_ifs

} // namespace clusterbeat
