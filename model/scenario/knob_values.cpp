// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/knobs.h"

#include "model/scenario/enum_names.h"
#include "model/scenario/json_value.h"
#include "model/scenario/limits.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

using Values = std::vector<std::string>;

/// Without the end of line of a whole file.
std::string jsonText(const JsonValue &value)
{
    std::string written = writeJson(value);
    while (!written.empty() && written.back() == '\n') written.pop_back();
    return written;
}
std::string text(std::int64_t value) { return std::to_string(value); }
std::string text(double value)
{
    const auto nearest = static_cast<std::int64_t>(value);
    return static_cast<double>(nearest) == value ? text(nearest) : jsonText(JsonValue::ofNumber(value));
}
std::string quoted(std::string_view value) { return jsonText(JsonValue::ofString(std::string(value))); }
std::string ofPreset(const std::string &name) { return "{\"preset\":" + quoted(name) + "}"; }
template <typename Value> std::string said(const std::optional<Value> &value) { return value ? text(*value) : std::string(); }

std::string recomputeText(const std::optional<Recompute> &recompute)
{
    const Recompute taken = recompute.value_or(Recompute{});
    if (taken.mode == RecomputeMode::Layers) return "{\"layers\":" + text(taken.layers) + "}";
    if (taken.mode != RecomputeMode::Modules) return quoted(nameOf(kRecomputeNames, taken.mode));
    std::string list;
    for (const std::string &module : taken.modules)
        list += (list.empty() ? "" : ",") + quoted(module);
    return "{\"modules\":[" + list + "]}";
}

std::string modelPreset(const Scenario &scenario, const KnobPresets &presets)
{
    for (const auto &entry : presets.entries())
        if (*entry.model == *scenario.model) return ofPreset(entry.name);
    return {};
}
std::string trainingPreset(const Scenario &scenario, const KnobPresets &presets)
{
    for (const auto &entry : presets.entries())
        if (*entry.training == *scenario.training) return ofPreset(entry.name);
    return {};
}

std::string acceleratorName(const ClusterSection &cluster)
{
    if (cluster.accelerator) return cluster.accelerator->name;
    return cluster.acceleratorName.empty() ? kDefaultAccelerator : cluster.acceleratorName;
}

/// Each once, in ascending order, inside the range.
class Numbers {
public:
    Numbers(std::int64_t lowest, std::int64_t highest) : m_lowest(lowest), m_highest(highest) {}
    void add(std::int64_t value)
    {
        if (value >= m_lowest && value <= m_highest) m_values.push_back(value);
    }
    void around(std::int64_t value, int steps)
    {
        std::int64_t lower = value, higher = value;
        for (int i = 0; i < steps; ++i) {
            if (lower % 2 == 0) add(lower /= 2);
            if (higher <= m_highest / 2) add(higher *= 2);
        }
    }
    void divisorsOf(std::int64_t number, std::size_t most)
    {
        for (std::int64_t each = 1; each <= number && m_values.size() < most; ++each)
            if (number % each == 0) add(each);
    }
    [[nodiscard]] Values texts()
    {
        std::sort(m_values.begin(), m_values.end());
        m_values.erase(std::unique(m_values.begin(), m_values.end()), m_values.end());
        Values list;
        for (const std::int64_t value : m_values)
            list.push_back(text(value));
        return list;
    }

private:
    std::int64_t m_lowest, m_highest;
    std::vector<std::int64_t> m_values;
};

Values degreeChoices(std::int64_t now, std::int64_t most)
{
    Numbers numbers(1, most);
    numbers.add(1);
    numbers.around(now, 3);
    return numbers.texts();
}

/// What cuts the layers evenly over the stages, with and without embedding and head counted as layers.
Values virtualChoices(const ResolvedScenario &resolved)
{
    constexpr std::size_t kMost = 10;
    const std::int64_t layers = resolved.model.layers, stages = resolved.degrees.pipeline;
    Numbers numbers(1, layers + 2);
    for (const std::int64_t each : {layers, layers + 2})
        if (each % stages == 0) numbers.divisorsOf(each / stages, kMost);
    numbers.around(resolved.degrees.virtualPipeline, 1);
    return numbers.texts();
}

Values recomputeChoices(const ResolvedScenario &resolved)
{
    Values list;
    for (const auto &[name, mode] : kRecomputeNames)
        if (mode != RecomputeMode::Full) list.push_back(quoted(name));
    const auto &split = resolved.degrees.layersPerChunk;
    std::int64_t stage = 0;
    for (std::int64_t chunk = 0; chunk < resolved.degrees.virtualPipeline && !split.empty(); ++chunk)
        stage += resolved.degrees.chunkLayers(0, chunk);
    std::int64_t last = 0;
    for (const std::int64_t quarters : {1, 2, 3}) {
        const std::int64_t layers = std::max<std::int64_t>(1, stage * quarters / 4);
        if (layers == last || layers >= stage) continue;
        list.push_back("{\"layers\":" + text(layers) + "}");
        last = layers;
    }
    list.push_back(quoted("full"));
    return list;
}

