// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/formats/import_report.h"
#include "model/formats/shell_words.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

enum class ForeignFormat : std::uint8_t { HuggingFaceConfig, MegatronArguments };

struct Imported {
    Scenario scenario;                ///< `notes` lists the defaults too
    ForeignFormat format = ForeignFormat::HuggingFaceConfig;
    ImportReport report;              ///< a row for each key of the file and each value that it does not say
    std::vector<Notice> notices;      ///< every default that was taken, every option that was ignored
};

/// By content, not by name; nullopt = none of ours. A scenario file is not foreign.
[[nodiscard]] std::optional<ForeignFormat> recogniseFormat(std::string_view text);
/// Never runs anything. `input`: arguments of a script and the files that it reads. Errors: ImportMissing and its kin name
/// what the file lacks; FormatNotRead; UnknownFormat.
[[nodiscard]] Result<Imported> importForeign(std::string_view text, const std::string &fileName, const Catalogue &catalogue,
                                             std::optional<ForeignFormat> from = std::nullopt, const ShellInput &input = {});

} // namespace clusterbeat
