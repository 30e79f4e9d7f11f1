// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/result_controller.h"
#include "app/document/document.h"
#include "app/simulation/flag_cost_runner.h"

#include <QObject>
#include <QTimer>

namespace clusterbeat {

class SoftwarePanel;

/// Keeps the costs of the software's flags in step with the run on show, while the panel is unfolded.
class SoftwareController final : public QObject {
    Q_OBJECT
public:
    SoftwareController(std::shared_ptr<const Catalogue> catalogue, Document *document, ResultController *results,
                       SoftwarePanel *panel, QObject *parent = nullptr);

private:
    void compute();

    Document *m_document;
    SoftwarePanel *m_panel;
    FlagCostRunner m_runner;
    QTimer m_settled; ///< a dragged slider does not start a run for every value
    bool m_current = false;
};

} // namespace clusterbeat
