// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/playback/playback_clock.h"

#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace clusterbeat;

class TestPlaybackClock : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void advance_data()
    {
        QTest::addColumn<qint64>("from");
        QTest::addColumn<qint64>("elapsed");
        QTest::addColumn<double>("speed");
        QTest::addColumn<bool>("loop");
        QTest::addColumn<qint64>("playhead");
        QTest::addColumn<bool>("ended");
        // An iteration of 6.4 s in nanoseconds; 6.4e9 + what is left over.
        QTest::newRow("a frame at x1") << qint64{0} << qint64{16'000'000} << 1.0 << true << qint64{16'000'000} << false;
        QTest::newRow("a frame at x1/100") << qint64{5} << qint64{16'000'000} << 0.01 << true << qint64{160'005} << false;
        QTest::newRow("loop") << qint64{6'390'000'000} << qint64{16'000'000} << 1.0 << true << qint64{6'000'000} << false;
        QTest::newRow("exactly the end loops") << qint64{6'384'000'000} << qint64{16'000'000} << 1.0 << true << qint64{0} << false;
        QTest::newRow("no loop stops at the end") << qint64{6'390'000'000} << qint64{16'000'000} << 1.0 << false << qint64{6'400'000'000} << true;
        QTest::newRow("a clock that went back") << qint64{7} << qint64{-1'000} << 1.0 << true << qint64{7} << false;
        // 2 days = 172,800 s = 27,000 iterations of 6.4 s and nothing left.
        QTest::newRow("a night asleep") << qint64{1'000'000'000} << qint64{172'800'000'000'000} << 1.0 << true << qint64{1'000'000'000} << false;
    }
    void advance()
    {
        QFETCH(qint64, from);
        QFETCH(qint64, elapsed);
        QFETCH(double, speed);
        QFETCH(bool, loop);
        const PlaybackStep step = advancePlayhead(from, elapsed, speed, 6'400'000'000, loop);
        QTEST(qint64{step.playhead}, "playhead");
        QTEST(step.ended, "ended");
    }

    void nothingToPlay()
    {
        QCOMPARE(advancePlayhead(0, 1'000, 1.0, 0, true).playhead, 0);
        QVERIFY(advancePlayhead(0, 1'000, 1.0, 0, false).ended);
        const auto far = advancePlayhead(0, std::numeric_limits<std::int64_t>::max(), 10.0, 1'000, true);
        QVERIFY(far.playhead >= 0 && far.playhead < 1'000);
    }

    void playMovesTheSharedPlayheadAndStartsOverFromTheEnd()
    {
        ViewState state;
        state.setDuration(6'400'000'000);
        PlaybackClock clock(&state);
        QSignalSpy playing(&clock, &PlaybackClock::playingChanged);
        state.setPlayhead(state.duration());
        clock.setPlaying(true);
        QCOMPARE(state.playhead(), 0);
        QTRY_VERIFY(state.playhead() > 0);
        clock.setPlaying(false);
        QCOMPARE(playing.count(), 2);
    }

    void withoutLoopItStopsByItself()
    {
        ViewState state;
        state.setDuration(1'000'000);
        PlaybackClock clock(&state);
        clock.setLoop(false);
        clock.setPlaying(true);
        QTRY_VERIFY(!clock.playing());
        QCOMPARE(state.playhead(), state.duration());
    }

    void speedsSnapToTheUsualOnes()
    {
        ViewState state;
        PlaybackClock clock(&state);
        QCOMPARE(clock.speed(), 1.0);
        clock.changeSpeed(-1);
        QCOMPARE(clock.speed(), 1.0 / 3);
        clock.changeSpeed(-100);
        QCOMPARE(clock.speed(), 0.001);
        clock.changeSpeed(100);
        QCOMPARE(clock.speed(), 10.0);
        clock.setSpeed(0.3);                    // between two of them: the next one in that direction
        clock.changeSpeed(+1);
        QCOMPARE(clock.speed(), 1.0 / 3);
        clock.setSpeed(0.3);
        clock.changeSpeed(-1);
        QCOMPARE(clock.speed(), 0.1);
        clock.setSpeed(std::numeric_limits<double>::quiet_NaN());
        QCOMPARE(clock.speed(), 1.0);
    }
};

QTEST_GUILESS_MAIN(TestPlaybackClock)
#include "tst_playback_clock.moc"
