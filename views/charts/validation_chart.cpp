// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/validation_chart.h"

#include "views/shared/painting.h"
#include "views/text/format.h"
#include "views/text/validation_text.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QKeyEvent>
#include <QLegend>
#include <QLineSeries>
#include <QLogValueAxis>
#include <QMouseEvent>
#include <QScatterSeries>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clusterbeat {
namespace {

constexpr double kTolerance = 0.10;
constexpr double kReach = 10.0;
constexpr double kMark = 8.0;
constexpr double kPlateWidth = 340.0;
constexpr double kLowest = 0.1, kHighest = 100.0;      ///< of an empty chart, seconds

std::size_t tierIndex(const std::string &tier) { return tier == "A" ? 0 : tier == "B" ? 1 : 2; }

/// `line` in pieces of at most `width` pixels, broken where the language breaks lines.
QStringList wrapped(const QString &line, const QFontMetrics &metrics, int width)
{
    QStringList pieces;
    QTextBoundaryFinder finder(QTextBoundaryFinder::Line, line);
    qsizetype begin = 0, fits = 0;
    for (qsizetype next = finder.toNextBoundary(); next > 0; next = finder.toNextBoundary()) {
        if (fits > begin && metrics.horizontalAdvance(line.mid(begin, next - begin).trimmed()) > width) {
            pieces << line.mid(begin, fits - begin).trimmed();
            begin = fits;
        }
        fits = next;
    }
    if (begin < line.size()) pieces << line.mid(begin).trimmed();
    return pieces;
}

bool hasMark(const ValidatedRow &row) { return row.timeError.has_value() && *row.measuredS > 0.0 && *row.predictedS > 0.0; }

} // namespace

ValidationChart::ValidationChart(ViewState *state, ValidationModel *model, ValidationFilter *filter, QWidget *parent)
    : QChartView(parent), m_state(state), m_model(model), m_filter(filter), m_x(new QLogValueAxis(this)),
      m_y(new QLogValueAxis(this)), m_diagonal(new QLineSeries(this)), m_upper(new QLineSeries(this)),
      m_lower(new QLineSeries(this)), m_band(new QAreaSeries(m_upper, m_lower))
{
    setObjectName(QStringLiteral("validationChart"));
    setRenderHint(QPainter::Antialiasing);
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setRubberBand(QChartView::NoRubberBand);
    setMinimumSize(260, 220);
    build();
    connect(filter, &QAbstractItemModel::modelReset, this, &ValidationChart::refreshLater);
    connect(filter, &QAbstractItemModel::rowsInserted, this, &ValidationChart::refreshLater);
    connect(filter, &QAbstractItemModel::rowsRemoved, this, &ValidationChart::refreshLater);
    connect(state, &ViewState::themeChanged, this, &ValidationChart::restyle);
    restyle();
    retranslate();
    refresh();
}

void ValidationChart::build()
{
    QChart *whole = chart();
    whole->setAnimationOptions(QChart::NoAnimation);
    whole->setBackgroundRoundness(0);
    whole->setMargins({4, 4, 12, 4});
    whole->layout()->setContentsMargins(0, 0, 0, 0);
    whole->addAxis(m_x, Qt::AlignBottom);
    whole->addAxis(m_y, Qt::AlignLeft);
    for (QLogValueAxis *axis : {m_x, m_y}) {
        axis->setBase(10.0);
        axis->setMinorTickCount(8);
        axis->setLabelFormat(QStringLiteral("%g"));
    }
    const auto add = [&](QAbstractSeries *series) {
        whole->addSeries(series);
        series->attachAxis(m_x);
        series->attachAxis(m_y);
    };
    add(m_band);
    add(m_diagonal);
    // The large tier first, so that the well documented rows lie on top.
    for (const std::size_t tier : {std::size_t{2}, std::size_t{1}, std::size_t{0}})
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            auto *marks = new QScatterSeries(this);
            marks->setMarkerShape(kind == 0 ? QScatterSeries::MarkerShapeCircle : QScatterSeries::MarkerShapeTriangle);
            m_marks[tier][kind] = marks;
            add(marks);
        }
    whole->legend()->hide();            // drawn where a plot of equals has its empty corner
}

