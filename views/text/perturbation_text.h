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

} // namespace clusterbeat
