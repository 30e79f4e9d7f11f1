// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/knobs.h"
#include "model/search/flag_costs.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <vector>

class QBoxLayout;
class QLabel;
class QPushButton;

namespace clusterbeat {

class ChoiceCombo;

/// One knob: its name, its value, the choices with their consequences, and under it why a value was refused with the
/// second change that would make it possible. It shows what the document has and reports what somebody wants.
class KnobField final : public QWidget {
    Q_OBJECT
public:
    KnobField(const Knob &knob, ViewState *state, QWidget *parent);

    [[nodiscard]] KnobId id() const { return m_knob.id; }
    [[nodiscard]] ChoiceCombo *combo() const { return m_combo; }
    [[nodiscard]] bool isRefused() const { return m_refused; }
    /// The document's value. A refusal is forgotten: the text is the document's again.
    struct Value {
        std::string json, taken;
        QString need;                   ///< why the knob means nothing here; "" = it does
        bool changed = false;           ///< since the document was opened
    };
    void setValue(const Value &value, const Catalogue *catalogue);
    /// What may be chosen; the value in force is among it or comes first.
    void setChoices(const std::vector<std::string> &choices, const Catalogue &catalogue);
    /// Figures and reasons of choices, as far as they are known.
    void setConsequences(const std::vector<FlagAlternative> &alternatives);
    /// Marks the text that was sent last. `repair` = what the button offers; "" = no button.
    void showRefusal(const QString &sentence, const QString &repair);
    /// The value in force, for a search.
    [[nodiscard]] QString shownValue() const;
    void retranslate();
    void restyle();

Q_SIGNALS:
    /// JSON text; "" = the default.
    void turned(clusterbeat::KnobId id, const QString &json);
    /// Somebody is about to look at the choices.
    void choicesWanted(clusterbeat::KnobId id);
    void repairRequested(clusterbeat::KnobId id);

protected:
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void apply();
    void showValue();
    void clearRefusal();
    [[nodiscard]] std::string typed() const;

    const Knob &m_knob;
    ViewState *m_state;
    const Catalogue *m_catalogue = nullptr;
    Value m_value;
    std::string m_sent;                 ///< reported and refused or not answered yet: Return and leaving both end an edit
    bool m_hasSent = false, m_refused = false;
    QLabel *m_label, *m_error;
    ChoiceCombo *m_combo;
    QPushButton *m_repair;
};

} // namespace clusterbeat
