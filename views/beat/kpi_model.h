// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/text/format.h"

#include <array>

namespace clusterbeat {

/// A headline figure as shown, with its change against the baseline. The arrow is the direction of the number, the tone
/// says whether that is good.
struct KpiFigure {
    enum class Tone : quint8 { None, Neutral, Better, Worse };   ///< None = no baseline
    QString label, shortLabel;
    Quantity value;
    QString suffix;                  ///< "of 80 GB"
    QString delta;                   ///< "+1.39 s", or "no change"
    int direction = 0;               ///< -1, 0, 1
    Tone tone = Tone::None;
    QString formula;                 ///< what it is and how it is counted; tooltip and click
    friend bool operator==(const KpiFigure &, const KpiFigure &) = default;
};
inline constexpr std::size_t kKpiCount = 6;
/// Iteration, MFU, throughput, cost, memory of the fullest rank, goodput. Pure.
[[nodiscard]] std::array<KpiFigure, kKpiCount> kpiFigures(const IterationResult &result, const IterationResult *baseline, const QLocale &locale = {});

} // namespace clusterbeat
