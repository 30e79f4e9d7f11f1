// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/layout/custom_schedule.h"
#include "model/scenario/scenario.h"

#include <string>
#include <string_view>

namespace clusterbeat
{

/// PyTorch's pipeline schedule CSV (_dump_csv and _load_csv of torch.distributed.pipelining, compute only or with
/// communication): one line a rank, one cell an action. Empty cells (idle slots) and communication are left out, for both
/// follow from the order of the operations. Quotes, CR LF and a byte order mark are understood; empty lines at the end
/// are none. Errors: FileEmpty, FileTooLarge, UnknownFormat (no text), BadSchedule "syntax" with line and column.
[[nodiscard]] Result<ScheduleCells> readScheduleCsv(std::string_view text, const std::string &fileName);
/// Whether the text's first cell that is not empty is one of such a file.
[[nodiscard]] bool looksLikeScheduleCsv(std::string_view text);

/// One line a rank, ending in a line feed.
[[nodiscard]] std::string writeScheduleCsv(const PipelineSchedule &schedule);

/// The scenario with `cells` as its schedule: sets schedule, schedule_orders and pipeline, and drops what belonged to
/// the old schedule (virtual_pipeline, activation_limit, micro_batch_group; layers_per_stage when the number of its
/// entries does not fit). Whether batch and order agree is resolve()'s business.
[[nodiscard]] Scenario withSchedule(const Scenario &scenario, ScheduleCells cells);

} // namespace clusterbeat
