// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"

#include <QtTest>

#include <cmath>
#include <set>

using namespace clusterbeat;

class TestRandom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mixerIsSplitMix64();
    void everyKeyWordMatters();
    void uniformMoments();
    void streamsAreUncorrelated();
    void normalQuantiles_data();
    void normalQuantiles();
    void normalIsSymmetric();
    void fastNormalFollowsTheExactOne();
};

// SplitMix64 seeded with 0 starts with these three numbers (Vigna's reference sequence); its state advances by the
// golden gamma, which mixBits adds itself.
void TestRandom::mixerIsSplitMix64()
{
    constexpr std::uint64_t gamma = 0x9e3779b97f4a7c15ULL;
    QCOMPARE(mixBits(0), 0xe220a8397b1dcdafULL);
    QCOMPARE(mixBits(gamma), 0x6e789e6aa1b965f4ULL);
    QCOMPARE(mixBits(2 * gamma), 0x06c45d188009454fULL);
}

void TestRandom::everyKeyWordMatters()
{
    std::set<std::uint64_t> streams;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        for (std::uint64_t entity = 0; entity < 100; ++entity) {
            for (std::uint64_t purpose = 0; purpose < 10; ++purpose)
                streams.insert(randomStream({seed, entity, purpose}));
        }
    }
    QCOMPARE(streams.size(), std::size_t{10'000});
    // The words are not interchangeable.
    QVERIFY(randomStream({1, 2, 3}) != randomStream({3, 2, 1}));
    QVERIFY(randomStream({1, 2, 3}) != randomStream({2, 1, 3}));
}

// Uniform on (0, 1): mean 1/2, variance 1/12. With n = 10^5 the standard error of the mean is 9.1e-4 and that of the
// variance sqrt((1/80 - 1/144)/n) = 2.4e-4; five of them are allowed.
void TestRandom::uniformMoments()
{
    const std::uint64_t stream = randomStream({7, 0, 0});
    constexpr int n = 100'000;
    double sum = 0.0;
    double squares = 0.0;
    for (int i = 0; i < n; ++i) {
        const double u = randomUniform(stream, static_cast<std::uint64_t>(i));
        QVERIFY(u > 0.0 && u < 1.0);
        sum += u;
        squares += u * u;
    }
    const double mean = sum / n;
    QVERIFY(std::fabs(mean - 0.5) < 5 * 9.1e-4);
    QVERIFY(std::fabs(squares / n - mean * mean - 1.0 / 12.0) < 5 * 2.4e-4);
}

// Neighbouring entities with the same counters, and neighbouring counters of one entity: the sample correlation of n
// independent pairs has standard error 1/sqrt(n) = 0.01.
void TestRandom::streamsAreUncorrelated()
{
    constexpr int n = 10'000;
    const std::uint64_t first = randomStream({1, 5219, 0});
    const std::uint64_t second = randomStream({1, 5220, 0});
    double acrossStreams = 0.0;
    double acrossCounters = 0.0;
    for (int i = 0; i < n; ++i) {
        const auto counter = static_cast<std::uint64_t>(i);
        const double u = randomUniform(first, counter) - 0.5;
        acrossStreams += u * (randomUniform(second, counter) - 0.5);
        acrossCounters += u * (randomUniform(first, counter + 1) - 0.5);
    }
    QVERIFY(std::fabs(12.0 * acrossStreams / n) < 0.05);
    QVERIFY(std::fabs(12.0 * acrossCounters / n) < 0.05);
}

// Quantiles of the standard normal distribution from statistical tables.
void TestRandom::normalQuantiles_data()
{
    QTest::addColumn<double>("probability");
    QTest::addColumn<double>("expected");
    QTest::newRow("75 %") << 0.75 << 0.67448975019608174;
    QTest::newRow("84.13 %") << 0.84134474606854293 << 1.0;
    QTest::newRow("95 %") << 0.95 << 1.6448536269514727;
    QTest::newRow("97.5 %") << 0.975 << 1.9599639845400545;
    QTest::newRow("99.5 %") << 0.995 << 2.5758293035489004;
    QTest::newRow("99.9 %") << 0.999 << 3.0902323061678132;
    QTest::newRow("1e-6") << 1e-6 << -4.7534243088228987;
}

void TestRandom::normalQuantiles()
{
    QFETCH(double, probability);
    QFETCH(double, expected);
    QVERIFY(std::fabs(inverseNormal(probability) - expected) <= 1e-8 * std::fabs(expected));
}

void TestRandom::normalIsSymmetric()
{
    QCOMPARE(inverseNormal(0.5), 0.0);
    // p and 1 - p are both exact for these, on both sides of the change of approximation at 0.02425.
    for (const double p : {0.25, 0.125, 0.0625, 0.03125, 0.015625, 0.00390625})
        QVERIFY(std::fabs(inverseNormal(p) + inverseNormal(1.0 - p)) < 1e-15);
}

// Linear interpolation errs by h^2/8 · max|f''|: cells of 2^-16, f'' = x/φ(x)^2 below 1/1024 from the ends (|x| < 3.1,
// φ > 0.0033): 2.9e-11 · 2.9e5 = 8.3e-6.
void TestRandom::fastNormalFollowsTheExactOne()
{
    double previous = -100.0;
    for (int i = 1; i < 200'000; ++i) {
        const double p = i / 200'000.0;
        const double fast = inverseNormalFast(p);
        QVERIFY(std::abs(fast - inverseNormal(p)) < 2e-5);
        QVERIFY(fast > previous);
        previous = fast;
    }
    QCOMPARE(inverseNormalFast(1e-6), inverseNormal(1e-6));
}

QTEST_APPLESS_MAIN(TestRandom)
#include "tst_random.moc"
