// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/theme/theme.h"

#include <QHash>
#include <QRegularExpression>

namespace clusterbeat {
namespace {

// $name is a token of the theme, #px(n) a length that the projector scales.
const char *const kChromeSheet = R"(
QWidget { color: $text; font-family: "Noto Sans", "Noto Sans CJK SC"; font-size: #px(12); selection-background-color: $accent; selection-color: $onAccent; }
QMainWindow, QDialog { background: $window; }
QMainWindow::separator { background: $line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: $accent; }
QSplitter::handle { background: $line; }
QSplitter::handle:hover { background: $accent; }
QMenuBar { background: $window; color: $text; border-bottom: 1px solid $line; padding: 0 4px; }
QMenuBar::item { background: transparent; padding: #px(4) #px(9); border-radius: 4px; }
QMenuBar::item:selected { background: $raised2; }
QMenuBar::item:pressed { background: $accentSoft; color: $text; }
QMenu { background: $raised; color: $text; border: 1px solid $border; padding: 4px; }
QMenu::item { padding: #px(4) #px(24) #px(4) #px(24); border-radius: 4px; }
QMenu::item:selected { background: $accentSoft; color: $text; }
QMenu::item:disabled { color: $text3; background: transparent; }
QMenu::separator { height: 1px; background: $line; margin: 4px 8px; }
QMenu::icon { padding-left: 4px; }
QToolTip { background: $raised; color: $text; border: 1px solid $border; padding: 4px 6px; }
QStatusBar { background: $window; color: $text2; border-top: 1px solid $line; font-size: #px(11); }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: $text2; font-size: #px(11); }
)"
R"(
QDockWidget { color: $text; font-size: #px(12); font-weight: 600; titlebar-close-icon: url(:/theme/close-$icons.svg); titlebar-normal-icon: url(:/theme/float-$icons.svg); }
QDockWidget::title { background: $panel; padding: #px(6) #px(10); border-bottom: 1px solid $line; text-align: left; }
QDockWidget::close-button, QDockWidget::float-button { border: none; background: transparent; padding: 0; border-radius: 4px; }
QDockWidget::close-button:hover, QDockWidget::float-button:hover { background: $raised2; }
QDockWidget > QWidget { background: $panel; }
QTabBar { background: $panel; }
QTabBar::tab { background: $panel; color: $text2; padding: #px(6) #px(11); border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:hover:!selected { color: $text; }
QTabBar::tab:focus { color: $accent; }
QTabWidget::pane { border: none; border-top: 1px solid $line; background: $panel; }
QScrollArea { background: $panel; border: none; }
QAbstractScrollArea { background: $panel; border: none; }
QScrollArea#seeThrough { background: transparent; }
QScrollBar:vertical { background: transparent; width: 10px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 10px; margin: 0; }
QScrollBar::handle { background: $border; border-radius: 3px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 24px; }
QScrollBar::handle:horizontal { min-width: 24px; }
QScrollBar::handle:hover { background: $text3; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QHeaderView::section { background: $panel; color: $text2; border: none; border-bottom: 1px solid $line; padding: 4px 8px; font-size: #px(11); }
QTreeView, QTableView, QListView, QPlainTextEdit, QTextEdit { background: $sunken; color: $text; border: 1px solid $line; alternate-background-color: $panel; }
QTreeView::item, QListView::item, QTableView::item { min-height: #px(22); }
QTreeView::item:selected, QListView::item:selected, QTableView::item:selected { background: $accentSoft; color: $text; }
QTreeView:focus, QTableView:focus, QListView:focus, QPlainTextEdit:focus { border: 1px solid $accent; }
)"
R"(
QPushButton, QToolButton { background: $raised; color: $text; border: 1px solid $border; border-radius: 4px; min-height: #px(24); padding: 0 #px(10); }
QPushButton:hover, QToolButton:hover { border-color: $text3; }
QPushButton:pressed, QToolButton:pressed { background: $accentSoft; }
QPushButton:checked, QToolButton:checked { background: $accentSoft; border-color: $accentSoft; color: $text; }
QPushButton:disabled, QToolButton:disabled { color: $text3; background: $panel; border-color: $line; }
QPushButton:focus, QToolButton:focus { border: 2px solid $accent; padding: 0 #px(9); min-height: #px(22); }
QPushButton[primary="true"] { background: $accent; color: $onAccent; border-color: $accent; font-weight: 600; }
QPushButton[primary="true"]:hover { background: $accentStrong; border-color: $accentStrong; }
QPushButton[primary="true"]:focus { border: 2px solid $text; }
QPushButton[compact="true"] { min-height: #px(20); padding: 0 #px(8); font-size: #px(11); }
QPushButton[compact="true"]:focus { min-height: #px(18); padding: 0 #px(7); }
QPushButton[flat="true"] { background: transparent; border-color: transparent; color: $accent; padding: 0 4px; }
QPushButton[flat="true"]:focus { border: 2px solid $accent; padding: 0 3px; }
QToolButton { padding: 0 4px; min-width: #px(18); }
QToolButton:focus { padding: 0 3px; }
QToolButton[autoRaise="true"] { background: transparent; border-color: transparent; }
QToolButton[autoRaise="true"]:hover { background: $raised2; }
QToolButton[autoRaise="true"]:checked { background: $accentSoft; }
QToolButton[fold="true"], QToolButton[fold="true"]:checked { background: transparent; border-color: transparent; color: $text2; font-size: #px(11); font-weight: 600; }
QToolButton[fold="true"]:hover { background: $raised2; }
QToolButton[autoRaise="true"]:focus { border: 2px solid $accent; }
QToolButton[primary="true"] { background: $accent; border-color: $accent; }
QToolButton[primary="true"]:focus { border: 2px solid $text; }
QToolButton[keycap="true"] { background: transparent; color: $text2; border: 1px solid $border; padding: 0; min-width: #px(14); max-width: #px(14); min-height: #px(16); max-height: #px(16); border-radius: 3px; font-size: #px(11); }
QToolButton[keycap="true"]:hover { color: $text; border-color: $text3; }
QToolButton[keycap="true"]:focus { border: 2px solid $accent; min-width: #px(12); max-width: #px(12); min-height: #px(14); max-height: #px(14); padding: 0; }
QToolButton::menu-indicator { image: none; }
QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox { background: $sunken; color: $text; border: 1px solid $border; border-radius: 4px; min-height: #px(22); padding: 0 #px(7); }
QLineEdit QToolButton, QLineEdit QToolButton:hover { background: transparent; border: none; padding: 0; min-height: 0; min-width: 0; }
QComboBox:hover, QLineEdit:hover, QSpinBox:hover, QDoubleSpinBox:hover { border-color: $text3; }
QComboBox:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus { border: 2px solid $accent; padding: 0 #px(6); min-height: #px(20); }
QComboBox:disabled, QLineEdit:disabled, QSpinBox:disabled { color: $text3; border-color: $line; }
QLineEdit[invalid="true"], QComboBox[invalid="true"], QSpinBox[invalid="true"] { border: 1px solid $worse; }
QComboBox::drop-down { subcontrol-origin: padding; subcontrol-position: center right; width: 18px; border: none; }
QComboBox::down-arrow { image: url(:/theme/chevron-down-$icons.svg); width: 14px; height: 14px; }
QComboBox QAbstractItemView { background: $raised; color: $text; border: 1px solid $border; padding: 2px; selection-background-color: $accentSoft; selection-color: $text; outline: none; }
QSpinBox::up-button, QDoubleSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 16px; border: none; }
QSpinBox::down-button, QDoubleSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 16px; border: none; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url(:/theme/chevron-up-$icons.svg); width: 11px; height: 11px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url(:/theme/chevron-down-$icons.svg); width: 11px; height: 11px; }
QCheckBox, QRadioButton { spacing: 6px; background: transparent; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid $border; border-radius: 3px; background: $sunken; }
QCheckBox::indicator:hover { border-color: $text3; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent; image: url(:/theme/check-$icons.svg); }
QCheckBox::indicator:focus { border: 2px solid $accent; }
QProgressBar { background: $sunken; border: 1px solid $line; border-radius: 4px; text-align: center; color: $text; min-height: #px(14); }
QProgressBar::chunk { background: $accent; border-radius: 3px; }
QSlider { background: transparent; min-height: #px(22); }
QSlider::groove:horizontal { height: 3px; border-radius: 1px; background: $border; }
QSlider::sub-page:horizontal { height: 3px; border-radius: 1px; background: $accent; }
QSlider::handle:horizontal { width: 9px; height: 9px; margin: -5px 0; border-radius: 6px; border: 2px solid $accent; background: $panel; }
QSlider::handle:horizontal:hover { background: $accentSoft; }
QSlider::handle:horizontal:focus { background: $accent; border-color: $text; }
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled { border-color: $text3; background: $text3; }
QLabel { background: transparent; }
QLabel[role="secondary"] { color: $text2; font-size: #px(11); }
QLabel[role="title"] { color: $text2; font-size: #px(11); font-weight: 600; }
QLabel[role="strong"] { font-weight: 600; }
QFrame#separator { background: $line; border: none; }
QLabel[role="error"] { color: $worse; font-size: #px(11); }
)";

} // namespace

QString styleSheet(const Theme &theme)
{
    const auto mix = [](const QColor &a, const QColor &b, double t) {
        const auto channel = [t](int x, int y) { return static_cast<int>(x + (y - x) * t + 0.5); };
        return QColor(channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue()));
    };
    const QHash<QString, QString> tokens{
        {QStringLiteral("window"), theme.window.name()}, {QStringLiteral("panel"), theme.panel.name()},
        {QStringLiteral("raised"), theme.raised.name()}, {QStringLiteral("sunken"), theme.sunken.name()},
        {QStringLiteral("raised2"), (theme.dark() ? theme.raised : theme.line).name()},
        {QStringLiteral("line"), theme.line.name()}, {QStringLiteral("border"), theme.border.name()},
        {QStringLiteral("text"), theme.text.name()}, {QStringLiteral("text2"), theme.text2.name()},
        {QStringLiteral("text3"), theme.text3.name()}, {QStringLiteral("accent"), theme.accent.name()},
        {QStringLiteral("accentStrong"), mix(theme.accent, theme.text, 0.25).name()},
        {QStringLiteral("accentSoft"), theme.accentSoft.name()}, {QStringLiteral("worse"), theme.worse.name()},
        {QStringLiteral("onAccent"), Theme::textOn(theme.accent).name()},
        {QStringLiteral("icons"), theme.dark() ? QStringLiteral("dark") : QStringLiteral("light")},
    };
    static const QRegularExpression pattern(QStringLiteral(R"(\$([a-zA-Z0-9]+)|#px\((\d+)\))"));
    const QString source = QString::fromLatin1(kChromeSheet);
    QString sheet;
    sheet.reserve(source.size() + 512);
    qsizetype last = 0;
    for (auto it = pattern.globalMatch(source); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        sheet += source.mid(last, match.capturedStart() - last);
        sheet += match.captured(1).isEmpty() ? QStringLiteral("%1px").arg(qRound(match.captured(2).toInt() * theme.scale()))
                                             : tokens.value(match.captured(1));
        last = match.capturedEnd();
    }
    return sheet + source.mid(last);
}

QPalette paletteFor(const Theme &theme)
{
    QPalette palette;
    const auto set = [&palette](QPalette::ColorRole role, const QColor &color) { palette.setColor(role, color); };
    set(QPalette::Window, theme.panel);
    set(QPalette::WindowText, theme.text);
    set(QPalette::Base, theme.sunken);
    set(QPalette::AlternateBase, theme.panel);
    set(QPalette::ToolTipBase, theme.raised);
    set(QPalette::ToolTipText, theme.text);
    set(QPalette::PlaceholderText, theme.text3);
    set(QPalette::Text, theme.text);
    set(QPalette::Button, theme.raised);
    set(QPalette::ButtonText, theme.text);
    set(QPalette::BrightText, theme.worse);
    set(QPalette::Highlight, theme.accent);
    set(QPalette::HighlightedText, Theme::textOn(theme.accent));
    set(QPalette::Link, theme.accent);
    set(QPalette::LinkVisited, theme.accent);
    set(QPalette::Light, theme.line);
    set(QPalette::Midlight, theme.line);
    set(QPalette::Mid, theme.border);
    set(QPalette::Dark, theme.border);
    set(QPalette::Shadow, theme.sunken);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, theme.text3);
    palette.setColor(QPalette::Disabled, QPalette::Highlight, theme.border);
    return palette;
}

} // namespace clusterbeat
