// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/status_line.h"

#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QEvent>
#include <QLabel>
#include <QLocale>
#include <QProgressBar>
#include <QPushButton>

#include <chrono>

namespace clusterbeat {
namespace {

constexpr std::chrono::milliseconds kProgressAfter{300};
constexpr int kMessageMs = 8000;
constexpr int kMargin = 8;

} // namespace

StatusLine::StatusLine(ViewState *state, QWidget *parent)
    : QStatusBar(parent), m_state(state), m_size(new QLabel(this)), m_range(new QLabel(this)),
      m_selection(new QLabel(this)), m_progress(new QProgressBar(this)), m_cancel(new QPushButton(this)),
      m_keys(new QPushButton(this))
{
    setSizeGripEnabled(false);
    setContentsMargins(kMargin, 0, kMargin, 0);
    m_progress->setRange(0, 1000);
    m_progress->setFixedWidth(160);
    m_progress->setTextVisible(false);
    for (QPushButton *button : {m_cancel, m_keys}) {
        button->setProperty("compact", true);
        button->setProperty("flat", true);
    }
    addWidget(m_size);
    for (QWidget *widget : std::initializer_list<QWidget *>{m_progress, m_cancel, m_range, m_selection, m_keys})
        addPermanentWidget(widget);
    m_patience.setSingleShot(true);
    m_patience.setInterval(kProgressAfter);
    connect(&m_patience, &QTimer::timeout, this, [this] { m_progress->show(); m_cancel->show(); });
    connect(m_cancel, &QPushButton::clicked, this, &StatusLine::cancelRequested);
    connect(m_keys, &QPushButton::clicked, this, &StatusLine::keySheetRequested);
    connect(state, &ViewState::visibleChanged, this, &StatusLine::showRange);
    connect(state, &ViewState::selectedGpuChanged, this, &StatusLine::showSelection);
    setBusy(false);
    retranslate();
}

void StatusLine::setResult(std::shared_ptr<const IterationResult> result, double milliseconds)
{
    m_result = std::move(result);
    m_milliseconds = milliseconds;
    retranslate();
}

void StatusLine::setBusy(bool busy)
{
    m_progress->setValue(0);
    if (busy) {
        m_patience.start();
        return;
    }
    m_patience.stop();
    m_progress->hide();
    m_cancel->hide();
}

void StatusLine::setProgress(int permille) { m_progress->setValue(permille); }
void StatusLine::say(const QString &sentence) { showMessage(sentence, kMessageMs); }

void StatusLine::showSight(bool shown)
{
    m_range->setVisible(shown);
    m_selection->setVisible(shown);
}

void StatusLine::retranslate()
{
    m_cancel->setText(tr("Cancel"));
    m_keys->setText(tr("? keys"));
    m_keys->setAccessibleName(tr("Show all keys"));
    m_progress->setAccessibleName(tr("Simulation progress"));
    if (m_result) {
        const QString operations = integerText(m_result->metrics.operations), gpus = integerText(m_result->metrics.gpus);
        m_size->setText(m_milliseconds > 0.0
                            ? tr("Simulated %1 operations on %2 GPUs in %3")
                                  .arg(operations, gpus, durationText(toNs(m_milliseconds / 1000.0)))
                            : tr("Simulated %1 operations on %2 GPUs").arg(operations, gpus));
    }
    showRange();
    showSelection();
}

void StatusLine::showRange()
{
    const TimeRange range = m_state->visible();
    m_range->setText(m_result ? tr("Visible %1 to %2").arg(secondsText(toSeconds(range.begin)), secondsText(toSeconds(range.end)))
                              : QString());
}

void StatusLine::showSelection()
{
    clearMessage();                 // "select a GPU first" has had its answer
    const GpuIndex gpu = m_state->selectedGpu();
    const bool known = m_result && gpu >= 0 && gpu < m_result->expansion->gpuCount;
    m_selection->setText(known ? tr("Selected: %1").arg(memberPathText(QString::fromStdString(m_result->expansion->pathOf(gpu))))
                               : tr("Nothing selected"));
}

void StatusLine::changeEvent(QEvent *event)
{
    QStatusBar::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

} // namespace clusterbeat
