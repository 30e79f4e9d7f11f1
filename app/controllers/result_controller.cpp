// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/result_controller.h"

#include <utility>

namespace clusterbeat {

Scenario withoutPerturbations(Scenario scenario)
{
    if (!scenario.perturbations->empty()) scenario.perturbations = std::make_shared<const PerturbationList>();
    return scenario;
}

ResultController::ResultController(Document *document, SimulationRunner::Function function, QObject *parent)
    : QObject(parent), m_document(document), m_runner(std::move(function))
{
    connect(document, &Document::changed, this, &ResultController::documentChanged);
    connect(&m_runner, &SimulationRunner::finished, this, &ResultController::finished);
    connect(&m_runner, &SimulationRunner::failed, this, [this](const Error &error) { Q_EMIT failed(error); });
    connect(&m_runner, &SimulationRunner::cancelled, this, [this](quint64 generation) {
        if (generation == m_documentGeneration) Q_EMIT cancelled();
    });
    connect(&m_runner, &SimulationRunner::busyChanged, this, &ResultController::busyChanged);
    connect(&m_runner, &SimulationRunner::progressed, this, &ResultController::progressed);
}

void ResultController::documentChanged(bool structural, bool replaced)
{
    if (replaced) m_baselineWanted = true;
    if (m_baselineWanted && replaced && !m_document->scenario().perturbations->empty())
        submitBaseline();
    else
        submitDocument(structural ? SimulationRunner::Edit::Structural : SimulationRunner::Edit::Value);
}

void ResultController::submitBaseline()
{
    m_documentGeneration = 0;
    m_baselineGeneration =
        m_runner.submit(withoutPerturbations(m_document->scenario()), SimulationRunner::Edit::Structural);
}

void ResultController::submitDocument(SimulationRunner::Edit edit)
{
    m_documentGeneration = m_runner.submit(m_document->scenario(), edit);
}

void ResultController::finished(const ResultPointer &result, quint64 generation, double milliseconds)
{
    if (generation == m_baselineGeneration) {
        setBaseline(result);
        if (m_documentGeneration == 0) submitDocument(SimulationRunner::Edit::Value);
        return;
    }
    // The baseline's own run was overtaken by an edit: the first result without perturbations takes its place.
    if (m_baselineWanted && !result->run.perturbed()) setBaseline(result);
    m_result = result;
    Q_EMIT resultChanged(result, milliseconds);
}

void ResultController::setBaseline(const ResultPointer &baseline)
{
    m_baselineWanted = false;
    m_baseline = baseline;
    Q_EMIT baselineChanged(baseline);
}

void ResultController::pinBaseline()
{
    if (m_result) setBaseline(m_result);
}

void ResultController::toggleBaseline()
{
    const ResultPointer back = m_baseline ? nullptr : m_removedBaseline;
    m_removedBaseline = m_baseline;
    setBaseline(back);
}

void ResultController::present(ResultPointer result, ResultPointer baseline)
{
    setBaseline(std::move(baseline));
    m_result = std::move(result);
    Q_EMIT resultChanged(m_result, 0.0);
}

} // namespace clusterbeat
