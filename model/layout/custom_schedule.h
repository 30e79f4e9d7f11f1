// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/layout/schedule.h"

#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat
{

/// One row of cells a rank, in PyTorch's notation of pipeline actions (torch.distributed.pipelining): "2F0" is the
/// forward of the model's part 2 for micro-batch 0; B is a full backward, I its input and W its weight gradient; B beside
/// a W is the input gradient, too (older files). "(0F1;3B0)OVERLAP_F_B" is a forward that overlaps a
/// backward. A part is run by the one rank whose row names it, its chunks are numbered in the order of the model: loop,
/// V or any other mapping with the same number of parts on every rank. Or, as DualPipe, part g is run by the ranks g
/// and p-1-g, which take the first and the second half of the micro-batches.
using ScheduleCells = std::vector<std::vector<std::string>>;

/// What a cell says: nothing (the rank idles), communication (UNSHARD, SEND_F, …, which follows from the order here),
/// operations, or something else.
enum class ScheduleCell : std::uint8_t { Empty, Communication, Operations, Unknown };
[[nodiscard]] ScheduleCell kindOfCell(std::string_view cell);

/// The order that the cells describe. Every cell must hold operations. Errors: BadSchedule at `pointer`/rank/cell with
/// the problem, the operation, and
///   "syntax"       -
///   "range"        - (a number of more than nine digits)
///   "duplicate"    rank, cell where it was first
///   "missing"      -                      (the place is the rank's row, or the whole list when no rank runs the part)
///   "before_input" the operation of the same rank that has to go first
///   "two_ranks"    the other rank
///   "uneven"       parts of this rank, parts of rank 0
///   "deadlock"     operation that it waits for, its rank, the operation at which that rank is
/// O(n log n) in the number of operations.
[[nodiscard]] Result<PipelineSchedule> customSchedule(const ScheduleCells &cells, const std::string &pointer);

/// The cells of any schedule; reading them again gives the same order.
[[nodiscard]] ScheduleCells cellsOf(const PipelineSchedule &schedule);

} // namespace clusterbeat
