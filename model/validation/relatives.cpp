// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/validation/relatives.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr double kLowQuantile = 0.1, kHighQuantile = 0.9, kTypicalQuantile = 0.8, kUsualQuantile = 0.95;

std::vector<Relative> nearest(const RunFeatures &features, const std::vector<ReferenceRun> &runs,
                              const std::function<bool(std::size_t)> &skip)
{
    std::vector<Relative> relatives;
    for (std::size_t i = 0; i < runs.size(); ++i)
        if (!skip(i)) relatives.push_back({i, distanceOf(features, runs[i].features), runs[i].error()});
    const std::size_t count = std::min(kRelatives, relatives.size());
    std::partial_sort(relatives.begin(), relatives.begin() + static_cast<std::ptrdiff_t>(count), relatives.end(),
                      [](const Relative &a, const Relative &b) {
                          return a.distance != b.distance ? a.distance < b.distance : a.run < b.run;
                      });
    relatives.resize(count);
    return relatives;
}

double meanDistance(const std::vector<Relative> &relatives)
{
    double sum = 0.0;
    for (const Relative &relative : relatives) sum += relative.distance;
    return relatives.empty() ? 0.0 : sum / static_cast<double>(relatives.size());
}

double usualDistance(const std::vector<ReferenceRun> &runs)
{
    std::vector<double> distances;
    for (std::size_t i = 0; i < runs.size(); ++i)
        distances.push_back(meanDistance(nearest(runs[i].features, runs, [i](std::size_t other) { return other == i; })));
    return quantileOf(std::move(distances), kUsualQuantile);
}

} // namespace

ReferenceTable referenceTable(const std::vector<ValidatedRow> &rows)
{
    ReferenceTable table;
    for (const ValidatedRow &row : rows) {
        const bool good = row.tier == "A" || row.tier == "B";
        if (!good || !row.timeError || !row.features) continue;
        table.runs.push_back({row.id, row.source, row.tier, row.model, *row.features, *row.measuredS, *row.predictedNs});
    }
    table.usualDistance = usualDistance(table.runs);
    return table;
}

ErrorBand errorBand(const RunFeatures &features, const ReferenceTable &table,
                    const std::function<bool(const ReferenceRun &)> &skip)
{
    ErrorBand band;
    band.relatives = nearest(features, table.runs, [&](std::size_t i) { return skip && skip(table.runs[i]); });
    std::vector<double> errors, sizes;
    for (const Relative &relative : band.relatives) {
        errors.push_back(relative.error);
        sizes.push_back(std::fabs(relative.error));
    }
    band.low = quantileOf(errors, kLowQuantile);
    band.high = quantileOf(errors, kHighQuantile);
    band.typical = quantileOf(sizes, kTypicalQuantile);
    band.extrapolated = meanDistance(band.relatives) > table.usualDistance;
    return band;
}

double quantileOf(std::vector<double> values, double p)
{
    if (values.empty()) return 0.0;
    std::sort(values.begin(), values.end());
    const double last = static_cast<double>(values.size() - 1);
    const double at = std::clamp(p * static_cast<double>(values.size() + 1) - 1.0, 0.0, last);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, values.size() - 1);
    return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

} // namespace clusterbeat
