// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/breakdown_table.h"

#include "views/beat/breakdown.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace clusterbeat {

namespace {

constexpr double kQuantum = 0.001;
constexpr double kUnchanged = 1e-7;

// What did not change is printed alike on both sides; the rest of the total before is shared by what changed. So the
// change column adds up without a thousandth of noise in rows where nothing happened.
std::vector<std::int64_t> unitsBefore(const std::array<double, kCategoryCount> &nowS, const std::array<double, kCategoryCount> &beforeS,
                                      const std::vector<std::int64_t> &now)
{
    std::vector<std::int64_t> before = now;
    std::vector<double> changed;
    std::vector<std::size_t> places;
    double total = 0.0;
    std::int64_t same = 0;
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        total += beforeS[i];
        if (std::abs(nowS[i] - beforeS[i]) <= kUnchanged) {
            same += now[i];
            continue;
        }
        changed.push_back(beforeS[i]);
        places.push_back(i);
    }
    if (places.empty()) return before;
    const std::vector<std::int64_t> units = largestRemainder(changed, kQuantum);
    auto missing = static_cast<std::int64_t>(std::floor(total / kQuantum + 0.5)) - same;
    for (std::size_t k = 0; k < places.size(); ++k) {
        before[places[k]] = units[k];
        missing -= units[k];
    }
    // The rounding of the unchanged rows goes to the largest changed one, where it is least seen.
    const auto largest = std::max_element(changed.begin(), changed.end()) - changed.begin();
    std::int64_t &widest = before[places[static_cast<std::size_t>(largest)]];
    widest = std::max<std::int64_t>(0, widest + missing);
    return before;
}

} // namespace

std::vector<BreakdownRow> breakdownRows(const std::array<double, kCategoryCount> &nowS, const std::optional<std::array<double, kCategoryCount>> &beforeS)
{
    const std::vector<std::int64_t> now = largestRemainder(nowS, kQuantum);
    const std::vector<std::int64_t> before = beforeS ? unitsBefore(nowS, *beforeS, now) : now;
    std::vector<BreakdownRow> rows;
    BreakdownRow sum;
    for (const Category category : kStackOrder) {
        const std::size_t i = categoryIndex(category);
        if (now[i] == 0 && before[i] == 0) continue;
        rows.push_back({static_cast<std::int32_t>(i), now[i], now[i] - before[i]});
        sum.milliseconds += now[i];
        sum.change += now[i] - before[i];
    }
    rows.push_back(sum);
    return rows;
}

BreakdownTable::BreakdownTable(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void BreakdownTable::setBreakdown(const std::array<double, kCategoryCount> &nowS, const std::optional<std::array<double, kCategoryCount>> &beforeS)
{
    std::vector<BreakdownRow> rows = breakdownRows(nowS, beforeS);
    const bool taller = rows.size() != m_rows.size();
    m_rows = std::move(rows);
    m_compared = beforeS.has_value();
    retranslate();
    if (taller) updateGeometry();
    update();
}

void BreakdownTable::retranslate()
{
    setAccessibleName(tr("Breakdown"));
    QStringList spoken;
    for (const BreakdownRow &row : m_rows)
        spoken << (row.category < 0 ? tr("Sum") : categoryName(static_cast<Category>(row.category))) + QLatin1Char(' ') +
                      secondsText(static_cast<double>(row.milliseconds) / 1000.0, QLocale(), Sign::Natural, 3);
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    update();
}

int BreakdownTable::rowHeight() const { return static_cast<int>((m_state->compact() ? 18 : 22) * m_state->theme().scale()); }
int BreakdownTable::barHeight() const { return static_cast<int>((m_state->compact() ? 14 : 16) * m_state->theme().scale()); }
QSize BreakdownTable::sizeHint() const { return {260, barHeight() + 6 + static_cast<int>(m_rows.size()) * rowHeight()}; }

void BreakdownTable::paintBar(QPainter &painter) const
{
    const Theme &theme = m_state->theme();
    const auto total = static_cast<double>(std::max<std::int64_t>(1, m_rows.empty() ? 1 : m_rows.back().milliseconds));
    double x = 0.0;
    for (const BreakdownRow &row : m_rows) {
        if (row.category < 0 || row.milliseconds <= 0) continue;
        const double w = static_cast<double>(row.milliseconds) / total * width();
        painter.fillRect(QRectF(x, 0, w, barHeight()), theme.brush(static_cast<Category>(row.category), w < 3.0, devicePixelRatioF()));
        x += w;
        painter.fillRect(QRectF(x - 0.5, 0, 1, barHeight()), theme.panel);
    }
}

void BreakdownTable::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    paintBar(painter);
    const QFont font = theme.font(Theme::Type::Control), deltaFont = theme.font(Theme::Type::LabelStrong);
    QFont strong = font;
    strong.setWeight(QFont::DemiBold);
    const int h = rowHeight(), swatch = static_cast<int>(12 * theme.scale());
    const int deltaWidth = m_compared ? QFontMetrics(deltaFont).horizontalAdvance(QStringLiteral("+88.888")) + 4 : 0;
    int y = barHeight() + 6;
    for (const BreakdownRow &row : m_rows) {
        const QRect rect(0, y, width(), h);
        y += h;
        const bool sum = row.category < 0;
        if (sum) {
            painter.fillRect(QRect(0, rect.top(), width(), 1), theme.border);
        } else {
            const QRect box(0, rect.center().y() - swatch / 2, swatch, swatch);
            const auto category = static_cast<Category>(row.category);
            painter.fillRect(box, theme.brush(category, false, devicePixelRatioF()));
            if (theme.needsEdge(category)) {
                painter.setPen(theme.border);
                painter.drawRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5));
            }
        }
        painter.setFont(sum ? strong : font);
        painter.setPen(theme.text);
        const int figures = QFontMetrics(strong).horizontalAdvance(QStringLiteral("888.888"));
        const QRect name = rect.adjusted(sum ? 0 : swatch + 8, 0, -deltaWidth - figures, 0);
        painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(sum ? tr("Sum") : categoryName(static_cast<Category>(row.category)), Qt::ElideRight, name.width()));
        painter.drawText(rect.adjusted(0, 0, -deltaWidth, 0), Qt::AlignVCenter | Qt::AlignRight, fixedText(static_cast<double>(row.milliseconds) / 1000.0, 3));
        if (!m_compared) continue;
        // More time in a category is worse, whatever the category: the columns add up to the iteration.
        painter.setFont(row.change == 0 ? theme.font(Theme::Type::Label) : deltaFont);
        painter.setPen(row.change == 0 ? theme.text3 : row.change > 0 ? theme.worse : theme.accent);
        painter.drawText(rect, Qt::AlignVCenter | Qt::AlignRight,
                         row.change == 0 ? integerText(0) : fixedText(static_cast<double>(row.change) / 1000.0, 3, QLocale(), Sign::Always));
    }
}

