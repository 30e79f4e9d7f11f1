// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/validation/validated_rows.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

struct Errors {
    std::vector<double> time, memory;
    std::size_t refused = 0, outOfRange = 0;

    void add(const ValidatedRow &row)
    {
        if (row.timeError) time.push_back(std::fabs(*row.timeError));
        if (row.memoryError) memory.push_back(std::fabs(*row.memoryError));
        if (row.refused) ++refused;
        if (!row.inRange()) ++outOfRange;
    }
    [[nodiscard]] ErrorGroup group() const { return {summarise(time), summarise(memory), refused, outOfRange}; }
};

std::map<std::string, ErrorGroup> groupsOf(const std::map<std::string, Errors> &errors)
{
    std::map<std::string, ErrorGroup> groups;
    for (const auto &[name, each] : errors) groups[name] = each.group();
    return groups;
}

} // namespace

std::optional<ValidatedRow> validateRow(const MeasuredRow &row, const RowContext &context, const Catalogue &catalogue,
                                        StageCache &cache, std::stop_token stop)
{
    ValidatedRow validated;
    validated.id = row.id;
    validated.source = row.source;
    validated.tier = row.tier;
    validated.accelerator = row.gpuName;
    validated.model = row.modelName;
    validated.note = row.note;
    validated.moe = row.moe;
    validated.refused = row.refused;
    validated.measuredS = row.iterationS;
    validated.measuredBytes = row.memoryBytes;
    if (row.refused) return validated;
    const SimulationOutcome outcome = simulate(row.scenario, catalogue, cache, stop);
    if (outcome.cancelled) return std::nullopt;
    validated.refused = outcome.error;
    if (!outcome.result) return validated;
    const IterationResult &result = *outcome.result;
    validated.features = featuresOf(*result.scenario);
    validated.gpus = validated.features->gpus;
    validated.predictedNs = result.iteration();
    validated.predictedS = result.metrics.iterationS;
    validated.predictedBytes = static_cast<double>(result.memory.peak.total());
    if (row.memoryBytes) validated.memoryError = *validated.predictedBytes / *row.memoryBytes - 1.0;
    if (row.iterationS) {
        validated.timeError = *validated.predictedS / *row.iterationS - 1.0;
        validated.reasons = reasonsOutOfRange(factsOf(row, context, result, *validated.timeError));
    }
    return validated;
}

std::vector<ValidatedRow> validateRows(const std::vector<MeasuredRow> &rows, const std::vector<MeasuredRow> &table,
                                       const Catalogue &catalogue, std::stop_token stop)
{
    const std::vector<RowContext> contexts = contextOfRows(rows, table);
    std::vector<ValidatedRow> validated;
    StageCache cache;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto row = validateRow(rows[i], contexts[i], catalogue, cache, stop);
        if (!row) break;
        validated.push_back(std::move(*row));
    }
    return validated;
}

ErrorSummary summarise(std::vector<double> errors)
{
    ErrorSummary summary;
    summary.rows = errors.size();
    if (errors.empty()) return summary;
    std::sort(errors.begin(), errors.end());
    for (const double error : errors) summary.mean += error;
    summary.mean /= static_cast<double>(errors.size());
    const std::size_t middle = errors.size() / 2;
    summary.median = errors.size() % 2 == 1 ? errors[middle] : (errors[middle - 1] + errors[middle]) / 2.0;
    summary.worst = errors.back();
    return summary;
}

ValidationSummary summaryOf(const std::vector<ValidatedRow> &rows)
{
    Errors all;
    std::map<std::string, Errors> byTier, bySource, byAccelerator, byKind;
    for (const ValidatedRow &row : rows) {
        all.add(row);
        byTier[row.tier].add(row);
        bySource[row.source].add(row);
        byAccelerator[row.accelerator].add(row);
        byKind[row.moe ? "moe" : "dense"].add(row);
    }
    return {all.group(), groupsOf(byTier), groupsOf(bySource), groupsOf(byAccelerator), groupsOf(byKind)};
}

std::vector<std::size_t> worstRows(const std::vector<ValidatedRow> &rows, std::size_t count)
{
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].timeError) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::fabs(*rows[a].timeError) > std::fabs(*rows[b].timeError);
    });
    order.resize(std::min(order.size(), count));
    return order;
}

} // namespace clusterbeat
