// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"
#include "views/shared/intents.h"

namespace clusterbeat {

/// The scenario with the edits applied to its canonical text, in their order; an edit without a value removes its key
/// (no key there: nothing to do). Sections that stay equal keep their pointers. The rules of resolve() are not checked.
[[nodiscard]] Result<Scenario> editedScenario(const Scenario &scenario, const QList<ScenarioEdit> &edits,
                                              const Catalogue &catalogue);

} // namespace clusterbeat
