// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/validation/out_of_range.h"
#include "model/validation/relatives.h"

#include <QLocale>
#include <QString>

/// The comparison with published runs in words (translation context "Validation"). QtCore only.
namespace clusterbeat {

/// One sentence: why a prediction is likely to be out of range.
[[nodiscard]] QString reasonText(const RowReason &reason, const QLocale &locale = {});
/// Two or three words for a table: "memory limit".
[[nodiscard]] QString reasonName(RangeReason reason);
/// The names of all reasons, the most specific first; "" in range.
[[nodiscard]] QString reasonNames(const std::vector<RowReason> &reasons);
/// The first, most specific reason, and how many more there are: "… (and 2 more)"; "" in range.
[[nodiscard]] QString reasonsText(const std::vector<RowReason> &reasons, const QLocale &locale = {});
/// "Tier A: every knob documented"
[[nodiscard]] QString tierName(const QString &tier);
/// "dense", "mixture of experts"
[[nodiscard]] QString modelKindName(bool moe);

/// "Llama 3 70B on 64 H100-SXM5-80GB"
[[nodiscard]] QString runText(const ValidatedRow &row, const QLocale &locale = {});
/// "Predicted 6.23 s, measured 6.10 s, +2.1 %", or what was refused.
[[nodiscard]] QString timesText(const ValidatedRow &row, const QLocale &locale = {});

/// "± 4 %" beside a predicted time; "" without relatives.
[[nodiscard]] QString bandText(const ErrorBand &band, const QLocale &locale = {});
/// What the band is and the nearest runs by name, a few lines.
[[nodiscard]] QString bandDescription(const ErrorBand &band, const ReferenceTable &table, double predictedS, const QLocale &locale = {});

} // namespace clusterbeat
