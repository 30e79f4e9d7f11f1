// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import_limits.h"

#include "model/scenario/scenario_json.h"

namespace clusterbeat {

std::optional<Error> beyondFileFormat(const Scenario &scenario, const std::string &fileName, const Catalogue &catalogue)
{
    // The reader knows every range; writing and reading is cheap beside keeping a second list of them.
    const auto again = readScenario(writeScenario(scenario), catalogue);
    if (again.ok()) return std::nullopt;
    Error error = again.error();
    error.place.file = fileName;
    error.place.line = 0;
    error.place.column = 0;
    return error;
}

} // namespace clusterbeat
