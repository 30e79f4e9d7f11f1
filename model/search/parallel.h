// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>

namespace clusterbeat
{

/// parallelFor() for work that keeps something per worker (below `threads`, one thread at a time), that hands out
/// indices in blocks, begins none after a stop request, and throws a worker's first exception here.
void forEachIndex(std::size_t count, unsigned threads, std::size_t block, const std::stop_token &stop,
                  const std::function<void(unsigned worker, std::size_t index)> &work);

} // namespace clusterbeat
