// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/views/play_fixture.h"
#include "views/cluster/bands.h"
#include "views/cluster/heat_layout.h"
#include "views/cluster/map_room.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

HeatLayout layoutOf(const Expansion &expansion, QSize viewport, int bandRacks)
{
    HeatMargins margins;
    margins.tileHead = 14;
    return layoutHeatMap(expansion, viewport, bandRacks, margins);
}

std::vector<GpuRun> racksOf(const HeatLayout &layout)
{
    std::vector<GpuRun> runs;
    for (const HeatCell &rack : layout.racks)
        runs.push_back({rack.firstGpu, rack.gpuCount, rack.parent});
    return runs;
}

} // namespace

class TestHeatLayout final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyGpuHasOneCell_data();
    void everyGpuHasOneCell();
    void oneReplicaPerRow();
    void bandsFollowThePlacement();
    void spareRacksHaveNoBand();
    void hitTestIsTheInverse_data();
    void hitTestIsTheInverse();
    void zoomKeepsThePoint();
    void levelsHaveHysteresis();
    void columnsOfAServer();
    void roomIsFree();
    void platesKeepOffLabels();
    void smallClustersUseTheSpace();
    void sixteenGpusFillTheMap();
};

void TestHeatLayout::everyGpuHasOneCell_data()
{
    QTest::addColumn<QSize>("viewport");
    QTest::addColumn<int>("gpus");
    QTest::addColumn<int>("serversPerRack");
    QTest::addColumn<int>("racksPerPod");
    QTest::newRow("1366 window") << QSize(1064, 172) << 16384 << 2 << 192;
    QTest::newRow("about 200") << QSize(1064, 200) << 16384 << 2 << 192;
    QTest::newRow("1920 window") << QSize(1380, 294) << 16384 << 2 << 192;
    QTest::newRow("about 320") << QSize(1380, 320) << 16384 << 2 << 192;
    QTest::newRow("many pods") << QSize(1380, 294) << 24576 << 4 << 32;
    QTest::newRow("one server") << QSize(1380, 294) << 8 << 4 << 32;
    QTest::newRow("narrow") << QSize(300, 120) << 1024 << 4 << 32;
    QTest::newRow("131,072") << QSize(1380, 294) << 131072 << 2 << 192;
}

// Cells are counted on a raster of the viewport: each server fills exactly its own pixels, nobody else's.
void TestHeatLayout::everyGpuHasOneCell()
{
    QFETCH(QSize, viewport);
    QFETCH(int, gpus);
    QFETCH(int, serversPerRack);
    QFETCH(int, racksPerPod);
    fixture::Shape shape;
    shape.gpus = gpus, shape.serversPerRack = serversPerRack, shape.racksPerPod = racksPerPod;
    const auto expansion = expand(fixture::blueprintOf(shape)).value();
    const HeatLayout layout = layoutOf(*expansion, viewport, 8);
    QCOMPARE(static_cast<int>(layout.serverOfGpu.size()), gpus);
    std::vector<int> owner(static_cast<std::size_t>(viewport.width()) * static_cast<std::size_t>(viewport.height()), kNone);
    int covered = 0;
    for (std::size_t s = 0; s < layout.servers.size(); ++s) {
        const HeatCell &server = layout.servers[s];
        covered += server.gpuCount;
        QVERIFY(!server.rect.isEmpty());
        QVERIFY(QRect(QPoint(0, 0), viewport).contains(server.rect));
        QVERIFY(layout.racks[static_cast<std::size_t>(server.parent)].rect.contains(server.rect));
        for (int g = 0; g < server.gpuCount; ++g)
            QCOMPARE(layout.serverOfGpu[static_cast<std::size_t>(server.firstGpu + g)], static_cast<int>(s));
        for (int y = server.rect.top(); y <= server.rect.bottom(); ++y)
            for (int x = server.rect.left(); x <= server.rect.right(); ++x) {
                int &pixel = owner[static_cast<std::size_t>(y) * static_cast<std::size_t>(viewport.width()) + static_cast<std::size_t>(x)];
                QCOMPARE(pixel, kNone);
                pixel = static_cast<int>(s);
            }
    }
    QCOMPARE(covered, gpus);
}

