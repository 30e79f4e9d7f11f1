// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/iteration/iteration_result.h"
#include "model/iteration/progress.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <memory>
#include <optional>
#include <stop_token>

namespace clusterbeat {

/// Results of the early stages, keyed by the identity of the sections that they depend on. Any state of the cache
/// gives the same bytes. Not thread-safe: the runner's worker owns it.
class StageCache {
public:
    StageCache();
    ~StageCache();
    StageCache(StageCache &&) noexcept;
    StageCache &operator=(StageCache &&) noexcept;
    /// Most threads of the simulations that use it; 0, the default, is as many as the processor has. No result depends
    /// on it.
    void limitThreads(std::size_t threads);
    struct Entries;
    [[nodiscard]] Entries &entries() { return *m_entries; }

private:
    std::unique_ptr<Entries> m_entries;
};

struct Cancelled {};
/// Simulates one iteration: an IterationResult, an Error of the input, or Cancelled once `stop` was requested
/// (within 50 ms).
struct SimulationOutcome {
    std::shared_ptr<const IterationResult> result;   ///< null when cancelled or wrong
    std::optional<Error> error;
    bool cancelled = false;
};
[[nodiscard]] SimulationOutcome simulate(const Scenario &scenario, const Catalogue &catalogue, StageCache &cache,
                                         std::stop_token stop = {}, const ProgressSink &progress = {});

} // namespace clusterbeat
