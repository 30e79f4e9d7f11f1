// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/result_controller.h"
#include "app/document/document.h"
#include "app/simulation/latest_job.h"
#include "model/scenario/knobs.h"

#include <QObject>
#include <QTimer>

#include <array>
#include <string>

namespace clusterbeat {

class KnobList;

/// Turns what somebody does at the knobs into undo steps, answers a refusal with the second change that would help, and
/// simulates the choices of the knob that somebody looks at.
class KnobController final : public QObject {
    Q_OBJECT
public:
    KnobController(Document *document, ResultController *results, KnobList *list, QObject *parent = nullptr);

private:
    void show(bool replaced);
    void turn(KnobId id, const QString &json);
    void repair(KnobId id);
    void wantChoices(KnobId id);
    /// One simulation for each choice that is possible; figures come as they are known.
    void compute();
    [[nodiscard]] QString label(KnobId id, const std::string &value) const;

    Document *m_document;
    KnobList *m_list;
    std::shared_ptr<const Scenario> m_opened;
    std::array<std::string, kKnobCount> m_refused;
    std::optional<KnobId> m_wanted;                     ///< the knob whose figures are shown or on their way
    QTimer m_settled;                                   ///< a walk through the fields does not start a run for each
    LatestJob m_job;                                    ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
