// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/playback/playback_clock.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr std::chrono::milliseconds kFrame{16};
constexpr std::array kSpeeds{1.0 / 1000, 1.0 / 300, 1.0 / 100, 1.0 / 30, 1.0 / 10, 1.0 / 3, 1.0, 3.0, 10.0};

} // namespace

PlaybackStep advancePlayhead(TimeNs from, std::int64_t elapsedNs, double speed, TimeNs duration, bool loop)
{
    if (duration <= 0) return {0, !loop};
    const double moved = static_cast<double>(std::max<std::int64_t>(0, elapsedNs)) * std::max(0.0, speed);
    // A window that slept for days must not overflow: whole iterations drop out before the conversion.
    const double target = static_cast<double>(from) + moved;
    if (target < static_cast<double>(duration)) return {static_cast<TimeNs>(std::floor(target)), false};
    if (!loop) return {duration, true};
    return {static_cast<TimeNs>(std::fmod(target, static_cast<double>(duration))), false};
}

PlaybackClock::PlaybackClock(ViewState *state, QObject *parent) : QObject(parent), m_state(state)
{
    m_timer.setInterval(kFrame);
    m_timer.setTimerType(Qt::PreciseTimer);
    connect(&m_timer, &QTimer::timeout, this, &PlaybackClock::tick);
}

void PlaybackClock::tick()
{
    const auto step = advancePlayhead(m_state->playhead(), m_since.nsecsElapsed(), m_speed, m_state->duration(), m_loop);
    m_since.restart();
    m_state->setPlayhead(step.playhead);
    if (step.ended) setPlaying(false);
}

void PlaybackClock::setPlaying(bool play)
{
    if (play == playing()) return;
    if (play) {
        if (m_state->playhead() >= m_state->duration()) m_state->setPlayhead(0);
        m_since.start();
        m_timer.start();
    } else {
        m_timer.stop();
    }
    Q_EMIT playingChanged(play);
}

void PlaybackClock::setSpeed(double speed)
{
    speed = std::isfinite(speed) ? std::clamp(speed, kSpeeds.front(), kSpeeds.back()) : 1.0;
    if (speed == m_speed) return;
    m_speed = speed;
    Q_EMIT speedChanged(speed);
}

void PlaybackClock::changeSpeed(int steps)
{
    const auto here = std::lower_bound(kSpeeds.begin(), kSpeeds.end(), m_speed);
    // Between two speeds, lower_bound is already one step up.
    const bool between = here != kSpeeds.end() && *here != m_speed;
    const auto index = std::clamp<std::ptrdiff_t>(here - kSpeeds.begin() + steps - (between && steps > 0 ? 1 : 0), 0,
                                                  static_cast<std::ptrdiff_t>(kSpeeds.size()) - 1);
    setSpeed(kSpeeds[static_cast<std::size_t>(index)]);
}

void PlaybackClock::setLoop(bool loop)
{
    if (loop == m_loop) return;
    m_loop = loop;
    Q_EMIT loopChanged(loop);
}

void PlaybackClock::toStart() { m_state->setPlayhead(0); }
void PlaybackClock::toEnd() { m_state->setPlayhead(m_state->duration()); }

} // namespace clusterbeat
