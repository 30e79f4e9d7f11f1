// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/recovery_controller.h"
#include "app/document/recovery.h"
#include "app/document/scenario_file.h"
#include "app/settings/preferences.h"
#include "model/scenario/scenario_json.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <csignal>

using namespace clusterbeat;

namespace {

std::shared_ptr<const Catalogue> sharedCatalogue()
{
    return std::make_shared<const Catalogue>(loadCatalogue().value());
}

bool slow(Document &document, const char *gpu) { return !document.slowGpu(QString::fromLatin1(gpu), 0.7); }

/// What another run of the program does: edits a document that is kept at `path`, and is killed.
int leaveWork(const QString &folder, const QString &path)
{
    Document document(sharedCatalogue());
    if (document.open(QStringLiteral("preset:llama3-8b-64")) || document.save(path)) return 1;
    Autosave autosave(&document, folder);
    if (!slow(document, "pod.0/rack.0/server.0/gpu.1")) return 1;
    autosave.flush();
    return std::raise(SIGKILL);
}

} // namespace

class TestRecovery final : public QObject {
    Q_OBJECT
    QTemporaryDir m_folder;

    [[nodiscard]] QString folder() const { return m_folder.filePath(QStringLiteral("recovery")); }
    [[nodiscard]] QString documentPath() const { return m_folder.filePath(QStringLiteral("mine.clusterbeat.json")); }
    void killARun() const
    {
        QProcess other;
        other.start(QCoreApplication::applicationFilePath(), {QStringLiteral("--leave-work"), folder(), documentPath()});
        QVERIFY(other.waitForFinished(30'000));
        QCOMPARE(other.exitStatus(), QProcess::CrashExit);
    }

private Q_SLOTS:
    void cleanup() { QDir(folder()).removeRecursively(); }

    void keepsJustWhatIsNotSaved()
    {
        Document document(sharedCatalogue());
        QString file;
        {
            Autosave autosave(&document, folder());
            file = autosave.file();
            QVERIFY(!document.open(QStringLiteral("preset:llama3-8b-64")));
            autosave.flush();
            QVERIFY(!QFileInfo::exists(file));
            QVERIFY(slow(document, "pod.0/rack.0/server.0/gpu.1"));
            QTRY_VERIFY(QFileInfo::exists(file));
            QCOMPARE(readTextFile(file).value(), writeScenario(document.scenario()));
            // Of a run that is still going: not lost.
            QVERIFY(findLostWork(folder()).empty());
            document.undoStack()->undo();
            autosave.flush();
            QVERIFY(!QFileInfo::exists(file));
            document.undoStack()->redo();
            autosave.flush();
            QVERIFY(QFileInfo::exists(file));
            QVERIFY(!document.save(documentPath()));
            QTRY_VERIFY(!QFileInfo::exists(file));
            QVERIFY(slow(document, "pod.0/rack.0/server.0/gpu.2"));
            autosave.flush();
            QVERIFY(QFileInfo::exists(file));
        }
        // A run that ends by itself leaves nothing.
        QVERIFY(QDir(folder()).entryList(QDir::Files).isEmpty());
    }

    void twoRunsDoNotShareAFile()
    {
        Document document(sharedCatalogue());
        const Autosave one(&document, folder()), other(&document, folder());
        QVERIFY(one.file() != other.file());
    }

    void aKilledRunLeavesItsWork()
    {
        killARun();
        const std::vector<LostWork> lost = findLostWork(folder());
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(lost.front().documentPath, documentPath());
        QVERIFY(lost.front().savedAt.secsTo(QDateTime::currentDateTime()) < 600);

        Document document(sharedCatalogue());
        Preferences preferences;
        QWidget window;
        DocumentController files(&document, &preferences, &window);
        RecoveryController recovery(&document, &files, folder(), &window);
        recovery.recover(lost.front());
        QVERIFY(document.isModified());
        QCOMPARE(document.path(), documentPath());
        QCOMPARE(document.scenario().perturbations->size(), std::size_t(1));
        QCOMPARE(document.scenario().perturbations->front().target, std::string("pod.0/rack.0/server.0/gpu.1"));
        QVERIFY(!QFileInfo::exists(lost.front().file));
        QVERIFY(findLostWork(folder()).empty());
        // Until it is saved it is kept by this run.
        QCOMPARE(QDir(folder()).entryList({QStringLiteral("*.clusterbeat.json")}, QDir::Files).size(), 1);
    }

    void theOfferIsAnswered_data()
    {
        QTest::addColumn<int>("button");
        QTest::addColumn<bool>("recovered");
        QTest::addColumn<bool>("kept");
        QTest::newRow("recover") << 0 << true << false;
        QTest::newRow("discard") << 1 << false << false;
        QTest::newRow("not now") << 2 << false << true;
    }

    void theOfferIsAnswered()
    {
        QFETCH(int, button);
        QFETCH(bool, recovered);
        QFETCH(bool, kept);
        killARun();
        Document document(sharedCatalogue());
        Preferences preferences;
        QWidget window;
        window.show();
        DocumentController files(&document, &preferences, &window);
        RecoveryController recovery(&document, &files, folder(), &window);
        recovery.offer();
        auto *box = window.findChild<QMessageBox *>();
        QVERIFY(box != nullptr);
        QVERIFY(box->informativeText().contains(QDir::toNativeSeparators(documentPath())));
        const std::array texts{QStringLiteral("&Recover"), QStringLiteral("&Discard"), QStringLiteral("&Not Now")};
        for (QAbstractButton *each : box->buttons())
            if (each->text() == texts.at(static_cast<std::size_t>(button))) each->click();
        QCOMPARE(document.isModified(), recovered);
        QCOMPARE(!findLostWork(folder()).empty(), kept);
    }

    void nothingLostAsksNothing()
    {
        Document document(sharedCatalogue());
        Preferences preferences;
        QWidget window;
        DocumentController files(&document, &preferences, &window);
        RecoveryController recovery(&document, &files, folder(), &window);
        recovery.offer();
        QVERIFY(!window.findChild<QMessageBox *>());
    }

    // The file stays for a look by hand when it cannot be read.
    void damagedWorkIsSaidAndStays()
    {
        QVERIFY(QDir().mkpath(folder()));
        const QString file = folder() + QStringLiteral("/broken.clusterbeat.json");
        QVERIFY(!writeFile(file, "{\"clusterbeat\": 1, "));
        Document document(sharedCatalogue());
        Preferences preferences;
        QWidget window;
        DocumentController files(&document, &preferences, &window);
        RecoveryController recovery(&document, &files, folder(), &window);
        const std::vector<LostWork> lost = findLostWork(folder());
        QCOMPARE(lost.size(), std::size_t(1));
        recovery.recover(lost.front());
        QVERIFY(window.findChild<QMessageBox *>());
        QVERIFY(QFileInfo::exists(file));
        QVERIFY(!document.isModified());
    }

    void aFolderThatCannotBeWrittenIsSaidOnce()
    {
        // A file stands where the folder should be.
        const QString blocked = m_folder.filePath(QStringLiteral("blocked"));
        QVERIFY(!writeFile(blocked, "x"));
        Document document(sharedCatalogue());
        QVERIFY(!document.open(QStringLiteral("preset:llama3-8b-64")));
        Autosave autosave(&document, blocked);
        QSignalSpy failed(&autosave, &Autosave::failed);
        QVERIFY(slow(document, "pod.0/rack.0/server.0/gpu.1"));
        autosave.flush();
        QVERIFY(slow(document, "pod.0/rack.0/server.0/gpu.2"));
        autosave.flush();
        QCOMPARE(failed.size(), 1);
    }
};

int main(int argc, char **argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = QCoreApplication::arguments();
    if (arguments.value(1) == QLatin1String("--leave-work")) return leaveWork(arguments.value(2), arguments.value(3));
    TestRecovery test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_recovery.moc"
