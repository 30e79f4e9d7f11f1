// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/search/search_layouts.h"

#include <string>

namespace clusterbeat
{

/// What `search` prints; the same result gives the same bytes.
[[nodiscard]] std::string searchJson(const SearchResult &result);
[[nodiscard]] std::string searchTable(const SearchResult &result);

} // namespace clusterbeat
