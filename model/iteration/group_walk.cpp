// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/group_walk.h"

namespace clusterbeat {

TwinWaits twinWaits(const Run &run, std::int32_t stage, std::int32_t cls)
{
    const GroupTimeline timeline(run, stage, run.unperturbed().representative[static_cast<std::size_t>(cls)]);
    TwinWaits waits;
    const auto slots = static_cast<std::size_t>(timeline.endSlot()) + 1;
    waits.gap.resize(slots);
    waits.pieces.resize(slots);
    for (std::size_t slot = 0; slot < slots; ++slot)
        waits.gap[slot] = timeline.twinWaitBefore(static_cast<std::int32_t>(slot), waits.pieces[slot]);
    return waits;
}

TwinWaitTable::TwinWaitTable(const Run &run) : m_run(&run)
{
    if (!run.perturbed()) return;
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        for (std::int32_t cls = 0; cls < run.twin->classes; ++cls)
            m_waits.push_back(twinWaits(run, stage, cls));
}

const TwinWaits *TwinWaitTable::of(std::int32_t stage, std::int32_t replica) const
{
    if (m_waits.empty()) return nullptr;
    const std::int32_t cls = m_run->twin->classOfReplica[static_cast<std::size_t>(replica)];
    return &m_waits[static_cast<std::size_t>(stage * m_run->twin->classes + cls)];
}

} // namespace clusterbeat
