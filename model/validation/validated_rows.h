// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/measured_rows.h"
#include "model/iteration/simulate.h"
#include "model/validation/out_of_range.h"
#include "model/validation/run_features.h"

#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace clusterbeat {

/// One published row beside its simulation. Errors are relative: predicted / measured - 1.
struct ValidatedRow {
    std::string id, source, tier, accelerator, model, note;
    bool moe = false;
    std::int64_t gpus = 0;
    std::optional<Error> refused;
    std::optional<RunFeatures> features;                 ///< none when refused
    std::optional<double> predictedS, measuredS, timeError;
    std::optional<double> predictedBytes, measuredBytes, memoryError;
    std::optional<TimeNs> predictedNs;
    std::vector<RowReason> reasons;                      ///< why the time is out of the tier's tolerance; empty in range

    [[nodiscard]] bool inRange() const { return reasons.empty(); }
};

/// Simulates one row. nullopt: asked to stop. A refused row comes back refused.
[[nodiscard]] std::optional<ValidatedRow> validateRow(const MeasuredRow &row, const RowContext &context,
                                                      const Catalogue &catalogue, StageCache &cache, std::stop_token stop);
/// Every row in order; stops early when asked (the rows so far). `table` is the whole table that they are from.
[[nodiscard]] std::vector<ValidatedRow> validateRows(const std::vector<MeasuredRow> &rows, const std::vector<MeasuredRow> &table,
                                                     const Catalogue &catalogue, std::stop_token stop = {});

/// Absolute relative errors of some rows.
struct ErrorSummary {
    std::size_t rows = 0;
    double mean = 0.0, median = 0.0, worst = 0.0;
};
/// Mean, median (of an even number: the mean of the middle two) and worst; all 0 without values.
[[nodiscard]] ErrorSummary summarise(std::vector<double> errors);

/// Errors of rows with one property, for time and memory.
struct ErrorGroup {
    ErrorSummary time, memory;
    std::size_t refused = 0, outOfRange = 0;
};
/// Groups by what the rows say; keys in alphabetical order. A kind is "dense" or "moe".
struct ValidationSummary {
    ErrorGroup all;
    std::map<std::string, ErrorGroup> byTier, bySource, byAccelerator, byKind;
};
[[nodiscard]] ValidationSummary summaryOf(const std::vector<ValidatedRow> &rows);
/// Indices of the `count` rows with the largest |time error|, largest first; equal errors by index.
[[nodiscard]] std::vector<std::size_t> worstRows(const std::vector<ValidatedRow> &rows, std::size_t count);

} // namespace clusterbeat
