// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/templates.h"
#include "model/layout/degrees.h"
#include "model/network/ecmp.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"
#include "model/workload/software.h"

#include <vector>

namespace clusterbeat {

/// A scenario with every default filled in and every rule checked: what the simulator's stages read.
/// Invariants: degrees.ranks() <= cluster.gpus; globalBatch == data * microBatch * microBatches.
struct ResolvedScenario {
    ModelSection model;
    TrainingSection training;            ///< gradientBytes, parameterGatherBytes, recompute, reduceEvery, optimizerSync set
    Degrees degrees;
    SoftwareFlags software;
    Accelerator accelerator;
    ClusterParameters cluster;           ///< unused when blueprint is set
    Blueprint blueprint;                 ///< from the template, or the drawn one
    PerturbationList perturbations;      ///< enabled ones only; speed 1 and sigma 0 removed
    CampaignSection campaign;
    PricesSection prices;
    bool inNetworkReduction = false;     ///< the network's switches reduce
    Ecmp ecmp;
    std::int64_t microBatches = 0;       ///< per replica and iteration
    std::vector<Notice> notices;
};

/// A profile's flags with the file's single flags over them.
[[nodiscard]] SoftwareFlags mergeSoftware(const SoftwareProfile &profile, const SoftwareSection &section);

/// Fills defaults and checks the rules of the file format: degrees against GPUs (DegreesExceedGpus), batch
/// (BatchNotDivisible), heads by tensor, names against the catalogue. Error places are JSON pointers.
/// What the file format knows and the simulator does not yet compute is UnsupportedFeature.
[[nodiscard]] Result<ResolvedScenario> resolve(const Scenario &scenario, const Catalogue &catalogue);

} // namespace clusterbeat
