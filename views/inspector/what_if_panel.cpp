// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/what_if_panel.h"

#include "model/base/index.h"
#include "views/inspector/gpu_link_state.h"
#include "views/inspector/panel_parts.h"
#include "views/shared/combo_accessible.h"
#include "views/shared/elided_label.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kSlowest = 30;
constexpr std::array<int, 4> kPresets{50, 70, 90, 100};
constexpr std::array<double, 4> kCapacities{1.0, 0.5, 0.1, 0.0};
constexpr int kComboWidth = 100;
/// Of the item for what is not one figure; taking it changes nothing.
constexpr double kOther = -1.0;

void addRow(QVBoxLayout *layout, QLabel *left, QWidget *right)
{
    auto *line = new QHBoxLayout;
    line->addWidget(left, 1);
    line->addWidget(right);
    layout->addLayout(line);
}

} // namespace

WhatIfPanel::WhatIfPanel(ViewState *state, QWidget *parent) : QWidget(parent), m_state(state)
{
    installComboAccessibility();
    build();
}

void WhatIfPanel::build()
{
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(separator(this));
    m_title = roleLabel<ElidedLabel>(this, "title");
    m_target = roleLabel<ElidedLabel>(this, "secondary");
    addRow(column, m_title, m_target);
    m_speedLabel = new ElidedLabel(this);
    m_speedValue = new QLabel(this);
    m_speedValue->setProperty("role", QStringLiteral("strong"));
    addRow(column, m_speedLabel, m_speedValue);
    m_speed = new QSlider(Qt::Horizontal, this);
    m_speed->setRange(kSlowest, 100);
    m_speed->setPageStep(5);
    m_speed->setValue(100);
    m_speedLabel->setBuddy(m_speed);
    leaveWheelToPanel(m_speed);
    column->addWidget(m_speed);
    auto *presets = new QHBoxLayout;
    presets->setSpacing(4);
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        m_presets[i] = new QPushButton(this);
        m_presets[i]->setProperty("compact", true);
        m_presets[i]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        m_presets[i]->setMinimumWidth(1);
        presets->addWidget(m_presets[i], kPresets[i] == 100 ? 27 : 20);
        connect(m_presets[i], &QPushButton::clicked, this, [this, i] { requestSpeed(kPresets[i], false); });
    }
    column->addLayout(presets);
    buildLinks();
    m_effect = new QLabel(this);
    m_effect->setProperty("role", QStringLiteral("secondary"));
    m_effect->setWordWrap(true);
    column->addWidget(m_effect);
    connect(m_speed, &QSlider::valueChanged, this, [this](int value) {
        m_speedValue->setText(percentText(value / 100.0, QLocale(), 0));
        requestSpeed(value, m_speed->isSliderDown());
    });
    connect(m_speed, &QSlider::sliderReleased, this, [this] { requestSpeed(m_speed->value(), false); });
}

void WhatIfPanel::buildLinks()
{
    auto *column = qobject_cast<QVBoxLayout *>(layout());
    column->addSpacing(2);
    for (Links &links : m_links) {
        links.label = new ElidedLabel(this);
        links.state = new QComboBox(this);
        leaveWheelToPanel(links.state);
        links.state->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        links.state->setMinimumContentsLength(4);
        links.label->setBuddy(links.state);
        addRow(column, links.label, links.state);
        connect(links.state, &QComboBox::activated, this, [this, &links] { requestLinks(links); });
    }
}

void WhatIfPanel::retranslate()
{
    m_title->setText(tr("What if?"));
    m_speedLabel->setText(tr("GPU speed"));
    m_speed->setAccessibleName(tr("Speed of the GPU in percent"));
    for (std::size_t i = 0; i < m_presets.size(); ++i) {
        const QString percent = percentText(kPresets[i] / 100.0, QLocale(), 0);
        m_presets[i]->setText(kPresets[i] == 100 ? tr("Nominal") : percent);
        m_presets[i]->setAccessibleName(kPresets[i] == 100 ? tr("Nominal speed") : fillText(tr("Speed %1"), {percent}));
    }
    for (const Links &links : m_links) {
        const bool scaleUp = links.domain == LinkDomain::NvLink;
        links.label->setText(scaleUp ? tr("NVLink") : tr("NIC"));
        links.state->setAccessibleName(scaleUp ? tr("NVLink of the GPU") : tr("NIC of the GPU"));
    }
    refresh();
}