void ValidationChart::restyle()
{
    const Theme &theme = m_state->theme();
    QChart *whole = chart();
    setBackgroundBrush(theme.panel);
    whole->setBackgroundBrush(theme.panel);
    whole->setPlotAreaBackgroundBrush(theme.sunken);
    whole->setPlotAreaBackgroundVisible(true);
    const QFont labels = theme.font(Theme::Type::Label), axis = theme.font(Theme::Type::Axis);
    for (QLogValueAxis *each : {m_x, m_y}) {
        each->setLabelsColor(theme.text2);
        each->setLabelsFont(axis);
        each->setTitleBrush(theme.text2);
        each->setTitleFont(labels);
        each->setLinePen(QPen(theme.border, 1));
        each->setGridLinePen(QPen(theme.line, 1));
        QColor faint = theme.line;
        faint.setAlphaF(0.45F);
        each->setMinorGridLinePen(QPen(faint, 1));
    }
    QColor band = theme.accent;
    band.setAlphaF(0.13F);
    m_band->setBrush(band);
    m_band->setPen(Qt::NoPen);
    m_diagonal->setPen(QPen(theme.text3, 1.2 * theme.scale()));
    const std::array<QColor, kTiers> fills{theme.accent, theme.text3, Qt::transparent};
    for (std::size_t tier = 0; tier < kTiers; ++tier)
        for (QScatterSeries *marks : m_marks[tier]) {
            marks->setMarkerSize((kMark + (marks->markerShape() == QScatterSeries::MarkerShapeTriangle ? 1.0 : 0.0)) * theme.scale());
            marks->setBrush(fills[tier]);
            marks->setPen(QPen(tier == 2 ? theme.text3 : theme.panel, tier == 2 ? 1.4 : 0.8));
        }
    viewport()->update();
}

void ValidationChart::retranslate()
{
    m_x->setTitleText(tr("Measured, s"));
    m_y->setTitleText(tr("Predicted, s"));
    setAccessibleName(tr("Predicted against measured time"));
    say();
    viewport()->update();
}

QString ValidationChart::markName(std::size_t tier, std::size_t kind) const
{
    const std::array<QString, kTiers> tiers{tr("Tier A"), tr("Tier B"), tr("Tier C")};
    return tr("%1, %2").arg(tiers[tier], kind == 0 ? tr("dense") : tr("experts"));
}

void ValidationChart::refreshLater()
{
    if (std::exchange(m_refreshWanted, true)) return;
    QMetaObject::invokeMethod(this, &ValidationChart::refresh, Qt::QueuedConnection);
}

void ValidationChart::refresh()
{
    m_refreshWanted = false;
    m_shown.clear();
    std::array<std::array<QList<QPointF>, kKinds>, kTiers> points;
    for (int i = 0; i < m_filter->rowCount(); ++i) {
        const int row = m_filter->mapToSource(m_filter->index(i, 0)).row();
        const ValidatedRow &each = m_model->rowAt(row);
        if (!hasMark(each)) continue;
        m_shown.push_back(row);
        points[tierIndex(each.tier)][each.moe ? 1 : 0].append(QPointF(*each.measuredS, *each.predictedS));
    }
    std::stable_sort(m_shown.begin(), m_shown.end(),
                     [this](int a, int b) { return *m_model->rowAt(a).measuredS < *m_model->rowAt(b).measuredS; });
    fitAxes();
    for (std::size_t tier = 0; tier < kTiers; ++tier)
        for (std::size_t kind = 0; kind < kKinds; ++kind) m_marks[tier][kind]->replace(points[tier][kind]);
    m_hovered = -1;
    say();
    viewport()->update();
}

