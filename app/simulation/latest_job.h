// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QObject>

#include <functional>
#include <stop_token>
#include <thread>

namespace clusterbeat {

/// One piece of work beside the GUI thread. A newer one takes the place of the one at work, which is asked to stop and
/// is not heard of again; of several that wait only the newest is kept. The destructor cancels and joins.
class LatestJob final : public QObject {
    Q_OBJECT
public:
    /// Runs what it is given in the thread of this object, unless the work has been replaced or cancelled by then.
    using Report = std::function<void(std::function<void()>)>;
    using Work = std::function<void(const std::stop_token &, const Report &)>;

    explicit LatestJob(QObject *parent = nullptr) : QObject(parent) {}
    ~LatestJob() override;

    void start(Work work);
    void cancel();
    /// Something is at work or waits, and will be heard of.
    [[nodiscard]] bool busy() const { return m_wanted; }

Q_SIGNALS:
    /// The newest work is done, or was cancelled; after its last report.
    void ended();

private:
    void launch(Work work);
    void done(quint64 generation);

    Work m_next;
    bool m_running = false;         ///< the worker has not come back yet
    bool m_wanted = false;
    quint64 m_generation = 0;       ///< of the newest work
    std::stop_source m_stop;
    std::jthread m_worker;          ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
