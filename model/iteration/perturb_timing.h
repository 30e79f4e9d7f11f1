// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/iteration/trace.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <vector>

namespace clusterbeat {

/// What perturbations are drawn against: the scenario without them.
struct PerturbationBase {
    const Trace &twin;                 ///< unperturbed trace of the plan
    const TrainingSection &training;
    const CampaignSection &campaign;
};

/// HostPauses of one perturbation, in place of those that the plan has.
void addPauses(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const Trace &twin);
/// Factors of attention work of every replica that holds one of the positions, one a micro-batch, the same on all stages.
/// With sigma lognormal of mean 1; without, the drawn documents' sum of squared lengths over its expectation.
void addDocuments(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const TrainingSection &training);
/// Loading times of every replica that holds one of the positions; several add up, the smallest prefetch holds.
void addSlowData(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions);
/// Stall after the optimizer step; several add up.
void addCheckpoint(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const CampaignSection &campaign);
void addWarmUp(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions);
/// Divides the stalls of a checkpoint by the storage's speed; after all addCheckpoint().
void slowStorage(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions);

/// What the list asks for together and cannot have: slow_storage without a checkpoint, document_imbalance without sigma
/// where training.documents is missing or not masked. Pointers are /perturbations/i.
[[nodiscard]] std::optional<Error> timingError(const PerturbationList &perturbations, const TrainingSection &training);

} // namespace clusterbeat
