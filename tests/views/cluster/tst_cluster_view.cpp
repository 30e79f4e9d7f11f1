// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/views/play_fixture.h"
#include "views/cluster/cluster_canvas.h"
#include "views/cluster/cluster_view.h"
#include "views/cluster/heat_raster.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QWheelEvent>
#include <QtTest>

using namespace clusterbeat;

namespace {

struct Bench {
    ViewState state;
    ClusterView view{&state};
    ClusterCanvas *canvas = nullptr;
    std::shared_ptr<IterationResult> result;
    explicit Bench(GpuIndex slow = kNone)
    {
        fixture::Shape shape;
        shape.slowGpu = slow;
        result = fixture::resultOf(shape);
        state.setReduceMotion(true);
        state.setDuration(result->iteration());
        state.setPlayhead(result->iteration() / 2);
        view.resize(1380, 374);
        view.setResult(result);
        view.show();
        canvas = view.findChild<ClusterCanvas *>();
    }
};

} // namespace

class TestClusterView final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void clickSelectsWhatIsUnderIt();
    void hoverIsShared();
    void keysReachEveryLevel();
    void lettersZoomAndPan();
    void wheelZoomsAtThePointer();
    void cellsAreAccessible();
    void statesAreDrawnInTheirColours();
    void sharesCountEveryGpu();
    void emptyAndTiny();
};

// The middle of item i's rectangle belongs to item i: GPU 0 of server i at the level of racks.
void TestClusterView::clickSelectsWhatIsUnderIt()
{
    Bench bench;
    QCOMPARE(bench.canvas->itemCount(), 2048);
    for (const int server : {0, 17, 700, 2047}) {
        const QRect rect = bench.canvas->itemRect(server);
        QTest::mouseClick(bench.canvas, Qt::LeftButton, {}, QPoint(rect.left() + 1, rect.center().y()));
        QCOMPARE(bench.state.selectedGpu(), server * 8);
        QCOMPARE(bench.canvas->itemAt(rect.center()), server);
    }
    QTest::keyClick(bench.canvas, Qt::Key_Escape);
    QCOMPARE(bench.state.selectedGpu(), kNone);
}

void TestClusterView::hoverIsShared()
{
    Bench bench;
    QTest::mouseMove(bench.canvas, bench.canvas->itemRect(5).topLeft() + QPoint(1, 1));
    QCOMPARE(bench.state.hoveredGpu(), 40);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(bench.canvas, &leave);
    QCOMPARE(bench.state.hoveredGpu(), kNone);
}

// A rack holds two servers, one above the other, and a row eight racks: right of server 0 is server 2, below it
// server 1, below that server 16.
void TestClusterView::keysReachEveryLevel()
{
    Bench bench;
    bench.state.setSelectedGpu(0);
    const auto press = [&](Qt::Key key) { QTest::keyClick(bench.canvas, key); };
    press(Qt::Key_Right);
    QCOMPARE(bench.state.selectedGpu(), 2 * 8);
    press(Qt::Key_Left);
    press(Qt::Key_Down);
    QCOMPARE(bench.state.selectedGpu(), 1 * 8);
    press(Qt::Key_Down);
    QCOMPARE(bench.state.selectedGpu(), 16 * 8);
    press(Qt::Key_Up);
    press(Qt::Key_Up);
    QCOMPARE(bench.state.selectedGpu(), 0);
    press(Qt::Key_Return);
    QCOMPARE(bench.view.level(), HeatLevel::Servers);
    QCOMPARE(bench.canvas->itemCount(), 16384);
    press(Qt::Key_Right);
    QCOMPARE(bench.state.selectedGpu(), 1);
    press(Qt::Key_Return);
    QCOMPARE(bench.view.level(), HeatLevel::Gpus);
    QVERIFY(bench.canvas->rect().contains(bench.canvas->itemRect(1)));
    // from the last GPU of a server on to the first of the next rack
    bench.state.setSelectedGpu(7);
    press(Qt::Key_Right);
    QCOMPARE(bench.state.selectedGpu(), 16);
    press(Qt::Key_W);
    press(Qt::Key_F);                                       // the selection, then all of it
    QCOMPARE(bench.view.level(), HeatLevel::Gpus);
    QVERIFY(bench.canvas->rect().contains(bench.canvas->itemRect(16)));
    press(Qt::Key_F);
    QCOMPARE(bench.view.level(), HeatLevel::Racks);
    press(Qt::Key_F);
    QCOMPARE(bench.view.level(), HeatLevel::Gpus);
    bench.view.setLevel(HeatLevel::Pods);
    QCOMPARE(bench.view.level(), HeatLevel::Pods);
    QCOMPARE(bench.canvas->itemCount(), 6);
    press(Qt::Key_Right);
    QCOMPARE(bench.state.selectedGpu(), 3072);              // pod 1 starts after 192 racks of 16 GPUs
    const auto buttons = bench.view.findChildren<QAbstractButton *>();
    QCOMPARE(buttons.size(), 5);
    QVERIFY(buttons.first()->isChecked());
    buttons.at(1)->click();
    QCOMPARE(bench.view.level(), HeatLevel::Racks);
}

