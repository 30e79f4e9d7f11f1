// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/cluster/bands.h"

#include <map>

namespace clusterbeat {
namespace {

/// Value that all ranks of a rack share, or kNone.
std::int32_t pureValue(const Placement &placement, const GpuRun &rack, std::int32_t RankCoordinates::*dimension)
{
    std::int32_t value = kNone;
    for (GpuIndex gpu = rack.first; gpu < rack.first + rack.count; ++gpu) {
        const RankIndex rank = placement.rankOfGpu[static_cast<std::size_t>(gpu)];
        if (rank == kNone) continue;
        const std::int32_t here = placement.coordinates[static_cast<std::size_t>(rank)].*dimension;
        if (value != kNone && value != here) return kNone;
        value = here;
    }
    return value;
}

Bands bandsOfDimension(const Placement &placement, std::span<const GpuRun> racks, BandKind kind)
{
    const auto dimension = kind == BandKind::Stage ? &RankCoordinates::pipeline : &RankCoordinates::data;
    Bands bands;
    bands.kind = kind;
    for (std::size_t r = 0; r < racks.size(); ++r) {
        const std::int32_t value = pureValue(placement, racks[r], dimension);
        if (value == kNone) continue;
        const auto rack = static_cast<std::int32_t>(r);
        if (!bands.runs.empty()) {
            BandRun &last = bands.runs.back();
            const bool sameTile = racks[static_cast<std::size_t>(last.firstRack)].tile == racks[r].tile;
            if (last.value == value && last.firstRack + last.rackCount == rack && sameTile) {
                ++last.rackCount;
                continue;
            }
        }
        bands.runs.push_back({rack, 1, value});
    }
    std::map<std::int32_t, std::int32_t> frequency;
    for (const BandRun &run : bands.runs)
        ++frequency[run.rackCount];
    std::int32_t most = 0;
    for (const auto &[length, count] : frequency)
        if (count >= most) {
            most = count;
            bands.typicalRacks = length;
        }
    return bands;
}

std::int32_t pureRacks(const Bands &bands)
{
    std::int32_t sum = 0;
    for (const BandRun &run : bands.runs)
        sum += run.rackCount;
    return sum;
}

} // namespace

Bands bandsOf(const Placement &placement, std::span<const GpuRun> racks)
{
    // A dimension of one value says nothing.
    Bands stage, replica;
    if (placement.pipeline > 1) stage = bandsOfDimension(placement, racks, BandKind::Stage);
    if (placement.data > 1) replica = bandsOfDimension(placement, racks, BandKind::Replica);
    const std::int32_t stagePure = pureRacks(stage), replicaPure = pureRacks(replica);
    if (stagePure == 0 && replicaPure == 0) return {};
    if (stagePure != replicaPure) return stagePure > replicaPure ? stage : replica;
    return stage.typicalRacks >= replica.typicalRacks ? stage : replica;
}

} // namespace clusterbeat
