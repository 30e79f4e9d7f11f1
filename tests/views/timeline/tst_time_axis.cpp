// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/dense_columns.h"
#include "views/timeline/span_runs.h"
#include "views/timeline/time_axis.h"
#include "views/timeline/timeline_layout.h"

#include <QtTest>

using namespace clusterbeat;

class TestTimeAxis final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void mapsAndInverts();
    void zeroWidthAndEmptyRange();
    void ticks_data();
    void ticks();
    void zoomKeepsTheAnchor();
    void zoomStopsAtTheEnds();
    void pagesAtNinetyPercent();
    void runsOfWholePixels();
    void subPixelSpansMergeAndTheWidestWins();
    void mergedRunsStandForNoOperation();
    void narrowSpansAreDense();
    void denseColumnsShowShares();
    void wideDenseRangesAreSmooth();
    void runsLeaveDenseColumns();
    void plateHidesTickLabels();
    void runsAreDisjointAndInside_data();
    void runsAreDisjointAndInside();
};

// 6 s on 1,200 px: 5 ms a pixel, so 1.5 s lies at x0 + 300. The inverse may be off by half a nanosecond of rounding
// plus what a double loses: well under 1 ns per pixel of the axis.
void TestTimeAxis::mapsAndInverts()
{
    const TimeAxis axis{{0, 6 * kNsPerSecond}, 136.0, 1200.0};
    QCOMPARE(axis.xOf(1'500'000'000), 436.0);
    QCOMPARE(axis.timeAt(436.0), TimeNs{1'500'000'000});
    const TimeAxis odd{{1'234'567'891, 4'000'000'007}, 104.0, 826.0};
    for (TimeNs t = odd.range.begin; t <= odd.range.end; t += 98'765'431)
        QVERIFY(std::llabs(odd.timeAt(odd.xOf(t)) - t) <= 1);
}

void TestTimeAxis::zeroWidthAndEmptyRange()
{
    const TimeAxis noWidth{{0, 1000}, 7.0, 0.0};
    QCOMPARE(noWidth.xOf(500), 7.0);
    QCOMPARE(noWidth.timeAt(99.0), TimeNs{0});
    const TimeAxis noRange{{42, 42}, 7.0, 100.0};
    QCOMPARE(noRange.xOf(500), 7.0);
    QCOMPARE(noRange.timeAt(50.0), TimeNs{42});
    QVERIFY(niceTicks(noWidth, 60.0).at.empty());
    std::vector<PixelRun> runs{{0, 1, Category::Forward, 0}};
    const std::vector<Span> spans{{0, 1000, Category::Forward, 0, EventKind::None}};
    pixelRuns(spans, noWidth, runs);
    QVERIFY(runs.empty());
    pixelRuns(spans, noRange, runs);
    QVERIFY(runs.empty());
}

// Least step = ns per pixel * 80 px, rounded up to 1, 2, 5 x 10^k; decimals = digits of the step below one second.
void TestTimeAxis::ticks_data()
{
    QTest::addColumn<qlonglong>("begin");
    QTest::addColumn<qlonglong>("end");
    QTest::addColumn<qlonglong>("step");
    QTest::addColumn<qlonglong>("first");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("decimals");
    // 6.2 s / 1000 px * 80 px = 0.496 s -> 0.5 s: 0, 0.5, ... 6.0
    QTest::newRow("iteration") << 0LL << 6'200'000'000LL << 500'000'000LL << 0LL << 13 << 1;
    // 0.9 s / 1000 * 80 = 72 ms -> 100 ms: 5.4, 5.5, ... 6.2
    QTest::newRow("zoomed") << 5'360'000'000LL << 6'260'000'000LL << 100'000'000LL << 5'400'000'000LL << 9 << 1;
    // 0.1 ms / 1000 * 80 = 8 us -> 10 us: 0, 10, ... 100 us
    QTest::newRow("micro") << 0LL << 100'000LL << 10'000LL << 0LL << 11 << 5;
}

void TestTimeAxis::ticks()
{
    QFETCH(qlonglong, begin);
    QFETCH(qlonglong, end);
    const TimeAxis axis{{begin, end}, 0.0, 1000.0};
    const Ticks ticks = niceTicks(axis, 80.0);
    QTEST(static_cast<qlonglong>(ticks.step), "step");
    QTEST(static_cast<qlonglong>(ticks.at.front()), "first");
    QTEST(static_cast<int>(ticks.at.size()), "count");
    QTEST(secondsDecimals(ticks.step), "decimals");
}

// The anchor stands at a quarter of [2 s, 6 s]; halved: 2 s long, a quarter before it: [2.5 s, 4.5 s].
void TestTimeAxis::zoomKeepsTheAnchor()
{
    const TimeNs s = kNsPerSecond;
    const TimeRange closer = zoomedAround({2 * s, 6 * s}, 3 * s, 0.5, 10 * s);
    QCOMPARE(closer.begin, TimeNs{2'500'000'000});
    QCOMPARE(closer.end, TimeNs{4'500'000'000});
    TimeRange range{123'456'789, 7'654'321'987};
    const TimeNs anchor = 1'000'000'007;
    for (int i = 0; i < 40; ++i) {
        const double x = TimeAxis{range, 0.0, 1240.0}.xOf(anchor);
        range = zoomedAround(range, anchor, 0.8, 10 * s);
        QVERIFY(std::abs(TimeAxis{range, 0.0, 1240.0}.xOf(anchor) - x) < 0.05);
    }
}

void TestTimeAxis::zoomStopsAtTheEnds()
{
    const TimeNs s = kNsPerSecond;
    QCOMPARE(zoomedAround({2 * s, 6 * s}, 3 * s, 1e30, 10 * s), (TimeRange{0, 10 * s}));
    QCOMPARE(zoomedAround({0, 4 * s}, 0, 1e-30, 10 * s), (TimeRange{0, kShortestVisible}));
    QCOMPARE(zoomedAround({0, 4 * s}, 4 * s, 2.0, 10 * s), (TimeRange{0, 8 * s}));
    QCOMPARE(pannedBy({8 * s, 10 * s}, 5 * s, 10 * s), (TimeRange{8 * s, 10 * s}));
    QCOMPARE(pannedBy({2 * s, 4 * s}, -9 * s, 10 * s), (TimeRange{0, 2 * s}));
}

// [1 s, 2 s]: fixed until 1.9 s; there the page turns to start 0.1 s before the playhead. The last page stays.
void TestTimeAxis::pagesAtNinetyPercent()
{
    const TimeNs s = kNsPerSecond, tenth = s / 10;
    const TimeRange page{s, 2 * s};
    QCOMPARE(pagedTo(page, 19 * tenth - 1, 6 * s), page);
    QCOMPARE(pagedTo(page, 19 * tenth, 6 * s), (TimeRange{18 * tenth, 28 * tenth}));
    QCOMPARE(pagedTo(page, 0, 6 * s), (TimeRange{0, s}));
    QCOMPARE(pagedTo({5 * s, 6 * s}, 6 * s, 6 * s), (TimeRange{5 * s, 6 * s}));
    QCOMPARE(pagedTo({0, 6 * s}, 6 * s, 6 * s), (TimeRange{0, 6 * s}));
}

void TestTimeAxis::runsOfWholePixels()
{
    // 10 ns a pixel: the spans lie on pixel borders, the runs are exact; a gap (50..60) stays empty
    const std::vector<Span> spans{{0, 30, Category::Forward, 0, EventKind::None},
                                  {30, 50, Category::Forward, 1, EventKind::None},
                                  {60, 100, Category::Bubble, kNone, EventKind::None}};
    std::vector<PixelRun> runs;
    pixelRuns(spans, {{0, 100}, 0.0, 10.0}, runs);
    const std::vector<PixelRun> expected{{0, 3, Category::Forward, 0}, {3, 5, Category::Forward, 1}, {6, 10, Category::Bubble, 2}};
    QVERIFY(runs == expected);
}

// Column 0 holds 4 ns forward, 3 ns wait, 3 ns wait: wait wins with 6 ns, and shows its first (widest) span.
// Column 1 holds 6 ns backward of a span that goes on: one run over columns 1 to 4.
void TestTimeAxis::subPixelSpansMergeAndTheWidestWins()
{
    const std::vector<Span> spans{{0, 3, Category::StragglerWait, kNone, EventKind::None},
                                  {3, 7, Category::Forward, 0, EventKind::None},
                                  {7, 10, Category::StragglerWait, kNone, EventKind::None},
                                  {10, 14, Category::Forward, 1, EventKind::None},
                                  {14, 50, Category::Backward, 2, EventKind::None}};
    std::vector<PixelRun> runs;
    pixelRuns(spans, {{0, 50}, 0.0, 5.0}, runs);
    QCOMPARE(runs.size(), std::size_t{2});
    QVERIFY(runs[0] == (PixelRun{0, 1, Category::StragglerWait, 0, true}));
    QVERIFY(runs[1] == (PixelRun{1, 5, Category::Backward, 4}));
}

// 10 ns a pixel. Forwards of 7 ns with waits of 3 ns between: forward wins in all 20 columns, one run that stands for no
// operation. Then a forward of 50 ns: a run of its own, not merged.
void TestTimeAxis::mergedRunsStandForNoOperation()
{
    std::vector<Span> spans;
    for (std::int32_t i = 0; i < 20; ++i) {
        spans.push_back({i * 10, i * 10 + 7, Category::Forward, i, EventKind::None});
        spans.push_back({i * 10 + 7, i * 10 + 10, Category::StragglerWait, kNone, EventKind::None});
    }
    spans.push_back({200, 250, Category::Forward, 20, EventKind::None});
    std::vector<PixelRun> runs;
    pixelRuns(spans, {{0, 250}, 0.0, 25.0}, runs);
    QCOMPARE(runs.size(), std::size_t{2});
    QVERIFY(runs[0] == (PixelRun{0, 20, Category::Forward, 0, true}));
    QVERIFY(runs[1] == (PixelRun{20, 25, Category::Forward, 40, false}));
    // operations back to back whose borders fall inside columns (12 ns each, 1.2 px): every run is one operation or merged
    spans.clear();
    for (std::int32_t i = 0; i < 20; ++i)
        spans.push_back({i * 12, i * 12 + 12, Category::Forward, i, EventKind::None});
    pixelRuns(spans, {{0, 240}, 0.0, 24.0}, runs);
    for (const PixelRun &run : runs)
        QVERIFY(run.merged || run.width() <= 2);
}

// 10 ns a pixel. [0, 100) wide; [100, 115) 1.5 px narrow, [115, 165) a gap of 5 px, at most 8: joined; [165, 185) 2 px narrow;
// [185, 485) 30 px wide; [485, 500) narrow again. At twice the ratio 5 px are narrow as well, and 30 px are not.
void TestTimeAxis::narrowSpansAreDense()
{
    const auto span = [](TimeNs b, TimeNs e) { return Span{b, e, Category::Forward, 0, EventKind::None}; };
    const std::vector<Span> spans{span(0, 100), span(100, 115), span(115, 165), span(165, 185), span(185, 485), span(485, 500)};
    const TimeAxis axis{{0, 500}, 0.0, 50.0};
    const std::vector<DenseRange> expected{{10, 19}, {48, 50}};
    QVERIFY(denseRanges(spans, axis) == expected);
    QVERIFY(denseRanges(spans, axis, 2.0) == expected);
    // twice as close: 3 px are not narrow any more, 4 px neither
    QVERIFY(denseRanges(spans, {{0, 500}, 0.0, 100.0}).empty());
}

// One column of 10 ns: 6 ns of forward of which a quarter is exposed TP, 4 ns of wait. Shares 0.45, 0.15 and 0.4.
void TestTimeAxis::denseColumnsShowShares()
{
    const std::vector<Span> spans{{0, 6, Category::Forward, 0, EventKind::None}, {6, 10, Category::StragglerWait, kNone, EventKind::None}};
    const auto parts = [](std::int32_t index) {
        ColumnShares shares{};
        if (index == 1) shares[categoryIndex(Category::StragglerWait)] = 1.0;
        else shares[categoryIndex(Category::Forward)] = 0.75, shares[categoryIndex(Category::ExposedTp)] = 0.25;
        return shares;
    };
    const auto columns = columnShares(spans, {{0, 10}, 0.0, 1.0}, {0, 1}, parts);
    QCOMPARE(columns.size(), std::size_t{1});
    QVERIFY(std::abs(columns[0][categoryIndex(Category::Forward)] - 0.45) < 1e-12);
    QVERIFY(std::abs(columns[0][categoryIndex(Category::ExposedTp)] - 0.15) < 1e-12);
    QVERIFY(std::abs(columns[0][categoryIndex(Category::StragglerWait)] - 0.4) < 1e-12);
}

// Forwards of 2.4 px and waits of 1 px in turn over 340 px: 2.4 / 3.4 = 0.706 of the time is forward, and no column away
// from the ends is off by more than a stripe, 1 of the 17 columns of its window. Everywhere the shares add up to 1.
void TestTimeAxis::wideDenseRangesAreSmooth()
{
    std::vector<Span> spans;
    for (std::int32_t i = 0; i < 100; ++i) {
        spans.push_back({i * 34, i * 34 + 24, Category::Forward, i, EventKind::None});
        spans.push_back({i * 34 + 24, i * 34 + 34, Category::StragglerWait, kNone, EventKind::None});
    }
    const TimeAxis axis{{0, 3400}, 0.0, 340.0};
    const auto ranges = denseRanges(spans, axis);
    QVERIFY(ranges == (std::vector<DenseRange>{{0, 340}}));
    const auto parts = [&](std::int32_t index) {
        ColumnShares shares{};
        shares[categoryIndex(spans[static_cast<std::size_t>(index)].category)] = 1.0;
        return shares;
    };
    const auto columns = columnShares(spans, axis, ranges.front(), parts);
    for (std::size_t x = 0; x < columns.size(); ++x) {
        const double forward = columns[x][categoryIndex(Category::Forward)];
        QVERIFY(std::abs(forward + columns[x][categoryIndex(Category::StragglerWait)] - 1.0) < 1e-9);
        if (x >= 8 && x + 8 < columns.size()) QVERIFY(std::abs(forward - 24.0 / 34.0) < 1.0 / 17.0);
    }
}

void TestTimeAxis::runsLeaveDenseColumns()
{
    const std::vector<DenseRange> dense{{10, 19}, {48, 50}};
    QVERIFY(outsideDense(0, 11, dense) == std::make_pair(0, 10));
    QVERIFY(outsideDense(18, 49, dense) == std::make_pair(19, 48));
    QVERIFY(outsideDense(20, 30, dense) == std::make_pair(20, 30));
    const auto inside = outsideDense(11, 19, dense);
    QVERIFY(inside.first >= inside.second);
}

// A label of 40 px on the tick at 500: columns 480 to 519, with 4 px of air 476 to 523. At the ends labels move inside.
void TestTimeAxis::plateHidesTickLabels()
{
    const QRect ruler(100, 0, 900, 24);
    const QRect label = tickLabelRect(500, 40, ruler);
    QCOMPARE(label.left(), 480);
    QCOMPARE(label.right(), 519);
    QVERIFY(touchesPlate(label, QRect(440, 4, 37, 16)));        // to 476
    QVERIFY(!touchesPlate(label, QRect(440, 4, 36, 16)));
    QVERIFY(touchesPlate(label, QRect(523, 4, 50, 16)));
    QVERIFY(!touchesPlate(label, QRect(524, 4, 50, 16)));
    QVERIFY(!touchesPlate(label, QRect()));
    QCOMPARE(tickLabelRect(100, 40, ruler).left(), 100);
    QVERIFY(tickLabelRect(1000, 40, ruler).right() <= ruler.right());
}

void TestTimeAxis::runsAreDisjointAndInside_data()
{
    QTest::addColumn<qlonglong>("begin");
    QTest::addColumn<qlonglong>("end");
    QTest::addColumn<int>("width");
    QTest::newRow("all") << 0LL << 2'000'000LL << 826;
    QTest::newRow("part") << 100'000LL << 300'123LL << 1140;
    QTest::newRow("close") << 500'001LL << 500'977LL << 1140;
    QTest::newRow("one pixel") << 0LL << 2'000'000LL << 1;
    QTest::newRow("beyond") << 1'900'000LL << 9'000'000LL << 333;
}

void TestTimeAxis::runsAreDisjointAndInside()
{
    QFETCH(qlonglong, begin);
    QFETCH(qlonglong, end);
    QFETCH(int, width);
    std::vector<Span> spans;
    TimeNs t = 0;
    for (std::uint32_t i = 0; t < 2'000'000; ++i) {
        const TimeNs length = 1 + (i * 7919u) % (i % 50 == 0 ? 40'000u : 700u);
        spans.push_back({t, t + length, static_cast<Category>((i * 31u) % kCategoryCount), kNone, EventKind::None});
        t += length;
    }
    std::vector<PixelRun> runs;
    const TimeAxis axis{{begin, end}, 0.0, static_cast<double>(width)};
    pixelRuns(spans, axis, runs);
    QVERIFY(!runs.empty());
    std::int32_t x = 0;
    for (const PixelRun &run : runs) {
        QVERIFY(run.x0 >= x);
        QVERIFY(run.x1 > run.x0);
        QVERIFY(run.x1 <= width);
        const Span &span = spans[static_cast<std::size_t>(run.span)];
        QCOMPARE(span.category, run.category);
        // the span that a run names touches the run's pixels
        QVERIFY(axis.xOf(span.begin) < run.x1 && axis.xOf(span.end) > run.x0);
        x = run.x1;
    }
    // spans without gaps leave no empty column before the trace ends
    const auto covered = static_cast<std::int32_t>(std::min(axis.xOf(t), static_cast<double>(width)));
    std::int32_t filled = 0;
    for (const PixelRun &run : runs)
        filled += run.width();
    QVERIFY(filled >= covered);
}

QTEST_APPLESS_MAIN(TestTimeAxis)
#include "tst_time_axis.moc"
