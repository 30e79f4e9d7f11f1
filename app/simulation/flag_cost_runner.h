// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/flag_costs.h"

#include <QObject>

#include <memory>
#include <optional>
#include <stop_token>
#include <thread>

namespace clusterbeat {

/// Computes flagCosts() beside the GUI thread. A new scenario cancels the one at work; results come by queued invocation
/// in the thread of this object. The destructor cancels and joins.
class FlagCostRunner final : public QObject {
    Q_OBJECT
public:
    explicit FlagCostRunner(std::shared_ptr<const Catalogue> catalogue, QObject *parent = nullptr);
    ~FlagCostRunner() override;

    void start(const Scenario &scenario);
    void cancel();
    [[nodiscard]] bool busy() const { return m_busy; }

Q_SIGNALS:
    void progressed(int permille);
    void finished(const std::shared_ptr<const clusterbeat::FlagCosts> &costs);
    /// Cancelled, or the scenario cannot be simulated.
    void ended();

private:
    void launch(const Scenario &scenario);
    void deliver(FlagCosts costs);

    std::shared_ptr<const Catalogue> m_catalogue;
    std::optional<Scenario> m_next;
    bool m_busy = false;
    std::stop_source m_stop;
    std::jthread m_worker; ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
