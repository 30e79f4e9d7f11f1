// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/layout/schedule.h"

#include <cstdint>
#include <vector>

namespace clusterbeat {

struct OperationRef {
    std::int32_t stage = kNone, operation = kNone;
    [[nodiscard]] bool exists() const { return operation != kNone; }
    friend bool operator==(const OperationRef &, const OperationRef &) = default;
};

/// Data flow of a schedule. The forward of (chunk c, stage s) takes the activations of (c, s-1), or of (c-1, p-1)
/// when s = 0; the backward takes the gradients of (c, s+1), or of (c+1, 0) when s = p-1; the very last backward
/// takes its own forward. Built in O(operations).
struct Dependencies {
    std::vector<std::vector<OperationRef>> upstream;        ///< [stage][operation]
    std::vector<std::vector<OperationRef>> downstream;      ///< [stage][operation], the inverse
    std::vector<OperationRef> order;                        ///< an order in which all can be executed; shorter than all on a deadlock
    std::size_t operations = 0;
    std::vector<std::vector<std::int32_t>> firstForward;    ///< [stage][chunk], index into order[stage]
    std::vector<std::vector<std::int32_t>> lastBackward;    ///< [stage][chunk]

    [[nodiscard]] bool executable() const { return order.size() == operations; }
};
[[nodiscard]] Dependencies dependenciesOf(const PipelineSchedule &schedule);

/// Whether the operation's output leaves the stage (false for the loss and for the embedding's gradient, and with one stage).
[[nodiscard]] bool sendsOutput(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation);

} // namespace clusterbeat
