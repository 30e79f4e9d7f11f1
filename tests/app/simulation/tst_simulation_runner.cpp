// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/simulation/simulation_runner.h"

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>

#include <condition_variable>
#include <map>
#include <mutex>

using namespace clusterbeat;

namespace {

/// A simulation that stops at a latch: the test sees which scenarios (by name) run, and lets each of them end. The only
/// waiting is for events; no time is asserted.
class Gate {
public:
    SimulationOutcome run(const Scenario &scenario, const std::stop_token &stop, const ProgressSink &progress)
    {
        std::unique_lock lock(m_mutex);
        m_started.push_back(scenario.name);
        m_running = scenario.name;
        m_changed.notify_all();
        if (progress) progress(SimulationStage::Execute, 500);
        m_changed.wait(lock, stop, [&] { return m_open[scenario.name]; });
        m_running.clear();
        m_changed.notify_all();
        SimulationOutcome outcome;
        if (stop.stop_requested() && !m_open[scenario.name]) {
            outcome.cancelled = true;
            return outcome;
        }
        if (scenario.name == "wrong") {
            outcome.error = Error{ErrorCode::UnknownTarget, {}, {std::string("gpu.9")}};
            return outcome;
        }
        auto result = std::make_shared<IterationResult>();
        result->metrics.operations = static_cast<std::int64_t>(scenario.name.size());
        outcome.result = std::move(result);
        return outcome;
    }
    SimulationRunner::Function function()
    {
        return [this](const Scenario &scenario, std::stop_token stop, const ProgressSink &progress) {
            return run(scenario, stop, progress);
        };
    }
    void open(const std::string &name)
    {
        const std::lock_guard lock(m_mutex);
        m_open[name] = true;
        m_changed.notify_all();
    }
    void waitUntilRunning(const std::string &name)
    {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [&] { return m_running == name; });
    }
    std::vector<std::string> started()
    {
        const std::lock_guard lock(m_mutex);
        return m_started;
    }

private:
    std::mutex m_mutex;
    std::condition_variable_any m_changed;
    std::map<std::string, bool> m_open;
    std::string m_running;
    std::vector<std::string> m_started;
};

Scenario named(const char *name)
{
    Scenario scenario;
    scenario.name = name;
    return scenario;
}

constexpr int kNever = 1'000'000'000;
using Names = std::vector<std::string>;

} // namespace

