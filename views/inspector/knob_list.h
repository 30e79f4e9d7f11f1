// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/knobs.h"
#include "model/search/flag_costs.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <array>
#include <memory>
#include <optional>

class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace clusterbeat {

class KnobField;

/// Every knob of the run in groups that fold, with a search over their names and values. It knows the scenario only to
/// show it; the controller answers with setScenario(), or with showRefusal().
class KnobList final : public QWidget {
    Q_OBJECT
public:
    explicit KnobList(ViewState *state, QWidget *parent = nullptr);

    void setCatalogue(std::shared_ptr<const Catalogue> catalogue);
    /// `opened` is what the document was when it was opened: what differs from it is marked. All refusals are forgotten.
    void setScenario(std::shared_ptr<const Scenario> scenario, std::shared_ptr<const Scenario> opened);
    void showRefusal(KnobId id, const QString &sentence, const QString &repair);
    void setConsequences(KnobId id, const std::vector<FlagAlternative> &alternatives);
    [[nodiscard]] KnobField *field(KnobId id) const { return m_fields[static_cast<std::size_t>(id)]; }
    [[nodiscard]] const KnobPresets *presets() const { return m_presets ? &*m_presets : nullptr; }
    /// The knob that has the keyboard.
    [[nodiscard]] std::optional<KnobId> focused() const;
    void focusSearch();

Q_SIGNALS:
    void turned(clusterbeat::KnobId id, const QString &json);
    /// Somebody looks at the choices of a knob; they are listed, without figures.
    void choicesWanted(clusterbeat::KnobId id);
    void repairRequested(clusterbeat::KnobId id);

protected:
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    struct Group {
        KnobSection section = KnobSection::Model;
        QToolButton *head = nullptr;
        QWidget *body = nullptr;
        bool open = true;               ///< as the person left it; a search unfolds for its time
    };
    static constexpr std::size_t kGroups = static_cast<std::size_t>(KnobSection::Prices) + 1;

    void build();
    void addGroup(KnobSection section);
    void fill();
    void fillChoices(KnobId id);
    void filter();
    void retranslate();
    void restyle();

    ViewState *m_state;
    std::shared_ptr<const Catalogue> m_catalogue;
    std::optional<KnobPresets> m_presets;
    std::shared_ptr<const Scenario> m_scenario, m_opened;
    std::optional<ResolvedScenario> m_resolved;
    QLineEdit *m_search = nullptr;
    QPushButton *m_changedOnly = nullptr;
    QLabel *m_title = nullptr, *m_nothing = nullptr;
    std::array<Group, kGroups> m_groups{};
    std::array<KnobField *, kKnobCount> m_fields{};
};

} // namespace clusterbeat
