// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/kpi_strip.h"

#include "views/beat/kpi_model.h"
#include "views/beat/kpi_tile.h"
#include "views/text/validation_text.h"

#include <QEvent>
#include <QPainter>

namespace clusterbeat {
namespace {
constexpr int kVerdictMinimum = 300;
/// Too narrow for a cause in two lines: figures go, the estimate of goodput first, then the cost, which the verdict has too.
constexpr int kVerdictTwoLines = 340;
constexpr std::array<std::size_t, 2> kFirstToGo{5, 3};
} // namespace

KpiStrip::KpiStrip(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state), m_verdict(nullptr)
{
    setAttribute(Qt::WA_OpaquePaintEvent);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    for (KpiTile *&tile : m_tiles) tile = new KpiTile(state, this);
    m_verdict = new VerdictTile(state, this);
    connect(m_verdict, &VerdictTile::activated, this, &KpiStrip::showGpuRequested);
    connect(m_verdict, &VerdictTile::findLayoutRequested, this, &KpiStrip::findLayoutRequested);
    connect(state, &ViewState::themeChanged, this, &KpiStrip::refresh);
    connect(state, &ViewState::compactChanged, this, &KpiStrip::refresh);
    refresh();
}

void KpiStrip::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = std::move(result);
    refresh();
}

void KpiStrip::setBaseline(std::shared_ptr<const IterationResult> baseline)
{
    m_baseline = std::move(baseline);
    refresh();
}

void KpiStrip::setAccuracy(std::shared_ptr<const ReferenceTable> references, const ErrorBand &band)
{
    m_references = std::move(references);
    m_band = band;
    refresh();
}

void KpiStrip::setStale(bool stale)
{
    if (stale == m_stale) return;
    m_stale = stale;
    for (KpiTile *tile : m_tiles) tile->setStale(stale);
    m_verdict->setStale(stale);
}

void KpiStrip::setFirstOnly(bool firstOnly)
{
    m_firstOnly = firstOnly;
    relayout();
}

QSize KpiStrip::sizeHint() const { return {1000, static_cast<int>((m_state->compact() ? 46 : 58) * m_state->theme().scale())}; }

void KpiStrip::refresh()
{
    setAccessibleName(tr("Headline figures"));
    setFixedHeight(sizeHint().height());
    if (m_result) {
        // A baseline that is this very result has no change to show.
        auto figures = kpiFigures(*m_result, m_baseline.get());
        if (m_references) {
            figures[0].suffix = bandText(m_band);
            figures[0].formula += QStringLiteral("\n\n") + bandDescription(m_band, *m_references, toSeconds(m_result->unperturbedIteration));
        }
        for (std::size_t i = 0; i < m_tiles.size(); ++i) m_tiles[i]->setFigure(figures[i]);
        m_verdict->setVerdict(verdictOf(*m_result, m_baseline.get()));
    } else {
        m_verdict->setVerdict({});
    }
    relayout();
    update();
}

// Tiles take what they need; when the verdict gets too narrow, "no change" goes first, then whole tiles.
void KpiStrip::relayout()
{
    std::array<bool, kFigures> shown;
    shown.fill(m_result != nullptr && !m_firstOnly);
    shown[0] = m_result != nullptr;
    const auto room = [&](bool withoutZero) {
        int left = width();
        for (std::size_t i = 0; i < m_tiles.size(); ++i) left -= shown[i] ? m_tiles[i]->contentWidth(withoutZero) : 0;
        return left;
    };
    const bool dropZero = m_state->compact() || room(false) < kVerdictMinimum;
    for (const std::size_t tile : kFirstToGo)
        if (room(dropZero) < static_cast<int>(kVerdictTwoLines * m_state->theme().scale())) shown[tile] = false;
    int x = 0;
    for (std::size_t i = 0; i < m_tiles.size(); ++i) {
        const int each = shown[i] ? m_tiles[i]->contentWidth(dropZero) : 0;
        m_tiles[i]->setZeroDeltaShown(!dropZero);
        m_tiles[i]->setGeometry(x, 0, each, height() - 1);
        m_tiles[i]->setVisible(shown[i]);
        x += each;
    }
    m_verdict->setGeometry(x, 0, std::max(0, width() - x), height() - 1);
}

void KpiStrip::resizeEvent(QResizeEvent *) { relayout(); }

void KpiStrip::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), m_state->theme().panel);
    painter.setPen(m_state->theme().line);
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

void KpiStrip::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) refresh();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
