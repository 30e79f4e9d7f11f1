// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/kpi_model.h"

#include "views/text/names.h"

#include <QCoreApplication>

#include <cmath>

namespace clusterbeat {
namespace {

QString say(const char *source) { return QCoreApplication::translate("Kpi", source); }

/// What is shown decides: a change that rounds to zero is no change.
void setDelta(KpiFigure &figure, double change, bool moreIsBetter, const QString &shown)
{
    figure.delta = shown;
    bool zero = true;
    for (const QChar c : shown) zero = zero && !(c.isDigit() && c.digitValue() != 0);
    if (zero || !std::isfinite(change)) {
        figure.delta = say(QT_TRANSLATE_NOOP("Kpi", "no change"));
        figure.tone = KpiFigure::Tone::Neutral;
        return;
    }
    figure.direction = change > 0 ? 1 : -1;
    figure.tone = (change > 0) == moreIsBetter ? KpiFigure::Tone::Better : KpiFigure::Tone::Worse;
}

int decimalsOf(const QString &value, const QLocale &locale)
{
    const qsizetype point = value.lastIndexOf(locale.decimalPoint());
    return point < 0 ? 0 : static_cast<int>(value.size() - point - 1);
}

KpiFigure iterationFigure(const Metrics &now, const Metrics *base, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "Iteration"));
    figure.value = durationQuantity(toNs(now.iterationS), locale);
    figure.formula = say(QT_TRANSLATE_NOOP("Kpi", "Time from one optimizer step of the slowest rank to the next: the heartbeat."));
    if (base) {
        const double change = now.iterationS - base->iterationS;
        const TimeNs ns = std::abs(change) < 0.0005 ? 0 : toNs(std::abs(change)) * (change < 0 ? -1 : 1);
        const bool seconds = now.iterationS >= 0.9995;
        setDelta(figure, change, false, seconds ? secondsText(change, locale, Sign::Always) : durationText(ns, locale, Sign::Always));
    }
    return figure;
}

KpiFigure mfuFigure(const Metrics &now, const Metrics *base, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = say(QT_TRANSLATE_NOOP("Kpi", "MFU (6N + causal)"));
    figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "MFU, causal"));
    figure.value = {fixedText(now.mfu * 100.0, 1, locale), QStringLiteral("%")};
    figure.formula = fillText(say(QT_TRANSLATE_NOOP("Kpi", "Model FLOPs utilisation: 6N plus causal attention FLOPs per token over the dense peak of the "
                                                           "training precision.\nWithout attention %1, with full attention %2, hardware FLOPs (HFU) %3.\n%4 TFLOP/s per GPU.")),
                              {percentText(now.mfuNoAttention, locale), percentText(now.mfuNoncausal, locale), percentText(now.hfu, locale),
                               numberText(now.modelTflopsPerGpu, locale)});
    if (base) {
        const double points = (now.mfu - base->mfu) * 100.0;
        setDelta(figure, points, true, fillText(say(QT_TRANSLATE_NOOP("Kpi", "%1 pt")), {fixedText(points, 1, locale, Sign::Always)}));
    }
    return figure;
}

KpiFigure throughputFigure(const Metrics &now, const Metrics *base, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "Throughput"));
    figure.value = tokenRateQuantity(now.tokensPerS, locale);
    figure.formula = fillText(say(QT_TRANSLATE_NOOP("Kpi", "Tokens of one global batch over the iteration time; %1 per GPU.")),
                              {tokenRateQuantity(now.gpus > 0 ? now.tokensPerS / static_cast<double>(now.gpus) : 0.0, locale).text()});
    if (base) {
        const double change = now.tokensPerS - base->tokensPerS;
        // The value's unit and digits, so that the two can be compared at a glance; a change that dwarfs the value has its own.
        const double unit = now.tokensPerS >= 999.5e3 ? 1e6 : now.tokensPerS >= 999.5 ? 1e3 : 1.0;
        const QString prefix = unit > 1e5 ? QStringLiteral("M") : unit > 1.5 ? QStringLiteral("k") : QString();
        const bool dwarfs = std::abs(change) >= 999.5 * unit && unit < 1e6;
        const double own = dwarfs ? unit * 1e3 : unit;
        const QString ownPrefix = !dwarfs ? prefix : unit > 1.5 ? QStringLiteral("M") : QStringLiteral("k");
        const int decimals = dwarfs ? 2 : decimalsOf(figure.value.value, locale);
        setDelta(figure, change, true, Quantity{fixedText(change / own, decimals, locale, Sign::Always), ownPrefix}.text());
    }
    return figure;
}

