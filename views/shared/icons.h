// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>

namespace clusterbeat {

/// Line icons on a 16 px grid, 1.3 px stroke, round ends, no fill except play.
enum class Glyph : quint8 {
    ToStart, StepBack, Play, Pause, StepForward, Loop, Pin, Search, Warning, Info, Chip, Server, Jitter, Trash, ChevronDown, Spark, Follow
};
[[nodiscard]] QPixmap glyphPixmap(Glyph glyph, const QColor &ink, int size, qreal devicePixelRatio);
/// Sharp at 1x and 2x; `checked` is the ink of the on state.
[[nodiscard]] QIcon glyphIcon(Glyph glyph, const QColor &ink, const QColor &checked, int size = 16);

} // namespace clusterbeat
