// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/scrub_slider.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kMargin = 7;
// Slider positions are int: thousandths of the iteration are enough for keys, the mouse sets exact times.
constexpr int kPositions = 1000;

} // namespace

std::vector<TimeNs> phaseTicks(const IterationResult &result)
{
    const IterationPlan &plan = result.run.plan;
    const Trace &trace = result.run.trace;
    TimeNs firstBackward = trace.iteration, lastForward = 0, lastBackward = 0;
    for (std::int32_t stage = 0; stage < trace.stages; ++stage) {
        const auto &order = plan.schedule.order[static_cast<std::size_t>(stage)];
        const auto count = static_cast<std::int32_t>(order.size());
        for (std::int32_t k = 0; k < count; ++k) {
            const ScheduledOperation &operation = order[static_cast<std::size_t>(k)];
            for (std::int32_t cls = 0; cls < trace.classes; ++cls) {
                const TimeNs end = trace.finishOf(stage, k, cls);
                if (operation.kind == OperationKind::Forward) {
                    lastForward = std::max(lastForward, end);
                } else {
                    firstBackward = std::min(firstBackward, end - plan.shapeOf(stage, operation).total());
                    lastBackward = std::max(lastBackward, end);
                }
            }
        }
    }
    std::vector<TimeNs> ticks{firstBackward, lastForward, lastBackward};
    std::sort(ticks.begin(), ticks.end());
    ticks.erase(std::remove_if(ticks.begin(), ticks.end(), [&](TimeNs t) { return t <= 0 || t >= trace.iteration; }), ticks.end());
    ticks.erase(std::unique(ticks.begin(), ticks.end()), ticks.end());
    return ticks;
}

ScrubSlider::ScrubSlider(ViewState *state, QWidget *parent) : QSlider(Qt::Horizontal, parent), m_state(state)
{
    setRange(0, kPositions);
    setPageStep(kPositions / 20);
    setFocusPolicy(Qt::StrongFocus);
    connect(state, &ViewState::playheadChanged, this, &ScrubSlider::follow);
    connect(state, &ViewState::durationChanged, this, &ScrubSlider::follow);
    connect(state, &ViewState::themeChanged, this, [this] { update(); });
    connect(this, &QSlider::valueChanged, this, [this](int value) {
        if (!m_following) m_state->setPlayhead(m_state->duration() / kPositions * value);
    });
}

void ScrubSlider::setTicks(std::vector<TimeNs> ticks)
{
    m_ticks = std::move(ticks);
    update();
}

void ScrubSlider::follow()
{
    const TimeNs duration = std::max<TimeNs>(1, m_state->duration());
    m_following = true;
    setValue(static_cast<int>(static_cast<double>(m_state->playhead()) / static_cast<double>(duration) * kPositions + 0.5));
    m_following = false;
    update();
}

int ScrubSlider::xOf(TimeNs t) const
{
    const TimeNs duration = std::max<TimeNs>(1, m_state->duration());
    return kMargin + static_cast<int>(std::lround(static_cast<double>(t) / static_cast<double>(duration) * (width() - 2 * kMargin)));
}

void ScrubSlider::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_state->theme();
    const int middle = height() / 2, x = xOf(m_state->playhead());
    painter.fillRect(QRect(kMargin, middle - 1, width() - 2 * kMargin, 3), theme.border);
    painter.fillRect(QRect(kMargin, middle - 1, x - kMargin, 3), theme.accent);
    for (const TimeNs tick : m_ticks) painter.fillRect(QRect(xOf(tick), middle - 5, 1, 11), theme.text3);
    painter.fillRect(QRect(width() - kMargin, middle - 5, 1, 11), theme.text3);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hasFocus() ? theme.text : theme.accent, 2));
    painter.setBrush(hasFocus() || isSliderDown() ? theme.accent : theme.panel);
    painter.drawEllipse(QPointF(x + 0.5, middle + 0.5), 5.5, 5.5);
}

void ScrubSlider::seek(double x)
{
    const double share = std::clamp((x - kMargin) / std::max(1, width() - 2 * kMargin), 0.0, 1.0);
    m_state->setPlayhead(static_cast<TimeNs>(share * static_cast<double>(m_state->duration()) + 0.5));
}

void ScrubSlider::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return event->ignore();
    setSliderDown(true);
    seek(event->position().x());
}

void ScrubSlider::mouseMoveEvent(QMouseEvent *event)
{
    if (isSliderDown()) seek(event->position().x());
}

void ScrubSlider::mouseReleaseEvent(QMouseEvent *)
{
    setSliderDown(false);
    update();
}

} // namespace clusterbeat
