// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/math.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace clusterbeat {
namespace {

// ln 2 split so that k * kLn2High is exact for |k| < 2^11 (fdlibm's split of the constant).
constexpr double kLn2High = 6.93147180369123816490e-01;
constexpr double kLn2Low = 1.90821492927058770002e-10;
constexpr double kPi = 3.14159265358979323846;

double scaleByPowerOfTwo(double x, int k)
{
    // ldexp is exact, but its speed is not our concern; two steps keep subnormal results right.
    return std::ldexp(x, k);
}

} // namespace

double exactExp(double x)
{
    if (std::isnan(x)) return x;
    if (x > 709.782712893384) return std::numeric_limits<double>::infinity();
    if (x < -745.2) return 0.0;
    // e^x = 2^k e^r with |r| <= ln2/2; e^r by its Taylor series, 14 terms (0.35^15/15! < 1e-19).
    const double k = std::floor(x / (kLn2High + kLn2Low) + 0.5);
    const double r = (x - k * kLn2High) - k * kLn2Low;
    double sum = 1.0;
    for (int n = 14; n >= 1; --n)
        sum = 1.0 + r * sum / n;
    return scaleByPowerOfTwo(sum, static_cast<int>(k));
}

double exactLog(double x)
{
    if (std::isnan(x) || x < 0.0) return std::numeric_limits<double>::quiet_NaN();
    if (x == 0.0) return -std::numeric_limits<double>::infinity();
    if (std::isinf(x)) return x;
    // x = 2^k m, sqrt(1/2) <= m < sqrt(2); ln m = 2 artanh((m-1)/(m+1)), |s| <= 0.1716.
    int k = 0;
    double m = std::frexp(x, &k);
    if (m < 0.70710678118654752440) {
        m *= 2.0;
        --k;
    }
    const double s = (m - 1.0) / (m + 1.0);
    const double s2 = s * s;
    double sum = 0.0;
    for (int n = 25; n >= 1; n -= 2)
        sum = 1.0 / n + s2 * sum;
    const double kd = static_cast<double>(k);
    return kd * kLn2High + (2.0 * s * sum + kd * kLn2Low);
}

double exactPow(double x, double y)
{
    if (y == 0.0) return 1.0;
    if (x == 0.0) return y > 0.0 ? 0.0 : std::numeric_limits<double>::infinity();
    if (x == 1.0) return 1.0;
    if (y == 1.0) return x;
    return exactExp(y * exactLog(x));
}

double exactCos2Pi(double x)
{
    // Reduce to |r| <= 1/8 turn, where the Taylor series of sin or cos converges fast.
    double r = x - std::floor(x);
    int quadrant = static_cast<int>(std::floor(r * 4.0 + 0.5));
    const double a = (r - quadrant * 0.25) * 2.0 * kPi;
    const double a2 = a * a;
    double cosine = 1.0;
    for (int n = 20; n >= 2; n -= 2)
        cosine = 1.0 - a2 * cosine / (n * (n - 1));
    double sine = 1.0;
    for (int n = 21; n >= 3; n -= 2)
        sine = 1.0 - a2 * sine / (n * (n - 1));
    sine *= a;
    switch (quadrant % 4) {
    case 0: return cosine;
    case 1: return -sine;
    case 2: return -cosine;
    default: return sine;
    }
}

} // namespace clusterbeat
