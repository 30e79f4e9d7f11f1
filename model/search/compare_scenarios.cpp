// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/compare_scenarios.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace clusterbeat
{
namespace
{

/// Takes a section from `from`; false when the contents are alike.
template <typename T> bool take(std::shared_ptr<const T> &to, const std::shared_ptr<const T> &from)
{
    if (to == from || *to == *from) return false;
    to = from;
    return true;
}

bool takeSection(Section section, Scenario &to, const Scenario &from)
{
    switch (section) {
    case Section::Model:
        return take(to.model, from.model);
    case Section::Training:
        return take(to.training, from.training);
    case Section::Layout:
        return take(to.layout, from.layout);
    case Section::Software:
        return take(to.software, from.software);
    case Section::Cluster:
        return take(to.cluster, from.cluster);
    case Section::Perturbations:
        return take(to.perturbations, from.perturbations);
    }
    return false;
}

Contribution contributionOf(const IterationResult &result)
{
    return {result.iteration(), exactBreakdown(result.metrics.breakdownS, result.iteration())};
}

Contribution operator-(const Contribution &b, const Contribution &a)
{
    Contribution difference{b.total - a.total, {}};
    for (std::size_t c = 0; c < kCategoryCount; ++c)
        difference.parts[c] = b.parts[c] - a.parts[c];
    return difference;
}

} // namespace

CategoryTimes exactBreakdown(const std::array<double, kCategoryCount> &breakdownS, TimeNs iteration)
{
    CategoryTimes times{};
    std::array<double, kCategoryCount> remainder{};
    for (std::size_t c = 0; c < kCategoryCount; ++c) {
        const double ns = breakdownS[c] * 1e9;
        times[c] = static_cast<TimeNs>(std::floor(ns));
        remainder[c] = ns - std::floor(ns);
    }
    std::array<std::size_t, kCategoryCount> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t j) { return remainder[i] > remainder[j]; });
    TimeNs missing = iteration - std::accumulate(times.begin(), times.end(), TimeNs{0});
    // Below one per category, but for the rounding of the seconds themselves.
    for (std::size_t i = 0; missing > 0; i = (i + 1) % kCategoryCount, --missing)
        ++times[order[i]];
    const auto largest = std::max_element(times.begin(), times.end());
    *largest += missing;
    return times;
}

CompareOutcome compareScenarios(const Scenario &a, const Scenario &b, const Catalogue &catalogue, std::stop_token stop)
{
    StageCache cache;
    CompareOutcome outcome;
    Comparison comparison;
    for (const bool second : {false, true}) {
        auto simulated = simulate(second ? b : a, catalogue, cache, stop);
        if (!simulated.result) return {std::nullopt, std::move(simulated.error), second, simulated.cancelled};
        (second ? comparison.b : comparison.a) = std::move(simulated.result);
    }
    const Contribution first = contributionOf(*comparison.a);
    comparison.difference = contributionOf(*comparison.b) - first;
    Contribution before = first;
    Scenario current = a;
    std::vector<Section> changed;
    for (const Section section : kComparedSections) {
        if (!takeSection(section, current, b)) continue;
        changed.push_back(section);
        const auto simulated = simulate(current, catalogue, cache, stop);
        if (simulated.cancelled) return {std::nullopt, std::nullopt, false, true};
        if (!simulated.result) continue; // valid together with a later section only
        const Contribution after = contributionOf(*simulated.result);
        comparison.steps.push_back({std::exchange(changed, {}), after - before});
        before = after;
    }
    outcome.comparison = std::move(comparison);
    return outcome;
}

} // namespace clusterbeat
