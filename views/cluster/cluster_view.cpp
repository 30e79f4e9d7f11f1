// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/cluster_view.h"

#include "views/cluster/cluster_canvas.h"
#include "views/text/format.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QStringList>
#include <QToolButton>

namespace clusterbeat {

ClusterView::ClusterView(ViewState *state, QWidget *parent)
    : QWidget(parent), m_state(state), m_canvas(new ClusterCanvas(state, this)), m_header(new QWidget(this)),
      m_title(new QLabel(m_header)), m_counts(new QLabel(m_header))
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(m_canvas, 1);
    auto *row = new QHBoxLayout(m_header);
    row->setContentsMargins(12, 0, 8, 0);
    row->setSpacing(6);
    row->addWidget(m_title);
    row->addSpacing(4);
    row->addWidget(m_counts, 1);
    auto *group = new QButtonGroup(this);
    for (std::size_t i = 0; i < m_levels.size(); ++i) {
        auto *button = new QToolButton(m_header);
        button->setCheckable(true);
        button->setToolButtonStyle(Qt::ToolButtonTextOnly);
        group->addButton(button);
        row->addWidget(button);
        // Toggled, not clicked: assistive technology toggles a button without clicking it.
        connect(button, &QToolButton::toggled, this, [this, i](bool on) {
            if (on) m_canvas->setLevel(static_cast<HeatLevel>(i));
        });
        m_levels[i] = button;
    }
    m_fit = new QToolButton(m_header);      // after the levels: this is the order of Tab
    row->addWidget(m_fit);
    connect(m_fit, &QToolButton::clicked, this, &ClusterView::fit);
    connect(m_canvas, &ClusterCanvas::levelChanged, this, &ClusterView::showLevel);
    connect(m_canvas, &ClusterCanvas::slowGpuRequested, this, &ClusterView::slowGpuRequested);
    connect(state, &ViewState::themeChanged, this, &ClusterView::restyle);
    connect(state, &ViewState::compactChanged, this, &ClusterView::restyle);
    setFocusProxy(m_canvas);
    setMinimumHeight(150);
    restyle();
    retranslate();
    showLevel(m_canvas->level());
}

void ClusterView::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = result;
    m_canvas->setResult(std::move(result));
    retranslate();
}

void ClusterView::setLinks(const std::shared_ptr<const LinkReport> &links) { m_canvas->setLinks(links); }
HeatLevel ClusterView::level() const { return m_canvas->level(); }
void ClusterView::setLevel(HeatLevel level) { m_canvas->setLevel(level); }
void ClusterView::fit() { m_canvas->fit(); }
void ClusterView::fitSelection() { m_canvas->fitSelection(); }
void ClusterView::revealGpu(GpuIndex gpu) { m_canvas->revealGpu(gpu); }

void ClusterView::showLevel(HeatLevel level)
{
    QToolButton *button = m_levels[static_cast<std::size_t>(level)];
    const QSignalBlocker silent(button);
    button->setChecked(true);
}

void ClusterView::retranslate()
{
    m_title->setText(tr("Cluster"));
    m_levels[0]->setText(tr("Pods"));
    m_levels[1]->setText(tr("Racks"));
    m_levels[2]->setText(tr("Servers"));
    m_levels[3]->setText(tr("GPU"));
    m_levels[0]->setToolTip(tr("Shares of each pod"));
    m_levels[1]->setToolTip(tr("Every server of every rack"));
    m_levels[2]->setToolTip(tr("Servers with single GPUs"));
    m_levels[3]->setToolTip(tr("GPUs with number and texture"));
    for (QToolButton *button : m_levels)
        button->setAccessibleName(tr("Zoom to: %1").arg(button->text()));
    m_fit->setText(tr("Fit"));
    m_fit->setToolTip(tr("Show the whole cluster (Ctrl+0)"));
    m_fit->setAccessibleName(m_fit->toolTip());
    setAccessibleName(tr("Cluster"));
    QStringList counts;
    if (m_result && m_result->expansion) {
        const Expansion &expansion = *m_result->expansion;
        const auto count = [&](NodeKind kind) { return static_cast<int>(expansion.containersOfKind(kind).size()); };
        const QLocale locale;
        const auto add = [&](int n, const QString &one, const QString &many) {
            if (n > 0) counts << (n == 1 ? one : many.arg(locale.toString(n)));
        };
        add(count(NodeKind::Pod), tr("1 pod"), tr("%1 pods"));
        add(count(NodeKind::Rack), tr("1 rack"), tr("%1 racks"));
        add(count(NodeKind::Server), tr("1 server"), tr("%1 servers"));
        add(expansion.gpuCount, tr("1 GPU"), tr("%1 GPUs"));
    }
    m_counts->setText(counts.join(QStringLiteral(" · ")));
}

void ClusterView::restyle()
{
    const Theme &theme = m_state->theme();
    const bool compact = m_state->compact();
    m_header->setFixedHeight(qRound((compact ? 24 : 30) * theme.scale()));
    m_title->setFont(theme.font(Theme::Type::PanelTitle, compact));
    m_title->setStyleSheet(QStringLiteral("font-size: %1px; font-weight: 600;").arg(theme.font(Theme::Type::PanelTitle, compact).pixelSize()));
    m_counts->setProperty("role", QStringLiteral("secondary"));
    const int button = qRound((compact ? 20 : 22) * theme.scale());
    const auto inner = [button](int frame) { return QString::number(button - 2 * frame); };
    const QString sheet = QStringLiteral("QToolButton { min-height: %1px; max-height: %1px; padding: 0 8px; font-size: %2px; } "
                                         "QToolButton:focus { min-height: %3px; max-height: %3px; padding: 0 7px; }")
                              .arg(inner(1), QString::number(qRound(11 * theme.scale())), inner(2));
    m_header->setStyleSheet(sheet);
    update();
}

void ClusterView::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    painter.fillRect(rect(), theme.panel);
    painter.setPen(theme.line);
    painter.drawLine(0, m_header->height() - 1, width(), m_header->height() - 1);
}

void ClusterView::changeEvent(QEvent *event)
{
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace clusterbeat
