// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/link_controller.h"

#include "views/charts/links_dialog.h"

#include <utility>

namespace clusterbeat {
namespace {
constexpr int kQuietMs = 250;
}

LinkController::LinkController(std::shared_ptr<const Catalogue> catalogue, ViewState *state, QWidget *window)
    : QObject(window), m_catalogue(std::move(catalogue)), m_state(state), m_window(window)
{
    m_quiet.setSingleShot(true);
    m_quiet.setInterval(kQuietMs);
    connect(&m_quiet, &QTimer::timeout, this, &LinkController::compute);
}

// The old loads stay on the map until the new ones come, a moment later: while a slider is dragged figures must not blink.
void LinkController::setResult(std::shared_ptr<const IterationResult> result)
{
    const bool sameCluster = m_result && result && m_result->expansion == result->expansion;
    m_job.cancel();
    m_result = std::move(result);
    if (!sameCluster) take(nullptr);
    m_quiet.start();
}

void LinkController::compute()
{
    if (!m_result) return;
    m_job.start([this, result = m_result, catalogue = m_catalogue](const std::stop_token &stop, const LatestJob::Report &report) {
        if (stop.stop_requested()) return;
        auto links = std::make_shared<const LinkReport>(linkReport(*result, catalogue->constants));
        report([this, links] { take(links); });
    });
}

void LinkController::computeNow()
{
    m_quiet.stop();
    m_job.cancel();
    take(m_result ? std::make_shared<const LinkReport>(linkReport(*m_result, m_catalogue->constants)) : nullptr);
}

void LinkController::take(const ReportPointer &report)
{
    m_report = report;
    if (m_dialog) m_dialog->setReport(report, m_result ? m_result->iteration() : 0);
    Q_EMIT reportChanged(report);
}

LinksDialog *LinkController::dialog()
{
    if (m_dialog) return m_dialog;
    m_dialog = new LinksDialog(m_state, m_window);
    m_dialog->setReport(m_report, m_result ? m_result->iteration() : 0);
    connect(m_dialog, &LinksDialog::placeRequested, this, &LinkController::placeRequested);
    return m_dialog;
}

void LinkController::show()
{
    dialog()->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

} // namespace clusterbeat
