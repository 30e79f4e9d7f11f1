// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/validation/validation_runner.h"

#include <QElapsedTimer>

#include <algorithm>
#include <exception>
#include <utility>

namespace clusterbeat {
namespace {

constexpr qint64 kBatchNs = 1'000'000'000 / 30;

} // namespace

ValidationRunner::ValidationRunner(std::shared_ptr<const Catalogue> catalogue, QObject *parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
}

ValidationRunner::~ValidationRunner()
{
    m_stop.request_stop();
    if (m_worker.joinable()) m_worker.join();
}

void ValidationRunner::start()
{
    if (std::exchange(m_busy, true)) return;
    if (m_worker.joinable()) m_worker.join();
    m_stop = {};
    Q_EMIT started();
    m_worker = std::jthread([this, stop = m_stop.get_token()] {
        try {
            work(stop);
        } catch (const std::exception &exception) {
            const Error error{ErrorCode::Internal, {}, {std::string(exception.what())}};
            QMetaObject::invokeMethod(this, [this, error] { Q_EMIT failed(error); end(true); }, Qt::QueuedConnection);
        }
    });
}

void ValidationRunner::work(const std::stop_token &stop)
{
    auto read = readMeasuredRows(m_catalogue->measuredRowsJson, *m_catalogue);
    if (!read.ok()) {
        QMetaObject::invokeMethod(this, [this, error = read.error()] { Q_EMIT failed(error); end(true); }, Qt::QueuedConnection);
        return;
    }
    const auto measured = std::make_shared<const std::vector<MeasuredRow>>(std::move(read).value());
    QMetaObject::invokeMethod(this, [this, measured] { m_measured = measured; }, Qt::QueuedConnection);
    const std::vector<RowContext> contexts = contextOfRows(*measured, *measured);
    const int total = static_cast<int>(measured->size());
    StageCache cache;
    std::vector<ValidatedRow> batch;
    QElapsedTimer since;
    since.start();
    int done = 0;
    const auto send = [&] {
        QMetaObject::invokeMethod(this, [this, rows = std::exchange(batch, {}), done, total]() mutable {
            deliver(std::move(rows), done, total);
        }, Qt::QueuedConnection);
        since.restart();
    };
    for (std::size_t i = 0; i < measured->size() && !stop.stop_requested(); ++i) {
        auto row = validateRow((*measured)[i], contexts[i], *m_catalogue, cache, stop);
        if (!row) break;
        batch.push_back(std::move(*row));
        ++done;
        if (since.nsecsElapsed() >= kBatchNs) send();
    }
    if (!batch.empty()) send();
    QMetaObject::invokeMethod(this, [this, cancelled = done < total] { end(cancelled); }, Qt::QueuedConnection);
}

void ValidationRunner::deliver(std::vector<ValidatedRow> rows, int done, int total) { Q_EMIT rowsValidated(rows, done, total); }

void ValidationRunner::end(bool cancelled)
{
    m_busy = false;
    Q_EMIT finished(cancelled);
}

const MeasuredRow *ValidationRunner::measuredRow(const QString &id) const
{
    if (!m_measured) return nullptr;
    const std::string wanted = id.toStdString();
    const auto found = std::find_if(m_measured->begin(), m_measured->end(), [&](const MeasuredRow &row) { return row.id == wanted; });
    return found == m_measured->end() ? nullptr : &*found;
}

} // namespace clusterbeat
