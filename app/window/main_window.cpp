// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"

#include "app/controllers/knob_controller.h"
#include "app/controllers/link_controller.h"
#include "app/controllers/navigation.h"
#include "app/controllers/search_controller.h"
#include "app/controllers/software_controller.h"
#include "app/window/icons.h"
#include "app/window/key_sheet.h"
#include "app/window/note_bar.h"
#include "app/window/side_rail.h"
#include "app/window/status_line.h"
#include "app/window/title_row.h"
#include "views/beat/kpi_strip.h"
#include "views/beat/pulse_strip.h"
#include "views/beat/transport_bar.h"
#include "views/cluster/cluster_view.h"
#include "views/inspector/inspector.h"
#include "views/inspector/run_panel.h"
#include "views/text/error_text.h"
#include "views/timeline/timeline_view.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

// The icons are in a static library: nothing refers to them by name, so they have to be asked for (outside of namespaces).
static void registerIcons() { Q_INIT_RESOURCE(clusterbeat); }

namespace clusterbeat {
namespace {

constexpr QSize kSmallest(1280, 720);
constexpr int kCompactBelow = 1600;
constexpr int kInspectorWidth = 324, kCompactInspectorWidth = 262;
constexpr double kClusterShare = 0.45;      // of the height that cluster and timeline share
constexpr int kStateVersion = 1;

QVBoxLayout *plainColumn(QWidget *widget)
{
    auto *column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    return column;
}

} // namespace

MainWindow::MainWindow(const Parts &parts, QWidget *parent)
    : QMainWindow(parent), m_preferences(parts.preferences), m_language(parts.language), m_document(parts.catalogue),
      m_results(new ResultController(&m_document, parts.simulator, this)),
      m_files(new DocumentController(&m_document, parts.preferences, this)),
      m_whatIf(new WhatIfController(&m_document, m_results, &m_state, this)),
      m_validation(new ValidationController(parts.catalogue, m_files, &m_state, this)),
      m_search(new SearchController(&m_document, &m_state, this)), m_links(new LinkController(parts.catalogue, &m_state, this)),
      m_title(new TitleRow(&m_state)), m_menu(m_title->menuBar()), m_transport(new TransportBar(&m_state)),
      m_kpis(new KpiStrip(&m_state)), m_note(new NoteBar(&m_state)), m_pulse(new PulseStrip(&m_state)),
      m_cluster(new ClusterView(&m_state)), m_timeline(new TimelineView(&m_state)),
      m_inspector(new Inspector(&m_state)), m_runPanel(new RunPanel(&m_state)), m_splitter(new QSplitter(Qt::Vertical)),
      m_playTop(new QWidget), m_pages(new QStackedWidget),
      m_inspectorDock(new QDockWidget(this)), m_status(new StatusLine(&m_state))
{
    registerIcons();
    setMinimumSize(kSmallest);
    setAcceptDrops(true);
    setWindowIcon(QIcon(QStringLiteral(":/icons/clusterbeat.svg")));
    m_state.setReduceMotion(m_preferences->reduceMotion);
    compose();
    buildFileMenu();
    buildEditMenu();
    buildViewMenu();
    buildPlayMenu();
    buildWhatIfMenu();
    buildHelpMenu();
    connectDocument();
    connectResults();
    connectPlayback();
    connectWhatIfs();
    setTheme(m_preferences->theme);
    retranslate();
    restore();
    qApp->installEventFilter(this);
}

MainWindow::~MainWindow() = default;

void MainWindow::compose()
{
    auto *top = new QWidget;
    auto *topColumn = plainColumn(top);
    auto *playColumn = plainColumn(m_playTop);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_transport, m_kpis, m_note}) playColumn->addWidget(widget);
    topColumn->addWidget(m_title);
    topColumn->addWidget(m_playTop);
    setMenuWidget(top);

    auto *centre = new QWidget;
    auto *row = new QHBoxLayout(centre);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto *middle = new QWidget;
    auto *column = plainColumn(middle);
    m_splitter->addWidget(m_cluster);
    m_splitter->addWidget(m_timeline);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(1);
    m_splitter->setStretchFactor(0, 9);
    m_splitter->setStretchFactor(1, 11);
    column->addWidget(m_pulse);
    column->addWidget(m_splitter, 1);
    m_rail = new SideRail(&m_state, m_runPanel, middle, centre);
    row->addWidget(m_rail);
    row->addWidget(middle, 1);
    m_pages->addWidget(centre);
    setCentralWidget(m_pages);

    m_splitter->setObjectName(QStringLiteral("clusterAndTimeline"));
    m_inspectorDock->setObjectName(QStringLiteral("inspector"));
    m_inspectorDock->setWidget(m_inspector);
    m_inspectorDock->setAllowedAreas(Qt::LeftDockWidgetArea | Qt::RightDockWidgetArea);
    // Not afloat: a double click on its title would put it over the views, where it looks like a broken layout.
    m_inspectorDock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable);
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    setStatusBar(m_status);
}