void WhatIfPanel::setSubject(std::shared_ptr<const IterationResult> result, GpuIndex gpu)
{
    m_result = std::move(result);
    m_gpu = m_result && m_result->placement && m_result->expansion ? gpu : kNone;
    setVisible(m_gpu != kNone);
    refresh();
}

bool WhatIfPanel::isRootCause() const
{
    const Slowest::Reason reason = m_result->slowest.reason;
    return m_gpu == m_result->slowest.gpu && (reason == Slowest::Reason::SlowGpu || reason == Slowest::Reason::SlowLink);
}

void WhatIfPanel::refresh()
{
    if (m_gpu == kNone) return;
    m_target->setText(fillText(isRootCause() ? tr("root cause: %1") : tr("%1"), {gpuTitle(m_gpu, *m_result->expansion)}));
    m_target->setToolTip(memberPathText(QString::fromStdString(m_result->expansion->pathOf(m_gpu))));
    refreshSpeed();
    for (const Links &links : m_links) refreshLinks(links);
    refreshEffect();
}

void WhatIfPanel::refreshSpeed()
{
    if (m_speed->isSliderDown()) return;
    const RankIndex rank = m_result->placement->rankOfGpu[at(m_gpu)];
    double speed = 1.0;
    if (rank != kNone && !m_result->run.plan.slowness.empty()) {
        const RankCoordinates &position = m_result->placement->coordinates[at(rank)];
        speed = 1.0 / m_result->run.plan.slowness[m_result->run.plan.position(position.pipeline, position.data, position.member)];
    }
    const QSignalBlocker quiet(m_speed);
    m_speed->setValue(static_cast<int>(std::lround(speed * 100.0)));
    m_speedValue->setText(percentText(speed, QLocale(), 0));
}

void WhatIfPanel::refreshLinks(const Links &links)
{
    const GpuLinkState state = gpuLinkState(*m_result, m_gpu, links.domain);
    links.label->setVisible(state.exist);
    links.state->setVisible(state.exist);
    if (!state.exist || links.state->view()->isVisible()) return;
    const auto nameOf = [](double capacity) {
        return capacity >= 1.0 ? tr("Nominal") : capacity <= 0.0 ? tr("Dead") : percentText(capacity, QLocale(), 0);
    };
    const QSignalBlocker quiet(links.state);
    links.state->clear();
    const auto preset = std::find(kCapacities.begin(), kCapacities.end(), state.capacity);
    if (state.other && state.capacity > 0.0) links.state->addItem(tr("Other"), kOther);
    else if (preset == kCapacities.end()) links.state->addItem(nameOf(state.capacity), kOther);
    for (const double capacity : kCapacities) links.state->addItem(nameOf(capacity), capacity);
    const bool own = links.state->itemData(0).toDouble() != kOther;
    links.state->setCurrentIndex(own ? static_cast<int>(preset - kCapacities.begin()) : 0);
    links.state->setFixedWidth(static_cast<int>(kComboWidth * m_state->theme().scale()));
    links.state->setToolTip(state.shared || state.other ? tr("Set by a perturbation in the list of what is active on this run") : QString());
}

void WhatIfPanel::refreshEffect()
{
    const TimeNs extra = m_result->iteration() - m_result->unperturbedIteration;
    const QString now = durationText(m_result->iteration());
    if (!m_result->run.perturbed()) m_effect->setText(fillText(tr("Iteration %1, nothing is slow"), {now}));
    else if (extra < m_result->iteration() / 2000) m_effect->setText(fillText(tr("Iteration %1: hidden by waits that were there anyway"), {now}));
    else m_effect->setText(fillText(tr("Iteration %1, %2 against the run without faults"), {now, secondsText(toSeconds(extra), QLocale(), Sign::Always)}));
}

void WhatIfPanel::requestSpeed(int percent, bool dragging)
{
    if (m_gpu == kNone) return;
    const QSignalBlocker quiet(m_speed);
    m_speed->setValue(percent);
    m_speedValue->setText(percentText(percent / 100.0, QLocale(), 0));
    Q_EMIT slowGpuRequested(QString::fromStdString(m_result->expansion->pathOf(m_gpu)), percent / 100.0, dragging);
}

void WhatIfPanel::requestLinks(const Links &links)
{
    const double capacity = links.state->currentData().toDouble();
    if (m_gpu == kNone || capacity == kOther) return;
    Q_EMIT gpuLinksRequested(QString::fromStdString(m_result->expansion->pathOf(m_gpu)), links.domain, capacity);
}

} // namespace clusterbeat
