// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/views/play_fixture.h"
#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>

#include <numeric>

using namespace clusterbeat;

namespace {

/// 4 stages, 3 replicas, 2 GPUs a group: 24 GPUs, the slow one is rank 2 * (4 * 1 + 2) + 1 = 13 (stage 2, replica 1, member 1).
fixture::Shape smallShape(bool slow)
{
    fixture::Shape shape;
    shape.gpus = 24, shape.tensor = 2, shape.pipeline = 4, shape.data = 3, shape.chunks = 1, shape.microBatches = 8;
    shape.slowGpu = slow ? 13 : kNone;
    return shape;
}

struct Bench {
    ViewState state;
    TimelineView view{&state};
    std::shared_ptr<IterationResult> result;
    explicit Bench(bool slow)
    {
        result = fixture::resultOf(smallShape(slow));
        state.setReduceMotion(true);
        state.setDuration(result->iteration());
        view.resize(1000, 260);
        view.setResult(result);
        view.show();
    }
    [[nodiscard]] TimeAxis axis() const
    {
        const Gutters g = gutters(false);
        return {state.visible(), static_cast<double>(g.left), static_cast<double>(g.plotWidth(1000))};
    }
    /// Inside a stage's compute lane: ruler 24, head 18, two other replicas of 18, so lanes of (260 - 24 - 3 * 18) / 4 = 45.
    [[nodiscard]] static int laneY(int stage) { return 24 + 18 + 45 * stage + 6; }
};

} // namespace

class TestTimelineView final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void layoutShowsAllStages_data();
    void layoutShowsAllStages();
    void lanesGrowIntoFreeRoom_data();
    void lanesGrowIntoFreeRoom();
    void lowLanesAreStillRows();
    void rowsAreTheInverse();
    void focusFollowsSlowThenSelected();
    void clickSelectsTheStagesGpu();
    void controlWheelKeepsTheTimeUnderTheCursor();
    void dragSelectsAnAreaThatAddsUp();
    void anAreaBeyondAShorterIterationGoes();
    void shiftDragPans();
    void rulerDragMovesThePlayhead();
    void stepsThroughEvents();
    void keysZoomPanAndFit();
    void pagesWhilePlaying();
    void lanesAreAccessible();
    void emptyAndTiny();
};

void TestTimelineView::layoutShowsAllStages_data()
{
    QTest::addColumn<bool>("compact");
    QTest::addColumn<QSize>("size");
    QTest::addColumn<int>("lane");
    // 24 + 18 + 16 * 20 = 362 of 432
    QTest::newRow("1920") << false << QSize(1380, 432) << 20;
    // 20 + 16 + 16 * 16 = 292 of 312
    QTest::newRow("1366") << true << QSize(1064, 312) << 16;
    // 292 does not fit 270, 20 + 16 + 16 * 14 = 260 does
    QTest::newRow("lower") << true << QSize(1064, 270) << 14;
}

void TestTimelineView::layoutShowsAllStages()
{
    QFETCH(bool, compact);
    QFETCH(QSize, size);
    QFETCH(int, lane);
    TimelineLayout layout{size, gutters(compact), timelineMetrics(compact, 1.0, {16, 127}, size.height()), 16, 128, 41, 0};
    QCOMPARE(layout.metrics.lane, lane);
    int bottom = layout.metrics.ruler;
    for (std::int32_t stage = 0; stage < 16; ++stage) {
        const QRect row = layout.rowRect({TimelineRow::Kind::Stage, stage});
        QVERIFY(row.y() >= bottom);
        bottom = row.y() + row.height();
        QVERIFY(layout.computeRect(stage).bottom() < layout.communicationRect(stage).top());
        QVERIFY(layout.communicationRect(stage).bottom() < bottom);
        QVERIFY(bottom <= size.height());
    }
    // the lane map ends where the widget does, with the arrow beside it
    QVERIFY(layout.laneMap().right() < size.width());
    QVERIFY(layout.laneMap().left() > layout.plot().right() + 7);
}

