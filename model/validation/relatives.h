// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/validation/run_features.h"
#include "model/validation/validated_rows.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// A published run of tier A or B with what it measured and what this simulator predicts for it.
struct ReferenceRun {
    std::string id, source, tier, model;
    RunFeatures features;
    double measuredS = 0.0;
    TimeNs predictedNs = 0;
    [[nodiscard]] double error() const { return toSeconds(predictedNs) / measuredS - 1.0; }
    friend bool operator==(const ReferenceRun &, const ReferenceRun &) = default;
};
inline constexpr std::size_t kRelatives = 12;
struct ReferenceTable {
    std::vector<ReferenceRun> runs;
    /// 95th percentile, over the runs, of the mean distance to the kRelatives nearest others: how far apart published
    /// runs are from each other.
    double usualDistance = 0.0;
    friend bool operator==(const ReferenceTable &, const ReferenceTable &) = default;
};
/// Rows with a time, of tiers A and B, in table order.
[[nodiscard]] ReferenceTable referenceTable(const std::vector<ValidatedRow> &rows);
/// JSON, one run a line; the same table gives the same bytes, and reads back equal.
[[nodiscard]] std::string writeReferences(const ReferenceTable &table);
[[nodiscard]] Result<ReferenceTable> readReferences(std::string_view json);
/// resources/catalogue/reference_runs.json: written by `clusterbeat validate --reference-runs`, kept true by a test.
[[nodiscard]] Result<ReferenceTable> loadReferences();

struct Relative {
    std::size_t run = 0;                 ///< index into the reference runs
    double distance = 0.0, error = 0.0;
};
/// How far predictions for runs alike were off.
struct ErrorBand {
    std::vector<Relative> relatives;     ///< nearest first; equal distances by index
    double low = 0.0, high = 0.0;        ///< 10th and 90th percentile of the signed error
    double typical = 0.0;                ///< 80th percentile of |error|: four of five runs alike lie within
    bool extrapolated = false;           ///< the relatives are further away than published runs are from each other
};
/// The kRelatives nearest runs and their band; runs for which `skip` holds are left out. No runs: an empty band.
[[nodiscard]] ErrorBand errorBand(const RunFeatures &features, const ReferenceTable &table,
                                  const std::function<bool(const ReferenceRun &)> &skip = {});
/// Linear interpolation between order statistics at position p (n + 1), within the values (Hyndman & Fan 1996,
/// definition 6): another draw of the same kind lies below it with probability p. 0 without values.
[[nodiscard]] double quantileOf(std::vector<double> values, double p);

} // namespace clusterbeat