class TestSimulationRunner : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { qRegisterMetaType<std::shared_ptr<const IterationResult>>(); }

    // One runs, one waits, the ones between are dropped, all by what was started and what was shown.
    void oneRunningOnePendingMiddleDropped()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        runner.setPatience(kNever);
        QSignalSpy finished(&runner, &SimulationRunner::finished);
        QSignalSpy cancelled(&runner, &SimulationRunner::cancelled);
        const quint64 first = runner.submit(named("a"), SimulationRunner::Edit::Value);
        gate.waitUntilRunning("a");
        runner.submit(named("b"), SimulationRunner::Edit::Value);
        runner.submit(named("c"), SimulationRunner::Edit::Value);
        const quint64 last = runner.submit(named("d"), SimulationRunner::Edit::Value);
        gate.open("a");
        QTRY_COMPARE(finished.count(), 1);        // delivering it is what starts the next
        gate.waitUntilRunning("d");
        gate.open("d");
        QTRY_COMPARE(finished.count(), 2);
        QCOMPARE(gate.started(), (Names{"a", "d"}));
        QCOMPARE(finished.at(0).at(1).toULongLong(), first);
        QCOMPARE(finished.at(1).at(1).toULongLong(), last);
        QCOMPARE(cancelled.count(), 0);
        QVERIFY(!runner.busy());
    }

    void structuralEditCancelsAndItsPredecessorIsNeverShown()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        runner.setPatience(kNever);
        QSignalSpy finished(&runner, &SimulationRunner::finished);
        QSignalSpy cancelled(&runner, &SimulationRunner::cancelled);
        gate.open("new");
        runner.submit(named("old"), SimulationRunner::Edit::Value);
        gate.waitUntilRunning("old");
        const quint64 last = runner.submit(named("new"), SimulationRunner::Edit::Structural);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(cancelled.count(), 1);
        QCOMPARE(finished.at(0).at(1).toULongLong(), last);
    }

    // A job that had finished before the structural edit came, but whose result is still on its way, is not shown.
    void lateResultOfAnOlderStructureIsDropped()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        QSignalSpy finished(&runner, &SimulationRunner::finished);
        gate.open("old");
        gate.open("new");
        runner.submit(named("old"), SimulationRunner::Edit::Value);
        while (gate.started().empty()) QThread::yieldCurrentThread();
        const quint64 last = runner.submit(named("new"), SimulationRunner::Edit::Structural);
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(1).toULongLong(), last);
    }

    void cancelKeepsWhatIsShownAndDropsThePendingOne()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        runner.setPatience(kNever);
        QSignalSpy finished(&runner, &SimulationRunner::finished);
        QSignalSpy busy(&runner, &SimulationRunner::busyChanged);
        runner.submit(named("a"), SimulationRunner::Edit::Value);
        gate.waitUntilRunning("a");
        runner.submit(named("b"), SimulationRunner::Edit::Value);
        runner.cancel();
        QTRY_COMPARE(busy.count(), 2);
        QCOMPARE(busy.at(1).at(0).toBool(), false);
        QCOMPARE(finished.count(), 0);
        QCOMPARE(gate.started(), Names{"a"});
    }

    // Patience 0: the job that waits makes the running one stop; what took over is not stopped in turn, so a slider
    // that is dragged over a slow scenario shows every second job at least.
    void impatienceNeverStopsTwoInARow()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        runner.setPatience(0);
        QSignalSpy finished(&runner, &SimulationRunner::finished);
        QSignalSpy cancelled(&runner, &SimulationRunner::cancelled);
        runner.submit(named("a"), SimulationRunner::Edit::Value);
        gate.waitUntilRunning("a");
        const quint64 second = runner.submit(named("b"), SimulationRunner::Edit::Value);
        QTRY_COMPARE(cancelled.count(), 1);
        gate.waitUntilRunning("b");
        runner.submit(named("c"), SimulationRunner::Edit::Value);
        QTest::qWait(1);
        gate.open("b");
        QTRY_COMPARE(finished.count(), 1);
        QCOMPARE(finished.at(0).at(1).toULongLong(), second);
        gate.open("c");
        QTRY_COMPARE(finished.count(), 2);
        QCOMPARE(cancelled.count(), 1);
    }

    void errorsAndExceptionsAreReported()
    {
        Gate gate;
        SimulationRunner runner(gate.function());
        std::optional<Error> seen;
        connect(&runner, &SimulationRunner::failed, this, [&](const Error &error, quint64) { seen = error; });
        gate.open("wrong");
        runner.submit(named("wrong"), SimulationRunner::Edit::Value);
        QTRY_VERIFY(seen.has_value());
        QCOMPARE(seen->code, ErrorCode::UnknownTarget);

        SimulationRunner throwing([](const Scenario &, std::stop_token, const ProgressSink &) -> SimulationOutcome {
            throw std::bad_alloc();
        });
        seen.reset();
        connect(&throwing, &SimulationRunner::failed, this, [&](const Error &error, quint64) { seen = error; });
        throwing.submit(named("x"), SimulationRunner::Edit::Value);
        QTRY_VERIFY(seen.has_value());
        QCOMPARE(seen->code, ErrorCode::Internal);
    }

    void destructorStopsAndJoins()
    {
        Gate gate;
        {
            SimulationRunner runner(gate.function());
            runner.submit(named("a"), SimulationRunner::Edit::Value);
            gate.waitUntilRunning("a");
            runner.submit(named("b"), SimulationRunner::Edit::Value);
        }
        QCOMPARE(gate.started(), Names{"a"});
    }

    // 30 a second = one per 33.3 ms: of updates every 10 ms those at 0, 40, 80, 120 pass, and the last one at once.
    void progressIsThrottledButEnds()
    {
        ProgressThrottle throttle;
        QList<int> passed;
        for (int i = 0; i <= 12; ++i)
            if (throttle.accept(i * 10'000'000LL, i)) passed.append(i * 10);
        QCOMPARE(passed, (QList<int>{0, 40, 80, 120}));
        QVERIFY(!throttle.accept(121'000'000LL, 999));
        QVERIFY(throttle.accept(121'000'000LL, 1000));
    }
};

QTEST_GUILESS_MAIN(TestSimulationRunner)
#include "tst_simulation_runner.moc"