// Of all rows, not of those shown: the axes stay while one filters.
void ValidationChart::fitAxes()
{
    double low = kHighest, high = kLowest;
    for (const ValidatedRow &row : m_model->rows()) {
        if (!hasMark(row)) continue;
        low = std::min({low, *row.measuredS, *row.predictedS});
        high = std::max({high, *row.measuredS, *row.predictedS});
    }
    if (low > high) {
        low = kLowest;
        high = kHighest;
    }
    low /= 1.3;
    high *= 1.3;
    m_x->setRange(low, high);
    m_y->setRange(low, high);
    m_diagonal->replace(QList<QPointF>{{low, low}, {high, high}});
    m_upper->replace(QList<QPointF>{{low, low * (1.0 + kTolerance)}, {high, high * (1.0 + kTolerance)}});
    m_lower->replace(QList<QPointF>{{low, low * (1.0 - kTolerance)}, {high, high * (1.0 - kTolerance)}});
}

QPointF ValidationChart::positionOf(int row) const
{
    const ValidatedRow &each = m_model->rowAt(row);
    return chart()->mapToPosition(QPointF(*each.measuredS, *each.predictedS), m_diagonal);
}

int ValidationChart::rowAt(QPointF point) const
{
    int nearest = -1;
    double best = kReach * m_state->theme().scale();
    for (const int row : m_shown) {
        const QPointF away = positionOf(row) - point;
        const double distance = std::hypot(away.x(), away.y());
        if (distance < best) {
            best = distance;
            nearest = row;
        }
    }
    return nearest;
}

void ValidationChart::setSelectedRow(int row)
{
    if (row == m_selected) return;
    m_selected = row;
    say();
    viewport()->update();
}

void ValidationChart::say()
{
    if (m_selected < 0 || m_selected >= m_model->rowCount()) {
        setAccessibleDescription(tr("Runs on show: %1; the arrow keys choose one").arg(integerText(static_cast<qint64>(m_shown.size()))));
        return;
    }
    const ValidatedRow &row = m_model->rowAt(m_selected);
    setAccessibleDescription(runText(row) + QStringLiteral(". ") + timesText(row));
}

void ValidationChart::choose(int row)
{
    if (row < 0) return;
    setSelectedRow(row);
    Q_EMIT rowSelected(row);
}

void ValidationChart::move(int step)
{
    if (m_shown.empty()) return;
    const auto at = std::find(m_shown.begin(), m_shown.end(), m_selected);
    const auto last = static_cast<std::ptrdiff_t>(m_shown.size()) - 1;
    const std::ptrdiff_t place = at == m_shown.end() ? (step > 0 ? 0 : last) : std::clamp<std::ptrdiff_t>(at - m_shown.begin() + step, 0, last);
    choose(m_shown[static_cast<std::size_t>(place)]);
}

void ValidationChart::mousePressEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) choose(rowAt(event->position()));
    event->accept();
}

void ValidationChart::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (const int row = rowAt(event->position()); row >= 0) Q_EMIT rowActivated(row);
}

void ValidationChart::mouseMoveEvent(QMouseEvent *event)
{
    const int row = rowAt(event->position());
    if (row == m_hovered) return;
    m_hovered = row;
    viewport()->setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void ValidationChart::leaveEvent(QEvent *event)
{
    m_hovered = -1;
    viewport()->update();
    QChartView::leaveEvent(event);
}

void ValidationChart::keyPressEvent(QKeyEvent *event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up: return move(1);
    case Qt::Key_Left:
    case Qt::Key_Down: return move(-1);
    case Qt::Key_PageUp: return move(10);
    case Qt::Key_PageDown: return move(-10);
    case Qt::Key_Home: return choose(m_shown.empty() ? -1 : m_shown.front());
    case Qt::Key_End: return choose(m_shown.empty() ? -1 : m_shown.back());
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_selected >= 0) Q_EMIT rowActivated(m_selected);
        return;
    default: QChartView::keyPressEvent(event);
    }
}

