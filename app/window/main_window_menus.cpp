// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"

#include "app/controllers/link_controller.h"
#include "app/controllers/search_controller.h"
#include "app/export/picture.h"
#include "app/window/menu_bar.h"
#include "app/window/side_rail.h"
#include "views/beat/transport_bar.h"
#include "views/cluster/cluster_view.h"
#include "views/inspector/knob_list.h"
#include "views/inspector/run_panel.h"
#include "views/timeline/timeline_view.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QSplitter>

namespace clusterbeat {

void MainWindow::buildFileMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&File"); });
    QMenu *presets = m_menu->addTextMenu([this] { return tr("&New From Preset"); }, menu);
    for (const ScenarioPreset &preset : m_document.catalogue().presets) {
        const QString source = QStringLiteral("preset:") + QString::fromStdString(preset.name);
        connect(presets->addAction(QString::fromStdString(preset.title)), &QAction::triggered, this,
                [this, source] { m_files->open(source); });
    }
    m_menu->addTextAction(menu, [this] { return tr("&Open…"); }, QKeySequence::keyBindings(QKeySequence::Open),
                          [this] { m_files->chooseAndOpen(); });
    m_recentMenu = m_menu->addTextMenu([this] { return tr("Open &Recent"); }, menu);
    fillRecentMenu();
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("&Save"); }, QKeySequence::keyBindings(QKeySequence::Save),
                          [this] { m_files->save(); });
    m_menu->addTextAction(menu, [this] { return tr("Save &As…"); }, {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
                          [this] { m_files->saveAs(); });
    m_menu->addTextAction(menu, [this] { return tr("Save &Picture…"); }, {Qt::CTRL | Qt::SHIFT | Qt::Key_P},
                          [this] { savePicture(); });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("&Quit"); }, {Qt::CTRL | Qt::Key_Q}, [this] { close(); });
}

void MainWindow::fillRecentMenu()
{
    m_recentMenu->clear();
    m_recentMenu->setEnabled(!m_preferences->recentFiles.isEmpty());
    for (const QString &path : m_preferences->recentFiles) {
        QString shown = path;
        connect(m_recentMenu->addAction(shown.replace(QLatin1Char('&'), QStringLiteral("&&"))), &QAction::triggered, this,
                [this, path] { m_files->open(path); });
    }
}

void MainWindow::buildEditMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&Edit"); });
    m_undo = m_menu->addTextAction(menu, [this] { return tr("&Undo"); }, QKeySequence::keyBindings(QKeySequence::Undo),
                                   [this] { m_document.undoStack()->undo(); });
    m_redo = m_menu->addTextAction(menu, [this] { return tr("&Redo"); }, QKeySequence::keyBindings(QKeySequence::Redo),
                                   [this] { m_document.undoStack()->redo(); });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("Re&name This Run…"); }, {Qt::Key_F2}, [this] { m_files->rename(); });
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("&Go to GPU, Rank or Stage…"); }, {Qt::Key_Slash, Qt::CTRL | Qt::Key_F},
                                           [this] { m_transport->focusSearch(); });
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("&Change a Knob…"); }, {Qt::CTRL | Qt::Key_K}, [this] {
        setPresentation(false);
        m_rail->setPanelVisible(true);
        m_runPanel->knobs()->focusSearch();
    });
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("Find a Better &Layout…"); }, {Qt::CTRL | Qt::Key_L}, [this] { m_search->show(); });
}

