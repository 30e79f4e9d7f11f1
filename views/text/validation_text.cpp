// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/validation_text.h"

#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr std::size_t kNamedRelatives = 5;

QString say(const char *source) { return QCoreApplication::translate("Validation", source); }

double numberOf(const RowReason &reason, std::size_t i)
{
    if (i >= reason.arguments.size()) return 0.0;
    if (const auto *number = std::get_if<double>(&reason.arguments[i])) return *number;
    if (const auto *integer = std::get_if<std::int64_t>(&reason.arguments[i])) return static_cast<double>(*integer);
    return 0.0;
}
QString wordOf(const RowReason &reason, std::size_t i)
{
    if (i >= reason.arguments.size()) return QString();
    const auto *text = std::get_if<std::string>(&reason.arguments[i]);
    return text ? QString::fromStdString(*text) : QString();
}
QString countOf(const RowReason &reason, std::size_t i, const QLocale &locale)
{
    return integerText(static_cast<qint64>(numberOf(reason, i)), locale);
}

/// A relative error as "+3.1 %".
QString errorOf(double error, const QLocale &locale)
{
    return fixedText(error * 100.0, 1, locale, Sign::Always) + QStringLiteral("\u00a0%");
}

} // namespace

QString reasonText(const RowReason &reason, const QLocale &locale)
{
    switch (reason.reason) {
    case RangeReason::MemoryLimit:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "Memory is at its limit (%1 predicted): the allocator frees and retries, which is not simulated.")),
                        {percentText(numberOf(reason, 0), locale, 0)});
    case RangeReason::TokenDrop:
        return say(QT_TRANSLATE_NOOP("Validation", "The run dropped tokens above the experts' capacity; how many is not published."));
    case RangeReason::EarlySoftware: {
        const QString months = countOf(reason, 0, locale);
        return numberOf(reason, 0) < 0.5
                   ? say(QT_TRANSLATE_NOOP("Validation", "Early software: the first release measured on this accelerator."))
                   : fillText(say(QT_TRANSLATE_NOOP("Validation", "Early software: %1 months after the first release measured on this accelerator.")), {months});
    }
    case RangeReason::ReleaseSpread:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "The same configuration was measured %2 times, up to %1 apart, with different releases.")),
                        {percentText(numberOf(reason, 0), locale), countOf(reason, 1, locale)});
    case RangeReason::FetchOrder:
        return say(QT_TRANSLATE_NOOP("Validation", "Sharded parameters were fetched in an order that is not published."));
    case RangeReason::FewMicroBatches:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "Few micro-batches (%1; pipeline stages: %2): start, end and the gradient exchange weigh much.")),
                        {countOf(reason, 0, locale), countOf(reason, 1, locale)});
    case RangeReason::ShortKernels:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "Short kernels (%1 a layer): the time to launch them depends on the host.")),
                        {durationText(toNs(numberOf(reason, 0)), locale)});
    case RangeReason::ExposedNetwork:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "%1 of the time is communication that nothing hides: congestion and the library's choices weigh much.")),
                        {percentText(numberOf(reason, 0), locale, 0)});
    case RangeReason::LargeScale:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "A large job (%1 GPUs): stragglers, data loading and other time outside the iteration are in the measurement.")),
                        {countOf(reason, 0, locale)});
    case RangeReason::AssumedKnob:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "Not published, so assumed: %1.")), {wordOf(reason, 0)});
    case RangeReason::EagerKernels:
        return fillText(say(QT_TRANSLATE_NOOP("Validation", "Kernels are not fused (%1 times the memory traffic, assumed): versions differ.")),
                        {numberText(numberOf(reason, 0), locale)});
    case RangeReason::Aggregate:
        return say(QT_TRANSLATE_NOOP("Validation", "An aggregate (tier C): good for a range check only."));
    case RangeReason::Unexplained: break;
    }
    return say(QT_TRANSLATE_NOOP("Validation", "No rule explains it: the cost model is off here."));
}

QString reasonName(RangeReason reason)
{
    switch (reason) {
    case RangeReason::MemoryLimit: return say(QT_TRANSLATE_NOOP("Validation", "memory limit"));
    case RangeReason::TokenDrop: return say(QT_TRANSLATE_NOOP("Validation", "token drop"));
    case RangeReason::EarlySoftware: return say(QT_TRANSLATE_NOOP("Validation", "early software"));
    case RangeReason::ReleaseSpread: return say(QT_TRANSLATE_NOOP("Validation", "release spread"));
    case RangeReason::FetchOrder: return say(QT_TRANSLATE_NOOP("Validation", "fetch order"));
    case RangeReason::FewMicroBatches: return say(QT_TRANSLATE_NOOP("Validation", "few micro-batches"));
    case RangeReason::ShortKernels: return say(QT_TRANSLATE_NOOP("Validation", "short kernels"));
    case RangeReason::ExposedNetwork: return say(QT_TRANSLATE_NOOP("Validation", "exposed network"));
    case RangeReason::LargeScale: return say(QT_TRANSLATE_NOOP("Validation", "large job"));
    case RangeReason::AssumedKnob: return say(QT_TRANSLATE_NOOP("Validation", "assumed knob"));
    case RangeReason::EagerKernels: return say(QT_TRANSLATE_NOOP("Validation", "eager kernels"));
    case RangeReason::Aggregate: return say(QT_TRANSLATE_NOOP("Validation", "aggregate"));
    case RangeReason::Unexplained: break;
    }
    return say(QT_TRANSLATE_NOOP("Validation", "unexplained"));
}

