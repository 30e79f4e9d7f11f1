// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/simulation/latest_job.h"
#include "model/iteration/link_report.h"
#include "views/shared/view_state.h"

#include <QObject>
#include <QTimer>

#include <memory>

namespace clusterbeat {

class LinksDialog;

/// The load of the network's links under the result on show: computed beside the GUI thread when results stop coming, for
/// the map and for the list of the busiest.
class LinkController final : public QObject {
    Q_OBJECT
public:
    using ReportPointer = std::shared_ptr<const LinkReport>;

    LinkController(std::shared_ptr<const Catalogue> catalogue, ViewState *state, QWidget *window);

    void setResult(std::shared_ptr<const IterationResult> result);
    /// At once, in this thread: for a picture.
    void computeNow();
    void show();
    [[nodiscard]] LinksDialog *dialog();
    [[nodiscard]] ReportPointer report() const { return m_report; }

Q_SIGNALS:
    void reportChanged(const std::shared_ptr<const clusterbeat::LinkReport> &report);
    void placeRequested(clusterbeat::GpuIndex gpu);

private:
    void compute();
    void take(const ReportPointer &report);

    std::shared_ptr<const Catalogue> m_catalogue;
    ViewState *m_state;
    QWidget *m_window;
    LinksDialog *m_dialog = nullptr;    ///< of the window
    std::shared_ptr<const IterationResult> m_result;
    ReportPointer m_report;             ///< of m_result, or nullptr
    QTimer m_quiet;
    LatestJob m_job;                    ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
