// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/resolve.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// What a person can turn in a run, in the order in which it is listed.
enum class KnobId : std::uint8_t {
    Model, Layers,
    Training, SequenceLength, GlobalBatch, MicroBatch, Precision, Recompute, RecomputedLayers,
    Schedule, Tensor, Pipeline, VirtualStages, Context, Expert, ExpertTensor, Data, ZeroStage, MicroBatchGroup,
    Accelerator, Gpus, GpusPerServer, NicSpeed, Oversubscription,
    Profile,
    GpuHour,
};
inline constexpr std::size_t kKnobCount = static_cast<std::size_t>(KnobId::GpuHour) + 1;
enum class KnobSection : std::uint8_t { Model, Training, Layout, Cluster, Software, Prices };
enum class KnobKind : std::uint8_t { Choice, Integer, Real };

/// What a knob needs to mean anything in a run.
enum class KnobNeed : std::uint8_t {
    Experts,                                   ///< a mixture-of-experts model
    RecomputeByLayers,                         ///< whole layers recomputed
    Interleaving,                              ///< the interleaved schedule
    Template,                                  ///< a cluster from a template, not a drawn one
};

/// One row of the table. Values are JSON text as in the scenario file; "" = left to the default.
struct Knob {
    KnobId id;
    KnobSection section;
    KnobKind kind;
    const char *pointer;                       ///< where the file says it
    double lowest = 0.0, highest = 0.0;        ///< of numbers
    bool automatic = false;                    ///< its default follows from other knobs: "" is a choice of its own
};
[[nodiscard]] std::span<const Knob> knobs();
[[nodiscard]] const Knob &knob(KnobId id);
/// The knob that a place in the file belongs to: its pointer or one below it. nullptr = none.
[[nodiscard]] const Knob *knobAt(std::string_view pointer);

/// Sections of the presets, read once, so that a scenario's model and training can be recognised.
class KnobPresets {
public:
    explicit KnobPresets(const Catalogue &catalogue);
    struct Entry {
        std::string name;                      ///< of the preset
        std::shared_ptr<const ModelSection> model;
        std::shared_ptr<const TrainingSection> training;
    };
    [[nodiscard]] const std::vector<Entry> &entries() const { return m_entries; }

private:
    std::vector<Entry> m_entries;
};

/// What the scenario says; where it says nothing and the knob is not automatic, what the run takes. "" = automatic, or
/// figures that no preset has.
[[nodiscard]] std::string knobValue(KnobId id, const Scenario &scenario, const ResolvedScenario *resolved,
                                    const KnobPresets &presets);
/// What the run takes: the value behind "automatic".
[[nodiscard]] std::string knobTaken(KnobId id, const ResolvedScenario &resolved);
/// Values worth offering beside the one in force, at most about ten (accelerators and profiles: all): every one of a
/// closed list; of numbers halves, doubles and what divides. Not all of them need be possible.
[[nodiscard]] std::vector<std::string> knobChoices(KnobId id, const Scenario &scenario, const ResolvedScenario &resolved,
                                                   const Catalogue &catalogue, const KnobPresets &presets);
/// Why the knob means nothing in this run; nothing = it does.
[[nodiscard]] std::optional<KnobNeed> missingNeed(KnobId id, const Scenario &scenario, const ResolvedScenario &resolved);

/// Names of the accelerators by vendor (NVIDIA, AMD, Google, Intel, Huawei, others), in the catalogue's order within.
[[nodiscard]] std::vector<std::string> acceleratorsByVendor(const Catalogue &catalogue);
[[nodiscard]] std::string_view vendorOf(std::string_view accelerator);

} // namespace clusterbeat
