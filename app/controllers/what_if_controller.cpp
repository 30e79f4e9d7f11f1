// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/what_if_controller.h"

#include "app/document/what_ifs.h"
#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/perturbation_text.h"

#include <algorithm>

namespace clusterbeat {

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

bool WhatIfController::isActive(PerturbationKind kind) const
{
    return what_ifs::isActive(*m_document->scenario().perturbations, kind);
}

QString WhatIfController::selectedPath()
{
    const auto result = m_results->result();
    const GpuIndex gpu = m_state->selectedGpu();
    if (result && gpu >= 0 && gpu < result->expansion->gpuCount) return QString::fromStdString(result->expansion->pathOf(gpu));
    Q_EMIT refused(tr("Select a GPU first: click one in the cluster, or search with /."));
    return QString();
}

void WhatIfController::slowSelectedGpu(double speed)
{
    if (const QString path = selectedPath(); !path.isEmpty()) slowGpu(path, speed);
}

void WhatIfController::setGpuLinks(const QString &memberPath, LinkDomain domain, double capacity)
{
    const QString place = memberPathText(memberPath), links = linkDomainName(domain);
    const QString label = capacity >= 1.0   ? fillText(tr("Restore %1 of %2"), {links, place})
                          : capacity <= 0.0 ? fillText(tr("Cut %1 of %2"), {links, place})
                                            : fillText(tr("%1 of %2 at %3"), {links, place, percentText(capacity, QLocale(), 0)});
    PerturbationList list = *m_document->scenario().perturbations;
    report(m_document->setPerturbations(what_ifs::withLinks(std::move(list), memberPath.toStdString(), domain, capacity), label));
}

void WhatIfController::setSelectedGpuLinks(LinkDomain domain, double capacity)
{
    if (const QString path = selectedPath(); !path.isEmpty()) setGpuLinks(path, domain, capacity);
}

void WhatIfController::restoreSelectedGpuLinks()
{
    const QString path = selectedPath();
    if (path.isEmpty()) return;
    PerturbationList list = *m_document->scenario().perturbations;
    for (const LinkDomain domain : {LinkDomain::NvLink, LinkDomain::Nic})
        list = what_ifs::withLinks(std::move(list), path.toStdString(), domain, 1.0);
    report(m_document->setPerturbations(std::move(list), fillText(tr("Restore the links of %1"), {memberPathText(path)})));
}

void WhatIfController::toggle(PerturbationKind kind)
{
    const bool on = !isActive(kind);
    const auto result = m_results->result();
    if (on && !result) {
        Q_EMIT refused(tr("Nothing is simulated yet."));
        return;
    }
    const double microBatchS = result ? toSeconds(result->unperturbedIteration) /
                                            static_cast<double>(std::max<std::int64_t>(1, result->scenario->microBatches)) : 0.0;
    const Perturbation usual = what_ifs::usual(kind, microBatchS);
    const QString figure = perturbationFigure(usual), name = perturbationName(kind);
    const QString label = !on               ? fillText(tr("Remove %1"), {name})
                          : figure.isEmpty() ? name
                                             : fillText(tr("%1, %2"), {name, figure});
    report(m_document->setPerturbations(what_ifs::withKind(*m_document->scenario().perturbations, on, usual), label));
}

} // namespace clusterbeat
