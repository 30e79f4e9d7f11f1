// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/trace.h"

#include <vector>

namespace clusterbeat {

/// A piece of a wait, with the event that ended it.
struct Wait {
    Category category = Category::Bubble;
    TimeNs ns = 0;
    EventKind endedBy = EventKind::None;
};

/// The compute stream of one stage of one replica as slots: its operations 0 … n-1, the optimizer step n, the end of
/// the iteration n+1. Between the end of a slot and the start of the next lies a wait. Times of slots are O(1).
class GroupTimeline {
public:
    GroupTimeline(const Run &run, std::int32_t stage, std::int32_t replica);

    [[nodiscard]] std::int32_t operations() const { return m_operations; }
    [[nodiscard]] std::int32_t optimizerSlot() const { return m_operations; }
    [[nodiscard]] std::int32_t endSlot() const { return m_operations + 1; }
    [[nodiscard]] TimeNs start(std::int32_t slot) const { return start(m_run->trace, m_class, slot); }
    [[nodiscard]] TimeNs end(std::int32_t slot) const { return end(m_run->trace, m_class, slot); }
    /// End of the slot before; the host's fixed time before slot 0.
    [[nodiscard]] TimeNs waitBegin(std::int32_t slot) const { return waitBegin(m_run->trace, m_class, slot); }
    [[nodiscard]] TimeNs hostAtStart() const;
    /// Begin of the window [origin, origin + iteration); all times here are inside it, not wrapped.
    [[nodiscard]] TimeNs origin() const { return m_run->trace.originOf(m_stage, m_class); }
    /// First slot that ends after t.
    [[nodiscard]] std::int32_t slotAt(TimeNs t) const;

    /// The wait before a slot, in order, replacing `out`. The rule: what the unperturbed twin waits too keeps its
    /// category and comes first, what is longer than there is straggler wait; a wait for data comes last and is no part
    /// of either.
    void waitBefore(std::int32_t slot, std::vector<Wait> &out) const;
    /// The wait as it is, the twin aside; and the twin's, with its length.
    void ownWaitBefore(std::int32_t slot, std::vector<Wait> &out) const;
    [[nodiscard]] TimeNs twinWaitBefore(std::int32_t slot, std::vector<Wait> &out) const;
    /// Of what a wait is longer than the twin's, the part that its own communication takes on a slow link: the transfer,
    /// gather or reduction that ended it. The rest, if any, is straggler wait.
    [[nodiscard]] Wait ownGrowth(std::int32_t slot, TimeNs longer) const;
    /// The part of the wait before a slot that is for its data.
    [[nodiscard]] TimeNs dataWait(std::int32_t slot) const { return dataWait(m_run->trace, m_class, slot); }
    /// What an operation waits inside for its experts' peers in other replicas.
    [[nodiscard]] TimeNs peerWait(std::int32_t slot) const { return slot < m_operations ? m_run->trace.peerWaitOf(m_stage, slot, m_class) : 0; }
    /// How much longer the slot's own work took than in the twin.
    [[nodiscard]] TimeNs excess(std::int32_t slot) const;
    /// How much later the slot starts than in the twin.
    [[nodiscard]] TimeNs lateness(std::int32_t slot) const;

private:
    [[nodiscard]] TimeNs start(const Trace &trace, std::int32_t cls, std::int32_t slot) const;
    [[nodiscard]] TimeNs end(const Trace &trace, std::int32_t cls, std::int32_t slot) const;
    [[nodiscard]] TimeNs waitBegin(const Trace &trace, std::int32_t cls, std::int32_t slot) const;
    [[nodiscard]] TimeNs dataWait(const Trace &trace, std::int32_t cls, std::int32_t slot) const
    {
        return trace.dataReady.empty() || slot >= m_operations ? 0 : dataWaitOf(m_run->plan, trace, m_stage, slot, cls);
    }
    void compose(const Trace &trace, std::int32_t cls, std::int32_t slot, std::vector<Wait> &out) const;
    void composeInput(const Trace &trace, std::int32_t cls, std::int32_t slot, TimeNs gap, std::vector<Wait> &out) const;
    void composeBarrier(const Trace &trace, TimeNs from, std::vector<Wait> &out) const;

    const Run *m_run;
    std::int32_t m_stage, m_class, m_twinClass, m_operations;
};

} // namespace clusterbeat