void MainWindow::buildViewMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&View"); });
    QMenu *themes = m_menu->addTextMenu([this] { return tr("&Theme"); }, menu);
    auto *themeGroup = new QActionGroup(this);
    const auto addTheme = [&](ThemeKind kind, const MenuBar::Text &text) {
        QAction *action = m_menu->addTextToggle(themes, text, {}, [this, kind](bool) { setTheme(kind); });
        action->setChecked(m_preferences->theme == kind);
        themeGroup->addAction(action);
    };
    addTheme(ThemeKind::Dark, [this] { return tr("&Dark"); });
    addTheme(ThemeKind::Light, [this] { return tr("&Light"); });
    addTheme(ThemeKind::Projector, [this] { return tr("&Projector"); });

    QMenu *languageMenu = m_menu->addTextMenu([this] { return tr("&Language"); }, menu);
    auto *languageGroup = new QActionGroup(this);
    const auto addLanguage = [&](const QString &code, const QString &name) {
        QAction *action = languageMenu->addAction(name);
        action->setCheckable(true);
        action->setChecked(m_language->code() == code);
        languageGroup->addAction(action);
        connect(action, &QAction::triggered, this, [this, code] { setLanguage(code); });
    };
    // Each language in its own words, whatever the window speaks.
    addLanguage(QStringLiteral("en"), QStringLiteral("English"));
    addLanguage(QStringLiteral("zh_CN"), QStringLiteral("简体中文"));

    menu->addSeparator();
    auto *pageGroup = new QActionGroup(this);
    const auto addPage = [&](Page page, const MenuBar::Text &text, Qt::Key key) {
        QAction *action = m_menu->addTextToggle(menu, text, {key}, [this, page](bool) { showPage(page); });
        action->setChecked(page == m_page);
        pageGroup->addAction(action);
        m_pageActions[static_cast<std::size_t>(page)] = action;
    };
    addPage(Page::Play, [this] { return tr("&Play Page"); }, Qt::Key_F6);
    addPage(Page::Validation, [this] { return tr("&Validation Page"); }, Qt::Key_F9);
    menu->addSeparator();
    QAction *run = m_menu->addTextToggle(menu, [this] { return tr("&Run Panel"); }, {Qt::CTRL | Qt::Key_1},
                                         [this](bool on) { m_rail->setPanelVisible(on); });
    run->setChecked(m_rail->panelVisible());
    connect(m_rail, &SideRail::panelVisibleChanged, run, &QAction::setChecked);
    QAction *inspector = m_menu->addTextToggle(menu, [this] { return tr("&Inspector"); }, {Qt::CTRL | Qt::Key_2},
                                               [this](bool on) { m_inspectorDock->setVisible(on); });
    inspector->setChecked(true);
    connect(m_inspectorDock, &QDockWidget::visibilityChanged, inspector,
            [this, inspector] {
                if (m_page == Page::Play) inspector->setChecked(m_inspectorDock->isVisibleTo(this));
            });
    menu->addSeparator();
    m_playActions << run << inspector;
    m_dockActions << run << inspector;
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("&Fit the Selection"); }, {Qt::Key_F},
                                           [this] { fitSelection(); });
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("Show the Whole &Cluster"); }, {Qt::CTRL | Qt::Key_0},
                                           [this] { m_cluster->fit(); });
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("Show the Whole Iter&ation"); }, {Qt::CTRL | Qt::Key_9},
                                           [this] { m_state.chooseVisible({0, m_state.duration()}); });
    m_allStages = m_menu->addTextToggle(menu, [this] { return tr("Fit All Sta&ges"); }, {Qt::CTRL | Qt::Key_8},
                                        [this](bool on) { m_timeline->setAllStages(on || m_presenting); });
    m_playActions << m_allStages;
    m_playActions << m_menu->addTextAction(menu, [this] { return tr("&Busiest Links…"); }, {Qt::CTRL | Qt::Key_J}, [this] { m_links->show(); });
    menu->addSeparator();
    m_presentation = m_menu->addTextToggle(menu, [this] { return tr("Prese&ntation"); }, {Qt::Key_F5}, [this](bool on) { setPresentation(on); });
    m_nextView = m_menu->addTextAction(menu, [this] { return tr("Next Vie&w of the Presentation"); }, {Qt::SHIFT | Qt::Key_F5}, [this] { presentNext(); });
    m_nextView->setEnabled(false);
    menu->addSeparator();
    QAction *motion = m_menu->addTextToggle(menu, [this] { return tr("Reduce &Motion"); }, {}, [this](bool on) {
        m_preferences->reduceMotion = on;
        m_state.setReduceMotion(on);
    });
    motion->setChecked(m_preferences->reduceMotion);
    m_menu->addTextAction(menu, [this] { return tr("Re&set the Layout"); }, {}, [this] { resetLayout(); });
    m_menu->addTextToggle(menu, [this] { return tr("Full Scr&een"); }, {Qt::Key_F11}, [this](bool on) {
        setWindowState(windowState().setFlag(Qt::WindowFullScreen, on));
    });
}

