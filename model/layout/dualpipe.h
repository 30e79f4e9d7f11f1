// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/layout/schedule.h"

namespace clusterbeat {

/// DualPipe (DeepSeek-AI 2024, section 3.2.1): micro-batches enter at both ends; p even, m even and at least 2p.
/// A forward that overlaps a backward is joined with it (ScheduledOperation::joinsNext).
[[nodiscard]] PipelineSchedule dualPipe(std::int32_t stages, std::int32_t microBatches);

/// DualPipeV: DualPipe cut in half and folded into a V, without the second copy of the parameters; m at least 2p.
[[nodiscard]] PipelineSchedule dualPipeV(std::int32_t stages, std::int32_t microBatches);

} // namespace clusterbeat
