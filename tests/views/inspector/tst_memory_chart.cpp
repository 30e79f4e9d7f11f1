// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/shared/view_state.h"
#include "views/inspector/breakdown_table.h"
#include "views/inspector/memory_chart.h"

#include <QtTest>

using namespace clusterbeat;

class TestMemoryChart : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aPeakBetweenTwoPixelsIsShown_data();
    void aPeakBetweenTwoPixelsIsShown();
};

void TestMemoryChart::aPeakBetweenTwoPixelsIsShown_data()
{
    QTest::addColumn<int>("peak");
    for (const int peak : {3, 40, 41, 42, 43, 100, 127}) QTest::addRow("operation %d", peak) << peak;
}

// One operation of 128 that holds twice what the others do, in a chart of 40 columns: its level is the highest painted one,
// whichever operations share its column.
void TestMemoryChart::aPeakBetweenTwoPixelsIsShown()
{
    QFETCH(int, peak);
    SampleOptions options;
    options.microBatches = 64;
    auto result = std::make_shared<IterationResult>(*sampleResult(options));
    auto stages = std::make_shared<std::vector<StageMemory>>(*result->memory.byStage);
    StageMemory &first = stages->front();
    MemoryParts flat;
    flat.activations = 40'000'000'000;
    first.idle = flat;
    for (OperationMemory &operation : first.operations) operation = {flat, flat};
    QCOMPARE(first.operations.size(), std::size_t{128});
    first.operations[static_cast<std::size_t>(peak)].during.activations = 80'000'000'000;
    first.operations[static_cast<std::size_t>(peak)].after.activations = 80'000'000'000;
    result->memory.byStage = stages;
    result->memory.capacity = 100'000'000'000;
    ViewState state;
    MemoryChart chart(&state);
    chart.setRank(result, 0, 0);
    chart.resize(40, chart.sizeHint().height());
    const QImage picture = chart.grab().toImage();
    const QColor shade = memoryShade(state.theme(), 3);
    const auto top = [&](int x) {
        for (int y = 0; y < picture.height(); ++y)
            if (picture.pixelColor(x, y) == shade) return y;
        return picture.height();
    };
    int highest = picture.height(), usual = 0;
    for (int x = 0; x < picture.width(); ++x) {
        const int y = top(x);
        highest = std::min(highest, y);
        if (y < picture.height()) usual = std::max(usual, y);
    }
    // 80 of 106 against 40 of 106 of the plot's height, which is more than half of the picture's.
    QVERIFY2(usual - highest > picture.height() / 5, qPrintable(QStringLiteral("%1 %2").arg(highest).arg(usual)));
}

QTEST_MAIN(TestMemoryChart)
#include "tst_memory_chart.moc"
