// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/link_controller.h"
#include "app/controllers/navigation.h"
#include "app/settings/language.h"
#include "app/window/main_window.h"
#include "app/window/menu_bar.h"
#include "app/window/side_rail.h"
#include "model/iteration/simulate.h"
#include "views/beat/kpi_strip.h"
#include "views/beat/kpi_tile.h"
#include "views/charts/links_dialog.h"
#include "views/shared/view_state.h"

#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QMenu>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace clusterbeat;

namespace {

QChar letterOf(const QString &text)
{
    for (qsizetype i = 0; i + 1 < text.size(); ++i) {
        if (text[i] != QLatin1Char('&')) continue;
        if (text[i + 1] != QLatin1Char('&')) return text[i + 1].toLower();
        ++i;
    }
    return {};
}

} // namespace

/// What a person expects of a window: names, words, layout and pages.
class TestWindowConduct final : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    Preferences m_preferences;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<MainWindow> m_window;

    [[nodiscard]] ResultController::ResultPointer result() const { return m_window->results()->result(); }

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        m_catalogue = std::make_shared<const Catalogue>(loadCatalogue().value());
    }
    void init()
    {
        m_preferences = {};
        m_language = std::make_unique<Language>();
        m_window = std::make_unique<MainWindow>(
            MainWindow::Parts{m_catalogue, SimulationRunner::simulator(m_catalogue), &m_preferences, m_language.get()});
        m_window->resize(1600, 900);
        m_window->show();
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        QTRY_VERIFY(result() != nullptr && !m_window->results()->busy());
    }
    void cleanup()
    {
        m_window.reset();
        m_language.reset();
    }

    // Every kind of thing by its word, without regard to case and spaces; every example that the field offers is found.
    void searchTakesWords()
    {
        const Placement &placement = *result()->placement;
        const auto coordinatesOf = [&](const QString &text) {
            const auto gpu = findGpu(*result(), text);
            return gpu ? placement.coordinates[static_cast<std::size_t>(placement.rankOfGpu[static_cast<std::size_t>(*gpu)])] : RankCoordinates{};
        };
        const int lastStage = placement.pipeline - 1, lastReplica = placement.data - 1;
        QVERIFY(lastReplica > 0);
        for (const QString &word : {QStringLiteral("stage %1"), QStringLiteral("s%1"), QStringLiteral("Stage: %1"), QStringLiteral("stage:%1")}) {
            QVERIFY2(findGpu(*result(), word.arg(lastStage)), qPrintable(word));
            QCOMPARE(coordinatesOf(word.arg(lastStage)).pipeline, lastStage);
            QVERIFY2(!findGpu(*result(), word.arg(lastStage + 1)), qPrintable(word));
        }
        for (const QString &word : {QStringLiteral("replica %1"), QStringLiteral("DP %1"), QStringLiteral("dp%1"), QStringLiteral("replica:%1")}) {
            QVERIFY2(findGpu(*result(), word.arg(lastReplica)), qPrintable(word));
            QCOMPARE(coordinatesOf(word.arg(lastReplica)).data, lastReplica);
            QVERIFY2(!findGpu(*result(), word.arg(lastReplica + 1)), qPrintable(word));
        }
        QCOMPARE(findGpu(*result(), QStringLiteral("GPU 7")).value_or(-1), 7);
        QVERIFY(!findGpu(*result(), QStringLiteral("GPU 64")));
        for (const QString &word : {QStringLiteral("slow"), QStringLiteral("Slow GPU"), QStringLiteral("slowest gpu")})
            QCOMPARE(findGpu(*result(), word).value_or(-1), result()->slowest.gpu);
        const QStringList examples = searchExamples(*result());
        QVERIFY(examples.size() > 64);
        for (const QString &example : examples) QVERIFY2(findGpu(*result(), example), qPrintable(example));
    }

    // No letter opens two entries of one menu, in any language.
    void menuLettersAreUnique_data()
    {
        QTest::addColumn<QString>("language");
        for (const char *code : {"en", "zh_CN"}) QTest::addRow("%s", code) << QString::fromLatin1(code);
    }
    void menuLettersAreUnique()
    {
        QFETCH(QString, language);
        m_window->setLanguage(language);
        int menus = 0;
        for (QMenu *menu : m_window->findChild<MenuBar *>()->findChildren<QMenu *>()) {
            QString seen;
            for (QAction *action : menu->actions()) {
                const QChar letter = letterOf(action->text());
                if (letter.isNull()) continue;
                QVERIFY2(!seen.contains(letter), qPrintable(menu->title() + QLatin1String(": ") + action->text()));
                seen.append(letter);
            }
            menus += seen.isEmpty() ? 0 : 1;
        }
        QVERIFY(menus >= 6);
    }

    void aRunIsRenamedAndUndone()
    {
        const QString before = m_window->document()->displayName();
        m_window->files()->setName(QStringLiteral("  Before \"noon\" \\ 午前  "));
        const QString after = QStringLiteral("Before \"noon\" \\ 午前");
        QCOMPARE(m_window->document()->displayName(), after);
        QVERIFY(m_window->windowTitle().contains(after));
        QVERIFY(m_window->document()->isModified());
        m_window->document()->undoStack()->undo();
        QCOMPARE(m_window->document()->displayName(), before);
        QVERIFY(!m_window->windowTitle().contains(after));
        const int steps = m_window->document()->undoStack()->count();
        m_window->files()->setName(QStringLiteral("   "));
        QCOMPARE(m_window->document()->undoStack()->count(), steps);
    }

    void savedRunsAreToldApartByTheirFiles()
    {
        const QTemporaryDir folder;
        QVERIFY(!m_window->document()->save(folder.filePath(QStringLiteral("run1.clusterbeat.json"))));
        const QString first = m_window->windowTitle();
        QVERIFY(!m_window->document()->save(folder.filePath(QStringLiteral("run2.clusterbeat.json"))));
        QVERIFY(first.contains(QLatin1String("run1")) && m_window->windowTitle().contains(QLatin1String("run2")));
        QVERIFY(first != m_window->windowTitle());
    }

    void theHeartbeatGoesOnAfterAnotherPage()
    {
        for (const bool playing : {true, false}) {
            m_window->clock()->setPlaying(playing);
            m_window->showPage(Page::Validation);
            QVERIFY(!m_window->clock()->playing());
            m_window->showPage(Page::Play);
            QCOMPARE(m_window->clock()->playing(), playing);
        }
    }

    void theBaselineGoesAndComesBack()
    {
        const auto pinned = m_window->results()->baseline();
        QVERIFY(pinned != nullptr);
        m_window->results()->toggleBaseline();
        QVERIFY(m_window->results()->baseline() == nullptr);
        m_window->results()->toggleBaseline();
        QVERIFY(m_window->results()->baseline() == pinned);
    }

    // The inspector goes back to its width with the theme's scale, and when the layout is reset; it never floats.
    void theInspectorKeepsItsPlace()
    {
        auto *dock = m_window->findChild<QDockWidget *>(QStringLiteral("inspector"));
        QVERIFY(!dock->features().testFlag(QDockWidget::DockWidgetFloatable));
        QApplication::sendPostedEvents();
        const int width = dock->width();
        m_window->setTheme(ThemeKind::Projector);
        QTRY_VERIFY(dock->width() > width);
        m_window->setTheme(ThemeKind::Dark);
        QTRY_COMPARE(dock->width(), width);
        m_window->resizeDocks({dock}, {width + 120}, Qt::Horizontal);
        QTRY_VERIFY(dock->width() > width);
        dock->hide();
        m_window->resetLayout();
        QVERIFY(dock->isVisible());
        QTRY_COMPARE(dock->width(), width);
    }

    // One key shows only what an audience looks at, all stages and one figure; the same key or Escape brings everything back.
    void aPresentationHidesAndBringsBack()
    {
        const auto inspector = m_window->findChild<QDockWidget *>(QStringLiteral("inspector"));
        const auto rail = m_window->findChild<SideRail *>();
        const auto figures = m_window->findChild<KpiStrip *>()->findChildren<KpiTile *>();
        const auto shownFigures = [&] { return std::count_if(figures.begin(), figures.end(), [](const KpiTile *tile) { return tile->isVisible(); }); };
        const auto asBefore = [&] {
            return inspector->isVisible() && rail->isVisible() && rail->panelVisible() && m_window->statusBar()->isVisible() &&
                   m_window->clusterWidget()->isVisible() && m_window->timelineWidget()->isVisible() && shownFigures() > 1;
        };
        QVERIFY(asBefore());
        const int timeline = m_window->timelineWidget()->height();
        m_window->setPresentation(true);
        QVERIFY(!inspector->isVisible() && !rail->isVisible() && !m_window->statusBar()->isVisible());
        QCOMPARE(shownFigures(), 1);
        m_window->presentNext();
        QVERIFY(m_window->clusterWidget()->isVisible() && !m_window->timelineWidget()->isVisible());
        m_window->presentNext();
        QVERIFY(!m_window->clusterWidget()->isVisible() && m_window->timelineWidget()->isVisible());
        QTRY_VERIFY(m_window->timelineWidget()->height() > timeline);
        QTest::keyClick(m_window->timelineWidget(), Qt::Key_Escape);
        QVERIFY(!m_window->presenting());
        QVERIFY(asBefore());
        m_window->presentNext();                    // of nothing
        QVERIFY(asBefore());
        // what was hidden before stays hidden, and another page ends it
        inspector->hide();
        m_window->setPresentation(true);
        m_window->showPage(Page::Validation);
        QVERIFY(!m_window->presenting());
        m_window->showPage(Page::Play);
        QVERIFY(!inspector->isVisible() && rail->panelVisible());
        inspector->show();
        QVERIFY(asBefore());
    }

    // The links' load follows the result by itself; a row of the list selects a GPU at the link.
    void theBusiestLinksLeadToTheirPlace()
    {
        QTRY_VERIFY(m_window->links()->report() != nullptr);
        const auto before = m_window->links()->report();
        QVERIFY(!before->busiest.empty());
        m_window->links()->show();
        auto *table = m_window->links()->dialog()->findChild<QTableView *>();
        QCOMPARE(table->model()->rowCount(), static_cast<int>(before->busiest.size()));
        m_window->viewState()->setSelectedGpu(kNone);
        table->selectRow(table->model()->rowCount() - 1);
        QCOMPARE(m_window->viewState()->selectedGpu(), before->busiest.back().gpu);
        m_window->links()->dialog()->close();
        QVERIFY(m_window->files()->open(QStringLiteral("preset:gpt3-175b-1k-a100")));
        QTRY_VERIFY(m_window->links()->report() != nullptr && m_window->links()->report() != before);
    }

    // At 1366 pixels the projector's letters grow to the same share of the picture's height as at 1920: 16 stages fit.
    void theProjectorFitsANarrowWindow()
    {
        m_window->setTheme(ThemeKind::Projector);
        QCOMPARE(m_window->viewState()->theme().scale(), 1.5);
        m_window->resize(1366, 768);
        QTRY_COMPARE(m_window->viewState()->theme().scale(), 1.25);
        m_window->resize(1700, 900);
        QTRY_COMPARE(m_window->viewState()->theme().scale(), 1.5);
        m_window->setTheme(ThemeKind::Dark);
        QCOMPARE(m_window->viewState()->theme().scale(), 1.0);
    }

    // Choosing the theme that is on leaves every page's name whole.
    void theSameThemeChangesNothing()
    {
        auto *pages = m_window->findChild<PageSwitch *>();
        for (int i = 0; i < 2; ++i) {
            m_window->setTheme(ThemeKind::Dark);
            QTRY_VERIFY(pages->width() >= pages->sizeHint().width());
        }
    }
};

QTEST_MAIN(TestWindowConduct)
#include "tst_window_conduct.moc"
