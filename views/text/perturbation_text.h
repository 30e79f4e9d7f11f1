// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <QLocale>
#include <QString>

namespace clusterbeat {

/// How strong a perturbation is, in one figure: "70 %", "0.3 s"; empty where its kind says all. `campaign` knows the stall
/// of a checkpoint that does not say it itself.
[[nodiscard]] QString perturbationFigure(const Perturbation &perturbation, const QLocale &locale = QLocale(),
                                         const CampaignSection *campaign = nullptr);

/// What is perturbed and how much, short enough for a list: "NIC link at 10 %", "Host pauses, 100 ms".
[[nodiscard]] QString perturbationTitle(const Perturbation &perturbation, const QLocale &locale = QLocale(),
                                        const CampaignSection *campaign = nullptr);

} // namespace clusterbeat