void MainWindow::connectDocument()
{
    connect(&m_document, &Document::titleChanged, this, &MainWindow::showTitle);
    connect(&m_document, &Document::changed, this, [this](bool, bool replaced) {
        showScenario();
        showWhatIfs();
        if (!replaced) return;
        m_state.setSelectedGpu(kNone);
        m_clock.toStart();
    });
    connect(m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::showTitle);
    connect(m_title->pages(), &PageSwitch::pageChosen, this, &MainWindow::showPage);
    connect(m_validation, &ValidationController::opened, this, [this] { showPage(Page::Play); });
    connect(m_files, &DocumentController::recentFilesChanged, this, &MainWindow::fillRecentMenu);
}

void MainWindow::connectResults()
{
    connect(m_results, &ResultController::resultChanged, this, &MainWindow::showResult);
    connect(m_results, &ResultController::baselineChanged, this, [this](const ResultController::ResultPointer &baseline) {
        m_transport->setBaseline(baseline);
        m_kpis->setBaseline(baseline);
        m_inspector->setBaseline(baseline);
    });
    connect(m_results, &ResultController::failed, this, [this](const Error &error) {
        m_kpis->setStale(true);
        // A change in the window has no place in a file.
        const QString reason = m_document.undoStack()->index() > 0 ? editErrorText(error) : errorText(error);
        m_note->say(NoteBar::Tone::Problem, tr("The last change cannot be simulated; the picture is of the one before. %1").arg(reason));
    });
    connect(m_results, &ResultController::cancelled, this, [this] {
        m_kpis->setStale(true);
        m_note->say(NoteBar::Tone::Problem, tr("The simulation was cancelled; the picture is of the change before."));
    });
    connect(m_links, &LinkController::reportChanged, m_cluster, &ClusterView::setLinks);
    connect(m_links, &LinkController::placeRequested, this, &MainWindow::showGpu);
    connect(m_results, &ResultController::busyChanged, m_status, &StatusLine::setBusy);
    connect(m_results, &ResultController::progressed, m_status, &StatusLine::setProgress);
    connect(m_status, &StatusLine::cancelRequested, m_results, &ResultController::cancel);
    connect(m_status, &StatusLine::keySheetRequested, this, &MainWindow::showKeySheet);
}

void MainWindow::connectPlayback()
{
    PlaybackClock *clock = &m_clock;
    connect(m_transport, &TransportBar::playToggled, clock, &PlaybackClock::setPlaying);
    connect(m_transport, &TransportBar::speedChanged, clock, &PlaybackClock::setSpeed);
    connect(m_transport, &TransportBar::loopToggled, clock, &PlaybackClock::setLoop);
    connect(m_transport, &TransportBar::stepRequested, this, [this](int direction) { step(direction); });
    connect(m_transport, &TransportBar::toStartRequested, clock, &PlaybackClock::toStart);
    connect(m_transport, &TransportBar::pinBaselineRequested, m_results, &ResultController::pinBaseline);
    connect(m_transport, &TransportBar::searchSubmitted, this, &MainWindow::search);
    connect(clock, &PlaybackClock::playingChanged, m_transport, &TransportBar::setPlaying);
    connect(clock, &PlaybackClock::speedChanged, m_transport, &TransportBar::setSpeed);
    connect(clock, &PlaybackClock::speedChanged, this, [this](double speed) { m_preferences->playbackSpeed = speed; });
    connect(clock, &PlaybackClock::loopChanged, m_loop, &QAction::setChecked);
    connect(clock, &PlaybackClock::loopChanged, m_transport, &TransportBar::setLooping);
    connect(m_transport, &TransportBar::followToggled, &m_state, &ViewState::setFollowing);
    connect(&m_state, &ViewState::followingChanged, m_transport, &TransportBar::setFollowing);
    connect(&m_state, &ViewState::followingChanged, m_follow, &QAction::setChecked);
    clock->setSpeed(m_preferences->playbackSpeed);
    m_transport->setSpeed(clock->speed());
    m_transport->setLooping(clock->loop());
    m_loop->setChecked(clock->loop());
}

void MainWindow::connectWhatIfs()
{
    connect(m_kpis, &KpiStrip::showGpuRequested, this, &MainWindow::showGpu);
    connect(m_kpis, &KpiStrip::findLayoutRequested, m_search, &SearchController::show);
    connect(m_cluster, &ClusterView::slowGpuRequested, m_whatIf, &WhatIfController::slowGpu);
    connect(m_inspector, &Inspector::slowGpuRequested, m_whatIf, &WhatIfController::dragGpuSpeed);
    connect(m_inspector, &Inspector::gpuLinksRequested, m_whatIf, &WhatIfController::setGpuLinks);
    connect(m_runPanel, &RunPanel::editRequested, m_whatIf, &WhatIfController::applyEdits);
    new SoftwareController(m_document.sharedCatalogue(), &m_document, m_results, m_runPanel->software(), this);
    new KnobController(&m_document, m_results, m_runPanel->knobs(), this);
    connect(m_whatIf, &WhatIfController::refused, m_status, &StatusLine::say);
}

