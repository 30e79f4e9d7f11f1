// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/why_chain.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kDot = 9;
constexpr int kIndent = 20;
constexpr std::size_t kRows = 4, kRowsCompact = 3;

/// Details on one line. The last one, how long it takes or costs, is what people look for: the others give way.
QString detailText(const QStringList &details, const QFontMetrics &metrics, int room)
{
    const QString whole = details.join(QStringLiteral(" · "));
    if (details.size() < 2 || metrics.horizontalAdvance(whole) <= room) return metrics.elidedText(whole, Qt::ElideRight, room);
    const QString end = QStringLiteral(" · ") + details.last();
    const int left = room - metrics.horizontalAdvance(end);
    const QString begin = details.mid(0, details.size() - 1).join(QStringLiteral(" · "));
    return left > metrics.averageCharWidth() * 6 ? metrics.elidedText(begin, Qt::ElideRight, left) + end
                                                 : metrics.elidedText(details.last(), Qt::ElideRight, room);
}

} // namespace

Category categoryOfStep(const WhyStep &step, const IterationResult &result)
{
    switch (step.kind) {
    case WhyKind::IterationEnd: return Category::Optimizer;
    case WhyKind::Barrier:
    case WhyKind::GradientReduce:
    case WhyKind::ParameterGather: return Category::ExposedDp;
    case WhyKind::Pipeline: return Category::Bubble;
    case WhyKind::GroupPeer:
    case WhyKind::ExpertPeer:
    case WhyKind::SlowGpu:
    case WhyKind::SlowLink:
    case WhyKind::Jitter:
    case WhyKind::Documents:
    case WhyKind::WarmUp: return Category::StragglerWait;
    case WhyKind::HostPause: return Category::Host;
    case WhyKind::DataLoading: return Category::DataWait;
    case WhyKind::Checkpoint: return Category::CheckpointStall;
    case WhyKind::Computing:
        if (step.operation == kNone) return Category::Optimizer;
        break;
    case WhyKind::MostWork: break;
    }
    const auto &orders = result.run.plan.schedule.order;
    const auto stage = static_cast<std::size_t>(step.stage), operation = static_cast<std::size_t>(step.operation);
    if (step.operation < 0 || step.stage < 0 || stage >= orders.size() || operation >= orders[stage].size()) return Category::Backward;
    switch (orders[stage][operation].kind) {
    case OperationKind::Forward: return Category::Forward;
    case OperationKind::WeightGradient: return Category::WeightGradient;
    case OperationKind::Backward:
    case OperationKind::InputGradient: break;
    }
    return Category::Backward;
}

std::vector<std::size_t> keptSteps(std::size_t count, std::size_t limit)
{
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < count; ++i)
        if (count <= limit || i == 0 || i + limit > count) kept.push_back(i);
    return kept;
}

WhyChain::WhyChain(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void WhyChain::setSteps(const std::vector<WhyStep> &steps, std::shared_ptr<const IterationResult> result, std::optional<Category> collective)
{
    m_rows.clear();
    if (result)
        for (const std::size_t i : keptSteps(steps.size(), rowLimit()))
            m_rows.push_back({steps[i], whyText(steps[i], *result), categoryOfStep(steps[i], *result)});
    if (collective && !m_rows.empty() && m_rows.front().step.kind == WhyKind::Computing) {
        m_rows.front().text = collectiveText(m_rows.front().step, *collective, *result);
        m_rows.front().category = *collective;
    }
    m_current = std::clamp(m_current, 0, std::max(0, static_cast<int>(m_rows.size()) - 1));
    QStringList spoken;
    for (const Row &row : m_rows) spoken << row.text.title + QStringLiteral(": ") + row.text.details.join(QStringLiteral(", "));
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    update();
}

void WhyChain::restart()
{
    m_current = 0;
    updateGeometry();
}

std::size_t WhyChain::rowLimit() const { return m_state->compact() ? kRowsCompact : kRows; }

int WhyChain::rowHeight() const
{
    const Theme &theme = m_state->theme();
    return QFontMetrics(theme.font(Theme::Type::Control)).height() + QFontMetrics(theme.font(Theme::Type::Label)).height() + (m_state->compact() ? 3 : 6);
}

QSize WhyChain::sizeHint() const { return {240, static_cast<int>(rowLimit()) * rowHeight()}; }

int WhyChain::rowAt(int y) const
{
    const int row = y / std::max(1, rowHeight());
    return y >= 0 && row < static_cast<int>(m_rows.size()) ? row : -1;
}

void WhyChain::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const int h = rowHeight();
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const QRect rect(0, static_cast<int>(i) * h, width(), h);
        if (static_cast<int>(i) == m_hovered) painter.fillRect(rect.adjusted(kIndent - 4, 0, 0, -2), m_state->theme().dark() ? m_state->theme().raised : m_state->theme().sunken);
        paintRow(painter, m_rows[i], rect, i == 0, i + 1 == m_rows.size(), hasFocus() && static_cast<int>(i) == m_current);
    }
}