QString reasonNames(const std::vector<RowReason> &reasons)
{
    QStringList names;
    for (const RowReason &reason : reasons) names << reasonName(reason.reason);
    return names.join(QStringLiteral(", "));
}

QString reasonsText(const std::vector<RowReason> &reasons, const QLocale &locale)
{
    if (reasons.empty()) return QString();
    const QString first = reasonText(reasons.front(), locale);
    const auto more = static_cast<qint64>(reasons.size()) - 1;
    if (more == 0) return first;
    return first + QLatin1Char(' ') + fillText(say(QT_TRANSLATE_NOOP("Validation", "(and %1 more)")), {integerText(more, locale)});
}

QString tierName(const QString &tier)
{
    if (tier == QLatin1String("A")) return say(QT_TRANSLATE_NOOP("Validation", "Tier A: every knob documented"));
    if (tier == QLatin1String("B")) return say(QT_TRANSLATE_NOOP("Validation", "Tier B: one knob assumed"));
    if (tier == QLatin1String("C")) return say(QT_TRANSLATE_NOOP("Validation", "Tier C: aggregate"));
    return tier.isEmpty() ? say(QT_TRANSLATE_NOOP("Validation", "No tier")) : tier;
}

QString modelKindName(bool moe)
{
    return moe ? say(QT_TRANSLATE_NOOP("Validation", "mixture of experts")) : say(QT_TRANSLATE_NOOP("Validation", "dense"));
}

QString runText(const ValidatedRow &row, const QLocale &locale)
{
    const QString model = QString::fromStdString(row.model.empty() ? row.id : row.model);
    if (row.gpus <= 0) return model;
    return fillText(say(QT_TRANSLATE_NOOP("Validation", "%1 on %2 %3")),
                    {model, integerText(row.gpus, locale), QString::fromStdString(row.accelerator)});
}

QString timesText(const ValidatedRow &row, const QLocale &locale)
{
    if (row.refused) return errorText(*row.refused, locale);
    if (!row.predictedS) return QString();
    const QString predicted = secondsText(*row.predictedS, locale, Sign::Natural, 3);
    if (!row.timeError) return fillText(say(QT_TRANSLATE_NOOP("Validation", "Predicted %1, no time measured")), {predicted});
    return fillText(say(QT_TRANSLATE_NOOP("Validation", "Predicted %1, measured %2, error %3")),
                    {predicted, secondsText(*row.measuredS, locale, Sign::Natural, 3), errorOf(*row.timeError, locale)});
}

QString bandText(const ErrorBand &band, const QLocale &locale)
{
    if (band.relatives.empty()) return QString();
    return fillText(say(QT_TRANSLATE_NOOP("Validation", "± %1")), {percentText(std::max(band.typical, 0.01), locale, 0)});
}

QString bandDescription(const ErrorBand &band, const ReferenceTable &table, double predictedS, const QLocale &locale)
{
    if (band.relatives.empty()) return QString();
    QStringList lines;
    lines << fillText(say(QT_TRANSLATE_NOOP("Validation", "%1: four of five of the %2 nearest published runs are predicted as closely (errors %3 to %4).")),
                      {bandText(band, locale), integerText(static_cast<qint64>(band.relatives.size()), locale), errorOf(band.low, locale),
                       errorOf(band.high, locale)});
    lines << fillText(say(QT_TRANSLATE_NOOP("Validation", "A measurement would lie between %1 and %2.")),
                      {secondsText(predictedS / (1.0 + band.high), locale), secondsText(predictedS / (1.0 + band.low), locale)});
    if (band.extrapolated)
        lines << say(QT_TRANSLATE_NOOP("Validation", "Extrapolated: no published run is much like this one."));
    for (std::size_t i = 0; i < std::min(kNamedRelatives, band.relatives.size()); ++i) {
        const ReferenceRun &run = table.runs[band.relatives[i].run];
        lines << fillText(say(QT_TRANSLATE_NOOP("Validation", "%1 on %2 %3: %4")),
                          {QString::fromStdString(run.model), integerText(run.features.gpus, locale),
                           QString::fromStdString(run.features.accelerator), errorOf(band.relatives[i].error, locale)});
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace clusterbeat
