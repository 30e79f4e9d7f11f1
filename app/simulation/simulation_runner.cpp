// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/simulation/simulation_runner.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kProgressIntervalNs = 1'000'000'000 / 30;
constexpr int kComplete = 1000;

std::int64_t monotonicNs()
{
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

// A scenario may ask for more memory than there is: that is an error to show, not the end of the program.
SimulationOutcome runGuarded(const SimulationRunner::Function &function, const Scenario &scenario,
                             std::stop_token stop, const ProgressSink &sink)
{
    try {
        return function(scenario, std::move(stop), sink);
    } catch (const std::exception &exception) {
        SimulationOutcome outcome;
        outcome.error = Error{ErrorCode::Internal, {}, {std::string(exception.what())}};
        return outcome;
    }
}

} // namespace

bool ProgressThrottle::accept(std::int64_t nowNs, int permille)
{
    if (permille < kComplete && m_last && nowNs - *m_last < kProgressIntervalNs) return false;
    m_last = nowNs;
    return true;
}

SimulationRunner::SimulationRunner(Function function, QObject *parent)
    : QObject(parent), m_function(std::move(function)),
      m_worker([this](const std::stop_token &quit) { work(quit); })
{
    m_patience.setSingleShot(true);
    connect(&m_patience, &QTimer::timeout, this, &SimulationRunner::stopImpatiently);
}

SimulationRunner::~SimulationRunner()
{
    if (m_running) m_running->stop.request_stop();
    m_worker.request_stop();
    m_worker.join();
}

SimulationRunner::Function SimulationRunner::simulator(std::shared_ptr<const Catalogue> catalogue)
{
    auto cache = std::make_shared<StageCache>();
    return [catalogue = std::move(catalogue), cache](const Scenario &scenario, std::stop_token stop,
                                                     const ProgressSink &progress) {
        return simulate(scenario, *catalogue, *cache, std::move(stop), progress);
    };
}

quint64 SimulationRunner::submit(const Scenario &scenario, Edit edit)
{
    Job job;
    job.scenario = scenario;
    job.generation = ++m_generation;
    job.edit = edit;
    if (edit == Edit::Structural) m_oldestShown = job.generation;
    if (!m_running) {
        start(std::move(job));
        Q_EMIT busyChanged(true);
        return m_generation;
    }
    if (m_pending && m_pending->edit == Edit::Structural) job.edit = Edit::Structural;
    m_pending = std::move(job);
    if (edit == Edit::Structural)
        m_running->stop.request_stop();
    else if (!m_patience.isActive())
        m_patience.start(static_cast<int>(std::max<qint64>(0, m_patienceMs - m_since.elapsed())));
    return m_generation;
}

void SimulationRunner::stopImpatiently()
{
    if (!m_running || !m_pending || m_running->tookOver) return;
    m_overrun = true;
    m_running->stop.request_stop();
}

void SimulationRunner::cancel()
{
    m_pending.reset();
    m_patience.stop();
    m_oldestShown = m_generation + 1;
    if (m_running) m_running->stop.request_stop();
}

void SimulationRunner::start(Job job)
{
    m_patience.stop();
    m_since.start();
    job.tookOver = std::exchange(m_overrun, false);
    m_running = job;
    {
        const std::lock_guard lock(m_mutex);
        m_handed = std::move(job);
    }
    m_wake.notify_one();
}

void SimulationRunner::deliver(quint64 generation, const SimulationOutcome &outcome, double milliseconds)
{
    m_running.reset();
    if (m_pending) start(*std::exchange(m_pending, std::nullopt));
    if (outcome.cancelled || generation < m_oldestShown)
        Q_EMIT cancelled(generation);
    else if (outcome.error)
        Q_EMIT failed(*outcome.error, generation);
    else
        Q_EMIT finished(outcome.result, generation, milliseconds);
    if (!m_running) Q_EMIT busyChanged(false);
}

void SimulationRunner::work(const std::stop_token &quit)
{
    for (;;) {
        Job job;
        {
            std::unique_lock lock(m_mutex);
            if (!m_wake.wait(lock, quit, [this] { return m_handed.has_value(); })) return;
            job = *std::exchange(m_handed, std::nullopt);
        }
        const std::int64_t begin = monotonicNs();
        ProgressThrottle throttle;
        const ProgressSink sink = [this, &throttle, generation = job.generation](SimulationStage, int permille) {
            if (!throttle.accept(monotonicNs(), permille)) return;
            QMetaObject::invokeMethod(this, [this, generation, permille] {
                if (m_running && m_running->generation == generation) Q_EMIT progressed(permille);
            }, Qt::QueuedConnection);
        };
        SimulationOutcome outcome = runGuarded(m_function, job.scenario, job.stop.get_token(), sink);
        const double milliseconds = static_cast<double>(monotonicNs() - begin) / 1e6;
        QMetaObject::invokeMethod(this, [this, generation = job.generation, outcome = std::move(outcome), milliseconds] {
            deliver(generation, outcome, milliseconds);
        }, Qt::QueuedConnection);
    }
}

} // namespace clusterbeat
