// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/result.h"
#include "model/base/units.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

using namespace clusterbeat;

class TestUnits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void durationsRoundOnce();
    void durationsClamp();
    void bitsAndBytes();
    void resultHoldsOneOfBoth();
};

// To the nearest nanosecond, halves up: 1.5 ns and 2.5 ns show that it is not the banker's rule.
void TestUnits::durationsRoundOnce()
{
    QCOMPARE(toNs(1.0), kNsPerSecond);
    QCOMPARE(toNs(1.4e-9), TimeNs{1});
    QCOMPARE(toNs(1.5e-9), TimeNs{2});
    QCOMPARE(toNs(2.5e-9), TimeNs{3});
    QCOMPARE(toNs(0.4e-9), TimeNs{0});
    QCOMPARE(toSeconds(1'500'000'000), 1.5);
    for (const TimeNs ns : {TimeNs{1}, TimeNs{999'999'999}, TimeNs{6'220'123'457}})
        QCOMPARE(toNs(toSeconds(ns)), ns);
}

void TestUnits::durationsClamp()
{
    QCOMPARE(toNs(-1.0), TimeNs{0});
    QCOMPARE(toNs(std::nan("")), TimeNs{0});
    QCOMPARE(toNs(1e300), TimeNs{1'000'000'000'000'000});
    QCOMPARE(toNs(std::numeric_limits<double>::infinity()), TimeNs{1'000'000'000'000'000});
}

// 400 Gb/s = 400 10^9 bit/s = 50 10^9 byte/s; 80 GiB = 80 * 2^30 bytes = 85.9 GB.
void TestUnits::bitsAndBytes()
{
    QCOMPARE(bytesPerSecondFromGbps(400.0), 50e9);
    QCOMPARE(bytesPerSecondFromGBps(450.0), 450e9);
    QCOMPARE(80 * kBytesPerGib, 85'899'345'920.0);
    QCOMPARE(80 * kBytesPerGb, 80e9);
}

void TestUnits::resultHoldsOneOfBoth()
{
    static_assert(!std::is_convertible_v<Result<bool>, bool>, "a Result<bool> must not be taken for its value");
    static_assert(!std::is_constructible_v<bool, Result<int>>, "nor in a condition");
    const Result<std::string> good(std::string("value"));
    QVERIFY(good.ok());
    QCOMPARE(good.value(), std::string("value"));
    const Result<std::string> bad(Error{ErrorCode::MissingKey, {"a.json", "/model", 3, 4}, {std::string("layers")}});
    QVERIFY(!bad.ok());
    QCOMPARE(bad.error().place.pointer, std::string("/model"));
    QCOMPARE(std::get<std::string>(bad.error().arguments.at(0)), std::string("layers"));
    QVERIFY(!(bad.error() == Error{}));
}

QTEST_APPLESS_MAIN(TestUnits)
#include "tst_units.moc"
