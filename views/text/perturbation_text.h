// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"

#include <QLocale>
#include <QString>

namespace clusterbeat {

/// How strong a perturbation is, in one figure: "70 %", "0.3 s"; empty where its kind says all.
[[nodiscard]] QString perturbationFigure(const Perturbation &perturbation, const QLocale &locale = QLocale());

} // namespace clusterbeat
