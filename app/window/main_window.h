// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/document_controller.h"
#include "app/controllers/result_controller.h"
#include "app/controllers/validation_controller.h"
#include "app/controllers/what_if_controller.h"
#include "app/document/document.h"
#include "app/playback/playback_clock.h"
#include "app/settings/language.h"
#include "app/settings/preferences.h"
#include "app/window/page_switch.h"
#include "model/validation/relatives.h"
#include "views/shared/view_state.h"

#include <QMainWindow>

#include <array>
#include <memory>

class QAction;
class QDockWidget;
class QMenu;
class QSplitter;
class QStackedWidget;

namespace clusterbeat {

class ClusterView;
class Inspector;
class KpiStrip;
class LinkController;
class MenuBar;
class NoteBar;
class PulseStrip;
class RunPanel;
class SearchController;
class SideRail;
class StatusLine;
class TimelineView;
class TitleRow;
class TransportBar;

/// The window: composes the Play page's views and the other pages on one document, one clock and one selection, and
/// connects them to the controllers. It decides nothing itself.
class MainWindow final : public QMainWindow {
    Q_OBJECT
public:
    struct Parts {
        std::shared_ptr<const Catalogue> catalogue;
        SimulationRunner::Function simulator;
        Preferences *preferences;           ///< outlives the window
        Language *language;                 ///< outlives the window
    };
    explicit MainWindow(const Parts &parts, QWidget *parent = nullptr);
    ~MainWindow() override;

    [[nodiscard]] Document *document() { return &m_document; }
    [[nodiscard]] ViewState *viewState() { return &m_state; }
    [[nodiscard]] ResultController *results() { return m_results; }
    [[nodiscard]] PlaybackClock *clock() { return &m_clock; }
    [[nodiscard]] DocumentController *files() { return m_files; }
    [[nodiscard]] WhatIfController *whatIf() { return m_whatIf; }
    [[nodiscard]] LinkController *links() { return m_links; }
    [[nodiscard]] ValidationController *validation() { return m_validation; }
    [[nodiscard]] Page page() const { return m_page; }
    /// Panels, their sizes and the divider as at the first start.
    void resetLayout();
    [[nodiscard]] bool presenting() const { return m_presenting; }
    [[nodiscard]] QWidget *clusterWidget() const;
    [[nodiscard]] QWidget *timelineWidget() const;
    [[nodiscard]] QWidget *pulseWidget() const;
    /// What the note below the key figures says; "" = nothing.
    [[nodiscard]] QString note() const;

public Q_SLOTS:
    void setTheme(clusterbeat::ThemeKind kind);
    void setLanguage(const QString &code);
    /// Selects the GPU that a search names and brings it into sight.
    void search(const QString &text);
    void showGpu(clusterbeat::GpuIndex gpu);
    void showKeySheet();
    /// Brings a page to the front; Play stops when it leaves the front.
    void showPage(clusterbeat::Page page);
    void focusPlay();
    /// Only what an audience looks at: no panels, no status, one figure, every stage; off: everything as it was.
    void setPresentation(bool on);
    /// While presenting: map and timeline, then the map alone, then the timeline alone.
    void presentNext();
    /// In the note below the key figures.
    void sayProblem(const QString &sentence);

protected:
    void changeEvent(QEvent *event) override;
    void closeEvent(QCloseEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void showEvent(QShowEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void compose();
    void connectDocument();
    void connectResults();
    void connectPlayback();
    void connectWhatIfs();
    void buildFileMenu();
    void buildEditMenu();
    void buildViewMenu();
    void buildPlayMenu();
    void buildWhatIfMenu();
    void buildLinkMenu(QMenu *parent);
    /// Checks what is active.
    void showWhatIfs();
    void buildHelpMenu();
    void fillRecentMenu();
    void retranslate();
    void showTitle();
    void showScenario();
    void showResult(const ResultController::ResultPointer &result, double milliseconds);
    void savePicture();
    void showAccuracy();
    /// In the view that has the keyboard: the timeline, unless it is the cluster.
    void fitSelection();
    /// Stops, then goes to the next (+1) or previous (-1) event of the selected lane.
    void step(int direction, bool microBatch = false);
    void restore();
    void placeInspector();
    void placeDivider();
    void showPresented();
    [[nodiscard]] bool leavesPresentation(const QWidget *widget, const QKeyEvent &key) const;
    void noteFocus(Qt::FocusReason reason);

    Preferences *m_preferences;
    Language *m_language;
    ViewState m_state;
    PlaybackClock m_clock{&m_state};
    Document m_document;
    ResultController *m_results;
    DocumentController *m_files;
    WhatIfController *m_whatIf;
    ValidationController *m_validation;
    SearchController *m_search;
    LinkController *m_links;
    std::shared_ptr<const ReferenceTable> m_references;     ///< read after the first result

    TitleRow *m_title;
    MenuBar *m_menu;
    TransportBar *m_transport;
    KpiStrip *m_kpis;
    NoteBar *m_note;
    PulseStrip *m_pulse;
    ClusterView *m_cluster;
    TimelineView *m_timeline;
    Inspector *m_inspector;
    RunPanel *m_runPanel;
    SideRail *m_rail = nullptr;
    QSplitter *m_splitter;
    QWidget *m_playTop;                     ///< what stands above the Play page only
    QStackedWidget *m_pages;
    QDockWidget *m_inspectorDock;
    StatusLine *m_status;

    QMenu *m_recentMenu = nullptr;
    QList<QMenu *> m_playMenus;             ///< of no use on other pages
    QList<QAction *> m_playActions;
    std::array<QAction *, 2> m_pageActions{};
    Page m_page = Page::Play;
    bool m_resume = false;                  ///< it was playing when another page came to the front
    bool m_inspectorShown = true;           ///< while another page hides it
    enum class Presented : quint8 { Both, Cluster, Timeline };
    Presented m_presented = Presented::Both;
    bool m_presenting = false, m_panelBefore = true, m_inspectorBefore = true;
    QAction *m_presentation = nullptr, *m_nextView = nullptr, *m_allStages = nullptr;
    QList<QAction *> m_dockActions;         ///< of what a presentation hides
    std::vector<std::pair<QAction *, PerturbationKind>> m_whatIfToggles;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_play = nullptr, *m_loop = nullptr, *m_follow = nullptr;
    bool m_focusByMouse = false;    ///< the control that has the focus got it by a click
    bool m_spaceTap = false;        ///< Space went down on a canvas and nothing was dragged since
    bool m_placed = false;          ///< the divider was put once, from then on people move it
};

} // namespace clusterbeat
