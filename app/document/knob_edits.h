// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/knobs.h"

#include <optional>
#include <string>

namespace clusterbeat {

/// What turning one knob makes of a scenario: pure.
namespace knob_edits {

/// The scenario with one knob at a value (JSON text; "" = the default), and with what has to follow:
/// - an explicit split of the layers goes when the model or the number of chunks changes;
/// - a schedule brings its number of chunks and drops what only another one knows; chunks bring their schedule;
/// - explicit replicas become fewer where the GPUs no longer hold them, and follow the number of GPUs when they used all;
/// - another accelerator has its own domain, server and NICs; another model drops expert degrees that it cannot have.
/// The error is one of the value itself; resolve()'s rules are not checked.
[[nodiscard]] Result<Scenario> withKnob(const Scenario &scenario, KnobId id, const std::string &value,
                                        const Catalogue &catalogue);
/// The same followed by the rules: the scenario, or the first rule that it breaks.
[[nodiscard]] Result<Scenario> validWithKnob(const Scenario &scenario, KnobId id, const std::string &value,
                                             const Catalogue &catalogue);

/// A second knob that makes a refused change possible.
struct Repair {
    KnobId knob;
    std::string before, value;      ///< of that knob, as knobValue() says it before and after
    Scenario scenario;              ///< both changes made; resolve() accepts it
};
/// The smallest second change: of one knob, nearest to where it is, those of the layout and batch before those of the
/// schedule, the cluster and the model. Nothing when no single one helps, or the value itself is wrong.
/// O(a few hundred candidates), each one resolve().
[[nodiscard]] std::optional<Repair> repairOf(const Scenario &scenario, KnobId id, const std::string &value,
                                             const Catalogue &catalogue, const KnobPresets &presets);

} // namespace knob_edits

} // namespace clusterbeat
