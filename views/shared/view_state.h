// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/ids.h"
#include "model/base/units.h"
#include "views/theme/theme.h"

#include <QObject>

namespace clusterbeat {

/// A half-open range of simulated time.
struct TimeRange {
    TimeNs begin = 0, end = 0;
    [[nodiscard]] TimeNs length() const { return end - begin; }
    friend bool operator==(const TimeRange &, const TimeRange &) = default;
};

/// What all views share: playhead, visible time range, selection, hover and theme. Setters do nothing when the value is
/// the same and otherwise emit once. GUI thread only. Views read it and set it; they never know each other.
class ViewState final : public QObject {
    Q_OBJECT
public:
    explicit ViewState(QObject *parent = nullptr);

    [[nodiscard]] TimeNs playhead() const { return m_playhead; }
    [[nodiscard]] TimeNs duration() const { return m_duration; }
    [[nodiscard]] TimeRange visible() const { return m_visible; }
    [[nodiscard]] GpuIndex selectedGpu() const { return m_selectedGpu; }     ///< kNone = nothing
    [[nodiscard]] GpuIndex hoveredGpu() const { return m_hoveredGpu; }
    [[nodiscard]] const Theme &theme() const { return m_theme; }
    [[nodiscard]] bool reduceMotion() const { return m_reduceMotion; }
    [[nodiscard]] bool compact() const { return m_compact; }                 ///< window narrower than 1600 px
    [[nodiscard]] bool following() const { return m_following; }             ///< the visible range pages after the playhead

    /// Clamped to [0, duration].
    void setPlayhead(TimeNs t);
    /// A new iteration length keeps a full visible range full and clamps another.
    void setDuration(TimeNs duration);
    /// Clamped to [0, duration], at least 1 microsecond long.
    void setVisible(TimeRange range);
    /// A range that a person chose: it stays until setFollowing(true). The whole iteration needs no following.
    void chooseVisible(TimeRange range);
    void setSelectedGpu(GpuIndex gpu);
    void setHoveredGpu(GpuIndex gpu);
    void setTheme(const Theme &theme);
    void setReduceMotion(bool reduce);
    void setCompact(bool compact);
    void setFollowing(bool following);

Q_SIGNALS:
    void playheadChanged(clusterbeat::TimeNs t);
    void durationChanged(clusterbeat::TimeNs duration);
    void visibleChanged(clusterbeat::TimeRange range);
    void selectedGpuChanged(clusterbeat::GpuIndex gpu);
    void hoveredGpuChanged(clusterbeat::GpuIndex gpu);
    void themeChanged();
    void compactChanged(bool compact);
    void followingChanged(bool following);

private:
    TimeNs m_playhead = 0, m_duration = 0;
    TimeRange m_visible;
    GpuIndex m_selectedGpu = kNone, m_hoveredGpu = kNone;
    Theme m_theme;
    bool m_reduceMotion = false, m_compact = false, m_following = true;
};

} // namespace clusterbeat
