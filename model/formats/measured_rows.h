// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// A published measurement with the scenario that simulates it again.
struct MeasuredRow {
    std::string id, source, tier, gpuName, modelName;
    std::string note;                 ///< the table's own remark, "" = none
    std::vector<std::string> assumed; ///< knobs that the row leaves open or that its table filled in, by scenario key
    std::int64_t releaseMonth = 0;    ///< of the software container, months since the year 0; 0 = not named
    bool moe = false;
    std::optional<Error> refused; ///< why it cannot be simulated (scenario empty then)
    Scenario scenario;
    std::optional<double> iterationS;  ///< measured, printed or inverted from throughput
    std::optional<double> memoryBytes; ///< measured total per GPU where the row has it
};
/// Rows in the format of the measured table that are complete (resim_ready, true when absent) and whose id starts with
/// `only`, or the one row of exactly that id. A row without a needed fact, or that needs what is not supported, is
/// refused, not dropped. Errors of the table itself: SyntaxError, WrongType.
[[nodiscard]] Result<std::vector<MeasuredRow>> readMeasuredRows(std::string_view json, const Catalogue &catalogue,
                                                                std::string_view only = {});

} // namespace clusterbeat
