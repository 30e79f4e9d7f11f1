// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace clusterbeat {

void parallelFor(std::size_t count, std::size_t threads, const std::function<void(std::size_t)> &work)
{
    constexpr std::size_t kMostThreads = 16;
    if (threads == 0) threads = std::min<std::size_t>(kMostThreads, std::max(1U, std::thread::hardware_concurrency()));
    threads = std::min(threads, count);
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::jthread> others;
    for (std::size_t i = 1; i < threads; ++i)
        others.emplace_back(take);
    take();
}

} // namespace clusterbeat
