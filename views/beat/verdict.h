// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"

#include <QLocale>
#include <QString>

namespace clusterbeat {

/// One sentence of cause, one of effect, one button. Derived from the result, its unperturbed twin and the baseline;
/// pure. The rules, first match wins; "costs" means more than 0.05 % of the iteration against the twin:
///  0. the memory does not fit: by how much, where, what helps; nothing else matters to a run that stops;
///  1. slow GPUs that cost: who holds up how many, the wait and the money;
///  2. slow GPUs that cost nothing: hidden (said, since it surprises);
///  3. jitter that costs;
///  4. another iteration time than the baseline's: longer or shorter, and by which category mostly;
///  5. nothing is slow: the largest share that is not compute, when it is at least 3 %;
///  6. else compute is nearly all: at what share of the peak.
/// Where several perturbations act, the effect is said to be of all of them together; money over the run counts a
/// checkpoint once an interval, and is left out with a warm-up.
struct Verdict {
    enum class Tone : quint8 { None, Worse, Opportunity };
    Tone tone = Tone::None;
    QString cause, effect, shortEffect, button;
    GpuIndex gpu = kNone;               ///< what the button shows
    bool findsLayout = false;           ///< the button looks for a better layout instead
    friend bool operator==(const Verdict &, const Verdict &) = default;
};
[[nodiscard]] Verdict verdictOf(const IterationResult &result, const IterationResult *baseline, const QLocale &locale = {});

} // namespace clusterbeat
