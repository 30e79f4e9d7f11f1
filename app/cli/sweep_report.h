// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/search/sweep.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace clusterbeat
{

/// One point of a sweep: a result, or what is wrong with it.
struct SweepPoint {
    std::int64_t number = 0; ///< from 0
    std::vector<PointerEdit> edits;
    std::shared_ptr<const IterationResult> result;
    std::optional<Error> error;
};

/// RFC 4180 with line feeds; the header names the varied pointers.
[[nodiscard]] std::string sweepCsvHeader(const std::vector<SweepAxis> &axes);
[[nodiscard]] std::string sweepCsvRow(const SweepPoint &point);
/// One JSON object on a line.
[[nodiscard]] std::string sweepJsonRow(const SweepPoint &point);

} // namespace clusterbeat
