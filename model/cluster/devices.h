// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/cluster/expansion.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat {

/// "pod.0/leaf.3": any device (GPU, NIC, switch) by its number in the expansion's graph.
[[nodiscard]] std::string pathOfDevice(const Expansion &expansion, std::int32_t device);

/// Devices named by a member path, ascending: one ("pod.0/leaf.3"), or all inside a container ("pod.0/rack.2", with or
/// without "/**"; "**" for all). As in gpusAtPath() the end of a path names every member that ends so. Error
/// UnknownTarget. O(containers + devices).
[[nodiscard]] Result<std::vector<std::int32_t>> devicesAtPath(const Expansion &expansion, std::string_view path);

} // namespace clusterbeat
