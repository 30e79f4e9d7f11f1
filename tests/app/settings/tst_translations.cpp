// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/settings/language.h"
#include "app/settings/preferences.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocale>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

using namespace clusterbeat;

namespace {

struct Entry {
    QString context, source, comment, translation;
    bool finished = true;
    [[nodiscard]] QString key() const { return context + QLatin1Char('\n') + source + QLatin1Char('\n') + comment; }
};

QList<Entry> readEntries(const QString &path)
{
    QList<Entry> entries;
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return entries;
    QXmlStreamReader xml(&file);
    QString context;
    Entry entry;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isEndElement() && xml.name() == QLatin1String("message")) entries.append(entry);
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("name")) context = xml.readElementText();
        else if (xml.name() == QLatin1String("message")) entry = {context, {}, {}, {}, true};
        else if (xml.name() == QLatin1String("source")) entry.source = xml.readElementText();
        else if (xml.name() == QLatin1String("comment")) entry.comment = xml.readElementText();
        else if (xml.name() == QLatin1String("translation")) {
            entry.finished = !xml.attributes().hasAttribute(QLatin1String("type"));
            entry.translation = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
        }
    }
    return entries;
}

QStringList placeMarkers(const QString &text)
{
    static const QRegularExpression marker(QStringLiteral("%(?:\\d|n)|\\[\\*\\]"));
    QStringList markers;
    for (auto match = marker.globalMatch(text); match.hasNext();) markers.append(match.next().captured());
    markers.removeDuplicates();
    markers.sort();
    return markers;
}

const QString kShipped = QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/resources/i18n/clusterbeat_zh_CN.ts");

} // namespace

class TestTranslations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // What lupdate finds in the sources of today is what the file translates, to the last string.
    void everyStringOfTheSourcesIsTranslated()
    {
        const QTemporaryDir folder;
        const QString fresh = folder.filePath(QStringLiteral("fresh.ts"));
        QProcess lupdate;
        lupdate.setWorkingDirectory(QStringLiteral(CLUSTERBEAT_SOURCE_DIR));
        lupdate.start(QStringLiteral(CLUSTERBEAT_LUPDATE),
                      {QStringLiteral("-silent"), QStringLiteral("-recursive"), QStringLiteral("app"), QStringLiteral("views"),
                       QStringLiteral("-I"), QStringLiteral("."), QStringLiteral("-target-language"), QStringLiteral("zh_CN"),
                       QStringLiteral("-ts"), fresh});
        QVERIFY(lupdate.waitForFinished(60'000));
        QCOMPARE(lupdate.exitCode(), 0);

        QHash<QString, Entry> shipped;
        for (const Entry &entry : readEntries(kShipped)) shipped.insert(entry.key(), entry);
        const QList<Entry> wanted = readEntries(fresh);
        QVERIFY(wanted.size() > 300);
        QStringList missing;
        for (const Entry &entry : wanted)
            if (!shipped.contains(entry.key())) missing.append(entry.context + QStringLiteral(": ") + entry.source);
        QVERIFY2(missing.isEmpty(), qPrintable(QStringLiteral("run the target update_translations and translate:\n") +
                                               missing.join(QLatin1Char('\n'))));
    }

    void everyTranslationIsFinishedAndKeepsItsPlaceMarkers()
    {
        const QList<Entry> entries = readEntries(kShipped);
        QVERIFY(!entries.isEmpty());
        for (const Entry &entry : entries) {
            QVERIFY2(entry.finished && !entry.translation.isEmpty(), qPrintable(entry.context + QStringLiteral(": ") + entry.source));
            QVERIFY2(placeMarkers(entry.source) == placeMarkers(entry.translation), qPrintable(entry.source + QStringLiteral(" => ") + entry.translation));
        }
    }

    void languageSwitchesTheProgramAndQt()
    {
        Language language;
        const auto open = [] { return QCoreApplication::translate("clusterbeat::DocumentController", "Open"); };
        const auto cancel = [] { return QCoreApplication::translate("QPlatformTheme", "Cancel"); };
        QCOMPARE(open(), QStringLiteral("Open"));
        language.set(QStringLiteral("zh_CN"));
        QCOMPARE(language.code(), QStringLiteral("zh_CN"));
        QCOMPARE(open(), QStringLiteral("打开"));
        QCOMPARE(cancel(), QStringLiteral("取消"));
        QCOMPARE(QLocale().language(), QLocale::Chinese);
        language.set(QStringLiteral("en"));
        QCOMPARE(open(), QStringLiteral("Open"));
        QCOMPARE(cancel(), QStringLiteral("Cancel"));
        QCOMPARE(QLocale().language(), QLocale::English);
        // What is not shipped is the system's choice, and that is one of the shipped ones.
        language.set(QStringLiteral("xx"));
        QVERIFY(isLanguage(language.code()));
    }
};

QTEST_GUILESS_MAIN(TestTranslations)
#include "tst_translations.moc"
