// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/formats/measured_rows.h"
#include "model/iteration/iteration_result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Why a prediction is likely to differ from the measurement, with the arguments of its sentence. Rules over the row's
/// facts and the prediction; none knows a row.
enum class RangeReason : std::uint8_t {
    MemoryLimit,       ///< share of the capacity that the prediction fills
    TokenDrop,         ///< nothing: the run dropped tokens over the experts' capacity, how many is not known
    EarlySoftware,     ///< months since the first release that the table has for this accelerator
    ReleaseSpread,     ///< spread of the same configuration over releases, relative; number of rows
    FetchOrder,        ///< nothing: sharded parameters whose order of fetches is not known (DeepSpeed)
    FewMicroBatches,   ///< micro-batches, stages
    ShortKernels,      ///< seconds of forward work of one layer and micro-batch
    ExposedNetwork,    ///< share of the iteration in exposed communication
    LargeScale,        ///< GPUs: what slows large jobs beside the iteration is not in the model
    AssumedKnob,       ///< keys, joined by ", "
    EagerKernels,      ///< factor on memory traffic: kernels that are not fused differ between versions
    Aggregate,         ///< nothing: a tier C row, an aggregate for range checks
    Unexplained,       ///< nothing
};
inline constexpr std::size_t kRangeReasonCount = 13;
/// "memory_limit", … : the keys of the JSON output.
[[nodiscard]] std::string_view rangeReasonKey(RangeReason reason);

struct RowReason {
    RangeReason reason = RangeReason::Unexplained;
    std::vector<Argument> arguments;
    friend bool operator==(const RowReason &, const RowReason &) = default;
};

/// Largest |predicted / measured - 1| that is in range: 10 % for tiers A and B, 25 % for C (aggregates) and others.
[[nodiscard]] double toleranceOfTier(std::string_view tier);

/// What the rules look at.
struct RowFacts {
    std::string tier;
    double error = 0.0;                 ///< predicted / measured - 1
    double memoryShare = 0.0;           ///< predicted peak over capacity
    bool heldByStreams = false;         ///< FSDP 1: gathered parameters are freed late
    bool tokenDrop = false, unknownFetchOrder = false;
    std::optional<std::int64_t> monthsSinceFirstRelease;
    double releaseSpread = 0.0;         ///< max / min - 1 of the same configuration's measurements
    std::int64_t releases = 1;          ///< how many rows that is
    std::int64_t microBatches = 0, stages = 1, gpus = 1;
    double layerForwardS = 0.0;         ///< of one layer and micro-batch
    bool launchesHidden = false;        ///< CUDA graphs of whole iterations
    double exposedShare = 0.0;
    double elementwiseFactor = 1.0;
    std::vector<std::string> assumed;
};
/// In the order above, the most specific first; empty in range. A reason that can only make a run slower than predicted
/// (memory, fetches, scale, network) is not given for one that was faster. Never empty out of range.
[[nodiscard]] std::vector<RowReason> reasonsOutOfRange(const RowFacts &facts);

/// What other rows of the table tell of one: computed over the whole table, so that a row's reasons do not depend on
/// which rows are listed.
struct RowContext {
    std::optional<std::int64_t> monthsSinceFirstRelease; ///< of this accelerator in the table
    double releaseSpread = 0.0;
    std::int64_t releases = 1;
};
[[nodiscard]] std::vector<RowContext> contextOfRows(const std::vector<MeasuredRow> &rows, const std::vector<MeasuredRow> &table);
[[nodiscard]] RowFacts factsOf(const MeasuredRow &row, const RowContext &context, const IterationResult &result, double error);

} // namespace clusterbeat
