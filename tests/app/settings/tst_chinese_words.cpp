// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// English text that was left as its own translation.
#include <QFile>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <QtTest>

namespace {

/// Words that Chinese text on the subject uses as they are.
const QRegularExpression kTerms(QStringLiteral("\\b(null|tokens?|pods?|ranks?|spine)\\b"));

bool leftInEnglish(QString source, const QString &translation)
{
    static const QRegularExpression word(QStringLiteral("\\b[a-z]{3,}\\b")), chinese(QStringLiteral("\\p{Han}"));
    return source.remove(kTerms).contains(word) && !translation.contains(chinese);
}

} // namespace

class TestChineseWords : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wordsAreTranslated();
    void namesMayStay();
};

// Every sentence with a word that is no name and no term has Chinese in its translation.
void TestChineseWords::wordsAreTranslated()
{
    QFile file(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/resources/i18n/clusterbeat_zh_CN.ts"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    int read = 0;
    QString source;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QLatin1String("source")) {
            source = xml.readElementText();
        } else if (xml.name() == QLatin1String("translation")) {
            const bool current = !xml.attributes().hasAttribute(QLatin1String("type"));
            const QString translation = xml.readElementText(QXmlStreamReader::IncludeChildElements);
            if (!current) continue;
            ++read;
            QVERIFY2(!leftInEnglish(source, translation), qPrintable(source + QStringLiteral(" -> ") + translation));
        }
    }
    QVERIFY(!xml.hasError());
    QVERIFY(read > 900);
}

void TestChineseWords::namesMayStay()
{
    QVERIFY(!leftInEnglish(QStringLiteral("FlashAttention 3"), QStringLiteral("FlashAttention 3")));
    QVERIFY(!leftInEnglish(QStringLiteral("%1 tokens/s"), QStringLiteral("%1 tokens/s")));
    QVERIFY(!leftInEnglish(QStringLiteral("Save scenario"), QStringLiteral("\u4fdd\u5b58")));
    QVERIFY(leftInEnglish(QStringLiteral("Save scenario"), QStringLiteral("Save scenario")));
    QVERIFY(leftInEnglish(QStringLiteral("Undo this step"), QString()));
}

QTEST_APPLESS_MAIN(TestChineseWords)
#include "tst_chinese_words.moc"
