// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/operation_pieces.h"
#include "views/cluster/heat_raster.h"

#include <QtTest>

using namespace clusterbeat;

class TestHeatCues : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void colourIsNotTheOnlyCue();
};

// What a GPU does can be told without colour: every wait for something outside of it is a line through the middle, every
// exposed collective is cut in four, the rest is plain.
void TestHeatCues::colourIsNotTheOnlyCue()
{
    const Theme theme;
    const HeatPalette palette = heatPaletteFor(theme);
    const auto cue = [&](Category category) { return palette.cue[categoryIndex(category)]; };
    for (const Category wait : {Category::StragglerWait, Category::DataWait, Category::CheckpointStall})
        QVERIFY(cue(wait) == HeatCue::MiddleLine);
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        QCOMPARE(cue(category) == HeatCue::FourColumns, isExposedCommunication(category));
    }
    QVERIFY(cue(Category::Forward) == HeatCue::None && cue(Category::Bubble) == HeatCue::None);
}

QTEST_MAIN(TestHeatCues)
#include "tst_heat_cues.moc"
