// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/perturbation_text.h"

#include "model/base/units.h"
#include "views/text/format.h"

namespace clusterbeat {

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

} // namespace clusterbeat
