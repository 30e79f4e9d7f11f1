// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/result_controller.h"
#include "app/document/document.h"
#include "views/shared/intents.h"
#include "views/shared/view_state.h"

#include <QObject>

namespace clusterbeat {

/// Turns what the views and the what-if keys ask for into undo steps. What the document refuses is reported.
class WhatIfController final : public QObject {
    Q_OBJECT
public:
    WhatIfController(Document *document, ResultController *results, ViewState *state, QObject *parent = nullptr);

    /// A perturbation of this kind is switched on in the document.
    [[nodiscard]] bool isActive(PerturbationKind kind) const;

public Q_SLOTS:
    void slowGpu(const QString &memberPath, double speed) { report(m_document->slowGpu(memberPath, speed, false)); }
    void dragGpuSpeed(const QString &memberPath, double speed, bool dragging)
    {
        report(m_document->slowGpu(memberPath, speed, dragging));
    }
    void applyEdits(const QList<clusterbeat::ScenarioEdit> &edits) { report(m_document->apply(edits)); }
    /// Speed 1 restores; nothing selected: refused() says what to do.
    void slowSelectedGpu(double speed);
    /// A share of the nominal capacity; 1 restores, 0 cuts.
    void setGpuLinks(const QString &memberPath, clusterbeat::LinkDomain domain, double capacity);
    void setSelectedGpuLinks(clusterbeat::LinkDomain domain, double capacity);
    /// NVLink and NIC of the selected GPU as built.
    void restoreSelectedGpuLinks();
    /// Takes every perturbation of a kind away, or brings one for the whole run with the usual figures.
    void toggle(clusterbeat::PerturbationKind kind);
    void removeAll() { report(m_document->clearPerturbations()); }

Q_SIGNALS:
    void refused(const QString &sentence);
    void accepted();

private:
    /// "" and refused() when nothing is selected.
    [[nodiscard]] QString selectedPath();
    void report(const std::optional<Error> &error);

    Document *m_document;
    ResultController *m_results;
    ViewState *m_state;
};

} // namespace clusterbeat