Values scheduleChoices(const Scenario &scenario)
{
    Values list;
    for (const auto &[name, kind] : kScheduleNames)
        if (kind != ScheduleKind::Custom || !scenario.layout->scheduleOrders.empty()) list.push_back(quoted(name));
    return list;
}

Values layoutChoices(KnobId id, const Scenario &scenario, const ResolvedScenario &resolved)
{
    const Degrees &d = resolved.degrees;
    const std::int64_t gpus = resolved.cluster.gpus;
    switch (id) {
    case KnobId::Schedule: return scheduleChoices(scenario);
    case KnobId::Tensor: return degreeChoices(d.tensor, std::min(gpus, resolved.model.heads));
    case KnobId::Pipeline: return degreeChoices(d.pipeline, std::min(gpus, resolved.model.layers + 2));
    case KnobId::VirtualStages: return virtualChoices(resolved);
    case KnobId::Context: return degreeChoices(d.context, std::min(gpus, resolved.training.sequenceLength));
    case KnobId::Expert: return degreeChoices(d.expert, resolved.model.moe ? resolved.model.moe->experts : 1);
    case KnobId::ExpertTensor: return degreeChoices(d.expertTensor, resolved.model.moe ? resolved.model.heads : 1);
    case KnobId::Data: {
        Values list = degreeChoices(d.data, gpus);
        list.insert(list.begin(), std::string());
        return list;
    }
    case KnobId::ZeroStage: return {"0", "1", "2", "3"};
    default: {
        Numbers numbers(d.pipeline, std::max(d.pipeline, resolved.microBatches));
        for (std::int64_t group = d.pipeline; group < resolved.microBatches; group *= 2)
            numbers.add(group);
        numbers.add(resolved.microBatches);
        Values list = numbers.texts();
        list.insert(list.begin(), std::string());
        return list;
    }
    }
}

Values clusterChoices(KnobId id, const ResolvedScenario &resolved, const Catalogue &catalogue)
{
    const ClusterParameters &cluster = resolved.cluster;
    switch (id) {
    case KnobId::Accelerator: {
        Values list;
        for (const std::string &name : acceleratorsByVendor(catalogue))
            list.push_back(quoted(name));
        return list;
    }
    case KnobId::Gpus: {
        Numbers numbers(1, kMaxGpus);
        numbers.around(cluster.gpus, 3);
        return numbers.texts();
    }
    case KnobId::GpusPerServer: {
        Numbers numbers(1, std::max<std::int64_t>(16, cluster.scaleupDomain));
        for (const std::int64_t each : {1, 2, 4, 8, 16})
            numbers.add(each);
        Values list = numbers.texts();
        list.insert(list.begin(), std::string());
        return list;
    }
    case KnobId::NicSpeed: return {"", "100", "200", "400", "800", "1600"};
    default: return {"1", "2", "3", "4", "7"};
    }
}

Values trainingChoices(KnobId id, const ResolvedScenario &resolved, const KnobPresets &presets)
{
    const TrainingSection &training = resolved.training;
    Numbers numbers(1, kBatchRange.highest);
    switch (id) {
    case KnobId::Training: {
        Values list;
        std::vector<const TrainingSection *> seen;
        for (const auto &entry : presets.entries()) {
            const bool again = std::any_of(seen.begin(), seen.end(), [&](const auto *each) { return *each == *entry.training; });
            if (!again) list.push_back(ofPreset(entry.name));
            seen.push_back(entry.training.get());
        }
        return list;
    }
    case KnobId::SequenceLength: numbers.around(training.sequenceLength, 3); return numbers.texts();
    case KnobId::GlobalBatch: numbers.around(training.globalBatch, 3); return numbers.texts();
    case KnobId::MicroBatch:
        numbers.add(1);
        numbers.around(training.microBatch, 3);
        return numbers.texts();
    case KnobId::Precision: {
        Values list;
        for (const auto &[name, precision] : kPrecisionNames)
            list.push_back(quoted(name));
        return list;
    }
    case KnobId::Recompute: return recomputeChoices(resolved);
    default: {
        const Recompute recompute = training.recompute.value_or(Recompute{});
        Numbers layers(0, resolved.model.layers);
        layers.around(recompute.layers, 2);
        layers.add(recompute.layers - 1);
        layers.add(recompute.layers + 1);
        return layers.texts();
    }
    }
}

} // namespace

