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

/// Data flow of a schedule: a forward takes the activations of the model's previous layers (previousInModel), a backward
/// or input gradient the gradients of the next ones, the last layers' their own forward, a weight gradient its own
/// input gradient. Built in O(operations).
struct Dependencies {
    std::vector<std::vector<OperationRef>> upstream;        ///< [stage][operation]
    std::vector<std::vector<OperationRef>> partnerUpstream; ///< [stage][operation], first of a joined pair: the second one's input
    std::vector<std::vector<std::int32_t>> completesWith;   ///< [stage][operation], the operation at whose end the output is there (itself, or the second of a pair)
    std::vector<std::vector<std::int32_t>> link;            ///< [stage][operation], linkOf()
    std::vector<std::vector<OperationRef>> downstream;      ///< [stage][operation], the inverse
    std::vector<OperationRef> order;                        ///< an order in which all can be executed; shorter than all on a deadlock
    std::size_t operations = 0;
    std::vector<std::vector<std::int32_t>> firstForward;    ///< [stage][chunk], index into order[stage]
    std::vector<std::vector<std::int32_t>> lastBackward;    ///< [stage][chunk], the operation that completes the chunk's gradients

    [[nodiscard]] bool executable() const { return order.size() == operations; }
};
[[nodiscard]] Dependencies dependenciesOf(const PipelineSchedule &schedule);

/// The stage that the operation's output is sent to, or kNone.
[[nodiscard]] std::int32_t destinationOf(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation);
/// The link between neighbouring stages that the output travels, named by its lower stage (p-1 for the one back to 0), or
/// between others, p + its number in StageMap::links; kNone when it stays. Both directions use the same link.
[[nodiscard]] std::int32_t linkOf(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation);
/// Whether the operation's output leaves the stage.
[[nodiscard]] bool sendsOutput(const PipelineSchedule &schedule, std::int32_t stage, const ScheduledOperation &operation);

} // namespace clusterbeat
