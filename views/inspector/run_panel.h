// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/scenario/scenario.h"
#include "views/shared/intents.h"
#include "views/shared/view_state.h"

#include <QStringList>
#include <QWidget>

#include <memory>
#include <vector>

class QComboBox;
class QLabel;
class QVBoxLayout;

namespace clusterbeat {

class ActiveList;
class SoftwarePanel;

/// The left dock: what is active on this run (perturbations with switches) and the main knobs of the scenario. It only
/// reports edits; the document answers with setScenario(), or with showError() when it refuses one.
class RunPanel final : public QWidget {
    Q_OBJECT
public:
    explicit RunPanel(ViewState *state, QWidget *parent = nullptr);
    void setScenario(std::shared_ptr<const Scenario> scenario, const QStringList &accelerators, const QStringList &profiles);
    /// Shows beside "auto" what the simulation took where the scenario leaves it to defaults.
    void setResult(std::shared_ptr<const IterationResult> result);
    /// Under the field that was edited last; "" takes it away. The field goes back to the document's value with Esc.
    /// Only an edit that is just being reported has a field; for any other the answer is false.
    bool showError(const QString &text);
    /// Below the knobs: the software's flags with their costs.
    [[nodiscard]] SoftwarePanel *software() const { return m_software; }
    [[nodiscard]] QSize sizeHint() const override;

Q_SIGNALS:
    /// One undo step. Pointers and JSON as in the scenario file; an empty value removes the key.
    void editRequested(const QList<clusterbeat::ScenarioEdit> &edits);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    enum class Knob : quint8 { Tensor, Pipeline, Virtual, Data, MicroBatch, GlobalBatch, Schedule, Accelerator, Oversubscription, Profile };
    struct Field {
        Knob knob;
        QLabel *label = nullptr;
        QComboBox *combo = nullptr;
        QLabel *error = nullptr;
        QString sent;               ///< reported and not answered with another value yet: Return and leaving both end an edit
    };

    void build();
    void addField(Knob knob);
    void retranslate();
    void restyle();
    void fillFields();
    void fillField(Field &field);
    void apply(Field &field);
    void send(Field &field, const QString &text);
    void leave(Field &field);
    [[nodiscard]] Field *fieldOf(const QObject *widget);
    [[nodiscard]] QString valueOf(Knob knob) const;
    /// "auto (64)": what the simulation took, when its result is of this scenario.
    [[nodiscard]] QString shownOf(Knob knob, const QString &choice) const;
    [[nodiscard]] QString nameOf(Knob knob) const;
    [[nodiscard]] QStringList choicesOf(Knob knob) const;

    ViewState *m_state;
    std::shared_ptr<const Scenario> m_scenario;
    std::shared_ptr<const IterationResult> m_result;
    QStringList m_accelerators, m_profiles;
    ActiveList *m_active = nullptr;
    QLabel *m_knobsTitle = nullptr;
    QVBoxLayout *m_layout = nullptr;
    SoftwarePanel *m_software = nullptr;
    std::vector<Field> m_fields;
    Knob m_edited = Knob::Tensor;
    bool m_sending = false, m_resultIsCurrent = false;
};

} // namespace clusterbeat
