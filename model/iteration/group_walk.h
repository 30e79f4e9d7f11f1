// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/group_timeline.h"

#include <vector>

namespace clusterbeat {

/// The waits of one class of the unperturbed twin.
struct TwinWaits {
    std::vector<TimeNs> gap;                 ///< by slot
    std::vector<std::vector<Wait>> pieces;   ///< by slot
};
[[nodiscard]] TwinWaits twinWaits(const Run &run, std::int32_t stage, std::int32_t cls);

/// Those of every stage and class of the twin; empty when nothing is perturbed. O(operations * classes of the twin).
class TwinWaitTable final {
public:
    explicit TwinWaitTable(const Run &run);
    /// Of the twin of a group, null when nothing is perturbed.
    [[nodiscard]] const TwinWaits *of(std::int32_t stage, std::int32_t replica) const;

private:
    const Run *m_run;
    std::vector<TwinWaits> m_waits;
};

/// Threads for a pass over so many classes: below 16 a thread costs more than it saves; else the plan's own limit.
[[nodiscard]] inline std::size_t threadsForClasses(std::size_t classes, const IterationPlan &plan)
{
    return classes < 16 ? 1 : plan.threads;
}

/// One stage of one replica from beginning to end: the same slots and waits as GroupTimeline, faster when all are
/// wanted. `twin` are the waits of the twin's class, null when nothing is perturbed.
/// onWait(Wait, begin), onSlot(slot, begin, end). O(operations).
template <typename OnWait, typename OnSlot>
void walkGroup(const Run &run, std::int32_t stage, std::int32_t replica, const TwinWaits *twin, OnWait &&onWait, OnSlot &&onSlot)
{
    const GroupTimeline timeline(run, stage, replica);
    std::vector<Wait> waits;
    TimeNs waitBegin = timeline.origin() + timeline.hostAtStart();
    for (std::int32_t slot = 0; slot <= timeline.endSlot(); ++slot) {
        const TimeNs begin = timeline.start(slot), gap = begin - waitBegin;
        if (gap > 0) {
            TimeNs clock = waitBegin;
            const auto emit = [&](const Wait &wait) {
                onWait(wait, clock);
                clock += wait.ns;
            };
            const TimeNs data = timeline.dataWait(slot), others = gap - data;
            const TimeNs twinGap = twin ? twin->gap[static_cast<std::size_t>(slot)] : gap;
            if (others > twinGap) {
                for (const Wait &wait : twin->pieces[static_cast<std::size_t>(slot)])
                    emit(wait);
                const Wait own = timeline.ownGrowth(slot, others - twinGap);
                if (others - twinGap > own.ns) emit({Category::StragglerWait, others - twinGap - own.ns, EventKind::OperationEnd});
                if (own.ns > 0) emit(own);
            } else {
                timeline.ownWaitBefore(slot, waits);
                for (const Wait &wait : waits)
                    emit(wait);
            }
            if (data > 0) emit({Category::DataWait, data, EventKind::DataReady});
        }
        if (slot == timeline.endSlot()) return;
        waitBegin = timeline.end(slot);
        onSlot(slot, begin, waitBegin);
    }
}

} // namespace clusterbeat
