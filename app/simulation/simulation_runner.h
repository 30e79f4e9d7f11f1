// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/simulate.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace clusterbeat {

/// Lets through at most 30 updates a second of a monotonic clock (nanoseconds), and always the last one (1000 permille).
class ProgressThrottle final {
public:
    [[nodiscard]] bool accept(std::int64_t nowNs, int permille);

private:
    std::optional<std::int64_t> m_last;
};

/// Runs simulations beside the GUI thread: one thread, one job running and one pending (the newest; what it replaces is
/// dropped). A running job is cancelled by a structural edit, by cancel(), or when a newer one has waited for it and it
/// has run for `patience`; otherwise it finishes and is shown, so a dragged slider shows intermediate results. A job
/// that took the place of one cancelled for its length is not cancelled for its own: drags of slow scenarios still show
/// something. Results come by queued invocation in the thread of this object. The destructor cancels and joins.
class SimulationRunner final : public QObject {
    Q_OBJECT
public:
    using Function = std::function<SimulationOutcome(const Scenario &, std::stop_token, const ProgressSink &)>;
    enum class Edit : quint8 { Value, Structural };

    explicit SimulationRunner(Function function, QObject *parent = nullptr);
    ~SimulationRunner() override;

    /// What runs in the window: simulate() with a stage cache of its own.
    [[nodiscard]] static Function simulator(std::shared_ptr<const Catalogue> catalogue);

    /// Takes a snapshot; returns its generation, counted from 1.
    quint64 submit(const Scenario &scenario, Edit edit);
    /// Stops the running job and drops the pending one; the result on show stays.
    void cancel();
    [[nodiscard]] bool busy() const { return m_running.has_value(); }
    void setPatience(int milliseconds) { m_patienceMs = milliseconds; }

Q_SIGNALS:
    void busyChanged(bool busy);
    /// 0 … 1000 of the running job.
    void progressed(int permille);
    /// `milliseconds` = wall time of the job, for the status bar.
    void finished(std::shared_ptr<const clusterbeat::IterationResult> result, quint64 generation, double milliseconds);
    void failed(const clusterbeat::Error &error, quint64 generation);
    void cancelled(quint64 generation);

private:
    struct Job {
        Scenario scenario;
        quint64 generation = 0;
        Edit edit = Edit::Value;
        bool tookOver = false;          ///< replaces one that was cancelled for its length
        std::stop_source stop;
    };
    void start(Job job);
    void stopImpatiently();
    void deliver(quint64 generation, const SimulationOutcome &outcome, double milliseconds);
    void work(const std::stop_token &quit);

    Function m_function;
    // GUI thread only
    std::optional<Job> m_running, m_pending;
    quint64 m_generation = 0;
    quint64 m_oldestShown = 0;          ///< results of generations before it belong to another structure
    bool m_overrun = false;             ///< the running job was cancelled for its length
    int m_patienceMs = 100;
    QElapsedTimer m_since;
    QTimer m_patience;
    // handed to the worker
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    std::optional<Job> m_handed;
    std::jthread m_worker;              ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
