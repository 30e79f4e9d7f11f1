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
/// wait). Rounded cumulatively, so that all members' pieces sum to the same duration. O(segments).
template <typename Piece>
void forEachPiece(const OperationShape &shape, double ownFactor, double slowestFactor, Piece &&piece)
{
    TimeNs nominal = 0, behind = 0;    // compute so far; time that the slowest member has needed more since they last met
    const auto meet = [&] {
        if (behind > 0) piece(Category::StragglerWait, behind, true);
        behind = 0;
    };
    for (const Segment &segment : shape.segments) {
        if (scalesWithSpeed(segment.category)) {
            const TimeNs slowest = scaled(nominal + segment.ns, slowestFactor) - scaled(nominal, slowestFactor);
            const TimeNs own = scaled(nominal + segment.ns, ownFactor) - scaled(nominal, ownFactor);
            nominal += segment.ns;
            // Rounding may give a faster member a nanosecond more in one segment; nobody waits a negative time.
            const TimeNs ns = own < slowest ? own : slowest;
            behind += slowest - ns;
            if (ns > 0) piece(segment.category, ns, false);
            continue;
        }
        if (isExposedCommunication(segment.category)) meet();
        if (segment.ns > 0) piece(segment.category, segment.ns, false);
    }
    meet();
}

} // namespace clusterbeat
