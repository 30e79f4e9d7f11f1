// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"

#include "app/window/menu_bar.h"
#include "app/window/note_bar.h"
#include "app/window/status_line.h"
#include "app/window/title_row.h"
#include "views/beat/kpi_strip.h"
#include "views/charts/validation_page.h"
#include "views/cluster/cluster_view.h"

#include <QDockWidget>
#include <QMenu>
#include <QStackedWidget>

#include <utility>

namespace clusterbeat {

void MainWindow::showPage(Page page)
{
    m_title->pages()->setPage(page);
    m_pageActions[static_cast<std::size_t>(page)]->setChecked(true);
    if (page == m_page) return;
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
    m_status->showSight(play);
    if (!play) return;
    focusPlay();
    if (std::exchange(m_resume, false)) m_clock.setPlaying(true);
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
