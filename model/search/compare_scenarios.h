// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/simulate.h"

#include <array>
#include <optional>
#include <stop_token>
#include <vector>

namespace clusterbeat
{

/// Sections that an iteration depends on, in the order of the file.
enum class Section : std::uint8_t { Model, Training, Layout, Software, Cluster, Perturbations };
inline constexpr std::array<Section, 6> kComparedSections{Section::Model,    Section::Training, Section::Layout,
                                                          Section::Software, Section::Cluster,  Section::Perturbations};

/// What one change does to the iteration. `parts` sum to `total` exactly.
struct Contribution {
    TimeNs total = 0;
    CategoryTimes parts{};
};
/// One section changed, or several where the ones before it alone do not make a valid scenario.
struct SectionStep {
    std::vector<Section> sections;
    Contribution contribution;
};
/// B less A. The steps go from A to B section by section in file order; what a section contributes therefore includes
/// its interplay with the ones before it. Their totals and parts sum to `difference` exactly.
struct Comparison {
    std::shared_ptr<const IterationResult> a, b;
    Contribution difference;
    std::vector<SectionStep> steps; ///< sections that are alike make none
};
struct CompareOutcome {
    std::optional<Comparison> comparison; ///< empty when cancelled or wrong
    std::optional<Error> error;
    bool errorInB = false;
    bool cancelled = false;
};
[[nodiscard]] CompareOutcome compareScenarios(const Scenario &a, const Scenario &b, const Catalogue &catalogue,
                                              std::stop_token stop = {});

/// Mean seconds by category as whole nanoseconds that sum to the iteration: rounded by largest remainder.
[[nodiscard]] CategoryTimes exactBreakdown(const std::array<double, kCategoryCount> &breakdownS, TimeNs iteration);

} // namespace clusterbeat