// W zooms by 1.25 around the middle, D moves by an eighth of the width (1380 / 8 = 172.5 px), A back, S out again.
void TestClusterView::lettersZoomAndPan()
{
    Bench bench;
    const QRect whole = bench.canvas->itemRect(900);
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(bench.canvas, Qt::Key_W);
    QCOMPARE(bench.view.level(), HeatLevel::Servers);
    const QRect before = bench.canvas->itemRect(900 * 8);
    QTest::keyClick(bench.canvas, Qt::Key_D);
    const int moved = before.left() - bench.canvas->itemRect(900 * 8).left();
    QVERIFY2(moved == 172 || moved == 173, qPrintable(QString::number(moved)));
    QTest::keyClick(bench.canvas, Qt::Key_A);
    QVERIFY(std::abs(bench.canvas->itemRect(900 * 8).left() - before.left()) <= 1);
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(bench.canvas, Qt::Key_S);
    QCOMPARE(bench.view.level(), HeatLevel::Racks);
    QCOMPARE(bench.canvas->itemRect(900), whole);
}

void TestClusterView::wheelZoomsAtThePointer()
{
    Bench bench;
    const QRect before = bench.canvas->itemRect(900);
    const QPointF cursor = QRectF(before).center();
    // five notches of 1.25 = x 3.05: servers of 23 x 5 px become 70 x 15, single GPUs
    for (int i = 0; i < 5; ++i) {
        QWheelEvent event(cursor, bench.canvas->mapToGlobal(cursor), {}, QPoint(0, 120), Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(bench.canvas, &event);
    }
    QCOMPARE(bench.view.level(), HeatLevel::Servers);
    // item numbers are GPUs now: the pointer is still over server 900
    QCOMPARE(bench.canvas->itemAt(cursor.toPoint()) / 8, 900);
}

// GPU 5 of the second server of rack 139 of pod 1 is slow: global server 41 * 16 + 7 = 663 = 192 * 2 + 139 * 2 + 1.
void TestClusterView::cellsAreAccessible()
{
    const GpuIndex slow = (41 * 16 + 7) * 8 + 5;
    Bench bench(slow);
    bench.view.setLevel(HeatLevel::Gpus);
    QAccessibleInterface *list = QAccessible::queryAccessibleInterface(bench.canvas);
    QVERIFY(list);
    QCOMPARE(list->childCount(), 16384);
    const QString name = list->child(slow)->text(QAccessible::Name);
    for (const char *part : {"pod 1", "rack 139", "server 1", "GPU 5"})
        QVERIFY2(name.contains(QLatin1String(part)), qPrintable(name));
    list->child(slow)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
    QCOMPARE(bench.state.selectedGpu(), slow);
    QCOMPARE(bench.canvas->currentItem(), slow);
    bench.view.setLevel(HeatLevel::Racks);
    QCOMPARE(list->childCount(), 2048);
    QCOMPARE(bench.canvas->currentItem(), 663);
}

// One rack of two servers, 20 x 5 and 20 x 5 below: the first backward on all GPUs but GPU 3, which waits; the second
// idle but for its outline.
void TestClusterView::statesAreDrawnInTheirColours()
{
    HeatLayout layout;
    layout.viewport = QSize(20, 10);
    HeatCell rack;
    rack.count = 2, rack.gpuCount = 16, rack.rect = QRect(0, 0, 20, 10);
    HeatCell first, second;
    first.gpuCount = second.gpuCount = 8;
    first.parent = second.parent = 0;
    first.rect = QRect(0, 0, 20, 5);
    second.rect = QRect(0, 5, 20, 5);
    second.firstGpu = 8;
    layout.racks = {rack};
    layout.servers = {first, second};
    std::vector<std::uint8_t> states(16, static_cast<std::uint8_t>(Category::Backward));
    states[3] = static_cast<std::uint8_t>(Category::StragglerWait);
    std::fill(states.begin() + 8, states.end(), kUnusedState);
    const Theme theme(ThemeKind::Dark);
    QImage image(20, 10, QImage::Format_RGB32);
    paintHeatCells(image, layout, {}, HeatLevel::Racks, states, heatPaletteFor(theme));
    // GPU 3 has columns 7 to 9 (20 * 3 / 8 = 7, 20 * 4 / 8 = 10), with a line through its middle row
    for (int x = 0; x < 20; ++x) {
        const bool waits = x >= 7 && x < 10;
        QCOMPARE(image.pixel(x, 0), theme.category(waits ? Category::StragglerWait : Category::Backward).rgb());
        QCOMPARE(image.pixel(x, 2) == image.pixel(x, 0), !waits);
    }
    QCOMPARE(image.pixel(10, 7), theme.panel.rgb());
    QVERIFY(image.pixel(10, 5) != theme.panel.rgb());
}

void TestClusterView::sharesCountEveryGpu()
{
    const std::vector<std::uint8_t> states{0, 0, 1, 12, 12, 12, kUnusedState};
    const StateCounts counts = countStates(states, 1, 6);
    QCOMPARE(counts[0], 1);
    QCOMPARE(counts[1], 1);
    QCOMPARE(counts[12], 3);
    QCOMPARE(counts[kCategoryCount], 1);
    QCOMPARE(dominantState(counts), std::uint8_t{12});
}

void TestClusterView::emptyAndTiny()
{
    ViewState state;
    ClusterView view(&state);
    view.resize(1380, 374);
    QVERIFY(!view.grab().isNull());
    fixture::Shape one;
    one.gpus = 8, one.pipeline = 1, one.data = 1, one.chunks = 1, one.microBatches = 2;
    view.setResult(fixture::resultOf(one));
    QVERIFY(!view.grab().isNull());
    view.resize(20, 20);
    QVERIFY(!view.grab().isNull());
    view.setResult(nullptr);
    QVERIFY(!view.grab().isNull());
}

QTEST_MAIN(TestClusterView)
#include "tst_cluster_view.moc"