void TestTimelineView::lanesGrowIntoFreeRoom_data()
{
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("others");
    QTest::addColumn<bool>("all");
    QTest::addColumn<int>("height");
    QTest::addColumn<int>("lane");
    QTest::addColumn<int>("replica");
    // body 400 - 24 - 18 = 358; four lanes could have 89, 56 is the tallest
    QTest::newRow("one replica") << 4 << 0 << false << 400 << 56 << 18;
    // (358 - 3 * 18) / 8 = 38; three rows share the last (358 - 304) / 3 = 18
    QTest::newRow("four replicas") << 8 << 3 << false << 400 << 38 << 18;
    // lanes at their tallest, then (358 - 2 * 56) / 7 = 35, 30 is the tallest row
    QTest::newRow("eight replicas") << 2 << 7 << false << 400 << 56 << 30;
    // 127 rows scroll whatever the lanes are: half of the view, 179 / 4 = 44
    QTest::newRow("many replicas") << 4 << 127 << false << 400 << 44 << 18;
    // all 128 stages at once: 770 - 42 = 728, 728 / 128 = 5
    QTest::newRow("all of 128 stages") << 128 << 15 << true << 770 << 5 << 18;
    QTest::newRow("no stages") << 0 << 0 << false << 400 << 20 << 18;
}

void TestTimelineView::lanesGrowIntoFreeRoom()
{
    QFETCH(int, stages);
    QFETCH(int, others);
    QFETCH(bool, all);
    QFETCH(int, height);
    const TimelineMetrics metrics = timelineMetrics(false, 1.0, {stages, others, all}, height);
    QTEST(metrics.lane, "lane");
    QTEST(metrics.replica, "replica");
    QVERIFY(metrics.compute > metrics.lane / 2);
    QVERIFY(metrics.compute + metrics.gap + metrics.communication < metrics.lane);
    // a narrow projector: ruler 25, head 20; 16 stages in (266 - 45) / 16 = 13 px, not 17.5
    QCOMPARE(timelineMetrics(true, 1.25, {16, 127}, 266).lane, 13);
}

// Lanes of 3 px, lower than their names: every point still belongs to the row whose rectangle holds it.
void TestTimelineView::lowLanesAreStillRows()
{
    const TimelineLayout layout{{1380, 432}, gutters(false), timelineMetrics(false, 1.0, {128, 15, true}, 432), 128, 16, 3, 0};
    QCOMPARE(layout.metrics.lane, 3);
    for (int y = layout.metrics.ruler; y < layout.size.height(); ++y) {
        const QRect rect = layout.rowRect(layout.rowAt(y));
        QVERIFY(y >= rect.y() && y < rect.y() + rect.height());
    }
    ViewState state;
    TimelineView view(&state);
    fixture::Shape shape = smallShape(false);
    shape.gpus = 256, shape.pipeline = 128, shape.data = 1, shape.microBatches = 4;
    const auto result = fixture::resultOf(shape);
    state.setDuration(result->iteration());
    view.resize(1000, 470);
    view.setResult(result);
    // lanes of 20: the last stages are out of sight
    QVERIFY(view.itemRect(127).top() > view.height());
    view.setAllStages(true);
    QVERIFY(view.itemRect(127).bottom() < view.height());
    QVERIFY(!view.grab().isNull());
    view.setAllStages(false);
    QVERIFY(view.itemRect(127).top() > view.height());
}

void TestTimelineView::rowsAreTheInverse()
{
    for (const int scroll : {0, 7, 400}) {
        TimelineLayout layout{{1380, 432}, gutters(false), timelineMetrics(false, 1.0, {16, 127}, 432), 16, 128, 41, 0};
        layout.scroll = layout.clampedScroll(scroll);
        QCOMPARE(layout.scroll, scroll);
        for (int y = layout.metrics.ruler; y < layout.size.height(); ++y) {
            const TimelineRow row = layout.rowAt(y);
            const QRect rect = layout.rowRect(row);
            QVERIFY2(y >= rect.y() && y < rect.y() + rect.height(), qPrintable(QString::number(y)));
        }
    }
    // content: 18 + 16 * 20 + 127 * 18 = 2,624; body 408; no further than 2,216
    TimelineLayout layout{{1380, 432}, gutters(false), timelineMetrics(false, 1.0, {16, 127}, 432), 16, 128, 41, 0};
    QCOMPARE(layout.clampedScroll(99999), 2216);
    QCOMPARE(layout.replicaOfRow(40), 40);
    QCOMPARE(layout.replicaOfRow(41), 42);
    for (std::int32_t replica = 0; replica < 128; ++replica)
        QCOMPARE(layout.replicaOnMap(layout.mapY(replica)), replica);
}

