// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/validation_controller.h"

#include "views/charts/validation_page.h"
#include "views/text/error_text.h"

#include <utility>

namespace clusterbeat {

ValidationController::ValidationController(std::shared_ptr<const Catalogue> catalogue, DocumentController *files,
                                           ViewState *state, QObject *parent)
    : QObject(parent), m_catalogue(std::move(catalogue)), m_files(files), m_state(state)
{
}

ValidationPage *ValidationController::page()
{
    if (m_page) return m_page;
    m_page = new ValidationPage(m_state);
    m_runner = new ValidationRunner(m_catalogue, this);
    connect(m_page, &ValidationPage::computeRequested, m_runner, &ValidationRunner::start);
    connect(m_page, &ValidationPage::cancelRequested, m_runner, &ValidationRunner::cancel);
    connect(m_page, &ValidationPage::openRequested, this, &ValidationController::openRow);
    connect(m_runner, &ValidationRunner::started, m_page, &ValidationPage::begin);
    connect(m_runner, &ValidationRunner::rowsValidated, m_page,
            [page = m_page](const std::vector<ValidatedRow> &rows, int done, int total) {
                page->append(rows);
                page->setProgress(done, total);
            });
    connect(m_runner, &ValidationRunner::finished, m_page, &ValidationPage::finish);
    connect(m_runner, &ValidationRunner::failed, m_page,
            [page = m_page](const Error &error) { page->showError(errorText(error)); });
    return m_page;
}

void ValidationController::ensureComputed()
{
    if (page() && !std::exchange(m_computed, true)) m_runner->start();
}

void ValidationController::present(std::vector<ValidatedRow> rows)
{
    m_computed = true;
    page()->begin();
    m_page->append(std::move(rows));
    m_page->finish(false);
}

void ValidationController::openRow(const QString &id)
{
    const MeasuredRow *row = m_runner->measuredRow(id);
    if (row && !row->refused && m_files->openScenario(row->scenario, id)) Q_EMIT opened();
}

} // namespace clusterbeat
