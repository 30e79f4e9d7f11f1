// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/jitter.h"
#include "model/iteration/speed.h"
#include "tests/model/iteration/random_plans.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace clusterbeat;

namespace {

constexpr double kSigma = 0.1;
constexpr int kOperations = 20'000;

/// One group of `members` whose jitter has tables, or not.
IterationPlan groupOf(int members, JitterDistribution distribution, bool tables = true, std::uint64_t seed = 1)
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 1, 10, 20, 1, members);
    IterationPlan::Jitter jitter{kSigma, seed, {}, distribution};
    if (tables) jitter.tables = std::make_shared<const JitterTables>(jitter, std::vector<std::size_t>{static_cast<std::size_t>(members)});
    plan.jitter.push_back(jitter);
    return plan;
}

/// Probability that a factor is at most x, from the distributions' closed forms: the test's own, in std's functions.
double probabilityOf(JitterDistribution distribution, double x)
{
    switch (distribution) {
    case JitterDistribution::Lognormal: {
        const double variance = std::log1p(kSigma * kSigma);
        return 0.5 * std::erfc(-(std::log(x) + 0.5 * variance) / std::sqrt(2.0 * variance));
    }
    case JitterDistribution::Exponential: return 1.0 - std::exp(-((x - 1.0) / kSigma + 1.0));
    case JitterDistribution::Normal: break;
    }
    return 0.5 * std::erfc(-(x - 1.0) / (kSigma * std::sqrt(2.0)));
}

/// Largest distance of the sample's distribution from the uniform one (Kolmogorov and Smirnov).
double distanceFromUniform(std::vector<double> sample)
{
    std::sort(sample.begin(), sample.end());
    double distance = 0.0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const double below = static_cast<double>(i) / static_cast<double>(sample.size());
        distance = std::max({distance, std::abs(sample[i] - below), std::abs(sample[i] - below - 1.0 / static_cast<double>(sample.size()))});
    }
    return distance;
}

/// One sample in a thousand of uniform numbers is further off (1.95/sqrt(n)).
double tolerance() { return 1.95 / std::sqrt(static_cast<double>(kOperations)); }

} // namespace

class TestJitter : public QObject {
    Q_OBJECT
private slots:
    void slowestIsTheMaximum_data() { distributions(); }
    void slowestIsTheMaximum();
    void membersAreDrawnAsIfAlone_data() { distributions(); }
    void membersAreDrawnAsIfAlone();
    void expectedMaximum_data();
    void expectedMaximum();
    void oneMemberIsTheSlowest();
    void othersOnAverage();
    void tablesChangeNoBit_data() { distributions(); }
    void tablesChangeNoBit();
    void partOfAGroup();
    void othersChangeNoDraw();

private:
    static void distributions();
};

void TestJitter::distributions()
{
    QTest::addColumn<int>("distribution");
    QTest::addColumn<int>("members");
    for (const int members : {1, 2, 8, 64}) {
        QTest::addRow("normal %d", members) << static_cast<int>(JitterDistribution::Normal) << members;
        QTest::addRow("lognormal %d", members) << static_cast<int>(JitterDistribution::Lognormal) << members;
        QTest::addRow("exponential %d", members) << static_cast<int>(JitterDistribution::Exponential) << members;
    }
}

// The maximum of n draws is at most x with probability F(x)^n, which is therefore uniform.
void TestJitter::slowestIsTheMaximum()
{
    QFETCH(int, distribution);
    QFETCH(int, members);
    const auto kind = static_cast<JitterDistribution>(distribution);
    const IterationPlan plan = groupOf(members, kind);
    const GroupDraws draws(plan, plan.jitter.front(), 0, 0);
    std::vector<double> sample;
    for (int k = 0; k < kOperations; ++k)
        sample.push_back(std::pow(probabilityOf(kind, draws.slowest(k)), members));
    QVERIFY2(distanceFromUniform(sample) < tolerance(), qPrintable(QString::number(distanceFromUniform(sample))));
}

