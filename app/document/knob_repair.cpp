// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/knob_edits.h"

#include "model/scenario/enum_names.h"
#include "model/scenario/limits.h"
#include "model/scenario/resolve_parts.h"

#include <algorithm>
#include <cmath>


namespace clusterbeat::knob_edits {
namespace {

/// A value of a second knob and how far it is from what the run has.
struct Candidate {
    KnobId knob;
    std::string value;
    double cost = 0.0;
};

/// What a change of the knob weighs beside its distance in halves and doubles. Those that leave the work of a step as it
/// is come first; another batch, schedule, cluster or model is another experiment.
double weightOf(KnobId id)
{
    switch (id) {
    case KnobId::VirtualStages: return 0.0;
    case KnobId::Data: return 0.5;
    case KnobId::MicroBatchGroup: return 0.5;
    case KnobId::RecomputedLayers: return 0.5;
    case KnobId::MicroBatch: return 1.0;
    case KnobId::Expert:
    case KnobId::ExpertTensor: return 1.5;
    case KnobId::Pipeline: return 2.0;
    case KnobId::Tensor:
    case KnobId::Context: return 2.5;
    case KnobId::ZeroStage: return 3.0;
    case KnobId::GlobalBatch: return 3.5;
    case KnobId::Schedule: return 4.0;
    case KnobId::SequenceLength: return 5.0;
    case KnobId::Recompute: return 5.5;
    case KnobId::GpusPerServer:
    case KnobId::NicSpeed: return 6.0;
    case KnobId::Gpus: return 6.5;
    case KnobId::Precision: return 7.0;
    case KnobId::Layers: return 9.0;
    default: return 10.0;
    }
}

class Candidates {
public:
    Candidates(KnobId touched, const Scenario &first, const ResolvedScenario &start)
        : m_touched(touched), m_first(first), m_start(start)
    {
    }

    [[nodiscard]] std::vector<Candidate> all(const std::optional<Error> &error)
    {
        degrees();
        batch();
        choices();
        cluster(error);
        // The knob that the rule names is what a person would look at next.
        const Knob *named = error ? knobAt(error->place.pointer) : nullptr;
        for (Candidate &each : m_list)
            if (named && each.knob == named->id) each.cost -= 1.0;
        std::stable_sort(m_list.begin(), m_list.end(), [](const Candidate &a, const Candidate &b) { return a.cost < b.cost; });
        return std::move(m_list);
    }

private:
    void add(KnobId id, std::int64_t value, std::int64_t now)
    {
        if (id == m_touched || value < 1 || value == now) return;
        const double ratio = static_cast<double>(value) / static_cast<double>(std::max<std::int64_t>(1, now));
        m_list.push_back({id, std::to_string(value), weightOf(id) + std::abs(std::log2(ratio))});
    }
    void addChoice(KnobId id, std::string value, double distance)
    {
        if (id != m_touched) m_list.push_back({id, std::move(value), weightOf(id) + distance});
    }
    void divisors(KnobId id, std::int64_t of, std::int64_t now, std::int64_t most)
    {
        constexpr std::int64_t kFarthest = 4096;
        for (std::int64_t each = 1; each <= std::min({of, most, kFarthest}); ++each)
            if (of % each == 0) add(id, each, now);
    }

    void degrees()
    {
        const LayoutSection &layout = *m_first.layout;
        const ModelSection &model = m_start.model;
        const std::int64_t gpus = m_start.cluster.gpus, layers = m_first.model->layers;
        const std::int64_t stages = std::max<std::int64_t>(1, layout.pipeline);
        const std::int64_t chunks = layout.virtualPipeline.value_or(1);
        for (std::int64_t each = 1; each <= std::min<std::int64_t>(128, (layers + 2) / stages); ++each)
            add(KnobId::VirtualStages, each, chunks);
        divisors(KnobId::Tensor, model.heads, layout.tensor, gpus);
        for (const std::int64_t of : {layers, layers + 2}) divisors(KnobId::Pipeline, of, layout.pipeline, gpus);
        add(KnobId::Pipeline, layout.pipeline + 1, layout.pipeline);
        add(KnobId::Pipeline, layout.pipeline - 1, layout.pipeline);
        add(KnobId::Pipeline, 2 * layout.pipeline, layout.pipeline);
        divisors(KnobId::Context, m_first.training->sequenceLength, layout.context, std::min<std::int64_t>(gpus, 256));
        if (m_first.model->moe) {
            divisors(KnobId::Expert, m_first.model->moe->experts, layout.expert, gpus);
            divisors(KnobId::ExpertTensor, m_first.model->moe->expertFfnHidden, layout.expertTensor, 64);
        }
        const std::int64_t fits = gpus / std::max<std::int64_t>(1, layout.tensor * layout.pipeline * layout.context);
        const std::int64_t data = layout.data.value_or(std::max<std::int64_t>(1, fits));
        const std::int64_t sequences = m_first.training->globalBatch / std::max<std::int64_t>(1, m_first.training->microBatch);
        divisors(KnobId::Data, sequences, data, std::max<std::int64_t>(1, fits));
    }

