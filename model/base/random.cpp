// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"

#include "model/base/math.h"

#include <cmath>
#include <cstddef>
#include <vector>

namespace clusterbeat {
namespace {

constexpr std::size_t kCells = 65536;
constexpr std::size_t kTailCells = kCells / 1024;

std::vector<double> normalTable()
{
    std::vector<double> table(kCells + 1, 0.0);
    for (std::size_t i = kTailCells; i <= kCells - kTailCells; ++i)
        table[i] = inverseNormal(static_cast<double>(i) / static_cast<double>(kCells));
    return table;
}

const std::vector<double> &sharedTable()
{
    static const std::vector<double> table = normalTable();
    return table;
}

double fromTable(const double *table, double probability)
{
    const double position = probability * static_cast<double>(kCells);
    const auto cell = static_cast<std::size_t>(position);
    if (cell < kTailCells || cell >= kCells - kTailCells) return inverseNormal(probability);
    return table[cell] + (position - static_cast<double>(cell)) * (table[cell + 1] - table[cell]);
}

} // namespace

double inverseNormalFast(double probability) { return fromTable(sharedTable().data(), probability); }

double inverseNormal(double p)
{
    // P. J. Acklam, "An algorithm for computing the inverse normal cumulative distribution function" (2003).
    static constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02, -2.759285104469687e+02,
                                   1.383577518672690e+02, -3.066479806614716e+01, 2.506628277459239e+00};
    static constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                                   6.680131188771972e+01, -1.328068155288572e+01};
    static constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                                   -2.549732539343734e+00, 4.374664141464968e+00, 2.938163982698783e+00};
    static constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00, 3.754408661907416e+00};
    constexpr double low = 0.02425;
    const auto tail = [](double q) {
        return (((((c[0] * q + c[1]) * q + c[2]) * q + c[3]) * q + c[4]) * q + c[5]) /
               ((((d[0] * q + d[1]) * q + d[2]) * q + d[3]) * q + 1.0);
    };
    if (p < low) return tail(std::sqrt(-2.0 * exactLog(p)));
    if (p > 1.0 - low) return -tail(std::sqrt(-2.0 * exactLog(1.0 - p)));
    const double q = p - 0.5;
    const double r = q * q;
    return (((((a[0] * r + a[1]) * r + a[2]) * r + a[3]) * r + a[4]) * r + a[5]) * q /
           (((((b[0] * r + b[1]) * r + b[2]) * r + b[3]) * r + b[4]) * r + 1.0);
}

double randomExponential(std::uint64_t stream, std::uint64_t counter) { return -exactLog(randomUniform(stream, counter)); }

double randomLognormal(std::uint64_t stream, std::uint64_t counter, double sigma)
{
    // exp(N(mu, s)) has mean exp(mu + s^2/2) and squared coefficient of variation exp(s^2) - 1.
    const double variance = exactLog(1.0 + sigma * sigma);
    return exactExp(std::sqrt(variance) * randomNormal(stream, counter) - 0.5 * variance);
}

} // namespace clusterbeat