// A member's own factor, whether it is the slowest or derived, has the jitter's distribution; two members' are independent,
// so that the product of their probabilities is 1/4 on average (its standard deviation is sqrt(1/9 - 1/16) = 0.22).
void TestJitter::membersAreDrawnAsIfAlone()
{
    QFETCH(int, distribution);
    QFETCH(int, members);
    const auto kind = static_cast<JitterDistribution>(distribution);
    const IterationPlan plan = groupOf(members, kind);
    const GroupDraws draws(plan, plan.jitter.front(), 0, 0);
    std::vector<double> sample;
    double product = 0.0;
    for (int k = 0; k < kOperations; ++k) {
        sample.push_back(probabilityOf(kind, draws.of(0, k)));
        product += sample.back() * probabilityOf(kind, draws.of(members - 1, k)) / kOperations;
    }
    QVERIFY2(distanceFromUniform(sample) < tolerance(), qPrintable(QString::number(distanceFromUniform(sample))));
    if (members > 1) QVERIFY2(std::abs(product - 0.25) < 4.0 * 0.22 / std::sqrt(kOperations), qPrintable(QString::number(product)));
}

void TestJitter::expectedMaximum_data()
{
    QTest::addColumn<int>("distribution");
    QTest::addColumn<int>("members");
    QTest::addColumn<double>("expected");   // in standard deviations above the mean
    // Normal: 1/sqrt(pi), 3/(2 sqrt(pi)), and for 4 and 8 Harter 1961, table 1. Exponential: 1 + 1/2 + … + 1/n, less 1.
    QTest::newRow("normal 2") << 0 << 2 << 0.5641896;
    QTest::newRow("normal 3") << 0 << 3 << 0.8462844;
    QTest::newRow("normal 4") << 0 << 4 << 1.0293754;
    QTest::newRow("normal 8") << 0 << 8 << 1.4236003;
    QTest::newRow("exponential 2") << 2 << 2 << 0.5;
    QTest::newRow("exponential 8") << 2 << 8 << 1.7178571;
}

// The standard deviation of a maximum is below one sigma for the normal, below pi/sqrt(6) = 1.28 for the exponential.
void TestJitter::expectedMaximum()
{
    QFETCH(int, distribution);
    QFETCH(int, members);
    QFETCH(double, expected);
    const auto kind = distribution == 0 ? JitterDistribution::Normal : JitterDistribution::Exponential;
    const IterationPlan plan = groupOf(members, kind);
    const GroupDraws draws(plan, plan.jitter.front(), 0, 0);
    double mean = 0.0;
    for (int k = 0; k < kOperations; ++k)
        mean += (draws.slowest(k) - 1.0) / kSigma / kOperations;
    QVERIFY2(std::abs(mean - expected) < 4.0 * 1.28 / std::sqrt(kOperations), qPrintable(QString::number(mean)));
}

void TestJitter::oneMemberIsTheSlowest()
{
    const int members = 8;
    const IterationPlan plan = groupOf(members, JitterDistribution::Normal);
    const GroupDraws draws(plan, plan.jitter.front(), 0, 0);
    std::vector<int> times(members, 0);
    for (int k = 0; k < kOperations; ++k) {
        const double slowest = draws.slowest(k);
        int equal = 0;
        for (int member = 0; member < members; ++member) {
            const double own = draws.of(member, k);
            QVERIFY(own <= slowest);
            if (own == slowest) {
                ++equal;
                ++times[static_cast<std::size_t>(member)];
                QCOMPARE(draws.slowestMember(k), member);
            }
        }
        QCOMPARE(equal, 1);
    }
    // Each one in 8: 2,500 times, standard deviation sqrt(20,000 · 1/8 · 7/8) = 47.
    for (const int count : times)
        QVERIFY2(std::abs(count - 2500) < 4 * 47, qPrintable(QString::number(count)));
    QCOMPARE(groupFactor(plan, 0, 0, 1), draws.slowest(1));
    QCOMPARE(slowestMember(plan, 0, 0, 1), draws.slowestMember(1));
    QCOMPARE(memberFactor(plan, 0, 0, 3, 1), draws.of(3, 1));
}

