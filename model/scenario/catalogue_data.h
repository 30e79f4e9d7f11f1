// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <string_view>
#include <vector>

namespace clusterbeat {

/// A file of resources/catalogue, embedded at build time; `name` is its path below that folder.
struct EmbeddedFile {
    std::string_view name;
    std::string_view text;
};
[[nodiscard]] const std::vector<EmbeddedFile> &embeddedFiles();

} // namespace clusterbeat
