// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

namespace clusterbeat {

/// The horizontal frame that the pulse strip and the timeline share, so that one playhead stands at one x in both.
/// Logical pixels: label gutter | plot | gap | right column (the pulse's "now", the timeline's lane map).
struct Gutters {
    int left = 136;
    int gap = 14;
    int right = 104;

    [[nodiscard]] constexpr int plotWidth(int width) const
    {
        const int plot = width - left - gap - right;
        return plot > 1 ? plot : 1;
    }
    [[nodiscard]] constexpr int plotRight(int width) const { return left + plotWidth(width); }
};

/// `scale` is the theme's (1.5 for the projector).
[[nodiscard]] constexpr Gutters gutters(bool compact, double scale = 1.0)
{
    const Gutters base = compact ? Gutters{104, 10, 64} : Gutters{136, 14, 104};
    const auto scaled = [scale](int px) { return static_cast<int>(px * scale + 0.5); };
    return {scaled(base.left), scaled(base.gap), scaled(base.right)};
}

} // namespace clusterbeat
