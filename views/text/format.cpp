// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kNoValue(0x2013);
constexpr int kFinestUsd = 6;

// Decimals that give three significant digits; rounding up to the next power of ten counts (9.996 -> 10.0).
int decimalsFor(double magnitude, int maxDecimals)
{
    int decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
    for (double limit = 0.9995; decimals >= 2 && decimals < maxDecimals && magnitude < limit; limit /= 10.0) ++decimals;
    return std::min(decimals, maxDecimals);
}

struct Step {
    double size;
    const char *prefix;
};
// The largest step that the value reaches after rounding to three digits: 999.6 k is 1.00 M.
const Step &stepFor(double magnitude, const std::array<Step, 6> &steps)
{
    const Step *chosen = &steps.front();
    for (const Step &step : steps)
        if (magnitude >= step.size * 0.9995) chosen = &step;
    return *chosen;
}
constexpr std::array<Step, 6> kMetric{{{1.0, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "G"}, {1e12, "T"}, {1e15, "P"}}};

QString unitText(const char *source) { return QCoreApplication::translate("Units", source); }

} // namespace

QString fixedText(double value, int decimals, const QLocale &locale, Sign sign)
{
    if (!std::isfinite(value)) return QString(kNoValue);
    QString text = locale.toString(std::abs(value), 'f', decimals);
    const bool zero = std::none_of(text.cbegin(), text.cend(), [](QChar c) { return c.isDigit() && c.digitValue() != 0; });
    if (zero) return text;
    if (value < 0) return kMinus + text;
    return sign == Sign::Always ? QLatin1Char('+') + text : text;
}

QString numberText(double value, const QLocale &locale, int maxDecimals, Sign sign)
{
    return fixedText(value, decimalsFor(std::abs(value), maxDecimals), locale, sign);
}

QString integerText(qint64 value, const QLocale &locale)
{
    const QString text = locale.toString(value < 0 ? -static_cast<double>(value) : static_cast<double>(value), 'f', 0);
    return value < 0 ? kMinus + text : text;
}

Quantity durationQuantity(TimeNs ns, const QLocale &locale, Sign sign)
{
    const double value = static_cast<double>(ns);
    const double magnitude = std::abs(value);
    struct Unit {
        double from, size;
        const char *name;
    };
    static constexpr std::array<Unit, 7> units{{
        {0.0, 1.0, QT_TRANSLATE_NOOP("Units", "ns")},
        {999.5, 1e3, QT_TRANSLATE_NOOP("Units", "µs")},
        {999.5e3, 1e6, QT_TRANSLATE_NOOP("Units", "ms")},
        {999.5e6, 1e9, QT_TRANSLATE_NOOP("Units", "s")},
        {600e9, 60e9, QT_TRANSLATE_NOOP("Units", "min")},
        {7200e9, 3600e9, QT_TRANSLATE_NOOP("Units", "h")},
        {172800e9, 86400e9, QT_TRANSLATE_NOOP("Units", "d")},
    }};
    const Unit *unit = &units.front();
    for (const Unit &each : units)
        if (magnitude >= each.from) unit = &each;
    if (ns == 0) return {fixedText(0.0, 0, locale), unitText("s")};
    const int decimals = unit->size == 1.0 ? 0 : decimalsFor(magnitude / unit->size, unit->size > 1e9 ? 1 : 2);
    return {fixedText(value / unit->size, decimals, locale, sign), unitText(unit->name)};
}

QString durationText(TimeNs ns, const QLocale &locale, Sign sign) { return durationQuantity(ns, locale, sign).text(); }

QString secondsText(double seconds, const QLocale &locale, Sign sign, int decimals)
{
    return Quantity{fixedText(seconds, decimals, locale, sign), unitText("s")}.text();
}

Quantity bytesQuantity(double bytes, const QLocale &locale)
{
    const Step &step = stepFor(std::abs(bytes), kMetric);
    // Bytes are whole; everything else has three digits.
    return {numberText(bytes / step.size, locale, step.size > 1.0 ? 2 : 0), QLatin1String(step.prefix) + unitText("B")};
}

QString bytesText(double bytes, const QLocale &locale) { return bytesQuantity(bytes, locale).text(); }

QString bitRateText(double gbps, const QLocale &locale)
{
    const Step &step = stepFor(std::abs(gbps) * 1e9, kMetric);
    const double value = gbps * 1e9 / step.size;
    const int decimals = std::abs(value - std::round(value)) < 1e-9 ? 0 : 2;
    return Quantity{numberText(value, locale, decimals), QLatin1String(step.prefix) + unitText("b/s")}.text();
}

Quantity powerQuantity(double watts, const QLocale &locale)
{
    const Step &step = stepFor(std::abs(watts), kMetric);
    return {numberText(watts / step.size, locale), QLatin1String(step.prefix) + unitText("W")};
}

Quantity tokenRateQuantity(double tokensPerS, const QLocale &locale, Sign sign)
{
    const Step &step = stepFor(std::abs(tokensPerS), kMetric);
    const QString tokens = QCoreApplication::translate("Units", "tokens/s");
    const QString unit = step.size == 1.0 ? tokens : QLatin1String(step.prefix) + QLatin1Char(' ') + tokens;
    return {numberText(tokensPerS / step.size, locale, 2, sign), unit};
}

QString percentText(double fraction, const QLocale &locale, int decimals)
{
    const double percent = fraction * 100.0;
    if (decimals < 0) {
        const bool whole = std::abs(percent) >= 99.95 || std::abs(percent) < 1e-9;
        decimals = whole ? 0 : 1;
    }
    return Quantity{fixedText(percent, decimals, locale), QStringLiteral("%")}.text();
}

QString usdText(double usd, const QLocale &locale, Sign sign, int decimals)
{
    if (!std::isfinite(usd)) return QString(kNoValue);
    const double magnitude = std::abs(usd);
    static constexpr std::array<Step, 6> steps{{{1.0, ""}, {1e3, "k"}, {1e6, "M"}, {1e9, "bn"}, {1e12, "tn"}, {1e15, "qn"}}};
    const Step &step = magnitude < 9999.5 ? steps.front() : stepFor(magnitude, steps);
    if (step.size > 1.0) decimals = decimalsFor(magnitude / step.size, 2);
    else if (decimals < 0) decimals = magnitude >= 99.995 ? 0 : magnitude < 0.9995 && magnitude > 0.0 ? decimalsFor(magnitude, kFinestUsd) : 2;
    const QString digits = locale.toString(magnitude / step.size, 'f', decimals);
    const bool zero = std::none_of(digits.cbegin(), digits.cend(), [](QChar c) { return c.isDigit() && c.digitValue() != 0; });
    QString text = QLatin1Char('$') + Quantity{digits, QLatin1String(step.prefix)}.text();
    if (zero) return text;
    if (usd < 0) return kMinus + text;
    return sign == Sign::Always ? QLatin1Char('+') + text : text;
}

} // namespace clusterbeat
