// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/settings/preferences.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace clusterbeat;

class TestPreferences : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void roundTrip()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath(QStringLiteral("a.ini")), QSettings::IniFormat);
        Preferences written;
        written.theme = ThemeKind::Projector;
        written.language = QStringLiteral("zh_CN");
        written.playbackSpeed = 0.25;
        written.reduceMotion = true;
        addRecentFile(written, QStringLiteral("/a/one.json"));
        addRecentFile(written, QStringLiteral("/a/two.json"));
        addRecentFile(written, QStringLiteral("/a/one.json"));
        savePreferences(settings, written);
        settings.sync();
        const Preferences read = loadPreferences(settings);
        QCOMPARE(read.theme, ThemeKind::Projector);
        QCOMPARE(read.language, QStringLiteral("zh_CN"));
        QCOMPARE(read.playbackSpeed, 0.25);
        QVERIFY(read.reduceMotion);
        QCOMPARE(read.recentFiles, (QStringList{QStringLiteral("/a/one.json"), QStringLiteral("/a/two.json")}));
    }

    // Whatever the file holds, the program starts with values that it can use.
    void damagedSettingsAreDefaults_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("not an ini file") << QByteArray("\x00\xff{{{[[[", 9);
        QTest::newRow("another version") << QByteArray("[General]\nversion=99\ntheme=light\n");
        QTest::newRow("nonsense") << QByteArray("[General]\nversion=1\ntheme=pink\nlanguage=xx\n[playback]\nspeed=-3\n");
        QTest::newRow("not a number") << QByteArray("[General]\nversion=1\n[playback]\nspeed=nan\n");
    }
    void damagedSettingsAreDefaults()
    {
        QFETCH(QByteArray, text);
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("a.ini")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        const QSettings settings(file.fileName(), QSettings::IniFormat);
        const Preferences read = loadPreferences(settings);
        QCOMPARE(read.theme, ThemeKind::Dark);
        QCOMPARE(read.language, QString());
        QCOMPARE(read.playbackSpeed, 1.0);
    }

    void recentFilesAreLimited()
    {
        Preferences preferences;
        for (int i = 0; i < 25; ++i) addRecentFile(preferences, QString::number(i));
        QCOMPARE(preferences.recentFiles.size(), kMostRecentFiles);
        QCOMPARE(preferences.recentFiles.first(), QStringLiteral("24"));
    }
};

QTEST_APPLESS_MAIN(TestPreferences)
#include "tst_preferences.moc"