// Order tensor, pipeline, data: a replica is 16 stages x 8 GPUs = 16 servers = 8 racks of two. Pods of 192 racks hold
// 24 replicas, so a pod is 8 columns by 24 rows and the sixth one has 1,024 - 5 * 192 = 64 racks in 8 rows.
void TestHeatLayout::oneReplicaPerRow()
{
    for (const QSize viewport : {QSize(1064, 172), QSize(1380, 294)}) {
        const auto [expansion, placement] = fixture::clusterOf({});
        const HeatLayout first = layoutOf(*expansion, viewport, 0);
        const Bands bands = bandsOf(*placement, racksOf(first));
        QCOMPARE(bands.kind, BandKind::Replica);
        QCOMPARE(bands.typicalRacks, 8);
        QCOMPARE(bands.runs.size(), std::size_t{128});
        QVERIFY(bands.runs[41] == (BandRun{41 * 8, 8, 41}));
        const HeatLayout layout = layoutOf(*expansion, viewport, bands.typicalRacks);
        QCOMPARE(layout.rackColumns, 8);
        QCOMPARE(static_cast<int>(layout.tiles.size()), 6);
        QCOMPARE(layout.tileRows, 1);
        QCOMPARE(layout.tiles.back().count, 64);
        QVERIFY(layout.tiles.back().rect.height() * 3 <= layout.tileHeight + 2);
    }
}

// Order tensor, data, pipeline: a stage is 128 servers = 64 racks, three stages a pod; the last pod holds stage 15.
void TestHeatLayout::bandsFollowThePlacement()
{
    fixture::Shape shape;
    shape.dataBeforePipeline = true;
    const auto [expansion, placement] = fixture::clusterOf(shape);
    const Bands bands = bandsOf(*placement, racksOf(layoutOf(*expansion, {1380, 294}, 0)));
    QCOMPARE(bands.kind, BandKind::Stage);
    QCOMPARE(bands.runs.size(), std::size_t{16});
    for (std::int32_t stage = 0; stage < 16; ++stage)
        QVERIFY(bands.runs[static_cast<std::size_t>(stage)] == (BandRun{stage * 64, 64, stage}));
}

// 128 GPUs in 8 racks of two servers; a layout of 8 x 4 x 2 = 64 ranks fills the first four racks.
void TestHeatLayout::spareRacksHaveNoBand()
{
    fixture::Shape shape;
    shape.gpus = 128, shape.pipeline = 4, shape.data = 2;
    const auto [expansion, placement] = fixture::clusterOf(shape);
    const Bands bands = bandsOf(*placement, racksOf(layoutOf(*expansion, {800, 200}, 0)));
    QCOMPARE(bands.kind, BandKind::Replica);
    QCOMPARE(bands.runs.size(), std::size_t{2});
    QVERIFY(bands.runs[1] == (BandRun{2, 2, 1}));
}

void TestHeatLayout::hitTestIsTheInverse_data()
{
    QTest::addColumn<QSize>("viewport");
    QTest::addColumn<double>("zoom");
    QTest::newRow("1366") << QSize(1064, 172) << 1.0;
    QTest::newRow("1920") << QSize(1380, 294) << 1.0;
    QTest::newRow("zoomed") << QSize(1380, 294) << 3.37;
    QTest::newRow("close") << QSize(1064, 172) << 11.0;
}

