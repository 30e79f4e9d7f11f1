// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/beat/clock_label.h"
#include "views/beat/kpi_strip.h"
#include "views/beat/kpi_tile.h"
#include "views/beat/pulse_legend.h"
#include "views/beat/pulse_strip.h"
#include "views/beat/transport_bar.h"
#include "views/text/names.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace clusterbeat;

namespace {

template <typename Widget>
Widget *named(QWidget &parent, const QString &accessibleName)
{
    for (Widget *each : parent.findChildren<Widget *>())
        if (each->accessibleName() == accessibleName) return each;
    return nullptr;
}

} // namespace

class TestBeatViews final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        SampleOptions options;
        options.replicas = 8;
        m_base = sampleResult(options);
        options.slow = SampleOptions::Slow{1, 3, 1, 0.5};
        m_slow = sampleResult(options);
    }

    // Every control of the transport reports one intent and can be found by its accessible name.
    void transportReports()
    {
        ViewState state;
        TransportBar bar(&state);
        QSignalSpy play(&bar, &TransportBar::playToggled), speed(&bar, &TransportBar::speedChanged), step(&bar, &TransportBar::stepRequested);
        QSignalSpy start(&bar, &TransportBar::toStartRequested), search(&bar, &TransportBar::searchSubmitted), pin(&bar, &TransportBar::pinBaselineRequested);
        named<QToolButton>(bar, QStringLiteral("Play"))->click();
        QCOMPARE(play.takeFirst().at(0).toBool(), true);
        bar.setPlaying(true);
        QVERIFY(play.isEmpty());
        named<QToolButton>(bar, QStringLiteral("Pause"))->click();
        QCOMPARE(play.takeFirst().at(0).toBool(), false);
        named<QToolButton>(bar, QStringLiteral("Previous event"))->click();
        named<QToolButton>(bar, QStringLiteral("Next event"))->click();
        QCOMPARE(step.at(0).at(0).toInt(), -1);
        QCOMPARE(step.at(1).at(0).toInt(), 1);
        named<QToolButton>(bar, QStringLiteral("To the start"))->click();
        QCOMPARE(start.size(), 1);
        // From 1/10 one step faster is 1/3; being told a speed emits nothing.
        bar.setSpeed(0.1);
        QVERIFY(speed.isEmpty());
        named<QToolButton>(bar, QStringLiteral("Faster"))->click();
        QVERIFY(qAbs(speed.takeFirst().at(0).toDouble() - 1.0 / 3.0) < 1e-12);
        bar.setSpeed(10.0);
        named<QToolButton>(bar, QStringLiteral("Faster"))->click();
        QVERIFY(speed.isEmpty());
        auto *field = bar.findChild<QLineEdit *>();
        field->setText(QStringLiteral("  rank:12 "));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(search.takeFirst().at(0).toString(), QStringLiteral("rank:12"));
        named<QPushButton>(bar, QStringLiteral("Pin this run as the baseline"))->click();
        QCOMPARE(pin.size(), 1);
    }

    // Whatever the width, what is named is the largest, more room names no fewer, and only what is left is "Other".
    void legendNamesTheLargest()
    {
        const std::vector<std::pair<Category, double>> parts{{Category::Backward, 2.92}, {Category::StragglerWait, 1.56}, {Category::Forward, 1.39},
                                                             {Category::ExposedTp, 0.87}, {Category::Bubble, 0.72}, {Category::ExposedDp, 0.05},
                                                             {Category::Optimizer, 0.04}, {Category::ExposedPp, 0.02}};   // largest first
        std::array<double, kCategoryCount> breakdown{};
        for (const auto &[category, seconds] : parts) breakdown[categoryIndex(category)] = seconds;
        ViewState state;
        PulseLegend legend(&state);
        legend.setBreakdown(breakdown);
        legend.show();
        std::size_t before = 0;
        for (int width = 420; width <= 1900; width += 20) {
            legend.resize(width, 22);
            const QString shown = legend.accessibleDescription();
            std::size_t count = 0;
            while (count < parts.size() && shown.contains(categoryName(parts[count].first) + QLatin1Char(' '))) ++count;
            for (std::size_t i = count; i < parts.size(); ++i) QVERIFY2(!shown.contains(categoryName(parts[i].first)), qPrintable(shown));
            QCOMPARE(shown.contains(QStringLiteral("Other")), count < parts.size());
            QVERIFY(count >= before && count > 0);
            before = count;
        }
        QCOMPARE(before, parts.size());
    }

    // After Return the field gives the keys back; without a text of its own it leaves undo to the window.
    void searchGivesTheKeysBack()
    {
        ViewState state;
        TransportBar bar(&state);
        bar.resize(1900, 40);
        bar.show();
        bar.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&bar));
        bar.focusSearch();
        auto *field = bar.findChild<QLineEdit *>();
        QVERIFY(field->hasFocus());
        const auto takesUndo = [field] {
            QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            undo.ignore();
            QApplication::sendEvent(field, &undo);
            return undo.isAccepted();
        };
        QVERIFY(!takesUndo());
        QTest::keyClicks(field, QStringLiteral("rank:3"));
        QVERIFY(takesUndo());
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!field->hasFocus());
        QVERIFY(!takesUndo());
    }

    void clockIsSteady()
    {
        QCOMPARE(ClockLabel::clockText(5'862'000'000, 7'616'000'000), QLocale().toString(5862.0, 'f', 1));
        QVERIFY(ClockLabel::durationPart(7'616'000'000).endsWith(QStringLiteral("ms")));
        QVERIFY(ClockLabel::durationPart(4'000'000).endsWith(QStringLiteral("µs")));
    }

    // Dragging the bracket moves the range by the same time and keeps its length; its end resizes; elsewhere the playhead
    // follows the cursor.
    void pulseDrags()
    {
        ViewState state;
        state.setDuration(m_base->iteration());
        PulseStrip strip(&state);
        strip.resize(1380, strip.sizeHint().height());
        strip.setResult(m_base);
        strip.show();
        const TimeNs T = state.duration();
        state.setVisible({T / 4, T / 2});
        const PulseGeometry geometry = pulseGeometry(strip.width(), false, 1.0);
        const auto point = [&](TimeNs t) { return QPoint(static_cast<int>(geometry.xOf(t, T)), geometry.plot.center().y()); };
        const TimeNs pixel = T / geometry.plot.width() + 1;
        QTest::mousePress(&strip, Qt::LeftButton, {}, point(T * 3 / 8));
        QTest::mouseMove(&strip, point(T * 5 / 8));
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, point(T * 5 / 8));
        QCOMPARE(state.visible().length(), T / 2 - T / 4);
        QVERIFY(qAbs(state.visible().begin - T / 2) <= 2 * pixel);
        QCOMPARE(state.playhead(), TimeNs{0});
        QTest::mousePress(&strip, Qt::LeftButton, {}, point(state.visible().end));
        QTest::mouseMove(&strip, point(T * 7 / 8));
        QTest::mouseRelease(&strip, Qt::LeftButton, {}, point(T * 7 / 8));
        QVERIFY(qAbs(state.visible().end - T * 7 / 8) <= 2 * pixel);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, point(T / 8));
        QVERIFY(qAbs(state.playhead() - T / 8) <= 2 * pixel);
        QTest::mouseDClick(&strip, Qt::LeftButton, {}, point(T / 8));
        QCOMPARE(state.visible(), (TimeRange{0, T}));
        QTest::keyClick(&strip, Qt::Key_End);
        QCOMPARE(state.playhead(), T);
        QTest::keyClick(&strip, Qt::Key_Home);
        QCOMPARE(state.playhead(), TimeNs{0});
    }

    // What is painted at an instant is the category that holds there: the wait's colour only in the slow run.
    void pulsePaintsTheWait()
    {
        const auto waitPixels = [](const std::shared_ptr<const IterationResult> &result) {
            ViewState state;
            state.setDuration(result->iteration());
            PulseStrip strip(&state);
            strip.resize(1380, strip.sizeHint().height());
            strip.setResult(result);
            QImage image(strip.size(), QImage::Format_RGB32);
            strip.render(&image);
            const QRect plot = pulseGeometry(strip.width(), false, 1.0).plot;
            int count = 0;
            for (int y = plot.top(); y <= plot.bottom(); ++y)
                for (int x = plot.left(); x <= plot.right(); ++x) count += image.pixel(x, y) == state.theme().category(Category::StragglerWait).rgb() ? 1 : 0;
            return count;
        };
        QCOMPARE(waitPixels(m_base), 0);
        QVERIFY(waitPixels(m_slow) > 1000);
    }

    void verdictShowsTheGpu()
    {
        ViewState state;
        KpiStrip strip(&state);
        strip.resize(1920, 58);
        strip.setBaseline(m_base);
        strip.setResult(m_slow);
        QSignalSpy shown(&strip, &KpiStrip::showGpuRequested);
        strip.findChild<QPushButton *>()->click();
        QCOMPARE(shown.takeFirst().at(0).value<GpuIndex>(), m_slow->slowest.gpu);
        strip.setResult(nullptr);
        strip.setStale(true);
        QImage image(strip.size(), QImage::Format_RGB32);
        strip.render(&image);
        QCOMPARE(image.pixel(5, 5), state.theme().panel.rgb());
    }

    // With the letters of a projector a window of 1366 leaves no room for a cause: goodput goes, then the cost; what is said
    // first stays at every width, and everything comes back with room.
    void figuresMakeRoomForTheVerdict()
    {
        ViewState state;
        state.setTheme(Theme(ThemeKind::Projector));
        state.setCompact(true);
        KpiStrip strip(&state);
        strip.setBaseline(m_base);
        strip.setResult(m_slow);
        const QList<KpiTile *> tiles = strip.findChildren<KpiTile *>();
        QCOMPARE(tiles.size(), 6);
        strip.show();
        const auto shownAt = [&](int width) {
            strip.resize(width, strip.sizeHint().height());
            QString shown;
            for (const KpiTile *tile : tiles) shown += tile->isVisibleTo(&strip) ? QLatin1Char('x') : QLatin1Char('-');
            return shown;
        };
        QCOMPARE(shownAt(2600), QStringLiteral("xxxxxx"));
        QCOMPARE(shownAt(700), QStringLiteral("xxx-x-"));
        int width = 2600;
        while (width > 700 && shownAt(width) == QStringLiteral("xxxxxx")) --width;
        QCOMPARE(shownAt(width), QStringLiteral("xxxxx-"));
        const auto *verdict = strip.findChild<VerdictTile *>();
        QVERIFY(verdict->width() >= 340 * 3 / 2);
    }

    // Every focusable widget of the three views has an accessible name, in every theme and density.
    void accessibleNames()
    {
        ViewState state;
        TransportBar bar(&state);
        KpiStrip kpi(&state);
        PulseStrip pulse(&state);
        kpi.setResult(m_slow);
        for (const QWidget *view : {static_cast<QWidget *>(&bar), static_cast<QWidget *>(&kpi), static_cast<QWidget *>(&pulse)})
            for (const QWidget *each : view->findChildren<QWidget *>()) {
                if (each->focusPolicy() == Qt::NoFocus || qobject_cast<const QPushButton *>(each)) continue;
                QVERIFY2(!each->accessibleName().isEmpty() || each->parentWidget()->inherits("QComboBox") || each->inherits("QAbstractItemView") ||
                             each->parentWidget()->inherits("QLineEdit"),
                         each->metaObject()->className());
            }
    }

private:
    std::shared_ptr<const IterationResult> m_base, m_slow;
};

QTEST_MAIN(TestBeatViews)
#include "tst_beat_views.moc"