// One draw an operation instead of eight: the slowest is the same number, and the mean factor is, given the slowest, what
// the members' mean is on average: over many operations the two agree within 4 standard errors (a mean of 8 varies by
// 0.1 / sqrt(8) = 0.036).
void TestJitter::othersOnAverage()
{
    for (const auto kind : {JitterDistribution::Normal, JitterDistribution::Lognormal, JitterDistribution::Exponential}) {
        const int members = 8;
        IterationPlan plan = groupOf(members, kind);
        plan.schedule = makeSchedule(ScheduleKind::OneFOneB, 1, 1, kOperations / 2);
        const GroupFactors exact = groupFactors(plan, 0, 0, kOperations, MemberMean::Exact);
        const GroupFactors expected = groupFactors(plan, 0, 0, kOperations, MemberMean::Expected);
        double difference = 0.0;
        for (std::size_t k = 0; k < kOperations; ++k) {
            QCOMPARE(expected.slowest[k], exact.slowest[k]);
            QVERIFY(expected.mean[k] < expected.slowest[k]);
            difference += (expected.mean[k] - exact.mean[k]) / kOperations;
        }
        QVERIFY2(std::abs(difference) < 4.0 * 0.036 / std::sqrt(kOperations), qPrintable(QString::number(difference)));
    }
}

void TestJitter::tablesChangeNoBit()
{
    QFETCH(int, distribution);
    QFETCH(int, members);
    const auto kind = static_cast<JitterDistribution>(distribution);
    const IterationPlan with = groupOf(members, kind), without = groupOf(members, kind, false);
    const GroupDraws fast(with, with.jitter.front(), 0, 0), plain(without, without.jitter.front(), 0, 0);
    QVERIFY(fast.hasTable() && !plain.hasTable());
    for (int k = -2; k < 1000; ++k) {
        if (k == -1) continue;
        QCOMPARE(fast.slowest(k), plain.slowest(k));
        for (int member = 0; member < std::min(members, 3); ++member)
            QCOMPARE(fast.of(member, k), plain.of(member, k));
    }
}

// Jitter on members 1 and 3 of 4: the others' factor is 1, and the group waits for the slowest of all four.
void TestJitter::partOfAGroup()
{
    IterationPlan plan = groupOf(4, JitterDistribution::Normal, false);
    plan.jitter.front().affected = {0, 1, 0, 1};
    plan.jitter.front().tables = std::make_shared<const JitterTables>(plan.jitter.front(), std::vector<std::size_t>{2});
    plan.schedule = makeSchedule(ScheduleKind::OneFOneB, 1, 1, 100);
    const GroupDraws draws(plan, plan.jitter.front(), 0, 0);
    QCOMPARE(draws.count(), std::size_t{2});
    const GroupFactors expected = groupFactors(plan, 0, 0, 200, MemberMean::Expected), exact = groupFactors(plan, 0, 0, 200);
    for (int k = 0; k < 200; ++k) {
        QCOMPARE(memberFactor(plan, 0, 0, 0, k), 1.0);
        QCOMPARE(memberFactor(plan, 0, 0, 2, k), 1.0);
        const double most = std::max({1.0, memberFactor(plan, 0, 0, 1, k), memberFactor(plan, 0, 0, 3, k)});
        QCOMPARE(groupFactor(plan, 0, 0, k), most);
        QCOMPARE(expected.slowest[static_cast<std::size_t>(k)], most);
        QCOMPARE(exact.slowest[static_cast<std::size_t>(k)], most);
    }
}

// A slow GPU in the group, a second jitter, another seed's jitter before it: the first one's draws stay.
void TestJitter::othersChangeNoDraw()
{
    const IterationPlan plan = groupOf(4, JitterDistribution::Normal);
    IterationPlan more = plan;
    more.slowness = {1.0, 2.0, 1.0, 1.0};
    more.jitter.insert(more.jitter.begin(), groupOf(4, JitterDistribution::Lognormal, true, 2).jitter.front());
    const IterationPlan other = groupOf(4, JitterDistribution::Lognormal, true, 2);
    for (int k = 0; k < 2; ++k) {
        double slowest = 0.0;
        for (int member = 0; member < 4; ++member) {
            const double product = memberFactor(plan, 0, 0, member, k) * memberFactor(other, 0, 0, member, k) * (member == 1 ? 2.0 : 1.0);
            QVERIFY(std::abs(memberFactor(more, 0, 0, member, k) - product) < 1e-15 * product * 4);
            slowest = std::max(slowest, memberFactor(more, 0, 0, member, k));
        }
        QCOMPARE(groupFactor(more, 0, 0, k), slowest);
        QCOMPARE(memberFactor(more, 0, 0, slowestMember(more, 0, 0, k), k), slowest);
    }
}

QTEST_APPLESS_MAIN(TestJitter)
#include "tst_jitter.moc"
