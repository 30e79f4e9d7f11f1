// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/object_reader.h"
#include "model/scenario/scenario.h"
#include "model/workload/software.h"

#include <optional>

/// One reader and one writer for each top-level section. Readers put the first error into the sink and then return
/// something unspecified; writers leave out what equals the default.
namespace clusterbeat
{

[[nodiscard]] ModelSection readModel(const JsonValue &json, const std::string &pointer, std::optional<Error> &error);
[[nodiscard]] TrainingSection readTraining(const JsonValue &json, const std::string &pointer,
                                           std::optional<Error> &error);
[[nodiscard]] LayoutSection readLayout(const JsonValue &json, const std::string &pointer, std::optional<Error> &error);
[[nodiscard]] SoftwareSection readSoftware(const JsonValue &json, const std::string &pointer,
                                           std::optional<Error> &error);
[[nodiscard]] ClusterSection readCluster(const JsonValue &json, const std::string &pointer,
                                         std::optional<Error> &error);
[[nodiscard]] PerturbationList readPerturbations(const JsonValue &json, const std::string &pointer,
                                                 std::optional<Error> &error);
[[nodiscard]] CampaignSection readCampaign(const JsonValue &json, const std::string &pointer,
                                           std::optional<Error> &error);
[[nodiscard]] PricesSection readPrices(const JsonValue &json, const std::string &pointer, std::optional<Error> &error);
/// An accelerator of the catalogue or inline in a cluster: the same keys.
[[nodiscard]] Accelerator readAccelerator(const JsonValue &json, const std::string &pointer,
                                          std::optional<Error> &error);
[[nodiscard]] Blueprint readBlueprint(const JsonValue &json, const std::string &pointer, std::optional<Error> &error);
[[nodiscard]] SoftwareFlags readSoftwareFlags(const JsonValue &json, const std::string &pointer,
                                              std::optional<Error> &error);

[[nodiscard]] JsonValue writeModel(const ModelSection &model);
[[nodiscard]] JsonValue writeTraining(const TrainingSection &training);
[[nodiscard]] JsonValue writeLayout(const LayoutSection &layout);
[[nodiscard]] JsonValue writeSoftware(const SoftwareSection &software);
[[nodiscard]] JsonValue writeCluster(const ClusterSection &cluster);
[[nodiscard]] JsonValue writePerturbations(const PerturbationList &perturbations);
[[nodiscard]] JsonValue writeCampaign(const CampaignSection &campaign);
[[nodiscard]] JsonValue writePrices(const PricesSection &prices);

} // namespace clusterbeat
