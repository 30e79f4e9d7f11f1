// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/software_controller.h"

#include "views/inspector/software_panel.h"

namespace clusterbeat {
namespace {

constexpr int kSettledMs = 250;

} // namespace

SoftwareController::SoftwareController(std::shared_ptr<const Catalogue> catalogue, Document *document,
                                       ResultController *results, SoftwarePanel *panel, QObject *parent)
    : QObject(parent), m_document(document), m_panel(panel), m_runner(std::move(catalogue))
{
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &SoftwareController::compute);
    connect(document, &Document::changed, this, [this] {
        m_current = false;
        m_runner.cancel();
        m_panel->setCosts(nullptr);
    });
    // Costs follow a result, so that they never hold up the run itself.
    connect(results, &ResultController::resultChanged, this, [this] {
        if (!m_current && m_panel->isUnfolded()) m_settled.start();
    });
    connect(panel, &SoftwarePanel::unfolded, this, [this](bool open) {
        if (open && !m_current) compute();
        if (!open) m_runner.cancel();
    });
    connect(panel, &SoftwarePanel::cancelRequested, &m_runner, &FlagCostRunner::cancel);
    connect(&m_runner, &FlagCostRunner::progressed, panel, &SoftwarePanel::setProgress);
    connect(&m_runner, &FlagCostRunner::ended, panel, [panel] { panel->setProgress(-1); });
    connect(&m_runner, &FlagCostRunner::finished, this, [this](const std::shared_ptr<const FlagCosts> &costs) {
        m_current = true;
        m_panel->setProgress(-1);
        m_panel->setCosts(costs);
    });
}

void SoftwareController::compute()
{
    if (!m_panel->isUnfolded()) return;
    m_panel->setProgress(0);
    m_runner.start(m_document->scenario());
}

} // namespace clusterbeat
