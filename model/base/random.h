// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>

namespace clusterbeat {

/// Counter-based random numbers: a pure function of (seed, entity, purpose, counter), so one more
/// perturbation, another thread or another order of evaluation never reshuffles the others.
/// The mixer is SplitMix64's finaliser (Steele, Lea, Flood 2014), applied once per key word.
struct RandomKey {
    std::uint64_t seed = 0;
    std::uint64_t entity = 0;
    std::uint64_t purpose = 0;
};

[[nodiscard]] constexpr std::uint64_t mixBits(std::uint64_t z)
{
    z += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}
[[nodiscard]] constexpr std::uint64_t randomStream(const RandomKey &key)
{
    return mixBits(mixBits(mixBits(key.seed) ^ key.entity) ^ key.purpose);
}
[[nodiscard]] constexpr std::uint64_t randomBits(std::uint64_t stream, std::uint64_t counter) { return mixBits(stream ^ mixBits(counter)); }
/// Uniform in (0, 1), never 0 or 1.
[[nodiscard]] constexpr double randomUniform(std::uint64_t stream, std::uint64_t counter)
{
    return (static_cast<double>(randomBits(stream, counter) >> 12) + 0.5) / 4503599627370496.0;
}
/// Standard normal by inverting its distribution (Acklam's rational approximation, relative error 1.2e-9).
[[nodiscard]] double inverseNormal(double probability);
/// The same from a table of 2^16 cells, linear between them (absolute error below 2e-5 in the body), exact in both
/// tails of 1/1024: for millions of draws.
[[nodiscard]] double inverseNormalFast(double probability);
[[nodiscard]] inline double randomNormal(std::uint64_t stream, std::uint64_t counter) { return inverseNormalFast(randomUniform(stream, counter)); }
/// Mean 1 (the standard exponential), by inversion.
[[nodiscard]] double randomExponential(std::uint64_t stream, std::uint64_t counter);
/// Lognormal of mean 1 and standard deviation `sigma`.
[[nodiscard]] double randomLognormal(std::uint64_t stream, std::uint64_t counter, double sigma);

} // namespace clusterbeat
