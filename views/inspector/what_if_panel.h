// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <array>
#include <memory>

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace clusterbeat {

/// What can be tried on one GPU: its speed, its NVLink and its NIC; and what that does to the iteration.
class WhatIfPanel final : public QWidget {
    Q_OBJECT
public:
    explicit WhatIfPanel(ViewState *state, QWidget *parent = nullptr);
    /// kNone hides it. The GPU that slows the run is named as its root cause.
    void setSubject(std::shared_ptr<const IterationResult> result, GpuIndex gpu);
    void retranslate();

Q_SIGNALS:
    /// speed 0.3 … 1; `dragging` while the slider is held: one undo step, shown live.
    void slowGpuRequested(const QString &memberPath, double speed, bool dragging);
    /// A share of the nominal capacity: 1 restores, 0 cuts.
    void gpuLinksRequested(const QString &memberPath, clusterbeat::LinkDomain domain, double capacity);

protected:

private:
    struct Links {
        LinkDomain domain;
        QLabel *label = nullptr;
        QComboBox *state = nullptr;
    };

    void build();
    void buildLinks();
    void refresh();
    void refreshSpeed();
    void refreshLinks(const Links &links);
    void refreshEffect();
    void requestSpeed(int percent, bool dragging);
    void requestLinks(const Links &links);
    [[nodiscard]] bool isRootCause() const;

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result;
    GpuIndex m_gpu = kNone;
    QLabel *m_title = nullptr, *m_target = nullptr, *m_speedLabel = nullptr, *m_speedValue = nullptr, *m_effect = nullptr;
    QSlider *m_speed = nullptr;
    std::array<QPushButton *, 4> m_presets{};
    std::array<Links, 2> m_links{Links{LinkDomain::NvLink}, Links{LinkDomain::Nic}};
};

} // namespace clusterbeat
