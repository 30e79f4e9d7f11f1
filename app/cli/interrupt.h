// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <csignal>
#include <stop_token>
#include <thread>

namespace clusterbeat {

/// Turns SIGINT and SIGTERM into a stop request while it lives; the second one ends the process as usual. Made before
/// any other thread, so that all inherit the blocked signals and only its own thread takes them.
class InterruptWatch final {
public:
    InterruptWatch();
    ~InterruptWatch();
    InterruptWatch(const InterruptWatch &) = delete;
    InterruptWatch &operator=(const InterruptWatch &) = delete;
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    sigset_t m_signals, m_previous;
    std::stop_source m_source;
    std::jthread m_thread;
};

} // namespace clusterbeat