// Every corner pixel in sight of every GPU's cell finds that GPU; the gap beside a rack and the outside find none.
void TestHeatLayout::hitTestIsTheInverse()
{
    QFETCH(QSize, viewport);
    QFETCH(double, zoom);
    const auto expansion = expand(fixture::blueprintOf({})).value();
    const HeatLayout layout = layoutOf(*expansion, viewport, 8);
    const HeatTransform transform = zoomedAt({}, zoom, QPointF(viewport.width() * 0.3, viewport.height() * 0.6), viewport);
    for (GpuIndex gpu = 0; gpu < expansion->gpuCount; gpu += 5) {
        const HeatCell &server = layout.servers[static_cast<std::size_t>(layout.serverOfGpu[static_cast<std::size_t>(gpu)])];
        const QRect cell = gpuRect(transform.toViewport(server.rect), server.gpuCount, gpu - server.firstGpu);
        QVERIFY(!cell.isEmpty());
        for (const QPoint corner : {cell.topLeft(), cell.topRight(), cell.bottomLeft(), cell.bottomRight()})
            QCOMPARE(gpuAt(layout, transform, corner), QRect(QPoint(0, 0), viewport).contains(corner) ? gpu : kNone);
    }
    for (const HeatCell &cell : layout.racks) {
        const QRect rack = transform.toViewport(cell.rect);
        QCOMPARE(gpuAt(layout, transform, QPoint(rack.right() + 1, rack.top())), kNone);
        QCOMPARE(gpuAt(layout, transform, QPoint(rack.left(), rack.bottom() + 1)), kNone);
    }
    QCOMPARE(gpuAt(layout, transform, QPoint(-5, -5)), kNone);
}

void TestHeatLayout::zoomKeepsThePoint()
{
    const QSize viewport(1380, 294);
    const QPointF anchor(700, 100);
    HeatTransform transform;
    const QPointF scene = transform.toScene(anchor);
    for (int i = 0; i < 10; ++i)
        transform = zoomedAt(transform, transform.zoom * 1.3, anchor, viewport);
    QVERIFY(std::abs(transform.toScene(anchor).x() - scene.x()) < 1e-9);
    QVERIFY(std::abs(transform.toScene(anchor).y() - scene.y()) < 1e-9);
    // beyond the limits: the whole map, never further
    transform = zoomedAt(transform, 0.01, anchor, viewport);
    QCOMPARE(transform.zoom, 1.0);
    QCOMPARE(transform.origin, QPointF(0, 0));
}

// Thresholds of a server of 8: 5 px a GPU and 9 px high for single GPUs, 16 px and 22 px for numbers; a level that was
// reached is kept down to 85 % of them.
void TestHeatLayout::levelsHaveHysteresis()
{
    QCOMPARE(heatLevelFor({24, 5}, 8, 1.0, HeatLevel::Racks), HeatLevel::Racks);
    QCOMPARE(heatLevelFor({39, 20}, 8, 2.0, HeatLevel::Racks), HeatLevel::Racks);
    QCOMPARE(heatLevelFor({40, 9}, 8, 2.0, HeatLevel::Racks), HeatLevel::Servers);
    QCOMPARE(heatLevelFor({35, 9}, 8, 2.0, HeatLevel::Servers), HeatLevel::Servers);   // 40 * 0.85 = 34
    QCOMPARE(heatLevelFor({33, 9}, 8, 2.0, HeatLevel::Servers), HeatLevel::Racks);
    QCOMPARE(heatLevelFor({128, 22}, 8, 6.0, HeatLevel::Servers), HeatLevel::Gpus);
    QCOMPARE(heatLevelFor({110, 19}, 8, 5.0, HeatLevel::Gpus), HeatLevel::Gpus);       // 128 * 0.85 = 108.8, 22 * 0.85 = 18.7
    QCOMPARE(heatLevelFor({108, 19}, 8, 5.0, HeatLevel::Gpus), HeatLevel::Servers);
    QCOMPARE(heatLevelFor({24, 5}, 8, 0.79, HeatLevel::Racks), HeatLevel::Pods);
    QCOMPARE(heatLevelFor({24, 5}, 8, 0.9, HeatLevel::Pods), HeatLevel::Pods);         // 0.8 / 0.85 = 0.94
    QCOMPARE(heatLevelFor({24, 5}, 8, 0.95, HeatLevel::Pods), HeatLevel::Racks);
}

// 20 px for 8 GPUs: edges at 0 2 5 7 10 12 15 17 20.
void TestHeatLayout::columnsOfAServer()
{
    const QRect server(100, 7, 20, 5);
    const int edges[] = {0, 2, 5, 7, 10, 12, 15, 17, 20};
    for (int g = 0; g < 8; ++g)
        QCOMPARE(gpuRect(server, 8, g), QRect(100 + edges[g], 7, edges[g + 1] - edges[g], 5));
    QVERIFY(gpuRect(server, 8, 8).isEmpty());
    QVERIFY(gpuRect(server, 0, 0).isEmpty());
}

