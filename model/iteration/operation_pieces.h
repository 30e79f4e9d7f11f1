// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"
#include "model/iteration/speed.h"

namespace clusterbeat {

[[nodiscard]] constexpr bool isExposedCommunication(Category category)
{
    return category == Category::ExposedTp || category == Category::ExposedCp || category == Category::ExposedEp ||
           category == Category::ExposedPp || category == Category::ExposedDp;
}

/// Calls piece(category, ns, isGroupWait) for what one GPU does during an operation of its group, in order: its own
/// compute at its own pace, then, before every collective and at the end, the wait for the slowest member (straggler
/// wait). Cumulative rounding, so that all members' pieces sum to the same duration. O(segments).
template <typename Piece>
void forEachPiece(const OperationShape &shape, double ownFactor, double slowestFactor, Piece &&piece)
{
    TimeNs nominal = 0, own = 0, slowest = 0;
    const auto meet = [&] {
        if (slowest > own) piece(Category::StragglerWait, slowest - own, true);
        own = slowest;
    };
    TimeNs lost = 0;    // waits so far: own pace continues from its own cumulative sum
    for (const Segment &segment : shape.segments) {
        if (scalesWithSpeed(segment.category)) {
            const TimeNs before = scaled(nominal, ownFactor);
            nominal += segment.ns;
            const TimeNs ns = scaled(nominal, ownFactor) - before;
            if (ns > 0) piece(segment.category, ns, false);
            continue;
        }
        if (isExposedCommunication(segment.category)) {
            own = scaled(nominal, ownFactor) + lost;
            slowest = scaled(nominal, slowestFactor);
            lost += slowest > own ? slowest - own : 0;
            meet();
        }
        if (segment.ns > 0) piece(segment.category, segment.ns, false);
    }
    own = scaled(nominal, ownFactor) + lost;
    slowest = scaled(nominal, slowestFactor);
    meet();
}

} // namespace clusterbeat
