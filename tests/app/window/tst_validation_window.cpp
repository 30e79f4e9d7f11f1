// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"
#include "model/scenario/scenario_json.h"
#include "views/beat/kpi_strip.h"
#include "views/charts/validation_page.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QStandardPaths>
#include <QTableView>
#include <QTest>

using namespace clusterbeat;

/// The Validation page in the window, with the real simulator and the published runs.
class TestValidationWindow : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    Preferences m_preferences;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<MainWindow> m_window;

    [[nodiscard]] QAction *action(const QKeySequence &keys) const
    {
        for (QAction *candidate : m_window->findChildren<QAction *>())
            if (candidate->shortcuts().contains(keys)) return candidate;
        return nullptr;
    }
    [[nodiscard]] ValidationPage *page() const { return m_window->findChild<ValidationPage *>(); }
    void computeAll()
    {
        action(Qt::Key_F9)->trigger();
        QVERIFY(page() != nullptr);
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->validation()->runner()->busy(), 60'000);
    }

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
        QTRY_VERIFY(!m_window->results()->busy());
    }
    void cleanup()
    {
        m_window.reset();
        m_language.reset();
    }

    // Nothing of the page exists before it is asked for; then every complete row of the table comes, in order.
    void comesWhenAskedForWithEveryRow()
    {
        QVERIFY(page() == nullptr);
        QVERIFY(!m_window->validation()->hasPage());
        computeAll();
        const auto rows = readMeasuredRows(m_catalogue->measuredRowsJson, *m_catalogue);
        QVERIFY(rows.ok());
        QCOMPARE(page()->model()->rows().size(), rows.value().size());
        for (std::size_t i = 0; i < rows.value().size(); ++i) QCOMPARE(page()->model()->rows()[i].id, rows.value()[i].id);
        QVERIFY(page()->isVisible());
        // A second visit shows the same rows without another run.
        action(Qt::Key_F6)->trigger();
        QVERIFY(!page()->isVisible());
        action(Qt::Key_F9)->trigger();
        QVERIFY(!m_window->validation()->runner()->busy());
        QCOMPARE(page()->model()->rows().size(), rows.value().size());
    }

    // What belongs to the Play page goes and comes with it: inspector, playing, its keys.
    void playStopsAndItsKeysRest()
    {
        auto *inspector = m_window->findChild<QDockWidget *>(QStringLiteral("inspector"));
        m_window->clock()->setPlaying(true);
        action(Qt::Key_F9)->trigger();
        QVERIFY(!m_window->clock()->playing());
        QVERIFY(!inspector->isVisible());
        QVERIFY(!action(Qt::Key_Space)->isEnabled());
        QVERIFY(!action(Qt::ALT | Qt::Key_1)->isEnabled());
        QVERIFY(!action(Qt::Key_F)->isEnabled());
        QVERIFY(action(Qt::CTRL | Qt::Key_O)->isEnabled());
        action(Qt::Key_F6)->trigger();
        QVERIFY(inspector->isVisible());
        QVERIFY(action(Qt::Key_Space)->isEnabled());
        QVERIFY(action(Qt::Key_F)->isEnabled());
    }

    // The row becomes the document, the Play page shows it, and what it simulates is what the page predicted.
    void opensARowAsTheDocument()
    {
        computeAll();
        page()->table()->selectRow(5);
        const QString id = page()->selectedId();
        QVERIFY(!id.isEmpty());
        // A copy: what the page shows is its own affair from here on.
        const std::vector<ValidatedRow> rows = page()->model()->rows();
        const auto row = std::find_if(rows.begin(), rows.end(), [&](const ValidatedRow &each) { return each.id == id.toStdString(); });
        QVERIFY(row != rows.end());
        QVERIFY2(row->predictedNs.has_value(), qPrintable(id + QStringLiteral(" is refused")));
        const auto before = m_window->results()->result();
        Q_EMIT page()->openRequested(id);
        QCOMPARE(m_window->page(), Page::Play);
        QCOMPARE(m_window->document()->displayName(), id);
        QVERIFY(!m_window->isWindowModified());
        QTRY_VERIFY(!m_window->results()->busy());
        QVERIFY2(m_window->results()->result() != before, qPrintable(m_window->note()));
        QCOMPARE(m_window->results()->result()->iteration(), *row->predictedNs);
    }

    // Unsaved changes are asked about first; who cancels keeps both the document and the page.
    void asksBeforeItReplacesUnsavedChanges()
    {
        computeAll();
        m_window->whatIf()->slowSelectedGpu(0.7);
        const std::string before = writeScenario(m_window->document()->scenario());
        m_window->files()->setQuestion([] { return DocumentController::Answer::Cancel; });
        page()->table()->selectRow(0);
        Q_EMIT page()->openRequested(page()->selectedId());
        QCOMPARE(m_window->page(), Page::Validation);
        QCOMPARE(writeScenario(m_window->document()->scenario()), before);
    }

    void cancelledRunSaysSoAndStartsAnew()
    {
        action(Qt::Key_F9)->trigger();
        Q_EMIT page()->cancelRequested();
        QTRY_VERIFY(!m_window->validation()->runner()->busy());
        QVERIFY(page()->model()->rows().size() < 348);
        QVERIFY(page()->summary().contains(QStringLiteral("cancelled")));
        Q_EMIT page()->computeRequested();
        QTRY_VERIFY_WITH_TIMEOUT(!m_window->validation()->runner()->busy(), 60'000);
        QVERIFY(page()->model()->rows().size() > 300);
        QVERIFY(!page()->summary().contains(QStringLiteral("cancelled")));
    }

    // Closing while the job runs joins it.
    void closesWhileItComputes()
    {
        action(Qt::Key_F9)->trigger();
        QVERIFY(m_window->validation()->runner()->busy());
        m_window.reset();
    }

    void theIterationCarriesItsErrorBand()
    {
        const auto *strip = m_window->findChild<KpiStrip *>();
        QTRY_VERIFY(strip->findChildren<QAbstractButton *>().first()->accessibleDescription().contains(QChar(0x00b1)));
        QVERIFY(strip->findChildren<QAbstractButton *>().first()->toolTip().contains(QStringLiteral("H100-SXM5-80GB")));
    }

    void speaksTheOtherLanguage()
    {
        computeAll();
        m_window->setLanguage(QStringLiteral("zh_CN"));
        QCOMPARE(page()->model()->headerData(ValidationModel::Error, Qt::Horizontal).toString(), QStringLiteral("误差"));
        QTRY_VERIFY(page()->summary().contains(QStringLiteral("超出范围")));
        m_window->setLanguage(QStringLiteral("en"));
    }
};

QTEST_MAIN(TestValidationWindow)
#include "tst_validation_window.moc"