// A map of 300 x 200 with a tall tile at the left and one of a third of its height at the right: below that lies the room,
// 120 - 2 high. Nowhere else do 90 x 60 fit; 90 x 130 fit nowhere.
void TestHeatLayout::roomIsFree()
{
    const std::vector<QRect> tiles{{0, 0, 150, 200}, {170, 0, 130, 80}};
    const QRect bounds(0, 0, 300, 200);
    const QRect room = freeRoom(tiles, bounds, {90, 60}, {140, 150});
    for (const QRect &tile : tiles)
        QVERIFY(!tile.intersects(room));
    QVERIFY(bounds.contains(room));
    QCOMPARE(room, QRect(150, 80, 140, 120));
    QVERIFY(freeRoom(tiles, bounds, {90, 130}, {140, 150}).isNull());
    QVERIFY(freeRoom({bounds}, bounds, {1, 1}, {140, 150}).isNull());
    QCOMPARE(freeRoom({}, bounds, {90, 60}, {140, 150}), QRect(0, 0, 140, 150));
}

// The cell lies 10 px right of a strip of labels: the plate of 80 x 16 centred above it would cover the strip, so it
// starts at the cell. With another plate above, it goes below; near the upper edge as well.
void TestHeatLayout::platesKeepOffLabels()
{
    const QRectF bounds(0, 0, 300, 200), strip(0, 0, 40, 200), cell(50, 100, 16, 3);
    const QSizeF size(80, 16);
    const QRectF plate = plateAround(size, cell, bounds, {strip}, true);
    QVERIFY(!plate.intersects(strip));
    QVERIFY(plate.bottom() < cell.top());
    const QRectF other = plateAround(size, cell, bounds, {strip, plate}, true);
    QVERIFY(!other.intersects(strip) && !other.intersects(plate) && !other.intersects(cell));
    const QRectF top = plateAround(size, QRectF(100, 4, 16, 3), bounds, {strip}, true);
    QVERIFY(top.top() > 7.0);
    QVERIFY(bounds.contains(top));
}

// 64 GPUs, two racks of four servers: cells as large as their limit or the map allow, not a line in a corner.
void TestHeatLayout::smallClustersUseTheSpace()
{
    fixture::Shape shape;
    shape.gpus = 64, shape.serversPerRack = 4, shape.racksPerPod = 32;
    const auto expansion = expand(fixture::blueprintOf(shape)).value();
    const HeatLayout layout = layoutOf(*expansion, {1380, 294}, 0);
    int bottom = 0;
    for (const HeatCell &server : layout.servers)
        bottom = std::max(bottom, server.rect.bottom());
    QVERIFY2(bottom > 294 * 4 / 5, qPrintable(QString::number(bottom)));
    QVERIFY(layout.serverSize.width() >= 8 * 24);
    QVERIFY(layout.serverSize.height() >= 40);
}

// 16 GPUs in two servers: the cells fill the map to its right edge and its floor, each server a row of its own.
void TestHeatLayout::sixteenGpusFillTheMap()
{
    fixture::Shape shape;
    shape.gpus = 16, shape.tensor = 4, shape.pipeline = 4, shape.data = 1;
    const auto expansion = expand(fixture::blueprintOf(shape)).value();
    for (const QSize viewport : {QSize(1064, 180), QSize(1380, 294), QSize(1366, 600)}) {
        const HeatLayout layout = layoutOf(*expansion, viewport, 0);
        QCOMPARE(layout.servers.size(), 2U);
        QVERIFY(layout.servers[1].rect.top() > layout.servers[0].rect.bottom());
        QVERIFY(layout.servers[1].rect.right() > viewport.width() * 9 / 10);
        QVERIFY(layout.servers[1].rect.bottom() > std::min(viewport.height() * 8 / 10, 400));
    }
}

QTEST_APPLESS_MAIN(TestHeatLayout)
#include "tst_heat_layout.moc"
