// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/scenario_file.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using namespace clusterbeat;

class TestScenarioFile : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;
    QString write(const char *name, const QByteArray &bytes)
    {
        QFile file(m_folder.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }

private Q_SLOTS:
    void readsWhatIsThere()
    {
        const auto text = readTextFile(write("a", QByteArray("{}\n\0x", 5)));
        QVERIFY(text.ok());
        QCOMPARE(text.value(), std::string("{}\n\0x", 5));
    }
    void missing() { QCOMPARE(readTextFile(m_folder.filePath(QStringLiteral("no"))).error().code, ErrorCode::FileNotFound); }
    void directory() { QCOMPARE(readTextFile(m_folder.path()).error().code, ErrorCode::NotAFile); }
    void empty() { QCOMPARE(readTextFile(write("e", {})).error().code, ErrorCode::FileEmpty); }

    // A sparse gigabyte: refused by its size, so nothing of it is read.
    void gigabyteOfZeros()
    {
        QFile file(m_folder.filePath(QStringLiteral("big")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(file.resize(1'000'000'000));
        const Error error = readTextFile(file.fileName()).error();
        QCOMPARE(error.code, ErrorCode::FileTooLarge);
        QCOMPARE(std::get<std::int64_t>(error.arguments.at(1)), 1'000'000'000);
        QCOMPARE(std::get<std::int64_t>(error.arguments.at(2)), kMaxScenarioBytes);
    }
    void limitIsExact()
    {
        QVERIFY(readTextFile(write("four", "abcd"), 4).ok());
        QCOMPARE(readTextFile(write("five", "abcde"), 4).error().code, ErrorCode::FileTooLarge);
        QByteArray bytes("abcde");
        QBuffer pipe(&bytes);
        QVERIFY(pipe.open(QIODevice::ReadOnly));
        QCOMPARE(readTextDevice(pipe, QStringLiteral("standard input"), 4).error().code, ErrorCode::FileTooLarge);
    }
    // An endless device ends at the limit.
    void endlessDevice() { QCOMPARE(readTextFile(QStringLiteral("/dev/zero"), 100'000).error().code, ErrorCode::FileTooLarge); }

    void writingIsAllOrNothing()
    {
        const QString path = write("kept", "old");
        QVERIFY(!writeFile(path, "new").has_value());
        QCOMPARE(readTextFile(path).value(), std::string("new"));
        const auto inNoFolder = writeFile(m_folder.filePath(QStringLiteral("no/where")), "x");
        QVERIFY(inNoFolder.has_value());
        QCOMPARE(inNoFolder->code, ErrorCode::FileUnwritable);
        const auto overFolder = writeFile(m_folder.path(), "x");
        QVERIFY(overFolder.has_value());
        QVERIFY(QFileInfo(m_folder.path()).isDir());
    }
};

QTEST_GUILESS_MAIN(TestScenarioFile)
#include "tst_scenario_file.moc"
