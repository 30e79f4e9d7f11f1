// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"
#include "model/scenario/knobs.h"
#include "model/search/flag_costs.h"

#include <QLocale>
#include <QString>

/// The words of the run's knobs (translation context "Knobs").
namespace clusterbeat {

[[nodiscard]] QString knobName(KnobId id);
/// The term in one line, for those who meet it for the first time.
[[nodiscard]] QString knobDescription(KnobId id);
[[nodiscard]] QString knobSectionName(KnobSection section);
/// Why a knob means nothing in this run.
[[nodiscard]] QString knobNeedText(KnobNeed need);

/// A value, given as JSON, as people read it: "FP8", "400 Gb/s", "Llama 3 405B". `taken` is what stands behind
/// "automatic". `catalogue` names presets and profiles; may be null.
[[nodiscard]] QString knobValueText(KnobId id, const std::string &json, const std::string &taken = {},
                                    const Catalogue *catalogue = nullptr, const QLocale &locale = {});
/// More about a value, for the second column of a list: "989 TFLOP/s, 80 GB"; mostly "".
[[nodiscard]] QString knobValueDetail(KnobId id, const std::string &json, const Catalogue &catalogue, const QLocale &locale = {});
/// What somebody typed, as JSON: figures in the locale's digits, with or without their unit ("0.4 Tb/s", "8k",
/// "1 : 2.5"), "auto" = ""; anything else goes out as a string and comes back as a clear refusal.
[[nodiscard]] std::string knobJson(KnobId id, const QString &text, const QLocale &locale = {});

/// What the run would be with a value: "−0.42 s · +1.2 GB", "+1.58 s · does not fit"; where a value changes how much an
/// iteration trains, tokens a second instead of seconds. "" = no figures.
[[nodiscard]] QString consequenceText(KnobId id, const FlagAlternative &alternative, const QLocale &locale = {});

/// Why a change is refused, about the knob that was touched: "Pipeline 32 needs at most 4 virtual stages (now 8)."
[[nodiscard]] QString refusalText(KnobId id, const std::string &value, const Error &error, const QLocale &locale = {});
/// "Set virtual stages to 4 too"
[[nodiscard]] QString repairText(KnobId knob, const std::string &value, const Catalogue *catalogue = nullptr, const QLocale &locale = {});

} // namespace clusterbeat
