// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <functional>

namespace clusterbeat {

/// Calls work(i) for i = 0 … count-1 on up to `threads` threads (0 = as many as the processor has, at most 16), each
/// index once. The caller's results must not depend on the order: every index writes its own, sums are made afterwards
/// in index order. Small counts run in the calling thread.
void parallelFor(std::size_t count, std::size_t threads, const std::function<void(std::size_t)> &work);

} // namespace clusterbeat
