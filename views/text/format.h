// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/units.h"

#include <QLocale>
#include <QString>

/// Figures as people read them: three or four significant digits, a space before the unit, digits and separators of
/// the locale, a real minus sign. QtCore only. Not-a-number and infinity become "–".
namespace clusterbeat {

/// A figure whose value and unit may be drawn in different sizes.
struct Quantity {
    QString value;
    QString unit;                                   ///< may be empty
    [[nodiscard]] QString text() const { return unit.isEmpty() ? value : value + QChar(0x00a0) + unit; }
    friend bool operator==(const Quantity &, const Quantity &) = default;
};

enum class Sign : quint8 { Natural, Always };       ///< Always: "+1.38", "−0.02", "0"

/// Three significant digits, at most `maxDecimals` decimals: 6.23, 62.4, 624, 6,240.
[[nodiscard]] QString numberText(double value, const QLocale &locale = {}, int maxDecimals = 2, Sign sign = Sign::Natural);
[[nodiscard]] QString integerText(qint64 value, const QLocale &locale = {});
[[nodiscard]] QString fixedText(double value, int decimals, const QLocale &locale = {}, Sign sign = Sign::Natural);

/// ns, µs, ms, s up to 10 minutes, then min, h, d: "6.23 s", "37.1 ms", "3.1 h".
[[nodiscard]] Quantity durationQuantity(TimeNs ns, const QLocale &locale = {}, Sign sign = Sign::Natural);
[[nodiscard]] QString durationText(TimeNs ns, const QLocale &locale = {}, Sign sign = Sign::Natural);
/// Seconds with two decimals whatever the size, for columns that add up: "1.38 s".
[[nodiscard]] QString secondsText(double seconds, const QLocale &locale = {}, Sign sign = Sign::Natural, int decimals = 2);
/// Decimal units (1 GB = 10^9 bytes): "62.4 GB".
[[nodiscard]] Quantity bytesQuantity(double bytes, const QLocale &locale = {});
[[nodiscard]] QString bytesText(double bytes, const QLocale &locale = {});
/// Giga-, tera-, petabit a second: "400 Gb/s".
[[nodiscard]] QString bitRateText(double gbps, const QLocale &locale = {});
/// "15.5 MW"
[[nodiscard]] Quantity powerQuantity(double watts, const QLocale &locale = {});
/// Tokens a second: value "2.70", unit "M tokens/s".
[[nodiscard]] Quantity tokenRateQuantity(double tokensPerS, const QLocale &locale = {}, Sign sign = Sign::Natural);
/// 0.413 -> "41.3 %"; below 10 % one decimal, from 99.95 % none.
[[nodiscard]] QString percentText(double fraction, const QLocale &locale = {}, int decimals = -1);
/// "$4.13", "$850 k", "$12.3 M", below a dollar three digits ("$0.0624"), with Sign::Always "+$12.3 M". `decimals` fixes
/// the digits of an amount below 10,000.
[[nodiscard]] QString usdText(double usd, const QLocale &locale = {}, Sign sign = Sign::Natural, int decimals = -1);

} // namespace clusterbeat
