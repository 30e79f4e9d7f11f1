// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/network/fabric.h"

#include <string>

namespace clusterbeat {

/// "nvlink of pod.0/rack.0/server.1/gpu.5", "nic of …/gpu.5" (with PCI Express), "leaf-spine pod.0/leaf.3 to
/// pod.0/spine.2": kind and ends, of one direction with " out" / " in" or " up" / " down" after it; "" for no link.
enum class LinkDirection : std::uint8_t { Omitted, Shown };
[[nodiscard]] std::string linkName(const Expansion &expansion, const Fabric &fabric, std::int32_t link,
                                   LinkDirection direction = LinkDirection::Omitted);

/// The GPU that the link belongs to, or kNone: between switches, or of a NIC that several share.
[[nodiscard]] GpuIndex gpuOfLink(const Expansion &expansion, const Fabric &fabric, std::int32_t link);

/// A GPU at the link's lower end: its own, or one of those that reach it over the fewest links below; the first of those.
/// kNone where none does. O(links of the graph).
[[nodiscard]] GpuIndex gpuBelowLink(const Expansion &expansion, const Fabric &fabric, std::int32_t link);

/// The same of a link of the expansion's graph, by its number. O(links) to find it.
[[nodiscard]] std::string graphLinkName(const Expansion &expansion, std::int32_t link);
[[nodiscard]] GpuIndex gpuOfGraphLink(const Expansion &expansion, std::int32_t link);

} // namespace clusterbeat