void MainWindow::showResult(const ResultController::ResultPointer &result, double milliseconds)
{
    const GpuIndex selected = m_state.selectedGpu();
    m_state.setHoveredGpu(kNone);
    if (selected >= result->expansion->gpuCount) m_state.setSelectedGpu(kNone);
    m_state.setDuration(result->iteration());
    m_transport->setResult(result);
    m_transport->setSearchWords(searchExamples(*result));
    m_kpis->setStale(false);
    m_kpis->setResult(result);
    m_pulse->setResult(result);
    m_cluster->setResult(result);
    m_links->setResult(result);
    m_timeline->setResult(result);
    m_inspector->setResult(result);
    QMetaObject::invokeMethod(this, &MainWindow::showAccuracy, Qt::QueuedConnection);
    m_status->setResult(result, milliseconds);
    // The first look shows who sets the pace rather than an empty inspector.
    if (m_state.selectedGpu() == kNone) m_state.setSelectedGpu(result->slowest.gpu);

    QStringList notes;
    for (const Notice &notice : result->scenario->notices) notes.append(noticeText(notice));
    if (notes.isEmpty())
        m_note->clear();
    else
        m_note->say(NoteBar::Tone::Information, notes.join(QLatin1Char(' ')));
}

void MainWindow::showScenario()
{
    m_runPanel->setScenario(std::make_shared<const Scenario>(m_document.scenario()));
}

void MainWindow::showTitle()
{
    // The same run in two files: the file tells them apart.
    const QString name = m_document.displayName(), file = QFileInfo(m_document.path()).fileName();
    const QString shown = file.isEmpty() || file == name ? name : tr("%1 – %2", "name of the run, file").arg(name, file);
    m_title->setTitle(shown, m_document.isModified());
    setWindowTitle(tr("%1[*] – Clusterbeat").arg(shown));
    setWindowModified(m_document.isModified());
    const QUndoStack *stack = m_document.undoStack();
    m_undo->setEnabled(stack->canUndo());
    m_redo->setEnabled(stack->canRedo());
    m_undo->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText().replace(QLatin1Char('&'), QStringLiteral("&&"))) : tr("&Undo"));
    m_redo->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText().replace(QLatin1Char('&'), QStringLiteral("&&"))) : tr("&Redo"));
}

void MainWindow::setTheme(ThemeKind kind)
{
    const Theme theme(kind, m_state.compact());
    const bool sized = m_placed && theme.scale() != m_state.theme().scale();
    m_preferences->theme = kind;
    // Set again, the same sheet would lay out the pages' names anew, too narrow.
    if (const QString sheet = clusterbeat::styleSheet(theme); qApp->styleSheet() != sheet) {
        qApp->setPalette(paletteFor(theme));
        qApp->setStyleSheet(sheet);
    }
    m_state.setTheme(theme);
    if (sized) placeInspector();
}

void MainWindow::resetLayout()
{
    showPage(Page::Play);
    setPresentation(false);
    m_inspectorShown = true;
    m_inspectorDock->setFloating(false);
    m_inspectorDock->show();
    addDockWidget(Qt::RightDockWidgetArea, m_inspectorDock);
    m_rail->setPanelVisible(true);
    placeInspector();
    placeDivider();
}

void MainWindow::setLanguage(const QString &code)
{
    m_preferences->language = code;
    m_language->set(code);
}

void MainWindow::search(const QString &text)
{
    const auto result = m_results->result();
    if (!result || text.trimmed().isEmpty()) return;
    if (const auto gpu = findGpu(*result, text)) {
        showGpu(*gpu);
        return;
    }
    const QString sentence = tr("Nothing here is called “%1”. Try “slow GPU”, “stage 0”, “replica 1”, “GPU 7” or a rank's number.")
                                 .arg(text.trimmed());
    m_transport->saySearch(sentence);
    m_status->say(sentence);
}

void MainWindow::showGpu(GpuIndex gpu)
{
    m_state.setSelectedGpu(gpu);
    m_cluster->revealGpu(gpu);
}

void MainWindow::fitSelection()
{
    if (m_cluster->isAncestorOf(QApplication::focusWidget()))
        m_cluster->fitSelection();
    else
        m_timeline->fitSelection();
}

