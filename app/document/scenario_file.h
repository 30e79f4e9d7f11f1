// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario_json.h"

#include <QString>

#include <optional>
#include <string>
#include <vector>

class QIODevice;

namespace clusterbeat {

/// Text of a regular file or a pipe. The size is checked before the first byte is read, a pipe is read no further than
/// one byte past `limit`. Errors: FileNotFound, NotAFile, FileUnreadable, FileEmpty, FileTooLarge.
[[nodiscard]] Result<std::string> readTextFile(const QString &path, std::int64_t limit = kMaxScenarioBytes);
/// The same from an open device ("-" on the command line); `name` is what errors call it.
[[nodiscard]] Result<std::string> readTextDevice(QIODevice &device, const QString &name,
                                                 std::int64_t limit = kMaxScenarioBytes);
/// All or nothing: the old file stays when writing fails. The error is FileUnwritable.
[[nodiscard]] std::optional<Error> writeFile(const QString &path, std::string_view bytes);

/// "preset:NAME", "-" (standard input) or a path of a scenario file, with edits applied. Errors carry the file's name.
[[nodiscard]] Result<Scenario> loadScenario(const QString &source, const Catalogue &catalogue,
                                            const std::vector<PointerEdit> &edits = {}, QIODevice *standardInput = nullptr);

} // namespace clusterbeat
