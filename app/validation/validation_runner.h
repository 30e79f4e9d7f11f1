// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/validation/validated_rows.h"

#include <QObject>

#include <memory>
#include <stop_token>
#include <thread>
#include <vector>

namespace clusterbeat {

/// Simulates the published runs beside the GUI thread, one after the other, and delivers them in batches, at most 30 a
/// second, by queued invocation in the thread of this object. The destructor cancels and joins.
class ValidationRunner final : public QObject {
    Q_OBJECT
public:
    explicit ValidationRunner(std::shared_ptr<const Catalogue> catalogue, QObject *parent = nullptr);
    ~ValidationRunner() override;

    /// Begins anew; does nothing while running.
    void start();
    void cancel() { m_stop.request_stop(); }
    [[nodiscard]] bool busy() const { return m_busy; }
    /// The scenario of a row, once the rows are read; nullptr when there is none.
    [[nodiscard]] const MeasuredRow *measuredRow(const QString &id) const;

Q_SIGNALS:
    void started();
    void rowsValidated(const std::vector<clusterbeat::ValidatedRow> &rows, int done, int total);
    void finished(bool cancelled);
    void failed(const clusterbeat::Error &error);

private:
    void work(const std::stop_token &stop);
    void deliver(std::vector<ValidatedRow> rows, int done, int total);
    void end(bool cancelled);

    std::shared_ptr<const Catalogue> m_catalogue;
    std::shared_ptr<const std::vector<MeasuredRow>> m_measured;     ///< GUI thread only
    bool m_busy = false;
    std::stop_source m_stop;
    std::jthread m_worker;              ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
