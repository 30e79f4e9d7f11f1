// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/simulation/latest_job.h"

#include <exception>
#include <utility>

namespace clusterbeat {

LatestJob::~LatestJob() { m_stop.request_stop(); }

void LatestJob::start(Work work)
{
    ++m_generation;
    m_wanted = true;
    if (!m_running) {
        launch(std::move(work));
        return;
    }
    m_next = std::move(work);
    m_stop.request_stop();
}

void LatestJob::cancel()
{
    if (!m_wanted) return;
    ++m_generation;
    m_next = nullptr;
    m_stop.request_stop();
    m_wanted = false;
    Q_EMIT ended();
}

void LatestJob::launch(Work work)
{
    m_running = true;
    m_stop = std::stop_source();
    m_worker = std::jthread([this, work = std::move(work), stop = m_stop.get_token(), generation = m_generation] {
        const Report report = [this, generation](std::function<void()> tell) {
            QMetaObject::invokeMethod(this, [this, generation, tell = std::move(tell)] {
                if (generation == m_generation) tell();
            }, Qt::QueuedConnection);
        };
        try {
            work(stop, report);
        } catch (const std::exception &) {
            // Without its last report: the one who asked sees the work end.
        }
        QMetaObject::invokeMethod(this, [this, generation] { done(generation); }, Qt::QueuedConnection);
    });
}

void LatestJob::done(quint64 generation)
{
    m_running = false;
    if (m_next) {
        launch(std::exchange(m_next, nullptr));
        return;
    }
    if (generation != m_generation) return;
    m_wanted = false;
    Q_EMIT ended();
}

} // namespace clusterbeat