std::string knobTaken(KnobId id, const ResolvedScenario &resolved)
{
    const Degrees &d = resolved.degrees;
    switch (id) {
    case KnobId::Schedule: return quoted(nameOf(kScheduleNames, d.schedule));
    case KnobId::VirtualStages: return text(d.virtualPipeline);
    case KnobId::Data: return text(d.data);
    case KnobId::ZeroStage: return text(d.zeroStage);
    case KnobId::MicroBatchGroup: return text(d.microBatchGroup > 0 ? d.microBatchGroup : std::min(d.pipeline, resolved.microBatches));
    case KnobId::GpusPerServer: return text(resolved.cluster.gpusPerServer);
    case KnobId::NicSpeed: return text(resolved.cluster.nicGbps);
    case KnobId::Oversubscription: return text(resolved.cluster.coreOversubscription);
    case KnobId::Gpus: return text(resolved.cluster.gpus);
    default: return {};
    }
}

std::string knobValue(KnobId id, const Scenario &scenario, const ResolvedScenario *resolved, const KnobPresets &presets)
{
    const LayoutSection &layout = *scenario.layout;
    const TrainingSection &training = *scenario.training;
    const ClusterSection &cluster = *scenario.cluster;
    std::string value;
    switch (id) {
    case KnobId::Model: return modelPreset(scenario, presets);
    case KnobId::Layers: return text(scenario.model->layers);
    case KnobId::Training: return trainingPreset(scenario, presets);
    case KnobId::SequenceLength: return text(training.sequenceLength);
    case KnobId::GlobalBatch: return text(training.globalBatch);
    case KnobId::MicroBatch: return text(training.microBatch);
    case KnobId::Precision: return quoted(nameOf(kPrecisionNames, training.precision));
    case KnobId::Recompute: return recomputeText(training.recompute);
    case KnobId::RecomputedLayers: return text(training.recompute ? training.recompute->layers : 0);
    case KnobId::Schedule: value = layout.schedule ? quoted(nameOf(kScheduleNames, *layout.schedule)) : std::string(); break;
    case KnobId::Tensor: return text(layout.tensor);
    case KnobId::Pipeline: return text(layout.pipeline);
    case KnobId::VirtualStages: value = layout.virtualPipeline == 0 ? std::string() : said(layout.virtualPipeline); break;
    case KnobId::Context: return text(layout.context);
    case KnobId::Expert: return text(layout.expert);
    case KnobId::ExpertTensor: return text(layout.expertTensor);
    case KnobId::Data: value = said(layout.data); break;
    case KnobId::ZeroStage: value = said(layout.zeroStage); break;
    case KnobId::MicroBatchGroup: value = said(layout.microBatchGroup); break;
    case KnobId::Accelerator: return quoted(acceleratorName(cluster));
    case KnobId::Gpus: value = cluster.gpus > 0 ? text(cluster.gpus) : std::string(); break;
    case KnobId::GpusPerServer: value = said(cluster.gpusPerServer); break;
    case KnobId::NicSpeed: value = said(cluster.nicGbpsPerGpu); break;
    case KnobId::Oversubscription: value = said(cluster.coreOversubscription); break;
    case KnobId::Profile: return quoted(scenario.software->profile);
    case KnobId::GpuHour: return text(scenario.prices->gpuHourUsd);
    }
    return value.empty() && !knob(id).automatic && resolved ? knobTaken(id, *resolved) : value;
}

std::vector<std::string> knobChoices(KnobId id, const Scenario &scenario, const ResolvedScenario &resolved,
                                     const Catalogue &catalogue, const KnobPresets &presets)
{
    switch (knob(id).section) {
    case KnobSection::Model: {
        if (id == KnobId::Layers) {
            Numbers numbers(1, kLayersRange.highest);
            numbers.around(resolved.model.layers, 2);
            return numbers.texts();
        }
        Values list;
        std::vector<const ModelSection *> seen;
        for (const auto &entry : presets.entries()) {
            const bool again = std::any_of(seen.begin(), seen.end(), [&](const auto *each) { return *each == *entry.model; });
            if (!again) list.push_back(ofPreset(entry.name));
            seen.push_back(entry.model.get());
        }
        return list;
    }
    case KnobSection::Training: return trainingChoices(id, resolved, presets);
    case KnobSection::Layout: return layoutChoices(id, scenario, resolved);
    case KnobSection::Cluster: return clusterChoices(id, resolved, catalogue);
    case KnobSection::Software: {
        Values list;
        for (const SoftwareProfile &profile : catalogue.profiles)
            list.push_back(quoted(profile.name));
        return list;
    }
    case KnobSection::Prices: return {"1", "1.5", "2", "3", "4"};
    }
    return {};
}

} // namespace clusterbeat