void MainWindow::buildPlayMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&Play"); });
    m_playMenus << menu;
    PlaybackClock *clock = &m_clock;
    m_play = m_menu->addTextToggle(menu, [this] { return tr("&Play"); }, {Qt::Key_Space},
                                   [clock](bool) { clock->setPlaying(!clock->playing()); });
    connect(clock, &PlaybackClock::playingChanged, m_play, &QAction::setChecked);
    m_menu->addTextAction(menu, [this] { return tr("Step &Back"); }, {Qt::Key_Comma}, [this] { step(-1); });
    m_menu->addTextAction(menu, [this] { return tr("&Step"); }, {Qt::Key_Period}, [this] { step(1); });
    m_menu->addTextAction(menu, [this] { return tr("Previous &Micro-batch"); }, {Qt::SHIFT | Qt::Key_Comma},
                          [this] { step(-1, true); });
    m_menu->addTextAction(menu, [this] { return tr("&Next Micro-batch"); }, {Qt::SHIFT | Qt::Key_Period},
                          [this] { step(1, true); });
    m_menu->addTextAction(menu, [this] { return tr("To the Star&t"); }, {Qt::Key_Home}, [clock] { clock->toStart(); });
    m_menu->addTextAction(menu, [this] { return tr("To the &End"); }, {Qt::Key_End}, [clock] {
        clock->setPlaying(false);
        clock->toEnd();
    });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("S&lower"); }, {Qt::Key_BracketLeft},
                          [clock] { clock->changeSpeed(-1); });
    m_menu->addTextAction(menu, [this] { return tr("&Faster"); }, {Qt::Key_BracketRight},
                          [clock] { clock->changeSpeed(1); });
    m_loop = m_menu->addTextToggle(menu, [this] { return tr("L&oop"); }, {Qt::Key_L},
                                   [clock](bool on) { clock->setLoop(on); });
    m_follow = m_menu->addTextToggle(menu, [this] { return tr("Follow the Playhea&d"); }, {Qt::SHIFT | Qt::Key_F},
                                     [this](bool on) { m_state.setFollowing(on); });
    m_follow->setChecked(m_state.following());
}

void MainWindow::buildWhatIfMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&What-if"); });
    m_playMenus << menu;
    m_menu->addTextAction(menu, [this] { return tr("Slow the Selected GPU to &70 %"); }, {Qt::ALT | Qt::Key_1},
                          [this] { m_whatIf->slowSelectedGpu(0.7); });
    m_menu->addTextAction(menu, [this] { return tr("&Restore the Selected GPU"); }, {Qt::ALT | Qt::Key_2},
                          [this] { m_whatIf->slowSelectedGpu(1.0); });
    m_menu->addTextAction(menu, [this] { return tr("Slow the Selected GPU to &95 %"); }, {Qt::ALT | Qt::Key_3},
                          [this] { m_whatIf->slowSelectedGpu(0.95); });
    buildLinkMenu(menu);
    menu->addSeparator();
    const auto addToggle = [&](PerturbationKind kind, const QKeySequence &key, const MenuBar::Text &text) {
        QAction *action = m_menu->addTextToggle(menu, text, {key}, [this, kind](bool) {
            m_whatIf->toggle(kind);
            showWhatIfs();          // a refused one is as it was
        });
        m_whatIfToggles.emplace_back(action, kind);
    };
    addToggle(PerturbationKind::Jitter, Qt::ALT | Qt::Key_4, [this] { return tr("Random &Delays of 3 %"); });
    addToggle(PerturbationKind::GcPause, Qt::ALT | Qt::Key_5, [this] { return tr("&Garbage Collection: Pauses of 0.1 s"); });
    addToggle(PerturbationKind::DocumentImbalance, Qt::ALT | Qt::Key_6, [this] { return tr("&Uneven Documents: Attention ± 50 %"); });
    addToggle(PerturbationKind::SlowData, Qt::ALT | Qt::Key_7, [this] { return tr("Slow Data &Loading: 25 % Behind"); });
    addToggle(PerturbationKind::Checkpoint, Qt::ALT | Qt::Key_8, [this] { return tr("&Checkpoint in This Iteration"); });
    addToggle(PerturbationKind::WarmUp, Qt::CTRL | Qt::ALT | Qt::Key_8, [this] { return tr("&Warm-up: First Micro-batch at 50 %"); });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("Remove &Every What-if"); }, {Qt::ALT | Qt::Key_0},
                          [this] { m_whatIf->removeAll(); });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("Show What Sets the &Pace"); }, {Qt::ALT | Qt::Key_9}, [this] {
        if (const auto result = m_results->result()) showGpu(result->slowest.gpu);
    });
    m_menu->addTextAction(menu, [this] { return tr("Pin This Result as &Baseline"); }, {Qt::CTRL | Qt::Key_B},
                          [this] { m_results->pinBaseline(); });
    m_menu->addTextAction(menu, [this] { return tr("Remove the Baseline, or Bring &It Back"); }, {Qt::CTRL | Qt::SHIFT | Qt::Key_B},
                          [this] { m_results->toggleBaseline(); });
}