void MainWindow::step(int direction, bool microBatch)
{
    m_clock.setPlaying(false);
    m_timeline->stepEvent(direction, microBatch);
}

void MainWindow::showKeySheet()
{
    auto *sheet = new KeySheet(m_menu->keyHelp(), this);
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->open();
}

QWidget *MainWindow::clusterWidget() const { return m_cluster; }
QWidget *MainWindow::timelineWidget() const { return m_timeline; }
QWidget *MainWindow::pulseWidget() const { return m_pulse; }
QString MainWindow::note() const { return m_note->sentence(); }

void MainWindow::restore()
{
    if (!m_preferences->geometry.isEmpty()) restoreGeometry(m_preferences->geometry);
    if (!m_preferences->state.isEmpty()) restoreState(m_preferences->state, kStateVersion);
}

void MainWindow::resizeEvent(QResizeEvent *event)
{
    const bool compact = width() < kCompactBelow;
    const bool changed = compact != m_state.compact();
    m_state.setCompact(compact);
    QMainWindow::resizeEvent(event);
    if (changed) setTheme(m_preferences->theme);        // its scale is of the window
    if (changed && isVisible()) placeInspector();
}

void MainWindow::showEvent(QShowEvent *event)
{
    QMainWindow::showEvent(event);
    if (std::exchange(m_placed, true)) return;
    if (m_preferences->state.isEmpty()) placeInspector();
    layout()->activate();
    m_pages->widget(0)->layout()->activate();
    placeDivider();
    focusPlay();
}

void MainWindow::placeDivider()
{
    const int height = m_splitter->height(), cluster = qRound(height * kClusterShare);
    m_splitter->setSizes({cluster, height - cluster});
}

void MainWindow::placeInspector()
{
    const int width = m_state.compact() ? kCompactInspectorWidth : kInspectorWidth;
    resizeDocks({m_inspectorDock}, {qRound(width * m_state.theme().scale())}, Qt::Horizontal);
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayReplace()) {
        event->ignore();
        return;
    }
    showPage(Page::Play);                   // its docks are what is remembered
    setPresentation(false);
    m_preferences->geometry = saveGeometry();
    m_preferences->state = saveState(kStateVersion);
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && std::all_of(urls.begin(), urls.end(), [](const QUrl &url) { return url.isLocalFile(); })) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    QStringList files;
    for (const QUrl &url : urls)
        if (url.isLocalFile()) files.append(url.toLocalFile());
    if (files.isEmpty()) return;
    event->acceptProposedAction();
    m_files->openAll(files);
}

void MainWindow::noteFocus(Qt::FocusReason reason)
{
    // The end of a list's pop-up, of a menu or of another window gives back a focus that is older.
    if (reason == Qt::MouseFocusReason) m_focusByMouse = true;
    else if (reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason) m_focusByMouse = false;
}

// Space, Home and End are the window's, except where the focused control needs them for itself: a control that was clicked
// has had its turn, so Space plays after it and presses only what was reached by keyboard. On the two canvases Space held
// down pans; a tap without a drag still plays.
bool MainWindow::eventFilter(QObject *watched, QEvent *event)
{
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress) m_spaceTap = false;
    if (type == QEvent::KeyPress && leavesPresentation(qobject_cast<QWidget *>(watched), *static_cast<QKeyEvent *>(event))) {
        setPresentation(false);
        return true;
    }
    if (type == QEvent::FocusIn) noteFocus(static_cast<QFocusEvent *>(event)->reason());
    if (type != QEvent::ShortcutOverride && type != QEvent::KeyRelease) return false;
    auto *widget = qobject_cast<QWidget *>(watched);
    if (!widget || widget->window() != this) return false;
    const auto *key = static_cast<QKeyEvent *>(event);
    const bool space = key->key() == Qt::Key_Space, jump = key->key() == Qt::Key_Home || key->key() == Qt::Key_End;
    if (!space && !jump) return false;
    const bool clickable = qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) || qobject_cast<QAbstractSlider *>(widget);
    const bool control = clickable || qobject_cast<QAbstractItemView *>(widget);
    const bool canvas = !control && (m_cluster->isAncestorOf(widget) || widget == m_timeline);
    if (type == QEvent::KeyRelease) {
        if (canvas && space && !key->isAutoRepeat() && std::exchange(m_spaceTap, false)) m_clock.setPlaying(!m_clock.playing());
        return false;
    }
    const bool controlNeedsIt = control && !(space && clickable && m_focusByMouse);
    const bool canvasNeedsIt = canvas && (jump ? widget == m_timeline : widget->underMouse());
    if (!controlNeedsIt && !canvasNeedsIt) return false;
    if (canvas && space && !key->isAutoRepeat()) m_spaceTap = true;
    event->accept();
    return true;
}

void MainWindow::changeEvent(QEvent *event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

} // namespace clusterbeat