bool BreakdownTable::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int row = (help->pos().y() - barHeight() - 6) / std::max(1, rowHeight());
        if (help->pos().y() > barHeight() && row >= 0 && row < static_cast<int>(m_rows.size()) && m_rows[static_cast<std::size_t>(row)].category >= 0)
            QToolTip::showText(help->globalPos(), categoryDescription(static_cast<Category>(m_rows[static_cast<std::size_t>(row)].category)), this);
        return true;
    }
    return QWidget::event(event);
}

MemoryBar::MemoryBar(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void MemoryBar::setMemory(const MemoryParts &memory, Bytes capacity)
{
    m_parts = memory;
    m_capacity = capacity;
    retranslate();
}

void MemoryBar::retranslate()
{
    setAccessibleName(tr("Memory"));
    QStringList spoken;
    for (const Part &part : parts()) spoken << part.name + QLatin1Char(' ') + bytesText(static_cast<double>(part.bytes));
    setAccessibleDescription(spoken.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

std::array<MemoryBar::Part, 5> MemoryBar::parts() const
{
    return {{{tr("Parameters"), m_parts.parameters}, {tr("Gradients"), m_parts.gradients}, {tr("Optimizer"), m_parts.optimizer},
             {tr("Activations"), m_parts.activations}, {tr("Buffers"), m_parts.buffers}}};
}

QColor memoryShade(const Theme &theme, std::size_t part)
{
    const QColor from = theme.text3, to = theme.line;
    const double t = static_cast<double>(part) / 5.0;
    const auto mix = [t](int a, int b) { return static_cast<int>(a + (b - a) * t + 0.5); };
    return {mix(from.red(), to.red()), mix(from.green(), to.green()), mix(from.blue(), to.blue())};
}

int MemoryBar::rowHeight() const { return static_cast<int>((m_state->compact() ? 18 : 22) * m_state->theme().scale()); }

QSize MemoryBar::sizeHint() const { return {260, 12 + 4 + rowHeight() * (m_state->compact() ? 1 : 6)}; }

void MemoryBar::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const bool over = m_parts.total() > m_capacity;
    const auto scale = static_cast<double>(std::max<Bytes>(1, std::max(m_capacity, m_parts.total())));
    painter.fillRect(QRect(0, 0, width(), 12), theme.sunken);
    double x = 0.0;
    const auto list = parts();
    for (std::size_t i = 0; i < list.size(); ++i) {
        const double w = static_cast<double>(list[i].bytes) / scale * width();
        painter.fillRect(QRectF(x, 0, w, 12), memoryShade(theme, i));
        x += w;
    }
    painter.setPen(over ? theme.worse : theme.border);
    painter.drawRect(QRectF(0.5, 0.5, width() - 1, 11));
    if (over) painter.fillRect(QRectF(static_cast<double>(m_capacity) / scale * width() - 1, 0, 2, 12), theme.worse);
    const QFont font = theme.font(Theme::Type::Control);
    QFont strong = font;
    strong.setWeight(QFont::DemiBold);
    int y = 16;
    const int h = rowHeight();
    painter.setFont(strong);
    painter.setPen(over ? theme.worse : theme.text);
    const QString whole = fillText(over ? tr("%1 of %2: does not fit") : tr("%1 of %2"),
                              {bytesText(static_cast<double>(m_parts.total())), bytesText(static_cast<double>(m_capacity))});
    painter.drawText(QRect(0, y, width(), h), Qt::AlignVCenter | Qt::AlignLeft, QFontMetrics(strong).elidedText(whole, Qt::ElideRight, width()));
    if (m_state->compact()) return;
    painter.setFont(font);
    for (std::size_t i = 0; i < list.size(); ++i) {
        y += h;
        painter.fillRect(QRect(0, y + h / 2 - 6, 12, 12), memoryShade(theme, i));
        painter.setPen(theme.text2);
        const QString bytes = bytesText(static_cast<double>(list[i].bytes));
        const int room = width() - 20 - painter.fontMetrics().horizontalAdvance(bytes) - 6;
        painter.drawText(QRect(20, y, room, h), Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(list[i].name, Qt::ElideRight, room));
        painter.setPen(theme.text);
        painter.drawText(QRect(0, y, width(), h), Qt::AlignVCenter | Qt::AlignRight, bytes);
    }
}

} // namespace clusterbeat