void TestTimelineView::focusFollowsSlowThenSelected()
{
    Bench plain(false);
    QCOMPARE(plain.view.focusReplica(), 0);
    Bench slow(true);
    QCOMPARE(slow.view.focusReplica(), 1);
    slow.state.setSelectedGpu(2 * (4 * 2 + 3));             // stage 3 of replica 2
    QCOMPARE(slow.view.focusReplica(), 2);
    slow.view.setFocusReplica(99);                          // clamped
    QCOMPARE(slow.view.focusReplica(), 2);
    slow.view.setFocusReplica(0);
    QCOMPARE(slow.view.focusReplica(), 0);
}

// Replica 1, stage 1: ranks 2 * (4 + 1) = 10 and 11, member 0 is selected; on the slow stage 2 the slow member, rank 13.
void TestTimelineView::clickSelectsTheStagesGpu()
{
    Bench bench(true);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(500, Bench::laneY(1)));
    QCOMPARE(bench.state.selectedGpu(), 10);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(500, Bench::laneY(2)));
    QCOMPARE(bench.state.selectedGpu(), 13);
    // a click on the label selects as well
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(40, Bench::laneY(0)));
    QCOMPARE(bench.state.selectedGpu(), 8);
    QTest::keyClick(&bench.view, Qt::Key_Down);
    QCOMPARE(bench.state.selectedGpu(), 10);
    QTest::keyClick(&bench.view, Qt::Key_Escape);
    QCOMPARE(bench.state.selectedGpu(), kNone);
}

void TestTimelineView::controlWheelKeepsTheTimeUnderTheCursor()
{
    Bench bench(false);
    const QPointF cursor(617.0, 90.0);
    const double nsPerPixel = bench.axis().nsPerPixel();
    const TimeNs before = bench.axis().timeAt(cursor.x());
    for (int i = 0; i < 3; ++i) {
        QWheelEvent event(cursor, bench.view.mapToGlobal(cursor), {}, QPoint(0, 120), Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&bench.view, &event);
    }
    // three notches of 1.25
    QVERIFY(std::abs(bench.axis().nsPerPixel() * 1.25 * 1.25 * 1.25 / nsPerPixel - 1.0) < 1e-6);
    QVERIFY(std::llabs(bench.axis().timeAt(cursor.x()) - before) <= static_cast<long long>(bench.axis().nsPerPixel()));
}

// Every nanosecond of every rank has a category, so the sums of an area of 2 stages are twice its length.
void TestTimelineView::dragSelectsAnAreaThatAddsUp()
{
    Bench bench(true);
    QSignalSpy spy(&bench.view, &TimelineView::areaSelected);
    QTest::mousePress(&bench.view, Qt::LeftButton, {}, QPoint(300, Bench::laneY(1)));
    QTest::mouseMove(&bench.view, QPoint(400, Bench::laneY(2)));
    QTest::mouseMove(&bench.view, QPoint(512, Bench::laneY(2)));
    QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, QPoint(512, Bench::laneY(2)));
    QCOMPARE(spy.count(), 1);
    const auto area = spy.first().first().value<AreaSelection>();
    QCOMPARE(area.firstStage, 1);
    QCOMPARE(area.lastStage, 2);
    QCOMPARE(area.range.begin, bench.axis().timeAt(300));
    QCOMPARE(area.range.end, bench.axis().timeAt(512));
    QCOMPARE(std::accumulate(area.sums.begin(), area.sums.end(), TimeNs{0}), 2 * area.range.length());
    // F shows the area, F again everything
    QTest::keyClick(&bench.view, Qt::Key_F);
    QCOMPARE(bench.state.visible(), area.range);
    QTest::keyClick(&bench.view, Qt::Key_F);
    QCOMPARE(bench.state.visible(), (TimeRange{0, bench.result->iteration()}));
    QSignalSpy cleared(&bench.view, &TimelineView::areaCleared);
    QTest::mouseClick(&bench.view, Qt::LeftButton, {}, QPoint(300, Bench::laneY(1)));
    QCOMPARE(cleared.count(), 1);
}

