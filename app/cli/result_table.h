// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/validation/relatives.h"

#include <QString>

namespace clusterbeat {

/// What `simulate` prints for people: headline figures, breakdown, memory, communication, the slowest GPU and why.
/// With `references` also how far published runs alike were off. English, C locale, the same bytes for the same result.
[[nodiscard]] QString resultTable(const IterationResult &result, const ReferenceTable *references = nullptr);

} // namespace clusterbeat
