// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario.h"
#include "views/shared/intents.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <memory>

namespace clusterbeat {

class ActiveList;
class KnobList;
class SoftwarePanel;

/// The left dock: what is active on this run (perturbations with switches), the knobs of the scenario and the flags of
/// its software. It only reports edits; the document answers with a new scenario.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(ViewState *state, QWidget *parent = nullptr);
    void setScenario(std::shared_ptr<const Scenario> scenario);
    [[nodiscard]] KnobList *knobs() const { return m_knobs; }
    /// Below the knobs: the software's flags with their costs.
    [[nodiscard]] SoftwarePanel *software() const { return m_software; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// One undo step. Pointers and JSON as in the scenario file; an empty value removes the key.
    void editRequested(const QList<clusterbeat::ScenarioEdit> &edits);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void build();

    ViewState *m_state;
    ActiveList *m_active = nullptr;
    KnobList *m_knobs = nullptr;
    SoftwarePanel *m_software = nullptr;
};

} // namespace clusterbeat