void ValidationChart::focusInEvent(QFocusEvent *event)
{
    QChartView::focusInEvent(event);
    viewport()->update();
}
void ValidationChart::focusOutEvent(QFocusEvent *event)
{
    QChartView::focusOutEvent(event);
    viewport()->update();
}

void ValidationChart::drawLegend(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const double scale = theme.scale(), step = 18.0 * scale;
    const QRectF plot = chart()->plotArea();
    painter.setFont(theme.font(Theme::Type::Label));
    QPointF at(plot.left() + 16.0 * scale, plot.top() + 16.0 * scale);
    const auto name = [&](const QString &text) {
        painter.setPen(theme.text2);
        painter.drawText(QRectF(at.x() + 14.0 * scale, at.y() - step / 2, plot.width() / 2, step), static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter), text);
        at.ry() += step;
    };
    for (std::size_t tier = 0; tier < kTiers; ++tier)
        for (std::size_t kind = 0; kind < kKinds; ++kind) {
            const QScatterSeries *marks = m_marks[tier][kind];
            if (marks->count() == 0) continue;
            painter.setPen(marks->pen());
            painter.setBrush(marks->brush());
            const double r = marks->markerSize() / 2.0;
            if (kind == 0)
                painter.drawEllipse(at, r, r);
            else
                painter.drawPolygon(QPolygonF{at + QPointF(0, -r), at + QPointF(r, r), at + QPointF(-r, r)});
            name(markName(tier, kind));
        }
    const QRectF swatch(at.x() - 8.0 * scale, at.y() - 5.0 * scale, 16.0 * scale, 10.0 * scale);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_band->brush());
    painter.drawRect(swatch);
    painter.setPen(m_diagonal->pen());
    painter.drawLine(swatch.bottomLeft(), swatch.topRight());
    name(tr("equal, ±10 %"));
}

void ValidationChart::drawHover(QPainter &painter) const
{
    if (m_hovered < 0 || m_hovered >= m_model->rowCount()) return;
    const Theme &theme = m_state->theme();
    const ValidatedRow &row = m_model->rowAt(m_hovered);
    QStringList lines{runText(row), timesText(row), QString::fromStdString(row.source)};
    if (!row.inRange()) lines << reasonsText(row.reasons);
    const QFontMetrics metrics(infoPlate(theme, {}, m_state->compact()).font);
    const int room = std::min(qRound(kPlateWidth * theme.scale()), viewport()->width() - 40);
    QStringList pieces;
    for (const QString &line : lines) pieces << wrapped(line, metrics, room);
    const Plate plate = infoPlate(theme, pieces, m_state->compact());
    drawPlate(painter, plateBesidePoint(plateSize(plate), positionOf(m_hovered), QRectF(viewport()->rect())), plate);
}

void ValidationChart::drawForeground(QPainter *painter, const QRectF &rect)
{
    QChartView::drawForeground(painter, rect);
    painter->save();
    painter->resetTransform();
    painter->setRenderHint(QPainter::Antialiasing);
    const Theme &theme = m_state->theme();
    const auto ring = [&](int row, double radius, double width) {
        QPainterPath path;
        path.addEllipse(positionOf(row), radius * theme.scale(), radius * theme.scale());
        drawCased(*painter, path, theme.selection, theme.selectionCasing, width);
    };
    drawLegend(*painter);
    const bool selectedShown = std::find(m_shown.begin(), m_shown.end(), m_selected) != m_shown.end();
    if (selectedShown) ring(m_selected, 8.0, 2.0);
    if (m_hovered >= 0 && m_hovered != m_selected) ring(m_hovered, 7.0, 1.0);
    drawHover(*painter);
    if (hasFocus()) {
        painter->setPen(QPen(theme.accent, 2));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(QRectF(viewport()->rect()).adjusted(1, 1, -1, -1));
    }
    painter->restore();
}

} // namespace clusterbeat
