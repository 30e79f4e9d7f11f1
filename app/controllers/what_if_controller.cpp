// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/what_if_controller.h"

#include "views/text/error_text.h"

namespace clusterbeat {
namespace {

constexpr double kJitterSigma = 0.03;
constexpr int kJitterSeed = 7;

} // namespace

WhatIfController::WhatIfController(Document *document, ResultController *results, ViewState *state, QObject *parent)
    : QObject(parent), m_document(document), m_results(results), m_state(state)
{
}

void WhatIfController::report(const std::optional<Error> &error)
{
    if (error)
        Q_EMIT refused(editErrorText(*error));
    else
        Q_EMIT accepted();
}

void WhatIfController::slowSelectedGpu(double speed)
{
    const auto result = m_results->result();
    const GpuIndex gpu = m_state->selectedGpu();
    if (!result || gpu < 0 || gpu >= result->expansion->gpuCount) {
        Q_EMIT refused(tr("Select a GPU first: click one in the cluster, or search with /."));
        return;
    }
    slowGpu(QString::fromStdString(result->expansion->pathOf(gpu)), speed);
}

void WhatIfController::toggleJitter()
{
    const PerturbationList &list = *m_document->scenario().perturbations;
    for (std::size_t i = 0; i < list.size(); ++i) {
        if (list[i].kind != PerturbationKind::Jitter) continue;
        applyEdits({{QStringLiteral("/perturbations/%1").arg(i), {}, tr("Remove random delays")}});
        return;
    }
    const QString json = QStringLiteral(R"({"kind": "jitter", "sigma": %1, "seed": %2})").arg(kJitterSigma).arg(kJitterSeed);
    applyEdits({{QStringLiteral("/perturbations/-"), json, tr("Random delays of 3 %")}});
}

} // namespace clusterbeat
