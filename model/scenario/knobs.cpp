// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/knobs.h"

#include "model/scenario/limits.h"
#include "model/scenario/scenario_json.h"

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr double whole(std::int64_t value) { return static_cast<double>(value); }

constexpr Knob integer(KnobId id, KnobSection section, const char *pointer, IntegerRange range, bool automatic = false)
{
    return {id, section, KnobKind::Integer, pointer, whole(range.lowest), whole(range.highest), automatic};
}
constexpr Knob real(KnobId id, KnobSection section, const char *pointer, NumberRange range, bool automatic = false)
{
    return {id, section, KnobKind::Real, pointer, range.lowest, range.highest, automatic};
}
constexpr Knob choice(KnobId id, KnobSection section, const char *pointer) { return {id, section, KnobKind::Choice, pointer}; }

constexpr std::array kKnobs{
    choice(KnobId::Model, KnobSection::Model, "/model"),
    integer(KnobId::Layers, KnobSection::Model, "/model/layers", kLayersRange),
    choice(KnobId::Training, KnobSection::Training, "/training"),
    integer(KnobId::SequenceLength, KnobSection::Training, "/training/sequence_length", kSequenceRange),
    integer(KnobId::GlobalBatch, KnobSection::Training, "/training/global_batch", kBatchRange),
    integer(KnobId::MicroBatch, KnobSection::Training, "/training/micro_batch", kMicroBatchRange),
    choice(KnobId::Precision, KnobSection::Training, "/training/precision"),
    choice(KnobId::Recompute, KnobSection::Training, "/training/recompute"),
    integer(KnobId::RecomputedLayers, KnobSection::Training, "/training/recompute/layers", {0, kLayersRange.highest}),
    choice(KnobId::Schedule, KnobSection::Layout, "/layout/schedule"),
    integer(KnobId::Tensor, KnobSection::Layout, "/layout/tensor", kDegreeRange),
    integer(KnobId::Pipeline, KnobSection::Layout, "/layout/pipeline", kDegreeRange),
    integer(KnobId::VirtualStages, KnobSection::Layout, "/layout/virtual_pipeline", kLayersRange),
    integer(KnobId::Context, KnobSection::Layout, "/layout/context", kDegreeRange),
    integer(KnobId::Expert, KnobSection::Layout, "/layout/expert", kDegreeRange),
    integer(KnobId::ExpertTensor, KnobSection::Layout, "/layout/expert_tensor", kDegreeRange),
    integer(KnobId::Data, KnobSection::Layout, "/layout/data", kDegreeRange, true),
    choice(KnobId::ZeroStage, KnobSection::Layout, "/layout/zero_stage"),
    integer(KnobId::MicroBatchGroup, KnobSection::Layout, "/layout/micro_batch_group", kDegreeRange, true),
    choice(KnobId::Accelerator, KnobSection::Cluster, "/cluster/accelerator"),
    integer(KnobId::Gpus, KnobSection::Cluster, "/cluster/gpus", {1, kMaxGpus}),
    integer(KnobId::GpusPerServer, KnobSection::Cluster, "/cluster/gpus_per_server", kCountRange, true),
    real(KnobId::NicSpeed, KnobSection::Cluster, "/cluster/nic_gbps_per_gpu", {kRateRange.lowest, 1e6}, true),
    real(KnobId::Oversubscription, KnobSection::Cluster, "/cluster/core_oversubscription", kOversubscriptionRange),
    choice(KnobId::Profile, KnobSection::Software, "/software/profile"),
    real(KnobId::GpuHour, KnobSection::Prices, "/prices/gpu_hour_usd", kRateRange),
};
static_assert(kKnobs.size() == kKnobCount);

} // namespace

std::span<const Knob> knobs() { return kKnobs; }

const Knob &knob(KnobId id) { return kKnobs[static_cast<std::size_t>(id)]; }

const Knob *knobAt(std::string_view pointer)
{
    const Knob *found = nullptr;
    std::size_t longest = 0;
    for (const Knob &each : kKnobs) {
        const std::string_view own(each.pointer);
        const bool below = pointer.starts_with(own) && (pointer.size() == own.size() || pointer[own.size()] == '/');
        // A section is no knob for each of its keys.
        const bool section = own.find('/', 1) == std::string_view::npos && pointer != own;
        if (!below || section || own.size() < longest) continue;
        found = &each;
        longest = own.size();
    }
    return found;
}

KnobPresets::KnobPresets(const Catalogue &catalogue)
{
    for (const ScenarioPreset &preset : catalogue.presets)
        if (const auto scenario = readPreset(preset.name, catalogue); scenario.ok())
            m_entries.push_back({preset.name, scenario.value().model, scenario.value().training});
}

std::optional<KnobNeed> missingNeed(KnobId id, const Scenario &scenario, const ResolvedScenario &resolved)
{
    const auto unless = [](bool met, KnobNeed need) { return met ? std::nullopt : std::optional(need); };
    switch (id) {
    case KnobId::Expert:
    case KnobId::ExpertTensor: return unless(resolved.model.moe.has_value(), KnobNeed::Experts);
    case KnobId::RecomputedLayers:
        return unless(resolved.training.recompute && resolved.training.recompute->mode == RecomputeMode::Layers,
                      KnobNeed::RecomputeByLayers);
    case KnobId::MicroBatchGroup:
        return unless(resolved.degrees.schedule == ScheduleKind::Interleaved, KnobNeed::Interleaving);
    case KnobId::Gpus:
    case KnobId::GpusPerServer:
    case KnobId::NicSpeed:
    case KnobId::Oversubscription: return unless(scenario.cluster->blueprint == nullptr, KnobNeed::Template);
    default: return std::nullopt;
    }
}

std::string_view vendorOf(std::string_view accelerator)
{
    struct Family {
        std::string_view prefix, vendor;
    };
    constexpr std::array families{
        Family{"A100", "NVIDIA"}, Family{"H", "NVIDIA"},     Family{"GH", "NVIDIA"},     Family{"B", "NVIDIA"},
        Family{"GB", "NVIDIA"},   Family{"Rubin", "NVIDIA"}, Family{"MI", "AMD"},        Family{"TPU", "Google"},
        Family{"Gaudi", "Intel"}, Family{"Ascend", "Huawei"}, Family{"Trainium", "Amazon"}};
    for (const Family &family : families)
        if (accelerator.starts_with(family.prefix)) return family.vendor;
    return {};
}

std::vector<std::string> acceleratorsByVendor(const Catalogue &catalogue)
{
    constexpr std::array<std::string_view, 7> order{"NVIDIA", "AMD", "Google", "Intel", "Huawei", "Amazon", ""};
    std::vector<std::string> names;
    for (const std::string_view vendor : order)
        for (const Accelerator &each : catalogue.accelerators)
            if (vendorOf(each.name) == vendor) names.push_back(each.name);
    return names;
}

} // namespace clusterbeat
