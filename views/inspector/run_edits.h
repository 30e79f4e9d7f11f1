// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/intents.h"

#include <QString>

namespace clusterbeat {

/// The edits behind one change of the list of perturbations. `label` names the undo step.
namespace run_edits {

/// A perturbation's switch.
[[nodiscard]] QList<ScenarioEdit> enabled(qsizetype index, bool on, const QString &label);
[[nodiscard]] QList<ScenarioEdit> removed(qsizetype index, const QString &label);

} // namespace run_edits

} // namespace clusterbeat
