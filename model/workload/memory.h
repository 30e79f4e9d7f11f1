// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/units.h"
#include "model/layout/schedule.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/resolve.h"

#include <memory>
#include <optional>
#include <vector>

namespace clusterbeat {

struct MemoryParts {
    Bytes parameters = 0, gradients = 0, optimizer = 0, activations = 0, buffers = 0;
    [[nodiscard]] Bytes total() const { return parameters + gradients + optimizer + activations + buffers; }
    friend bool operator==(const MemoryParts &, const MemoryParts &) = default;
};
/// What is there while one operation runs (a forward's activations: at its end), and after it.
struct OperationMemory {
    MemoryParts during, after;
};
/// One stage's fullest moment: parts at that instant, and the operation (index in order[stage]) at whose end it is.
struct StageMemory {
    MemoryParts peak;
    std::int32_t operation = 0;
    MemoryParts idle;                              ///< before the first operation and after the last reduction
    std::vector<OperationMemory> operations;       ///< [index in order[stage]], when asked for
};
/// Where memory first exceeds the capacity, and by how much at that instant.
struct MemoryOverflow {
    RankIndex rank = 0;
    TimeNs at = 0;
    Bytes bytes = 0;
};
struct MemoryReport {
    MemoryParts peak;   ///< of the fullest rank, at its fullest instant
    Bytes capacity = 0; ///< what a program can use: GiB as sold less the context
    bool fits = true;
    RankIndex rank = 0;
    TimeNs at = 0;
    std::shared_ptr<const std::vector<StageMemory>> byStage;
    std::optional<MemoryOverflow> overflow;        ///< the first rank of the iteration, when it does not fit
};

/// Bytes of every stage's fullest rank, activations counted along the schedule's order (physics: Korthikanti et al.
/// 2022). A stage without operations is left out (zeros).
[[nodiscard]] std::vector<StageMemory> stageMemory(const ResolvedScenario &scenario, const CostConstants &constants,
                                                   const PipelineSchedule &schedule, bool everyOperation = false);
[[nodiscard]] Bytes usableMemory(const Accelerator &accelerator, const CostConstants &constants);

} // namespace clusterbeat
