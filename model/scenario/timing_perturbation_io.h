// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/object_reader.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <string>

namespace clusterbeat
{

/// jitter, gc_pause, document_imbalance, slow_data, checkpoint, slow_storage and warm_up.
[[nodiscard]] constexpr bool concernsTiming(PerturbationKind kind)
{
    return kind != PerturbationKind::SlowGpu && !concernsLinks(kind);
}
/// Keys of those beside `kind`; the kind is set already.
void readTimingPerturbation(const JsonValue &json, const std::string &pointer, Perturbation &perturbation,
                            std::optional<Error> &error);

} // namespace clusterbeat
