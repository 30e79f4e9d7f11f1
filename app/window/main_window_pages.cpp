// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"

#include "app/window/menu_bar.h"
#include "app/window/note_bar.h"
#include "app/window/side_rail.h"
#include "app/window/status_line.h"
#include "app/window/title_row.h"
#include "views/beat/kpi_strip.h"
#include "views/charts/validation_page.h"
#include "views/cluster/cluster_view.h"
#include "views/timeline/timeline_view.h"

#include <QDockWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>

#include <utility>

namespace clusterbeat {

void MainWindow::showPage(Page page)
{
    m_title->pages()->setPage(page);
    m_pageActions[static_cast<std::size_t>(page)]->setChecked(true);
    if (page == m_page) return;
    setPresentation(false);
    const bool play = page == Page::Play;
    if (!play) {
        m_resume = m_clock.playing();
        m_clock.setPlaying(false);
        m_inspectorShown = m_inspectorDock->isVisibleTo(this);
    }
    m_page = page;
    if (page == Page::Validation) {
        ValidationPage *validation = m_validation->page();
        if (m_pages->indexOf(validation) < 0) m_pages->addWidget(validation);
        m_pages->setCurrentWidget(validation);
        m_validation->ensureComputed();
        validation->focusPlot();
    } else {
        m_pages->setCurrentIndex(0);
    }
    m_playTop->setVisible(play);
    m_inspectorDock->setVisible(play && m_inspectorShown);
    // Keys of what is not in sight must not act on it.
    for (QMenu *menu : m_playMenus) {
        menu->menuAction()->setEnabled(play);
        for (QAction *action : menu->actions()) action->setEnabled(play);
    }
    for (QAction *action : m_playActions) action->setEnabled(play);
    m_nextView->setEnabled(false);          // of a presentation, which has ended
    m_status->showSight(play);
    if (!play) return;
    focusPlay();
    if (std::exchange(m_resume, false)) m_clock.setPlaying(true);
}

void MainWindow::setPresentation(bool on)
{
    if (on == m_presenting) return;
    if (on) {
        showPage(Page::Play);
        m_panelBefore = m_rail->panelVisible();
        m_inspectorBefore = m_inspectorDock->isVisibleTo(this);
        m_presented = Presented::Both;
    }
    m_presenting = on;
    m_presentation->setChecked(on);
    m_rail->setPanelVisible(!on && m_panelBefore);
    m_rail->setVisible(!on);
    m_inspectorDock->setVisible(!on && m_inspectorBefore);
    m_status->setVisible(!on);
    m_kpis->setFirstOnly(on);
    m_timeline->setAllStages(on || m_allStages->isChecked());
    for (QAction *action : m_dockActions) action->setEnabled(!on);
    m_nextView->setEnabled(on);
    if (!on) m_presented = Presented::Both;
    showPresented();
}

void MainWindow::presentNext()
{
    if (!m_presenting) return;
    m_presented = m_presented == Presented::Both ? Presented::Cluster
                  : m_presented == Presented::Cluster ? Presented::Timeline
                                                      : Presented::Both;
    showPresented();
}

// What goes out of sight must not keep the keys.
void MainWindow::showPresented()
{
    m_cluster->setVisible(m_presented != Presented::Timeline);
    m_timeline->setVisible(m_presented != Presented::Cluster);
    if (m_presented == Presented::Timeline) m_timeline->setFocus(Qt::OtherFocusReason);
    else focusPlay();
}

bool MainWindow::leavesPresentation(const QWidget *widget, const QKeyEvent &key) const
{
    if (!m_presenting || key.key() != Qt::Key_Escape || !widget || widget->window() != this) return false;
    return !qobject_cast<const QLineEdit *>(widget);       // its Escape ends the typing
}

void MainWindow::sayProblem(const QString &sentence) { m_note->say(NoteBar::Tone::Problem, sentence); }

// The map takes the keys, so that Space plays: the first control in the tab order would take it for itself.
void MainWindow::focusPlay() { m_cluster->setFocus(Qt::OtherFocusReason); }

// Read when the first result is on show: the start does not wait for it.
void MainWindow::showAccuracy()
{
    const auto result = m_results->result();
    if (!result) return;
    if (!m_references) {
        auto read = loadReferences();
        if (!read.ok()) return;
        m_references = std::make_shared<const ReferenceTable>(std::move(read).value());
    }
    m_kpis->setAccuracy(m_references, errorBand(featuresOf(*result->scenario), *m_references));
}

} // namespace clusterbeat
