// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/interrupt.h"

#include "app/cli/options.h"

#include <cstdlib>
#include <ctime>

namespace clusterbeat {
namespace {

constexpr timespec kPoll{0, 20'000'000};
constexpr int kMostPolls = 50;      // a second

} // namespace

InterruptWatch::InterruptWatch() : m_signals(), m_previous()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_previous);
    m_thread = std::jthread([this](const std::stop_token &quit) {
        int polls = 0;
        while (!quit.stop_requested()) {
            const bool signalled = sigtimedwait(&m_signals, nullptr, &kPoll) > 0;
            const bool again = signalled && m_source.stop_requested();
            if (signalled) m_source.request_stop();
            if (m_source.stop_requested()) ++polls;
            // Whoever asks twice does not want to wait, and nobody waits for a read that never returns. Files are
            // replaced as a whole, so nothing is left half-written.
            if (again || polls > kMostPolls) _Exit(static_cast<int>(ExitCode::Cancelled));
        }
    });
}

InterruptWatch::~InterruptWatch()
{
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_previous, nullptr);
}

} // namespace clusterbeat