// An area near the end of a run with a slow GPU lies beyond the end of the same run without it, and goes; one near the
// beginning stays.
void TestTimelineView::anAreaBeyondAShorterIterationGoes()
{
    for (const bool late : {true, false}) {
        Bench bench(true);
        const auto shorter = fixture::resultOf(smallShape(false));
        const double end = bench.axis().xOf(late ? bench.result->iteration() - 1'000'000 : shorter->iteration() / 2);
        const int x = static_cast<int>(end);
        QVERIFY(!late || bench.axis().timeAt(x) > shorter->iteration());
        QTest::mousePress(&bench.view, Qt::LeftButton, {}, QPoint(x - 120, Bench::laneY(1)));
        QTest::mouseMove(&bench.view, QPoint(x - 60, Bench::laneY(2)));
        QTest::mouseMove(&bench.view, QPoint(x, Bench::laneY(2)));
        QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, QPoint(x, Bench::laneY(2)));
        QSignalSpy cleared(&bench.view, &TimelineView::areaCleared), kept(&bench.view, &TimelineView::areaSelected);
        bench.view.setResult(shorter);
        QCOMPARE(cleared.count(), late ? 1 : 0);
        QCOMPARE(kept.count(), late ? 0 : 1);
    }
}

void TestTimelineView::shiftDragPans()
{
    Bench bench(false);
    const TimeNs quarter = bench.result->iteration() / 4;
    bench.state.setVisible({quarter, 2 * quarter});
    const TimeNs grabbed = bench.axis().timeAt(500);
    QTest::mousePress(&bench.view, Qt::LeftButton, Qt::ShiftModifier, QPoint(500, 100));
    QTest::mouseMove(&bench.view, QPoint(420, 100));
    QTest::mouseRelease(&bench.view, Qt::LeftButton, Qt::ShiftModifier, QPoint(420, 100));
    QCOMPARE(bench.state.visible().length(), quarter);
    QVERIFY(std::llabs(bench.axis().timeAt(420) - grabbed) <= 2);
    QCOMPARE(bench.state.selectedGpu(), kNone);
}

void TestTimelineView::rulerDragMovesThePlayhead()
{
    Bench bench(false);
    QTest::mousePress(&bench.view, Qt::LeftButton, {}, QPoint(300, 10));
    QCOMPARE(bench.state.playhead(), bench.axis().timeAt(300));
    QTest::mouseMove(&bench.view, QPoint(640, 200));
    QCOMPARE(bench.state.playhead(), bench.axis().timeAt(640));
    QTest::mouseRelease(&bench.view, Qt::LeftButton, {}, QPoint(640, 200));
}

