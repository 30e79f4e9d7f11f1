// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/perturbation_text.h"

#include "model/base/units.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>

namespace clusterbeat {
namespace {

// Which links, and what is left of them or taken from them.
QString linkTitle(const Perturbation &perturbation, const QLocale &locale)
{
    const LinkPerturbation &link = perturbation.link;
    const QString domain = linkDomainName(link.domain);
    switch (perturbation.kind) {
    case PerturbationKind::DeadLink:
        return link.cables ? fillText(QCoreApplication::translate("Perturbations", "%1 dead, cables: %2"), {domain, integerText(*link.cables, locale)})
                           : fillText(QCoreApplication::translate("Perturbations", "%1 dead"), {domain});
    case PerturbationKind::CompetingTraffic:
        return fillText(QCoreApplication::translate("Perturbations", "%1, other traffic %2"),
                        {domain, link.share ? percentText(*link.share, locale, 0)
                                            : fillText(QCoreApplication::translate("Perturbations", "%1 GB/s"), {numberText(link.gbytesPerS.value_or(0.0), locale)})});
    default: break;
    }
    const QString latency = durationText(toNs(link.extraLatencyS), locale, Sign::Always);
    if (link.extraLatencyS <= 0.0) return fillText(QCoreApplication::translate("Perturbations", "%1 at %2"), {domain, percentText(link.capacity, locale, 0)});
    if (link.capacity >= 1.0) return fillText(QCoreApplication::translate("Perturbations", "%1, latency %2"), {domain, latency});
    return fillText(QCoreApplication::translate("Perturbations", "%1 at %2, latency %3"), {domain, percentText(link.capacity, locale, 0), latency});
}

} // namespace

QString perturbationFigure(const Perturbation &perturbation, const QLocale &locale, const CampaignSection *campaign)
{
    const TimingPerturbation &timing = perturbation.timing;
    switch (perturbation.kind) {
    case PerturbationKind::SlowGpu:
    case PerturbationKind::SlowStorage:
    case PerturbationKind::WarmUp: return percentText(perturbation.speed, locale, 0);
    case PerturbationKind::Jitter: return percentText(perturbation.sigma, locale, 0);
    case PerturbationKind::DocumentImbalance: return timing.drawDocuments ? QString() : percentText(perturbation.sigma, locale, 0);
    case PerturbationKind::DegradedLink: return percentText(perturbation.link.capacity, locale, 0);
    case PerturbationKind::CompetingTraffic: return perturbation.link.share ? percentText(*perturbation.link.share, locale, 0) : QString();
    case PerturbationKind::GcPause: return durationText(toNs(timing.pauseS), locale);
    case PerturbationKind::SlowData: return durationText(toNs(timing.waitS), locale);
    case PerturbationKind::Checkpoint:
        if (!timing.stallS && !campaign) return QString();
        return durationText(toNs(timing.stallS ? *timing.stallS : campaign->checkpointWriteS), locale);
    case PerturbationKind::DeadLink: return QString();
    }
    return QString();
}

QString perturbationTitle(const Perturbation &perturbation, const QLocale &locale, const CampaignSection *campaign)
{
    if (concernsLinks(perturbation.kind)) return linkTitle(perturbation, locale);
    const QString figure = perturbationFigure(perturbation, locale, campaign), name = perturbationName(perturbation.kind);
    return figure.isEmpty() ? name : fillText(QCoreApplication::translate("Perturbations", "%1, %2"), {name, figure});
}

} // namespace clusterbeat
