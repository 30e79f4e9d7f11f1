// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/progress.h"
#include "model/search/layout_candidates.h"
#include "model/search/layout_evaluator.h"

#include <cstddef>
#include <optional>
#include <stop_token>
#include <vector>

namespace clusterbeat
{

struct SearchOptions {
    std::size_t top = 10;        ///< layouts of each list, at least 1
    unsigned threads = 1;        ///< results do not depend on it
    double slowestOfFront = 1.5; ///< the front of time and memory ends here, in units of the best iteration
    CandidateSpace space;
};

/// Why a layout is not the best.
struct LossReason {
    enum class Kind : std::uint8_t { Best, Slower, Ties, DoesNotFit };
    Kind kind = Kind::Best;
    Category category = Category::Bubble; ///< Slower: where it loses most
    double seconds = 0.0;                 ///< Slower: that category less the best layout's, mean over ranks
    Bytes bytes = 0;                      ///< DoesNotFit: what the fullest rank lacks
};
struct FoundLayout {
    LayoutChoice choice;
    LayoutDetail detail;
    LossReason reason;
};
struct SearchResult {
    std::size_t valid = 0;    ///< layouts that the rules allow
    std::size_t executed = 0; ///< of them simulated; the others provably belong to no list
    std::vector<FoundLayout>
        ranked; ///< that fit, fastest first; equally fast: least memory first; of those alike in both one
    std::vector<FoundLayout>
        pareto; ///< that fit and that none beats in time and memory both, up to slowestOfFront; fastest first
    std::vector<FoundLayout> tooLarge; ///< do not fit and would be faster than the best that does: least over first
};
struct SearchOutcome {
    std::optional<SearchResult> result; ///< empty when cancelled or wrong
    std::optional<Error> error;
    bool cancelled = false;
};

/// The best layouts of the scenario's model on its cluster, with the same global batch. Branch and bound (Land & Doig
/// 1960), best bound first: a layout is simulated unless its lower bounds of time and memory show that it belongs to
/// none of the lists. What is listed is exactly what simulate() says of withLayout(scenario, choice). The same bytes
/// for any number of threads. O(layouts) for the bounds, plus the simulated ones.
[[nodiscard]] SearchOutcome searchLayouts(const Scenario &scenario, const Catalogue &catalogue,
                                          const SearchOptions &options, std::stop_token stop = {},
                                          const ProgressSink &progress = {});

} // namespace clusterbeat
