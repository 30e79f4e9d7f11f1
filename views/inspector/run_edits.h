// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/scenario/scenario.h"
#include "views/shared/intents.h"

#include <QString>

namespace clusterbeat {

/// The edits behind one change of a knob, with what must change along: pure, tested. `label` names the undo step.
namespace run_edits {

/// A degree: "/layout/tensor", "/layout/pipeline", "/layout/virtual_pipeline" or "/layout/data". An explicit split of
/// the layers goes when the number of chunks changes, and an explicit data degree shrinks when the product would pass
/// the cluster's GPUs.
[[nodiscard]] QList<ScenarioEdit> degree(const Scenario &scenario, const QString &pointer, qint64 value, const QString &label);
/// A schedule by its key: one without chunks sets virtual_pipeline 1, interleaved at least 2.
[[nodiscard]] QList<ScenarioEdit> schedule(const Scenario &scenario, const QString &key, const QString &label);
/// A perturbation's switch.
[[nodiscard]] QList<ScenarioEdit> enabled(qsizetype index, bool on, const QString &label);
[[nodiscard]] QList<ScenarioEdit> removed(qsizetype index, const QString &label);
/// A string as JSON text, escaped.
[[nodiscard]] QString jsonString(const QString &text);

} // namespace run_edits

} // namespace clusterbeat
