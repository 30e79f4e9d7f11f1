// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/transport_bar.h"

#include "views/beat/clock_label.h"
#include "views/beat/scrub_slider.h"
#include "views/shared/combo_accessible.h"
#include "views/shared/icons.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStringListModel>
#include <QToolButton>
#include <QToolTip>

#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kDefaultSpeed = 4;

QString speedText(double speed)
{
    const QString times(QChar(0x00d7));
    return speed < 1.0 ? times + QStringLiteral(" 1/") + integerText(std::llround(1.0 / speed)) : times + QLatin1Char(' ') + integerText(std::llround(speed));
}

} // namespace

const std::vector<double> &TransportBar::speeds()
{
    static const std::vector<double> list{1.0 / 1000, 1.0 / 300, 1.0 / 100, 1.0 / 30, 1.0 / 10, 1.0 / 3, 1.0, 3.0, 10.0};
    return list;
}

TransportBar::TransportBar(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    installComboAccessibility();
    build();
    connect(state, &ViewState::themeChanged, this, &TransportBar::restyle);
    connect(state, &ViewState::compactChanged, this, &TransportBar::restyle);
    retranslate();
    restyle();
}

void TransportBar::build()
{
    m_layout = new QHBoxLayout(this);
    const auto button = [this](bool checkable) {
        auto *tool = new QToolButton(this);
        tool->setAutoRaise(true);
        tool->setCheckable(checkable);
        tool->setFocusPolicy(Qt::TabFocus);
        m_layout->addWidget(tool);
        return tool;
    };
    m_toStart = button(false);
    m_stepBack = button(false);
    m_play = button(false);
    m_play->setProperty("primary", true);
    m_step = button(false);
    m_loop = button(true);
    m_follow = button(true);
    m_follow->setChecked(m_state->following());
    m_layout->addSpacing(10);
    m_speedLabel = new QLabel(this);
    m_speedLabel->setProperty("role", QStringLiteral("secondary"));
    m_layout->addWidget(m_speedLabel);
    m_speed = new QComboBox(this);
    for (const double each : speeds()) m_speed->addItem(speedText(each), each);
    m_speed->setCurrentIndex(kDefaultSpeed);
    m_speedLabel->setBuddy(m_speed);
    m_layout->addWidget(m_speed);
    m_slower = button(false);
    m_slower->setText(QStringLiteral("["));
    m_faster = button(false);
    m_faster->setText(QStringLiteral("]"));
    for (QToolButton *key : {m_slower, m_faster}) {
        key->setAutoRaise(false);
        key->setProperty("keycap", true);
    }
    m_layout->addSpacing(8);
    m_clock = new ClockLabel(m_state, this);
    m_layout->addWidget(m_clock);
    m_scrub = new ScrubSlider(m_state, this);
    m_scrub->setMinimumWidth(160);
    m_scrub->setMaximumWidth(460);
    m_layout->addWidget(m_scrub, 3);
    m_layout->addStretch(1);
    m_searchButton = button(false);
    m_search = new QLineEdit(this);
    m_search->setClearButtonEnabled(true);
    m_search->installEventFilter(this);
    m_searchWords = new QStringListModel(this);
    auto *completer = new QCompleter(m_searchWords, this);
    completer->setCaseSensitivity(Qt::CaseInsensitive);
    completer->setFilterMode(Qt::MatchContains);
    m_search->setCompleter(completer);
    m_layout->addWidget(m_search);
    m_pin = new QPushButton(this);
    m_layout->addWidget(m_pin);

    connect(m_toStart, &QToolButton::clicked, this, &TransportBar::toStartRequested);
    connect(m_stepBack, &QToolButton::clicked, this, [this] { Q_EMIT stepRequested(-1); });
    connect(m_step, &QToolButton::clicked, this, [this] { Q_EMIT stepRequested(1); });
    connect(m_play, &QToolButton::clicked, this, [this] { Q_EMIT playToggled(!m_playing); });
    connect(m_loop, &QToolButton::toggled, this, [this](bool on) { Q_EMIT loopToggled(on); });
    connect(m_follow, &QToolButton::toggled, this, &TransportBar::followToggled);
    connect(m_speed, &QComboBox::currentIndexChanged, this, [this](int index) {
        if (index >= 0) Q_EMIT speedChanged(m_speed->itemData(index).toDouble());
    });
    connect(m_slower, &QToolButton::clicked, this, [this] { chooseSpeed(m_speed->currentIndex() - 1); });
    connect(m_faster, &QToolButton::clicked, this, [this] { chooseSpeed(m_speed->currentIndex() + 1); });
    connect(m_searchButton, &QToolButton::clicked, this, &TransportBar::focusSearch);
    connect(m_search, &QLineEdit::returnPressed, this, [this] {
        const QString text = m_search->text().trimmed();
        if (text.isEmpty()) return;
        // The keys are the window's again.
        m_search->setModified(false);
        m_search->clearFocus();
        Q_EMIT searchSubmitted(text);
    });
    connect(m_pin, &QPushButton::clicked, this, &TransportBar::pinBaselineRequested);
}

