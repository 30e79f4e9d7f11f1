// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/simulation/flag_cost_runner.h"

#include <exception>
#include <utility>

namespace clusterbeat {

FlagCostRunner::FlagCostRunner(std::shared_ptr<const Catalogue> catalogue, QObject *parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
}

FlagCostRunner::~FlagCostRunner() { m_stop.request_stop(); }

void FlagCostRunner::start(const Scenario &scenario)
{
    if (m_busy) {
        m_next = scenario;
        m_stop.request_stop();
        return;
    }
    launch(scenario);
}

void FlagCostRunner::cancel()
{
    m_next.reset();
    m_stop.request_stop();
}

void FlagCostRunner::launch(const Scenario &scenario)
{
    m_busy = true;
    m_stop = std::stop_source();
    m_worker = std::jthread([this, scenario, stop = m_stop.get_token()] {
        FlagCosts costs;
        try {
            costs = flagCosts(scenario, *m_catalogue, stop, [this](int permille) {
                QMetaObject::invokeMethod(this, [this, permille] {
                    if (m_busy) Q_EMIT progressed(permille);
                }, Qt::QueuedConnection);
            });
        } catch (const std::exception &exception) {
            costs.error = Error{ErrorCode::Internal, {}, {std::string(exception.what())}};
        }
        QMetaObject::invokeMethod(this, [this, costs = std::move(costs)]() mutable { deliver(std::move(costs)); },
                                  Qt::QueuedConnection);
    });
}

void FlagCostRunner::deliver(FlagCosts costs)
{
    m_busy = false;
    if (m_next) {
        launch(*std::exchange(m_next, std::nullopt));
        return;
    }
    if (costs.cancelled || costs.error)
        Q_EMIT ended();
    else
        Q_EMIT finished(std::make_shared<const FlagCosts>(std::move(costs)));
}

} // namespace clusterbeat