// Stage 0 of the fixture: 4 ms of host, 12 ms of parameter gather less that, then forwards of 11 ms. Whatever the spans
// are, stepping forward visits their borders in order and stepping back returns to the same ones.
void TestTimelineView::stepsThroughEvents()
{
    Bench bench(false);
    std::vector<Span> spans;
    spansOfGroup(bench.result->run, 0, 0, 0, bench.result->iteration(), spans);
    QVERIFY(spans.size() > 16);
    bench.state.setPlayhead(0);
    for (std::size_t i = 0; i < 6; ++i) {
        QTest::keyClick(&bench.view, Qt::Key_Period);
        QCOMPARE(bench.state.playhead(), spans[i].end);
    }
    for (std::size_t i = 5; i > 0; --i) {
        QTest::keyClick(&bench.view, Qt::Key_Comma);
        QCOMPARE(bench.state.playhead(), spans[i].begin);
    }
    // with Shift: the next operation of another micro-batch
    const auto &order = bench.result->run.plan.schedule.order[0];
    QTest::keyClick(&bench.view, Qt::Key_Period, Qt::ShiftModifier);
    std::vector<Span> here;
    spansOfGroup(bench.result->run, 0, 0, bench.state.playhead(), bench.state.playhead() + 1, here);
    QVERIFY(!here.empty() && here.front().operation != kNone);
    QCOMPARE(here.front().begin, bench.state.playhead());
    const auto inside = std::find_if(spans.begin(), spans.end(), [&](const Span &s) { return s.begin <= spans[1].begin && spans[1].begin < s.end; });
    if (inside->operation != kNone)
        QVERIFY(order[static_cast<std::size_t>(here.front().operation)].microBatch != order[static_cast<std::size_t>(inside->operation)].microBatch);
    // the end is the end
    for (int i = 0; i < 3; ++i) {
        bench.state.setPlayhead(bench.result->iteration());
        QTest::keyClick(&bench.view, Qt::Key_Period);
        QCOMPARE(bench.state.playhead(), bench.result->iteration());
    }
}

void TestTimelineView::keysZoomPanAndFit()
{
    Bench bench(false);
    const TimeNs all = bench.result->iteration();
    bench.state.setPlayhead(all / 2);
    QTest::keyClick(&bench.view, Qt::Key_W);
    QVERIFY(std::llabs(bench.state.visible().length() - all * 4 / 5) <= 1);
    const TimeNs begin = bench.state.visible().begin;
    QTest::keyClick(&bench.view, Qt::Key_D);
    QCOMPARE(bench.state.visible().begin, begin + bench.state.visible().length() / 8);
    QTest::keyClick(&bench.view, Qt::Key_A);
    QCOMPARE(bench.state.visible().begin, begin);
    QTest::keyClick(&bench.view, Qt::Key_S);
    QVERIFY(std::llabs(bench.state.visible().length() - all) <= 2);
}

void TestTimelineView::pagesWhilePlaying()
{
    Bench bench(false);
    const TimeNs tenth = bench.result->iteration() / 10;
    bench.state.setVisible({0, 2 * tenth});
    bench.state.setPlayhead(tenth);
    QCOMPARE(bench.state.visible().begin, TimeNs{0});
    bench.state.setPlayhead(2 * tenth - tenth / 10);
    QVERIFY(bench.state.visible().begin > tenth);
    QCOMPARE(bench.state.visible().length(), 2 * tenth);
    // who looks elsewhere stays there
    const TimeRange elsewhere{6 * tenth, 8 * tenth};
    bench.state.setVisible(elsewhere);
    bench.state.setPlayhead(3 * tenth);
    QCOMPARE(bench.state.visible(), elsewhere);
}

void TestTimelineView::lanesAreAccessible()
{
    Bench bench(true);
    QAccessibleInterface *list = QAccessible::queryAccessibleInterface(&bench.view);
    QVERIFY(list);
    QCOMPARE(list->role(), QAccessible::List);
    QCOMPARE(list->childCount(), 4 + 2);
    const QString name = list->child(2)->text(QAccessible::Name);
    QVERIFY2(name.contains(QStringLiteral("stage 2")) && name.contains(QStringLiteral("GPU 5")), qPrintable(name));
    QAccessibleActionInterface *action = list->child(1)->actionInterface();
    QVERIFY(action);
    action->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(bench.state.selectedGpu(), 10);
    QVERIFY(list->child(1)->state().selected);
    QVERIFY(!list->child(6));
}

void TestTimelineView::emptyAndTiny()
{
    ViewState state;
    TimelineView view(&state);
    view.resize(1000, 260);
    QVERIFY(!view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_Period);
    QTest::keyClick(&view, Qt::Key_F);
    QTest::mouseClick(&view, Qt::LeftButton, {}, QPoint(500, 100));
    view.setResult(fixture::resultOf(smallShape(true)));
    view.resize(30, 20);
    QVERIFY(!view.grab().isNull());
    view.setResult(nullptr);
    QVERIFY(!view.grab().isNull());
    QCOMPARE(view.itemCount(), 0);
}

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
