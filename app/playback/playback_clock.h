// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace clusterbeat {

/// Where the playhead is after `elapsedNs` of wall time at `speed` simulated seconds per second.
struct PlaybackStep {
    TimeNs playhead = 0;
    bool ended = false;         ///< reached the end without loop: playing stops there
};
/// Pure. With `loop` the time past the end starts over; a duration of 0 stays at 0.
[[nodiscard]] PlaybackStep advancePlayhead(TimeNs from, std::int64_t elapsedNs, double speed, TimeNs duration, bool loop);

/// The one clock of the window: moves ViewState's playhead while playing, at × 1 by default (a 6 s iteration takes 6 s).
class PlaybackClock final : public QObject {
    Q_OBJECT
public:
    explicit PlaybackClock(ViewState *state, QObject *parent = nullptr);

    [[nodiscard]] bool playing() const { return m_timer.isActive(); }
    [[nodiscard]] double speed() const { return m_speed; }
    [[nodiscard]] bool loop() const { return m_loop; }
    /// Starts over when the playhead stands at the end.
    void setPlaying(bool playing);
    /// Clamped to 1/1000 … 10.
    void setSpeed(double speed);
    /// The next (+1) or previous (-1) of the usual speeds: 1/1000, 1/300, 1/100, 1/30, 1/10, 1/3, 1, 3, 10.
    void changeSpeed(int steps);
    void setLoop(bool loop);
    void toStart();
    void toEnd();

Q_SIGNALS:
    void playingChanged(bool playing);
    void speedChanged(double speed);
    void loopChanged(bool loop);

private:
    void tick();

    ViewState *m_state;
    QTimer m_timer;
    QElapsedTimer m_since;
    double m_speed = 1.0;
    bool m_loop = true;
};

} // namespace clusterbeat
