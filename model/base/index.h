// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <cstdint>

namespace clusterbeat {

/// A number that is known not to be negative, as an index of a standard container.
[[nodiscard]] constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

} // namespace clusterbeat
