// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/math.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace clusterbeat;

class TestMath : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void exponential_data();
    void exponential();
    void logarithm_data();
    void logarithm();
    void power_data();
    void power();
    void cosine_data();
    void cosine();
    void edges();
    void logarithmInvertsExponential();
};

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool relativelyClose(double actual, double expected, double tolerance)
{
    return std::fabs(actual - expected) <= tolerance * std::fabs(expected);
}

} // namespace

// Expected values: decimal expansions, 60-digit arithmetic rounded to 20 digits. The arguments are exact in binary
// or so small in magnitude that their own rounding (|x| 2^-53) stays below the tolerance.
void TestMath::exponential_data()
{
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("expected");
    QTest::newRow("e") << 1.0 << 2.7182818284590452354;
    QTest::newRow("1/e") << -1.0 << 0.36787944117144232160;
    QTest::newRow("sqrt e") << 0.5 << 1.6487212707001281468;
    QTest::newRow("e^10") << 10.0 << 22026.465794806716517;
    QTest::newRow("e^-20") << -20.0 << 2.0611536224385578280e-9;
    QTest::newRow("e^100") << 100.0 << 2.6881171418161354484e43;
    QTest::newRow("e^700") << 700.0 << 1.0142320547350045095e304;
    QTest::newRow("e^-700") << -700.0 << 9.8596765437597708567e-305;
    QTest::newRow("e^(1/1024)") << 0.0009765625 << 1.0009770394924164929;
}

void TestMath::exponential()
{
    QFETCH(double, x);
    QFETCH(double, expected);
    QVERIFY2(relativelyClose(exactExp(x), expected, 1e-14), qPrintable(QString::number(exactExp(x), 'g', 17)));
}

void TestMath::logarithm_data()
{
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("expected");
    QTest::newRow("ln 2") << 2.0 << 0.69314718055994530942;
    QTest::newRow("ln 10") << 10.0 << 2.3025850929940456840;
    QTest::newRow("ln 1/2") << 0.5 << -0.69314718055994530942;
    QTest::newRow("ln 1.5") << 1.5 << 0.40546510810816438198;
    QTest::newRow("ln(1 + 2^-10)") << 1.0009765625 << 0.00097608597305545889597;
    QTest::newRow("ln 2^-1000") << std::ldexp(1.0, -1000) << -693.14718055994530942;
    QTest::newRow("ln 2^1023") << std::ldexp(1.0, 1023) << 709.08956571282405154;
    QTest::newRow("ln of the smallest subnormal, -1074 ln 2") << std::numeric_limits<double>::denorm_min()
                                                               << -744.44007192138126232;
}

void TestMath::logarithm()
{
    QFETCH(double, x);
    QFETCH(double, expected);
    QVERIFY2(relativelyClose(exactLog(x), expected, 1e-14), qPrintable(QString::number(exactLog(x), 'g', 17)));
}

void TestMath::power_data()
{
    QTest::addColumn<double>("x");
    QTest::addColumn<double>("y");
    QTest::addColumn<double>("expected");
    QTest::newRow("sqrt 2") << 2.0 << 0.5 << 1.4142135623730950488;
    QTest::newRow("1/sqrt 2") << 2.0 << -0.5 << 0.70710678118654752440;
    QTest::newRow("10^3") << 10.0 << 3.0 << 1000.0;
    QTest::newRow("10^-3") << 10.0 << -3.0 << 0.001;
    QTest::newRow("1.5^7 = 2187/128") << 1.5 << 7.0 << 17.0859375;
    QTest::newRow("0.75^2.5 = 9 sqrt(3)/32") << 0.75 << 2.5 << 0.48713928962874673532;
    QTest::newRow("2^40") << 2.0 << 40.0 << 1099511627776.0;
}

void TestMath::power()
{
    QFETCH(double, x);
    QFETCH(double, y);
    QFETCH(double, expected);
    QVERIFY2(relativelyClose(exactPow(x, y), expected, 1e-14), qPrintable(QString::number(exactPow(x, y), 'g', 17)));
}

// cos(2 pi x) at eighths, twelfths and fifths of a turn: sqrt(2)/2, sqrt(3)/2, 1/2, (sqrt(5) - 1)/4.
// 1/12 and 1/5 are not binary fractions: their rounding moves the value by less than 2 pi 2^-55 = 1.8e-16.
void TestMath::cosine_data()
{
    QTest::addColumn<double>("turns");
    QTest::addColumn<double>("expected");
    QTest::newRow("0") << 0.0 << 1.0;
    QTest::newRow("1/8") << 0.125 << 0.70710678118654752440;
    QTest::newRow("1/4") << 0.25 << 0.0;
    QTest::newRow("3/8") << 0.375 << -0.70710678118654752440;
    QTest::newRow("1/2") << 0.5 << -1.0;
    QTest::newRow("3/4") << 0.75 << 0.0;
    QTest::newRow("7/8") << 0.875 << 0.70710678118654752440;
    QTest::newRow("1/12") << 1.0 / 12.0 << 0.86602540378443864676;
    QTest::newRow("1/6") << 1.0 / 6.0 << 0.5;
    QTest::newRow("1/5") << 0.2 << 0.30901699437494742410;
    QTest::newRow("a turn further") << 1.125 << 0.70710678118654752440;
    QTest::newRow("backwards") << -0.375 << -0.70710678118654752440;
}

void TestMath::cosine()
{
    QFETCH(double, turns);
    QFETCH(double, expected);
    QVERIFY2(std::fabs(exactCos2Pi(turns) - expected) < 1e-15, qPrintable(QString::number(exactCos2Pi(turns), 'g', 17)));
}

void TestMath::edges()
{
    QCOMPARE(exactExp(0.0), 1.0);
    QCOMPARE(exactExp(710.0), kInfinity);
    QCOMPARE(exactExp(-746.0), 0.0);
    QVERIFY(exactExp(-744.0) > 0.0); // subnormal, not flushed
    QVERIFY(std::isnan(exactExp(std::nan(""))));
    QCOMPARE(exactLog(1.0), 0.0);
    QCOMPARE(exactLog(0.0), -kInfinity);
    QCOMPARE(exactLog(kInfinity), kInfinity);
    QVERIFY(std::isnan(exactLog(-1.0)));
    QCOMPARE(exactPow(0.0, 0.0), 1.0);
    QCOMPARE(exactPow(0.0, 2.0), 0.0);
    QCOMPARE(exactPow(0.0, -2.0), kInfinity);
    QCOMPARE(exactPow(1.0, 1e300), 1.0);
    QCOMPARE(exactPow(0.3, 1.0), 0.3);
}

// ln(e^x) = x; an error of 1e-14 relative in e^x is 1e-14 absolute in its logarithm.
void TestMath::logarithmInvertsExponential()
{
    for (int i = -7000; i <= 7000; ++i) {
        const double x = i / 10.0;
        const double back = exactLog(exactExp(x));
        QVERIFY2(std::fabs(back - x) <= 2e-14 + 3e-16 * std::fabs(x), qPrintable(QString::number(x)));
    }
}

QTEST_APPLESS_MAIN(TestMath)
#include "tst_math.moc"