void MainWindow::buildLinkMenu(QMenu *parent)
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("Li&nks of the Selected GPU"); }, parent);
    const auto add = [&](LinkDomain domain, double capacity, Qt::Key key, const MenuBar::Text &text) {
        m_menu->addTextAction(menu, text, {Qt::CTRL | Qt::ALT | key}, [this, domain, capacity] { m_whatIf->setSelectedGpuLinks(domain, capacity); });
    };
    add(LinkDomain::Nic, 0.5, Qt::Key_1, [this] { return tr("NIC at &50 %"); });
    add(LinkDomain::Nic, 0.1, Qt::Key_2, [this] { return tr("NIC at &10 %"); });
    add(LinkDomain::Nic, 0.0, Qt::Key_3, [this] { return tr("&Cut the NIC"); });
    menu->addSeparator();
    add(LinkDomain::NvLink, 0.5, Qt::Key_4, [this] { return tr("&NVLink at 50 %"); });
    add(LinkDomain::NvLink, 0.1, Qt::Key_5, [this] { return tr("N&VLink at 10 %"); });
    add(LinkDomain::NvLink, 0.0, Qt::Key_6, [this] { return tr("C&ut the NVLink"); });
    menu->addSeparator();
    m_menu->addTextAction(menu, [this] { return tr("&Restore the Links of the Selected GPU"); }, {Qt::CTRL | Qt::ALT | Qt::Key_0},
                          [this] { m_whatIf->restoreSelectedGpuLinks(); });
}

void MainWindow::showWhatIfs()
{
    for (const auto &[action, kind] : m_whatIfToggles) action->setChecked(m_whatIf->isActive(kind));
}

void MainWindow::buildHelpMenu()
{
    QMenu *menu = m_menu->addTextMenu([this] { return tr("&Help"); });
    m_menu->addTextAction(menu, [this] { return tr("&Keys"); }, {Qt::Key_Question, Qt::Key_F1}, [this] { showKeySheet(); });
    m_menu->addTextAction(menu, [this] { return tr("&About Clusterbeat"); }, {}, [this] {
        QMessageBox::about(this, tr("About Clusterbeat"),
                           tr("Clusterbeat %1\n\nOne training iteration of a large model on ten thousand GPUs, "
                              "simulated and shown as a heartbeat.")
                               .arg(QCoreApplication::applicationVersion()));
    });
}

void MainWindow::savePicture()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save picture"), QStringLiteral("clusterbeat.png"),
                                                      tr("Pictures (*.png *.svg *.pdf)"));
    if (path.isEmpty()) return;
    if (const auto error = savePictureOf(*this, path))
        m_files->showError(tr("Cannot save %1").arg(QFileInfo(path).fileName()), *error);
}

void MainWindow::retranslate()
{
    m_menu->retranslate();
    m_inspectorDock->setWindowTitle(tr("Inspector"));
    m_splitter->setAccessibleName(tr("Cluster above, timeline below"));
    showTitle();
}

} // namespace clusterbeat
