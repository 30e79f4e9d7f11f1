// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/interrupt.h"

#include <ctime>

namespace clusterbeat {
namespace {

constexpr timespec kPoll{0, 20'000'000};

} // namespace

InterruptWatch::InterruptWatch() : m_signals(), m_previous()
{
    sigemptyset(&m_signals);
    sigaddset(&m_signals, SIGINT);
    sigaddset(&m_signals, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &m_signals, &m_previous);
    m_thread = std::jthread([this](const std::stop_token &quit) {
        while (!quit.stop_requested() && !m_source.stop_requested())
            if (sigtimedwait(&m_signals, nullptr, &kPoll) > 0) m_source.request_stop();
        // Whoever asks twice does not want to wait: from here on this thread takes the signal's default action.
        pthread_sigmask(SIG_UNBLOCK, &m_signals, nullptr);
        while (!quit.stop_requested()) nanosleep(&kPoll, nullptr);
    });
}

InterruptWatch::~InterruptWatch()
{
    m_thread.request_stop();
    m_thread.join();
    pthread_sigmask(SIG_SETMASK, &m_previous, nullptr);
}

} // namespace clusterbeat