    void batch()
    {
        const TrainingSection &training = *m_first.training;
        const LayoutSection &layout = *m_first.layout;
        const std::int64_t fits = m_start.cluster.gpus / std::max<std::int64_t>(1, layout.tensor * layout.pipeline * layout.context);
        const std::int64_t data = layout.data.value_or(std::max<std::int64_t>(1, fits));
        divisors(KnobId::MicroBatch, std::max<std::int64_t>(1, training.globalBatch / std::max<std::int64_t>(1, data)), training.microBatch, 64);
        const std::int64_t together = std::max<std::int64_t>(1, data * training.microBatch);
        for (const std::int64_t step : {together, 2 * together, layout.pipeline * together, 2 * layout.pipeline * together}) {
            const std::int64_t down = training.globalBatch / step * step;
            add(KnobId::GlobalBatch, down, training.globalBatch);
            add(KnobId::GlobalBatch, down + step, training.globalBatch);
        }
        const std::int64_t split = std::max<std::int64_t>(1, layout.context * layout.tensor);
        const std::int64_t down = training.sequenceLength / split * split;
        add(KnobId::SequenceLength, down, training.sequenceLength);
        add(KnobId::SequenceLength, down + split, training.sequenceLength);
        if (training.recompute && training.recompute->mode == RecomputeMode::Layers && m_touched != KnobId::Recompute)
            add(KnobId::RecomputedLayers, m_first.model->layers, training.recompute->layers);
    }

    void choices()
    {
        double distance = 0.0;
        for (const ScheduleKind kind : {ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbV,
                                        ScheduleKind::DualPipeV, ScheduleKind::GPipe})
            addChoice(KnobId::Schedule, '"' + std::string(nameOf(kScheduleNames, kind)) + '"', distance += 0.1);
        if (m_first.layout->microBatchGroup) addChoice(KnobId::MicroBatchGroup, {}, 0.0);
        for (const std::int64_t stage : {3, 2, 1, 0}) addChoice(KnobId::ZeroStage, std::to_string(stage), static_cast<double>(3 - stage));
        addChoice(KnobId::Precision, "\"bf16\"", 0.0);
        addChoice(KnobId::Precision, "\"fp8\"", 0.5);
        addChoice(KnobId::Recompute, "\"none\"", 0.0);
    }

    void cluster(const std::optional<Error> &error)
    {
        if (m_first.cluster->blueprint) return;
        const LayoutSection &layout = *m_first.layout;
        const std::int64_t domain = std::max<std::int64_t>(1, m_start.cluster.scaleupDomain), gpus = m_start.cluster.gpus;
        const double job = static_cast<double>(layout.tensor) * static_cast<double>(layout.pipeline) * static_cast<double>(layout.context) *
                           static_cast<double>(layout.data.value_or(1));
        const bool exceeds = error && error->code == ErrorCode::DegreesExceedGpus;
        if (exceeds && job <= static_cast<double>(kMaxGpus))
            add(KnobId::Gpus, (static_cast<std::int64_t>(job) + domain - 1) / domain * domain, gpus);
        if (m_first.cluster->gpusPerServer) addChoice(KnobId::GpusPerServer, {}, 0.0);
        addChoice(KnobId::NicSpeed, "400", 0.0);
        const std::int64_t chunks = layout.pipeline * layout.virtualPipeline.value_or(1);
        add(KnobId::Layers, chunks, m_first.model->layers);
        add(KnobId::Layers, chunks - 2, m_first.model->layers);
    }

    KnobId m_touched;
    const Scenario &m_first;
    const ResolvedScenario &m_start;
    std::vector<Candidate> m_list;
};

} // namespace

std::optional<Repair> repairOf(const Scenario &scenario, KnobId id, const std::string &value, const Catalogue &catalogue,
                               const KnobPresets &presets)
{
    const auto start = resolve(scenario, catalogue);
    const auto first = withKnob(scenario, id, value, catalogue);
    if (!start.ok() || !first.ok()) return std::nullopt;
    const auto refused = resolve(first.value(), catalogue);
    if (refused.ok()) return std::nullopt;
    // A smaller cluster than the one at the start counts, so that degrees are offered that it holds.
    ResolvedScenario room = start.value();
    if (id == KnobId::Gpus) room.cluster.gpus = first.value().cluster->gpus;
    if (id == KnobId::Model) room.model = *first.value().model;
    for (const Candidate &each : Candidates(id, first.value(), room).all(refused.error())) {
        auto second = validWithKnob(first.value(), each.knob, each.value, catalogue);
        if (!second.ok()) continue;
        // A second change must not take the first one back along.
        if (knobValue(id, second.value(), nullptr, presets) != knobValue(id, first.value(), nullptr, presets)) continue;
        const auto resolved = resolve(second.value(), catalogue);
        return Repair{each.knob, knobValue(each.knob, scenario, &start.value(), presets),
                      knobValue(each.knob, second.value(), resolved.ok() ? &resolved.value() : nullptr, presets), second.value()};
    }
    return std::nullopt;
}

} // namespace clusterbeat::knob_edits
