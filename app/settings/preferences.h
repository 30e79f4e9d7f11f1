// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/theme/theme.h"

#include <QByteArray>
#include <QString>
#include <QStringList>

#include <optional>

class QSettings;

namespace clusterbeat {

/// What is remembered between starts. Values that make no sense (another version, a damaged file) are defaults.
struct Preferences {
    ThemeKind theme = ThemeKind::Dark;
    QString language;               ///< "en", "zh_CN"; "" = the system's
    QStringList recentFiles;        ///< newest first, absolute
    QByteArray geometry, state;     ///< of the main window
    double playbackSpeed = 1.0;
    bool reduceMotion = false;
};
inline constexpr int kMostRecentFiles = 10;

[[nodiscard]] Preferences loadPreferences(const QSettings &settings);
void savePreferences(QSettings &settings, const Preferences &preferences);
/// Moves `path` to the front, without doubles, at most kMostRecentFiles.
void addRecentFile(Preferences &preferences, const QString &path);

[[nodiscard]] QString themeName(ThemeKind kind);                        ///< "dark", "light", "projector"
[[nodiscard]] std::optional<ThemeKind> themeNamed(const QString &name);
/// Languages that are shipped: "en", "zh_CN".
[[nodiscard]] QStringList languages();
[[nodiscard]] bool isLanguage(const QString &code);

} // namespace clusterbeat
