// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/parallel.h"

#include "model/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

namespace clusterbeat
{

void forEachIndex(std::size_t count, unsigned threads, std::size_t block, const std::stop_token &stop,
                  const std::function<void(unsigned worker, std::size_t index)> &work)
{
    std::atomic<std::size_t> next{0};
    std::atomic<bool> failed{false};
    std::mutex guard;
    std::exception_ptr failure;
    const auto run = [&](unsigned worker) {
        try {
            for (std::size_t begin = next.fetch_add(block); begin < count && !failed; begin = next.fetch_add(block))
                for (std::size_t index = begin; index < std::min(count, begin + block); ++index) {
                    if (stop.stop_requested()) return;
                    work(worker, index);
                }
        } catch (...) {
            const std::lock_guard lock(guard);
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    const std::size_t workers = std::min<std::size_t>(std::max(1U, threads), (count + block - 1) / block);
    parallelFor(workers, workers, [&](std::size_t worker) { run(static_cast<unsigned>(worker)); });
    if (failure) std::rethrow_exception(failure);
}

} // namespace clusterbeat
