// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/settings/preferences.h"

#include <QSettings>

#include <cmath>

namespace clusterbeat {
namespace {

// Raised when the window's docks change: an older state would be restored into nonsense.
constexpr int kVersion = 1;

const QString kVersionKey = QStringLiteral("version");
const QString kThemeKey = QStringLiteral("theme");
const QString kLanguageKey = QStringLiteral("language");
const QString kRecentKey = QStringLiteral("recentFiles");
const QString kGeometryKey = QStringLiteral("window/geometry");
const QString kStateKey = QStringLiteral("window/state");
const QString kSpeedKey = QStringLiteral("playback/speed");
const QString kMotionKey = QStringLiteral("reduceMotion");

} // namespace

QString themeName(ThemeKind kind)
{
    switch (kind) {
    case ThemeKind::Dark: return QStringLiteral("dark");
    case ThemeKind::Light: return QStringLiteral("light");
    case ThemeKind::Projector: return QStringLiteral("projector");
    }
    return {};
}

std::optional<ThemeKind> themeNamed(const QString &name)
{
    for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Light, ThemeKind::Projector})
        if (themeName(kind) == name) return kind;
    return std::nullopt;
}

QStringList languages() { return {QStringLiteral("en"), QStringLiteral("zh_CN")}; }
bool isLanguage(const QString &code) { return languages().contains(code); }

Preferences loadPreferences(const QSettings &settings)
{
    Preferences preferences;
    if (settings.status() != QSettings::NoError || settings.value(kVersionKey).toInt() != kVersion) return preferences;
    preferences.theme = themeNamed(settings.value(kThemeKey).toString()).value_or(ThemeKind::Dark);
    const QString language = settings.value(kLanguageKey).toString();
    if (isLanguage(language)) preferences.language = language;
    for (const QString &path : settings.value(kRecentKey).toStringList())
        if (!path.isEmpty() && preferences.recentFiles.size() < kMostRecentFiles) preferences.recentFiles.append(path);
    preferences.geometry = settings.value(kGeometryKey).toByteArray();
    preferences.state = settings.value(kStateKey).toByteArray();
    const double speed = settings.value(kSpeedKey, 1.0).toDouble();
    if (std::isfinite(speed) && speed > 0.0) preferences.playbackSpeed = speed;
    preferences.reduceMotion = settings.value(kMotionKey).toBool();
    return preferences;
}

void savePreferences(QSettings &settings, const Preferences &preferences)
{
    settings.setValue(kVersionKey, kVersion);
    settings.setValue(kThemeKey, themeName(preferences.theme));
    settings.setValue(kLanguageKey, preferences.language);
    settings.setValue(kRecentKey, preferences.recentFiles);
    settings.setValue(kGeometryKey, preferences.geometry);
    settings.setValue(kStateKey, preferences.state);
    settings.setValue(kSpeedKey, preferences.playbackSpeed);
    settings.setValue(kMotionKey, preferences.reduceMotion);
}

void addRecentFile(Preferences &preferences, const QString &path)
{
    preferences.recentFiles.removeAll(path);
    preferences.recentFiles.prepend(path);
    while (preferences.recentFiles.size() > kMostRecentFiles) preferences.recentFiles.removeLast();
}

} // namespace clusterbeat