void WhyChain::paintRow(QPainter &painter, const Row &row, const QRect &rect, bool first, bool last, bool current) const
{
    const Theme &theme = m_state->theme();
    QFont titleFont = theme.font(Theme::Type::Control);
    const QFont detailFont = theme.font(Theme::Type::Label);
    if (last) titleFont.setWeight(QFont::DemiBold);
    const QFontMetrics title(titleFont), detail(detailFont);
    const QPointF dot(6.5, rect.top() + title.height() / 2.0);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    if (!first) painter.drawLine(QPointF(dot.x(), rect.top()), dot - QPointF(0, kDot / 2.0 + 2));
    if (!last) painter.drawLine(dot + QPointF(0, kDot / 2.0 + 2), QPointF(dot.x(), rect.bottom() + 1));
    painter.setBrush(theme.category(row.category));
    painter.setPen(QPen(theme.needsEdge(row.category) ? theme.text3 : theme.category(row.category), 1));
    painter.drawEllipse(dot, kDot / 2.0, kDot / 2.0);
    if (last) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.category(row.category), 1.3));
        painter.drawEllipse(dot, kDot / 2.0 + 2, kDot / 2.0 + 2);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    const int room = rect.width() - kIndent;
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(kIndent, rect.top() + title.ascent(), title.elidedText(row.text.title, Qt::ElideRight, room));
    painter.setFont(detailFont);
    painter.setPen(theme.text2);
    painter.drawText(kIndent, rect.top() + title.height() - 1 + detail.ascent(),
                     detailText(row.text.details, detail, room));
    if (!current) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(rect.adjusted(kIndent - 5, 1, -1, -3));
}

void WhyChain::mousePressEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if (event->button() != Qt::LeftButton || row < 0) return;
    m_current = row;
    const WhyStep step = m_rows[static_cast<std::size_t>(row)].step;
    Q_EMIT stepActivated(step);
}

void WhyChain::mouseMoveEvent(QMouseEvent *event)
{
    const int row = rowAt(event->pos().y());
    if (row == m_hovered) return;
    m_hovered = row;
    setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    update();
}

void WhyChain::leaveEvent(QEvent *)
{
    m_hovered = -1;
    update();
}

void WhyChain::keyPressEvent(QKeyEvent *event)
{
    const int last = static_cast<int>(m_rows.size()) - 1;
    if (last < 0) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Up: m_current = std::max(0, m_current - 1); break;
    case Qt::Key_Down: m_current = std::min(last, m_current + 1); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: {
        const WhyStep step = m_rows[static_cast<std::size_t>(m_current)].step;
        Q_EMIT stepActivated(step);
        break;
    }
    default: QWidget::keyPressEvent(event); return;
    }
    update();
}

bool WhyChain::event(QEvent *event)
{
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
    if (event->type() == QEvent::ToolTip) {
        auto *help = static_cast<QHelpEvent *>(event);
        const int row = rowAt(help->pos().y());
        if (row >= 0) {
            const WhyText &text = m_rows[static_cast<std::size_t>(row)].text;
            QToolTip::showText(help->globalPos(), text.title + QLatin1Char('\n') + text.details.join(QLatin1Char('\n')), this);
        }
        return true;
    }
    return QWidget::event(event);
}

} // namespace clusterbeat
