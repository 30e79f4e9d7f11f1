// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/import_notes.h"
#include "model/scenario/scenario.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// Where a value of an imported scenario is from, or what became of what the file says.
enum class ImportOrigin : std::uint8_t {
    Read,           ///< the file says it
    Assumed,        ///< the file does not; `reason` says why this value
    NotSimulated,   ///< the file says it, and its effect is missing
    NotUnderstood,  ///< the file says it, and its meaning is not known
    NoEffect,       ///< the file says it, and it changes neither time nor memory
};
[[nodiscard]] std::string_view nameOf(ImportOrigin origin);

struct ImportRow {
    ImportOrigin origin = ImportOrigin::Read;
    std::string pointer;   ///< of the scenario, "" when none is meant or known
    std::string value;     ///< the scenario's at the pointer, else as the file writes it
    std::string key;       ///< option or key of the file, "" of an assumption
    int line = 0;          ///< of the key in the file, 0 when not found
    std::string reason;    ///< of an assumption (formats/import_notes.h, why)
    friend bool operator==(const ImportRow &, const ImportRow &) = default;
};
using ImportReport = std::vector<ImportRow>;

/// A row for every key or option that the import met and every value that it assumed: read ones in the file's order, then
/// the assumptions, then what is missing. `text` is the file, for the lines. O(rows * text).
[[nodiscard]] ImportReport importReport(const ImportNotes &notes, std::string_view text, const Scenario &scenario);

/// The scenario's value of each row, "" without a pointer and where the file format leaves a default out.
[[nodiscard]] std::vector<std::string> scenarioValues(const ImportReport &report, const Scenario &scenario);

/// {"rows": [{"origin", "pointer", "value", "key", "line", "reason"}, …]}, without empty members.
[[nodiscard]] std::string writeImportReport(const ImportReport &report);

} // namespace clusterbeat
