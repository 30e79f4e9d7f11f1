// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/sweep.h"
#include "tests/model/search/search_fixture.h"

using namespace clusterbeat;
using namespace clusterbeat::test;

class TestSweep : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void valuesAreApartByCommasOutsideBracketsAndStrings()
    {
        const auto values = [](const char *text) { return parseSweepAxis(text).value().values; };
        using Strings = std::vector<std::string>;
        const Strings numbers{"1", "2", "3"}, arrays{"[1,2]", "[3]"};
        QVERIFY(values("/a=1,2,3") == numbers);
        QVERIFY(values("/a=[1,2],[3]") == arrays);
        const Strings objects{"{\"x\":[1,{\"y\":2}],\"z\":3}", "none"};
        QVERIFY(values("/a={\"x\":[1,{\"y\":2}],\"z\":3},none") == objects);
        const Strings quoted{"\"x,]\"", "\"\\\",\"", "\"b\""};
        QVERIFY(values("/a=\"x,]\",\"\\\",\",\"b\"") == quoted);
        QVERIFY(values("/a=only") == Strings{"only"});
        QVERIFY(!parseSweepAxis("a=1").ok());
        QVERIFY(!parseSweepAxis("/a").ok());
    }

    // 2 x 3 points, the last axis fastest: (1,x) (1,y) (1,z) (2,x) (2,y) (2,z).
    void productInOrder()
    {
        const auto sweep = Sweep::make({{"/a", {"1", "2"}}, {"/b", {"x", "y", "z"}}});
        QCOMPARE(sweep.value().points(), std::int64_t{6});
        QStringList seen;
        for (std::int64_t point = 0; point < sweep.value().points(); ++point) {
            const auto edits = sweep.value().edits(point);
            QCOMPARE(edits[0].pointer, std::string("/a"));
            QCOMPARE(edits[1].pointer, std::string("/b"));
            seen << QString::fromStdString(edits[0].value + edits[1].value);
        }
        QCOMPARE(seen.join(QLatin1Char(' ')), QStringLiteral("1x 1y 1z 2x 2y 2z"));
    }

    void tooManyPointsAreRefused()
    {
        const std::vector<std::string> thousand(1000, "1");
        QVERIFY(Sweep::make({{"/a", thousand}, {"/b", thousand}}).ok());
        const auto refused = Sweep::make({{"/a", thousand}, {"/b", thousand}, {"/c", thousand}});
        QVERIFY(!refused.ok());
        QCOMPARE(refused.error().place.pointer, std::string("/c"));
    }

    // The parts in order are the whole, and differ by one point at most.
    void shardsCoverEveryPointOnce()
    {
        for (const std::int64_t points : {0, 1, 5, 64, 1000})
            for (const std::int64_t shards : {1, 2, 3, 7, 64, 999}) {
                std::int64_t next = 0, least = points, most = 0;
                for (std::int64_t shard = 1; shard <= shards; ++shard) {
                    const PointRange range = shardOf(points, shard, shards);
                    QCOMPARE(range.begin, next);
                    next = range.end;
                    least = std::min(least, range.end - range.begin);
                    most = std::max(most, range.end - range.begin);
                }
                QCOMPARE(next, points);
                QVERIFY(most - least <= 1);
            }
    }

    void equalSectionsAreShared()
    {
        const Scenario first = smallScenario();
        Scenario second = smallScenario({{"/layout/tensor", "4"}});
        shareSections(second, first);
        QVERIFY(second.cluster == first.cluster && second.model == first.model);
        QVERIFY(second.layout != first.layout);
        QCOMPARE(second.layout->tensor, std::int64_t{4});
    }
};

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