void TransportBar::retranslate()
{
    const auto name = [](QWidget *widget, const QString &accessible, const QString &tip) {
        widget->setAccessibleName(accessible);
        widget->setToolTip(tip);
    };
    name(m_toStart, tr("To the start"), tr("To the start of the iteration (Home)"));
    name(m_stepBack, tr("Previous event"), tr("To the previous event (,)"));
    name(m_step, tr("Next event"), tr("To the next event (.)"));
    name(m_play, m_playing ? tr("Pause") : tr("Play"), m_playing ? tr("Pause (Space)") : tr("Play (Space)"));
    name(m_loop, tr("Loop"), tr("Start again at the end (L)"));
    name(m_follow, tr("Follow"), tr("Keep the playhead in sight; zooming ends it (Shift+F)"));
    name(m_speed, tr("Playback speed"), tr("Playback speed against real time"));
    name(m_slower, tr("Slower"), tr("Slower ([)"));
    name(m_faster, tr("Faster"), tr("Faster (])"));
    name(m_scrub, tr("Playhead"), tr("Playhead. Ticks: first backward, last forward, last backward"));
    name(m_search, tr("Search"), tr("Go to a GPU path, a rank, a stage or a replica (/)"));
    name(m_searchButton, tr("Search"), tr("Go to a GPU path, a rank, a stage or a replica (/)"));
    m_clock->setAccessibleName(tr("Clock"));
    m_speedLabel->setText(tr("Speed"));
    m_search->setPlaceholderText(tr("Go to GPU, rank, stage   /"));
    for (int i = 0; i < m_speed->count(); ++i) m_speed->setItemText(i, speedText(m_speed->itemData(i).toDouble()));
    showBaseline();
}

void TransportBar::restyle()
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    setFixedHeight(static_cast<int>((compact ? 36 : 40) * theme.scale()));
    m_layout->setContentsMargins(8, 0, 10, 0);
    m_layout->setSpacing(compact ? 3 : 5);
    const QColor onAccent = Theme::textOn(theme.accent);
    m_toStart->setIcon(glyphIcon(Glyph::ToStart, theme.text2, theme.accent));
    m_stepBack->setIcon(glyphIcon(Glyph::StepBack, theme.text2, theme.accent));
    m_play->setIcon(glyphIcon(m_playing ? Glyph::Pause : Glyph::Play, onAccent, onAccent));
    m_step->setIcon(glyphIcon(Glyph::StepForward, theme.text2, theme.accent));
    m_loop->setIcon(glyphIcon(Glyph::Loop, theme.text2, theme.accent));
    m_follow->setIcon(glyphIcon(Glyph::Follow, theme.text2, theme.accent));
    m_searchButton->setIcon(glyphIcon(Glyph::Search, theme.text2, theme.accent));
    m_pin->setIcon(glyphIcon(Glyph::Pin, theme.text2, theme.accent));
    m_searchButton->setVisible(compact);
    m_search->setVisible(!compact || m_search->hasFocus());
    m_search->setFixedWidth(static_cast<int>((compact ? 170 : 240) * theme.scale()));
    m_speedLabel->setVisible(!compact);
    showBaseline();
    update();
}

void TransportBar::showBaseline()
{
    const QString seconds = m_baseline ? durationText(m_baseline->iteration()) : QString();
    if (!m_baseline) m_pin->setText(tr("Pin baseline"));
    else if (m_state->compact()) m_pin->setText(fillText(tr("Baseline %1"), {seconds}));
    else m_pin->setText(fillText(tr("Baseline: %1"), {seconds}));
    m_pin->setAccessibleName(tr("Pin this run as the baseline"));
    m_pin->setToolTip(tr("Compare everything with the run as it is now"));
}

void TransportBar::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = std::move(result);
    m_scrub->setTicks(m_result ? phaseTicks(*m_result) : std::vector<TimeNs>{});
}

void TransportBar::setBaseline(std::shared_ptr<const IterationResult> baseline)
{
    m_baseline = std::move(baseline);
    showBaseline();
}

void TransportBar::setPlaying(bool playing)
{
    if (playing == m_playing) return;
    m_playing = playing;
    const QColor onAccent = Theme::textOn(m_state->theme().accent);
    m_play->setIcon(glyphIcon(m_playing ? Glyph::Pause : Glyph::Play, onAccent, onAccent));
    m_play->setAccessibleName(m_playing ? tr("Pause") : tr("Play"));
    m_play->setToolTip(m_playing ? tr("Pause (Space)") : tr("Play (Space)"));
}

void TransportBar::setSpeed(double speed)
{
    int nearest = 0;
    for (int i = 1; i < m_speed->count(); ++i)
        if (std::abs(std::log(speeds()[static_cast<std::size_t>(i)] / speed)) < std::abs(std::log(speeds()[static_cast<std::size_t>(nearest)] / speed))) nearest = i;
    const QSignalBlocker quiet(m_speed);
    m_speed->setCurrentIndex(nearest);
}

void TransportBar::setLooping(bool looping)
{
    const QSignalBlocker quiet(m_loop);
    m_loop->setChecked(looping);
}

void TransportBar::setFollowing(bool following)
{
    const QSignalBlocker quiet(m_follow);
    m_follow->setChecked(following);
}

void TransportBar::chooseSpeed(int index)
{
    if (index >= 0 && index < m_speed->count()) m_speed->setCurrentIndex(index);
}

void TransportBar::focusSearch()
{
    m_search->setVisible(true);
    m_search->setFocus(Qt::ShortcutFocusReason);
    m_search->selectAll();
}

void TransportBar::setSearchWords(const QStringList &words) { m_searchWords->setStringList(words); }

void TransportBar::saySearch(const QString &sentence)
{
    QWidget *field = m_search->isVisible() ? static_cast<QWidget *>(m_search) : m_searchButton;
    QToolTip::showText(field->mapToGlobal(QPoint(0, field->height())), sentence, field);
}

bool TransportBar::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_search) return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut && m_state->compact()) m_search->hide();
    if (event->type() == QEvent::ShortcutOverride && !m_search->isModified()) {
        const auto *key = static_cast<QKeyEvent *>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    if (event->type() == QEvent::KeyPress && static_cast<QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        m_search->clear();
        m_scrub->setFocus();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

void TransportBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state->theme().window);
    painter.setPen(m_state->theme().line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

void TransportBar::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
