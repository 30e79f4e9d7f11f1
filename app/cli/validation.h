// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/measured_rows.h"
#include "model/iteration/simulate.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace clusterbeat {

/// One published row beside its simulation. Errors are relative: predicted / measured - 1.
struct ValidatedRow {
    std::string id, source, tier;
    std::optional<Error> refused;
    std::optional<double> predictedS, measuredS, timeError;
    std::optional<double> predictedBytes, measuredBytes, memoryError;
};
/// Absolute relative errors of some rows.
struct ErrorSummary {
    std::size_t rows = 0;
    double mean = 0.0, median = 0.0, worst = 0.0;
};
/// Mean, median (of an even number: the mean of the middle two) and worst; all 0 without values.
[[nodiscard]] ErrorSummary summarise(std::vector<double> errors);

/// Simulates every row that is not refused, in order; stops early when asked (the rows so far).
[[nodiscard]] std::vector<ValidatedRow> validateRows(const std::vector<MeasuredRow> &rows, const Catalogue &catalogue,
                                                     std::stop_token stop);

/// What `validate` prints; the same rows give the same bytes.
[[nodiscard]] std::string validationJson(const std::vector<ValidatedRow> &rows);
[[nodiscard]] std::string validationTable(const std::vector<ValidatedRow> &rows);

} // namespace clusterbeat
