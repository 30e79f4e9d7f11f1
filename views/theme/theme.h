// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/category.h"

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QString>

namespace clusterbeat {

enum class ThemeKind : quint8 { Dark, Light, Projector };

/// How a category is told apart without colour: solid is compute, hatched is exposed communication, crossed is waiting.
enum class Texture : quint8 { Solid, Dots, RisingLines, FallingLines, Crossed, Vertical, Horizontal, LowBar, WideVertical, WideHorizontal };

/// Every colour and size that a view may use, by role. Views never write a literal colour.
/// A value: two themes compare equal when their kind does.
class Theme final {
public:
    explicit Theme(ThemeKind kind = ThemeKind::Dark);

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
    /// Fill with the category's hatch; `small` (below 6 px of height or 3 px of width) = colour only.
    [[nodiscard]] QBrush brush(Category category, bool small = false) const;
    /// Black or white, whichever contrasts more on `fill`.
    [[nodiscard]] static QColor textOn(const QColor &fill);

    // type: Noto Sans + Noto Sans CJK SC with tabular figures; pixel sizes of the reference look, times the
    // projector's 1.5 and, where `compact`, the smaller size of a 1366 px window
    enum class Type : quint8 { Kpi, Clock, ObjectTitle, PanelTitle, Control, Label, Axis, AxisSmall };
    [[nodiscard]] QFont font(Type type, bool compact = false) const;
    [[nodiscard]] qreal scale() const { return m_kind == ThemeKind::Projector ? 1.5 : 1.0; }

    friend bool operator==(const Theme &a, const Theme &b) { return a.m_kind == b.m_kind; }

private:
    ThemeKind m_kind;
    QColor m_categories[kCategoryCount];
};

/// WCAG 2 contrast ratio, 1 … 21.
[[nodiscard]] double contrastRatio(const QColor &a, const QColor &b);
/// The application's style sheet and palette for a theme (controls, menus, docks).
[[nodiscard]] QString styleSheet(const Theme &theme);
[[nodiscard]] QPalette paletteFor(const Theme &theme);

} // namespace clusterbeat
