// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/pareto_chart.h"

#include <QChart>
#include <QEvent>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>
#include <QScatterSeries>
#include <QValueAxis>

#include <algorithm>
#include <limits>

namespace clusterbeat {
namespace {

QPointF pointOf(const FoundLayout &found) { return {toSeconds(found.detail.iteration), static_cast<double>(found.detail.memory.total()) / kBytesPerGb}; }

} // namespace

ParetoChart::ParetoChart(ViewState *state, QWidget *parent)
    : QChartView(parent), m_state(state), m_x(new QValueAxis(this)), m_y(new QValueAxis(this)), m_front(new QLineSeries(this)),
      m_capacity(new QLineSeries(this)), m_fitting(new QScatterSeries(this)), m_tooLarge(new QScatterSeries(this)), m_current(new QScatterSeries(this))
{
    setRenderHint(QPainter::Antialiasing);
    setMinimumSize(420, 260);
    chart()->setAnimationOptions(QChart::NoAnimation);
    chart()->setBackgroundRoundness(0);
    chart()->setMargins({4, 4, 12, 4});
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->addAxis(m_x, Qt::AlignBottom);
    chart()->addAxis(m_y, Qt::AlignLeft);
    m_tooLarge->setMarkerShape(QScatterSeries::MarkerShapeTriangle);
    for (QXYSeries *series : std::initializer_list<QXYSeries *>{m_capacity, m_front, m_tooLarge, m_fitting, m_current}) {
        chart()->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    }
    chart()->legend()->setAlignment(Qt::AlignTop);
    // The ring needs no name.
    for (QLegendMarker *marker : chart()->legend()->markers(m_current)) marker->setVisible(false);
    for (QScatterSeries *series : {m_fitting, m_tooLarge}) connect(series, &QXYSeries::clicked, this, &ParetoChart::choose);
    connect(state, &ViewState::themeChanged, this, &ParetoChart::restyle);
    restyle();
    retranslate();
    fill();
}

void ParetoChart::setResult(std::shared_ptr<const SearchResult> result)
{
    m_result = std::move(result);
    fill();
}

void ParetoChart::setCurrent(const FoundLayout *found)
{
    m_current->clear();
    if (found) m_current->append(pointOf(*found));
}

void ParetoChart::fill()
{
    for (QXYSeries *series : std::initializer_list<QXYSeries *>{m_capacity, m_front, m_tooLarge, m_fitting, m_current}) series->clear();
    if (!m_result) return;
    double least = std::numeric_limits<double>::max(), most = 0.0, highest = 0.0, capacity = 0.0;
    const auto add = [&](QXYSeries *series, const std::vector<FoundLayout> &list) {
        for (const FoundLayout &found : list) {
            const QPointF point = pointOf(found);
            series->append(point);
            least = std::min(least, point.x());
            most = std::max(most, point.x());
            highest = std::max(highest, point.y());
            capacity = static_cast<double>(found.detail.capacity) / kBytesPerGb;
        }
    };
    add(m_fitting, m_result->ranked);
    add(m_fitting, m_result->pareto);
    add(m_front, m_result->pareto);
    add(m_tooLarge, m_result->tooLarge);
    if (most <= 0.0) return;
    const double margin = std::max(0.02 * most, 0.08 * (most - least));
    m_x->setRange(std::max(0.0, least - margin), most + margin);
    m_y->setRange(0.0, 1.08 * std::max(highest, capacity));
    m_capacity->append(m_x->min(), capacity);
    m_capacity->append(m_x->max(), capacity);
}

void ParetoChart::choose(const QPointF &point)
{
    if (!m_result) return;
    for (const auto *list : {&m_result->ranked, &m_result->pareto, &m_result->tooLarge})
        for (const FoundLayout &found : *list)
            if (pointOf(found) == point) {
                Q_EMIT chosen(found.choice);
                return;
            }
}

void ParetoChart::restyle()
{
    const Theme &theme = m_state->theme();
    setBackgroundBrush(theme.panel);
    chart()->setBackgroundBrush(theme.panel);
    chart()->setPlotAreaBackgroundBrush(theme.sunken);
    chart()->setPlotAreaBackgroundVisible(true);
    chart()->legend()->setLabelColor(theme.text2);
    chart()->legend()->setFont(theme.font(Theme::Type::Label));
    for (QValueAxis *axis : {m_x, m_y}) {
        axis->setLabelsColor(theme.text2);
        axis->setLabelsFont(theme.font(Theme::Type::Axis));
        axis->setTitleBrush(theme.text2);
        axis->setTitleFont(theme.font(Theme::Type::Label));
        axis->setLinePen(QPen(theme.border, 1));
        axis->setGridLinePen(QPen(theme.line, 1));
    }
    m_front->setPen(QPen(theme.accent, 1.5));
    m_capacity->setPen(QPen(theme.worse, 1, Qt::DashLine));
    const qreal size = 9.0 * theme.scale();
    const auto mark = [&](QScatterSeries *series, const QColor &fill, const QColor &edge, qreal factor) {
        series->setColor(fill);
        series->setBorderColor(edge);
        series->setMarkerSize(size * factor);
    };
    mark(m_fitting, theme.accent, theme.panel, 1.0);
    mark(m_tooLarge, theme.worse, theme.panel, 1.0);
    mark(m_current, Qt::transparent, theme.text, 1.8);
}

void ParetoChart::retranslate()
{
    m_x->setTitleText(tr("Iteration, s"));
    m_y->setTitleText(tr("Memory of the fullest GPU, GB"));
    m_fitting->setName(tr("Fits"));
    m_tooLarge->setName(tr("Does not fit"));
    m_front->setName(tr("Front"));
    m_capacity->setName(tr("Capacity"));
    m_current->setName(tr("Chosen"));
    setAccessibleName(tr("Layouts by iteration time and memory"));
}

void ParetoChart::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::LocaleChange) retranslate();
    QChartView::changeEvent(event);
}

} // namespace clusterbeat
