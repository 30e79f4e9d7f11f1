// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"
#include "app/window/menu_bar.h"
#include "model/scenario/scenario_json.h"
#include "views/imports/import_dialog.h"
#include "views/inspector/inspector.h"
#include "views/inspector/software_panel.h"
#include "views/text/why_text.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QAbstractButton>
#include <QMessageBox>
#include <QMimeData>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace clusterbeat;

/// The window as a person has it, on a small preset with the real simulator.
class TestMainWindow : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    Preferences m_preferences;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<MainWindow> m_window;

    [[nodiscard]] ResultController::ResultPointer result() const { return m_window->results()->result(); }
    void waitUntilIdle()
    {
        QTRY_VERIFY(!m_window->results()->busy());
        QVERIFY(result() != nullptr);
    }
    [[nodiscard]] double iterationS() const { return result()->metrics.iterationS; }
    [[nodiscard]] QAction *action(const QKeySequence &keys) const
    {
        for (QAction *candidate : m_window->findChildren<QAction *>())
            if (candidate->shortcuts().contains(keys)) return candidate;
        return nullptr;
    }
    QString write(const QTemporaryDir &folder, const char *name, const QByteArray &bytes)
    {
        QFile file(folder.filePath(QString::fromUtf8(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
        return file.fileName();
    }
    void drop(const QString &path)
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_window.get(), &event);
    }
    [[nodiscard]] QMessageBox *message() const { return m_window->findChild<QMessageBox *>(); }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        auto catalogue = loadCatalogue();
        QVERIFY(catalogue.ok());
        m_catalogue = std::make_shared<const Catalogue>(std::move(catalogue).value());
    }
    void init()
    {
        m_preferences = {};
        m_language = std::make_unique<Language>();
        m_window = std::make_unique<MainWindow>(
            MainWindow::Parts{m_catalogue, SimulationRunner::simulator(m_catalogue), &m_preferences, m_language.get()});
        m_window->resize(1920, 1080);
        m_window->show();
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        waitUntilIdle();
    }
    void cleanup()
    {
        m_window.reset();
        m_language.reset();
    }

    void opensSimulatedAgainstItself()
    {
        QCOMPARE(m_window->results()->baseline(), result());
        QCOMPARE(m_window->viewState()->duration(), result()->iteration());
        QCOMPARE(m_window->viewState()->selectedGpu(), result()->slowest.gpu);
        QVERIFY(m_window->note().isEmpty());
        QVERIFY(!m_window->isWindowModified());
    }

    // Slow the selected GPU by its key, see the wait, take it back: the same bytes of scenario and the same time.
    void slowAndRestoreByKey()
    {
        const double before = iterationS();
        const std::string text = writeScenario(m_window->document()->scenario());
        m_window->viewState()->setSelectedGpu(9);
        action(Qt::ALT | Qt::Key_1)->trigger();
        waitUntilIdle();
        QVERIFY(iterationS() > before);
        QCOMPARE(result()->slowest.gpu, 9);
        QVERIFY(m_window->isWindowModified());
        QVERIFY(m_window->results()->baseline() != result());
        action(Qt::ALT | Qt::Key_2)->trigger();
        waitUntilIdle();
        QCOMPARE(iterationS(), before);
        QCOMPARE(writeScenario(m_window->document()->scenario()), text);
        m_window->document()->undoStack()->undo();
        waitUntilIdle();
        QVERIFY(iterationS() > before);
    }

    void whatIfKeysWithoutSelectionSayWhatToDo()
    {
        m_window->viewState()->setSelectedGpu(kNone);
        QSignalSpy refused(m_window->whatIf(), &WhatIfController::refused);
        action(Qt::ALT | Qt::Key_1)->trigger();
        QCOMPARE(refused.count(), 1);
        QVERIFY(!refused.at(0).at(0).toString().isEmpty());
        QCOMPARE(m_window->document()->undoStack()->count(), 0);
    }

    // Each what-if of the whole run is one step to and one back, its menu item is checked while the document has one,
    // whoever brought it, and the iteration is the simulator's.
    void whatIfsOfTheRunAreToggles_data()
    {
        QTest::addColumn<QKeySequence>("keys");
        QTest::addColumn<int>("kind");
        QTest::newRow("jitter") << QKeySequence(Qt::ALT | Qt::Key_4) << int(PerturbationKind::Jitter);
        QTest::newRow("pauses") << QKeySequence(Qt::ALT | Qt::Key_5) << int(PerturbationKind::GcPause);
        QTest::newRow("documents") << QKeySequence(Qt::ALT | Qt::Key_6) << int(PerturbationKind::DocumentImbalance);
        QTest::newRow("data") << QKeySequence(Qt::ALT | Qt::Key_7) << int(PerturbationKind::SlowData);
        QTest::newRow("checkpoint") << QKeySequence(Qt::ALT | Qt::Key_8) << int(PerturbationKind::Checkpoint);
        QTest::newRow("warm-up") << QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_8) << int(PerturbationKind::WarmUp);
    }
    void whatIfsOfTheRunAreToggles()
    {
        QFETCH(QKeySequence, keys);
        QFETCH(int, kind);
        const double before = iterationS();
        const std::string text = writeScenario(m_window->document()->scenario());
        QAction *toggle = action(keys);
        QVERIFY(toggle && toggle->isCheckable() && !toggle->isChecked());
        toggle->trigger();
        waitUntilIdle();
        const auto &list = *m_window->document()->scenario().perturbations;
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(int(list.front().kind), kind);
        QVERIFY(toggle->isChecked());
        QVERIFY(iterationS() > before);
        m_window->document()->undoStack()->undo();
        QVERIFY(!toggle->isChecked());
        m_window->document()->undoStack()->redo();
        QVERIFY(toggle->isChecked());
        toggle->trigger();
        waitUntilIdle();
        QVERIFY(!toggle->isChecked());
        QCOMPARE(writeScenario(m_window->document()->scenario()), text);
        QCOMPARE(iterationS(), before);
        QCOMPARE(m_window->document()->undoStack()->count(), 2);
    }

    // Without NVLink and NIC a GPU is cut off: the picture stays, the note says what to do in the window's words, and one
    // step back everything is well again.
    void aGpuThatIsCutOffIsSaid()
    {
        m_window->viewState()->setSelectedGpu(9);
        action(Qt::CTRL | Qt::ALT | Qt::Key_6)->trigger();
        waitUntilIdle();
        const auto shown = result();
        QVERIFY(m_window->note().isEmpty());
        action(Qt::CTRL | Qt::ALT | Qt::Key_3)->trigger();
        waitUntilIdle();
        QCOMPARE(result(), shown);
        QVERIFY2(m_window->note().contains(QStringLiteral("no route")), qPrintable(m_window->note()));
        QVERIFY(!m_window->note().contains(QStringLiteral("/perturbations")));
        m_window->document()->undoStack()->undo();
        waitUntilIdle();
        QVERIFY(m_window->note().isEmpty());
    }

    // The key sheet says a submenu's keys with its name, without letters for the menu.
    void keySheetNamesSubmenus()
    {
        const auto help = m_window->findChild<MenuBar *>()->keyHelp();
        const auto nic = std::find_if(help.begin(), help.end(), [](const MenuBar::KeyHelp &each) { return each.keys == QStringLiteral("Ctrl+Alt+1"); });
        QVERIFY(nic != help.end());
        QCOMPARE(nic->action, QStringLiteral("Links of the Selected GPU: NIC at 50 %"));
    }

    // The NIC of a GPU by the inspector's list and by the keys: the wait and the cause are the link's; restoring is one
    // step for both of its links.
    void linksOfTheSelectedGpu()
    {
        m_window->viewState()->setSelectedGpu(9);
        auto *inspector = m_window->findChild<Inspector *>();
        const double before = iterationS();
        Q_EMIT inspector->gpuLinksRequested(QString::fromStdString(result()->expansion->pathOf(9)), LinkDomain::Nic, 0.1);
        waitUntilIdle();
        QVERIFY(iterationS() > before);
        QVERIFY(result()->slowest.reason == Slowest::Reason::SlowLink);
        QCOMPARE(gpuOfSlowLink(*result()), 9);
        const double tenth = iterationS();
        action(Qt::CTRL | Qt::ALT | Qt::Key_1)->trigger();
        waitUntilIdle();
        QVERIFY(iterationS() < tenth);
        QCOMPARE(m_window->document()->scenario().perturbations->size(), std::size_t{1});
        action(Qt::CTRL | Qt::ALT | Qt::Key_6)->trigger();
        waitUntilIdle();
        QCOMPARE(m_window->document()->scenario().perturbations->size(), std::size_t{2});
        QCOMPARE(m_window->document()->undoStack()->count(), 3);
        action(Qt::CTRL | Qt::ALT | Qt::Key_0)->trigger();
        waitUntilIdle();
        QVERIFY(m_window->document()->scenario().perturbations->empty());
        QCOMPARE(gpuOfSlowLink(*result()), kNone);
        QCOMPARE(m_window->document()->undoStack()->count(), 4);
        QCOMPARE(iterationS(), before);
    }

    void refusedEditsKeepDocumentAndResult()
    {
        const auto shown = result();
        QSignalSpy refused(m_window->whatIf(), &WhatIfController::refused);
        m_window->whatIf()->applyEdits({{QStringLiteral("/layout/tensor"), QStringLiteral("1024"), {}}});
        QCOMPARE(refused.count(), 1);
        waitUntilIdle();
        QCOMPARE(result(), shown);
        QVERIFY(!m_window->isWindowModified());
    }

    void aFailedSimulationKeepsTheOldResultAndSaysSo()
    {
        m_window.reset();
        const auto real = SimulationRunner::simulator(m_catalogue);
        const auto failing = [real](const Scenario &scenario, std::stop_token stop, const ProgressSink &progress) {
            if (scenario.perturbations->empty()) return real(scenario, std::move(stop), progress);
            SimulationOutcome outcome;
            outcome.error = Error{ErrorCode::TooManyGpus, {}, {std::int64_t{300'000}, std::int64_t{262'144}}};
            return outcome;
        };
        m_window = std::make_unique<MainWindow>(MainWindow::Parts{m_catalogue, failing, &m_preferences, m_language.get()});
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        waitUntilIdle();
        const auto shown = result();
        m_window->whatIf()->slowSelectedGpu(0.7);
        waitUntilIdle();
        QCOMPARE(result(), shown);
        QVERIFY(m_window->note().contains(QLatin1String("262")));
        m_window->document()->undoStack()->undo();
        waitUntilIdle();
        QVERIFY(m_window->note().isEmpty());
    }

    void searchSelects()
    {
        m_window->search(QStringLiteral("17"));
        const GpuIndex byRank = m_window->viewState()->selectedGpu();
        QCOMPARE(byRank, result()->placement->gpuOfRank[17]);
        m_window->search(QString::fromStdString(result()->expansion->pathOf(5)));
        QCOMPARE(m_window->viewState()->selectedGpu(), 5);
        // As the window shows it: "pod 0 / rack 0 / server 1 / GPU 2".
        QString shown = QString::fromStdString(result()->expansion->pathOf(10));
        shown.replace(QLatin1Char('.'), QLatin1Char(' ')).replace(QLatin1String("/"), QLatin1String(" / "));
        m_window->search(shown.replace(QLatin1String("gpu"), QLatin1String("GPU")));
        QCOMPARE(m_window->viewState()->selectedGpu(), 10);
        m_window->search(QStringLiteral("nothing like it"));
        QCOMPARE(m_window->viewState()->selectedGpu(), 10);
    }

    void aFileWithWhatIfsIsComparedWithTheRunWithoutThem()
    {
        const QTemporaryDir folder;
        const double undisturbed = iterationS();
        const QString path = folder.filePath(QStringLiteral("slow.clusterbeat.json"));
        QVERIFY(!m_window->document()->slowGpu(QString::fromStdString(result()->expansion->pathOf(3)), 0.5).has_value());
        QVERIFY(!m_window->document()->save(path).has_value());
        waitUntilIdle();
        QVERIFY(m_window->files()->open(path));
        waitUntilIdle();
        QCOMPARE(m_window->results()->baseline()->metrics.iterationS, undisturbed);
        QVERIFY(iterationS() > undisturbed);
        QCOMPARE(m_preferences.recentFiles, QStringList{path});
    }

    void dropOpensAndWrongFilesLoseNothing()
    {
        const QTemporaryDir folder;
        const std::string before = writeScenario(m_window->document()->scenario());
        drop(write(folder, "wrong.json", "{\"clusterbeat\": 1, \"layout\": {\"tensor\": \"two\"}}"));
        QVERIFY(message() != nullptr);
        QVERIFY(message()->informativeText().contains(QLatin1String("/")));
        QCOMPARE(writeScenario(m_window->document()->scenario()), before);
        message()->close();
        drop(write(folder, "config.json",
                   R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096,
                       "intermediate_size": 14336, "num_hidden_layers": 32, "num_attention_heads": 32,
                       "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192,
                       "hidden_act": "silu", "torch_dtype": "bfloat16"})"));
        QCOMPARE(m_window->document()->scenario().model->layers, 32);
        // The report says what was assumed; an import that nobody touched is no unsaved work.
        QVERIFY(!m_window->document()->isModified());
        QTRY_VERIFY(m_window->findChild<ImportDialog *>() != nullptr);
        waitUntilIdle();
    }

    void unsavedChangesAreAskedFor()
    {
        const QTemporaryDir folder;
        QVERIFY(!m_window->document()->slowGpu(QString::fromStdString(result()->expansion->pathOf(3)), 0.5).has_value());
        const std::string edited = writeScenario(m_window->document()->scenario());
        int asked = 0;
        m_window->files()->setQuestion([&] { ++asked; return DocumentController::Answer::Cancel; });
        QVERIFY(!m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        QVERIFY(!m_window->close());
        QCOMPARE(asked, 2);
        QCOMPARE(writeScenario(m_window->document()->scenario()), edited);
        m_window->files()->setQuestion([&] { ++asked; return DocumentController::Answer::Discard; });
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        QCOMPARE(asked, 3);
        QVERIFY(m_window->close());
        QCOMPARE(asked, 3);
        waitUntilIdle();
    }

    void playbackStepsAndLoops()
    {
        action(Qt::Key_Space)->trigger();
        QVERIFY(m_window->clock()->playing());
        QTRY_VERIFY(m_window->viewState()->playhead() > 0);
        action(Qt::Key_Period)->trigger();
        QVERIFY(!m_window->clock()->playing());
        const TimeNs stepped = m_window->viewState()->playhead();
        action(Qt::Key_Period)->trigger();
        QVERIFY(m_window->viewState()->playhead() > stepped);
        action(Qt::Key_Home)->trigger();
        QCOMPARE(m_window->viewState()->playhead(), 0);
        action(Qt::Key_End)->trigger();
        QCOMPARE(m_window->viewState()->playhead(), m_window->viewState()->duration());
    }

    void keysAreUnambiguous()
    {
        QHash<QKeySequence, QString> seen;
        for (const QAction *candidate : m_window->findChildren<QAction *>())
            for (const QKeySequence &keys : candidate->shortcuts()) {
                QVERIFY2(!seen.contains(keys), qPrintable(keys.toString() + QStringLiteral(": ") + candidate->text()));
                seen.insert(keys, candidate->text());
            }
        QVERIFY(seen.size() > 20);
    }

    void themesAndLanguagesSwitchWhileRunning()
    {
        const QColor dark = QApplication::palette().color(QPalette::Window);
        m_window->setTheme(ThemeKind::Light);
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > dark.lightness());
        QCOMPARE(m_window->viewState()->theme().kind(), ThemeKind::Light);
        QCOMPARE(m_preferences.theme, ThemeKind::Light);

        const QString english = action(Qt::ALT | Qt::Key_1)->text();
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QCoreApplication::sendPostedEvents();
        QVERIFY(action(Qt::ALT | Qt::Key_1)->text() != english);
        // Qt's own dialogs as well.
        QVERIFY(QMessageBox(QMessageBox::Question, {}, {}, QMessageBox::Cancel).button(QMessageBox::Cancel)->text() != QLatin1String("Cancel"));
        m_window->setLanguage(QStringLiteral("en"));
        QCoreApplication::sendPostedEvents();
        QCOMPARE(action(Qt::ALT | Qt::Key_1)->text(), english);
        m_window->setTheme(ThemeKind::Dark);
    }

    void everyControlHasAName()
    {
        for (const auto *button : m_window->findChildren<QAbstractButton *>()) {
            if (!button->isVisibleTo(m_window.get())) continue;
            const bool named = !button->text().isEmpty() || !button->accessibleName().isEmpty();
            QVERIFY2(named || QByteArray(button->metaObject()->className()).contains("Corner") || QByteArray(button->parent()->metaObject()->className()).contains("Dock"),
                     button->parent()->metaObject()->className());
        }
    }

    void narrowWindowsCollapseTheRunPanel()
    {
        QVERIFY(!m_window->viewState()->compact());
        m_window->resize(1366, 768);
        QVERIFY(m_window->viewState()->compact());
        QVERIFY(m_window->minimumWidth() <= 1280 && m_window->minimumHeight() <= 720);
        QAction *panel = action(Qt::CTRL | Qt::Key_1);
        QVERIFY(!panel->isChecked());
        panel->trigger();
        QVERIFY(panel->isChecked());
        m_window->resize(1920, 1080);
        QVERIFY(panel->isChecked());
    }

    // On a fresh start, and back from another page, Space plays: no control has the focus.
    void spacePlaysAtOnce()
    {
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        for (const bool other : {false, true}) {
            if (other) {
                action(Qt::Key_F9)->trigger();
                action(Qt::Key_F6)->trigger();
            }
            const bool playing = m_window->clock()->playing();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
            QCOMPARE(m_window->clock()->playing(), !playing);
        }
    }

    // Another document begins at its beginning.
    void anotherDocumentStartsAtZero()
    {
        m_window->clock()->setPlaying(false);
        m_window->viewState()->setPlayhead(m_window->viewState()->duration());
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        QCOMPARE(m_window->viewState()->playhead(), TimeNs{0});
    }

    // Unfolded, the flags show what the run on show would gain; a choice is one undo step, and the figures follow it.
    void softwareCostsFollowTheRun()
    {
        auto *software = m_window->findChild<SoftwarePanel *>();
        software->setUnfolded(true);
        const auto combo = [software](const QString &name) -> QComboBox * {
            for (QComboBox *each : software->findChildren<QComboBox *>())
                if (each->accessibleName().startsWith(name)) return each;
            return nullptr;
        };
        QTRY_VERIFY(combo(QStringLiteral("Tensor overlap")));
        QTRY_VERIFY(combo(QStringLiteral("Tensor overlap"))->itemText(1).contains(QLatin1Char('s')));
        const double before = iterationS();
        QComboBox *overlap = combo(QStringLiteral("Tensor overlap"));
        const QString promised = overlap->itemText(1);
        const bool saves = promised.contains(QChar(0x2212));
        const QString value = overlap->itemData(1).toString();
        overlap->setCurrentIndex(1);
        Q_EMIT overlap->activated(1);
        waitUntilIdle();
        QCOMPARE(iterationS() < before, saves);
        QTRY_COMPARE(combo(QStringLiteral("Tensor overlap"))->itemData(0).toString(), value);
        m_window->document()->undoStack()->undo();
        waitUntilIdle();
        QCOMPARE(iterationS(), before);
    }
};

QTEST_MAIN(TestMainWindow)
#include "tst_main_window.moc"
