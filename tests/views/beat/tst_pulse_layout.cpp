// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/beat/kpi_model.h"
#include "views/beat/pulse_layout.h"
#include "views/beat/scrub_slider.h"
#include "views/shared/gutters.h"

#include <QtTest>

#include <numeric>

using namespace clusterbeat;

namespace {

const QLocale kEnglish(QLocale::English, QLocale::UnitedStates);
QString plain(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

CategoryMask all()
{
    CategoryMask mask;
    mask.fill(true);
    return mask;
}

/// Bins of one category each, in turn.
ShareBins binsOf(std::initializer_list<Category> categories)
{
    ShareBins bins;
    bins.bins = static_cast<std::int32_t>(categories.size());
    bins.duration = bins.bins * 1000;
    bins.share.assign(categories.size() * kCategoryCount, 0.0F);
    std::size_t i = 0;
    for (const Category category : categories) bins.share[i++ * kCategoryCount + categoryIndex(category)] = 1.0F;
    return bins;
}

} // namespace

class TestPulseLayout final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // DESIGN: label gutter 136 / 104, right 104 + 14 / 64 + 10: 1380 - 136 - 118 = 1126, 1064 - 104 - 74 = 886.
    void guttersAreShared()
    {
        QCOMPARE(gutters(false).plotWidth(1380), 1126);
        QCOMPARE(gutters(true).plotWidth(1064), 886);
        QCOMPARE(gutters(false, 1.5).left, 204);
        QCOMPARE(gutters(true).plotWidth(10), 1);
        const PulseGeometry geometry = pulseGeometry(1380, false, 1.0);
        QCOMPARE(geometry.plot.left(), gutters(false).left);
        QCOMPARE(geometry.plot.width(), 1126);
        QCOMPARE(pulseHeight(false, 1.0), 126);
        QCOMPARE(pulseHeight(true, 1.0), 92);
        QVERIFY(geometry.now.right() < 1380);
    }

