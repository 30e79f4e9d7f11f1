// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"
#include "model/layout/placement.h"

#include <cstdint>
#include <span>
#include <vector>

namespace clusterbeat {

/// A run of neighbouring racks that hold one value of a dimension: one pipeline stage or one replica.
struct BandRun {
    std::int32_t firstRack = 0, rackCount = 0;
    std::int32_t value = 0;
    friend bool operator==(const BandRun &, const BandRun &) = default;
};
enum class BandKind : std::uint8_t { None, Stage, Replica };
struct Bands {
    BandKind kind = BandKind::None;
    std::vector<BandRun> runs;
    /// Racks of the most frequent run length (0 without runs): what a row of the map should hold.
    std::int32_t typicalRacks = 0;
};
/// GPUs of one rack.
struct GpuRun {
    GpuIndex first = 0;
    std::int32_t count = 0;
    std::int32_t tile = 0;          ///< runs do not cross tiles
};

/// Which dimension the placement lays out in bands: the one that keeps more racks pure (all ranks of one value; spares
/// are ignored), on a tie the one with longer runs. O(GPUs).
[[nodiscard]] Bands bandsOf(const Placement &placement, std::span<const GpuRun> racks);

} // namespace clusterbeat