KpiFigure costFigure(const Metrics &now, const Metrics *base, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = say(QT_TRANSLATE_NOOP("Kpi", "Cost per 1 M tokens"));
    figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "$ per 1 M tokens"));
    figure.value = {usdText(now.usdPerMillionTokens, locale), QString()};
    figure.formula = fillText(say(QT_TRANSLATE_NOOP("Kpi", "GPU hours of the whole cluster (%1 GPUs) at the price per GPU hour; %2 an iteration.")),
                              {integerText(now.clusterGpus, locale), usdText(now.usdPerIteration, locale)});
    if (base) setDelta(figure, now.usdPerMillionTokens - base->usdPerMillionTokens, false,
                       usdText(now.usdPerMillionTokens - base->usdPerMillionTokens, locale, Sign::Always,
                               now.usdPerMillionTokens < 9999.5 ? decimalsOf(figure.value.value, locale) : -1));
    return figure;
}

KpiFigure memoryFigure(const IterationResult &result, const IterationResult *baseline, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = say(QT_TRANSLATE_NOOP("Kpi", "Memory, fullest rank"));
    figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "Memory"));
    const MemoryReport &memory = result.memory;
    const double total = static_cast<double>(memory.peak.total()), capacity = static_cast<double>(memory.capacity);
    figure.value = {numberText(total / kBytesPerGb, locale, 1), QString()};
    figure.suffix = fillText(say(QT_TRANSLATE_NOOP("Kpi", "of %1 GB")), {numberText(capacity / kBytesPerGb, locale, 1)});
    figure.formula = fillText(say(QT_TRANSLATE_NOOP("Kpi", "Largest memory of any GPU in the iteration, at rank %1.\nParameters %2, gradients %3, optimizer %4, activations %5, buffers %6.\n%7")),
                              {integerText(memory.rank, locale), bytesText(static_cast<double>(memory.peak.parameters), locale),
                               bytesText(static_cast<double>(memory.peak.gradients), locale), bytesText(static_cast<double>(memory.peak.optimizer), locale),
                               bytesText(static_cast<double>(memory.peak.activations), locale), bytesText(static_cast<double>(memory.peak.buffers), locale),
                               memory.fits ? say(QT_TRANSLATE_NOOP("Kpi", "It fits.")) : say(QT_TRANSLATE_NOOP("Kpi", "It does not fit: the run would stop with out of memory."))});
    if (result.scenario && result.scenario->accelerator.hbmGb > 0.0)
        figure.formula += QLatin1Char('\n') + fillText(say(QT_TRANSLATE_NOOP("Kpi", "Capacity %1: %2 GiB as sold less the context.")),
                                                       {bytesText(capacity, locale), numberText(result.scenario->accelerator.hbmGb, locale, 1)});
    if (baseline) {
        const double change = (total - static_cast<double>(baseline->memory.peak.total())) / kBytesPerGb;
        setDelta(figure, change, false, Quantity{fixedText(change, 1, locale, Sign::Always), QStringLiteral("GB")}.text());
    }
    if (!memory.fits) {
        figure.delta = say(QT_TRANSLATE_NOOP("Kpi", "does not fit"));
        figure.direction = 0;
        figure.tone = KpiFigure::Tone::Worse;
    }
    return figure;
}

KpiFigure goodputFigure(const Metrics &now, const Metrics *base, const QLocale &locale)
{
    KpiFigure figure;
    figure.label = say(QT_TRANSLATE_NOOP("Kpi", "Goodput, estimate"));
    figure.shortLabel = say(QT_TRANSLATE_NOOP("Kpi", "Goodput"));
    figure.value = {fixedText(now.goodput * 100.0, 1, locale), QStringLiteral("%")};
    figure.formula = say(QT_TRANSLATE_NOOP("Kpi", "Share of wall time that trains, with failures, checkpoints and restarts (Daly 2006); an estimate, the campaign is not simulated."));
    if (base) {
        const double points = (now.goodput - base->goodput) * 100.0;
        setDelta(figure, points, true, fillText(say(QT_TRANSLATE_NOOP("Kpi", "%1 pt")), {fixedText(points, 1, locale, Sign::Always)}));
    }
    return figure;
}

} // namespace

std::array<KpiFigure, kKpiCount> kpiFigures(const IterationResult &result, const IterationResult *baseline, const QLocale &locale)
{
    const Metrics &now = result.metrics;
    const Metrics *base = baseline ? &baseline->metrics : nullptr;
    return {iterationFigure(now, base, locale), mfuFigure(now, base, locale), throughputFigure(now, base, locale), costFigure(now, base, locale),
            memoryFigure(result, baseline, locale), goodputFigure(now, base, locale)};
}

} // namespace clusterbeat
