// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/category.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

namespace clusterbeat {

enum class ThemeKind : quint8 { Dark, Light, Projector };

/// How a category is told apart without colour: solid is compute, hatched is exposed communication, crossed is waiting.
/// Grid (upright cross) is communication, Crossed (diagonal cross) is only ever waiting. LowBar is a solid fill that
/// lanes draw over 40 % of their height.
enum class Texture : quint8 {
    Solid, Dots, RisingLines, FallingLines, Grid, Crossed, Vertical, Horizontal, LowBar, WideVertical, WideHorizontal
};

/// Every colour and size that a view may use, by role. Views never write a literal colour.
/// A value: two themes compare equal when their kind and scale do.
class Theme final {
public:
    /// `compact`: for a narrow window, whose letters are smaller; the projector's then grow less, to the same share of the
    /// picture's height (1.25 on 768 lines are 1.76 on 1080).
    explicit Theme(ThemeKind kind = ThemeKind::Dark, bool compact = false);

    [[nodiscard]] ThemeKind kind() const { return m_kind; }
    [[nodiscard]] bool dark() const { return m_kind == ThemeKind::Dark; }
    // chrome
    QColor window, panel, raised, sunken, line, border;
    QColor text, text2, text3;
    QColor accent, accentSoft, worse, worseSoft, warning;
    QColor selection, selectionCasing;         ///< also the playhead
    QColor idle;                               ///< a GPU without a rank: outline
    QColor overlapped;                         ///< overlapped communication, own sub-lane

    [[nodiscard]] QColor category(Category category) const;
    [[nodiscard]] static Texture texture(Category category);
    /// Fill with the category's hatch, a tile of 6 logical px; `small` (below 6 px of height or 3 px of width) = colour
    /// only. `devicePixelRatio` of the target picks a sharp tile; 0 = the application's.
    [[nodiscard]] QBrush brush(Category category, bool small = false, qreal devicePixelRatio = 0.0) const;
    /// True when the fill contrasts less than 3:1 with the panel: it then gets a 1 px edge in `border`.
    [[nodiscard]] bool needsEdge(Category category) const;
    /// Black or white, whichever contrasts more on `fill`.
    [[nodiscard]] static QColor textOn(const QColor &fill);

    // type: Noto Sans + Noto Sans CJK SC with tabular figures; pixel sizes of the reference look, times the
    // projector's 1.5 and, where `compact`, the smaller size of a 1366 px window
    enum class Type : quint8 { Kpi, Clock, ObjectTitle, PanelTitle, Control, Label, LabelStrong, Axis, AxisSmall };
    [[nodiscard]] QFont font(Type type, bool compact = false) const;
    [[nodiscard]] qreal scale() const { return m_kind != ThemeKind::Projector ? 1.0 : m_compact ? 1.25 : 1.5; }

    friend bool operator==(const Theme &a, const Theme &b) { return a.m_kind == b.m_kind && a.scale() == b.scale(); }

private:
    ThemeKind m_kind;
    bool m_compact;
    std::array<QColor, kCategoryCount> m_categories;
    std::array<QBrush, kCategoryCount> m_tiles;         ///< at device pixel ratio 1
    std::array<QBrush, kCategoryCount> m_fineTiles;     ///< at 2
};

/// WCAG 2 contrast ratio, 1 … 21.
[[nodiscard]] double contrastRatio(const QColor &a, const QColor &b);
/// The application's style sheet and palette for a theme (controls, menus, docks).
[[nodiscard]] QString styleSheet(const Theme &theme);
[[nodiscard]] QPalette paletteFor(const Theme &theme);

} // namespace clusterbeat
