// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/document/document.h"
#include "app/simulation/simulation_runner.h"
#include "model/iteration/iteration_result.h"

#include <QObject>

#include <memory>

namespace clusterbeat {

/// `scenario` without what slows it down.
[[nodiscard]] Scenario withoutPerturbations(Scenario scenario);

/// Keeps the result on show in step with the document, and the baseline that it is compared with. The baseline is pinned
/// when a document opens: its scenario without perturbations, and stays until somebody pins another result.
class ResultController final : public QObject {
    Q_OBJECT
public:
    using ResultPointer = std::shared_ptr<const IterationResult>;

    ResultController(Document *document, SimulationRunner::Function function, QObject *parent = nullptr);

    [[nodiscard]] ResultPointer result() const { return m_result; }
    [[nodiscard]] ResultPointer baseline() const { return m_baseline; }
    [[nodiscard]] bool busy() const { return m_runner.busy(); }
    /// Pins the result on show.
    void pinBaseline();
    /// Compares with nothing; again: with what was pinned last.
    void toggleBaseline();
    /// Shows results that were computed elsewhere (a picture from the command line).
    void present(ResultPointer result, ResultPointer baseline);
    void cancel() { m_runner.cancel(); }

Q_SIGNALS:
    void resultChanged(std::shared_ptr<const clusterbeat::IterationResult> result, double milliseconds);
    void baselineChanged(std::shared_ptr<const clusterbeat::IterationResult> baseline);
    /// The document as it is cannot be simulated; the result on show is an older one until the next resultChanged.
    void failed(const clusterbeat::Error &error);
    void cancelled();
    void busyChanged(bool busy);
    void progressed(int permille);

private:
    void documentChanged(bool structural, bool replaced);
    void submitBaseline();
    void submitDocument(SimulationRunner::Edit edit);
    void finished(const ResultPointer &result, quint64 generation, double milliseconds);
    void setBaseline(const ResultPointer &baseline);

    Document *m_document;
    SimulationRunner m_runner;
    ResultPointer m_result, m_baseline, m_removedBaseline;
    quint64 m_documentGeneration = 0, m_baselineGeneration = 0;
    bool m_baselineWanted = false;
};

} // namespace clusterbeat
