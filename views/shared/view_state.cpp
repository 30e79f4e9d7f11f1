// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/view_state.h"

#include <algorithm>

namespace clusterbeat {
namespace {
constexpr TimeNs kShortestRange = 1000;
}

ViewState::ViewState(QObject *parent) : QObject(parent) {}

void ViewState::setPlayhead(TimeNs t)
{
    t = std::clamp<TimeNs>(t, 0, m_duration);
    if (t == m_playhead) return;
    m_playhead = t;
    Q_EMIT playheadChanged(t);
}

void ViewState::setDuration(TimeNs duration)
{
    if (duration == m_duration || duration < 0) return;
    const bool full = m_visible.begin == 0 && m_visible.end == m_duration;
    m_duration = duration;
    Q_EMIT durationChanged(duration);
    setVisible(full ? TimeRange{0, duration} : m_visible);
    setPlayhead(m_playhead);
}

void ViewState::setVisible(TimeRange range)
{
    const TimeNs length = std::clamp<TimeNs>(range.length(), std::min(kShortestRange, m_duration), m_duration);
    range.begin = std::clamp<TimeNs>(range.begin, 0, m_duration - length);
    range.end = range.begin + length;
    if (range == m_visible) return;
    m_visible = range;
    Q_EMIT visibleChanged(range);
}

void ViewState::setSelectedGpu(GpuIndex gpu)
{
    if (gpu == m_selectedGpu) return;
    m_selectedGpu = gpu;
    Q_EMIT selectedGpuChanged(gpu);
}

void ViewState::setHoveredGpu(GpuIndex gpu)
{
    if (gpu == m_hoveredGpu) return;
    m_hoveredGpu = gpu;
    Q_EMIT hoveredGpuChanged(gpu);
}

void ViewState::setTheme(const Theme &theme)
{
    if (theme == m_theme) return;
    m_theme = theme;
    Q_EMIT themeChanged();
}

void ViewState::setReduceMotion(bool reduce) { m_reduceMotion = reduce; }

void ViewState::setCompact(bool compact)
{
    if (compact == m_compact) return;
    m_compact = compact;
    Q_EMIT compactChanged(compact);
}

void ViewState::chooseVisible(TimeRange range)
{
    setVisible(range);
    setFollowing(m_visible.length() >= m_duration);
}

void ViewState::setFollowing(bool following)
{
    if (following == m_following) return;
    m_following = following;
    Q_EMIT followingChanged(following);
}

} // namespace clusterbeat
