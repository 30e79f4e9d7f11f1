// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/search_controller.h"

#include "app/simulation/simulation_runner.h"
#include "model/search/search_layouts.h"
#include "views/charts/search_dialog.h"
#include "views/charts/search_model.h"
#include "views/text/error_text.h"

#include <QElapsedTimer>
#include <QThread>

#include <algorithm>
#include <mutex>

namespace clusterbeat {

SearchController::SearchController(Document *document, ViewState *state, QWidget *window)
    : QObject(window), m_document(document), m_state(state), m_window(window)
{
    // Layouts of another model or cluster are no answer any more; those of another layout are.
    connect(document, &Document::changed, this, [this](bool, bool replaced) {
        if (!replaced || !m_dialog) return;
        m_job.cancel();
        m_found = false;
        m_dialog->setResult(nullptr);
    });
}

SearchDialog *SearchController::dialog()
{
    if (m_dialog) return m_dialog;
    m_dialog = new SearchDialog(m_state, m_window);
    connect(m_dialog, &SearchDialog::searchRequested, this, &SearchController::search);
    connect(m_dialog, &SearchDialog::cancelRequested, &m_job, &LatestJob::cancel);
    connect(m_dialog, &SearchDialog::adoptRequested, this, &SearchController::adopt);
    connect(&m_job, &LatestJob::ended, m_dialog, [dialog = m_dialog] { dialog->setProgress(-1); });
    return m_dialog;
}

void SearchController::show()
{
    dialog()->show();
    m_dialog->raise();
    m_dialog->activateWindow();
    if (!m_found && !m_job.busy()) search();
}

void SearchController::search()
{
    const Scenario scenario = m_document->scenario();
    const auto resolved = resolve(scenario, m_document->catalogue());
    if (!resolved.ok()) return;
    SearchOptions options;
    options.top = 20;
    options.threads = static_cast<unsigned>(std::max(1, QThread::idealThreadCount() - 1));   // one is the window's
    options.space = m_dialog->space(scenario.training->microBatch, resolved.value().degrees.schedule);
    m_dialog->setProgress(0);
    m_job.start([this, scenario, options, catalogue = m_document->sharedCatalogue()](const std::stop_token &stop, const LatestJob::Report &report) {
        // The search reports every layout from all of its threads; the window hears 30 of them a second.
        std::mutex mutex;
        ProgressThrottle throttle;
        QElapsedTimer since;
        since.start();
        const auto outcome = searchLayouts(scenario, *catalogue, options, stop, [&](SimulationStage, int permille) {
            const std::lock_guard lock(mutex);
            const int shown = std::min(permille, 999);
            if (throttle.accept(since.nsecsElapsed(), shown)) report([this, shown] { m_dialog->setProgress(shown); });
        });
        if (outcome.error) report([this, error = *outcome.error] { m_dialog->say(editErrorText(error)); });
        if (!outcome.result) return;
        auto result = std::make_shared<const SearchResult>(*outcome.result);
        report([this, result] {
            m_found = true;
            m_dialog->setResult(result);
        });
    });
}

void SearchController::adopt(const LayoutChoice &choice)
{
    const Scenario &now = m_document->scenario();
    Scenario next = withLayout(now, choice);
    next.perturbations = now.perturbations;
    if (const auto error = m_document->change(std::move(next), tr("Layout: %1").arg(layoutChoiceText(choice)))) m_dialog->say(editErrorText(*error));
}

} // namespace clusterbeat
