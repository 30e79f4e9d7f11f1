// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/scenario_json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace clusterbeat
{

/// One `--vary /json/pointer=A,B,C`: the values are JSON (a bare word is a string), apart by commas outside brackets
/// and strings.
struct SweepAxis {
    std::string pointer;
    std::vector<std::string> values;
};
/// Error BadPointer.
[[nodiscard]] Result<SweepAxis> parseSweepAxis(std::string_view text);

inline constexpr std::int64_t kMostSweepPoints = 10'000'000;

/// The Cartesian product of axes; the last one varies fastest.
class Sweep
{
public:
    /// Error OutOfRange above kMostSweepPoints.
    [[nodiscard]] static Result<Sweep> make(std::vector<SweepAxis> axes);

    [[nodiscard]] const std::vector<SweepAxis> &axes() const { return m_axes; }
    [[nodiscard]] std::int64_t points() const { return m_points; }
    /// The edits of point 0 … points()-1, one for each axis.
    [[nodiscard]] std::vector<PointerEdit> edits(std::int64_t point) const;

private:
    Sweep(std::vector<SweepAxis> axes, std::int64_t points) : m_axes(std::move(axes)), m_points(points) {}
    std::vector<SweepAxis> m_axes;
    std::int64_t m_points = 1;
};

/// Part `shard` of `shards` (from 1), as even as whole points allow: the parts in order are [0, points).
struct PointRange {
    std::int64_t begin = 0, end = 0;
};
[[nodiscard]] PointRange shardOf(std::int64_t points, std::int64_t shard, std::int64_t shards);

/// Gives sections of the same content the other scenario's pointers, so that a StageCache knows them again.
void shareSections(Scenario &scenario, const Scenario &with);

} // namespace clusterbeat
