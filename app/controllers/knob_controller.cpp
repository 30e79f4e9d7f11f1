// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/knob_controller.h"

#include "app/document/knob_edits.h"
#include "model/search/variant_costs.h"
#include "views/inspector/knob_list.h"
#include "views/text/knob_text.h"
#include "views/text/names.h"

namespace clusterbeat {
namespace {

constexpr int kSettledMs = 120;

struct Variant {
    std::string json;
    Scenario scenario;
};

} // namespace

KnobController::KnobController(Document *document, ResultController *results, KnobList *list, QObject *parent)
    : QObject(parent), m_document(document), m_list(list)
{
    m_list->setCatalogue(document->sharedCatalogue());
    m_settled.setSingleShot(true);
    m_settled.setInterval(kSettledMs);
    connect(&m_settled, &QTimer::timeout, this, &KnobController::compute);
    connect(document, &Document::changed, this, [this](bool structural, bool replaced) {
        if (structural || replaced) show(replaced);
    });
    // Figures follow a result, so that they never hold up the run itself.
    connect(results, &ResultController::resultChanged, this, [this] {
        if (const auto id = m_list->focused()) wantChoices(*id);
    });
    connect(list, &KnobList::turned, this, &KnobController::turn);
    connect(list, &KnobList::repairRequested, this, &KnobController::repair);
    connect(list, &KnobList::choicesWanted, this, &KnobController::wantChoices);
}

void KnobController::show(bool replaced)
{
    m_job.cancel();
    m_wanted.reset();
    auto scenario = std::make_shared<const Scenario>(m_document->scenario());
    if (replaced) m_opened = scenario;
    m_list->setScenario(std::move(scenario), m_opened);
}

QString KnobController::label(KnobId id, const std::string &value) const
{
    return fillText(tr("%1: %2"), {knobName(id), knobValueText(id, value, {}, &m_document->catalogue())});
}

void KnobController::turn(KnobId id, const QString &json)
{
    const std::string value = json.toStdString();
    auto next = knob_edits::withKnob(m_document->scenario(), id, value, m_document->catalogue());
    const std::optional<Error> error = next.ok() ? m_document->change(std::move(next).value(), label(id, value)) : next.error();
    if (!error) return;
    m_refused[static_cast<std::size_t>(id)] = value;
    const auto repair = knob_edits::repairOf(m_document->scenario(), id, value, m_document->catalogue(), *m_list->presets());
    m_list->showRefusal(id, refusalText(id, value, *error),
                        repair ? repairText(repair->knob, repair->value, &m_document->catalogue()) : QString());
}

void KnobController::repair(KnobId id)
{
    const std::string &value = m_refused[static_cast<std::size_t>(id)];
    const auto repair = knob_edits::repairOf(m_document->scenario(), id, value, m_document->catalogue(), *m_list->presets());
    if (!repair) return;
    const QString both = label(id, value) + QStringLiteral(", ") + label(repair->knob, repair->value);
    if (const auto error = m_document->change(repair->scenario, both)) m_list->showRefusal(id, refusalText(id, value, *error), {});
}

void KnobController::wantChoices(KnobId id)
{
    if (m_wanted == id && m_job.busy()) return;
    m_wanted = id;
    m_settled.start();
}

void KnobController::compute()
{
    if (!m_wanted) return;
    const KnobId id = *m_wanted;
    const Scenario scenario = m_document->scenario();
    const Catalogue &catalogue = m_document->catalogue();
    const auto resolved = resolve(scenario, catalogue);
    if (!resolved.ok() || missingNeed(id, scenario, resolved.value())) return;
    const std::string now = knobValue(id, scenario, &resolved.value(), *m_list->presets());
    std::vector<FlagAlternative> refused;
    std::vector<Variant> variants;
    for (const std::string &json : knobChoices(id, scenario, resolved.value(), catalogue, *m_list->presets())) {
        if (json == now) continue;
        auto next = knob_edits::validWithKnob(scenario, id, json, catalogue);
        if (next.ok())
            variants.push_back({json, std::move(next).value()});
        else
            refused.push_back(refusedAlternative(json, next.error()));
    }
    m_list->setConsequences(id, refused);
    // A price changes no second of the iteration.
    if (knob(id).section == KnobSection::Prices) return;
    m_job.start([list = m_list, shared = m_document->sharedCatalogue(), scenario, variants = std::move(variants), id](const std::stop_token &stop, const LatestJob::Report &report) {
        VariantSimulator simulator(*shared, stop);
        if (!simulator.start(scenario).result) return;
        for (const Variant &variant : variants) {
            auto alternative = simulator.with(variant.json, variant.scenario);
            if (!alternative) return;
            report([list, id, alternative = std::move(*alternative)] { list->setConsequences(id, {alternative}); });
        }
    });
}

} // namespace clusterbeat