    void timeAndPixelsInvert()
    {
        const PulseGeometry geometry = pulseGeometry(1380, false, 1.0);
        const TimeNs duration = 6'200'000'000;
        for (const TimeNs t : {TimeNs{0}, TimeNs{1'234'567'890}, duration}) {
            const TimeNs back = geometry.timeAt(geometry.xOf(t, duration), duration);
            QVERIFY(std::abs(back - t) <= 1);
        }
        QCOMPARE(geometry.timeAt(-50.0, duration), TimeNs{0});
        QCOMPARE(geometry.timeAt(99999.0, duration), duration);
        QCOMPARE(geometry.timeAt(500.0, 0), TimeNs{0});
    }

    // Half of the whole at [250, 750) of 1000 in a plot of 1126 px from 136: ends at 417.5 and 980.5.
    void bracketParts()
    {
        const PulseGeometry geometry = pulseGeometry(1380, false, 1.0);
        const TimeRange range{250'000, 750'000};
        const auto part = [&](double x) { return bracketPartAt(geometry, range, 1'000'000, x); };
        QCOMPARE(part(417.5), BracketPart::Begin);
        QCOMPARE(part(413.0), BracketPart::Begin);
        QCOMPARE(part(700.0), BracketPart::Inside);
        QCOMPARE(part(981.0), BracketPart::End);
        QCOMPARE(part(1100.0), BracketPart::None);
        QCOMPARE(bracketPartAt(geometry, {0, 1'000'000}, 1'000'000, 700.0), BracketPart::None);
        // A bracket of one pixel can still be moved by its middle.
        QCOMPARE(bracketPartAt(geometry, {500'000, 501'000}, 1'000'000, geometry.xOf(500'500, 1'000'000)), BracketPart::Inside);
    }

    // Bins forward, bubble; one column over both: forward takes the lower half, bubble the upper; hidden ones take nothing.
    void columnsAverageBins()
    {
        const ShareBins bins = binsOf({Category::Forward, Category::Bubble});
        const ShareStack one = stackShares(bins, 1, all());
        QCOMPARE(one.at(0, 1), 0.5F);                              // upper edge of forward, the first of the order
        QCOMPARE(one.at(0, kCategoryCount), 1.0F);
        const ShareStack four = stackShares(bins, 4, all());
        QCOMPARE(four.at(0, 1), 1.0F);
        QCOMPARE(four.at(3, 1), 0.0F);
        CategoryMask mask = all();
        mask[categoryIndex(Category::Forward)] = false;
        QCOMPARE(stackShares(bins, 1, mask).at(0, kCategoryCount), 0.5F);
        // Three columns over two bins: the middle one has half of each.
        QVERIFY(std::abs(stackShares(bins, 3, all()).at(1, 1) - 0.5F) < 1e-6F);
        QCOMPARE(stackShares(ShareBins{}, 10, all()).columns, 0);
    }

    void everyColumnOfARunIsFull()
    {
        SampleOptions options;
        options.slow = SampleOptions::Slow{1, 2, 0, 0.6};
        const auto result = sampleResult(options);
        const ShareStack stack = stackShares(result->pulse, 777, all());
        for (int column = 0; column < stack.columns; ++column) {
            QVERIFY(std::abs(stack.at(column, kCategoryCount) - 1.0F) < 1e-4F);
            for (std::size_t k = 0; k < kCategoryCount; ++k) QVERIFY(stack.at(column, k + 1) >= stack.at(column, k));
        }
    }

    // 6.2 s in 1126 px, 130 px between labels: 0.716 s at least, so 1 s steps: 0 … 6.
    void ticksAreRound()
    {
        const std::vector<TimeNs> ticks = axisTicks(6'200'000'000, 1126, 130);
        QCOMPARE(ticks.size(), std::size_t{7});
        QCOMPARE(ticks[1], kNsPerSecond);
        QCOMPARE(axisTicks(60, 1000, 100)[1], TimeNs{10});         // 6 at least: 10
        QCOMPARE(axisTicks(45, 1000, 100)[1], TimeNs{5});          // 4.5 at least: 5
        QVERIFY(axisTicks(0, 1000, 100).empty());
    }

    // The legend's hundredths are the iteration's, folded or not.
    void legendAddsUp()
    {
        SampleOptions options = largeSample();
        options.slow = SampleOptions::Slow{7, 41, 5, 0.7};
        const auto result = sampleResult(options);
        const std::vector<LegendEntry> entries = legendEntries(result->metrics.breakdownS);
        const auto sum = [](const std::vector<LegendEntry> &list) {
            return std::accumulate(list.begin(), list.end(), std::int64_t{0}, [](std::int64_t s, const LegendEntry &e) { return s + e.hundredths; });
        };
        const auto whole = static_cast<std::int64_t>(std::floor(result->metrics.iterationS * 100.0 + 0.5));
        QCOMPARE(sum(entries), whole);
        for (std::size_t limit = 2; limit < 9; ++limit) {
            const std::vector<LegendEntry> folded = foldLegend(entries, limit);
            QCOMPARE(sum(folded), whole);
            QCOMPARE(folded.size(), std::min(limit, entries.size()));
            QVERIFY(folded.size() == entries.size() || folded.back().category == -1);
        }
    }

    // p = 4, m = 8 of 12 ms forward and 22 ms backward: the last stage's first backward starts after four forwards (and
    // their transfers), the last forward ends before the last backward, all inside the iteration.
    void phasesAreInOrder()
    {
        const auto result = sampleResult({});
        const std::vector<TimeNs> ticks = phaseTicks(*result);
        QCOMPARE(ticks.size(), std::size_t{3});
        QVERIFY(ticks[0] >= 4 * TimeNs{12'000'000} && ticks[0] < 4 * TimeNs{12'000'000} + TimeNs{30'000'000});
        QVERIFY(ticks[0] < ticks[1] && ticks[1] < ticks[2] && ticks[2] < result->iteration());
    }

    // The arrow is the direction of the number, the tone says whether that is good, and both come from what is printed.
    void deltasHaveTone()
    {
        SampleOptions options = largeSample();
        const auto base = sampleResult(options);
        options.slow = SampleOptions::Slow{7, 41, 5, 0.7};
        const auto slow = sampleResult(options);
        const auto figures = kpiFigures(*slow, base.get(), kEnglish);
        QCOMPARE(figures[0].tone, KpiFigure::Tone::Worse);
        QCOMPARE(figures[0].direction, 1);
        QCOMPARE(plain(figures[0].delta), QStringLiteral("+%1 s").arg(kEnglish.toString(slow->metrics.iterationS - base->metrics.iterationS, 'f', 2)));
        QCOMPARE(figures[1].direction, -1);
        QCOMPARE(figures[1].tone, KpiFigure::Tone::Worse);
        QCOMPARE(figures[2].tone, KpiFigure::Tone::Worse);
        QCOMPARE(figures[3].direction, 1);
        QCOMPARE(figures[4].tone, KpiFigure::Tone::Neutral);
        QCOMPARE(plain(figures[4].suffix), QStringLiteral("of 84.4 GB"));
        const auto better = kpiFigures(*base, slow.get(), kEnglish);
        QCOMPARE(better[0].tone, KpiFigure::Tone::Better);
        QCOMPARE(better[0].direction, -1);
        QCOMPARE(kpiFigures(*base, nullptr, kEnglish)[0].tone, KpiFigure::Tone::None);
        IterationResult full = *base;
        full.memory.fits = false;
        QCOMPARE(kpiFigures(full, base.get(), kEnglish)[4].tone, KpiFigure::Tone::Worse);
    }
};

QTEST_APPLESS_MAIN(TestPulseLayout)
#include "tst_pulse_layout.moc"
