// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"
#include "model/iteration/category.h"
#include "model/iteration/progress.h"
#include "model/layout/schedule.h"
#include "model/network/network_report.h"
#include "model/scenario/scenario.h"

#include <QString>
#include <QStringView>

/// Names of the domain in the user's language (translation context "Names"), for the window and the command line.
/// QtCore only. Never empty.
namespace clusterbeat {

[[nodiscard]] QString categoryName(Category category);
/// One sentence: what a GPU does in that state and what ends it.
[[nodiscard]] QString categoryDescription(Category category);
/// Of a GPU at an instant: a category or kUnusedState.
[[nodiscard]] QString stateName(std::uint8_t state);
[[nodiscard]] QString dimensionName(Dimension dimension);
/// "TP", "CP", "EP", "DP", "PP"
[[nodiscard]] QString dimensionAbbreviation(Dimension dimension);
[[nodiscard]] QString scheduleName(ScheduleKind kind);
/// As in the file: "1f1b", "interleaved", …
[[nodiscard]] QString scheduleKey(ScheduleKind kind);
/// A software profile by its name in the file; unknown names come back as they are.
[[nodiscard]] QString profileName(QStringView profile);
[[nodiscard]] QString nodeKindName(NodeKind kind);
[[nodiscard]] QString perturbationName(PerturbationKind kind);
[[nodiscard]] QString linkDomainName(LinkDomain domain);
[[nodiscard]] QString algorithmName(CollectiveAlgorithm algorithm);
[[nodiscard]] QString operationName(OperationKind kind);
/// Number under which people tell a micro-batch apart: of two copies of the model the second one's count on.
[[nodiscard]] std::int32_t shownMicroBatch(const PipelineSchedule &schedule, std::int32_t chunk, std::int32_t microBatch);
[[nodiscard]] QString stageOfWorkName(SimulationStage stage);

/// A member path or query for show: "pod.2/rack.84/server.1/gpu.5" -> "pod 2 / rack 84 / server 1 / GPU 5". Node ids
/// that are not a known kind keep their own spelling; "" = "all GPUs".
[[nodiscard]] QString memberPathText(QStringView path);
/// The same without its last part: where a GPU sits.
[[nodiscard]] QString containerPathText(QStringView path);
/// The last part alone: "GPU 5".
[[nodiscard]] QString memberText(QStringView path);

/// Replaces %1 … %9 in one pass, so that an argument which holds "%2" stays as it is; a missing one becomes "?".
[[nodiscard]] QString fillText(const QString &pattern, const QStringList &arguments);

} // namespace clusterbeat
